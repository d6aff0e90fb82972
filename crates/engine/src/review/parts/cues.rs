//! Classifies sentences by typical words.

use std::borrow::Cow;
use std::sync::LazyLock;

use precedent_domain::IdeaPart;
use precedent_language::facets::find;
use precedent_text::{compile_pattern, pattern, sentences};
use regex::Regex;

struct Patterns {
    motivation: Regex,
    question: Regex,
    method: Regex,
    setting: Regex,
    expected: Regex,
    expected_of_idea: Regex,
    concludes: Regex,
    proposes: Regex,
    result: Regex,
    structure: Regex,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let new = |pattern: &str| compile_pattern(&format!("(?ix){pattern}"));
    Patterns {
        motivation: new(r"\b(?:however|despite|nevertheless|unfortunately|yet|although)\b
            | \bchalleng\w+ | \black(?:s|ing|ed)?\b | \blimit(?:ed|ation|ations|s)?\b | \bfail(?:s|ed|ure|ures)?\b | \bsuffer\w* | \bcostly\b | \bexpensive\b | \bdifficult\w*
            | \bhard\s+to\b | \bproblem(?:s|atic)?\b | \bimportan\w+ | \bcrucial\b | \bcritical\b | \bessential\b | \bbottleneck\w* | \bremain(?:s|ed)?\b | \bneed(?:s|ed)?\b
            | \bignor(?:e|es|ed|ing)\b | \boverlook\w* | \bstruggl\w+ | \bgaps?\b | \brisk(?:s|y)?\b | \b(?:existing|previous|prior|conventional|traditional|today's)\s+\w+ | \bcurrent\s+(?:methods?|approach\w*|models?|systems?|work|practices?|techniques?|tools?|solutions?|research|state|standards?)\b
            | \blittle\s+is\s+known | \bunderexplored\b | \bunder-?studied\b | \bunknown\b | \bunclear\b | \binefficien\w+ | \btoo\s+(?:slow|large|many|few|costly)\b
            | \b(?:motivation|rationale)\b | \bneglect\w* | \bshortcoming\w* | \bscarce\b | \binsufficient\w* | \bcannot\b | \bunable\b | \bprevent(?:s|ed)?\b | \bnot\s+(?:been|yet|well|fully|enough|able)\b"),
        question: new(
            r"\?\s*[”\x22']?\s*$ | ^\W*whether\b | \b(?:unclear|unknown|question|ask|asks)\s+(?:is\s+|of\s+)?whether\b | \bresearch\s+questions?\b | \bquestions?\s+(?:about|of|on|as\s+to)\s+(?:whether|how|why|what|which)\b | \bthe\s+question\s+(?:of|is|whether|how)\b | \b(?:we|i)\s+(?:therefore\s+|here\s+|thus\s+)?ask\b
            | \b(?:we|i|this\s+(?:paper|work|project|study|proposal|idea))\s+(?:\w+\s+){0,2}?(?:investigat|stud(?:y|ies|ied)|explor|examin|ask|determin)\w*\s+(?:\w+\s+)?(?:whether|how|if|what|why|which|to\s+what\s+extent)\b
            | ^\W*(?:to\s+)?(?:investigate|study|explore|examine|understand|determine)\s+(?:whether|how|if|what|why|which)\b
            | \b(?:our|the|main|overall|a)\s+(?:\w+\s+)?(?:goal|aim|objective|purpose)s?\s+(?:of\s+[^.;,]{2,60}\s+)?(?:is|are|was|were)\b
            | \b(?:we|i|this\s+(?:paper|work|project|study|proposal|idea))\s+(?:aims?|aimed|seeks?|sought|wants?|intends?)\s+to\b | \bto\s+what\s+extent\b",
        ),
        method: new(
            r"\busing\b | \bleverag\w+ | \bintegrat\w+ | \butili[sz]\w+ | \bemploy\w* | \bcombin\w+ | \bby\s+means\b | \btrain(?:s|ed|ing)?\b | \balgorithm\w* | \bmodel(?:s|ed|led)?\b | \bframework\w*
            | \btechnique\w* | \bapproach\w* | \bmethod\w* | \bnetworks?\b | \bpipeline\w* | \bsystems?\b | \bbased\s+on\b | \bgenerat\w+ | \bextract\w+ | \bmechanism\w* | \barchitectur\w+
            | \bwe\s+(?:propose|present|introduce|develop|design|build|construct|define|formulate|derive|compute|encode|optimi[sz]e|learn|use|apply|adopt|extend|prove|show\s+that)\b | \bconsists?\s+of\b | \bloss\b
            | \bmodules?\b | \bcomponents?\b | \bstages?\b | \bsteps\b | \bfirst(?:ly)?,\s | \bthen\b | \bfinally,\s | \bvia\b | \bby\s+\w+ing\b",
        ),
        setting: new(
            r"\b(?:be|is|are|was|were)\s+(?:then\s+|\w+ly\s+|also\s+)?(?:evaluated|tested|validated|assessed|compared|benchmarked|measured)\b | \b(?:we|i)\s+(?:will\s+|would\s+|then\s+|also\s+|further\s+|\w+ly\s+)*(?:evaluate|test|compare|benchmark|validate|assess|measure|conduct|collect|recruit)(?:ed)?\b
            | ^\W*(?:evaluate|test|compare|benchmark|validate|measure|run)\b | \bevaluat(?:e|es|ed|ing|ion|ions)\s+(?:on|against|through|using|in|across|metrics?|protocol|setup)\b | \bexperiments?\b | \b(?:user|lab|field|case|pilot|ablation)\s+stud(?:y|ies)\b
            | \bfield\s+deployment | \bcompar(?:ed|ing|e|ison)\s+(?:to|with|against)\b | \bbaselines?\b | \b(?:evaluation|following|standard|these|quality|of)\s+metrics\b | \bmetrics\s+(?:such|including)\b | \bmeasured\s+by\b | \bmeasuring\b | \btest(?:ed)?\s+(?:on|set|sets)\b | \bheld[- ]out\b | \bablations?\b
            | \bdata\s?sets?\b | \bcorpora\b | \bhuman\s+(?:judges|ratings?|annotat\w+|evaluations?) | \bexpert\s+review | \bparticipants\b | \bsimulations?\b | \bclinical\s+trials?\b | \bcohorts?\b | \bsamples?\s+(?:from|of)\b",
        ),
        expected: new(
            r"\b(?:we|i)\s+(?:\w+\s+)?(?:expect|anticipate|hope|predict|hypothesi[sz]e|conjecture)\b | \bexpected\s+(?:results?|outcomes?|findings?|benefits?)\b
            | \b(?:our|the)\s+(?:\w+\s+)?hypothes[ie]s\s+(?:is|are)\s+that\b",
        ),
        expected_of_idea: new(
            r"\b(?:is|are)\s+(?:expected|likely|hoped|anticipated)\s+to\b | \b(?:should|would|will|could)\s+(?:\w+ly\s+|also\s+|then\s+|in\s+turn\s+)?(?:improve|reduce|outperform|lead\s+to|yield|increase|lower|beat|surpass|exceed|generali[sz]e|decrease|raise|result\s+in|demonstrate|reveal|confirm|halve|double|match|perform)\b",
        ),
        concludes: new(
            r"\b(?:evaluations?|tests?|analys[ei]s|results?|experiments?|findings?|simulations?|comparisons?)\s+(?:[\w-]+\s+){0,9}?(?:reveal|confirm|indicate|show|demonstrate|suggest)(?:s|d|ed|n)?\b
            | ^\W*(?:this|these)\s+(?:results?|findings?)\b",
        ),
        proposes: new(
            r"\b(?:we|i)\s+(?:\w+ly\s+|here\s+|also\s+|therefore\s+|thus\s+|then\s+|would\s+(?:like\s+to\s+)?|will\s+|want\s+to\s+|plan\s+to\s+|intend\s+to\s+)?(?:propose|introduce|present|develop|design|build|suggest|devise|create|describe|curate|put\s+forward)\b
            | ^\W*to\s+(?:bridge|close|fill|address|tackle|overcome|solve|mitigate|remedy|alleviate)\s+(?:this|these|such|that|those)\b[^,]*,\s+(?:we|i|this\s+\w+)\b
            | \b(?:this|the|our|my|a)\s+(?:\w+\s+)?(?:idea|proposal|project|paper|work|article|study|thesis|approach|method|system)\s+(?:is\s+to|would|will|proposes?|introduces?|presents?|develops?|designs?|suggests?|builds?)\b
            | \b(?:this|our)\s+(?:\w+\s+)?(?:idea|proposal|project|paper|work|article|study|thesis|approach|method|system)\s+(?:provides|establishes|studies|investigates|addresses)\b
            | \bin\s+this\s+(?:paper|work|article|study|project|proposal),?\s+(?:we|i)\b",
        ),
        result: new(r"\b(?:outperform|surpass)\w*
            | \b(?:achiev|attain|obtain|reach|yield)(?:es|ed|s|ing)?\s+(?:[\w-]+\s+){0,8}?(?:accurac\w+|scores?|performance|results?|improvements?|gains?|speed-?ups?|precision|recall|reductions?|state-of-the-art|\d[\d.,]*)
            | \bimprov(?:es|ed|ing|ement)\w*\s+(?:[\w-]+\s+){0,8}?(?:by|over|upon|of)\b | \bsignificant(?:ly)?\s+(?:improv|better|higher|lower|faster|reduc|fewer)\w*
            | \b(?:better|higher|lower|faster|fewer)\s+(?:[\w-]+\s+){0,5}?than\b | \b(?:our|the|these|experimental|empirical|extensive)\s+(?:\w+\s+){0,3}?(?:results?|experiments?|findings?|evaluations?)\s+(?:\w+\s+){0,6}?(?:show|demonstrate|suggest|indicate|reveal|confirm|verify|validate)
            | \bwe\s+(?:also\s+)?(?:find|found|observe|observed|demonstrate|demonstrated|showed)\b | ^\W*(?:results?|conclusions?|findings)\s*:?\s+(?:we|the|in|of|there|among|a|an|these|this|our)\b
            | \b(?:was|were)\s+(?:not\s+)?(?:\w+ly\s+)?(?:associated|correlated)\b | \bp\s?[<=]\s?0 | \bdemonstrat(?:es|ed|ing)\b | \b\d[\d.,]*\s?(?:%|percent|points?) | \b\d+\.\d+\b
            | \bwe\s+(?:also\s+|further\s+|then\s+)?show(?:ed)?\s+that\b"),
        structure: new(
            r"^\W*(?:in\s+)?(?:sections?|sec\.|§|chapters?|appendix|figures?|fig\.|tables?)\s | \b(?:rest|remainder|structure)\s+of\s+(?:this|the)\s+(?:paper|article|work) | \borgani[sz]ed\s+as\s+follows | \bfuture\s+(?:work|research) | \bin\s+this\s+(?:sub)?section\b | \bthe\s+(?:next|following|previous)\s+section | \bwe\s+give\s+details\b | \bdescribed\s+(?:here|above|below)\b | \bsee\s+also\b
            | \b(?:in|see)\s+(?:section|sec\.|appendix|table|figure|fig\.)\s | \((?:section|sec\.|appendix|table|figure|fig\.|see)\s | ©|\bcopyright|\bpermission\s+to\s+make | \bas\s+follows\s*:?\s*$ | \bcode\s+(?:is|and\s+data\s+are|will\s+be)\s+(?:publicly\s+)?available
            | \bcorrespond\w*\s+(?:author|to:) | \backnowledg | \bgrants?\s+(?:no|number)\b | \barxiv\b | \bcontribut\w+\s+(?:are\s+)?(?:of\s+this\s+\w+\s+)?(?:are|can\s+be|include)\b[^.]{0,40}:?\s*$ | \bhttps?:",
        ),
    }
});

fn hits(pattern: &Regex, text: &str) -> usize {
    pattern.find_iter(text).take(6).count()
}

/// How many words typical of a part the sentence has.
pub(super) fn cues(part: IdeaPart, text: &str) -> usize {
    let patterns = &*PATTERNS;
    match part {
        IdeaPart::BasicIdea => hits(&patterns.proposes, text),
        IdeaPart::Motivation => hits(&patterns.motivation, text),
        IdeaPart::ResearchQuestion => hits(&patterns.question, text),
        IdeaPart::Method => hits(&patterns.method, text),
        IdeaPart::ExperimentalSetting => hits(&patterns.setting, text),
        IdeaPart::ExpectedResults => hits(&patterns.expected, text),
        IdeaPart::Unclassified => 0,
    }
}

/// Whether a sentence of an idea states expected results.
pub(super) fn hopes(text: &str) -> bool {
    hits(&PATTERNS.expected, text) + hits(&PATTERNS.expected_of_idea, text) > 0
}

/// Whether a sentence reports results. In a paper, these are neither expectations nor methods.
pub(super) fn reports(text: &str) -> bool {
    reported(text) > 0
}

/// How many words typical of reported results the sentence has. A sentence that says what an evaluation shows is about the results, although it names the
/// evaluation.
pub(super) fn reported(text: &str) -> usize {
    hits(&PATTERNS.result, text) + 2 * conclusions(text)
}

/// Whether a sentence says what an evaluation shows.
pub(super) fn concludes(text: &str) -> bool {
    conclusions(text) > 0
}

/// How often a sentence says what an evaluation shows. `We will run experiments … to show` and `tests with people who suggest` say no result.
fn conclusions(text: &str) -> usize {
    let is_purpose = |found: &regex::Match<'_>| pattern!(r"(?i)\s(?:to|will|would|who)\s").is_match(found.as_str());
    let found = PATTERNS.concludes.find_iter(text);
    found.filter(|one| !is_purpose(one)).count()
}

/// Whether a sentence asks something. `To examine whether …, we derive …` says what is done, and `To this end, we ask whether …` asks.
pub(super) fn asks(text: &str) -> bool {
    let done = pattern!(r"(?i)^\W*to\s+[^,?]*,\s+(?P<done>(?:we|i)\b[^?]*)$").captures(text);
    let clause = done
        .and_then(|done| done.name("done"))
        .map_or(text, |done| done.as_str());
    cues(IdeaPart::ResearchQuestion, clause) > 0
}

/// Whether a sentence is about the text itself: its sections, tables, acknowledgements or rights.
pub(super) fn is_of_structure(text: &str) -> bool {
    hits(&PATTERNS.structure, text) > 0
}

/// A sentence without its references to figures, tables and sections: `…, see Fig. 1`. A sentence that begins with one keeps it.
pub(super) fn without_references(text: &str) -> Cow<'_, str> {
    if pattern!(r"(?i)^\W*(?:in\s+)?(?:figs?\.?|figures?|tables?|sections?|secs?\.?|appendix)\s").is_match(text) {
        return Cow::Borrowed(text);
    }
    pattern!(
        r"(?i)(?:[\s;,(]+(?:as\s+\w+\s+)?(?:(?:see|cf\.|in|by|from)\s+)?|^as\s+\w+\s+(?:in|by)\s+)(?:figs?\.?|figures?|tables?|sections?|secs?\.?|appendix)\s+(?:\d|[A-Z]\b)[\w.]*\)?"
    )
    .replace_all(text, "")
}

/// Whether a text may state a part, in any of its sentences. A sentence is assigned to one part only, but may state others.
pub(super) fn may_state(part: IdeaPart, text: &str) -> bool {
    let all = sentences(text);
    let mut all = all.iter().filter_map(|one| one.slice(text));
    match part {
        IdeaPart::BasicIdea | IdeaPart::Unclassified => true,
        IdeaPart::Motivation | IdeaPart::ResearchQuestion => all.any(|one| cues(part, one) > 0),
        IdeaPart::Method => all.any(|one| cues(part, one) > 0) || find(text, None, None).mechanism.is_some(),
        IdeaPart::ExperimentalSetting => {
            all.any(|one| cues(part, one) > 0) || find(text, None, None).evaluation.is_some()
        }
        IdeaPart::ExpectedResults => all.any(|one| hopes(one) || reports(one)),
    }
}

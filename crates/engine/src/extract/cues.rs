//! Which sentences claim something, and by which words.

use std::sync::LazyLock;

use precedent_domain::ContributionClass;
use precedent_text::{compile_pattern, pattern};
use regex::Regex;

/// The words that make a sentence a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cue {
    /// Byte of the sentence where the claim begins (`we propose …`).
    pub(super) start: usize,
    /// Byte where what is claimed begins (after the verb).
    pub(super) object: usize,
    /// Name of this kind of words; a signal of the classifier.
    pub(super) words: &'static str,
    /// Which of several cues of a sentence is used: the one with the highest weight.
    pub(super) weight: f64,
    /// The class that the verb alone suggests.
    pub(super) class: ContributionClass,
    /// Whether `that …` follows: the object is a statement, not a thing.
    pub(super) statement: bool,
    /// Whether the claim is in the passive, without a subject: `A parser is presented.`
    pub(super) passive: bool,
    /// Whether the verb treats or uses something and offers nothing itself: `we study`, `we apply`, `we extend`.
    pub(super) treats: bool,
}

const SUBJECT: &str = r"(?:\b(?:here(?:in)?,?\s+)?(?:we|i)|\b(?:this|the\s+(?:present|current)|our)\s+(?:new\s+|present\s+|current\s+)?(?:paper|work|article|study|thesis|report|survey|review|chapter|research|contribution|note|tutorial|essay)|\b(?:our|these|the|the present)\s+(?:\w+\s+){0,2}?(?:results?|findings?|data|analys[ei]s|experiments?|evidence|observations?|simulations?|work)|\bthe\s+authors?|\bit\s+is\s+(?:shown|proved|argued|demonstrated|found))";
const BETWEEN: &str = r"(?:,?\s+(?:\w+ly|also|then|first|further|here|therefore|thus|hence|next|finally|have|has|had|now|instead|both|in\s+(?:this|the\s+present)\s+(?:paper|work|study|article)|for\s+the\s+first\s+time|and\s+\w+|to\s+this\s+end)\s*,?){0,3}\s+";

/// Name of the words of `We find a general drift`, which open many introductions and claim nothing.
pub(super) const NOTICE: &str = "notice";

/// (name, pattern of the verb, weight, class).
const VERBS: [(&str, &str, f64, ContributionClass); 10] = [
    (
        "propose",
        r"propos(?:e|es|ed)|introduc(?:e|es|ed)|present(?:s|ed)?|put(?:s)?\s+forward|advocate(?:s|d)?|initiate(?:s|d)?|pioneer(?:s|ed)?",
        3.0,
        ContributionClass::Method,
    ),
    (
        "develop",
        r"develop(?:s|ed)?|design(?:s|ed)?|devise(?:s|d)?|construct(?:s|ed)?|build(?:s)?|built|creat(?:e|es|ed)|implement(?:s|ed)?|invent(?:s|ed)?",
        2.6,
        ContributionClass::Method,
    ),
    (
        "release",
        r"release(?:s|d)?|collect(?:s|ed)?|curat(?:e|es|ed)|annotat(?:e|es|ed)|compil(?:e|es|ed)|open-source(?:s|d)?|assembl(?:e|es|ed)",
        2.4,
        ContributionClass::Resource,
    ),
    (
        "prove",
        r"prov(?:e|es|ed)|establish(?:es|ed)?|deriv(?:e|es|ed)|characteri[sz](?:e|es|ed)|formali[sz](?:e|es|ed)|formulat(?:e|es|ed)",
        2.7,
        ContributionClass::Theory,
    ),
    (
        "show",
        r"show(?:s|ed|n)?|demonstrat(?:e|es|ed)|find(?:s)?|found|report(?:s|ed)?|reveal(?:s|ed)?|discover(?:s|ed)?|identif(?:y|ies|ied)|uncover(?:s|ed)?|elucidat(?:e|es|ed)",
        2.3,
        ContributionClass::Finding,
    ),
    (
        "observe",
        r"observ(?:e|es|ed)|indicat(?:e|es|ed)|suggest(?:s|ed)?|confirm(?:s|ed)?|conclud(?:e|es|ed)|provid(?:e|es|ed)\s+(?:\w+\s+){0,2}evidence|highlight(?:s|ed)?|argu(?:e|es|ed)",
        1.7,
        ContributionClass::Finding,
    ),
    (
        "describe",
        r"describ(?:e|es|ed)|explain(?:s|ed)?|give(?:s)?|provid(?:e|es|ed)|offer(?:s|ed)?|contribut(?:e|es|ed)|outlin(?:e|es|ed)",
        2.0,
        ContributionClass::Method,
    ),
    (
        "extend",
        r"extend(?:s|ed)?|generali[sz](?:e|es|ed)|appl(?:y|ies|ied)|adapt(?:s|ed)?",
        1.8,
        ContributionClass::Application,
    ),
    (
        "survey",
        r"survey(?:s|ed)?|review(?:s|ed)?|summari[sz](?:e|es|ed)|synthesi[sz](?:e|es|ed)|categori[sz](?:e|es|ed)",
        1.7,
        ContributionClass::Survey,
    ),
    (
        "study",
        r"stud(?:y|ies|ied)|investigat(?:e|es|ed)|explor(?:e|es|ed)|analy[sz](?:e|es|ed)|examin(?:e|es|ed)|evaluat(?:e|es|ed)|compar(?:e|es|ed)|conduct(?:s|ed)?|perform(?:s|ed)?|revisit(?:s|ed)?|assess(?:es|ed)?|quantif(?:y|ies|ied)|measur(?:e|es|ed)|consider(?:s|ed)?|discuss(?:es|ed)?|address(?:es|ed)?",
        1.4,
        ContributionClass::Finding,
    ),
];

/// Minimum weight of a verb that offers something. `we study` and `we apply` offer nothing themselves.
const LEAST_OFFERING: f64 = 2.0;

struct CuePatterns {
    active: Regex,
    verbs: Vec<(&'static str, Regex, f64, ContributionClass)>,
    contribution: Regex,
    passive: Regex,
    unfit: Regex,
    performance: Regex,
    figures: Regex,
}

static PATTERNS: LazyLock<CuePatterns> = LazyLock::new(|| {
    let all: Vec<&str> = VERBS.iter().map(|(_, verb, _, _)| *verb).collect();
    let new = |pattern: &str| compile_pattern(&format!("(?i){pattern}"));
    CuePatterns {
        active: new(&format!(
            r"(?P<subject>{SUBJECT}){BETWEEN}(?P<verb>{})\b\s*",
            all.join("|")
        )),
        verbs: VERBS
            .iter()
            .map(|(name, verb, weight, class)| (*name, new(&format!("^(?:{verb})$")), *weight, *class))
            .collect(),
        contribution: new(
            r"\b(?:(?:(?:our|this\s+paper's)\s+(?:\w+\s+){0,2}?|(?:the|a|one)\s+(?:main|key|major|primary|principal|core|first|second|third|central|novel|technical|chief|important)\s+|(?:one|another)\s+)(?:contributions?|novelty|innovations?)|the\s+(?:contributions?|novelty)\s+of\s+(?:this|our)\s+\w+)\b[^.;:]{0,40}?(?:\bis\b|\bare\b|\binclud\w+|\blies? in|\bconsists? of|:)\s*",
        ),
        passive: new(
            r"\b(?:is|are|was|were)\s+(?:\w+ly\s+|also\s+|here\s+|then\s+)?(?:proposed|introduced|presented|developed|described|derived|proved|proven|reported|established|constructed|designed|given)\b",
        ),
        unfit: new(
            r"^\W*(?:in\s+)?(?:sections?|sec\.|§|chapters?|appendix|figures?|fig\.|tables?)\s|\b(?:rest|remainder|structure)\s+of\s+(?:this|the)\s+(?:paper|article|work)|\borgani[sz]ed\s+as\s+follows|\bfuture\s+(?:work|research|stud|direction)|\bwe\s+(?:plan|hope|intend|thank|acknowledge|refer\s+the|leave|would\s+like|will\b|believe|expect|recommend)|\bwork\s+in\s+progress|\bsection\s+\d|©|\bcopyright|\bpermission\s+to\s+make|\bsupplementary\s+material|\blater\s+in\s+th(?:is|e)\s+paper|\bin\s+what\s+follows|\bin\s+the\s+(?:next|following)\s+section|\bconclude\s+(?:by|with)\b|\bgrant\b|\bfunded\b|\bwe\s+(?:then|next|first|finally)?\s*(?:discuss|present|describe|review)\s+(?:related|previous|the\s+related|some\s+related|prior)\b",
        ),
        performance: new(
            r"\boutperform\w*|\bstate[- ]?of[- ]?the[- ]?art|\bsurpass\w*|\bsuperior(?:ity)?\b|\bcompetitive\s+(?:performance|results?|with)|\b(?:achiev|attain|yield|obtain|reach)\w*\s+(?:[\w-]+\s+){0,6}?(?:accurac\w+|scores?|performance|results?|improvements?|gains?|speed-?ups?|precision|recall|\d[\d.,]*\s?%)|\bimprov\w+\s+(?:[\w-]+\s+){0,6}?(?:by|over|upon)\s|\b(?:better|higher|lower|faster)\s+(?:\w+\s+){0,4}?than\b|\bsignificant(?:ly)?\s+(?:improv|better|higher|faster|reduc)\w*|\b(?:extensive|comprehensive|empirical|thorough)\s+(?:experiments?|evaluations?|results?)|\b(?:performance|effectiveness|accuracy|validity|usefulness|efficacy|quality)\s+of\s+(?:our|the\s+proposed|this|these)\b|\bbest\s+results\b|\bperformance\s+improvements?\b|\bcompar\w+\s+(?:favou?rably|to\s+state)|\bF1\b|\bBLEU\b",
        ),
        figures: new(r"\b\d[\d.,]*\s?(?:%|percent|×|x\b|points?\b)"),
    }
});

/// Whether the object of a verb is offered as a resource for others.
fn is_resource(object: &str) -> bool {
    let head: String = object.split_whitespace().take(9).collect::<Vec<_>>().join(" ");
    classify(&head, ContributionClass::Unclear, "") == ContributionClass::Resource
}

fn finds_a_thing(verb: &str, rest: &str) -> bool {
    matches!(verb.to_lowercase().as_str(), "find" | "finds" | "found")
        && !["that ", "no ", "evidence", "how ", "for the first time"]
            .iter()
            .any(|lead| rest.starts_with(lead))
}

/// Whether a verb without its own object ends a relative clause: an infinitive or another verb follows it.
fn hangs_bare(verb: &str, after: &str) -> bool {
    const MAKING: [&str; 9] = [
        "construct",
        "build",
        "built",
        "describe",
        "present",
        "develop",
        "design",
        "create",
        "implement",
    ];
    let making = MAKING.iter().any(|one| verb.to_lowercase().starts_with(one));
    let rest = after.strip_prefix("here ").unwrap_or(after);
    let next = rest.split_whitespace().next().unwrap_or_default();
    making
        && matches!(
            next,
            "to" | "provide"
                | "provides"
                | "suggest"
                | "suggests"
                | "indicate"
                | "indicates"
                | "is"
                | "are"
                | "has"
                | "can"
        )
}

/// `if we consider`, `than we present`: a subordinate clause, which is not what the sentence claims.
fn is_subordinate(lead: &str) -> bool {
    const SUBORDINATORS: [&str; 22] = [
        "if", "when", "while", "as", "since", "because", "although", "though", "before", "after", "where", "which",
        "whose", "than", "whether", "once", "until", "unless", "whereas", "what", "how", "why",
    ];
    let last = lead.rsplit(char::is_whitespace).next().unwrap_or_default();
    SUBORDINATORS.contains(&last.trim_start_matches(|c: char| !c.is_alphanumeric()))
}

/// `the system we developed last year`: the object is in front of the clause, and nothing is offered here.
fn of_a_relative_clause(lead: &str, verb: &str) -> bool {
    const OPENERS: [&str; 18] = [
        "that",
        "and",
        "but",
        "or",
        "here",
        "then",
        "thus",
        "therefore",
        "hence",
        "so",
        "also",
        "paper",
        "work",
        "article",
        "study",
        "finally",
        "end",
        "addition",
    ];
    let last = lead.rsplit(char::is_whitespace).next().unwrap_or_default();
    last.ends_with(char::is_alphabetic) && !OPENERS.contains(&last) && verb.to_lowercase().ends_with("ed")
}

/// The strongest claiming cue of a sentence.
pub(super) fn find_cue(sentence: &str) -> Option<Cue> {
    let patterns = &*PATTERNS;
    let mut best: Option<Cue> = None;
    let mut offer = |cue: Cue| {
        if best.is_none_or(|held| cue.weight > held.weight) {
            best = Some(cue);
        }
    };
    if let Some(found) = patterns.contribution.find(sentence) {
        let rest = sentence.get(found.end()..).unwrap_or_default();
        offer(Cue {
            start: found.start(),
            object: found.end(),
            words: "contribution",
            weight: 2.9,
            class: ContributionClass::Unclear,
            statement: rest.starts_with("that "),
            passive: false,
            treats: false,
        });
    }
    for captures in patterns.active.captures_iter(sentence) {
        let (Some(whole), Some(subject), Some(verb)) =
            (captures.get(0), captures.name("subject"), captures.name("verb"))
        else {
            continue;
        };
        // `methods used in this paper show …`: this is not a subject.
        let lead = sentence
            .get(..subject.start())
            .unwrap_or_default()
            .trim_end()
            .to_lowercase();
        if !subject.as_str().to_lowercase().ends_with("we")
            && [" in", " of", " from", " by", " with"]
                .iter()
                .any(|word| lead.ends_with(word))
        {
            continue;
        }
        if of_a_relative_clause(&lead, verb.as_str()) || is_subordinate(&lead) {
            continue;
        }
        // `the data presented here provide`: a participle that modifies its noun.
        let after = sentence
            .get(captures.name("verb").map_or(0, |verb| verb.end())..)
            .unwrap_or_default()
            .trim_start();
        let hangs = verb.as_str().ends_with("ed")
            && !subject.as_str().to_lowercase().ends_with("we")
            && ["here ", "in ", "by ", "above ", "below "]
                .iter()
                .any(|word| after.starts_with(word));
        // `the automata we construct to account for it have …`, `the data we present here provide …`: relative clauses without `that`.
        if hangs || hangs_bare(verb.as_str(), after) {
            continue;
        }
        let known = patterns
            .verbs
            .iter()
            .find(|(_, pattern, _, _)| pattern.is_match(verb.as_str()));
        let Some((name, _, weight, class)) = known else {
            continue;
        };
        let treats = *weight < LEAST_OFFERING;
        let rest = sentence.get(whole.end()..).unwrap_or_default();
        // `We collected blood samples` describes the method. `We collected a corpus` offers a resource.
        let (name, weight) = match class {
            ContributionClass::Resource if !is_resource(rest) => ("study", &1.4),
            // Actual findings come with `that`: `We find that ropes hold`.
            ContributionClass::Finding if finds_a_thing(verb.as_str(), rest) => (NOTICE, &1.4),
            _ => (*name, weight),
        };
        let statement =
            rest.starts_with("that ") || rest.starts_with("how ") || rest.starts_with("for the first time that ");
        let here = if subject.as_str().to_lowercase().starts_with("here") {
            0.8
        } else {
            0.0
        };
        let weak_subject = ["the", "these", "our results", "our experiments"]
            .iter()
            .any(|lead| subject.as_str().to_lowercase().starts_with(lead));
        let weight = weight + here - if weak_subject { 0.4 } else { 0.0 };
        offer(Cue {
            start: subject.start(),
            object: whole.end(),
            words: name,
            weight,
            class: *class,
            statement,
            passive: false,
            treats,
        });
    }
    if best.is_none()
        && let Some(found) = patterns.passive.find(sentence)
    {
        let start = sentence.find(|c: char| c.is_alphanumeric()).unwrap_or_default();
        best = (found.start() > start).then_some(Cue {
            start,
            object: start,
            words: "passive",
            weight: 1.9,
            class: ContributionClass::Unclear,
            statement: false,
            passive: true,
            treats: false,
        });
    }
    best
}

/// Whether a sentence is about the paper's own structure, future work, acknowledgements or rights.
pub(super) fn is_unfit(sentence: &str) -> bool {
    PATTERNS.unfit.is_match(sentence)
}

/// Whether a sentence describes one section instead of the paper: `we present four of them in this section`.
pub(super) fn speaks_of_this_section(sentence: &str) -> bool {
    pattern!(r"(?i)\bin\s+this\s+(?:sub)?section\b|\b(?:describ|present|discuss|explain|introduc|show|giv|report|detail)[a-z]*\s+(?:\w+\s+)?below\b|\bas\s+follows\b|^\W*(?:consider|let|suppose|assume|note|recall|see)\b")
        .is_match(sentence)
}

/// Whether the offer is only that something was tried: `experiments on kelp`, `the results of our tests`.
pub(super) fn offers_only_trials(object: &str) -> bool {
    pattern!(r"(?i)^\W*(?:(?:the|our|a|an|some|several|many|first|two|three|initial|preliminary|extensive|empirical|experimental|detailed|number|of)\s+)*(?:experiments?|results?|evaluations?|details|discussions?|thoughts|observations|examples?)\b")
        .is_match(object)
}

/// Whether a sentence reports a finding.
pub(super) fn speaks_of_findings(sentence: &str) -> bool {
    pattern!(r"(?i)\b(?:results?|findings?|data|evidence|analysis|stud(?:y|ies)|trial)\b[^.;]{0,60}\b(?:show|suggest|indicat|demonstrat|support|reveal|confirm|fail|provide)[a-z]*|\bconclud[a-z]*|\b(?:was|were)\s+(?:\w+\s+)?(?:associated|correlated|higher|lower|reduced|increased)\b")
        .is_match(sentence)
}

/// Where a text starts to describe performance, which is no contribution. Figures count as performance only next to words about
/// performance, because a finding may contain figures.
pub(super) fn performance_at(text: &str) -> Option<usize> {
    let measured = pattern!(
        r"(?i)\b(?:accurac[a-z]+|errors?|performance|speed[a-z]*|faster|costs?|baselines?|precision|recall|scores?|latency|memory|throughput|improv[a-z]+|gains?|reduc[a-z]+|benchmarks?)\b"
    );
    let at = |pattern: &Regex| pattern.find(text).map(|found| found.start());
    let figures = at(&PATTERNS.figures).filter(|_| measured.is_match(text));
    [at(&PATTERNS.performance), figures].into_iter().flatten().min()
}

/// Whether a text contains figures typical of results: percentages, factors, points.
pub(super) fn figures_of_performance(text: &str) -> bool {
    PATTERNS.figures.is_match(text)
}

/// The class of a contribution: by the nouns at the head of its object, then by its verb.
pub(super) fn classify(object: &str, verb_class: ContributionClass, title: &str) -> ContributionClass {
    static HEADS: LazyLock<Vec<(ContributionClass, Regex)>> = LazyLock::new(|| {
        [
            (ContributionClass::Resource, r"(?i)\b(?:data\s?-?sets?|corpus|corpora|benchmarks?|librar(?:y|ies)|toolkits?|software|packages?|databases?|test\s?beds?|lexicons?|treebanks?|simulators?|open-source|resources?|shared task|test suites?|web server|knowledge base|annotations?)\b"),
            (ContributionClass::Survey, r"(?i)\b(?:surveys?|overview|taxonom(?:y|ies)|tutorial|literature|systematic review|review of)\b"),
            (ContributionClass::Theory, r"(?i)\b(?:theorems?|(?:upper|lower|regret|generali[sz]ation|error|sample complexity|tight|approximation)\s+bounds?|bounds? on|proofs?|convergence|complexity of|formalism|semantics for|axioms?|optimality|guarantees?|np-hard\w*|identifiability|impossibility|characteri[sz]ation|theoretical)\b"),
        ]
        .into_iter()
        .map(|(class, pattern)| (class, compile_pattern(pattern)))
        .collect()
    });
    let head: String = object.split_whitespace().take(9).collect::<Vec<_>>().join(" ");
    if verb_class == ContributionClass::Theory {
        return ContributionClass::Theory;
    }
    let by_head = HEADS
        .iter()
        .find(|(_, pattern)| pattern.is_match(&head))
        .map(|(class, _)| *class);
    match (by_head, verb_class) {
        (
            Some(class),
            ContributionClass::Method
            | ContributionClass::Unclear
            | ContributionClass::Resource
            | ContributionClass::Survey,
        ) => class,
        (Some(ContributionClass::Theory), _) => ContributionClass::Theory,
        (None, ContributionClass::Unclear)
            if HEADS
                .iter()
                .any(|(class, pattern)| *class == ContributionClass::Survey && pattern.is_match(title)) =>
        {
            ContributionClass::Survey
        }
        (None, ContributionClass::Unclear) if is_method_noun(&head) => ContributionClass::Method,
        (_, class) => class,
    }
}

pub(super) fn is_method_noun(head: &str) -> bool {
    pattern!(r"(?i)\b(?:method|approach|algorithm|model|framework|system|architecture|technique|procedure|network|strategy|scheme|objective|loss|mechanism|protocol|pipeline|module|tool)s?\b")
        .is_match(head)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claimed(sentence: &str) -> Option<(&str, ContributionClass)> {
        find_cue(sentence).map(|cue| (&sentence[cue.start..], classify(&sentence[cue.object..], cue.class, "")))
    }

    #[test]
    fn claims_begin_at_their_subject() {
        for (sentence, claim, class) in [
            (
                "To address this gap, we propose a novel framework for parsing.",
                "we propose a novel framework for parsing.",
                ContributionClass::Method,
            ),
            (
                "In this paper, we present a corpus of letters.",
                "we present a corpus of letters.",
                ContributionClass::Resource,
            ),
            (
                "Here we show that ice melts.",
                "Here we show that ice melts.",
                ContributionClass::Finding,
            ),
            (
                "Then we also prove that the bound is tight.",
                "we also prove that the bound is tight.",
                ContributionClass::Theory,
            ),
            (
                "This paper describes a method for tagging.",
                "This paper describes a method for tagging.",
                ContributionClass::Method,
            ),
            (
                "This article surveys the field of parsing.",
                "This article surveys the field of parsing.",
                ContributionClass::Survey,
            ),
            (
                "A new parser for trees is presented.",
                "A new parser for trees is presented.",
                ContributionClass::Unclear,
            ),
        ] {
            assert_eq!(claimed(sentence), Some((claim, class)), "{sentence}");
        }
        assert_eq!(claimed("Parsing is old and hard."), None);
    }

    #[test]
    fn trials_and_findings_are_recognised() {
        assert!(
            offers_only_trials("experiments involving wet ropes") && offers_only_trials("the results of our tests")
        );
        assert!(!offers_only_trials("a rope for experiments"));
        assert!(speaks_of_findings("The results of three trials fail to support this."));
        assert!(!speaks_of_findings("Both groups then took a test."));
    }

    #[test]
    fn structure_and_performance_are_recognised() {
        assert!(is_unfit("In Section 3 we present the model."));
        assert!(is_unfit("The rest of the paper is organized as follows."));
        assert!(!is_unfit("We present a model of the rest state."));
        assert!(performance_at("outperforms all baselines").is_some());
        assert!(performance_at("achieves an accuracy of 93.1%").is_some());
        assert!(performance_at("neurons fire in bursts").is_none());
    }
}

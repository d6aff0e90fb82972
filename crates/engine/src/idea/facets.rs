//! Finds what an idea states on each facet by its author's emphasis and by typical words: a sentence or a clause, always in the idea's own words.

use precedent_domain::{Document, Facet, FacetOrigin, FacetStatement, Quote, Span};
use precedent_language::wording::{Tag, Tagged, first_words, is_generic, key_phrases, tagged, word_count};
use precedent_text::{pattern, sentences};

/// Maximum words of a statement.
const LONGEST: usize = 60;
/// Minimum words of a clause that states a purpose, and of one that states a mechanism.
const PURPOSE_WORDS: usize = 3;
const MECHANISM_WORDS: usize = 4;
/// Maximum words of the object of a purpose that is a domain as a whole: `the discovery of authors`.
const DOMAIN_WORDS: usize = 5;

/// Weight of `we propose` beside one cue of a mechanism.
const ANNOUNCED: usize = 3;
/// Cues of sentences on the mechanism.
const MECHANISM: &[&str] = &[
    "using",
    "leverag",
    "integrat",
    "utiliz",
    "utilis",
    "employ",
    "combin",
    "by means",
    "trained",
    "train ",
    "algorithm",
    "model",
    "framework",
    "technique",
    "approach",
    "method",
    "network",
    "pipeline",
    "system would",
    "system will",
    "incorporat",
    "based on",
    "analyz",
    "analys",
    "generat",
    "extract",
    "mechanism",
    "architecture",
    "we propose",
    "we present",
    "we introduce",
    "through",
];

/// The idea with its sentences, and which of them speak of its evaluation.
struct Sentences<'d> {
    document: &'d Document,
    all: Vec<Span>,
    evaluation: Option<Span>,
    /// The title, if the idea is a paper's title and abstract.
    title: Option<Span>,
}

/// At most one statement per facet, in the order of [`Facet::ALL`]. `marks` are the passages that the author emphasised.
pub(super) fn facets(document: &Document, marks: &[Span]) -> Vec<FacetStatement> {
    let sentences = Sentences::of(document);
    let marked = Marked::of(&sentences, marks);
    let evaluation = sentences
        .evaluation
        .or_else(|| marked.evaluation.and_then(|mark| sentences.around(mark)));
    let purpose = marked.purpose.or_else(|| sentences.purpose());
    let mechanism = marked.mechanism.or_else(|| sentences.mechanism(purpose));
    let domain = sentences.domain(purpose.or(mechanism));
    let by = |mark: Option<Span>| match mark {
        Some(_) => FacetOrigin::Emphasis,
        None => FacetOrigin::Rules,
    };
    let parts = [
        (Facet::Purpose, purpose, by(marked.purpose)),
        (Facet::Mechanism, mechanism, by(marked.mechanism)),
        (Facet::Evaluation, evaluation, by(marked.evaluation)),
        (Facet::ApplicationDomain, domain, FacetOrigin::Rules),
    ];
    parts
        .into_iter()
        .filter_map(|(facet, span, origin)| {
            let quote = Quote::at(document, cut(document, span?))?;
            Some(FacetStatement {
                facet,
                quote,
                origin: Some(origin),
            })
        })
        .collect()
}

/// The statements that the user gave, and of the others those found.
pub(super) fn with_stated(found: Vec<FacetStatement>, stated: &[FacetStatement]) -> Vec<FacetStatement> {
    let of = |facet: Facet| {
        let mut given = stated.iter().chain(&found);
        given.find(|one| one.facet == facet).cloned()
    };
    Facet::ALL.into_iter().filter_map(of).collect()
}

/// What the author emphasised, by facet.
#[derive(Debug, Default)]
struct Marked {
    purpose: Option<Span>,
    mechanism: Option<Span>,
    evaluation: Option<Span>,
}

impl Marked {
    /// Assigns each mark to a facet by the words before it and in it. A mark of one word states nothing. As a mechanism, `adaptive interfaces` says more
    /// than `decision support system`, so a mark that only names a kind of tool is the last choice.
    fn of(sentences: &Sentences<'_>, marks: &[Span]) -> Self {
        let text = &sentences.document.text;
        let mut marked = Self::default();
        let (mut tool, mut field) = (None, None);
        for mark in marks {
            let Some(words) = mark.slice(text).filter(|words| word_count(words) >= 2) else {
                continue;
            };
            let head = sentences
                .around(*mark)
                .and_then(|span| text.get(span.start..mark.start))
                .unwrap_or_default();
            let in_evaluation = sentences.evaluation.is_some_and(|span| span.overlaps(*mark));
            if in_evaluation || (is_study(words) && marked.mechanism.is_some()) {
                marked.evaluation = marked.evaluation.or(Some(*mark));
            } else if let Some(aim) = sentences.aim_of(*mark, head) {
                marked.purpose = marked.purpose.or(Some(aim));
            } else if pattern!(r"(?i)\bfor\s+$").is_match(head) {
                field = field.or(Some(*mark));
            } else if names_a_tool(words) {
                tool = tool.or(Some(*mark));
            } else {
                marked.mechanism = marked.mechanism.or(Some(*mark));
            }
        }
        if let (None, Some(tool), true) = (marked.purpose, tool, marked.mechanism.is_some()) {
            marked.purpose = sentences.done_by(tool);
        }
        Self {
            purpose: marked.purpose.or(field),
            mechanism: marked.mechanism.or(tool),
            evaluation: marked.evaluation,
        }
    }
}

/// Whether words name a way to evaluate.
fn is_study(words: &str) -> bool {
    pattern!(
        r"(?i)\b(?:stud(?:y|ies)|evaluat\w+|assess\w+|comparisons?|benchmark\w*|test(?:s|ing)?|simulat\w+|interviews?|experiments?|deployments?|demonstration|examination|performance|analytics|sessions)\b"
    )
    .is_match(words)
        && !names_a_tool(words)
}

/// Whether words name a kind of tool.
fn names_a_tool(words: &str) -> bool {
    pattern!(
        r"(?i)\b(?:system|tool|toolkit|framework|platform|application|app|model|approach|method|initiative|pipeline)\b"
    )
    .is_match(words)
}

impl<'d> Sentences<'d> {
    fn of(document: &'d Document) -> Self {
        let all: Vec<Span> = sentences(&document.text)
            .into_iter()
            .filter(|span| span.slice(&document.text).is_some_and(|text| word_count(text) >= 3))
            .collect();
        let evaluation = evaluation(document, &all);
        let first = all.first().copied();
        let is_title = |span: &Span| {
            let paragraph = document.paragraphs.first().map(|one| one.span);
            document.paragraphs.len() > 1 && paragraph == Some(*span)
        };
        Self {
            document,
            evaluation,
            title: first.filter(is_title),
            all,
        }
    }

    fn text(&self, span: Span) -> &'d str {
        span.slice(&self.document.text).unwrap_or_default()
    }

    fn around(&self, span: Span) -> Option<Span> {
        self.all.iter().find(|one| one.overlaps(span)).copied()
    }

    /// The sentences that do not speak of the evaluation.
    fn open(&self) -> impl Iterator<Item = Span> {
        self.all.iter().copied().filter(|span| Some(*span) != self.evaluation)
    }

    /// The aim in a mark: what follows `designed to`, `system to` or an initial `to` in it, or all of it if the word before it is `to`.
    fn aim_of(&self, mark: Span, head: &str) -> Option<Span> {
        let text = self.text(mark);
        let lead = pattern!(
            r"(?i)^(?:.*\b(?:designed|aims?|aimed|intended|tailored|developed|built|system|tool|framework|model|approach)\s+)?to\s+"
        );
        let start = match lead.find(text) {
            Some(found) => found.end(),
            None if pattern!(r"(?i)\bto\s+$").is_match(head) && is_aim(head, head.len()) => 0,
            None => return None,
        };
        trimmed(self.document, Span::new(mark.start + start, mark.end))
    }

    /// What a tool in a mark does: `system that aligns models with preferences` aligns them.
    fn done_by(&self, mark: Span) -> Option<Span> {
        let text = self.text(mark);
        let found = pattern!(r"(?i)\b(?:that|which)\s+").find(text)?;
        trimmed(self.document, Span::new(mark.start + found.end(), mark.end))
    }

    /// The clause after `designed to`, `aims to` or an initial `To …,`; else after the first `to` before a verb or after `so that`, up to the
    /// description of the means; else the first sentence.
    fn purpose(&self) -> Option<Span> {
        let initial = pattern!(r"(?i)^\W*(?:in order )?to\s+(\p{L})");
        let cued = pattern!(
            r"(?i)\b(?:designed|aims?|aimed|aiming|order|intended|seeks?|goal is|objective is|purpose is|tailored|developed|built)\W+(?:to|for)\W+(\p{L})"
        );
        let plain = pattern!(r"(?i)\p{L}\W+to\W+(\p{L})");
        let effect = pattern!(r"(?i)\bso that\W+(\p{L})|\bso\s+((?:they|it|people|users|readers)\b)");
        for (pattern, is_cued) in [(initial, true), (cued, true), (plain, false), (effect, true)] {
            for span in self.open() {
                let text = self.text(span);
                // A sentence can have thousands of cues, so it is tagged once.
                let tags = if is_cued { Vec::new() } else { tagged(text) };
                let mut behind = pattern
                    .captures_iter(text)
                    .filter_map(|found| found.iter().skip(1).flatten().next());
                let found = behind.find(|word| is_cued || (is_verb(&tags, word.start()) && is_aim(text, word.start())));
                let Some(verb) = found else { continue };
                let clause = aim_clause(text.get(verb.start()..).unwrap_or_default());
                if word_count(clause) >= PURPOSE_WORDS && !refers_back(clause) {
                    let start = span.start + verb.start();
                    return Some(Span::new(start, start + clause.len()));
                }
            }
        }
        let first = self.open().next().or_else(|| self.all.first().copied())?;
        Some(self.task(first).unwrap_or(first))
    }

    /// The task of a sentence such as `Detect copied figures by …` or `Parsing with a …`, up to the description of the means.
    fn task(&self, sentence: Span) -> Option<Span> {
        let text = self.text(sentence);
        let subject = pattern!(
            r"(?i)^\W*(?:the|an?|this|these|we|i|our|it|in|on|for|most|many|some|while|although|as|recent\w*)\b"
        );
        if subject.is_match(text) {
            return None;
        }
        let means = pattern!(r"(?i)\s(?:by|using|through|via|with an?)\s");
        let clause = aim_clause(text);
        let end = means.find(clause).map_or(clause.len(), |found| found.start());
        let clause = clause.get(..end).unwrap_or_default();
        let is_whole = clause.len() + 1 >= text.len();
        (word_count(clause) >= PURPOSE_WORDS && !is_whole)
            .then(|| Span::new(sentence.start, sentence.start + clause.len()))
    }

    /// The clause on means in the purpose's sentence (`by …`, `that uses …`); else the sentence with the most cues on means, except those on
    /// evaluation and effects; else what is left of the purpose's sentence.
    fn mechanism(&self, purpose: Option<Span>) -> Option<Span> {
        let sentence = purpose.and_then(|purpose| self.around(purpose));
        if let (Some(sentence), Some(purpose)) = (sentence, purpose) {
            // `To save fuel, we predict the tide`: the main clause states the means.
            let initial = pattern!(r"(?i)^\W*(?:in order )?to\s+$");
            let head = self.text(Span::new(sentence.start, purpose.start));
            let rest = trimmed(self.document, Span::new(purpose.end, sentence.end));
            let main = rest.filter(|rest| initial.is_match(head) && word_count(self.text(*rest)) >= MECHANISM_WORDS);
            if let Some(means) = main.or_else(|| self.means(sentence, purpose)) {
                return Some(means);
            }
        }
        let effects = pattern!(
            r"(?i)^(?:this|these|such|it|the (?:approach|idea|goal|aim|results?))\s+(?:\w+\s+)?(?:will|would|could|can|may|might|aims?|ensures?|helps?|lets|allows?|enables?|leads?|is expected)\b"
        );
        let count = |span: &Span| {
            let text = self.text(*span).to_lowercase();
            let announced = pattern!(
                r"\b(?:we|this paper|this work)\s+(?:\w+ly\s+)?(?:propose|present|introduce|develop|describe|design)s?\b"
            );
            let announces = if announced.is_match(&text) { ANNOUNCED } else { 0 };
            announces + MECHANISM.iter().filter(|cue| text.contains(**cue)).count()
        };
        let others = || {
            self.open()
                .filter(|span| Some(*span) != sentence && Some(*span) != self.title)
        };
        let first_best = |spans: &mut dyn Iterator<Item = Span>| {
            let mut best: Option<(usize, Span)> = None;
            for span in spans {
                let cues = count(&span);
                if cues > best.map_or(0, |(most, _)| most) {
                    best = Some((cues, span));
                }
            }
            best.map(|(_, span)| span)
        };
        let mut without_effects = others().filter(|span| !effects.is_match(self.text(*span)));
        let first = || others().find(|span| word_count(self.text(*span)) >= MECHANISM_WORDS);
        if let Some(span) = first_best(&mut without_effects)
            .or_else(|| first_best(&mut others()))
            .or_else(first)
        {
            return Some(span);
        }
        let (whole, purpose) = (sentence?, purpose?);
        let parts = [Span::new(purpose.end, whole.end), Span::new(whole.start, purpose.start)];
        let dangling = pattern!(r"(?i)(?:\s+(?:in order|designed|so as|aimed|intended|so|to|that|for))+\s*$");
        parts
            .into_iter()
            .map(|part| {
                let text = self.text(part);
                let end = dangling.find(text).map_or(text.len(), |found| found.start());
                Span::new(part.start, part.start + end)
            })
            .filter_map(|part| trimmed(self.document, part))
            .find(|part| word_count(self.text(*part)) >= MECHANISM_WORDS)
    }

    /// The clause of a sentence that describes means, beside the purpose.
    fn means(&self, sentence: Span, purpose: Span) -> Option<Span> {
        let cue = pattern!(
            r"(?i)\b(?:by|using|through|via|leveraging|based on|with(?: the help of| an?)?|by means of|(?:that|which)\s+(?:\w+ly\s+)?(?:uses?|leverages?|integrates?|combines?|employs?|incorporates?|applies|utili[sz]es?))\s+"
        );
        for part in [
            Span::new(purpose.end, sentence.end),
            Span::new(sentence.start, purpose.start),
        ] {
            let text = self.text(part);
            for found in cue.find_iter(text) {
                let rest = text.get(found.end()..).unwrap_or_default();
                let end = pattern!(
                    r"(?i)(?:,\s+thereby|,\s+thus|,\s+ensuring|,\s+so that|\s+(?:designed|in order)\s*$|\s+to\s*$|[;:])"
                )
                .find(rest)
                .map_or(rest.len(), |found| found.start());
                let start = part.start + found.end();
                let clause = trimmed(self.document, Span::new(start, start + end));
                if let Some(clause) = clause.filter(|clause| word_count(self.text(*clause)) >= MECHANISM_WORDS) {
                    return Some(clause);
                }
            }
        }
        None
    }

    /// Where the idea would be used: what follows `in` or `for` in its purpose, then in the sentence around it; else the most significant phrase of the
    /// purpose without its verb.
    fn domain(&self, purpose: Option<Span>) -> Option<Span> {
        let purpose = purpose?;
        let near = pattern!(r"(?i)\b(?:in|within|for|across|among|during)\s+((?:[\p{L}\d'’-]+[ \t]*){1,6})");
        let loose = pattern!(r"(?i)\b(?:of|on|with)\s+((?:[\p{L}\d'’-]+[ \t]*){1,6})");
        let phrase_after = |place: &regex::Regex, span: Span| {
            let mut found = place.captures_iter(self.text(span)).filter_map(|found| found.get(1));
            found.find_map(|found| {
                let (at, length) = noun_phrase(found.as_str())?;
                let start = span.start + found.start() + at;
                Some(Span::new(start, start + length))
            })
        };
        let own = |span: Span| {
            let text = self.text(span);
            // An aim often begins with its verb, which is no part of a domain. The words before it show that it is one.
            let sentence = self.around(span).unwrap_or(span);
            let tags = tagged(self.text(sentence));
            let skipped = match text.find(char::is_whitespace) {
                Some(end) if is_verb(&tags, span.start.saturating_sub(sentence.start)) => end,
                _ => 0,
            };
            let rest = text.get(skipped..).unwrap_or_default();
            let article = pattern!(r"(?i)^\s*(?:(?:the|an|a|our|their)\s+)?")
                .find(rest)
                .map_or(0, |found| found.end());
            let object = rest.get(article..).unwrap_or_default();
            if pattern!(r"(?i)^(?:that|which|who)\b").is_match(object) {
                return None;
            }
            if (2..=DOMAIN_WORDS).contains(&word_count(object)) {
                let start = span.start + skipped + article;
                return Some(Span::new(start, start + object.len()));
            }
            let phrases = key_phrases(&[(rest, 1.0)], &|_| false);
            let long = phrases.iter().find(|phrase| phrase.stems.len() >= 2);
            let phrase = long.or(phrases.first())?;
            let start = span.start + skipped + rest.find(phrase.text.as_str())?;
            Some(Span::new(start, start + phrase.text.len()))
        };
        phrase_after(near, purpose)
            .or_else(|| phrase_after(loose, purpose))
            .or_else(|| own(purpose))
            .or_else(|| phrase_after(near, self.around(purpose)?))
    }
}

/// The sentence on evaluation: the one that says most clearly how the idea would be tested; the last one on a tie, because ideas end with it.
fn evaluation(document: &Document, all: &[Span]) -> Option<Span> {
    let clear = pattern!(
        r"(?i)\b(?:be|been|is|are|was|were|and|then)\s+(?:\w+ly\s+)?(?:evaluated|assessed|validated|tested|benchmarked|examined|verified)\b|\bevaluations?\s+(?:would|will|involves?|includes?|is|are|of this)\b|\b(?:effectiveness|impact|performance)\b[^.]*\b(?:assessed|evaluated|measured|validated|tested|demonstrated|examined)\b|\bwe\s+(?:will\s+|would\s+|plan to\s+)?(?:evaluate|assess|validate|test|compare|measure|conduct)\b|^\W*to\s+(?:evaluate|assess|validate|test|measure)\s+(?:the|its|this|our|their)\b|\bconduct(?:ed|ing)?\b[^.]*\bstud(?:y|ies)\b|\b(?:experiments?|results)\s+(?:on|show|with|will|would|demonstrate|in)\b|\bsupport\b[^.]*\bstud(?:y|ies)\b|\b(?:would|will)\s+(?:compare|measure)\b|\bmeasur(?:ed|ing)\b|\bcompare[sd]?\s+(?:it\s+|them\s+)?(?:with|to|against)\b|\bevaluated?\s+on\b|\bmetrics?:|\b(?:simulations?|experiments?)\b[^.]*\bto\s+(?:test|evaluate|assess|measure)\b"
    );
    let vague = pattern!(
        r"(?i)\buser stud(?:y|ies)\b|\b(?:lab|field|case|pilot|qualitative|quantitative) stud(?:y|ies)\b|\bfield deployment\b|\bablation|\bbaselines?\b|\bmetrics?\b|\bcompared (?:to|with|against)\b|\bbenchmark|\boutperform|\baccuracy\b|\bcomparative\b|\bprototyp\w+ .*demonstrat|\bpre- and post-tests?\b"
    );
    let score = |span: &Span| {
        let text = span.slice(&document.text).unwrap_or_default();
        3 * clear.find_iter(text).count().min(2) + vague.find_iter(text).count().min(2)
    };
    let best = all.iter().max_by_key(|span| score(span))?;
    let most = score(best);
    let is_only = all.len() == 1;
    // One vague word in the sentence that introduces the idea says nothing on its evaluation.
    let is_first = all.first() == Some(best);
    (most >= 3 || (most > 0 && !is_first))
        .then_some(*best)
        .filter(|_| !is_only)
}

/// An aim up to the description of the means or of an effect. Commas of a list belong to the aim.
fn aim_clause(rest: &str) -> &str {
    let end =
        pattern!(r"(?i)[,;:.]|\W(?:by|using|through|via|thereby|ensuring|leveraging|with the help|where|which)\W");
    let list = pattern!(r"^,\s+(?:[\w'’-]+\s*){1,3},?\s*\b(?:and|or)\s|^,\s+(?:and|or)\s|^\.\d");
    let mut length = rest.len();
    for found in end.find_iter(rest) {
        let after = rest.get(found.start()..).unwrap_or_default();
        if !list.is_match(after) {
            length = found.start();
            break;
        }
    }
    rest.get(..length)
        .unwrap_or_default()
        .trim_end_matches(|c: char| !c.is_alphanumeric() && c != ')')
}

/// Whether the `to` before this byte introduces an aim, not what somebody is enabled to do.
fn is_aim(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let head: Vec<&str> = before.split_whitespace().rev().skip(1).take(4).collect();
    let head: Vec<String> = head.into_iter().rev().map(str::to_lowercase).collect();
    let head = head.join(" ");
    !pattern!(r"\b(?:allow\w*|enabl\w+|able|ability|likely|unlikely|need\w*|ha[sd]|have|due|up|lead\w*|expected|requir\w+|continues?|tends?)\b(?: \S+){0,3}$|\b(?:users?|people|researchers?|operators?)$")
        .is_match(&head)
}

/// Whether an aim only refers to what was said before: `overcome these limitations`.
fn refers_back(clause: &str) -> bool {
    pattern!(r"(?i)^\S+\s+(?:these|this|those|such|the (?:first|second|third|above|former|latter))\s+\S+$")
        .is_match(clause)
}

/// Whether a verb starts at this byte, after any adverbs: `to swell` but not `up to three metres`.
fn is_verb(tags: &[Tagged], at: usize) -> bool {
    let behind = tags.partition_point(|token| token.range.start < at);
    tags.iter()
        .skip(behind)
        .find(|token| !matches!(token.tag, Tag::Adverb | Tag::Mark))
        .is_some_and(|token| token.tag == Tag::Base)
}

/// The noun phrase at the beginning of `text`, as start and length. One word is a domain only if papers of other fields do not share it.
fn noun_phrase(text: &str) -> Option<(usize, usize)> {
    let phrases = key_phrases(&[(text, 1.0)], &|_| false);
    phrases
        .iter()
        .filter(|phrase| {
            phrase.stems.len() >= 2 || !(phrase.text.ends_with("ing") || is_generic(&phrase.text.to_lowercase()))
        })
        .filter_map(|phrase| Some((text.find(phrase.text.as_str())?, phrase.text.len())))
        .min()
        .filter(|(at, _)| word_count(text.get(..*at).unwrap_or_default()) <= 1)
}

/// Trims everything but letters and digits at both ends.
fn trimmed(document: &Document, span: Span) -> Option<Span> {
    let text = span.slice(&document.text)?;
    let head = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let whole = head.trim_end_matches(|c: char| !c.is_alphanumeric());
    let start = span.start + text.len() - head.len();
    (!whole.is_empty()).then(|| Span::new(start, start + whole.len()))
}

/// Cuts the span to [`LONGEST`] words.
fn cut(document: &Document, span: Span) -> Span {
    let text = span.slice(&document.text).unwrap_or_default();
    Span::new(span.start, span.start + first_words(text, LONGEST).len())
}

#[cfg(test)]
#[path = "facets_tests.rs"]
mod tests;

//! The parts of a paper, treated as an idea: from title, abstract, introduction, and the sections on method and experiments. Reported results are not
//! expectations; only what the paper says it expects is.

use std::collections::BTreeSet;

use precedent_domain::{ContributionClass, IdeaPart, Paper, ParagraphKind, PartStatement, SectionKind, Span};
use precedent_language::wording::{content_stems, only_announces, word_count};
use precedent_text::sentences;

use super::atoms::atoms;
use super::cues::{cues, is_of_structure, reports};
use super::statement::{leans, plain, statement};
use crate::extract::{Extraction, Reading, Zone};

/// Allowed number of words in a sentence.
const WORDS: std::ops::RangeInclusive<usize> = 4..=60;
/// Two statements are the same if they share at least this part of the shorter one's words.
const SAME: f64 = 0.7;
/// Maximum sentences read from the method sections, and from the experiment sections.
const MOST_READ: usize = 400;

/// Maximum statements of each part. A whole paper would yield more than anybody reads.
pub(crate) const MOST: [(IdeaPart, usize); 7] = [
    (IdeaPart::BasicIdea, 2),
    (IdeaPart::Motivation, 5),
    (IdeaPart::ResearchQuestion, 3),
    (IdeaPart::Method, 8),
    (IdeaPart::ExperimentalSetting, 6),
    (IdeaPart::ExpectedResults, 4),
    (IdeaPart::Unclassified, 6),
];

/// Maximum statements of a part.
pub(crate) fn most(part: IdeaPart) -> usize {
    MOST.iter().find(|(one, _)| *one == part).map_or(0, |(_, most)| *most)
}

/// The statements of a paper.
pub(super) fn parts(paper: &Paper, extraction: &Extraction) -> Vec<PartStatement> {
    let reading = Reading::new(paper);
    let mut taken = Taken {
        paper,
        spans: Vec::new(),
        statements: Vec::new(),
        found: Vec::new(),
    };
    let head = |zones: &[Zone]| -> Vec<Sentence> {
        let all = reading.sentences().iter().filter(|one| zones.contains(&one.zone));
        all.map(|one| Sentence {
            span: one.span,
            first: one.zone == Zone::Abstract,
        })
        .collect()
    };
    let opening = head(&[Zone::Abstract, Zone::Introduction]);
    let all = head(&[Zone::Abstract, Zone::Introduction, Zone::Conclusion]);
    basic_idea(&mut taken, extraction);
    // `We hope that others find this useful` is not an expected result, and neither is a quoted example.
    let is_aside = |text: &str| text.to_lowercase().contains("hope") || text.contains(['“', '"']);
    taken.best(IdeaPart::ExpectedResults, &all, |text| match is_aside(text) {
        true => 0.0,
        false => cues(IdeaPart::ExpectedResults, text) as f64,
    });
    taken.best(IdeaPart::ResearchQuestion, &opening, |text| match reports(text) {
        true => 0.0,
        false => cues(IdeaPart::ResearchQuestion, text) as f64,
    });
    contributions(&mut taken, extraction);
    let why = |text: &str| match reports(text) || cues(IdeaPart::BasicIdea, text) > 0 || is_own(text) {
        true => 0.0,
        // A citation by year suggests a result of others rather than a gap.
        false => cues(IdeaPart::Motivation, text) as f64 - f64::from(u8::from(cites_by_year(text))),
    };
    taken.best(IdeaPart::Motivation, &opening, why);
    let of_method = body(paper, &[SectionKind::Method]);
    let means = |text: &str| match reports(text) || cues(IdeaPart::ExperimentalSetting, text) > 1 {
        true => 0.0,
        false if is_own(text) || cues(IdeaPart::BasicIdea, text) > 0 => 1.0 + cues(IdeaPart::Method, text) as f64,
        false => 0.0,
    };
    let summary: Vec<Sentence> = opening.iter().filter(|one| one.first).copied().collect();
    taken.best(IdeaPart::Method, &summary, means);
    taken.best(IdeaPart::Method, &of_method, means);
    let of_experiments = body(paper, &[SectionKind::Experiments]);
    let how = |text: &str| {
        let cue_score = cues(IdeaPart::ExperimentalSetting, text);
        match reports(text) || cue_score == 0 || cue_score == 1 && !is_own(text) {
            true => 0.0,
            false => cue_score as f64 + f64::from(u8::from(is_own(text))),
        }
    };
    taken.best(IdeaPart::ExperimentalSetting, &of_experiments, how);
    taken.best(IdeaPart::ExperimentalSetting, &opening, how);
    taken.found
}

/// A sentence of the paper, and whether it is in the abstract.
#[derive(Debug, Clone, Copy)]
struct Sentence {
    span: Span,
    first: bool,
}

/// Statements so far. No sentence is used twice, and no content is repeated.
struct Taken<'a> {
    paper: &'a Paper,
    spans: Vec<Span>,
    statements: Vec<BTreeSet<String>>,
    found: Vec<PartStatement>,
}

impl Taken<'_> {
    /// Adds the sentences with the highest scores, in reading order, up to the limit of the part.
    fn best(&mut self, part: IdeaPart, sentences: &[Sentence], score: impl Fn(&str) -> f64) {
        let text = &self.paper.document.text;
        let mut scored: Vec<(f64, usize)> = Vec::new();
        for (at, one) in sentences.iter().enumerate() {
            let words = one.span.slice(text).unwrap_or_default();
            if !is_whole(words) || is_of_structure(words) || only_announces(words) || leans(&plain(words)) {
                continue;
            }
            let cue_score = score(words);
            if cue_score > 0.0 {
                // The abstract says the same in fewer words.
                scored.push((cue_score.min(3.0) + if one.first { 1.5 } else { 0.0 }, at));
            }
        }
        scored.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.cmp(other)));
        let mut chosen: Vec<usize> = Vec::new();
        for (_, at) in scored {
            let Some(one) = sentences.get(at) else { continue };
            if self.room(part) <= chosen.len() {
                break;
            }
            if self.is_new(one.span) {
                self.claim(one.span);
                chosen.push(at);
            }
        }
        chosen.sort_unstable();
        for at in chosen {
            let Some(one) = sentences.get(at) else { continue };
            self.put(part, one.span);
        }
    }

    fn room(&self, part: IdeaPart) -> usize {
        most(part).saturating_sub(self.found.iter().filter(|one| one.part == part).count())
    }

    fn is_new(&self, span: Span) -> bool {
        let stems = content_stems(span.slice(&self.paper.document.text).unwrap_or_default());
        let same = |other: &BTreeSet<String>| {
            let common = other.intersection(&stems).count() as f64;
            common >= SAME * (other.len().min(stems.len()).max(1) as f64)
        };
        !stems.is_empty() && self.spans.iter().all(|other| !other.overlaps(span)) && !self.statements.iter().any(same)
    }

    fn claim(&mut self, span: Span) {
        self.statements
            .push(content_stems(span.slice(&self.paper.document.text).unwrap_or_default()));
        self.spans.push(span);
    }

    /// Adds the single statements of a claimed sentence.
    fn put(&mut self, part: IdeaPart, span: Span) {
        for atom in atoms(&self.paper.document.text, span) {
            if self.room(part) > 0 {
                self.found.extend(statement(&self.paper.document, part, atom, None));
            }
        }
    }
}

/// The main contribution: a method before anything else, and never a reported result. A paper that only asks a question has no basic idea.
fn basic_idea(taken: &mut Taken<'_>, extraction: &Extraction) {
    let offered = |class: ContributionClass| !matches!(class, ContributionClass::Finding | ContributionClass::Unclear);
    let plain = || extraction.contributions.iter().filter(|one| !reports(one.claim.text()));
    let first = plain().find(|one| offered(one.class)).or_else(|| plain().next());
    if let Some(one) = first.filter(|one| cues(IdeaPart::ResearchQuestion, one.claim.text()) == 0) {
        let span = whole_sentence(taken.paper, one.claim.span());
        taken.claim(span);
        taken.put(IdeaPart::BasicIdea, span);
    }
}

/// The other contributions of method, theory or resource: they summarize the method.
fn contributions(taken: &mut Taken<'_>, extraction: &Extraction) {
    for one in &extraction.contributions {
        let text = one.claim.text();
        let means = matches!(
            one.class,
            ContributionClass::Method | ContributionClass::Theory | ContributionClass::Resource
        );
        if means && !reports(text) && taken.is_new(one.claim.span()) {
            taken.claim(one.claim.span());
            taken.put(IdeaPart::Method, one.claim.span());
        }
    }
}

/// The sentence that a claim was cut from, unless it is too long: its second half says what the thing does.
fn whole_sentence(paper: &Paper, claim: Span) -> Span {
    let document = &paper.document;
    let holding = document.paragraphs.iter().find(|one| one.span.contains(claim));
    let Some(paragraph) = holding.map(|one| one.span) else {
        return claim;
    };
    let slice = document.slice(paragraph).unwrap_or_default();
    let whole = sentences(slice).into_iter().find_map(|local| {
        let span = Span::new(paragraph.start + local.start, paragraph.start + local.end);
        span.contains(claim).then_some(span)
    });
    let fits = |span: &Span| word_count(span.slice(&document.text).unwrap_or_default()) <= *WORDS.end();
    whole.filter(fits).unwrap_or(claim)
}

/// The sentences of running text in sections of these kinds and in their subsections.
fn body(paper: &Paper, kinds: &[SectionKind]) -> Vec<Sentence> {
    let document = &paper.document;
    let mut spans: Vec<Span> = Vec::new();
    let mut inside: Option<u8> = None;
    for section in &document.sections {
        let of_kind = kinds.contains(&section.kind);
        let below = inside.is_some_and(|level| section.level > level && section.kind == SectionKind::Other);
        if of_kind {
            inside = Some(section.level);
        } else if !below {
            inside = None;
        }
        if of_kind || below {
            spans.push(section.span);
        }
    }
    let running = document
        .paragraphs
        .iter()
        .filter(|one| matches!(one.kind, ParagraphKind::Body | ParagraphKind::ListItem))
        .filter(|one| spans.iter().any(|span| span.covers(one.span.start)));
    let all = running.flat_map(|one| {
        let slice = document.slice(one.span).unwrap_or_default();
        let start = one.span.start;
        sentences(slice)
            .into_iter()
            .map(move |local| Sentence {
                span: Span::new(start + local.start, start + local.end),
                first: false,
            })
            .collect::<Vec<_>>()
    });
    all.take(MOST_READ).collect()
}

/// Whether a sentence is complete: not broken by a page or a display, and not a row of figures.
fn is_whole(text: &str) -> bool {
    let text = text.trim();
    let opens = text.starts_with(|c: char| c.is_uppercase() || matches!(c, '(' | '“' | '"'));
    let ends = text.ends_with(['.', '?', '!', '”', ')']);
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let short = text.split_whitespace().filter(|word| word.chars().count() == 1).count();
    let closed = text.matches('(').count() == text.matches(')').count();
    opens
        && ends
        && closed
        && WORDS.contains(&word_count(text))
        && letters * 10 >= text.chars().count() * 7
        && short * 5 <= word_count(text)
}

/// Whether a sentence cites others by year.
fn cites_by_year(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| {
        word.len() == 4
            && (word.starts_with("19") || word.starts_with("20"))
            && word.bytes().all(|b| b.is_ascii_digit())
    })
}

/// Whether the authors speak of their own work.
fn is_own(text: &str) -> bool {
    let lower = format!(" {} ", text.to_lowercase());
    [" we ", " our ", " i ", " this paper ", " this work "]
        .iter()
        .any(|word| lower.contains(word))
}

//! Finds what an idea states on each facet, by its author's emphasis and by the model of [`precedent_language::facets`]: always in the idea's own words.

use std::ops::Range;

use precedent_domain::{Document, Facet, FacetOrigin, FacetStatement, Quote, Span};
use precedent_language::facets::find;
use precedent_language::wording::{first_words, word_count};
use precedent_text::{pattern, sentences};

/// Maximum words of a statement.
const LONGEST: usize = 60;

/// The idea with its sentences, and the part of it that speaks of its evaluation.
struct Sentences<'d> {
    document: &'d Document,
    all: Vec<Span>,
    evaluation: Option<Span>,
}

/// At most one statement per facet, in the order of [`Facet::ALL`]. `marks` are the passages that the author emphasised.
pub(super) fn facets(document: &Document, marks: &[Span]) -> Vec<FacetStatement> {
    let text = &document.text;
    let span = |range: Option<Range<usize>>| range.map(|range| Span::new(range.start, range.end));
    let range = |span: Option<Span>| span.map(|span| span.start..span.end);
    let mut found = find(text, None, None);
    let sentences = Sentences::of(document, span(found.evaluation.clone()));
    let marked = Marked::of(&sentences, marks);
    if marked.purpose.is_some() || marked.mechanism.is_some() {
        let beside = find(text, range(marked.purpose), range(marked.mechanism));
        (found.purpose, found.mechanism) = (beside.purpose, beside.mechanism);
    }
    let evaluation = marked.evaluation.and_then(|mark| sentences.around(mark));
    let by = |mark: Option<Span>| match mark {
        Some(_) => FacetOrigin::Emphasis,
        None => FacetOrigin::Rules,
    };
    let parts = [
        (Facet::Purpose, span(found.purpose), by(marked.purpose)),
        (Facet::Mechanism, span(found.mechanism), by(marked.mechanism)),
        (
            Facet::Evaluation,
            evaluation.or(span(found.evaluation)),
            by(marked.evaluation),
        ),
        (Facet::ApplicationDomain, span(found.domain), FacetOrigin::Rules),
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
    fn of(document: &'d Document, evaluation: Option<Span>) -> Self {
        let all = sentences(&document.text).into_iter();
        Self {
            document,
            evaluation,
            all: all
                .filter(|span| span.slice(&document.text).is_some_and(|text| word_count(text) >= 3))
                .collect(),
        }
    }

    fn text(&self, span: Span) -> &'d str {
        span.slice(&self.document.text).unwrap_or_default()
    }

    fn around(&self, span: Span) -> Option<Span> {
        self.all.iter().find(|one| one.overlaps(span)).copied()
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

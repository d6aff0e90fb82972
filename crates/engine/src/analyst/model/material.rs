use precedent_domain::{Contribution, Document, Paper, ParagraphKind, QuotableDocument, Quote, SectionKind, Span};
use precedent_llm::Fence;
use serde::{Deserialize, Serialize};

use crate::stages::analysis::Analysis;
use crate::stages::search::SearchOutcome;
use crate::stages::{ComparisonSet, PriorReading};

/// What is judged: the paper, its claims, and the works found.
#[derive(Debug, Clone, Copy)]
pub struct Material<'a> {
    /// The paper.
    pub paper: &'a Paper,
    /// Its core task.
    pub topic: Option<&'a str>,
    /// Its claims.
    pub claims: &'a [Contribution],
    /// The works with their texts.
    pub found: &'a SearchOutcome,
}

/// The analysis after the analyst has judged it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The comparison stages, with the analyst's answers in place of the program's.
    pub analysis: Analysis,
    /// The survey in two paragraphs.
    pub narrative: Option<Vec<String>>,
    /// The findings, in three or four paragraphs.
    pub overall: Option<Vec<String>>,
}

impl Judged {
    /// The program's analysis, with nothing added.
    #[must_use]
    pub fn by_program(analysis: Analysis) -> Self {
        Self {
            analysis,
            narrative: None,
            overall: None,
        }
    }
}

/// Context shared by all requests about one paper.
pub(super) struct CompareContext<'a> {
    pub(super) material: Material<'a>,
    pub(super) target: &'a QuotableDocument,
    pub(super) set: &'a ComparisonSet<'a>,
    /// One fence for all requests, so that they begin with the same text.
    pub(super) fence: Fence,
}

impl<'a> CompareContext<'a> {
    /// The reading of candidate `number`.
    pub(super) fn prior(&self, number: u32) -> Option<&PriorReading<'a>> {
        self.set.priors().iter().find(|prior| prior.candidate.number == number)
    }

    pub(super) fn mark(&self) -> String {
        self.fence.mark().to_owned()
    }

    /// Title and abstract of the paper, if known.
    pub(super) fn paper_in_short(&self) -> String {
        let paper = self.material.paper;
        let title = paper.title.as_deref().unwrap_or_default();
        let summary = paper.abstract_text().unwrap_or_default();
        format!("{}\n{}", one_line(title), cut(&one_line(summary), SUMMARY))
    }
}

/// Longest abstract that is sent, in characters.
pub(super) const SUMMARY: usize = 1_600;
/// Longest whole text that is sent, in bytes. The paragraph that exceeds it is the last one (OpenNovelty, A, cuts there too).
pub(super) const WHOLE: usize = 200_000;

/// Whether the running text of a document is longer than the part that is sent.
pub(super) fn is_cut(document: &Document) -> bool {
    document.text.len() > WHOLE && running_text(document).len() > WHOLE
}

/// Collapses white space.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Locates words in a text: verbatim between word boundaries, however few they are, or like any other quote.
pub(super) fn quoted(words: &str, source: &QuotableDocument) -> Option<Quote> {
    let words = words.trim();
    let text = &source.document().text;
    let whole = |at: usize| {
        let (before, after) = (text.get(..at), text.get(at + words.len()..));
        let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let first = words.chars().next().is_some_and(char::is_alphanumeric);
        let last = words.chars().next_back().is_some_and(char::is_alphanumeric);
        !(first && inside(before.and_then(|text| text.chars().next_back()))
            || last && inside(after.and_then(|text| text.chars().next())))
    };
    let mut places = text.match_indices(words).map(|(at, _)| at);
    match places.find(|at| !words.is_empty() && whole(*at)) {
        Some(at) => Quote::at(source.document(), Span::new(at, at + words.len())),
        None => Quote::cut(source.document(), &source.locate(words)),
    }
}

/// The first `most` characters, cut at a word.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most).collect();
    let end = head.rfind(char::is_whitespace).unwrap_or(head.len());
    format!("{} …", head.get(..end).unwrap_or_default())
}

/// Title and abstract of a work.
pub(super) fn in_short(prior: &PriorReading<'_>) -> String {
    let work = &prior.candidate.work;
    let summary = work.summary.as_deref().unwrap_or_default();
    let short = match summary.trim().is_empty() {
        false => cut(&one_line(summary), SUMMARY),
        true => opening(prior.reading.document()),
    };
    format!("{}\n{short}", one_line(&work.title))
}

/// The beginning of the running text of a work without an abstract.
fn opening(document: &Document) -> String {
    cut(&one_line(&running_text(document)), SUMMARY / 2)
}

/// The text of a document without its reference list, tables and listings.
pub(super) fn running_text(document: &Document) -> String {
    if document.paragraphs.is_empty() {
        return cut(&document.text, WHOLE);
    }
    let mut text = String::new();
    for paragraph in &document.paragraphs {
        let section = document.section_at(paragraph.span.start).map(|section| section.kind);
        let left_out = matches!(section, Some(SectionKind::References | SectionKind::Acknowledgements))
            || matches!(
                paragraph.kind,
                ParagraphKind::Reference | ParagraphKind::Table | ParagraphKind::Code | ParagraphKind::DisplayMath
            )
            || paragraph.kind == ParagraphKind::FrontMatter && !text.is_empty();
        if let (false, Some(words)) = (left_out, document.slice(paragraph.span)) {
            text.push_str(&one_line(words));
            text.push('\n');
        }
        if text.len() > WHOLE {
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::paper_of;

    #[test]
    fn a_text_beyond_the_limit_is_reported_as_cut() {
        let sentence = "Swell bends the kelp. ".repeat(40);
        let paragraphs = |bytes: usize| vec![sentence.as_str(); bytes / sentence.len()];
        let long = paper_of(
            "Kelp",
            None,
            &[("Method", SectionKind::Method, &paragraphs(WHOLE + 5_000))],
        );
        assert!(is_cut(&long.document));
        let sent = running_text(&long.document).len();
        assert!(sent > WHOLE && sent < WHOLE + sentence.len() + 2 && sent < long.document.text.len());
        // A long reference list is not sent, so leaving it out is no cut.
        let listed = paper_of(
            "Kelp",
            None,
            &[("References", SectionKind::References, &paragraphs(WHOLE + 5_000))],
        );
        assert!(!is_cut(&listed.document));
        assert!(!is_cut(&paper_of("Kelp", None, &[]).document));
    }
}

use precedent_domain::{Contribution, Document, Paper, ParagraphKind, QuotableDocument, Quote, SectionKind, Span};
use precedent_llm::Fence;
use serde::{Deserialize, Serialize};

use crate::stages::analysis::Analysis;
use crate::stages::search::SearchOutcome;
use crate::stages::{ComparisonSet, PriorReading};

/// What is to be judged: the paper, its claims, and the works that were found.
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

/// What comparing found, after whoever judges has read it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Judged {
    /// The comparing stages, with what the analyst put in the place of the program's answers.
    pub analysis: Analysis,
    /// The field in two paragraphs.
    pub narrative: Option<Vec<String>>,
    /// What was found, in three or four paragraphs.
    pub overall: Option<Vec<String>>,
}

impl Judged {
    /// What the program found, and no more.
    #[must_use]
    pub fn by_program(analysis: Analysis) -> Self {
        Self {
            analysis,
            narrative: None,
            overall: None,
        }
    }
}

/// Everything that lies open while a model is asked.
pub(super) struct Desk<'a> {
    pub(super) material: Material<'a>,
    pub(super) target: &'a QuotableDocument,
    pub(super) set: &'a ComparisonSet<'a>,
    /// One fence for all questions, so that their beginnings stay the same.
    pub(super) fence: Fence,
}

impl<'a> Desk<'a> {
    /// The reading of candidate `number`.
    pub(super) fn prior(&self, number: u32) -> Option<&PriorReading<'a>> {
        self.set.priors().iter().find(|prior| prior.candidate.number == number)
    }

    pub(super) fn mark(&self) -> String {
        self.fence.mark().to_owned()
    }

    /// Title and abstract of the paper, as far as they are known.
    pub(super) fn paper_in_short(&self) -> String {
        let paper = self.material.paper;
        let title = paper.title.as_deref().unwrap_or_default();
        let summary = paper.abstract_text().unwrap_or_default();
        format!("{}\n{}", one_line(title), cut(&one_line(summary), SUMMARY))
    }
}

/// Longest abstract that is sent, in characters.
pub(super) const SUMMARY: usize = 1_600;
/// Longest whole text that is sent, in bytes; the paragraph that passes it is the last one (OpenNovelty, A, cuts there too).
pub(super) const WHOLE: usize = 200_000;

/// Whether the running text of a document is longer than what is sent of it.
pub(super) fn is_cut(document: &Document) -> bool {
    document.text.len() > WHOLE && running_text(document).len() > WHOLE
}

/// White space folded.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Words of a text, located: letter by letter from one border of a word to another, however few they are, or as any quote is.
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
    fn what_is_cut_is_known_to_be() {
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
        // A long reference list is not sent, and so not missed.
        let listed = paper_of(
            "Kelp",
            None,
            &[("References", SectionKind::References, &paragraphs(WHOLE + 5_000))],
        );
        assert!(!is_cut(&listed.document));
        assert!(!is_cut(&paper_of("Kelp", None, &[]).document));
    }
}

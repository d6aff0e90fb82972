use precedent_domain::{OverlapMark, OverlapPassage};

use super::Digest;
use crate::words;

/// Text shared with one paper, split by whether it has a harmless explanation.
pub(crate) struct Overlap<'a> {
    /// The paper's number.
    pub(crate) candidate: u32,
    /// Passages without an explanation.
    pub(crate) open: Vec<&'a OverlapPassage>,
    /// Passages in reference lists, quoted with a citation, or common to many papers.
    pub(crate) explained: Vec<&'a OverlapPassage>,
    /// Number of passages found but not in the report.
    pub(crate) not_shown: usize,
}

impl<'a> Digest<'a> {
    /// Shared text by paper.
    pub(crate) fn overlaps(&self) -> Vec<Overlap<'a>> {
        let overlaps = self.report.textual_similarity.overlaps.iter();
        overlaps
            .map(|one| {
                let (open, explained) = one.passages.iter().partition(|passage| passage.shared.marks.is_empty());
                Overlap {
                    candidate: one.candidate,
                    open,
                    explained,
                    not_shown: one.found.saturating_sub(one.passages.len()),
                }
            })
            .collect()
    }
}

impl Overlap<'_> {
    /// The explanations, each once.
    pub(crate) fn reasons(&self) -> String {
        let mut marks: Vec<OverlapMark> = self
            .explained
            .iter()
            .flat_map(|passage| passage.shared.marks.iter().copied())
            .collect();
        marks.sort();
        marks.dedup();
        let reasons: Vec<String> = marks
            .into_iter()
            .map(|mark| words::overlap_mark(mark).to_owned())
            .collect();
        words::and_list(&reasons)
    }

    /// `31 and 45 words`.
    pub(crate) fn lengths(&self) -> String {
        let lengths: Vec<String> = self
            .explained
            .iter()
            .map(|passage| passage.shared.words.to_string())
            .collect();
        format!("{} words", words::and_list(&lengths))
    }

    /// Says how many passages are not shown; empty if all are.
    pub(crate) fn more(&self) -> String {
        match self.not_shown {
            0 => String::new(),
            some => format!(
                "{} not shown.",
                words::count(some, "shorter passage is", "shorter passages are")
            ),
        }
    }
}

//! Resource limits for reading one file, counted in one place.
//!
//! Input: every reader and the assembler report what they are about to allocate or do. Output: whether it is within the limit, and what was left
//! out. Only amounts are counted, never time, so that two readings of a file leave out the same parts.

use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) use precedent_domain::ReadResource;
use precedent_domain::{ReadProblem, ReadWarning, ReadWarningKind};

/// Maximum text per paper, in bytes. A thesis of 600 pages has 2 MB.
pub(crate) const TEXT_BYTES: usize = 16 << 20;
/// Maximum blocks (paragraphs, headings, entries) per paper. A thesis of 600 pages has 10,000.
pub(crate) const BLOCKS: usize = 100_000;
/// Maximum attributes per element. Parsers compare each attribute with all before it; real elements have fewer than 40.
pub(crate) const ATTRIBUTES_OF_ONE: usize = 256;

/// Each resource, and its limit per file. The limits are 4 to 20 times what the largest available papers need (500 dense
/// pages have 1.8 million glyphs). Together they keep a file below 1 GB and 20 s.
const LIMITS: [(ReadResource, usize); 16] = [
    (ReadResource::DecodedBytes, 256 << 20),
    (ReadResource::Glyphs, 3_000_000),
    (ReadResource::GlyphText, 32 << 20),
    (ReadResource::Runs, 500_000),
    (ReadResource::MapEntries, 3_000_000),
    (ReadResource::MapText, 32 << 20),
    (ReadResource::Objects, 2_000_000),
    (ReadResource::Nodes, 1_500_000),
    (ReadResource::Attributes, 3_000_000),
    (ReadResource::Lines, 500_000),
    (ReadResource::LineBytes, TEXT_BYTES),
    (ReadResource::TextBytes, TEXT_BYTES),
    (ReadResource::Blocks, BLOCKS),
    (ReadResource::References, 20_000),
    (ReadResource::Citations, 200_000),
    (ReadResource::Steps, 400_000_000),
];

/// The budget for reading one file. Shared by the threads that read its pages.
#[derive(Debug, Default)]
pub(crate) struct ReadBudget {
    spent: [AtomicUsize; LIMITS.len()],
}

impl ReadBudget {
    /// Counts `amount`; returns `false` once the file is over the limit. The amount stays counted in either case.
    pub(crate) fn spend(&self, resource: ReadResource, amount: usize) -> bool {
        let Some(spent) = self.spent.get(resource as usize) else {
            return false;
        };
        let before = spent.fetch_add(amount, Ordering::Relaxed);
        before.saturating_add(amount) <= limit(resource)
    }

    /// Adds the counts of another budget for the same file.
    pub(crate) fn add(&self, other: &Self) {
        for (resource, _) in LIMITS {
            self.spend(resource, other.spent(resource));
        }
    }

    /// How much of `resource` is left.
    pub(crate) fn left(&self, resource: ReadResource) -> usize {
        limit(resource).saturating_sub(self.spent(resource))
    }

    /// Whether any limit was passed.
    pub(crate) fn is_exhausted(&self) -> bool {
        LIMITS.iter().any(|(resource, limit)| self.spent(*resource) > *limit)
    }

    /// Warnings about the limits that were exceeded.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = ReadWarning> {
        LIMITS
            .iter()
            .filter(|(resource, limit)| self.spent(*resource) > *limit)
            .map(|&(resource, limit)| {
                ReadWarning::new(ReadWarningKind::Truncated, ReadProblem::OverLimit { resource, limit })
            })
    }

    fn spent(&self, resource: ReadResource) -> usize {
        self.spent
            .get(resource as usize)
            .map_or(0, |spent| spent.load(Ordering::Relaxed))
    }
}

fn limit(resource: ReadResource) -> usize {
    LIMITS.get(resource as usize).map_or(0, |(_, limit)| *limit)
}

/// The beginning of a text file that fits the budget, cut after a line.
pub(crate) fn affordable<'t>(text: &'t str, budget: &ReadBudget) -> &'t str {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if !budget.spend(ReadResource::Lines, 1) || !budget.spend(ReadResource::LineBytes, line.len()) {
            // A single endless line is cut at a character.
            let room = if end == 0 { TEXT_BYTES } else { end };
            return text
                .get(..crate::assemble::floor_boundary(text, room))
                .unwrap_or_default();
        }
        end += line.len();
    }
    text
}

/// Maximum file size: 200 MB. Papers with photographs reach 100 MB.
pub(crate) const FILE_LIMIT: u64 = 200 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_resource_has_its_own_limit() {
        for (at, (resource, limit)) in LIMITS.iter().enumerate() {
            assert_eq!(*resource as usize, at);
            let budget = ReadBudget::default();
            assert!(budget.spend(*resource, *limit));
            assert_eq!(budget.left(*resource), 0);
            assert!(!budget.is_exhausted());
            assert!(!budget.spend(*resource, 1));
            assert!(budget.is_exhausted());
            assert_eq!(budget.warnings().count(), 1);
        }
    }

    #[test]
    fn a_text_is_cut_after_a_line() {
        let budget = ReadBudget::default();
        assert_eq!(affordable("a\nb", &budget), "a\nb");
        let many = "x\n".repeat(600_000);
        assert_eq!(affordable(&many, &ReadBudget::default()).len(), 1_000_000);
        let one = "ä".repeat(TEXT_BYTES);
        assert_eq!(affordable(&one, &ReadBudget::default()).len(), TEXT_BYTES);
    }
}

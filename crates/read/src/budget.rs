//! Resource limits for reading one file, counted in one place.
//!
//! Input: every reader and the assembler report what they are about to allocate or do. Output: whether it is within the limit, and what was left
//! out. Only amounts are counted, never time, so that two readings of a file leave out the same parts.

use std::sync::atomic::{AtomicUsize, Ordering};

use precedent_domain::{ReadWarning, ReadWarningKind};

/// Maximum text per paper, in bytes. A thesis of 600 pages has 2 MB.
pub(crate) const TEXT_BYTES: usize = 16 << 20;
/// Maximum blocks (paragraphs, headings, entries) per paper. A thesis of 600 pages has 10,000.
pub(crate) const BLOCKS: usize = 100_000;
/// Maximum attributes per element. Parsers compare each attribute with all before it; real elements have fewer than 40.
pub(crate) const ATTRIBUTES_OF_ONE: usize = 256;

/// A counted resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Resource {
    /// Bytes of unpacked PDF streams.
    DecodedBytes,
    /// Glyphs on all pages of a PDF, hidden ones included.
    Glyphs,
    /// Bytes of text of those glyphs.
    GlyphText,
    /// Runs of glyphs on all pages of a PDF. In real papers a run has 10 glyphs or more.
    Runs,
    /// Codes and glyphs mapped by the fonts of a PDF, repeated mappings included.
    MapEntries,
    /// Bytes of text in those maps.
    MapText,
    /// Objects in the object streams of a PDF.
    Objects,
    /// Elements and text nodes of a markup page.
    Nodes,
    /// Attributes of those elements.
    Attributes,
    /// Lines of a text file.
    Lines,
    /// Bytes of those lines.
    LineBytes,
    /// Bytes of text in the paper.
    TextBytes,
    /// Blocks of the paper.
    Blocks,
    /// Entries of the reference lists.
    References,
    /// Citation marks.
    Citations,
    /// Steps of work that can grow faster than the file, each about ten nanoseconds in a release build.
    Steps,
}

/// Each resource, its limit per file, and its name in warnings. The limits are 4 to 20 times what the largest available papers need (500 dense
/// pages have 1.8 million glyphs). Together they keep a file below 1 GB and 20 s.
const LIMITS: [(Resource, usize, &str); 16] = [
    (Resource::DecodedBytes, 256 << 20, "bytes of unpacked streams"),
    (Resource::Glyphs, 3_000_000, "glyphs"),
    (Resource::GlyphText, 32 << 20, "bytes of characters on the pages"),
    (Resource::Runs, 500_000, "runs of glyphs"),
    (
        Resource::MapEntries,
        3_000_000,
        "entries in the character maps of fonts",
    ),
    (Resource::MapText, 32 << 20, "bytes in the character maps of fonts"),
    (Resource::Objects, 2_000_000, "objects"),
    (Resource::Nodes, 1_500_000, "elements"),
    (Resource::Attributes, 3_000_000, "attributes"),
    (Resource::Lines, 500_000, "lines"),
    (Resource::LineBytes, TEXT_BYTES, "bytes of lines"),
    (Resource::TextBytes, TEXT_BYTES, "bytes of text"),
    (Resource::Blocks, BLOCKS, "paragraphs"),
    (Resource::References, 20_000, "references"),
    (Resource::Citations, 200_000, "citation marks"),
    (Resource::Steps, 400_000_000, "steps of work"),
];

/// The budget for reading one file. Shared by the threads that read its pages.
#[derive(Debug, Default)]
pub(crate) struct ReadBudget {
    spent: [AtomicUsize; LIMITS.len()],
}

impl ReadBudget {
    /// Counts `amount`; returns `false` once the file is over the limit. The amount stays counted in either case.
    pub(crate) fn spend(&self, resource: Resource, amount: usize) -> bool {
        let Some(spent) = self.spent.get(resource as usize) else {
            return false;
        };
        let before = spent.fetch_add(amount, Ordering::Relaxed);
        before.saturating_add(amount) <= limit(resource)
    }

    /// Adds the counts of another budget for the same file.
    pub(crate) fn add(&self, other: &Self) {
        for (resource, ..) in LIMITS {
            self.spend(resource, other.spent(resource));
        }
    }

    /// How much of `resource` is left.
    pub(crate) fn left(&self, resource: Resource) -> usize {
        limit(resource).saturating_sub(self.spent(resource))
    }

    /// Whether any limit was passed.
    pub(crate) fn is_exhausted(&self) -> bool {
        LIMITS.iter().any(|(resource, limit, _)| self.spent(*resource) > *limit)
    }

    /// Warnings about the limits that were exceeded.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = ReadWarning> {
        LIMITS
            .iter()
            .filter(|(resource, limit, _)| self.spent(*resource) > *limit)
            .map(|(_, limit, name)| ReadWarning {
                kind: ReadWarningKind::Truncated,
                message: format!("the file has more than {limit} {name}; the rest was left out"),
            })
    }

    fn spent(&self, resource: Resource) -> usize {
        self.spent
            .get(resource as usize)
            .map_or(0, |spent| spent.load(Ordering::Relaxed))
    }
}

fn limit(resource: Resource) -> usize {
    LIMITS.get(resource as usize).map_or(0, |(_, limit, _)| *limit)
}

/// The beginning of a text file that fits the budget, cut after a line.
pub(crate) fn affordable<'t>(text: &'t str, budget: &ReadBudget) -> &'t str {
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        if !budget.spend(Resource::Lines, 1) || !budget.spend(Resource::LineBytes, line.len()) {
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
        for (at, (resource, limit, _)) in LIMITS.iter().enumerate() {
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

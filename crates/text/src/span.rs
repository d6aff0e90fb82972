use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A half-open range of **bytes** into one text. Both ends are on character boundaries of that text.
///
/// Serialised as `[start, end]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "(usize, usize)", into = "(usize, usize)")]
#[schemars(with = "(usize, usize)")]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span from `start` to `end`, excluding `end`. If `end` is before `start`, the span is empty and at `start`.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        Self {
            start,
            end: end.max(start),
        }
    }

    /// Length in bytes.
    #[must_use]
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the span is empty.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The characters of `text` at this span; `None` if the span does not fit `text`.
    #[must_use]
    pub fn slice(self, text: &str) -> Option<&str> {
        text.get(self.start..self.end)
    }

    /// Whether `other` is entirely inside this span.
    #[must_use]
    pub fn contains(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// Whether the byte at `offset` is inside this span.
    #[must_use]
    pub fn covers(self, offset: usize) -> bool {
        self.start <= offset && offset < self.end
    }

    /// Whether the two spans share at least one byte.
    #[must_use]
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end && other.start < self.end
    }
}

impl From<(usize, usize)> for Span {
    fn from((start, end): (usize, usize)) -> Self {
        Self::new(start, end)
    }
}

impl From<Span> for (usize, usize) {
    fn from(span: Span) -> Self {
        (span.start, span.end)
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

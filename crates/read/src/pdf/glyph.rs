use std::ops::Range;

use precedent_domain::HiddenReason;

use super::look::Look;
use super::matrix::Rect;

/// A glyph on the page, in points from the lower left corner of the displayed page.
#[derive(Debug, Clone)]
pub(super) struct Glyph {
    /// Its characters, as a range of the page's `text`.
    pub(super) text: Range<usize>,
    /// Left edge.
    pub(super) x0: f64,
    /// Right edge.
    pub(super) x1: f64,
    /// Base line.
    pub(super) y: f64,
    /// Height of the em.
    pub(super) size: f64,
    pub(super) look: Look,
    /// Whether it was drawn by a form that covers only part of the page, such as the inside of a figure.
    pub(super) figure: bool,
    /// Whether the producer marked it as running header, footer or page number.
    pub(super) pagination: bool,
}

/// Direction of a line of text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Turn {
    /// From bottom to top.
    Up,
    /// From top to bottom.
    Down,
    /// Upside down.
    Over,
    /// Slanted.
    Slanted,
}

/// Everything drawn on a page that reading needs.
#[derive(Debug, Default)]
pub(super) struct PageGlyphs {
    /// Width and height of the page as displayed.
    pub(super) width: f64,
    pub(super) height: f64,
    /// Characters of all glyphs.
    pub(super) text: String,
    /// Upright, visible glyphs, in drawing order.
    pub(super) glyphs: Vec<Glyph>,
    /// Visible glyphs that are not upright, each in the frame of its own line.
    pub(super) turned: Vec<(Turn, Glyph)>,
    /// Invisible glyphs.
    pub(super) hidden: Vec<(HiddenReason, Glyph)>,
    /// Images.
    pub(super) images: Vec<Rect>,
    /// Horizontal rules.
    pub(super) rules: Vec<Rect>,
    /// Visible glyphs whose code had no character.
    pub(super) unmapped: usize,
    /// Whether the page was cut at a limit.
    pub(super) cut: bool,
}

impl PageGlyphs {
    /// Number of glyphs of every kind.
    pub(super) fn count(&self) -> usize {
        self.glyphs.len() + self.turned.len() + self.hidden.len()
    }

    pub(super) fn text_of(&self, glyph: &Glyph) -> &str {
        self.text.get(glyph.text.clone()).unwrap_or_default()
    }
}

//! Computes the position of a glyph on the displayed page and whether it is visible there. Shared by all engines.

use precedent_domain::HiddenReason;

use super::glyph::{Glyph, PageGlyphs, Turn};
use super::matrix::{Matrix, Rect};
use super::paint::{Colour, Surface};

/// Letters smaller than this, in points, count as invisible.
const TINY: f64 = 1.5;

/// Drawing properties that affect visibility.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ink {
    /// Text rendering mode, 0 to 7 (ISO 32000-1, table 106).
    pub(super) mode: u8,
    /// Opacity: 0 is transparent, 1 opaque.
    pub(super) alpha: f64,
    pub(super) fill: Colour,
    /// Clipping rectangle; nothing outside is drawn.
    pub(super) clip: Rect,
    /// Whether it is in a layer that is switched off.
    pub(super) off: bool,
}

/// Transform from the space of a page with this box to the displayed page, rotated clockwise by `rotation` degrees, with its width and height.
pub(super) fn frame(page_box: Rect, rotation: i32) -> (Matrix, f64, f64) {
    let Rect { x0, y0, x1, y1 } = page_box;
    match rotation.rem_euclid(360) {
        90 => (Matrix([0.0, -1.0, 1.0, 0.0, -y0, x1]), y1 - y0, x1 - x0),
        180 => (Matrix([-1.0, 0.0, 0.0, -1.0, x1, y1]), x1 - x0, y1 - y0),
        270 => (Matrix([0.0, 1.0, -1.0, 0.0, y1, -x0]), y1 - y0, x1 - x0),
        _ => (Matrix::translate(-x0, -y0), x1 - x0, y1 - y0),
    }
}

/// Orientation of a line with direction `(a, b)`; `None` for upright text.
pub(super) fn turn(a: f64, b: f64) -> Option<Turn> {
    let long = a.hypot(b);
    if a > 0.985 * long || long == 0.0 {
        None
    } else if b > 0.985 * long {
        Some(Turn::Up)
    } else if b < -0.985 * long {
        Some(Turn::Down)
    } else if a < -0.985 * long {
        Some(Turn::Over)
    } else {
        Some(Turn::Slanted)
    }
}

/// Reads a page with `read`, which takes a rotation in degrees. Reads it a second time, rotated, if most letters run up or down, as in a table or
/// scan set sideways.
pub(super) fn upright(read: impl Fn(i32) -> PageGlyphs) -> PageGlyphs {
    let page = read(0);
    let count = |turn: Turn| page.turned.iter().filter(|(other, _)| *other == turn).count();
    let upright = page.glyphs.len();
    for (turn, rotation) in [(Turn::Up, 90), (Turn::Down, 270), (Turn::Over, 180)] {
        if count(turn) > 200 && count(turn) > upright * 3 {
            return read(rotation);
        }
    }
    page
}

impl PageGlyphs {
    /// Why a glyph of `size` with its centre at `(x, y)` is invisible, or `None`. `behind` is the number of surfaces painted before it.
    pub(super) fn reason_unseen(
        &self,
        surface: &Surface,
        behind: usize,
        ink: &Ink,
        size: f64,
        (x, y): (f64, f64),
    ) -> Option<HiddenReason> {
        if ink.off {
            return Some(HiddenReason::HiddenByStyle);
        }
        let page = Rect {
            x0: 0.0,
            y0: 0.0,
            x1: self.width,
            y1: self.height,
        };
        if !page.grow(2.0).contains(x, y) || !ink.clip.grow(2.0).contains(x, y) {
            return Some(HiddenReason::OffPage);
        }
        if ink.mode == 3 || ink.alpha < 0.02 {
            return Some(HiddenReason::InvisibleMode);
        }
        if size < TINY {
            return Some(HiddenReason::Tiny);
        }
        (matches!(ink.mode, 0 | 4) && surface.hides(ink.fill, x, y, behind)).then_some(HiddenReason::WhiteOnWhite)
    }

    /// Adds a glyph to the list of its kind. Its `x0`, `x1` and `y` are its origin and the end of its advance.
    pub(super) fn place(
        &mut self,
        mut glyph: Glyph,
        (end_x, end_y): (f64, f64),
        turn: Option<Turn>,
        reason: Option<HiddenReason>,
    ) {
        let (x, y) = (glyph.x0, glyph.y);
        (glyph.x0, glyph.x1, glyph.y) = match turn {
            Some(Turn::Up) => (y.min(end_y), y.max(end_y), -x),
            Some(Turn::Down) => (-y.max(end_y), -y.min(end_y), x),
            Some(Turn::Over) => (-x.max(end_x), -x.min(end_x), -y),
            Some(Turn::Slanted) | None => (x.min(end_x), x.max(end_x), y),
        };
        match (reason, turn) {
            (Some(reason), _) => self.hidden.push((reason, glyph)),
            (None, Some(turn)) => self.turned.push((turn, glyph)),
            (None, None) => self.glyphs.push(glyph),
        }
    }
}

//! Finds text that a shape painted later covers.
//!
//! Only upright rectangles count: the bounds of any other shape are larger than the shape.

use precedent_domain::HiddenReason;

use super::glyph::PageGlyphs;
use super::matrix::Rect;

/// Maximum covering shapes recorded per page.
const COVERS: usize = 20_000;
/// Maximum rectangles of one path.
const RECTANGLES: usize = 1_000;
/// Minimum width and height of a shape that hides a letter, in points.
const SMALLEST: f64 = 3.0;
/// Shapes that are compared with a glyph per step.
const SHAPES_A_STEP: usize = 8;

/// The current path, as far as it consists of upright rectangles.
#[derive(Debug, Default)]
pub(super) struct Outline {
    rectangles: Vec<Rect>,
    corners: Vec<(f64, f64)>,
    /// Whether it has other shapes, or rectangles that overlap and may cut holes.
    other: bool,
}

impl Outline {
    pub(super) fn start(&mut self, point: (f64, f64)) {
        self.end_polygon();
        self.corners.push(point);
    }

    pub(super) fn line_to(&mut self, point: (f64, f64)) {
        self.corners.push(point);
        match self.corners.as_slice() {
            // A rectangle of lines: four corners, and perhaps the first one again.
            [a, b, c, d] => {
                let corners = [*a, *b, *c, *d];
                self.rectangle(corners);
            }
            [first, .., last] if self.corners.len() == 5 => self.other |= !close(*first, *last),
            [_, _, _, _, _, ..] => self.other = true,
            _ => {}
        }
    }

    pub(super) fn curve(&mut self) {
        self.other = true;
    }

    pub(super) fn rectangle(&mut self, corners: [(f64, f64); 4]) {
        let [a, b, c, d] = corners;
        let level = |one: (f64, f64), other: (f64, f64)| (one.1 - other.1).abs() < 0.05;
        let plumb = |one: (f64, f64), other: (f64, f64)| (one.0 - other.0).abs() < 0.05;
        let is_upright = level(a, b) && plumb(b, c) && level(c, d) && plumb(d, a)
            || plumb(a, b) && level(b, c) && plumb(c, d) && level(d, a);
        let mut shape = Rect::EMPTY;
        for (x, y) in corners {
            shape.include(x, y);
        }
        let overlaps = |other: &Rect| !other.grow(-0.05).intersect(shape).is_empty();
        if self.other || !is_upright || self.rectangles.len() >= RECTANGLES || self.rectangles.iter().any(overlaps) {
            self.other = true;
        } else {
            self.rectangles.push(shape);
        }
    }

    /// The rectangles of the path; none if it has any other shape.
    pub(super) fn rectangles(&self) -> &[Rect] {
        let open = (2..4).contains(&self.corners.len());
        if self.other || open { &[] } else { &self.rectangles }
    }

    fn end_polygon(&mut self) {
        self.other |= (2..4).contains(&self.corners.len());
        self.corners.clear();
    }
}

fn close(one: (f64, f64), other: (f64, f64)) -> bool {
    (one.0 - other.0).abs() < 0.05 && (one.1 - other.1).abs() < 0.05
}

/// A visible glyph when it was drawn.
#[derive(Debug)]
struct Drawn {
    centre: (f64, f64),
    size: f64,
    /// Number of shapes painted before it.
    behind: usize,
}

/// The opaque shapes of a page and the glyphs that were visible when drawn, in drawing order.
#[derive(Debug, Default)]
pub(super) struct Covers {
    shapes: Vec<Rect>,
    upright: Vec<Drawn>,
    turned: Vec<Drawn>,
}

impl Covers {
    pub(super) fn add(&mut self, shape: Rect) {
        if self.shapes.len() < COVERS && shape.width() >= SMALLEST && shape.height() >= SMALLEST {
            self.shapes.push(shape);
        }
    }

    /// Records a visible glyph. The page must record it too, in the list of its kind.
    pub(super) fn drawn(&mut self, centre: (f64, f64), size: f64, turned: bool) {
        let behind = self.shapes.len();
        let list = if turned { &mut self.turned } else { &mut self.upright };
        list.push(Drawn { centre, size, behind });
    }

    /// Moves covered glyphs to the hidden ones. `spend` counts steps of work and returns whether more are allowed.
    pub(super) fn hide_covered(&self, page: &mut PageGlyphs, spend: impl Fn(usize) -> bool) {
        if self.shapes.is_empty() {
            return;
        }
        let mut upright = self.upright.iter();
        let mut turned = self.turned.iter();
        let mut hidden = Vec::new();
        let glyphs = std::mem::take(&mut page.glyphs);
        for glyph in glyphs {
            match upright.next() {
                Some(drawn) if self.covers(drawn, &spend) => hidden.push((HiddenReason::Covered, glyph)),
                _ => page.glyphs.push(glyph),
            }
        }
        let glyphs = std::mem::take(&mut page.turned);
        for (turn, glyph) in glyphs {
            match turned.next() {
                Some(drawn) if self.covers(drawn, &spend) => hidden.push((HiddenReason::Covered, glyph)),
                _ => page.turned.push((turn, glyph)),
            }
        }
        page.hidden.extend(hidden);
    }

    fn covers(&self, drawn: &Drawn, spend: &impl Fn(usize) -> bool) -> bool {
        let later = self.shapes.get(drawn.behind..).unwrap_or_default();
        let (x, y) = drawn.centre;
        // A thin bar through a letter does not hide it.
        let hides = |shape: &&Rect| shape.contains(x, y) && shape.height() >= 0.5 * drawn.size;
        !later.is_empty() && spend(later.len().div_ceil(SHAPES_A_STEP)) && later.iter().any(|shape| hides(&shape))
    }
}

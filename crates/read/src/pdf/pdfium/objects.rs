//! Objects drawn on a page, in drawing order: surfaces, rules, images, and the position of text objects among them.

use std::collections::HashMap;

use pdfium_render::prelude::{
    PdfPage, PdfPageObject, PdfPageObjectCommon, PdfPageObjectsCommon, PdfPagePathObject, PdfPageTextObject,
    PdfPathFillMode, PdfPathSegments,
};

use crate::pdf::glyph::PageGlyphs;
use crate::pdf::interpret::FORM_DEPTH;
use crate::pdf::matrix::{Matrix, Rect};
use crate::pdf::paint::{Colour, Surface};

/// Maximum objects examined per page.
const OBJECT_LIMIT: usize = 200_000;

/// Maximum segments examined per clipping path.
const CLIP_LIMIT: u32 = 64;

/// Identifies a text object by its position: pdfium offers no other link from a letter to its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct TextKey([u32; 10]);

impl TextKey {
    pub(super) fn of(object: &PdfPageTextObject<'_>) -> Option<Self> {
        let matrix = object.matrix().ok()?;
        let bounds = object.bounds().ok()?;
        Some(Self([
            matrix.a().to_bits(),
            matrix.b().to_bits(),
            matrix.c().to_bits(),
            matrix.d().to_bits(),
            matrix.e().to_bits(),
            matrix.f().to_bits(),
            bounds.left().value.to_bits(),
            bounds.bottom().value.to_bits(),
            bounds.right().value.to_bits(),
            bounds.top().value.to_bits(),
        ]))
    }
}

/// Position of a text object in the drawing order.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placement {
    /// Surfaces painted before it.
    pub(super) behind: usize,
    /// Index of the form that draws it, if that form covers only part of the page.
    pub(super) form: Option<usize>,
    pub(super) clip: Rect,
}

/// The drawing of a page.
pub(super) struct Drawing {
    pub(super) surface: Surface,
    pub(super) texts: HashMap<TextKey, Placement>,
    images: Vec<Rect>,
    rules: Vec<Rect>,
    objects: usize,
    /// Number of text objects drawn by each form that covers only part of the page.
    forms: Vec<usize>,
}

impl Drawing {
    /// Walks the objects of a page. `frame` maps to the displayed page and `area` is its size.
    pub(super) fn of(page: &PdfPage<'_>, frame: Matrix, area: f64) -> Self {
        let mut drawing = Self {
            surface: Surface::default(),
            texts: HashMap::new(),
            images: Vec::new(),
            rules: Vec::new(),
            objects: 0,
            forms: Vec::new(),
        };
        for object in page.objects().iter() {
            drawing.object(&object, frame, area, None, 0);
        }
        drawing
    }

    /// Whether a text object belongs to a figure. pdfium gives the content of a form but not its intended size, so a form with most of the text
    /// counts as the page itself.
    pub(super) fn in_figure(&self, placement: &Placement) -> bool {
        placement
            .form
            .and_then(|form| self.forms.get(form))
            .is_some_and(|texts| texts * 2 < self.texts.len())
    }

    /// Moves images and rules to the page.
    pub(super) fn leave(self, page: &mut PageGlyphs) {
        page.images = self.images;
        page.rules = self.rules;
        page.cut |= self.objects >= OBJECT_LIMIT;
    }

    fn object(&mut self, object: &PdfPageObject<'_>, frame: Matrix, area: f64, form: Option<usize>, depth: usize) {
        self.objects += 1;
        if self.objects > OBJECT_LIMIT {
            return;
        }
        match object {
            PdfPageObject::Text(text) => {
                if let Some(count) = form.and_then(|form| self.forms.get_mut(form)) {
                    *count += 1;
                }
                if let Some(key) = TextKey::of(text) {
                    let placement = Placement {
                        behind: self.surface.painted(),
                        form,
                        clip: clip(object, frame),
                    };
                    self.texts.insert(key, placement);
                }
            }
            PdfPageObject::Path(path) => self.path(path, place(object, frame)),
            PdfPageObject::Image(_) => {
                let place = place(object, frame);
                if !place.is_empty() {
                    self.surface.fill(place, None);
                    self.images.push(place);
                }
            }
            PdfPageObject::Shading(_) => self.surface.fill(place(object, frame), None),
            PdfPageObject::XObjectForm(drawn) if depth < FORM_DEPTH => {
                let inner = object.matrix().map_or(frame, |matrix| of_pdfium(&matrix).then(frame));
                let form = form.or_else(|| {
                    let part = place(object, frame).area() < area * 0.7;
                    part.then(|| {
                        self.forms.push(0);
                        self.forms.len() - 1
                    })
                });
                for child in drawn.iter() {
                    self.object(&child, inner, area, form, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn path(&mut self, path: &PdfPagePathObject<'_>, place: Rect) {
        let filled = path
            .fill_mode()
            .is_ok_and(|mode| !matches!(mode, PdfPathFillMode::None));
        let stroked = path.is_stroked().unwrap_or(false);
        if (filled || stroked) && place.height() < 2.5 && place.width() > 18.0 && self.rules.len() < 5_000 {
            self.rules.push(place);
        }
        if filled {
            let (colour, alpha) = colour(path.fill_color().ok());
            if alpha > 0.1 {
                self.surface.fill(place, colour.filter(|_| alpha > 0.5));
            }
        }
    }
}

/// Converts a pdfium colour, and returns its opacity.
pub(super) fn colour(colour: Option<pdfium_render::prelude::PdfColor>) -> (Colour, f64) {
    let Some(colour) = colour else { return (None, 1.0) };
    let part = |part: u8| f64::from(part) / 255.0;
    (
        Some([part(colour.red()), part(colour.green()), part(colour.blue())]),
        part(colour.alpha()),
    )
}

/// Converts a pdfium matrix.
pub(super) fn of_pdfium(matrix: &pdfium_render::prelude::PdfMatrix) -> Matrix {
    Matrix([
        f64::from(matrix.a()),
        f64::from(matrix.b()),
        f64::from(matrix.c()),
        f64::from(matrix.d()),
        f64::from(matrix.e()),
        f64::from(matrix.f()),
    ])
}

/// The visible part of an object, as an upright rectangle on the displayed page.
fn place(object: &PdfPageObject<'_>, frame: Matrix) -> Rect {
    let Ok(bounds) = object.bounds() else {
        return Rect::EMPTY;
    };
    let rect = Rect {
        x0: f64::from(bounds.left().value),
        y0: f64::from(bounds.bottom().value),
        x1: f64::from(bounds.right().value),
        y1: f64::from(bounds.top().value),
    };
    frame.bounds(rect).intersect(clip(object, frame))
}

/// The bounds of an object's clipping path.
fn clip(object: &PdfPageObject<'_>, frame: Matrix) -> Rect {
    let mut clip = Rect::EVERYWHERE;
    let Some(path) = object.get_clip_path() else {
        return clip;
    };
    for part in path.iter().take(8) {
        let mut bounds = Rect::EMPTY;
        for index in 0..part.len().min(CLIP_LIMIT) {
            if let Ok(segment) = part.get(index) {
                let (x, y) = frame.apply(f64::from(segment.x().value), f64::from(segment.y().value));
                bounds.include(x, y);
            }
        }
        // An empty clipping path hides everything, but programs write such paths by mistake, so only non-empty ones count.
        if bounds.width() > 0.0 && bounds.height() > 0.0 && part.len() <= CLIP_LIMIT {
            clip = clip.intersect(bounds);
        }
    }
    clip
}

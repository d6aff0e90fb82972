use pdfium_render::prelude::{
    PdfPage, PdfPageRenderRotation, PdfPageTextChar, PdfPageTextObject, PdfPageTextRenderMode, PdfRect,
};

use super::objects::{Drawing, Placement, TextKey, colour, of_pdfium};
use crate::pdf::glyph::{Glyph, PageGlyphs};
use crate::pdf::interpret::GLYPH_LIMIT;
use crate::pdf::look::Look;
use crate::pdf::matrix::{Matrix, Rect};
use crate::pdf::open::LETTER;
use crate::pdf::show::clean_characters;
use crate::pdf::sight::{Ink, frame, turn, upright};

/// An end-of-line hyphen as reported by pdfium.
const LINE_END_HYPHEN: char = '\u{2}';

/// Everything drawn on the page.
pub(super) fn read_page(page: &PdfPage<'_>) -> PageGlyphs {
    let bounds = page.boundaries();
    let media = bounds.media().map_or(LETTER, |found| rect(&found.bounds));
    let page_box = bounds
        .crop()
        .map_or(media, |found| rect(&found.bounds).intersect(media));
    let page_box = if page_box.is_empty() { LETTER } else { page_box };
    let rotation = match page.rotation() {
        Ok(PdfPageRenderRotation::Degrees90) => 90,
        Ok(PdfPageRenderRotation::Degrees180) => 180,
        Ok(PdfPageRenderRotation::Degrees270) => 270,
        _ => 0,
    };
    upright(|turned| {
        let (frame, width, height) = frame(page_box, rotation + turned);
        let mut glyphs = PageGlyphs {
            width,
            height,
            ..PageGlyphs::default()
        };
        let drawing = Drawing::of(page, frame, width * height);
        if let Ok(text) = page.text() {
            let mut pen = Pen::default();
            for character in text.chars().iter() {
                if glyphs.glyphs.len() > GLYPH_LIMIT {
                    glyphs.cut = true;
                    break;
                }
                pen.draw(&character, frame, &drawing, &mut glyphs);
            }
        }
        drawing.leave(&mut glyphs);
        glyphs
    })
}

fn rect(rect: &PdfRect) -> Rect {
    Rect {
        x0: f64::from(rect.left().value),
        y0: f64::from(rect.bottom().value),
        x1: f64::from(rect.right().value),
        y1: f64::from(rect.top().value),
    }
}

/// Properties shared by the letters of one text object.
#[derive(Clone, Copy)]
struct TextObject {
    key: Option<TextKey>,
    placement: Placement,
    look: Look,
    ink: Ink,
}

#[derive(Default)]
struct Pen {
    piece: Option<TextObject>,
    /// Start and end position of the last letter: the letters of a ligature share one position.
    last: Option<[f64; 4]>,
}

impl Pen {
    fn draw(&mut self, character: &PdfPageTextChar<'_>, frame: Matrix, drawing: &Drawing, page: &mut PageGlyphs) {
        if character.is_generated().unwrap_or(false) {
            generated(character, page);
            return;
        }
        let (Ok((x, y)), Ok(bounds), Ok(matrix)) = (character.origin(), character.loose_bounds(), character.matrix())
        else {
            return;
        };
        let matrix = of_pdfium(&matrix);
        let bounds = rect(&bounds);
        let (x, y) = (f64::from(x.value), f64::from(y.value));
        let turned = Matrix([matrix.0[0], matrix.0[1], matrix.0[2], matrix.0[3], 0.0, 0.0]);
        let end = end((x, y), bounds, turned);
        let start = page.text.len();
        match character.unicode_char() {
            Some(LINE_END_HYPHEN) => page.text.push('-'),
            Some(found) if found != '\0' && found != '\u{fffd}' && !('\u{e000}'..='\u{f8ff}').contains(&found) => {
                clean_characters(found.encode_utf8(&mut [0; 4]), &mut page.text);
            }
            _ => page.unmapped += 1,
        }
        if page.text.len() == start {
            return;
        }
        let place = [x, y, end.0, end.1];
        if !place.iter().all(|value| value.is_finite()) {
            return;
        }
        if self.last == Some(place)
            && let Some(glyph) = page.glyphs.last_mut()
            && glyph.text.end == start
        {
            glyph.text.end = page.text.len();
            return;
        }
        self.last = Some(place);
        let Some(piece) = self.piece_of(character, drawing) else {
            return;
        };
        let scale = turned.0[2].hypot(turned.0[3]);
        let size = f64::from(character.unscaled_font_size().value) * scale;
        let (x, y) = frame.apply(x, y);
        let (end_x, end_y) = frame.apply(end.0, end.1);
        let [a, b, _, d, ..] = turned.then(frame).0;
        let lift = if scale > 0.0 { 0.25 * d / scale * size } else { 0.0 };
        let centre = (f64::midpoint(x, end_x), f64::midpoint(y, end_y) + lift);
        let reason = page.reason_unseen(&drawing.surface, piece.placement.behind, &piece.ink, size, centre);
        let glyph = Glyph {
            text: start..page.text.len(),
            x0: x,
            x1: end_x,
            y,
            size,
            look: piece.look,
            figure: drawing.in_figure(&piece.placement),
            pagination: false,
        };
        page.place(glyph, (end_x, end_y), turn(a, b), reason);
    }

    fn piece_of(&mut self, character: &PdfPageTextChar<'_>, drawing: &Drawing) -> Option<TextObject> {
        let object = character.text_object().ok();
        let key = object.as_ref().and_then(TextKey::of);
        if let Some(piece) = self.piece
            && key.is_some()
            && piece.key == key
        {
            return Some(piece);
        }
        let placement = key
            .and_then(|key| drawing.texts.get(&key).copied())
            .unwrap_or(Placement {
                behind: drawing.surface.painted(),
                form: None,
                clip: Rect::EVERYWHERE,
            });
        let (fill, alpha) = colour(character.fill_color().ok());
        let piece = TextObject {
            key,
            placement,
            look: look(character),
            ink: Ink {
                mode: object.as_ref().map_or(0, mode),
                alpha,
                fill,
                clip: placement.clip,
                off: false,
            },
        };
        self.piece = Some(piece);
        Some(piece)
    }
}

/// Generated characters have no position. Generated spaces are attached to the letter before them, because a box may reach over the gap. Line ends
/// are found by position.
fn generated(character: &PdfPageTextChar<'_>, page: &mut PageGlyphs) {
    if character.unicode_char() != Some(' ') {
        return;
    }
    let Some(last) = page.glyphs.last().cloned() else {
        return;
    };
    let start = page.text.len();
    page.text.push(' ');
    page.glyphs.push(Glyph {
        text: start..page.text.len(),
        x0: last.x1,
        ..last
    });
}

/// End of a letter's advance, computed from its upright box.
fn end((x, y): (f64, f64), bounds: Rect, matrix: Matrix) -> (f64, f64) {
    let [a, b, ..] = matrix.0;
    if a.abs() >= b.abs() {
        (if a < 0.0 { bounds.x0 } else { bounds.x1 }, y)
    } else {
        (x, if b < 0.0 { bounds.y0 } else { bounds.y1 })
    }
}

fn look(character: &PdfPageTextChar<'_>) -> Look {
    let mut flags = 0;
    if character.font_is_fixed_pitch() {
        flags |= 1;
    }
    if character.font_is_italic() {
        flags |= 1 << 6;
    }
    if character.font_is_bold_reenforced() {
        flags |= 1 << 18;
    }
    Look::from_descriptor(&character.font_name(), flags, 0.0)
}

fn mode(object: &PdfPageTextObject<'_>) -> u8 {
    match object.render_mode() {
        PdfPageTextRenderMode::StrokedUnfilled => 1,
        PdfPageTextRenderMode::FilledThenStroked => 2,
        PdfPageTextRenderMode::Invisible => 3,
        PdfPageTextRenderMode::FilledUnstrokedClipping => 4,
        PdfPageTextRenderMode::StrokedUnfilledClipping => 5,
        PdfPageTextRenderMode::FilledThenStrokedClipping => 6,
        PdfPageTextRenderMode::InvisibleClipping => 7,
        _ => 0,
    }
}

//! Text in the file that is not visible to human readers.

use precedent_domain::{HiddenReason, HiddenText};

use super::glyph::{Glyph, PageGlyphs};
use super::line;
use super::matrix::Rect;
use super::run;

/// Maximum length of a kept text, in characters.
const LIMIT: usize = 2_000;

/// Whether invisible text is the OCR layer of an image that covers the page.
pub(super) fn is_recognised_text(page: &PageGlyphs) -> bool {
    let sheet = Rect {
        x0: 0.0,
        y0: 0.0,
        x1: page.width,
        y1: page.height,
    };
    let covered: f64 = page
        .images
        .iter()
        .map(|image| image.intersect(sheet))
        .filter(|image| !image.is_empty())
        .map(Rect::area)
        .sum();
    let invisible = page
        .hidden
        .iter()
        .filter(|(reason, _)| *reason == HiddenReason::InvisibleMode)
        .count();
    covered > 0.5 * sheet.area() && invisible > page.glyphs.len()
}

/// Adds recognized text to the visible glyphs.
pub(super) fn adopt_recognised_text(page: &mut PageGlyphs) {
    let hidden = std::mem::take(&mut page.hidden);
    for (reason, glyph) in hidden {
        if reason == HiddenReason::InvisibleMode {
            page.glyphs.push(glyph);
        } else {
            page.hidden.push((reason, glyph));
        }
    }
}

/// The hidden texts of a page, by reason. Labels of shrunk or trimmed figures are left out: only text that reads as words counts.
pub(super) fn hidden_pieces(page: &PageGlyphs, number: u32) -> Vec<HiddenText> {
    let mut pieces = Vec::new();
    for reason in [
        HiddenReason::WhiteOnWhite,
        HiddenReason::Tiny,
        HiddenReason::OffPage,
        HiddenReason::InvisibleMode,
        HiddenReason::HiddenByStyle,
        HiddenReason::Covered,
    ] {
        let glyphs: Vec<Glyph> = page
            .hidden
            .iter()
            .filter(|(other, _)| *other == reason)
            .map(|(_, glyph)| glyph.clone())
            .collect();
        if glyphs.is_empty() {
            continue;
        }
        let in_figure = glyphs.iter().filter(|glyph| glyph.figure).count() * 2 > glyphs.len();
        let runs = run::runs(page, &glyphs);
        let lines = line::lines(page, &glyphs, &runs, &[], number);
        let text = lines.iter().map(|line| line.text.trim()).collect::<Vec<_>>().join(" ");
        let words = text
            .split_whitespace()
            .filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() >= 2)
            .count();
        let least = match reason {
            HiddenReason::OffPage | HiddenReason::Tiny if in_figure => 12,
            HiddenReason::OffPage | HiddenReason::Tiny => 4,
            _ if in_figure => 6,
            _ => 2,
        };
        if words >= least {
            pieces.push(HiddenText {
                page: Some(number),
                reason,
                text: text.chars().take(LIMIT).collect(),
            });
        }
    }
    pieces
}

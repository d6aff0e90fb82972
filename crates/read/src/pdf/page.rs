//! One page: content to glyphs, with the frame turned where the page is set sideways.

use super::glyph::{PageGlyphs, Turn};
use super::interpret::{FontCache, Interpreter};
use super::objects::Pdf;
use super::open::{self, PageEntry};

/// Everything drawn on the page.
pub(super) fn read_page(pdf: &Pdf, fonts: &FontCache, off: &[lopdf::ObjectId], entry: PageEntry) -> PageGlyphs {
    let page = run(pdf, fonts, off, entry, 0);
    // A table or a scan set sideways: most letters run up or down, so the reader turns the sheet.
    let count = |turn: Turn| page.turned.iter().filter(|(other, _)| *other == turn).count();
    let upright = page.glyphs.len();
    for (turn, rotation) in [(Turn::Up, 90), (Turn::Down, 270), (Turn::Over, 180)] {
        if count(turn) > 200 && count(turn) > upright * 3 {
            return run(pdf, fonts, off, entry, rotation);
        }
    }
    page
}

fn run(pdf: &Pdf, fonts: &FontCache, off: &[lopdf::ObjectId], entry: PageEntry, turned: i32) -> PageGlyphs {
    let rotation = entry.rotation.wrapping_add(turned);
    let mut interpreter = Interpreter::new(pdf, fonts, off, entry.page_box, rotation);
    if let Ok(page) = pdf.document.get_dictionary(entry.id) {
        let content = open::content(pdf, page);
        interpreter.run(&content, open::resources(pdf, page));
    }
    interpreter.finish()
}

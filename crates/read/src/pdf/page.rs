//! Reads one page: content to glyphs, with the frame rotated if the page is set sideways.

use super::glyph::PageGlyphs;
use super::interpret::{FontCache, Interpreter};
use super::objects::Pdf;
use super::open::{self, PageEntry};
use super::sight::upright;

/// Everything drawn on the page.
pub(super) fn read_page(pdf: &Pdf, fonts: &FontCache, off: &[lopdf::ObjectId], entry: PageEntry) -> PageGlyphs {
    upright(|turned| {
        let rotation = entry.rotation.wrapping_add(turned);
        let mut interpreter = Interpreter::new(pdf, fonts, off, entry.page_box, rotation);
        if let Ok(page) = pdf.document.get_dictionary(entry.id) {
            let content = open::content(pdf, page);
            interpreter.run(&content, open::resources(pdf, page));
        }
        interpreter.finish()
    })
}

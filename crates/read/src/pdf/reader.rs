//! The engine of our own: opens the file and reads its pages side by side, each guarded against panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;

use super::document::{self, PageText};
use super::error::PdfError;
use super::interpret::FontCache;
use super::metadata;
use super::open;
use super::page::read_page;
use crate::draft::Draft;

/// Pages read. A paper of more is a book or proceedings.
pub(super) const PAGE_LIMIT: usize = 500;

/// Reads a PDF.
///
/// # Errors
/// When nothing can be made of it; see [`PdfError`].
pub(crate) fn read_pdf(bytes: &[u8]) -> Result<Draft, PdfError> {
    let pdf = open::open(bytes)?;
    let (entries, count) = open::pages(&pdf, PAGE_LIMIT);
    let fonts = FontCache::default();
    let off = open::switched_off(&pdf);
    let read: Vec<Option<PageText>> = entries
        .par_iter()
        .map(|entry| {
            let page = || PageText::of(read_page(&pdf, &fonts, &off, *entry), entry.number);
            catch_unwind(AssertUnwindSafe(page)).ok()
        })
        .collect();
    document::draft(read, count, metadata::metadata(&pdf))
}

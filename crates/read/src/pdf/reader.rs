//! The built-in engine: opens the file and reads its pages in parallel, each guarded against panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lopdf::ObjectId;
use rayon::prelude::*;

use super::document::{self, PageText};
use super::error::PdfError;
use super::interpret::FontCache;
use super::metadata;
use super::objects::Pdf;
use super::open::{self, PageEntry};
use super::page::read_page;
use crate::budget::ReadBudget;
use crate::draft::Draft;

/// Maximum pages read. A thesis has up to 1,000; the budget for glyphs ends earlier in a dense book.
pub(super) const PAGE_LIMIT: usize = 2_000;

/// Reads a PDF. `password` opens encrypted files.
///
/// # Errors
/// If the file cannot be read; see [`PdfError`].
pub(crate) fn read_pdf(bytes: &[u8], password: Option<&str>, budget: &ReadBudget) -> Result<Draft, PdfError> {
    let mut pdf = open::open(bytes, password)?;
    let (entries, count) = open::pages(&pdf, PAGE_LIMIT);
    let off = open::switched_off(&pdf);
    let mut read = side_by_side(&pdf, &off, &entries);
    if pdf.budget.is_exhausted() {
        // Which page exceeds the budget first depends on the threads. Reading the pages one by one gives the same result each time.
        drop(read);
        pdf.budget = ReadBudget::default();
        read = one_by_one(&pdf, &off, &entries);
    }
    let metadata = metadata::metadata(&pdf);
    budget.add(&pdf.budget);
    document::draft(read, count, metadata)
}

/// The number of pages of a file without a password. `None` if it cannot be opened.
pub(crate) fn page_count(bytes: &[u8]) -> Option<usize> {
    let pdf = open::open(bytes, None).ok()?;
    Some(open::pages(&pdf, PAGE_LIMIT).1)
}

fn side_by_side(pdf: &Pdf, off: &[ObjectId], entries: &[PageEntry]) -> Vec<Option<PageText>> {
    let fonts = FontCache::default();
    entries
        .par_iter()
        .map(|entry| {
            if pdf.budget.is_exhausted() {
                return None;
            }
            page_text(pdf, &fonts, off, *entry)
        })
        .collect()
}

/// The pages up to the one that exhausts the budget.
fn one_by_one(pdf: &Pdf, off: &[ObjectId], entries: &[PageEntry]) -> Vec<Option<PageText>> {
    let fonts = FontCache::default();
    let mut read = Vec::new();
    for entry in entries {
        read.push(page_text(pdf, &fonts, off, *entry));
        if pdf.budget.is_exhausted() {
            break;
        }
    }
    read
}

fn page_text(pdf: &Pdf, fonts: &FontCache, off: &[ObjectId], entry: PageEntry) -> Option<PageText> {
    let page = || PageText::of(read_page(pdf, fonts, off, entry), entry.number, &pdf.budget);
    catch_unwind(AssertUnwindSafe(page)).ok()
}

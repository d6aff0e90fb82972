use std::panic::{AssertUnwindSafe, catch_unwind};

use pdfium_render::prelude::{PdfDocument, PdfDocumentMetadataTagType, PdfiumError, PdfiumInternalError};
use rayon::prelude::*;

use super::library::library;
use super::page::read_page;
use crate::budget::{ReadBudget, ReadResource};
use crate::draft::Draft;
use crate::pdf::document::{self, PageText};
use crate::pdf::error::PdfError;
use crate::pdf::glyph::PageGlyphs;
use crate::pdf::metadata;
use crate::pdf::metadata_fields::{Metadata, clean, file_date};
use crate::pdf::open;
use crate::pdf::reader::PAGE_LIMIT;
use crate::pdf::settings::PdfSettings;

/// Reads a PDF.
///
/// # Errors
/// If the library is not available or the file cannot be read.
pub(in crate::pdf) fn read_pdf(bytes: &[u8], settings: &PdfSettings, budget: &ReadBudget) -> Result<Draft, PdfError> {
    let password = settings.password.as_deref();
    let library = library(settings.pdfium.as_deref()).map_err(|reason| PdfError::NoPdfium {
        reason: reason.to_owned(),
    })?;
    let (pages, count, own_metadata) = {
        let pdfium = library.pdfium.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let document = pdfium
            .load_pdf_from_byte_slice(bytes, password)
            .map_err(|error| refused(error, password))?;
        let count = document.pages().len();
        let pages: Vec<Option<PageGlyphs>> = (0..count)
            .take(PAGE_LIMIT)
            .map(|index| {
                if budget.is_exhausted() {
                    return None;
                }
                let page = || document.pages().get(index).ok().map(|page| read_page(&page));
                let read = catch_unwind(AssertUnwindSafe(page)).ok().flatten();
                if let Some(page) = &read {
                    budget.spend(ReadResource::Glyphs, page.count());
                    budget.spend(ReadResource::GlyphText, page.text.len());
                }
                read
            })
            .collect();
        (pages, usize::try_from(count).unwrap_or_default(), record(&document))
    };
    let read: Vec<Option<PageText>> = pages
        .into_par_iter()
        .enumerate()
        .map(|(index, glyphs)| {
            let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
            catch_unwind(AssertUnwindSafe(|| Some(PageText::of(glyphs?, number, budget))))
                .ok()
                .flatten()
        })
        .collect();
    // The file's metadata is read by the same code as for the built-in engine, if that code can open the file.
    let metadata = open::open(bytes, password).map_or(own_metadata, |pdf| metadata::metadata(&pdf));
    document::draft(read, count, metadata)
}

fn refused(error: PdfiumError, password: Option<&str>) -> PdfError {
    match error {
        PdfiumError::PdfiumLibraryInternalError(
            PdfiumInternalError::PasswordError | PdfiumInternalError::SecurityError,
        ) if password.is_some() => PdfError::WrongPassword,
        PdfiumError::PdfiumLibraryInternalError(
            PdfiumInternalError::PasswordError | PdfiumInternalError::SecurityError,
        ) => PdfError::Encrypted,
        other => PdfError::Damaged {
            detail: format!("pdfium reported {other:?}"),
        },
    }
}

fn record(document: &PdfDocument<'_>) -> Metadata {
    let text = |tag| {
        let tag = document.metadata().get(tag)?;
        clean(tag.value())
    };
    Metadata {
        title: text(PdfDocumentMetadataTagType::Title),
        author: text(PdfDocumentMetadataTagType::Author),
        doi: None,
        dates: text(PdfDocumentMetadataTagType::CreationDate)
            .and_then(|date| file_date(&date))
            .into_iter()
            .collect(),
    }
}

//! Selects the engine that extracts text from PDF pages. All later steps are the same for every engine.

use super::error::PdfError;
use super::reader;
use super::settings::{PdfEngine, PdfiumState, settings};
use crate::budget::ReadBudget;
use crate::draft::Draft;

/// Whether pdfium is available. Loads the library.
#[must_use]
pub fn pdfium_state() -> PdfiumState {
    #[cfg(feature = "pdfium")]
    {
        super::pdfium::state(settings().pdfium.as_deref())
    }
    #[cfg(not(feature = "pdfium"))]
    {
        PdfiumState::NotBuilt
    }
}

/// An engine that is available.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Builtin,
    Pdfium,
}

impl Engine {
    /// The engines to try, in order. A second one is used only if the first fails or produces garbage.
    pub(crate) fn chosen() -> &'static [Self] {
        match settings().engine {
            PdfEngine::Builtin => &[Self::Builtin],
            PdfEngine::Pdfium => &[Self::Pdfium],
            // Loading the library takes time, so its presence is checked only when the second engine is needed.
            PdfEngine::Auto if cfg!(feature = "pdfium") => &[Self::Builtin, Self::Pdfium],
            PdfEngine::Auto => &[Self::Builtin],
        }
    }
}

/// Reads a PDF with this engine.
///
/// # Errors
/// If the file cannot be read or the engine is not available; see [`PdfError`].
pub(crate) fn read_pdf(bytes: &[u8], engine: Engine, budget: &ReadBudget) -> Result<Draft, PdfError> {
    match engine {
        Engine::Builtin => reader::read_pdf(bytes, settings().password.as_deref(), budget),
        #[cfg(feature = "pdfium")]
        Engine::Pdfium => super::pdfium::read_pdf(bytes, settings(), budget),
        #[cfg(not(feature = "pdfium"))]
        Engine::Pdfium => Err(PdfError::NoPdfium {
            reason: "this build does not include pdfium".to_owned(),
        }),
    }
}

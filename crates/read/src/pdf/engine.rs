//! Which engine takes the letters off the pages. Everything after that is the same for all of them.

use std::path::PathBuf;
use std::sync::OnceLock;

use super::error::PdfError;
use super::reader;
use crate::budget::ReadBudget;
use crate::draft::Draft;

/// Who reads PDFs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PdfEngine {
    /// The engine of our own, and pdfium, where it is there, for files of which the first makes nothing or nonsense.
    #[default]
    Auto,
    /// The engine of our own alone.
    Builtin,
    /// pdfium alone.
    Pdfium,
}

/// How this process reads PDFs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PdfSettings {
    /// Who reads them.
    pub engine: PdfEngine,
    /// The pdfium library, or the folder it is in. Without it the library is looked for beside the program, then where the system keeps libraries.
    pub pdfium: Option<PathBuf>,
}

/// Whether pdfium can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PdfiumState {
    /// This build was made without the feature `pdfium`.
    NotBuilt,
    /// The library was not found, or does not load; why, in words.
    Missing {
        /// Where it was looked for and what went wrong there.
        reason: String,
    },
    /// Loaded.
    Ready {
        /// The file that was loaded; the library's bare name where the system found it.
        library: PathBuf,
    },
}

static SETTINGS: OnceLock<PdfSettings> = OnceLock::new();

/// Settles how this process reads PDFs: to be called before the first is read. A library is loaded once and for all, so the first call
/// counts; gives whether this was it.
pub fn configure(settings: PdfSettings) -> bool {
    SETTINGS.set(settings).is_ok()
}

fn settings() -> &'static PdfSettings {
    SETTINGS.get_or_init(PdfSettings::default)
}

/// Whether pdfium can be used; loads the library.
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

/// An engine that can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Builtin,
    Pdfium,
}

impl Engine {
    /// The engines to ask, in order: a second one only where the first makes nothing or nonsense of a file.
    pub(crate) fn chosen() -> &'static [Self] {
        match settings().engine {
            PdfEngine::Builtin => &[Self::Builtin],
            PdfEngine::Pdfium => &[Self::Pdfium],
            // Whether the library is there is asked when the second is wanted: loading it takes time.
            PdfEngine::Auto if cfg!(feature = "pdfium") => &[Self::Builtin, Self::Pdfium],
            PdfEngine::Auto => &[Self::Builtin],
        }
    }
}

/// Reads a PDF with this engine.
///
/// # Errors
/// When nothing can be made of it, or the engine is not there; see [`PdfError`].
pub(crate) fn read_pdf(bytes: &[u8], engine: Engine, budget: &ReadBudget) -> Result<Draft, PdfError> {
    match engine {
        Engine::Builtin => reader::read_pdf(bytes, budget),
        #[cfg(feature = "pdfium")]
        Engine::Pdfium => super::pdfium::read_pdf(bytes, settings().pdfium.as_deref(), budget),
        #[cfg(not(feature = "pdfium"))]
        Engine::Pdfium => Err(PdfError::NoPdfium {
            reason: "this build has no pdfium".to_owned(),
        }),
    }
}

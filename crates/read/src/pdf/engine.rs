//! Selects the engine that extracts text from PDF pages. All later steps are the same for every engine.

use std::fmt;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::OnceLock;

use super::error::PdfError;
use super::reader;
use crate::budget::ReadBudget;
use crate::draft::Draft;

/// PDF engines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PdfEngine {
    /// The built-in engine, with pdfium (if available) for files that the built-in engine cannot read or reads as garbage.
    #[default]
    Auto,
    /// Only the built-in engine.
    Builtin,
    /// Only pdfium.
    Pdfium,
}

/// PDF settings of this process.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PdfSettings {
    /// The engine to use.
    pub engine: PdfEngine,
    /// Path of the pdfium library or of its folder. By default the library is searched next to the program, then in the system's library folders.
    pub pdfium: Option<PathBuf>,
    /// The password of encrypted files.
    pub password: Option<Password>,
    /// Whether an OCR program reads the files whose text cannot be read otherwise.
    pub ocr: bool,
}

/// A password. Its debug form does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

impl From<String> for Password {
    fn from(password: String) -> Self {
        Self(password)
    }
}

impl Deref for Password {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(…)")
    }
}

/// Whether pdfium is available.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PdfiumState {
    /// This build does not include the feature `pdfium`.
    NotBuilt,
    /// The library was not found or could not be loaded.
    Missing {
        /// Where it was searched and what went wrong there.
        reason: String,
    },
    /// The library is loaded.
    Ready {
        /// The loaded file, or the library's bare name if the system found it.
        library: PathBuf,
    },
}

static SETTINGS: OnceLock<PdfSettings> = OnceLock::new();

/// Sets the PDF settings of this process. Must be called before the first PDF is read. A library is loaded only once, so only the first call has an
/// effect; returns whether this was the first.
pub fn configure(settings: PdfSettings) -> bool {
    SETTINGS.set(settings).is_ok()
}

pub(crate) fn settings() -> &'static PdfSettings {
    SETTINGS.get_or_init(PdfSettings::default)
}

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

use std::fmt;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::OnceLock;

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

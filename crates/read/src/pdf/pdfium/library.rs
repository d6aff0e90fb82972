use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock};

use pdfium_render::prelude::Pdfium;

use crate::pdf::settings::PdfiumState;

/// The loaded library. It is not thread-safe, so it opens one document at a time.
pub(super) struct Library {
    pub(super) pdfium: Mutex<Pdfium>,
    path: PathBuf,
}

static LIBRARY: OnceLock<Result<Library, String>> = OnceLock::new();

/// The library, loaded on first use.
///
/// # Errors
/// Why it cannot be used.
pub(super) fn library(configured: Option<&Path>) -> Result<&'static Library, &'static str> {
    LIBRARY
        .get_or_init(|| load(configured))
        .as_ref()
        .map_err(|reason| reason.as_str())
}

/// Whether the library is available.
pub(in crate::pdf) fn state(configured: Option<&Path>) -> PdfiumState {
    match library(configured) {
        Ok(library) => PdfiumState::Ready {
            library: library.path.clone(),
        },
        Err(reason) => PdfiumState::Missing {
            reason: reason.to_owned(),
        },
    }
}

fn load(configured: Option<&Path>) -> Result<Library, String> {
    let name = Pdfium::pdfium_platform_library_name();
    let places = match configured {
        // An explicit path is the only one tried.
        Some(path) if path.is_dir() => vec![path.join(&name)],
        Some(path) => vec![path.to_owned()],
        None => env::current_exe()
            .ok()
            .and_then(|program| Some(program.parent()?.join(&name)))
            .filter(|path| path.is_file())
            .into_iter()
            .chain([PathBuf::from(&name)])
            .collect(),
    };
    let mut reasons = Vec::new();
    for path in places {
        match Pdfium::bind_to_library(&path) {
            Ok(bindings) => {
                return Ok(Library {
                    pdfium: Mutex::new(Pdfium::new(bindings)),
                    path,
                });
            }
            Err(error) => reasons.push(why(&path, &error)),
        }
    }
    Err(format!("the pdfium library was not found: {}", reasons.join("; ")))
}

/// The error in words, with no more of the path than the user gave.
fn why(path: &Path, error: &pdfium_render::prelude::PdfiumError) -> String {
    use pdfium_render::prelude::PdfiumError;
    match error {
        PdfiumError::LoadLibraryError(error) => error.to_string(),
        error => format!("{}: {error:?}", path.display()),
    }
}

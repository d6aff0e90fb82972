use std::path::PathBuf;

use precedent_engine::read::{PdfEngine as Engine, PdfSettings, PdfiumState, configure_pdf, pdfium_state};

use crate::ExitCode;
use crate::args::{Command, PdfEngine};
use crate::exit::Failure;

/// Settles who reads PDFs in this process. Asking for pdfium where it cannot be used is wrong usage, told at once and not at the first paper;
/// `doctor` may ask, for it tells.
pub(super) fn configure(engine: PdfEngine, pdfium: Option<PathBuf>, command: &Command) -> Result<(), Failure> {
    configure_pdf(PdfSettings {
        engine: match engine {
            PdfEngine::Auto => Engine::Auto,
            PdfEngine::Builtin => Engine::Builtin,
            PdfEngine::Pdfium => Engine::Pdfium,
        },
        pdfium,
    });
    if engine != PdfEngine::Pdfium || matches!(command, Command::Doctor(_)) {
        return Ok(());
    }
    match pdfium_state() {
        PdfiumState::Ready { .. } => Ok(()),
        state => {
            let (why, how) = missing(&state);
            Err(Failure::said(ExitCode::Usage, format!("failed to read PDFs with pdfium: {why}")).hint(how))
        }
    }
}

/// Why pdfium cannot be used, and what to do about it.
pub(super) fn missing(state: &PdfiumState) -> (String, &'static str) {
    match state {
        PdfiumState::Missing { reason } => (
            reason.clone(),
            "name the library with --pdfium or PRECEDENT_PDFIUM; the Python package pypdfium2 has one inside, as pypdfium2_raw/libpdfium.so",
        ),
        _ => (
            "this build has no pdfium".to_owned(),
            "build it with `cargo build --release --features pdfium`, or leave --pdf-engine at `auto`",
        ),
    }
}

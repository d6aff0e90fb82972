use std::path::PathBuf;

use clap::ValueEnum;
use precedent_app::{AppError, ErrorKind};
use precedent_engine::read::{Password, PdfEngine as Engine, PdfSettings, PdfiumState, configure_pdf, pdfium_state};

use crate::args::Command;

/// Which extractor reads PDFs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PdfEngine {
    /// Built-in; pdfium, if installed, for files that the built-in extractor cannot read
    Auto,
    /// Built-in only
    Builtin,
    /// pdfium only
    Pdfium,
}

/// The global options on PDFs.
pub(super) struct PdfChoice {
    pub(super) engine: PdfEngine,
    pub(super) pdfium: Option<PathBuf>,
    pub(super) password: Option<Password>,
    pub(super) ocr: bool,
}

/// Sets the PDF extractor for this process. If pdfium is chosen but unavailable, this fails at once and not at the first paper, except for `doctor`,
/// which reports it.
pub(super) fn configure(choice: PdfChoice, command: &Command) -> Result<(), AppError> {
    let engine = choice.engine;
    if let Command::Batch(typed) = command
        && typed.store.fleet().is_some()
    {
        let given = [
            (engine != PdfEngine::Auto, "--pdf-engine"),
            (choice.ocr, "--ocr"),
            (choice.password.is_some(), "--pdf-password"),
        ];
        if let Some((_, option)) = given.iter().find(|(is_given, _)| *is_given) {
            let message = format!("{option} cannot be used with --store yet");
            return Err(AppError::with_message(ErrorKind::Usage, message)
                .hint("it would apply to this machine only; start each `precedent worker` with it, and use --jobs 0"));
        }
    }
    configure_pdf(PdfSettings {
        engine: match engine {
            PdfEngine::Auto => Engine::Auto,
            PdfEngine::Builtin => Engine::Builtin,
            PdfEngine::Pdfium => Engine::Pdfium,
        },
        pdfium: choice.pdfium,
        password: choice.password,
        ocr: choice.ocr,
    });
    if engine != PdfEngine::Pdfium || matches!(command, Command::Doctor(_)) {
        return Ok(());
    }
    match pdfium_state() {
        PdfiumState::Ready { .. } => Ok(()),
        state => {
            let (why, how) = missing(&state);
            Err(AppError::with_message(ErrorKind::Usage, format!("failed to read PDFs with pdfium: {why}")).hint(how))
        }
    }
}

/// Why pdfium cannot be used, and what to do about it.
pub(super) fn missing(state: &PdfiumState) -> (String, &'static str) {
    match state {
        PdfiumState::Missing { reason } => (
            reason.clone(),
            "set its path with --pdfium or PRECEDENT_PDFIUM; the Python package pypdfium2 contains it as pypdfium2_raw/libpdfium.so",
        ),
        _ => (
            "this build does not support pdfium".to_owned(),
            "build with `cargo build --release --features pdfium`, or use `--pdf-engine auto`",
        ),
    }
}

//! Reads a PDF with one engine, with another if the first fails or produces garbage, and by OCR if the user asked for it.

use precedent_domain::{Paper, PaperFormat, ReadWarning, ReadWarningKind};

use crate::ReadError;
use crate::assemble::assemble;
use crate::budget::ReadBudget;
use crate::input::{origin_of, refuse_scraps};
use crate::pdf::{Engine, ocr_program, read_pdf, settings};

/// Reads the bytes of a PDF.
///
/// # Errors
/// If no engine can read it; returns the error of the first engine.
pub(crate) fn read(bytes: &[u8], name: String) -> Result<Paper, ReadError> {
    let [first, others @ ..] = Engine::chosen() else {
        return one(bytes, name, Engine::Builtin);
    };
    let mut best = one(bytes, name.clone(), *first);
    for engine in others {
        if !in_doubt(&best) {
            break;
        }
        let Ok(mut other) = one(bytes, name.clone(), *engine) else {
            continue;
        };
        if best
            .as_ref()
            .map_or(true, |paper| other.quality.score > paper.quality.score)
        {
            other.warnings.push(ReadWarning {
                kind: ReadWarningKind::OtherEngine,
                message: "read with pdfium, because the built-in engine could not read this file well".to_owned(),
            });
            best = Ok(other);
        }
    }
    if settings().ocr && !matches!(&best, Ok(paper) if !is_garbled(paper)) && in_doubt(&best) {
        return recognised(bytes, name);
    }
    best
}

/// The paper as an installed OCR program reads it. Its hash is that of the original file.
fn recognised(bytes: &[u8], name: String) -> Result<Paper, ReadError> {
    let failed = |reason: String| ReadError::Ocr {
        name: name.clone(),
        reason,
    };
    let program = ocr_program().ok_or_else(|| failed("no OCR program was found".to_owned()))?;
    let layered = program
        .recognise(bytes)
        .map_err(|reason| failed(format!("{} failed: {reason}", program.name())))?;
    let mut paper = one(&layered, name, Engine::Builtin)?;
    paper.origin = origin_of(bytes, paper.origin.file_name, PaperFormat::Pdf);
    paper.warnings.push(ReadWarning {
        kind: ReadWarningKind::OtherEngine,
        message: format!(
            "the text was recognised from images by {}; check quotes and numbers against the pages",
            program.name()
        ),
    });
    Ok(paper)
}

fn is_garbled(paper: &Paper) -> bool {
    paper
        .warnings
        .iter()
        .any(|warning| warning.kind == ReadWarningKind::Garbled)
}

fn one(bytes: &[u8], name: String, engine: Engine) -> Result<Paper, ReadError> {
    let budget = ReadBudget::default();
    let draft = read_pdf(bytes, engine, &budget).map_err(|error| error.of_file(&name))?;
    let paper = assemble(draft, origin_of(bytes, name, PaperFormat::Pdf), &budget);
    refuse_scraps(&paper)?;
    Ok(paper)
}

/// Whether another engine might do better: pages were lost, or the text is garbage.
fn in_doubt(read: &Result<Paper, ReadError>) -> bool {
    match read {
        Ok(paper) => paper
            .warnings
            .iter()
            .any(|warning| matches!(warning.kind, ReadWarningKind::Garbled | ReadWarningKind::PagesLost)),
        Err(error) => matches!(
            error,
            ReadError::Damaged { .. } | ReadError::NoText { .. } | ReadError::NoLetters { .. }
        ),
    }
}

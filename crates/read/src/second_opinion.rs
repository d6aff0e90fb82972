//! Reads a PDF with one engine, and with another if the first fails or produces garbage.

use precedent_domain::{Paper, PaperFormat, ReadWarning, ReadWarningKind};

use crate::ReadError;
use crate::assemble::assemble;
use crate::budget::ReadBudget;
use crate::input::{origin_of, refuse_scraps};
use crate::pdf::{Engine, read_pdf};

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
    best
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

//! Reads a PDF with one engine, with another if the first fails or produces garbage, and by OCR if the user asked for it.

use precedent_domain::{OcrProblem, Paper, PaperFormat, ReadProblem, ReadWarning, ReadWarningKind};

use crate::ReadError;
use crate::assemble::assemble;
use crate::budget::ReadBudget;
use crate::origin::{origin_of, refuse_scraps};
use crate::pdf::{Engine, OCR_PAGES, OcrProgram, is_encrypted, ocr_program, page_count, read_pdf, settings};
use crate::warm_up::warm_up;

/// Reads the bytes of a PDF.
///
/// # Errors
/// If no engine can read it; returns the error of the first engine.
pub(crate) fn read(bytes: &[u8], name: String) -> Result<Paper, ReadError> {
    warm_up();
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
            other.warnings.push(ReadWarning::new(
                ReadWarningKind::OtherEngine,
                ReadProblem::ReadWithPdfium,
            ));
            best = Ok(other);
        }
    }
    if settings().ocr && !matches!(&best, Ok(paper) if !is_garbled(paper)) && in_doubt(&best) {
        return with_ocr(bytes, name, best, ocr_program().as_ref());
    }
    best
}

/// The paper as an OCR program reads it, if that is better than `best`.
fn with_ocr(
    bytes: &[u8],
    name: String,
    best: Result<Paper, ReadError>,
    program: Option<&OcrProgram>,
) -> Result<Paper, ReadError> {
    let reason = match (recognised(bytes, name.clone(), program), &best) {
        (Ok(paper), Ok(other)) if paper.quality.score <= other.quality.score => OcrProblem::NotBetter,
        (Ok(paper), _) => return Ok(paper),
        (Err(reason), _) => reason,
    };
    match best {
        Ok(mut paper) => {
            paper.warnings.push(ReadWarning::new(
                ReadWarningKind::Garbled,
                ReadProblem::OcrNotUsed { reason },
            ));
            Ok(paper)
        }
        Err(error) => Err(ReadError::Ocr {
            name,
            reason,
            without: Box::new(error),
        }),
    }
}

/// The paper as an OCR program reads it. Its hash is that of the original file.
fn recognised(bytes: &[u8], name: String, program: Option<&OcrProgram>) -> Result<Paper, OcrProblem> {
    let recognizer = program.ok_or(OcrProblem::NoProgram)?;
    if is_encrypted(bytes) {
        return Err(OcrProblem::Encrypted);
    }
    let pages = page_count(bytes);
    let program = recognizer.name().to_owned();
    let layered = match recognizer.recognise(bytes, pages) {
        Ok(layered) => layered,
        Err(failure) => return Err(OcrProblem::Failed { program, failure }),
    };
    let mut paper = match one(&layered, name, Engine::Builtin) {
        Ok(paper) => paper,
        Err(error) => {
            let failure = error.to_string();
            return Err(OcrProblem::Unusable { program, failure });
        }
    };
    paper.origin = origin_of(bytes, paper.origin.file_name, PaperFormat::Pdf);
    let mut warn = |kind, problem| paper.warnings.push(ReadWarning::new(kind, problem));
    warn(ReadWarningKind::OtherEngine, ReadProblem::RecognizedText { program });
    if let Some(pages) = pages.filter(|pages| *pages > OCR_PAGES) {
        let read = OCR_PAGES;
        warn(
            ReadWarningKind::Truncated,
            ReadProblem::FirstPagesRecognized { read, pages },
        );
    }
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

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use lopdf::{Document, Stream, dictionary};

    use super::*;

    /// A PDF of one page that shows this text.
    fn pdf(text: &str) -> Vec<u8> {
        let mut document = Document::with_version("1.5");
        let tree = document.new_object_id();
        let lines: String = text.split('.').map(|line| format!("({line}.) Tj T*\n")).collect();
        let content = format!("BT /F1 10 Tf 12 TL 72 700 Td\n{lines}ET");
        let content = document.add_object(Stream::new(dictionary! {}, content.into_bytes()));
        let font = document.add_object(dictionary! {
            "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica", "Encoding" => "WinAnsiEncoding",
        });
        let page = document.add_object(dictionary! {
            "Type" => "Page", "Parent" => tree, "Contents" => content,
            "MediaBox" => vec![0.into(), 0.into(), 612.into(), 792.into()],
            "Resources" => dictionary! { "Font" => dictionary! { "F1" => font } },
        });
        document.objects.insert(
            tree,
            dictionary! { "Type" => "Pages", "Kids" => vec![page.into()], "Count" => 1 }.into(),
        );
        let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
        document.trailer.set("Root", catalog);
        let mut bytes = Vec::new();
        document.save_to(&mut bytes).unwrap();
        bytes
    }

    const PROSE: &str = "Kelp ropes age in sea water and break after some years, so that farms lose a part of their harvest. We measure how fast \
        ropes of four kinds lose strength at two farms, and find that light matters more than salt.";

    fn in_pdf(text: &str) -> Result<Paper, ReadError> {
        one(&pdf(text), "a.pdf".to_owned(), Engine::Builtin)
    }

    #[test]
    fn ocr_replaces_only_worse_results() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ocrmypdf");
        let layered = folder.path().join("layered.pdf");
        fs::write(&layered, pdf(PROSE)).unwrap();
        let script = format!(
            "#!/bin/sh\nwhile [ $# -gt 2 ]; do shift; done\ncp '{}' \"$2\"\n",
            layered.display()
        );
        fs::write(&path, script).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        let program = OcrProgram::OcrMyPdf(path);
        let read = |bytes: &[u8], best, program| with_ocr(bytes, "a.pdf".to_owned(), best, program);
        let scan = pdf("");

        let paper = read(&scan, in_pdf(""), Some(&program)).unwrap();
        assert!(paper.document.text.contains("Kelp ropes age"));
        assert_eq!(paper.origin.bytes, scan.len() as u64);
        // A result of the same quality is no reason to replace text with recognised text.
        let kept = read(&scan, in_pdf(PROSE), Some(&program)).unwrap();
        let not_used = |paper: &Paper| match paper.warnings.last().and_then(|one| one.problem.clone()) {
            Some(ReadProblem::OcrNotUsed { reason }) => reason,
            other => panic!("{other:?}"),
        };
        assert_eq!(not_used(&kept), OcrProblem::NotBetter);

        // A failure hides neither a result nor the first error.
        let kept = read(&scan, in_pdf(PROSE), None).unwrap();
        assert_eq!(not_used(&kept), OcrProblem::NoProgram);
        let error = read(&scan, in_pdf(""), None).unwrap_err().to_string();
        assert!(error.contains("no OCR program was found"), "{error}");
        assert!(
            error.contains("almost no text") || error.contains("only images"),
            "{error}"
        );
        let locked = [scan.as_slice(), b"/Encrypt"].concat();
        let error = read(&locked, in_pdf(""), Some(&program)).unwrap_err().to_string();
        assert!(error.contains("save a copy without a password"), "{error}");
    }
}

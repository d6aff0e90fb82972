//! Reads a PDF with one engine, with another if the first fails or produces garbage, and by OCR if the user asked for it.

use precedent_domain::{Paper, PaperFormat, ReadWarning, ReadWarningKind};

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
            other.warnings.push(ReadWarning {
                kind: ReadWarningKind::OtherEngine,
                message: "read with pdfium, because the built-in engine could not read this file well".to_owned(),
            });
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
        (Ok(paper), Ok(other)) if paper.quality.score <= other.quality.score => "its text is not better".to_owned(),
        (Ok(paper), _) => return Ok(paper),
        (Err(reason), _) => reason,
    };
    match best {
        Ok(mut paper) => {
            paper.warnings.push(ReadWarning {
                kind: ReadWarningKind::Garbled,
                message: format!("OCR did not help: {reason}"),
            });
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
fn recognised(bytes: &[u8], name: String, program: Option<&OcrProgram>) -> Result<Paper, String> {
    let program = program.ok_or("no OCR program was found")?;
    if is_encrypted(bytes) {
        return Err("the file is encrypted; save a copy without a password".to_owned());
    }
    let pages = page_count(bytes);
    let layered = program
        .recognise(bytes, pages)
        .map_err(|reason| format!("{} failed: {reason}", program.name()))?;
    let mut paper = one(&layered, name, Engine::Builtin)
        .map_err(|error| format!("the result of {} is unusable: failed to {error}", program.name()))?;
    paper.origin = origin_of(bytes, paper.origin.file_name, PaperFormat::Pdf);
    let mut warn = |kind, message| paper.warnings.push(ReadWarning { kind, message });
    warn(
        ReadWarningKind::OtherEngine,
        format!(
            "the text was recognised from images by {}; check quotes and numbers against the pages",
            program.name()
        ),
    );
    if let Some(pages) = pages.filter(|pages| *pages > OCR_PAGES) {
        let message = format!("OCR covers only the first {OCR_PAGES} of {pages} pages");
        warn(ReadWarningKind::Truncated, message);
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
        assert_eq!(
            kept.warnings.last().unwrap().message,
            "OCR did not help: its text is not better"
        );

        // A failure hides neither a result nor the first error.
        let kept = read(&scan, in_pdf(PROSE), None).unwrap();
        assert_eq!(
            kept.warnings.last().unwrap().message,
            "OCR did not help: no OCR program was found"
        );
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

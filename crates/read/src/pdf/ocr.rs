//! Runs an installed OCR program on a PDF without text. Only at the user's request: it is slow, and recognised text has errors.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use super::child::run;
use crate::budget::FILE_LIMIT;
use crate::regular::read_file;

/// Maximum time for one file: 500 pages at 7 seconds. Tesseract needs 2 to 6 seconds for a page of a paper.
pub const OCR_TIME: Duration = Duration::from_secs(3_600);
/// Maximum pages of one file. Papers and most theses have fewer.
pub(crate) const OCR_PAGES: usize = 500;
/// Resolution of the images, in dots per inch. Tesseract's documentation recommends at least 300.
const RESOLUTION: &str = "300";
/// Length of the longer side of each image, in pixels: A4 in that resolution. Without a limit, a page of 5 m takes gigabytes.
const IMAGE_SIDE: &str = "3508";
/// Maximum size of an image in the file, in millions of pixels. A4 at 600 dots per inch has 35; 100 was chosen by hand, not measured.
const IMAGE_MEGAPIXELS: &str = "100";
/// Maximum time for one page, in seconds: 20 times what a dense page of a paper takes.
const PAGE_SECONDS: &str = "120";

/// An OCR program that is installed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OcrProgram {
    /// `ocrmypdf`, at this path.
    OcrMyPdf(PathBuf),
    /// `tesseract`, with `pdftoppm` for the images of the pages.
    Tesseract {
        /// Path of tesseract.
        tesseract: PathBuf,
        /// Path of pdftoppm.
        pdftoppm: PathBuf,
    },
}

impl OcrProgram {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::OcrMyPdf(_) => "ocrmypdf",
            Self::Tesseract { .. } => "tesseract",
        }
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::OcrMyPdf(path) | Self::Tesseract { tesseract: path, .. } => path,
        }
    }

    /// The file with a layer of recognised text on its first [`OCR_PAGES`] pages. `pages` is its number of pages, if known. Otherwise only the time
    /// limits `ocrmypdf`.
    ///
    /// # Errors
    /// If the program fails or takes too long; says why.
    pub(crate) fn recognise(&self, bytes: &[u8], pages: Option<usize>) -> Result<Vec<u8>, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        // Fixed names: nothing of the paper becomes part of a command.
        let file = |name: &str| folder.path().join(name);
        let (input, output) = (file("in.pdf"), file("out.pdf"));
        fs::write(&input, bytes).map_err(|error| error.to_string())?;
        let deadline = Instant::now() + OCR_TIME;
        match self {
            Self::OcrMyPdf(program) => {
                let mut command = Command::new(program);
                command.args(["--force-ocr", "--quiet", "--output-type", "pdf"]);
                command.args([
                    "--max-image-mpixels",
                    IMAGE_MEGAPIXELS,
                    "--tesseract-timeout",
                    PAGE_SECONDS,
                ]);
                if pages.is_some_and(|pages| pages > OCR_PAGES) {
                    command.args(["--pages", &format!("1-{OCR_PAGES}")]);
                }
                command.arg(&input).arg(&output);
                run(command, folder.path(), deadline)?;
            }
            Self::Tesseract { tesseract, pdftoppm } => {
                let pages = file("pages");
                fs::create_dir(&pages).map_err(|error| error.to_string())?;
                let mut command = Command::new(pdftoppm);
                command
                    .args(["-l", &OCR_PAGES.to_string(), "-scale-to", IMAGE_SIDE, "-gray", "-png"])
                    .arg(&input)
                    .arg(pages.join("page"));
                run(command, folder.path(), deadline)?;
                let mut images: Vec<String> = fs::read_dir(&pages)
                    .map_err(|error| error.to_string())?
                    .filter_map(|entry| Some(entry.ok()?.path().display().to_string()))
                    .collect();
                // The numbers in the names have leading zeros.
                images.sort();
                let list = file("pages.txt");
                fs::write(&list, images.join("\n")).map_err(|error| error.to_string())?;
                let mut command = Command::new(tesseract);
                // It adds the extension itself.
                command
                    .arg(&list)
                    .arg(output.with_extension(""))
                    .args(["--dpi", RESOLUTION, "pdf"]);
                run(command, folder.path(), deadline)?;
            }
        }
        read_file(&output, FILE_LIMIT).map_err(|error| format!("it wrote no PDF: {error}"))
    }
}

/// The OCR program on this machine's search path.
#[must_use]
pub fn ocr_program() -> Option<OcrProgram> {
    if let Some(path) = on_path("ocrmypdf") {
        return Some(OcrProgram::OcrMyPdf(path));
    }
    Some(OcrProgram::Tesseract {
        tesseract: on_path("tesseract")?,
        pdftoppm: on_path("pdftoppm")?,
    })
}

fn on_path(name: &str) -> Option<PathBuf> {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .map(|folder| folder.join(&name))
        .find(|path| path.is_file())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A program that runs this shell script.
    fn program(folder: &Path, name: &str, script: &str) -> PathBuf {
        let path = folder.join(name);
        fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Drops all arguments but the last two.
    const LAST_TWO: &str = "while [ $# -gt 2 ]; do shift; done";

    #[test]
    fn programs_are_called_without_words_of_the_paper() {
        let folder = tempfile::tempdir().unwrap();
        let script = format!(r#"[ "$1" = --force-ocr ] && {LAST_TWO}; cp "$1" "$2""#);
        let ocr = OcrProgram::OcrMyPdf(program(folder.path(), "a", &script));
        assert_eq!(ocr.recognise(b"%PDF-1.4 scan", None).unwrap(), b"%PDF-1.4 scan");
        let script = format!(r#"{LAST_TWO}; cat "$1" > "$2-2.png"; printf first > "$2-1.png""#);
        let ocr = OcrProgram::Tesseract {
            pdftoppm: program(folder.path(), "b", &script),
            tesseract: program(
                folder.path(),
                "c",
                r#"for page in $(cat "$1"); do cat "$page"; done > "$2.pdf""#,
            ),
        };
        assert_eq!(ocr.recognise(b" second", None).unwrap(), b"first second");
    }

    #[test]
    fn pages_and_images_are_limited() {
        let folder = tempfile::tempdir().unwrap();
        let script = format!(r#"all="$*"; {LAST_TWO}; echo "$all" > "$2""#);
        let ocr = OcrProgram::OcrMyPdf(program(folder.path(), "e", &script));
        let called = |pages| String::from_utf8(ocr.recognise(b"%PDF", pages).unwrap()).unwrap();
        assert!(called(Some(501)).contains("--pages 1-500"));
        assert!(!called(Some(500)).contains("--pages"));
        assert!(called(None).contains("--max-image-mpixels 100 --tesseract-timeout 120"));
        let ocr = OcrProgram::Tesseract {
            pdftoppm: program(
                folder.path(),
                "f",
                &format!(r#"all="$*"; {LAST_TWO}; echo "$all" > "$2-1.png""#),
            ),
            tesseract: program(folder.path(), "g", r#"cat "$(cat "$1")" > "$2.pdf""#),
        };
        let called = String::from_utf8(ocr.recognise(b"%PDF", None).unwrap()).unwrap();
        assert!(called.starts_with("-l 500 -scale-to 3508"), "{called}");
    }

    #[test]
    fn failures_include_the_message_of_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let failed = |script: &str| {
            OcrProgram::OcrMyPdf(program(folder.path(), "d", script))
                .recognise(b"%PDF", None)
                .unwrap_err()
        };
        assert!(failed("echo no language data >&2; exit 3").contains("no language data"));
        assert!(failed("true").contains("it wrote no PDF"));
        let missing = OcrProgram::OcrMyPdf(folder.path().join("none"));
        assert!(missing.recognise(b"%PDF", None).is_err());
    }
}

//! Runs an installed OCR program on a PDF without text. Only at the user's request: it is slow, and recognised text has errors.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::regular::read_file;

/// Maximum time for one file: 500 pages at 7 seconds. Tesseract needs 2 to 6 seconds for a page of a paper.
const TIME: Duration = Duration::from_secs(3_600);
/// How often a running program is checked.
const POLL: Duration = Duration::from_millis(50);
/// Maximum size of the result, in bytes.
const RESULT_BYTES: u64 = 200 << 20;
/// Resolution of the images, in dots per inch. Tesseract's documentation recommends at least 300.
const RESOLUTION: &str = "300";

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

    /// The file with a layer of recognised text.
    ///
    /// # Errors
    /// If the program fails or takes too long; says why.
    pub(crate) fn recognise(&self, bytes: &[u8]) -> Result<Vec<u8>, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        // Fixed names: nothing of the paper becomes part of a command.
        let file = |name: &str| folder.path().join(name);
        let (input, output) = (file("in.pdf"), file("out.pdf"));
        fs::write(&input, bytes).map_err(|error| error.to_string())?;
        let deadline = Instant::now() + TIME;
        match self {
            Self::OcrMyPdf(program) => {
                let mut command = Command::new(program);
                command
                    .args(["--force-ocr", "--quiet", "--output-type", "pdf"])
                    .arg(&input)
                    .arg(&output);
                run(command, deadline)?;
            }
            Self::Tesseract { tesseract, pdftoppm } => {
                let pages = file("pages");
                fs::create_dir(&pages).map_err(|error| error.to_string())?;
                let mut command = Command::new(pdftoppm);
                command
                    .args(["-r", RESOLUTION, "-gray", "-png"])
                    .arg(&input)
                    .arg(pages.join("page"));
                run(command, deadline)?;
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
                run(command, deadline)?;
            }
        }
        read_file(&output, RESULT_BYTES).map_err(|error| format!("it wrote no PDF: {error}"))
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

/// Runs a program to its end, without input. Its errors are kept, its output is not.
fn run(mut command: Command, deadline: Instant) -> Result<(), String> {
    let errors = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
    let sink = errors.reopen().map_err(|error| error.to_string())?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(sink);
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    loop {
        if let Some(status) = child.try_wait().map_err(|error| error.to_string())? {
            let said = read_file(errors.path(), 4_096).unwrap_or_default();
            let said = String::from_utf8_lossy(&said)
                .trim()
                .lines()
                .last()
                .unwrap_or_default()
                .to_owned();
            return match status.success() {
                true => Ok(()),
                false => Err(format!("{status}: {said}")),
            };
        }
        if Instant::now() >= deadline {
            // It may have ended by now.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("it took more than {} minutes", TIME.as_secs() / 60));
        }
        sleep(POLL);
    }
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

    #[test]
    fn programs_are_called_without_words_of_the_paper() {
        let folder = tempfile::tempdir().unwrap();
        let ocr = OcrProgram::OcrMyPdf(program(folder.path(), "a", r#"[ "$1" = --force-ocr ] && cp "$5" "$6""#));
        assert_eq!(ocr.recognise(b"%PDF-1.4 scan").unwrap(), b"%PDF-1.4 scan");
        let ocr = OcrProgram::Tesseract {
            pdftoppm: program(
                folder.path(),
                "b",
                r#"cat "$5" > "$6-2.png"; printf first > "$6-1.png""#,
            ),
            tesseract: program(
                folder.path(),
                "c",
                r#"for page in $(cat "$1"); do cat "$page"; done > "$2.pdf""#,
            ),
        };
        assert_eq!(ocr.recognise(b" second").unwrap(), b"first second");
    }

    #[test]
    fn failures_say_what_the_program_said() {
        let folder = tempfile::tempdir().unwrap();
        let failed = |script: &str| {
            OcrProgram::OcrMyPdf(program(folder.path(), "d", script))
                .recognise(b"%PDF")
                .unwrap_err()
        };
        assert!(failed("echo no language data >&2; exit 3").contains("no language data"));
        assert!(failed("true").contains("it wrote no PDF"));
        let missing = OcrProgram::OcrMyPdf(folder.path().join("none"));
        assert!(missing.recognise(b"%PDF").is_err());
    }
}

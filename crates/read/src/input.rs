//! Selects the format reader for a path or bytes.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use precedent_domain::{Paper, PaperFormat, PaperOrigin};
use sha2::{Digest, Sha256};

use crate::ReadError;
use crate::assemble::assemble;
use crate::budget::{FILE_LIMIT, ReadBudget, affordable};
use crate::decode::{decode, decode_html, decode_xml};
use crate::detect::{Detected, PAGES, UnsupportedFormat, detect, is_encrypted_office};
use crate::draft::Draft;
use crate::format::FormatError;
use crate::html::read_html;
use crate::latex::{self, LatexFiles, from_file, from_folder, from_source, read_latex};
use crate::markdown::{bibliography_names, read_markdown};
use crate::office::{PackageKind, ZipPackage, read_docx, read_epub, read_odt};
use crate::origin::{hex, origin_of, refuse_scraps};
use crate::regular::{read_file, special};
use crate::second_opinion;
use crate::text::read_text;
use crate::xml::{read_jats, read_tei};

/// Reads the paper at `path`: a file in any format, or a folder of LaTeX sources.
///
/// # Errors
/// If the file cannot be read as a paper; see [`ReadError`]. Mere doubts become warnings of the paper.
pub fn read(path: &Path) -> Result<Paper, ReadError> {
    let name = file_name(path);
    let metadata = fs::metadata(path).map_err(|source| io_error(&name, source))?;
    if let Some(what) = special(metadata.file_type()) {
        return Err(ReadError::NotAFile {
            name,
            what: what.to_owned(),
        });
    }
    if metadata.is_dir() {
        let files = from_folder(path);
        let files = match papers_beside(path, &files) {
            0 => files.map_err(|error| error.of_file(&name))?,
            papers => {
                let files = match papers {
                    1 => "1 file in it may be a paper".to_owned(),
                    many => format!("{many} files in it may be papers"),
                };
                return Err(ReadError::FolderOfPapers { name, files });
            }
        };
        return latex_paper(&files, name);
    }
    if metadata.len() > FILE_LIMIT {
        return Err(ReadError::TooLarge {
            name,
            bytes: metadata.len(),
            limit: FILE_LIMIT,
        });
    }
    let bytes = read_file(path, FILE_LIMIT).map_err(|source| io_error(&name, source))?;
    if detect(&bytes, &name) == Detected::Paper(PaperFormat::Latex) {
        // The files it includes are in the same folder.
        let files = from_file(&bytes, path).map_err(|error| error.of_file(&name))?;
        return latex_paper(&files, name);
    }
    if detect(&bytes, &name) == Detected::Paper(PaperFormat::Markdown) {
        // Citations are keys of a bibliography in the same folder.
        let names = bibliography_names(&decode(&bytes));
        if let Some(files) = latex::from_names(path, &names) {
            return cited_markdown(&bytes, name, files);
        }
    }
    read_bytes(&bytes, &name)
}

/// Whether [`read`] reads other files beside the file at `path`: those that LaTeX includes, and bibliographies.
#[must_use]
pub fn reads_other_files(path: &Path) -> bool {
    let Ok(bytes) = read_file(path, FILE_LIMIT) else {
        return false;
    };
    match detect(&bytes, &file_name(path)) {
        Detected::Paper(PaperFormat::Latex) => from_file(&bytes, path).is_ok_and(|files| files.iter().count() > 1),
        Detected::Paper(PaperFormat::Markdown) => {
            latex::from_names(path, &bibliography_names(&decode(&bytes))).is_some()
        }
        _ => false,
    }
}

/// A paper in Markdown with its bibliography. Its hash covers both.
fn cited_markdown(bytes: &[u8], name: String, bibliography: LatexFiles) -> Result<Paper, ReadError> {
    let budget = ReadBudget::default();
    let mut all = bytes.to_vec();
    all.extend(bibliography.iter().flat_map(|(_, text)| text.bytes()));
    let text = decode(bytes);
    let draft = read_markdown(affordable(&text, &budget), Some(bibliography)).map_err(|error| error.of_file(&name))?;
    let mut origin = origin_of(&all, name, PaperFormat::Markdown);
    origin.bytes = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let paper = assemble(draft, origin, &budget);
    refuse_scraps(&paper)?;
    Ok(paper)
}

/// Extensions of files that are whole papers.
const PAPERS: [&str; 11] = [
    ".pdf",
    ".html",
    ".htm",
    ".xml",
    ".md",
    ".markdown",
    ".txt",
    ".tar.gz",
    ".tgz",
    ".gz",
    ".tar",
];
/// Extensions of LaTeX, whose files may be parts of one paper.
const LATEX: [&str; 3] = [".tex", ".ltx", ".latex"];
/// Extensions of documents, which are papers of their own. In a LaTeX folder they are letters and notes.
const DOCUMENTS: [&str; 3] = [".docx", ".odt", ".epub"];
/// How deep papers are searched in subfolders.
const DEPTH: usize = 3;

/// The papers in a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FolderPapers {
    /// Files, and folders of LaTeX, in order of path.
    pub papers: Vec<PathBuf>,
    /// Files that are no papers by their name, links, and folders that are too deep to be searched.
    pub skipped: Vec<PathBuf>,
}

/// The papers in a folder: files by extension, LaTeX files that start a document, and subfolders that are one paper in LaTeX. Other subfolders are
/// searched too. Reports of this program and hidden files are left out. Links are not followed.
#[must_use]
pub fn papers_in_folder(folder: &Path) -> FolderPapers {
    let mut found = FolderPapers::default();
    let mut open = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = open.pop() {
        let holds_index = folder.join("summary.csv").is_file() && folder.join("summary.json").is_file();
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().to_lowercase();
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            let of_index = holds_index && ["index.html", "summary.csv", "summary.json"].contains(&name.as_str());
            if name.starts_with('.') || of_index || kind.is_dir() && is_run(&path) {
                continue;
            }
            let is_paper = match kind.is_dir() {
                true => is_latex_folder(&path),
                false if !kind.is_file() || name.starts_with("readme") => false,
                false => {
                    ends_in(&name, &PAPERS)
                        || ends_in(&name, &DOCUMENTS)
                        || ends_in(&name, &LATEX) && starts_document(&path)
                }
            };
            match is_paper {
                true => found.papers.push(path),
                false if kind.is_dir() && depth < DEPTH => open.push((path, depth + 1)),
                false if kind.is_file() && ends_in(&name, &LATEX) => {}
                false => found.skipped.push(path),
            }
        }
    }
    found.papers.sort();
    found.skipped.sort();
    found
}

/// Whether a folder is a run of this program, with reports and not papers in it.
fn is_run(folder: &Path) -> bool {
    let manifest = read_file(&folder.join("manifest.json"), FILE_LIMIT).unwrap_or_default();
    String::from_utf8_lossy(&manifest).contains("\"manifest_version\"")
}

/// Whether a folder is one paper in LaTeX: it has a document, and its other papers are figures or prints of that document.
#[must_use]
pub fn is_latex_folder(folder: &Path) -> bool {
    let (mut sources, mut others) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().to_lowercase();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && ends_in(&name, &LATEX) {
            sources.push((name, entry.path()));
        } else if is_file && ends_in(&name, &PAPERS) && !name.starts_with("readme") {
            others.push(name);
        }
    }
    if !sources.iter().any(|(_, path)| starts_document(path)) {
        return false;
    }
    let stem = |name: &str| name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
    let texts = sources
        .iter()
        .map(|(_, path)| read_file(path, FILE_LIMIT).unwrap_or_default());
    let texts: String = texts
        .map(|bytes| String::from_utf8_lossy(&bytes).to_lowercase())
        .collect();
    let belongs = |other: &String| {
        let named = stem(other);
        // As the file of a command: `{figures/plot}` or `{plot.pdf}`.
        let is_included = ['{', '/'].into_iter().any(|before| {
            ["}", ".pdf}", ".html}"]
                .into_iter()
                .any(|after| texts.contains(&format!("{before}{named}{after}")))
        });
        is_included || sources.iter().any(|(name, _)| stem(name) == named)
    };
    others.iter().all(belongs)
}

fn ends_in(name: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| name.ends_with(ending))
}

/// Whether a LaTeX file is a document of its own, not a part of one.
fn starts_document(path: &Path) -> bool {
    const START: &[u8] = b"\\documentclass";
    read_file(path, FILE_LIMIT).is_ok_and(|bytes| bytes.windows(START.len()).any(|window| window == START))
}

/// Number of files in a folder whose extension is that of a paper; 0 if it has LaTeX.
fn papers_beside(folder: &Path, files: &Result<LatexFiles, FormatError>) -> usize {
    if files.is_ok() {
        return 0;
    }
    let mut papers = 0;
    let mut open = vec![(folder.to_owned(), 0)];
    while let Some((path, depth)) = open.pop() {
        for entry in fs::read_dir(&path).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().to_lowercase();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && depth < DEPTH {
                open.push((entry.path(), depth + 1));
            } else if kind.is_file() && ends_in(&name, &LATEX) {
                return 0;
            } else if kind.is_file() && (ends_in(&name, &PAPERS) || ends_in(&name, &DOCUMENTS)) {
                papers += 1;
            }
        }
    }
    papers
}

/// A paper whose source is several files. Its hash covers all of them, in order of name.
fn latex_paper(files: &LatexFiles, name: String) -> Result<Paper, ReadError> {
    let budget = ReadBudget::default();
    let draft = read_latex(files).map_err(|error| error.of_file(&name))?;
    let mut hash = Sha256::new();
    let mut bytes = 0u64;
    for (file, text) in files.iter() {
        // A single file has its own hash.
        if files.iter().nth(1).is_some() {
            hash.update(file.as_bytes());
            hash.update([0]);
        }
        hash.update(text.as_bytes());
        bytes += u64::try_from(text.len()).unwrap_or_default();
    }
    let origin = PaperOrigin {
        file_name: name,
        format: PaperFormat::Latex,
        sha256: hex(&hash.finalize()),
        bytes,
    };
    let paper = assemble(draft, origin, &budget);
    refuse_scraps(&paper)?;
    Ok(paper)
}

/// Reads a paper from the bytes of a file. `file_name` helps to distinguish text formats and is recorded in the paper's origin.
///
/// # Errors
/// If the bytes cannot be read as a paper; see [`ReadError`].
pub fn read_bytes(bytes: &[u8], file_name: &str) -> Result<Paper, ReadError> {
    let name = self::file_name(Path::new(file_name));
    let size = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if size > FILE_LIMIT {
        return Err(ReadError::TooLarge {
            name,
            bytes: size,
            limit: FILE_LIMIT,
        });
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(ReadError::Empty { name });
    }
    if is_encrypted_office(bytes) {
        return Err(ReadError::Encrypted { name });
    }
    let budget = ReadBudget::default();
    let (format, draft) = match detect(bytes, &name) {
        Detected::PaperJson => return reread(bytes, name),
        Detected::Other(what) => return Err(not_a_paper(name, what)),
        Detected::Unsupported(format) => return Err(unsupported(name, format)),
        Detected::Zip => read_zip(bytes, &name, &budget)?,
        Detected::LatexArchive => {
            let files = latex::from_bytes(bytes).map_err(|error| error.of_file(&name))?;
            let draft = read_latex(&files).map_err(|error| error.of_file(&name))?;
            (PaperFormat::Latex, draft)
        }
        Detected::Paper(PaperFormat::Pdf) => return second_opinion::read(bytes, name),
        Detected::Paper(format) => (format, draft_of(format, bytes, &name, &budget)?),
    };
    let paper = assemble(draft, origin_of(bytes, name, format), &budget);
    refuse_scraps(&paper)?;
    Ok(paper)
}

/// Reads a zip archive: a document of a word processor, an e-book, or a LaTeX project as Overleaf exports it.
fn read_zip(bytes: &[u8], name: &str, budget: &ReadBudget) -> Result<(PaperFormat, Draft), ReadError> {
    let of_file = |error: FormatError| error.of_file(name);
    let mut package = ZipPackage::open(bytes, budget).map_err(of_file)?;
    let (format, draft) = match package.kind() {
        PackageKind::Docx => (PaperFormat::Docx, read_docx(&mut package)),
        PackageKind::Odt => (PaperFormat::Odt, read_odt(&mut package, budget)),
        PackageKind::Epub => (PaperFormat::Epub, read_epub(&mut package, budget)),
        PackageKind::Pages => return Err(unsupported(name.to_owned(), &PAGES)),
        PackageKind::Other(what) => return Err(not_a_paper(name.to_owned(), what)),
        PackageKind::Archive => {
            let files = latex::from_zip(&mut package);
            let files = files.ok_or_else(|| not_a_paper(name.to_owned(), "a zip archive without a LaTeX document"))?;
            (PaperFormat::Latex, read_latex(&files))
        }
    };
    Ok((format, draft.map_err(of_file)?))
}

fn not_a_paper(name: String, what: &str) -> ReadError {
    let what = what.to_owned();
    ReadError::NotAPaper { name, what }
}

fn unsupported(name: String, format: &'static UnsupportedFormat) -> ReadError {
    let (what, how) = (format.name.to_owned(), format.hint);
    ReadError::Unsupported { name, what, how }
}

fn draft_of(format: PaperFormat, bytes: &[u8], name: &str, budget: &ReadBudget) -> Result<Draft, ReadError> {
    match format {
        PaperFormat::Latex => from_source(bytes, name)
            .and_then(|files| read_latex(&files))
            .map_err(|error| error.of_file(name)),
        PaperFormat::Markdown => {
            read_markdown(affordable(&decode(bytes), budget), None).map_err(|error| error.of_file(name))
        }
        PaperFormat::Text => read_text(affordable(&decode(bytes), budget)).map_err(|error| error.of_file(name)),
        PaperFormat::Html => read_html(&decode_html(bytes), budget).map_err(|error| error.of_file(name)),
        PaperFormat::Jats => read_jats(&decode_xml(bytes)).map_err(|error| error.of_file(name)),
        PaperFormat::Tei => read_tei(&decode_xml(bytes)).map_err(|error| error.of_file(name)),
        other => Err(not_a_paper(name.to_owned(), &format!("{other:?}"))),
    }
}

/// A paper in JSON form. Its spans are checked again because the file may have been edited.
fn reread(bytes: &[u8], name: String) -> Result<Paper, ReadError> {
    let damaged = |reason: String| ReadError::Damaged {
        name: name.clone(),
        reason,
    };
    let paper: Paper = serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
    paper.document.check().map_err(&damaged)?;
    let fits = |span: precedent_domain::Span| paper.document.slice(span).is_some();
    let places = paper
        .abstract_span
        .into_iter()
        .chain(paper.references.iter().map(|reference| reference.span))
        .chain(paper.citations.iter().map(|citation| citation.span));
    for span in places {
        if !fits(span) {
            return Err(damaged(format!(
                "the span {}..{} does not fit its text",
                span.start, span.end
            )));
        }
    }
    let numbers: BTreeSet<u32> = paper.references.iter().map(|reference| reference.number).collect();
    let known = |number: &u32| numbers.contains(number);
    if !paper
        .citations
        .iter()
        .all(|citation| citation.references.iter().all(known))
    {
        return Err(damaged(
            "a citation mark names a reference that is not in the list".to_owned(),
        ));
    }
    Ok(paper)
}

fn io_error(name: &str, source: io::Error) -> ReadError {
    let name = name.to_owned();
    match source.kind() {
        io::ErrorKind::NotFound => ReadError::NotFound { name },
        _ => ReadError::Unreadable { name, source },
    }
}

/// The file name without its folder: a report must not reveal where users keep their papers.
fn file_name(path: &Path) -> String {
    path.file_name()
        .map_or_else(|| "paper".to_owned(), |name| name.to_string_lossy().into_owned())
}

//! The papers of a batch, and what they are called.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use precedent_engine::ledger::InputHash;
use precedent_engine::read::{self, FolderPapers};
use precedent_report::{BatchPaper, BatchStatus};

use crate::{AppError, ErrorKind, input};

/// Papers, and the files beside them that are none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BatchPapers {
    /// The papers, in order.
    pub papers: Vec<PathBuf>,
    /// Files of folders that are no papers by their name, and links.
    pub skipped: Vec<PathBuf>,
}

impl BatchPapers {
    /// The papers of `inputs`: each folder of papers is replaced by its papers, in order of path. A folder that is one paper in LaTeX stays one paper.
    /// Paths that occur twice are kept once.
    #[must_use]
    pub fn of(inputs: &[PathBuf]) -> Self {
        let mut all = Self::default();
        for input in inputs {
            let found = match input.is_dir() && !read::is_latex_folder(input) {
                true => read::papers_in_folder(input),
                false => FolderPapers::default(),
            };
            match found.papers.as_slice() {
                // The reader says what is wrong with a folder without papers, and finds LaTeX in a subfolder.
                [] => all.papers.push(input.clone()),
                [one] if one.is_dir() => all.papers.push(input.clone()),
                papers => all.papers.extend_from_slice(papers),
            }
            all.skipped.extend(found.skipped);
        }
        let mut known = BTreeSet::new();
        all.papers.retain(|paper| known.insert(paper.clone()));
        all
    }

    /// The papers in a folder that has many.
    ///
    /// # Errors
    /// If there is none.
    pub fn in_folder(folder: &Path) -> Result<Self, AppError> {
        let FolderPapers { papers, skipped } = read::papers_in_folder(folder);
        match papers.is_empty() {
            true => Err(
                AppError::with_message(ErrorKind::Input, format!("{} contains no papers", folder.display()))
                    .hint("papers are PDF, DOCX, ODT, EPUB, LaTeX, HTML, XML, Markdown and text files; links are not followed"),
            ),
            false => Ok(Self { papers, skipped }),
        }
    }

    /// The papers listed in a file: one path, identifier or URL per line. Empty lines and lines that start with `#` are skipped. Relative paths are
    /// relative to the file.
    ///
    /// # Errors
    /// If the file cannot be read, lists nothing, or is no list.
    pub fn listed(list: &Path) -> Result<Self, AppError> {
        const HINT: &str =
            "give a folder, or a text file with one path, identifier or URL per line; `precedent assess` takes papers";
        let not_a_list = |fault| {
            let message = format!("{} {fault}", list.display());
            Err(AppError::with_message(ErrorKind::Input, message).hint(HINT))
        };
        let bytes = input::bytes(list).map_err(|error| error.hint(HINT))?;
        let Ok(text) = String::from_utf8(bytes) else {
            return not_a_list("is not a list of papers: it is not text in UTF-8");
        };
        let folder = list.parent().unwrap_or(Path::new(""));
        let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
        let lines: Vec<&str> = lines
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .collect();
        match lines.iter().any(|line| line.starts_with(['{', '[', '<', '%', '"'])) {
            true => not_a_list("is not a list of papers"),
            false if lines.is_empty() => not_a_list("lists no papers"),
            false => {
                let papers: Vec<PathBuf> = lines.iter().map(|line| listed_path(folder, line)).collect();
                Ok(Self::of(&papers))
            }
        }
    }
}

/// The path of a line, or the line itself if it is an identifier or URL. A path that exists only in the current folder is a mistake, not an identifier.
fn listed_path(folder: &Path, line: &str) -> PathBuf {
    let beside = folder.join(line);
    match beside.exists() || Path::new(line).exists() {
        true => beside,
        false => PathBuf::from(line),
    }
}

/// The folder for a batch of these inputs if the user names none: `runs/batch-NAME-HASH`. The hash is of the inputs' absolute paths.
#[must_use]
pub fn batch_folder(inputs: &[PathBuf]) -> PathBuf {
    let absolute = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    let paths: Vec<PathBuf> = inputs.iter().map(absolute).collect();
    let name = paths.first().and_then(|path| path.file_stem()).unwrap_or_default();
    let letters = name.to_string_lossy().to_lowercase();
    let name: String = letters
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '-')
        .take(40)
        .collect();
    let name = if name.is_empty() { "papers" } else { &name };
    let parts: Vec<String> = paths.iter().map(|path| path.to_string_lossy().into_owned()).collect();
    let hash = InputHash::of(parts.iter().map(String::as_bytes));
    let hash: String = hash.as_str().chars().take(8).collect();
    Path::new("runs").join(format!("batch-{name}-{hash}"))
}

/// The folder that all existing papers are in.
pub(crate) fn common_folder(papers: &[PathBuf]) -> PathBuf {
    let mut folders = papers
        .iter()
        .filter(|paper| paper.exists())
        .filter_map(|paper| paper.parent());
    let first = folders.next().unwrap_or(Path::new("")).to_owned();
    folders.fold(first, |common, folder| {
        let shared = common.components().zip(folder.components());
        shared.take_while(|(a, b)| a == b).map(|(part, _)| part).collect()
    })
}

/// The name of a paper: its path in the folder that all are in. An identifier or URL stays as it is, and of other paths only the file name is kept.
pub(crate) fn name_of(paper: &Path, common: &Path) -> String {
    let name = match paper.strip_prefix(common) {
        Ok(rest) if paper.exists() && !rest.is_absolute() => rest.as_os_str(),
        _ if paper.is_absolute() || paper.starts_with("..") => paper.file_name().unwrap_or_default(),
        _ => paper.as_os_str(),
    };
    name.to_string_lossy().into_owned()
}

/// The line of a paper in the index before its run.
pub(crate) fn waiting(name: &str, folder: Option<&str>) -> BatchPaper {
    BatchPaper {
        paper: name.to_owned(),
        folder: folder.map(str::to_owned),
        status: BatchStatus::Waiting,
        error: None,
        area: None,
        files: Vec::new(),
        summary: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_have_no_folder_of_this_machine() {
        let folder = tempfile::tempdir().unwrap();
        let papers: Vec<PathBuf> = ["001/paper.pdf", "002/paper.pdf"]
            .map(|name| folder.path().join("subs").join(name))
            .to_vec();
        for paper in &papers {
            std::fs::create_dir_all(paper.parent().unwrap()).unwrap();
            std::fs::write(paper, "x").unwrap();
        }
        let common = common_folder(&papers);
        let names: Vec<String> = papers.iter().map(|paper| name_of(paper, &common)).collect();
        assert_eq!(names, ["001/paper.pdf", "002/paper.pdf"]);
        assert_eq!(name_of(Path::new("/home/someone/missing.pdf"), &common), "missing.pdf");
        assert_eq!(name_of(Path::new("arXiv:2509.08755"), &common), "arXiv:2509.08755");
    }

    #[test]
    fn different_inputs_have_different_default_folders() {
        let of = |name: &str| batch_folder(&[PathBuf::from(name)]);
        assert_eq!(of("a/papers"), of("a/papers"));
        assert_ne!(of("a/papers"), of("b/papers"));
        assert!(of("a/papers").starts_with("runs"));
    }
}

//! Long because every form in which sources arrive (file, folder, archive, bibliography) needs the same checks of names and limits.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::rc::Rc;

use flate2::read::MultiGzDecoder;
use precedent_domain::ParagraphKind;
use precedent_text::pattern;

use crate::decode::decode;
use crate::draft::Block;
use crate::format::FormatError;
use crate::office::ZipPackage;
use crate::regular::open_file;

/// Maximum entries of an archive or folder that are inspected.
const ENTRIES: usize = 20_000;
/// Maximum source files kept.
const KEPT: usize = 2_000;
/// Maximum bytes per source file.
const FILE_BYTES: u64 = 20 << 20;
/// Maximum bytes of all source files together.
const TOTAL_BYTES: usize = 60 << 20;
/// Maximum unpacked size of an archive in bytes, figures included.
const UNPACKED_BYTES: u64 = 1 << 30;
/// Maximum folder depth.
const FOLDER_DEPTH: usize = 8;

const FORMAT: &str = "LaTeX";

/// The source files of one paper, in memory, under names relative to its folder. File names in the paper are resolved only here.
#[derive(Debug, Clone, Default)]
pub(crate) struct LatexFiles {
    files: BTreeMap<String, Rc<str>>,
    main: String,
    /// Whether a limit caused files to be left out.
    pub(crate) limited: bool,
}

/// A single source file.
///
/// # Errors
/// If there is no text.
pub(crate) fn from_source(bytes: &[u8], name: &str) -> Result<LatexFiles, FormatError> {
    let mut files = LatexFiles::default();
    let name = checked_name(name).unwrap_or_else(|| "paper.tex".to_owned());
    files.files.insert(name, decode(bytes).into());
    files.choose_main()
}

/// An arXiv source download: a gzipped tar, a tar, a gzipped file, or the file itself.
///
/// # Errors
/// If it contains no LaTeX or cannot be unpacked.
pub(crate) fn from_bytes(bytes: &[u8]) -> Result<LatexFiles, FormatError> {
    if bytes.is_empty() {
        return Err(FormatError::Empty);
    }
    if !bytes.starts_with(b"\x1f\x8b") {
        return if is_tar(bytes) {
            from_archive(bytes)
        } else {
            from_source(bytes, "paper.tex")
        };
    }
    let mut head = Vec::new();
    // Reading a truncated archive ends in an error; the bytes before it are still useful.
    let _ = MultiGzDecoder::new(bytes).take(512).read_to_end(&mut head);
    if is_tar(&head) {
        return from_archive(MultiGzDecoder::new(bytes));
    }
    let mut text = Vec::new();
    let unpacked = MultiGzDecoder::new(bytes).take(FILE_BYTES).read_to_end(&mut text);
    if text.is_empty() {
        let reason = unpacked
            .err()
            .map_or_else(|| "it is empty after unpacking".to_owned(), |error| error.to_string());
        return Err(FormatError::not("a gzipped LaTeX source", reason));
    }
    if text.starts_with(b"%PDF") {
        return Err(FormatError::not(
            "a gzipped LaTeX source",
            "it contains a PDF; unpack it first",
        ));
    }
    from_source(&text, "paper.tex")
}

/// Reads a tar archive. Links, absolute names and names with `..` are skipped; nothing is ever written to disk.
fn from_archive(reader: impl Read) -> Result<LatexFiles, FormatError> {
    let mut files = LatexFiles::default();
    let mut archive = tar::Archive::new(reader.take(UNPACKED_BYTES));
    let entries = archive
        .entries()
        .map_err(|error| FormatError::not("a LaTeX archive", error.to_string()))?;
    for (count, entry) in entries.enumerate() {
        // A damaged archive: keep the entries before the damage.
        let Ok(mut entry) = entry else {
            files.limited = true;
            break;
        };
        if count >= ENTRIES {
            files.limited = true;
            break;
        }
        let name = entry.path().ok().and_then(|path| checked_name(&path.to_string_lossy()));
        let Some(name) = name.filter(|name| entry.header().entry_type().is_file() && is_source(name)) else {
            continue;
        };
        let mut bytes = Vec::new();
        let complete = entry.by_ref().take(FILE_BYTES).read_to_end(&mut bytes).is_ok();
        files.limited |= !complete;
        files.keep(name, &bytes);
    }
    files.choose_main()
}

/// Reads a project in a zip archive, such as an export from Overleaf. `None` if it has no LaTeX document. Links, absolute names and names with
/// `..` are skipped; nothing is ever written to disk.
pub(crate) fn from_zip(package: &mut ZipPackage<'_>) -> Option<LatexFiles> {
    let mut files = LatexFiles::default();
    for stored in package.names() {
        let Some(name) = checked_name(&stored).filter(|name| !stored.ends_with('/') && is_source(name)) else {
            continue;
        };
        match package.bytes(&stored) {
            Ok(Some(bytes)) if bytes.len() as u64 <= FILE_BYTES => files.keep(name, &bytes),
            _ => files.limited = true,
        }
    }
    files.choose_main().ok()
}

/// Reads a folder. Links are not followed.
///
/// # Errors
/// If it cannot be listed or contains no LaTeX.
pub(crate) fn from_folder(folder: &Path) -> Result<LatexFiles, FormatError> {
    let mut files = LatexFiles::default();
    let root = fs::canonicalize(folder).ok();
    let mut seen = 0usize;
    let mut open = vec![(folder.to_owned(), String::new(), 0usize)];
    while let Some((path, prefix, depth)) = open.pop() {
        let listing = match fs::read_dir(&path) {
            Ok(listing) => listing,
            Err(error) if depth == 0 => return Err(FormatError::not("a folder of LaTeX sources", error.to_string())),
            Err(_) => continue,
        };
        for entry in listing.flatten() {
            seen += 1;
            if seen > ENTRIES {
                files.limited = true;
                return files.choose_main();
            }
            let name = entry.file_name().to_string_lossy().into_owned();
            let relative = format!("{prefix}{name}");
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() && depth < FOLDER_DEPTH && !name.starts_with('.') {
                open.push((entry.path(), format!("{relative}/"), depth + 1));
            } else if kind.is_file() && is_source(&relative) {
                let bytes = root.as_deref().and_then(|root| bytes_inside(root, &entry.path()));
                match (bytes, checked_name(&relative)) {
                    (Some(bytes), Some(relative)) => files.keep(relative, &bytes),
                    _ => files.limited = true,
                }
            }
        }
    }
    files.choose_main()
}

/// Reads a single file on disk and the files it names (`\input`, `\bibliography`, its own packages). These must be in its folder or below; a link
/// is followed only if it leads to a path inside the folder.
///
/// # Errors
/// If there is no text.
pub(crate) fn from_file(bytes: &[u8], path: &Path) -> Result<LatexFiles, FormatError> {
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name
        .and_then(|name| checked_name(&name))
        .unwrap_or_else(|| "paper.tex".to_owned());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let root = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok();
    let mut files = LatexFiles {
        main: name.clone(),
        ..LatexFiles::default()
    };
    files.keep(name.clone(), bytes);
    if files.main_text().trim().is_empty() {
        return Err(FormatError::Empty);
    }
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
    let mut wanted = vec![format!("{stem}.bbl")];
    wanted.extend(named_files(&files.main_text()));
    let mut tried = 0;
    while let Some(name) = wanted.pop() {
        tried += 1;
        if tried > ENTRIES {
            files.limited = true;
            break;
        }
        let Some(name) = checked_name(&name).filter(|name| !files.files.contains_key(name)) else {
            continue;
        };
        if !is_source(&name) {
            continue;
        }
        if let Some(bytes) = root.as_deref().and_then(|root| bytes_inside(root, &root.join(&name))) {
            files.keep(name.clone(), &bytes);
            if let Some(text) = files.files.get(&name) {
                wanted.extend(named_files(text));
            }
        }
    }
    Ok(files)
}

/// The files with these names in the folder of the file at `path` or below it. Links that leave the folder are not followed. `None` if there is none.
pub(crate) fn from_names(path: &Path, names: &[String]) -> Option<LatexFiles> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let root = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
    let mut files = LatexFiles::default();
    for name in names.iter().take(KEPT).filter_map(|name| checked_name(name)) {
        if let Some(bytes) = bytes_inside(&root, &root.join(&name)) {
            files.keep(name, &bytes);
        }
    }
    (!files.files.is_empty()).then_some(files)
}

/// The entries with these keys of the given `.bib` files, as a LaTeX paper would print them.
pub(crate) fn cited_entries(mut files: LatexFiles, keys: &[String]) -> Vec<Block> {
    let names: Vec<&str> = files.files.keys().map(|name| name.trim_end_matches(".bib")).collect();
    let paper = format!(
        "\\documentclass{{article}}\\begin{{document}}\\nocite{{{}}}\\bibliography{{{}}}\\end{{document}}",
        keys.join(","),
        names.join(",")
    );
    files.main = "paper.tex".to_owned();
    files.files.insert(files.main.clone(), paper.into());
    let entries = super::read_latex(&files).map(|draft| draft.blocks).unwrap_or_default();
    entries
        .into_iter()
        .filter(|block| block.kind == ParagraphKind::Reference)
        .collect()
}

/// The bytes of a file inside the folder `root`, which is a path without links. All links on the way are resolved; files outside `root` are not
/// read.
fn bytes_inside(root: &Path, file: &Path) -> Option<Vec<u8>> {
    let resolved = fs::canonicalize(file).ok()?;
    if !resolved.starts_with(root) {
        return None;
    }
    let mut bytes = Vec::new();
    open_file(&resolved)
        .ok()?
        .take(FILE_BYTES)
        .read_to_end(&mut bytes)
        .ok()?;
    Some(bytes)
}

/// The names of files that a source includes, with their possible extensions.
fn named_files(text: &str) -> Vec<String> {
    let pattern = pattern!(
        r"\\(input|include|subfile|subfileinclude|bibliography|addbibresource|usepackage)\s*(?:\[[^\]]*\])?\{([^{}]{1,300})\}"
    );
    let mut names = Vec::new();
    for found in pattern.captures_iter(text).take(KEPT) {
        let (Some(command), Some(list)) = (found.get(1), found.get(2)) else {
            continue;
        };
        for name in list.as_str().split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let ending = match command.as_str() {
                "bibliography" | "addbibresource" => "bib",
                "usepackage" => "sty",
                _ => "tex",
            };
            names.extend([format!("{name}.{ending}"), name.to_owned()]);
        }
    }
    names
}

impl LatexFiles {
    /// The files with their names, sorted by name.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(name, text)| (name.as_str(), &**text))
    }

    pub(crate) fn main_name(&self) -> &str {
        &self.main
    }

    pub(crate) fn main_text(&self) -> Rc<str> {
        self.files.get(&self.main).cloned().unwrap_or_else(|| "".into())
    }

    /// The files whose names end in `extension`, sorted by name.
    pub(crate) fn with_extension(&self, extension: &str) -> impl Iterator<Item = (&str, Rc<str>)> {
        let ending = format!(".{extension}");
        self.files
            .iter()
            .filter(move |(name, _)| name.ends_with(&ending))
            .map(|(name, text)| (name.as_str(), text.clone()))
    }

    /// Resolves `name` as used in the file `from`: with one of `extensions` or unchanged, relative to the main file's folder or to that of `from`.
    pub(crate) fn resolve(&self, name: &str, from: &str, extensions: &[&str]) -> Option<(&str, Rc<str>)> {
        let name = name.trim().trim_matches('"');
        let folder = |file: &str| {
            file.rsplit_once('/')
                .map_or(String::new(), |(folder, _)| format!("{folder}/"))
        };
        for base in [folder(&self.main), folder(from), String::new()] {
            let Some(path) = plain_path(&format!("{base}{name}")) else {
                continue;
            };
            let candidates = extensions.iter().map(|extension| format!("{path}.{extension}"));
            for candidate in candidates.chain([path.clone()]) {
                if let Some((found, text)) = self.files.get_key_value(&candidate) {
                    return Some((found, text.clone()));
                }
            }
        }
        None
    }

    fn keep(&mut self, name: String, bytes: &[u8]) {
        let total: usize = self.files.values().map(|text| text.len()).sum();
        if self.files.len() >= KEPT || total + bytes.len() > TOTAL_BYTES {
            self.limited = true;
        } else {
            self.files.insert(name, decode(bytes).into());
        }
    }

    /// Chooses the main file: it opens a document and is not a supplement, response letter or template.
    fn choose_main(mut self) -> Result<Self, FormatError> {
        if self.files.values().all(|text| text.trim().is_empty()) {
            return Err(FormatError::Empty);
        }
        let wanted = self
            .files
            .iter()
            .find(|(name, _)| name.starts_with("00README"))
            .and_then(|(_, text)| top_level(text));
        let best = self
            .files
            .iter()
            .filter(|(name, _)| {
                has_extension(name, &["tex", "ltx", "latex", "txt", ""]) && !name.starts_with("00README")
            })
            .map(|(name, text)| (rank(name, text, wanted.as_deref()), name))
            .max_by(|(a, first), (b, second)| a.cmp(b).then(second.cmp(first)));
        match best {
            Some((rank, name)) if rank.0 > 0 => {
                self.main = name.clone();
                Ok(self)
            }
            _ => Err(FormatError::not(
                FORMAT,
                "no file has \\documentclass, \\begin{document} or \\section",
            )),
        }
    }
}

/// Rank of a file as the main one: what it opens, its name, its size.
fn rank(name: &str, text: &str, wanted: Option<&str>) -> (u8, i32, usize) {
    let live = |mark: &str| {
        text.split('\n')
            .any(|line| line.split_once(mark).is_some_and(|(before, _)| !before.contains('%')))
    };
    let class = live("\\documentclass") || live("\\documentstyle");
    let opens = live("\\begin{document}");
    let alone = text.contains("{standalone}") || text.contains("{subfiles}");
    let level = match (class, opens) {
        (true, true) if !alone => 4,
        (true, true) => 3,
        (_, true) => 2,
        (true, _) => 2,
        _ if [
            "\\section",
            "\\chapter",
            "\\title",
            "\\begin{abstract}",
            "\\input",
            "\\bye",
            "\\beginsection",
        ]
        .iter()
        .any(|mark| text.contains(mark)) =>
        {
            1
        }
        _ => 0,
    };
    let lower = name.to_lowercase();
    let stem = lower.rsplit('/').next().unwrap_or_default();
    let stem = stem.split('.').next().unwrap_or_default();
    let mut points = 0;
    if wanted == Some(name) {
        points += 100;
    }
    if matches!(
        stem,
        "main" | "ms" | "paper" | "manuscript" | "article" | "root" | "arxiv"
    ) {
        points += 10;
    }
    for word in [
        "supp",
        "appendix",
        "response",
        "rebuttal",
        "cover",
        "letter",
        "template",
        "sample",
        "example",
        "poster",
        "slides",
        "checklist",
        "diff",
    ] {
        if stem.contains(word) {
            points -= 10;
        }
    }
    points -= i32::try_from(lower.matches('/').count()).unwrap_or(0) * 2;
    (level, points, text.len())
}

/// The main file that arXiv's `00README` names.
fn top_level(readme: &str) -> Option<String> {
    if let Some((_, rest)) = readme.split_once("\"toplevel\"") {
        let before = rest.split('}').next()?;
        let whole = format!("{}{before}", readme.split("\"toplevel\"").next()?.rsplit('{').next()?);
        let (_, name) = whole.split_once("\"filename\"")?;
        return name.split('"').nth(1).map(str::to_owned);
    }
    readme.lines().find_map(|line| {
        line.trim()
            .strip_suffix("toplevelfile")
            .map(|name| name.trim().to_owned())
    })
}

fn is_tar(bytes: &[u8]) -> bool {
    if bytes.get(257..262) == Some(b"ustar") {
        return true;
    }
    // Archives older than `ustar` have no magic number and are recognized by their checksum.
    let Some(header) = bytes.get(..512) else { return false };
    let stored: String = header.iter().skip(148).take(8).map(|&byte| char::from(byte)).collect();
    let Ok(stored) = u32::from_str_radix(stored.trim_matches(['\0', ' ']), 8) else {
        return false;
    };
    let sum: u32 = (0..)
        .zip(header)
        .map(|(at, &byte)| if (148..156).contains(&at) { 32 } else { u32::from(byte) })
        .sum();
    sum == stored && header.first().is_some_and(|&byte| byte != 0)
}

fn has_extension(name: &str, extensions: &[&str]) -> bool {
    let file = name.rsplit('/').next().unwrap_or_default();
    let extension = file
        .rsplit_once('.')
        .map_or("", |(_, extension)| extension)
        .to_lowercase();
    extensions.contains(&extension.as_str())
}

fn is_source(name: &str) -> bool {
    has_extension(
        name,
        &["tex", "ltx", "latex", "bbl", "bib", "sty", "txt", "def", "json", ""],
    ) && !name.split('/').any(|part| part == "__MACOSX" || part.starts_with("._"))
}

/// A file name inside an archive, if it stays inside: no root, no drive, no `..`.
fn checked_name(name: &str) -> Option<String> {
    let name = name.replace('\\', "/");
    if name.starts_with('/')
        || name.contains([':', '\0'])
        || name.split('/').any(|part| part == "..")
        || name.len() > 400
    {
        return None;
    }
    plain_path(&name)
}

/// A relative path without `.` and `..`; `None` if it would leave the folder.
fn plain_path(path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            other => parts.push(other),
        }
    }
    (!parts.is_empty()).then(|| parts.join("/"))
}

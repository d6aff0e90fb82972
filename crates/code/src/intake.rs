//! Selects the files of a repository to read, from a folder or an archive.

use std::collections::BTreeMap;
use std::io::Read;

use crate::{Bounds, Language, LeftOut, Readme, language_of};

/// Folders with third-party or generated files.
const NOT_THEIRS: &[&str] = &[
    ".git",
    "__pycache__",
    "bower_components",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "target",
    "third_party",
    "thirdparty",
    "vendor",
    "venv",
];
/// Lines this long are taken as generated.
const LONGEST_LINE: usize = 5_000;
/// Maximum nesting depth of brackets.
const DEEPEST_BRACKETS: usize = 250;

/// The files collected so far.
pub(crate) struct Intake<'b> {
    bounds: &'b Bounds,
    entries: usize,
    bytes: u64,
    pub(crate) sources: Vec<(String, Language, String)>,
    readmes: Vec<Readme>,
    left_out: BTreeMap<String, usize>,
}

/// Everything read, with sources sorted by path.
pub(crate) struct Taken {
    pub(crate) sources: Vec<(String, Language, String)>,
    pub(crate) readme: Option<Readme>,
    pub(crate) left_out: BTreeMap<String, usize>,
}

impl<'b> Intake<'b> {
    pub(crate) fn new(bounds: &'b Bounds) -> Self {
        Self {
            bounds,
            entries: 0,
            bytes: 0,
            sources: Vec::new(),
            readmes: Vec::new(),
            left_out: BTreeMap::new(),
        }
    }

    /// Counts an entry; `false` if the limit is reached.
    pub(crate) fn may_look_at_another(&mut self) -> bool {
        if self.entries >= self.bounds.entries {
            self.leave_out(format!("beyond the first {} entries", self.bounds.entries));
            return false;
        }
        self.entries += 1;
        true
    }

    pub(crate) fn leave_out(&mut self, why: String) {
        *self.left_out.entry(why).or_default() += 1;
    }

    /// Adds a regular file. `path` is a label with `/` between its parts; `size` is the declared size and is not trusted.
    pub(crate) fn file(&mut self, path: &str, size: u64, content: impl Read) {
        let Some(path) = self.label(path) else { return };
        let language = language_of(&path);
        let is_readme = is_readme(&path);
        if language.is_none() && !is_readme {
            return;
        }
        if path.split('/').any(|part| NOT_THEIRS.contains(&part)) {
            self.leave_out("in a third-party or build folder".to_owned());
            return;
        }
        if self.sources.len() >= self.bounds.files && !is_readme {
            self.leave_out(format!("beyond the first {} files", self.bounds.files));
            return;
        }
        let Some(text) = self.text(size, content) else { return };
        match language {
            Some(language) => self.sources.push((path, language, text)),
            None => self.readmes.push(Readme { path, text }),
        }
    }

    fn text(&mut self, size: u64, content: impl Read) -> Option<String> {
        let most = self.bounds.file_bytes;
        let mut bytes = Vec::new();
        let is_read = size <= most && content.take(most + 1).read_to_end(&mut bytes).is_ok();
        let length = bytes.len() as u64;
        if !is_read || length > most {
            self.leave_out(format!("longer than {most} bytes, or unreadable"));
            return None;
        }
        if self.bytes + length > self.bounds.bytes {
            self.leave_out(format!("beyond the first {} bytes", self.bounds.bytes));
            return None;
        }
        self.bytes += length;
        let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
        let Some(text) = text else {
            self.leave_out("not text".to_owned());
            return None;
        };
        if text.lines().any(|line| line.len() > LONGEST_LINE) {
            self.leave_out("generated code".to_owned());
            return None;
        }
        if is_nested_too_deep(&text) {
            self.leave_out("brackets nested too deep".to_owned());
            return None;
        }
        Some(text.replace("\r\n", "\n"))
    }

    /// The path as a label; `None`, and counted, if it leaves the repository or is too deep.
    fn label(&mut self, path: &str) -> Option<String> {
        let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
        let leads_out = path.starts_with('/') || path.contains('\\') || parts.contains(&"..");
        if leads_out || path.chars().any(char::is_control) {
            self.leave_out("a path outside the repository".to_owned());
            return None;
        }
        if parts.len() > self.bounds.depth {
            self.leave_out(format!("deeper than {} folders", self.bounds.depth));
            return None;
        }
        Some(parts.join("/")).filter(|label| !label.is_empty())
    }

    pub(crate) fn taken(mut self) -> Taken {
        self.sources.sort_by(|a, b| a.0.cmp(&b.0));
        // An archive may contain a path twice; the first one counts.
        self.sources.dedup_by(|later, first| later.0 == first.0);
        self.readmes.sort_by(|a, b| {
            let depth = |readme: &Readme| readme.path.matches('/').count();
            depth(a).cmp(&depth(b)).then_with(|| a.path.cmp(&b.path))
        });
        Taken {
            sources: self.sources,
            readme: self.readmes.into_iter().next(),
            left_out: self.left_out,
        }
    }
}

pub(crate) fn left_out_entries(left_out: BTreeMap<String, usize>) -> Vec<LeftOut> {
    left_out
        .into_iter()
        .map(|(why, entries)| LeftOut { why, entries })
        .collect()
}

/// Whether brackets are nested deeper than in any hand-written code. The parser handles such text, but slowly.
fn is_nested_too_deep(text: &str) -> bool {
    let mut open = 0_usize;
    text.bytes().any(|byte| {
        match byte {
            b'(' | b'[' | b'{' => open += 1,
            b')' | b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        open > DEEPEST_BRACKETS
    })
}

fn is_readme(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    matches!(
        name.as_str(),
        "readme" | "readme.md" | "readme.txt" | "readme.rst" | "readme.markdown"
    )
}

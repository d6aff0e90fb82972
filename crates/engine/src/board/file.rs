//! Files with front matter and named parts.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use precedent_read::open_file;
use serde::de::DeserializeOwned;

use crate::{EngineError, Result};

/// Maximum file size in bytes.
const LONGEST: u64 = 64 << 10;

/// A parsed file: its front matter and its parts by name.
pub(super) struct BoardFile<T> {
    pub(super) head: T,
    parts: BTreeMap<String, String>,
    name: String,
}

impl<T: DeserializeOwned> BoardFile<T> {
    /// Parses TOML between two lines of `+++`, then parts that each start with a line `=== name ===`.
    pub(super) fn parse(name: &str, text: &str) -> Result<Self> {
        let wrong = |why: String| EngineError::BoardFile {
            file: name.to_owned(),
            why,
        };
        let text = text.replace("\r\n", "\n");
        let rest = text.strip_prefix("+++\n");
        let split = rest.and_then(|rest| rest.split_once("\n+++\n"));
        let (head, body) =
            split.ok_or_else(|| wrong("the front matter must be between two lines of +++".to_owned()))?;
        let head = toml::from_str(head).map_err(|error| wrong(error.message().to_owned()))?;
        let mut parts: BTreeMap<String, String> = BTreeMap::new();
        let mut current: Option<&mut String> = None;
        for line in body.lines() {
            let part = line.strip_prefix("=== ").and_then(|rest| rest.strip_suffix(" ==="));
            match (part, &mut current) {
                (Some(part), _) => {
                    if parts.contains_key(part) {
                        return Err(wrong(format!("the part `{part}` appears twice")));
                    }
                    current = Some(parts.entry(part.to_owned()).or_default());
                }
                (None, Some(words)) => {
                    words.push_str(line);
                    words.push('\n');
                }
                (None, None) if line.trim().is_empty() => {}
                (None, None) => return Err(wrong(format!("there is text before the first part: {line}"))),
            }
        }
        Ok(Self {
            head,
            parts,
            name: name.to_owned(),
        })
    }

    /// An error about this file.
    pub(super) fn wrong(&self, why: impl Into<String>) -> EngineError {
        EngineError::BoardFile {
            file: self.name.clone(),
            why: why.into(),
        }
    }

    /// A required, non-empty part.
    pub(super) fn part(&self, name: &str) -> Result<String> {
        let words = self.optional(name);
        if words.is_empty() {
            return Err(self.wrong(format!("the part `=== {name} ===` is missing or empty")));
        }
        Ok(words)
    }

    pub(super) fn optional(&self, name: &str) -> String {
        self.parts
            .get(name)
            .map(|words| words.trim().to_owned())
            .unwrap_or_default()
    }

    /// Checks that the id can be used as a key in a model's answer, and that every part is known.
    pub(super) fn check(&self, id: &str, known: &[&str]) -> Result<()> {
        let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
        if id.is_empty() || id.len() > 40 || !id.chars().all(is_word) {
            return Err(self.wrong("the id must be 1 to 40 lower-case letters, digits, `_` or `-`"));
        }
        match self.parts.keys().find(|part| !known.contains(&part.as_str())) {
            Some(part) => Err(self.wrong(format!("unknown part `{part}`; the parts are {}", known.join(", ")))),
            None => Ok(()),
        }
    }
}

/// The `.md` files of a user's folder, sorted by name.
pub(super) fn files(folder: &Path) -> Result<Vec<(String, String)>> {
    let wrong = |file: &Path, why: String| EngineError::BoardFile {
        file: file.display().to_string(),
        why,
    };
    let entries = fs::read_dir(folder).map_err(|error| wrong(folder, error.to_string()))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "md"));
    paths.sort();
    if paths.is_empty() {
        return Err(wrong(folder, "the folder contains no .md file".to_owned()));
    }
    let read = |path: std::path::PathBuf| {
        let size = fs::metadata(&path).map(|data| data.len()).unwrap_or_default();
        if size > LONGEST {
            return Err(wrong(&path, format!("it is larger than {LONGEST} bytes")));
        }
        let mut text = String::new();
        open_file(&path)
            .and_then(|mut file| file.read_to_string(&mut text))
            .map_err(|error| wrong(&path, error.to_string()))?;
        Ok((path.display().to_string(), text))
    };
    paths.into_iter().map(read).collect()
}

use serde::{Deserialize, Serialize};

use crate::Language;

/// The content of a repository that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// The README closest to the root.
    pub readme: Option<Readme>,
    /// Source files, by path.
    pub files: Vec<SourceFile>,
    /// Functions and methods, in the order of their files and lines.
    pub functions: Vec<Function>,
    /// Calls between functions, each pair once, by caller.
    pub calls: Vec<Call>,
    /// What was not read and why, each reason once.
    pub left_out: Vec<LeftOut>,
}

/// A README.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Readme {
    /// Its path: a label.
    pub path: String,
    /// Its text with `\n` line ends.
    pub text: String,
}

/// A source file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its path inside the repository with `/` between the parts: a label, never a path on this machine.
    pub path: String,
    /// Its language.
    pub language: Language,
    /// Number of lines.
    pub lines: usize,
    /// Whether all of it was parsed; `false` if the parser gave up.
    pub whole: bool,
}

/// A function or method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The class or type that it belongs to.
    pub owner: Option<String>,
    /// Index of its file in [`Repository::files`].
    pub file: usize,
    /// First and last line, from 1.
    pub lines: (usize, usize),
    /// The text before its body, verbatim.
    pub header: String,
    /// The comment before it, or its docstring, verbatim.
    pub note: Option<String>,
}

/// A call from one function to another, resolved by name: a function in the same file takes precedence, and a name that several functions elsewhere
/// have stays unresolved.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Call {
    /// Index of the caller in [`Repository::functions`].
    pub from: usize,
    /// Index of the called function.
    pub to: usize,
    /// The trimmed line of the first call.
    pub line: String,
}

/// Entries that were not read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LeftOut {
    /// The reason as a phrase: `longer than 262144 bytes`.
    pub why: String,
    /// Number of entries; 1 if they were not counted.
    pub entries: usize,
}

impl Repository {
    /// The calls of a function; `place` is its index in [`Repository::functions`].
    pub(crate) fn calls_of(&self, place: usize) -> &[Call] {
        let start = self.calls.partition_point(|call| call.from < place);
        let end = self.calls.partition_point(|call| call.from <= place);
        self.calls.get(start..end).unwrap_or_default()
    }

    /// Number of calls of each function in both directions.
    pub(crate) fn degrees(&self) -> Vec<usize> {
        let mut degrees = vec![0_usize; self.functions.len()];
        for place in self.calls.iter().flat_map(|call| [call.from, call.to]) {
            if let Some(degree) = degrees.get_mut(place) {
                *degree += 1;
            }
        }
        degrees
    }

    /// Up to `most` indexes in [`Repository::functions`]: documented functions first, then by number of calls in both directions.
    #[must_use]
    pub fn central(&self, most: usize) -> Vec<usize> {
        let degrees = self.degrees();
        let mut places: Vec<usize> = (0..self.functions.len()).collect();
        let is_described = |place: &usize| self.functions.get(*place).is_some_and(|one| one.note.is_some());
        places.sort_by_key(|place| {
            let degree = degrees.get(*place).copied().unwrap_or(0);
            (std::cmp::Reverse((is_described(place), degree)), *place)
        });
        places.truncate(most);
        places
    }
}

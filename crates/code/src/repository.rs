use serde::{Deserialize, Serialize};

use crate::Language;

/// What a repository holds, as far as it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repository {
    /// The README that stands highest.
    pub readme: Option<Readme>,
    /// Files of source code, by path.
    pub files: Vec<SourceFile>,
    /// Functions and methods, in the order of their files and lines.
    pub functions: Vec<Function>,
    /// Which functions call which, each pair once, by caller.
    pub calls: Vec<Call>,
    /// What was not read and why, each reason once.
    pub left_out: Vec<LeftOut>,
}

/// A README.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Readme {
    /// Its path: a label.
    pub path: String,
    /// Its text, line ends as `\n`.
    pub text: String,
}

/// A file of source code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceFile {
    /// Its path inside the repository, parts divided by `/`: a label, never a place on this machine.
    pub path: String,
    /// Its language.
    pub language: Language,
    /// Lines.
    pub lines: usize,
    /// Whether all of it was understood; not, where the grammar gave up.
    pub whole: bool,
}

/// A function or method.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The class or type that it belongs to.
    pub owner: Option<String>,
    /// Its file's place among [`Repository::files`].
    pub file: usize,
    /// First and last line, from 1.
    pub lines: (usize, usize),
    /// What stands before its body, as written.
    pub header: String,
    /// The comment before it, or the text that documents it, as written.
    pub note: Option<String>,
}

/// One function calls another, told by the name: the same file goes first, and a name that more than one function bears elsewhere is nobody's.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Call {
    /// The caller's place among [`Repository::functions`].
    pub from: usize,
    /// The place of the called.
    pub to: usize,
    /// The line on which the caller calls it first, as written, without the space at its ends.
    pub line: String,
}

/// What was not read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LeftOut {
    /// Why, as a phrase: `longer than 262144 bytes`.
    pub why: String,
    /// How many entries; 1 where what follows was not counted.
    pub entries: usize,
}

impl Repository {
    /// What a function calls; `place` is its own among [`Repository::functions`].
    pub(crate) fn calls_of(&self, place: usize) -> &[Call] {
        let start = self.calls.partition_point(|call| call.from < place);
        let end = self.calls.partition_point(|call| call.from <= place);
        self.calls.get(start..end).unwrap_or_default()
    }

    /// Which files call into which: pairs of places among [`Repository::files`], each once, no file into itself.
    #[must_use]
    pub fn file_calls(&self) -> Vec<(usize, usize)> {
        let file = |at: usize| self.functions.get(at).map(|function| function.file);
        let pairs = self
            .calls
            .iter()
            .filter_map(|call| Some((file(call.from)?, file(call.to)?)));
        let mut pairs: Vec<(usize, usize)> = pairs.filter(|(from, to)| from != to).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// The functions that the most others call or that call the most, described ones before the rest: places among [`Repository::functions`].
    #[must_use]
    pub fn central(&self, most: usize) -> Vec<usize> {
        let mut degrees = vec![0_usize; self.functions.len()];
        for place in self.calls.iter().flat_map(|call| [call.from, call.to]) {
            if let Some(degree) = degrees.get_mut(place) {
                *degree += 1;
            }
        }
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

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Calls between the functions and between the files of a repository, resolved by name. Nobody wrote it, so it is never quoted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallGraph {
    /// Calls between files: those with most calls first, limited.
    pub files: Vec<FileCall>,
    /// Pairs of files with calls in the repository.
    pub all_files: usize,
    /// Calls between functions: those of the most connected functions first, limited.
    pub functions: Vec<FunctionCall>,
    /// Pairs of functions with calls in the repository.
    pub all_functions: usize,
}

/// Calls from the functions of one file to those of another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileCall {
    /// Path of the calling file: a label.
    pub from: String,
    /// Path of the called file: a label.
    pub to: String,
    /// Pairs of functions with a call.
    pub calls: usize,
}

/// A call from one function to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionCall {
    /// The caller.
    pub from: FunctionName,
    /// The called function.
    pub to: FunctionName,
}

/// A function by name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionName {
    /// Its name, after that of its class if it has one: `Rope.pull`.
    pub name: String,
    /// Path of its file: a label.
    pub file: String,
}

//! Functions of one file as the grammar finds them, before they are linked with those of other files.

/// A function with the names that it calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundFunction {
    pub(crate) name: String,
    pub(crate) owner: Option<String>,
    pub(crate) lines: (usize, usize),
    pub(crate) header: String,
    pub(crate) note: Option<String>,
    /// Called names in order, each once, with the line of the first call.
    pub(crate) calls: Vec<(String, String)>,
}

/// Functions found in one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FoundFunctions {
    pub(crate) functions: Vec<FoundFunction>,
    /// Whether the parser reached the end.
    pub(crate) whole: bool,
}

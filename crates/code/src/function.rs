//! Functions of one file, as a grammar tells them, before they are put together with those of other files.

/// A function with the names that it calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundFunction {
    pub(crate) name: String,
    pub(crate) owner: Option<String>,
    pub(crate) lines: (usize, usize),
    pub(crate) header: String,
    pub(crate) note: Option<String>,
    /// Names called, in order, each once, with the line on which it stands first.
    pub(crate) calls: Vec<(String, String)>,
}

/// What one file holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FoundFunctions {
    pub(crate) functions: Vec<FoundFunction>,
    /// Whether the grammar got to the end.
    pub(crate) whole: bool,
}

use std::fmt;

use super::head::Head;
use super::kind::Kind;
use super::{acl_xml, arxiv, bibtex, csl_json, csv, json_lines, openalex, ris, semantic_scholar, zotero_rdf};

/// A file format of records. [`ImportFormat::all`] lists them.
#[derive(Clone, Copy)]
pub struct ImportFormat(&'static Kind);

impl ImportFormat {
    /// All supported formats.
    pub fn all() -> impl Iterator<Item = Self> {
        KINDS.iter().map(Self)
    }

    /// The format with this short name: `bibtex`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        KINDS.iter().find(|kind| kind.name == name).map(Self)
    }

    /// Detects the format of a file by its first bytes, decompressed, and if they are ambiguous by its name.
    #[must_use]
    pub fn detect(name: &str, head: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(head);
        let head = Head::new(name, &text);
        KINDS.iter().find(|kind| (kind.recognises)(&head)).map(Self)
    }

    /// Its short name: `bibtex`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Its display name: `BibTeX`.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.0.title
    }

    /// Whether its records only complete records of other files, so that it should be imported after them.
    #[must_use]
    pub fn adds_to_others(self) -> bool {
        self.0.adds_to_others
    }

    pub(super) fn kind(self) -> &'static Kind {
        self.0
    }
}

impl PartialEq for ImportFormat {
    fn eq(&self, other: &Self) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for ImportFormat {}

impl fmt::Debug for ImportFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

/// Display names of all formats.
pub(crate) fn format_titles() -> String {
    let titles: Vec<&str> = KINDS.iter().map(|kind| kind.title).collect();
    titles.join(", ")
}

/// All formats. The first one that recognizes a file reads it, so specific formats precede general ones.
const KINDS: &[Kind] = &[
    openalex::KIND,
    semantic_scholar::PAPERS,
    semantic_scholar::ABSTRACTS,
    arxiv::KIND,
    acl_xml::KIND,
    zotero_rdf::KIND,
    csl_json::KIND,
    json_lines::KIND,
    ris::KIND,
    bibtex::KIND,
    csv::KIND,
];

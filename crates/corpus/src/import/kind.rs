use std::io::BufRead;

use super::head::Head;
use super::{
    BadRecord, acl_xml, arxiv, bibtex, csl_json, csv, json_lines, openalex, ris, semantic_scholar, zotero_rdf,
};
use crate::Record;

/// Decompressed bytes of a file.
pub(super) type Input<'a> = Box<dyn BufRead + Send + 'a>;

/// All formats. The first one that recognizes a file reads it, so specific formats precede general ones.
pub(super) const KINDS: &[Kind] = &[
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

/// A file format: how it is detected and read.
pub(super) struct Kind {
    /// Short name: `bibtex`.
    pub(super) name: &'static str,
    /// Display name: `BibTeX`.
    pub(super) title: &'static str,
    /// Whether its records only complete records of other files, so that it should be read after them.
    pub(super) adds_to_others: bool,
    /// Whether a file with this beginning has this format.
    pub(super) recognises: fn(&Head<'_>) -> bool,
    /// Opens its records.
    pub(super) open: for<'a> fn(Input<'a>) -> Box<dyn Items + 'a>,
}

/// Records in order; bad ones with the reason.
pub(super) trait Items: Iterator<Item = Result<Record, BadRecord>> + Send {
    /// Skips this many items, good or bad, as counted by `next`. Cheaper where parsing is not needed.
    fn pass_over(&mut self, items: u64) {
        for _ in 0..items {
            if self.next().is_none() {
                break;
            }
        }
    }
}

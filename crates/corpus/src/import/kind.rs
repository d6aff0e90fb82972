use std::io::BufRead;

use super::head::Head;
use super::{
    BadRecord, acl_xml, arxiv, bibtex, csl_json, csv, json_lines, openalex, ris, semantic_scholar, zotero_rdf,
};
use crate::Record;

/// Unpacked bytes of a file of records.
pub(super) type Input<'a> = Box<dyn BufRead + Send + 'a>;

/// Every kind of file that records come in. The first that recognises a file reads it, so particular kinds stand before general ones.
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

/// One kind of file: how it is told from others, and how it is read.
pub(super) struct Kind {
    /// Short name: `bibtex`.
    pub(super) name: &'static str,
    /// Name for people: `BibTeX`.
    pub(super) title: &'static str,
    /// Whether its records only add to records of other files, so that it is best read after them.
    pub(super) adds_to_others: bool,
    /// Whether a file that starts so is of this kind.
    pub(super) recognises: fn(&Head<'_>) -> bool,
    /// Its records.
    pub(super) open: for<'a> fn(Input<'a>) -> Box<dyn Items + 'a>,
}

/// Records one after another, the bad ones with the reason.
pub(super) trait Items: Iterator<Item = Result<Record, BadRecord>> + Send {
    /// Passes over this many items, good or bad, as `next` would give them; cheaper where nothing need be understood.
    fn pass_over(&mut self, items: u64) {
        for _ in 0..items {
            if self.next().is_none() {
                break;
            }
        }
    }
}

use precedent_domain::{Work, is_preprint_venue};

/// The entry type for a reference manager, derived from the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// In a journal.
    Article,
    /// In the proceedings of a conference or workshop.
    Conference,
    /// On a preprint server.
    Preprint,
    /// For a degree.
    Thesis,
    /// Published by an institution.
    Report,
    /// Unknown.
    Other,
}

/// Journals with names like proceedings.
const JOURNALS: &[&str] = &[
    "national academy",
    "royal society",
    "proceedings of the ieee",
    "proceedings of the acm on",
    "vldb endowment",
];
/// Words in names of conferences.
const MEETINGS: &[&str] = &[
    "proceedings",
    "proc.",
    "conference",
    "workshop",
    "symposium",
    "annual meeting",
    "meeting of",
    "findings of",
    "advances in neural information processing",
];
/// Short names of conferences.
const SHORT: &[&str] = &[
    "aaai",
    "aacl",
    "acl",
    "aistats",
    "bmvc",
    "chi",
    "cikm",
    "cogsci",
    "coling",
    "colt",
    "conll",
    "corl",
    "cvpr",
    "eacl",
    "ecai",
    "eccv",
    "emnlp",
    "focs",
    "iccv",
    "iclr",
    "icml",
    "icra",
    "ijcai",
    "ijcnlp",
    "interspeech",
    "iros",
    "kdd",
    "lrec",
    "miccai",
    "naacl",
    "neurips",
    "nips",
    "recsys",
    "sigir",
    "sigmod",
    "soda",
    "stoc",
    "uai",
    "uist",
    "wacv",
    "wsdm",
    "www",
];
impl Kind {
    /// Derives the type from the venue's name, else from the identifiers.
    pub(super) fn of(work: &Work) -> Self {
        let venue = work.venue.as_deref().unwrap_or_default().to_lowercase();
        let has = |names: &[&str]| names.iter().any(|name| venue.contains(name));
        let words: Vec<&str> = venue.split(|c: char| !c.is_alphanumeric()).collect();
        let has_word = |names: &[&str]| words.iter().any(|word| names.contains(word));
        if venue.trim().is_empty() || is_preprint_venue(&venue) && has_published_doi(work) {
            return Self::by_identifiers(work);
        }
        if is_preprint_venue(&venue) {
            return Self::Preprint;
        }
        if has(&["thesis", "dissertation"]) {
            return Self::Thesis;
        }
        if has(&["technical report", "tech. report", "tech report"]) {
            return Self::Report;
        }
        if has(JOURNALS) || has_word(&["journal", "transactions", "tacl", "jmlr", "tmlr"]) {
            return Self::Article;
        }
        if has(MEETINGS) || has_word(SHORT) {
            return Self::Conference;
        }
        Self::Article
    }

    fn by_identifiers(work: &Work) -> Self {
        let ids = &work.identifiers;
        if let Some(acl) = &ids.acl {
            let id = acl.to_string();
            let in_journal = id.starts_with(['J', 'Q']) || id.contains(".tacl-") || id.contains(".cl-");
            return if in_journal { Self::Article } else { Self::Conference };
        }
        match (&ids.arxiv, &ids.doi) {
            (Some(_), None) => Self::Preprint,
            (_, Some(doi)) if doi.is_of_preprint() => Self::Preprint,
            (_, Some(_)) => Self::Article,
            (None, None) => Self::Other,
        }
    }
}

/// Whether the DOI is that of a published version.
pub(super) fn has_published_doi(work: &Work) -> bool {
    let doi = work.identifiers.doi.as_ref();
    doi.is_some_and(|doi| !doi.is_of_preprint())
}

use precedent_domain::{AclId, ArxivId, Doi, Identifiers, OpenReviewId, PmcId, Work, WorkId};
use sha2::{Digest, Sha256};

use super::address::{doi_in_address, is_pubmed_number, pubmed_number};
use crate::WorkName;
use crate::services::{europe_pmc, semantic_scholar};

/// How a paper was named.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PaperName {
    /// An arXiv id, optionally with a version.
    Arxiv {
        /// The id.
        id: ArxivId,
        /// The version, if named.
        version: Option<u16>,
    },
    /// An ACL Anthology id.
    Acl(AclId),
    /// An OpenReview forum.
    OpenReview(OpenReviewId),
    /// A full text in PubMed Central.
    Pmc(PmcId),
    /// Any other DOI.
    Doi(Doi),
    /// A record of Semantic Scholar, or one of PubMed at Europe PMC.
    Record(WorkId),
    /// Any other address.
    Address(String),
}

impl PaperName {
    /// Parses a name as typed or copied: `arXiv:2509.08755v2`, `https://arxiv.org/abs/2509.08755`, `10.18653/v1/N19-1423`, `openreview:FxCy8TvQHO`,
    /// `P06-1010`, `PMC7471246`, `PMID:17211417`, `CorpusId:258059792`, the 40 digits of a record, any `https://…`. `None` for everything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let lower = text.to_ascii_lowercase();
        let is_address = lower.starts_with("https://") || lower.starts_with("http://");
        let on = |host: &str| {
            let rest = lower.split_once("://").map_or(lower.as_str(), |(_, rest)| rest);
            let here = rest.split(['/', '?', '#']).next().unwrap_or_default();
            here == host || here.strip_suffix(host).is_some_and(|head| head.ends_with('.'))
        };
        let bare = text.split(['#']).next().unwrap_or(text);
        if !is_address || on("arxiv.org") {
            let plain = bare.split('?').next().unwrap_or(bare);
            if let Ok(id) = plain.parse() {
                return Some(Self::Arxiv {
                    id,
                    version: version(plain),
                });
            }
        }
        if (lower.starts_with("openreview:") || on("openreview.net"))
            && let Ok(id) = bare.parse()
        {
            return Some(Self::OpenReview(id));
        }
        if (!is_address || on("aclanthology.org"))
            && let Ok(id) = bare.parse()
        {
            return Some(Self::Acl(id));
        }
        if (!is_address || on("ncbi.nlm.nih.gov") || on("europepmc.org"))
            && let Ok(id) = text.parse()
        {
            return Some(Self::Pmc(id));
        }
        if (!is_address || on("doi.org"))
            && let Ok(doi) = text.parse::<Doi>()
        {
            return Some(Self::of_doi(doi));
        }
        if (!is_address || on("semanticscholar.org"))
            && let Some(record) = semantic_scholar::record_named(bare)
        {
            return Some(Self::Record(record));
        }
        if let Some(doi) = doi_in_address(text) {
            return Some(Self::of_doi(doi));
        }
        let typed = lower.strip_prefix("pmid:").map(str::trim);
        let number = typed.filter(|number| is_pubmed_number(number));
        if let Some(record) = number
            .or_else(|| pubmed_number(text))
            .and_then(europe_pmc::pubmed_record)
        {
            return Some(Self::Record(record));
        }
        is_address.then(|| Self::Address(text.to_owned()))
    }

    /// The names that services know the paper by; empty for an address or a forum.
    #[must_use]
    pub fn work_names(&self) -> Vec<WorkName> {
        match self {
            Self::Record(record) => vec![WorkName::Record(record.clone())],
            other => WorkName::of_identifiers(&other.identifiers()),
        }
    }

    /// Why `text`, which looks like a name, is not valid: `arXiv:9999.99999`. `None` for text that does not look like a name.
    #[must_use]
    pub fn misnamed(text: &str) -> Option<String> {
        let text = text.trim();
        if Self::parse(text).is_some() {
            return None;
        }
        let lower = text.to_ascii_lowercase();
        let digits = |part: &str, many: std::ops::RangeInclusive<usize>| {
            many.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        let bare = lower.split('v').next().unwrap_or_default();
        let dotted = bare
            .split_once('.')
            .is_some_and(|(head, tail)| digits(head, 4..=4) && digits(tail, 4..=5));
        let error = if lower.starts_with("arxiv:") || dotted {
            text.parse::<ArxivId>().err().map(|error| error.to_string())
        } else if lower.starts_with("doi:") || lower.starts_with("10.") && lower.contains('/') {
            text.parse::<Doi>().err().map(|error| error.to_string())
        } else if lower.starts_with("openreview:") {
            text.parse::<OpenReviewId>().err().map(|error| error.to_string())
        } else if lower.starts_with("acl:") {
            text.parse::<AclId>().err().map(|error| error.to_string())
        } else if lower.starts_with("pmcid:") || lower.strip_prefix("pmc").is_some_and(|rest| digits(rest, 1..=12)) {
            text.parse::<PmcId>().err().map(|error| error.to_string())
        } else if lower.starts_with("corpusid:") || lower.starts_with("s2:") {
            Some(format!(
                "read {text:?} as a record of Semantic Scholar: use CorpusId: and a number, or S2: and 40 hexadecimal digits"
            ))
        } else {
            None
        };
        error.map(|error| error.chars().take(300).collect())
    }

    /// The names under which the text of a work may be available, best first. For arXiv this is the first version: it has the work's earliest date,
    /// and later additions must not count against a paper written in between.
    #[must_use]
    pub fn of_work(work: &Work) -> Vec<Self> {
        let ids = &work.identifiers;
        let arxiv = ids.arxiv.clone().map(|id| Self::Arxiv { id, version: Some(1) });
        let doi = ids.doi.clone().map(Self::of_doi);
        let mut names: Vec<Self> = arxiv
            .into_iter()
            .chain(ids.acl.clone().map(Self::Acl))
            .chain(ids.openreview.clone().map(Self::OpenReview))
            .chain(ids.pmc.clone().map(Self::Pmc))
            .collect();
        match doi {
            // An archive's own DOI adds nothing to the archive's id.
            Some(Self::Arxiv { id, .. }) if ids.arxiv.is_none() => names.push(Self::Arxiv { id, version: Some(1) }),
            Some(Self::Arxiv { .. }) | None => {}
            Some(name) if names.contains(&name) => {}
            Some(name) => names.push(name),
        }
        names
    }

    /// The archive behind a DOI, if it is better to fetch from it directly.
    fn of_doi(doi: Doi) -> Self {
        let arxiv = doi
            .as_str()
            .strip_prefix("10.48550/arxiv.")
            .and_then(|id| id.parse().ok());
        let acl = || {
            let suffix = doi.as_str().strip_prefix("10.18653/v1/")?;
            suffix.parse().or_else(|_| suffix.to_ascii_uppercase().parse()).ok()
        };
        match (arxiv, acl()) {
            (Some(id), _) => Self::Arxiv { id, version: None },
            (None, Some(id)) => Self::Acl(id),
            (None, None) => Self::Doi(doi),
        }
    }

    /// The identifiers contained in the name.
    #[must_use]
    pub fn identifiers(&self) -> Identifiers {
        let mut identifiers = Identifiers::default();
        match self {
            Self::Arxiv { id, .. } => identifiers.arxiv = Some(id.clone()),
            Self::Acl(id) => identifiers.acl = Some(id.clone()),
            Self::OpenReview(id) => identifiers.openreview = Some(id.clone()),
            Self::Pmc(id) => identifiers.pmc = Some(id.clone()),
            Self::Doi(id) => identifiers.doi = Some(id.clone()),
            Self::Record(_) | Self::Address(_) => {}
        }
        identifiers
    }

    /// A file name without extension: letters, digits, hyphens, underscores and single dots, never a path. Different names have different stems: if
    /// characters were replaced, a digest of the whole name is appended.
    #[must_use]
    pub fn file_stem(&self) -> String {
        let text = match self {
            Self::Arxiv { id, version: None } => format!("arxiv-{id}"),
            Self::Arxiv {
                id,
                version: Some(version),
            } => format!("arxiv-{id}v{version}"),
            Self::Acl(id) => format!("acl-{id}"),
            Self::OpenReview(id) => format!("forum-{id}"),
            Self::Pmc(id) => id.to_string(),
            Self::Doi(id) => format!("doi-{id}"),
            Self::Record(id) => id.as_str().replace(':', "-"),
            Self::Address(address) => address
                .split_once("://")
                .map_or(address.as_str(), |(_, rest)| rest)
                .to_owned(),
        };
        let safe = |c: char| {
            if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') {
                c
            } else {
                '_'
            }
        };
        let stem: String = text.chars().map(safe).take(80).collect();
        let stem = stem.replace("..", "_").trim_matches(['.', '_']).to_owned();
        // An arXiv id in the old form has one slash in a fixed position, so no other id has the same stem.
        let is_whole = stem == text || matches!(self, Self::Arxiv { .. });
        if is_whole {
            return stem;
        }
        let digest = Sha256::digest(text.as_bytes());
        let short: String = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        format!("{stem}-{short}")
    }
}

/// The version at the end of an arXiv id.
fn version(text: &str) -> Option<u16> {
    let text = text.strip_suffix(".pdf").unwrap_or(text);
    let (_, version) = text.rsplit_once('v')?;
    version.parse().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn stem_of(text: &str) -> String {
        PaperName::parse(text).map(|name| name.file_stem()).unwrap_or_default()
    }

    #[test]
    fn names_parse_in_every_copied_form() {
        for (text, stem) in [
            ("arXiv:2509.08755", "arxiv-2509.08755"),
            ("2509.08755v2", "arxiv-2509.08755v2"),
            ("https://arxiv.org/abs/2509.08755v1", "arxiv-2509.08755v1"),
            ("http://arxiv.org/pdf/2509.08755.pdf", "arxiv-2509.08755"),
            ("cs/9301111", "arxiv-cs_9301111"),
            ("10.48550/arXiv.2509.08755", "arxiv-2509.08755"),
            (
                "https://openreview.net/forum?id=FxCy8TvQHO&noteId=x",
                "forum-FxCy8TvQHO",
            ),
            ("openreview:FxCy8TvQHO", "forum-FxCy8TvQHO"),
            ("P06-1010", "acl-P06-1010"),
            ("pmcid: PMC7471246", "PMC7471246"),
            ("https://pmc.ncbi.nlm.nih.gov/articles/PMC7471246/", "PMC7471246"),
            (
                "https://pubmed.ncbi.nlm.nih.gov/7471246/",
                "europe-pmc-MED_7471246-704726c30c47",
            ),
            ("PMID: 7471246", "europe-pmc-MED_7471246-704726c30c47"),
            (
                "https://dl.acm.org/doi/abs/10.1145/3292500.3330701",
                "doi-10.1145_3292500.3330701-201f00ccfe62",
            ),
            (
                "https://www.biorxiv.org/content/10.1101/2020.03.04.975532v2.full",
                "doi-10.1101_2020.03.04.975532-04bd551834ca",
            ),
            (
                "https://aclanthology.org/2023.emnlp-main.507/",
                "acl-2023.emnlp-main.507",
            ),
            ("https://doi.org/10.18653/v1/N19-1423", "acl-N19-1423"),
            ("doi:10.1000/x<y>/../../z", "doi-10.1000_x_y______z-96d3dcba5383"),
            (
                "https://example.org/a/paper.pdf?x=1",
                "example.org_a_paper.pdf_x_1-fa3569cebe89",
            ),
            (
                "https://arxiv.org.evil.com/abs/2509.08755",
                "arxiv.org.evil.com_abs_2509.08755-a5aabd95fc3b",
            ),
            (
                "https://www.semanticscholar.org/paper/A-title/204e3073870fae3d05bcbc2f6a8e263d9b72e776?x=1",
                "semantic-scholar-204e3073870fae3d05bcbc2f6a8e263d9b72e776",
            ),
            (
                "S2:204E3073870fae3d05bcbc2f6a8e263d9b72e776",
                "semantic-scholar-204e3073870fae3d05bcbc2f6a8e263d9b72e776",
            ),
            ("CorpusId:13756489", "semantic-scholar-corpus-13756489"),
            ("CorpusId:1375648912345678", ""),
            (
                "https://www.semanticscholar.org/search?q=x",
                "www.semanticscholar.org_search_q_x-68f37229e3ca",
            ),
            ("paper.pdf", ""),
            ("Attention is all you need", ""),
            ("file:///etc/passwd", ""),
            ("manuscript", ""),
        ] {
            assert_eq!(stem_of(text), stem, "{text}");
        }
    }

    #[test]
    fn an_invalid_name_is_explained() {
        for text in [
            "arXiv:9999.99999",
            "9913.12345",
            "doi:11.1/x",
            "openreview:x",
            "acl:P06",
            "CorpusId:x",
            "S2:12",
        ] {
            assert!(PaperName::misnamed(text).is_some(), "{text}");
        }
        for text in ["paper.pdf", "arXiv:2509.08755", "Attention is all you need", "", "3.14"] {
            assert_eq!(PaperName::misnamed(text), None, "{text}");
        }
    }

    #[test]
    fn two_papers_never_share_a_file() {
        let long = format!("https://example.org/{}", "a".repeat(120));
        let names = [
            "https://example.org/a/b_c",
            "https://example.org/a_b/c",
            "https://example.org/a?b/c",
            "https://example.org/a_b_c",
            "doi:10.1000/a<b",
            "doi:10.1000/a>b",
            &format!("{long}1"),
            &format!("{long}2"),
        ];
        let stems: std::collections::BTreeSet<String> = names.into_iter().map(stem_of).collect();
        assert_eq!(stems.len(), names.len(), "{stems:?}");
    }

    proptest! {
        #[test]
        fn a_stem_is_never_a_path(text in "(https://|doi:10\\.1000/|arXiv:)?[a-z0-9./\\\\:%?#<> ]{0,80}") {
            let stem = stem_of(&text);
            prop_assert!(!stem.contains("..") && !stem.starts_with('.') && stem.len() <= 100);
            prop_assert!(stem.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.')));
        }
    }
}

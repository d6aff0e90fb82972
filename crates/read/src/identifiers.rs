//! Identifiers printed in a text.
//!
//! Input: any text. Output: the first identifier of each kind. The position of the text decides which identifiers are the paper's own.

use precedent_domain::{AclId, ArxivId, Doi, Identifiers, OpenReviewId};
use precedent_text::pattern;

/// The first DOI, arXiv id, OpenReview id and ACL Anthology id printed in `text`.
pub(crate) fn find(text: &str) -> Identifiers {
    let doi = doi(text);
    let acl = acl(text).or_else(|| doi.as_ref().and_then(acl_of_doi));
    let arxiv = arxiv(text).or_else(|| doi.as_ref().and_then(arxiv_of_doi));
    Identifiers {
        arxiv,
        openreview: openreview(text),
        acl,
        doi,
        pmc: None,
    }
}

/// The paper's own identifiers in the parts of its front matter. Identifiers of data and code hosted elsewhere are excluded.
pub(crate) fn own<'a>(front: impl Iterator<Item = &'a str>) -> Identifiers {
    let elsewhere = |doi: &Doi| {
        ["10.5281/", "10.6084/", "10.5061/", "10.17632/", "10.7910/", "10.13039/"]
            .iter()
            .any(|archive| doi.as_str().starts_with(archive))
    };
    let mut own = Identifiers::default();
    for piece in front {
        let mut found = find(piece);
        found.doi = found.doi.filter(|doi| !elsewhere(doi));
        own.fill_from(&found);
    }
    own
}

fn doi(text: &str) -> Option<Doi> {
    let printed = pattern!(r#"\b10\.\d{4,9}/[^\s"<>{}|\\^`“”]+"#);
    printed
        .find_iter(text)
        .find_map(|found| trim_doi(found.as_str()).parse().ok())
}

/// Trims sentence punctuation around a DOI; balanced brackets stay.
fn trim_doi(found: &str) -> &str {
    let mut doi = found;
    loop {
        let count = |c: char| doi.matches(c).count();
        let shorter = doi.trim_end_matches(['.', ',', ';', ':', '\'', '"', '’', '*', '?']);
        let shorter = match shorter.chars().last() {
            Some(')') if count(')') > count('(') => shorter.strip_suffix(')'),
            Some(']') if count(']') > count('[') => shorter.strip_suffix(']'),
            _ => Some(shorter),
        }
        .unwrap_or(shorter);
        if shorter.len() == doi.len() {
            return doi;
        }
        doi = shorter;
    }
}

fn arxiv(text: &str) -> Option<ArxivId> {
    let printed = pattern!(
        r"(?ix)(?:
            arxiv (?:\s*(?:pre|e)print)? (?:\s*,)? \s*[:.]?\s* (?:arxiv\s*[:.]\s*)? (?:abs/)?
          | arxiv\.org/ (?:abs|pdf|html)/ \s?
          | \babs/
        )
        (?P<id> \d{4}\.\d{4,5} | [a-z][a-z-]+(?:\.[a-z]{2})?/\d{7} )"
    );
    let archive = pattern!(
        r"\b(?P<id>(?:astro-ph|hep-(?:ph|th|ex|lat)|gr-qc|cond-mat|quant-ph|math-ph|nucl-(?:th|ex)|cs|math|physics|cmp-lg)(?:\.[A-Z]{2})?/\d{7})\b"
    );
    // An id of the new form does not contain the archive, but some print it.
    let archived = pattern!(
        r"\b(?:astro-?ph|hep-?(?:ph|th|ex|lat)|gr-?qc|cond-?mat|quant-?ph|math-?ph|nucl-?(?:th|ex))/(?P<id>\d{4}\.\d{4,5})(?:v\d+)?\b"
    );
    printed
        .captures_iter(text)
        .chain(archive.captures_iter(text))
        .chain(archived.captures_iter(text))
        .filter_map(|found| found.name("id"))
        .find_map(|id| id.as_str().parse().ok())
        .or_else(|| arxiv_joined(text))
}

/// Joins an old id whose hyphen was lost at a line end: `astroph/0303455`.
fn arxiv_joined(text: &str) -> Option<ArxivId> {
    let found =
        pattern!(r"\b(?P<one>astro|hep|gr|cond|quant|math|nucl)(?P<other>ph|th|ex|lat|qc|mat)/(?P<number>\d{7})\b")
            .captures(text)?;
    let part = |name: &str| found.name(name).map(|part| part.as_str());
    format!("{}-{}/{}", part("one")?, part("other")?, part("number")?)
        .parse()
        .ok()
}

fn openreview(text: &str) -> Option<OpenReviewId> {
    let printed =
        pattern!(r"openreview\.net/\s?(?:forum|pdf|attachment|references/pdf)\s?\?\s?id\s?=\s?([A-Za-z0-9_-]{8,14})");
    let id = printed.captures(text)?.get(1)?;
    id.as_str().parse().ok()
}

fn acl(text: &str) -> Option<AclId> {
    let printed = pattern!(
        r"(?:aclanthology\.org|aclweb\.org/anthology(?:/papers/[A-Z]/[A-Z]\d\d)?)/\s?([A-Z]\d\d-\d{4}|\d{4}\.[A-Za-z0-9_-]+\.\d+)"
    );
    let id = printed.captures(text)?.get(1)?;
    id.as_str().parse().ok()
}

/// The ACL Anthology id in a DOI: the Anthology mints DOIs from its ids.
fn acl_of_doi(doi: &Doi) -> Option<AclId> {
    let id = doi
        .as_str()
        .strip_prefix("10.18653/v1/")
        .or_else(|| doi.as_str().strip_prefix("10.3115/v1/"))?;
    let old_style = id.as_bytes().get(3) == Some(&b'-');
    if old_style {
        id.to_uppercase().parse().ok()
    } else {
        id.parse().ok()
    }
}

/// The arXiv id in a DOI: arXiv mints DOIs from its ids as well.
fn arxiv_of_doi(doi: &Doi) -> Option<ArxivId> {
    doi.as_str().strip_prefix("10.48550/arxiv.")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_as_lists_print_them() {
        let show = |text: &str| {
            let ids = find(text);
            [
                ids.doi.map(String::from),
                ids.arxiv.map(String::from),
                ids.acl.map(String::from),
                ids.openreview.map(String::from),
            ]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
        };
        for (text, expected) in [
            ("Trees. doi: 10.1093/nar/gkv007 25605792", "10.1093/nar/gkv007"),
            (
                "https://doi.org/10.1016/0022-2836(81)90087-5.",
                "10.1016/0022-2836(81)90087-5",
            ),
            ("(doi:10.1145/3292500.3330701).", "10.1145/3292500.3330701"),
            ("arXiv preprint arXiv:2503.01935 , 2025.", "2503.01935"),
            ("CoRR, abs/1905.04388, 2019", "1905.04388"),
            ("URL https://arxiv.org/abs/2411.00114 .", "2411.00114"),
            ("URL https://arxiv.org/pdf/2411.00114v2.pdf", "2411.00114"),
            ("arXiv:cs/9301111", "cs/9301111"),
            ("arXiv 1706.03762", "1706.03762"),
            ("Phys. Rev. Lett. 85 (2000), [astro-ph/0003365].", "astro-ph/0003365"),
            ("2008, RMxAA, 44, 149, [astroph/0303455].", "astro-ph/0303455"),
            ("doi:10.18653/v1/N19-1423", "10.18653/v1/n19-1423 N19-1423"),
            ("https://aclanthology.org/2023.emnlp-main.507/", "2023.emnlp-main.507"),
            ("https://openreview.net/forum?id=FxCy8TvQHO", "FxCy8TvQHO"),
            ("10.48550/arXiv.2503.01935", "10.48550/arxiv.2503.01935 2503.01935"),
            ("pages 2503.01935 of 10.1 and 10.1234", ""),
            ("arXiv:2513.99999", ""),
        ] {
            assert_eq!(show(text), expected, "{text}");
        }
    }
}

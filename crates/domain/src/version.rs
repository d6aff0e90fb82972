//! Preprint or published: what the venue and the DOI of a record say.

use crate::Doi;

/// Names of preprint servers in venues.
const SERVERS: &[&str] = &[
    "arxiv",
    "biorxiv",
    "medrxiv",
    "corr",
    "ssrn",
    "preprint",
    "preprints",
    "openreview",
];
/// Beginnings of the DOIs of preprint servers: arXiv, openRxiv, Research Square, Preprints.org, SSRN, ChemRxiv, PsyArXiv, OSF.
const PREFIXES: &[&str] = &[
    "10.48550/",
    "10.64898/",
    "10.21203/rs.",
    "10.20944/preprints",
    "10.2139/ssrn.",
    "10.26434/chemrxiv",
    "10.31234/osf.",
    "10.31219/osf.",
];

/// Whether a venue is a preprint server.
#[must_use]
pub fn is_preprint_venue(venue: &str) -> bool {
    let lower = venue.to_lowercase();
    lower
        .split(|c: char| !c.is_alphanumeric())
        .any(|word| SERVERS.contains(&word))
}

impl Doi {
    /// Whether it is the DOI of a preprint server. bioRxiv and medRxiv share a prefix with journals, whose DOIs have letters.
    #[must_use]
    pub fn is_of_preprint(&self) -> bool {
        let doi = self.as_str();
        let is_number = |suffix: &str| suffix.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        PREFIXES.iter().any(|prefix| doi.starts_with(prefix)) || doi.strip_prefix("10.1101/").is_some_and(is_number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preprints_are_recognised_by_venue_and_doi() {
        for (venue, expected) in [
            ("arXiv.org", true),
            ("CoRR", true),
            ("bioRxiv (Cold Spring Harbor Laboratory)", true),
            ("Nature", false),
            ("Correlations in Physics", false),
        ] {
            assert_eq!(is_preprint_venue(venue), expected, "{venue}");
        }
        for (doi, expected) in [
            ("10.48550/arXiv.2103.01002", true),
            ("10.1101/2020.03.04.975532", true),
            ("10.1101/123456", true),
            ("10.1101/gr.275509.121", false),
            ("10.18653/v1/N19-1423", false),
        ] {
            assert_eq!(doi.parse::<Doi>().unwrap().is_of_preprint(), expected, "{doi}");
        }
    }
}

use crate::{AclId, DateOrigin, Doi, Identifiers, PartialDate, PublicationDate};

/// The latest usual month of each venue of the ACL Anthology, by the letter of an old-style id and the name in a new-style one. Journals and workshops
/// have no usual month.
const VENUES: [(&str, &str, u8); 8] = [
    ("P", "acl", 8),
    ("D", "emnlp", 12),
    ("N", "naacl", 7),
    ("E", "eacl", 5),
    ("C", "coling", 12),
    ("L", "lrec", 6),
    ("K", "conll", 12),
    ("I", "ijcnlp", 12),
];

impl Identifiers {
    /// The dates that the identifiers contain: the month of an arXiv number, the year of an ACL Anthology id with the latest usual month of its
    /// venue, and the day in a DOI of bioRxiv or medRxiv.
    #[must_use]
    pub fn dates(&self) -> Vec<PublicationDate> {
        let of_doi = self.doi.as_ref().and_then(|doi| {
            let arxiv = doi.as_str().strip_prefix("10.48550/arxiv.")?;
            arxiv.parse::<crate::ArxivId>().ok()
        });
        let arxiv = self
            .arxiv
            .as_ref()
            .or(of_doi.as_ref())
            .and_then(crate::ArxivId::submitted);
        let acl = self.acl.as_ref().and_then(anthology_month);
        let preprint = self.doi.as_ref().and_then(preprint_day);
        let dated = |date: Option<PartialDate>, origin| date.map(|date| PublicationDate { date, origin });
        [
            dated(arxiv, DateOrigin::ArxivId),
            dated(acl, DateOrigin::AclId),
            dated(preprint, DateOrigin::Doi),
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// `P06-1010` and `2023.emnlp-main.507`.
fn anthology_month(id: &AclId) -> Option<PartialDate> {
    let id = id.as_str();
    let (year, month) = match id.split_once('.') {
        Some((year, rest)) => {
            let collection = rest.split('.').next()?.strip_prefix("findings-").unwrap_or(rest);
            let venue = collection.split(['-', '.']).next()?;
            let month = VENUES
                .iter()
                .find(|(_, name, _)| *name == venue)
                .map(|(.., month)| *month)?;
            (year.parse().ok()?, month)
        }
        None => {
            let month = VENUES
                .iter()
                .find(|(letter, ..)| id.starts_with(letter))
                .map(|(.., month)| *month)?;
            let year: u16 = id.get(1..3)?.parse().ok()?;
            (if year >= 60 { 1900 + year } else { 2000 + year }, month)
        }
    };
    PartialDate::new(year, Some(month), None).ok()
}

/// `10.1101/2020.03.04.975532`.
fn preprint_day(doi: &Doi) -> Option<PartialDate> {
    let mut parts = doi.as_str().strip_prefix("10.1101/")?.split('.');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if (year.len(), month.len(), day.len()) != (4, 2, 2) {
        return None;
    }
    PartialDate::new(year.parse().ok()?, Some(month.parse().ok()?), Some(day.parse().ok()?)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dates(identifiers: &Identifiers) -> Vec<String> {
        identifiers.dates().iter().map(|dated| dated.date.to_string()).collect()
    }

    fn acl(id: &str) -> Vec<String> {
        dates(&Identifiers {
            acl: Some(id.parse().unwrap()),
            ..Identifiers::default()
        })
    }

    fn doi(id: &str) -> Vec<String> {
        dates(&Identifiers {
            doi: Some(id.parse().unwrap()),
            ..Identifiers::default()
        })
    }

    #[test]
    fn anthology_ids_have_the_month_of_their_venue() {
        assert_eq!(acl("P06-1010"), ["2006-08"]);
        assert_eq!(acl("N18-2001"), ["2018-07"]);
        assert_eq!(acl("C96-1058"), ["1996-12"]);
        assert_eq!(acl("2023.emnlp-main.507"), ["2023-12"]);
        assert_eq!(acl("2021.findings-acl.12"), ["2021-08"]);
        assert!(acl("J93-2003").is_empty(), "journals have no usual month");
        assert!(acl("W06-1630").is_empty());
        assert!(acl("2020.tacl-1.3").is_empty());
    }

    #[test]
    fn dois_of_preprints_have_their_date() {
        assert_eq!(doi("10.1101/2020.03.04.975532"), ["2020-03-04"]);
        assert_eq!(doi("10.48550/arXiv.2405.01234"), ["2024-05"]);
        assert!(doi("10.1101/gr.1234").is_empty());
        assert!(doi("10.1371/journal.pcbi.1004453").is_empty());
        assert!(doi("10.1101/2020.13.04.975532").is_empty());
    }
}

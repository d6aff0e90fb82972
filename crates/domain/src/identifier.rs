use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{DomainError, PartialDate};

/// Declares a validated string newtype: `FromStr` checks and normalizes, and serde uses it.
macro_rules! checked_id {
    ($(#[$doc:meta])* $name:ident, $kind:literal, $check:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(with = "String")]
        pub struct $name(String);

        impl $name {
            /// The normalized identifier.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = DomainError;

            fn from_str(value: &str) -> Result<Self, DomainError> {
                let check: fn(&str) -> Result<String, &'static str> = $check;
                check(value.trim()).map(Self).map_err(|reason| DomainError::Identifier {
                    kind: $kind,
                    value: value.to_owned(),
                    reason,
                })
            }
        }

        impl TryFrom<String> for $name {
            type Error = DomainError;

            fn try_from(value: String) -> Result<Self, DomainError> {
                value.parse()
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

checked_id!(
    /// A DOI without resolver or `doi:` prefix, in lower case: `10.18653/v1/n19-1423`.
    Doi,
    "a DOI",
    check_doi
);
checked_id!(
    /// An arXiv id without version: `2509.08755` or `cs/9301111`.
    ArxivId,
    "an arXiv id",
    check_arxiv
);
checked_id!(
    /// An OpenReview forum id: `FxCy8TvQHO`.
    OpenReviewId,
    "an OpenReview forum id",
    check_openreview
);
checked_id!(
    /// An ACL Anthology id: `P06-1010` or `2023.emnlp-main.507`.
    AclId,
    "an ACL Anthology id",
    check_acl
);
checked_id!(
    /// The id of a full text in PubMed Central: `PMC7471246`.
    PmcId,
    "a PubMed Central id",
    check_pmc
);
checked_id!(
    /// The id of a work within one run or corpus: printable text without white space, at most 200 bytes.
    /// It is never used as a path or a query.
    WorkId,
    "a work id",
    |value| {
        if value.is_empty() {
            Err("it is empty")
        } else if value.len() > 200 {
            Err("it is longer than 200 bytes")
        } else if value.chars().any(|c| c.is_whitespace() || c.is_control()) {
            Err("it contains white space")
        } else {
            Ok(value.to_owned())
        }
    }
);
checked_id!(
    /// The id of a run: lower-case letters, digits and hyphens. Safe as a folder name.
    RunId,
    "a run id",
    |value| {
        let fits = !value.is_empty()
            && value.len() <= 100
            && value.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if fits { Ok(value.to_owned()) } else { Err("use lower-case letters, digits and hyphens, at most 100") }
    }
);

impl ArxivId {
    /// The month of submission encoded in a new-style (`YYMM.…`) or old-style (`archive/YYMM…`) id.
    #[must_use]
    pub fn submitted(&self) -> Option<PartialDate> {
        let number = self.0.rsplit('/').next()?;
        let year: u16 = number.get(0..2)?.parse().ok()?;
        let month: u8 = number.get(2..4)?.parse().ok()?;
        let year = if year >= 91 { 1900 + year } else { 2000 + year };
        PartialDate::new(year, Some(month), None).ok()
    }
}

/// The identifiers in a record of a work.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Identifiers {
    /// DOI.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doi: Option<Doi>,
    /// arXiv id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arxiv: Option<ArxivId>,
    /// OpenReview forum id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openreview: Option<OpenReviewId>,
    /// ACL Anthology id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub acl: Option<AclId>,
    /// PubMed Central id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pmc: Option<PmcId>,
}

impl Identifiers {
    /// Whether there is no identifier.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.doi.is_none()
            && self.arxiv.is_none()
            && self.openreview.is_none()
            && self.acl.is_none()
            && self.pmc.is_none()
    }

    /// Whether the two share an identifier.
    #[must_use]
    pub fn agree(&self, other: &Self) -> bool {
        fn same<T: PartialEq>(a: Option<&T>, b: Option<&T>) -> bool {
            a.is_some() && a == b
        }
        same(self.doi.as_ref(), other.doi.as_ref())
            || same(self.arxiv.as_ref(), other.arxiv.as_ref())
            || same(self.openreview.as_ref(), other.openreview.as_ref())
            || same(self.acl.as_ref(), other.acl.as_ref())
            || same(self.pmc.as_ref(), other.pmc.as_ref())
    }

    /// Copies identifiers missing here from `other`.
    pub fn fill_from(&mut self, other: &Self) {
        fn fill<T: Clone>(mine: &mut Option<T>, theirs: Option<&T>) {
            if mine.is_none() {
                *mine = theirs.cloned();
            }
        }
        fill(&mut self.doi, other.doi.as_ref());
        fill(&mut self.arxiv, other.arxiv.as_ref());
        fill(&mut self.openreview, other.openreview.as_ref());
        fill(&mut self.acl, other.acl.as_ref());
        fill(&mut self.pmc, other.pmc.as_ref());
    }
}

fn strip_prefixes<'a>(value: &'a str, prefixes: &[&str]) -> &'a str {
    let mut rest = value;
    for prefix in prefixes {
        if rest
            .get(..prefix.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(prefix))
        {
            rest = rest.get(prefix.len()..).unwrap_or_default();
        }
    }
    rest.trim()
}

fn check_doi(value: &str) -> Result<String, &'static str> {
    let bare = strip_prefixes(value, &["https://", "http://", "www.", "dx.", "doi.org/", "doi:"])
        .trim_end_matches(['.', ',', ';']);
    let (registrant, suffix) = bare.split_once('/').ok_or("a DOI is 10.NNNN/suffix")?;
    let digits = registrant.strip_prefix("10.").ok_or("a DOI starts with 10.")?;
    let number = digits.split('.').next().unwrap_or_default();
    if !(4..=9).contains(&number.len()) || !digits.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return Err("the part after 10. is four to nine digits");
    }
    if suffix.is_empty() || suffix.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err("the part after the slash is empty or contains white space");
    }
    Ok(bare.to_lowercase())
}

fn check_arxiv(value: &str) -> Result<String, &'static str> {
    let bare = strip_prefixes(
        value,
        &[
            "https://",
            "http://",
            "www.",
            "export.",
            "arxiv.org/",
            "abs/",
            "pdf/",
            "html/",
        ],
    );
    let bare = strip_prefixes(bare, &["arxiv:", "arxiv."]);
    let bare = bare.strip_suffix(".pdf").unwrap_or(bare);
    let bare = match bare.rsplit_once('v') {
        Some((head, version)) if !version.is_empty() && version.bytes().all(|b| b.is_ascii_digit()) => head,
        _ => bare,
    };
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let month = |number: &str| {
        number
            .get(2..4)
            .and_then(|m| m.parse::<u8>().ok())
            .is_some_and(|m| (1..=12).contains(&m))
    };
    let new_style = bare.split_once('.').is_some_and(|(month_part, n)| {
        month_part.len() == 4 && all_digits(month_part) && (4..=5).contains(&n.len()) && all_digits(n)
    });
    let old_style = bare.split_once('/').is_some_and(|(archive, number)| {
        archive.chars().all(|c| c.is_ascii_alphabetic() || c == '-' || c == '.')
            && archive.len() >= 2
            && number.len() == 7
            && all_digits(number)
    });
    let number = bare.rsplit('/').next().unwrap_or_default();
    if (new_style || old_style) && month(number) {
        Ok(bare.to_owned())
    } else {
        Err("an arXiv id is YYMM.NNNNN or archive/YYMMNNN")
    }
}

fn check_openreview(value: &str) -> Result<String, &'static str> {
    let bare = strip_prefixes(
        value,
        &[
            "https://",
            "http://",
            "openreview.net/",
            "forum?id=",
            "pdf?id=",
            "openreview:",
        ],
    );
    let bare = bare.split('&').next().unwrap_or_default();
    if (8..=14).contains(&bare.len())
        && bare
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
    {
        Ok(bare.to_owned())
    } else {
        Err("an OpenReview forum id is about ten letters, digits, hyphens and underscores")
    }
}

fn check_acl(value: &str) -> Result<String, &'static str> {
    let bare = strip_prefixes(value, &["https://", "http://", "www.", "aclanthology.org/", "acl:"]);
    let bare = bare.trim_end_matches('/');
    let bare = bare.strip_suffix(".pdf").unwrap_or(bare);
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let old_style = bare.split_once('-').is_some_and(|(volume, number)| {
        let mut chars = volume.chars();
        chars.next().is_some_and(|c| c.is_ascii_uppercase())
            && digits(chars.as_str())
            && volume.len() == 3
            && number.len() == 4
            && digits(number)
    });
    let parts: Vec<&str> = bare.split('.').collect();
    let new_style = matches!(parts.as_slice(), [year, venue, number]
        if year.len() == 4 && digits(year) && venue.contains('-') && digits(number)
            && venue.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
    if old_style || new_style {
        Ok(bare.to_owned())
    } else {
        Err("an ACL Anthology id is X00-0000 or YYYY.venue-volume.N")
    }
}

fn check_pmc(value: &str) -> Result<String, &'static str> {
    const WRONG: &str = "a PubMed Central id is PMC and a number";
    let lower = value.to_ascii_lowercase();
    let bare = match lower.split_once("://") {
        Some((_, address)) => {
            let path = address
                .split(['?', '#'])
                .next()
                .unwrap_or_default()
                .trim_end_matches('/');
            let (host, path) = path.split_once('/').ok_or(WRONG)?;
            let at_home = ["ncbi.nlm.nih.gov", "europepmc.org"]
                .iter()
                .any(|home| host == *home || host.strip_suffix(home).is_some_and(|head| head.ends_with('.')));
            let last = ["articles/", "pmc/articles/", "article/pmc/"]
                .iter()
                .find_map(|head| path.strip_prefix(head));
            let last = last.filter(|_| at_home).ok_or(WRONG)?;
            last.strip_prefix("pmc").unwrap_or(last)
        }
        None => {
            let named = lower.strip_prefix("pmcid:").map_or(lower.as_str(), str::trim);
            named.strip_prefix("pmc").ok_or(WRONG)?
        }
    };
    if (1..=10).contains(&bare.len()) && bare.bytes().all(|b| b.is_ascii_digit()) {
        Ok(format!("PMC{bare}"))
    } else {
        Err(WRONG)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pubmed_central_ids_parse_in_every_copied_form() {
        for value in [
            "PMC7471246",
            "pmc7471246",
            "PMCID: PMC7471246",
            "https://pmc.ncbi.nlm.nih.gov/articles/PMC7471246/",
            "https://www.ncbi.nlm.nih.gov/pmc/articles/7471246",
            "https://europepmc.org/article/PMC/PMC7471246",
            "https://europepmc.org/articles/pmc7471246?pdf=render",
        ] {
            assert_eq!(value.parse::<PmcId>().unwrap().as_str(), "PMC7471246", "{value}");
        }
        for value in [
            "",
            "7471246",
            "PMC",
            "PMC12a",
            "PMC1/../../x",
            "https://example.org/articles/PMC7471246",
            "https://europepmc.org.evil.com/articles/PMC7471246",
            "https://europepmc.org/article/MED/7471246",
        ] {
            assert!(value.parse::<PmcId>().is_err(), "{value}");
        }
    }

    #[test]
    fn dois_lose_their_resolver_and_case() {
        for value in [
            "10.18653/v1/N19-1423",
            "https://doi.org/10.18653/v1/N19-1423",
            "doi:10.18653/V1/n19-1423.",
        ] {
            assert_eq!(value.parse::<Doi>().unwrap().as_str(), "10.18653/v1/n19-1423");
        }
        for value in ["", "10.1/x", "11.1234/x", "10.1234/", "10.1234/a b"] {
            assert!(value.parse::<Doi>().is_err(), "{value}");
        }
    }

    #[test]
    fn arxiv_ids_lose_version_and_address() {
        for value in [
            "2509.08755",
            "arXiv:2509.08755v2",
            "https://arxiv.org/abs/2509.08755v1",
            "http://arxiv.org/pdf/2509.08755.pdf",
        ] {
            assert_eq!(value.parse::<ArxivId>().unwrap().as_str(), "2509.08755");
        }
        assert_eq!(
            "cs/9301111"
                .parse::<ArxivId>()
                .unwrap()
                .submitted()
                .unwrap()
                .to_string(),
            "1993-01"
        );
        assert_eq!(
            "0704.0001".parse::<ArxivId>().unwrap().submitted().unwrap().to_string(),
            "2007-04"
        );
        for value in ["", "1234", "2513.00001", "../../etc", "25090.8755"] {
            assert!(value.parse::<ArxivId>().is_err(), "{value}");
        }
    }

    #[test]
    fn acl_and_openreview_ids() {
        assert_eq!(
            "https://aclanthology.org/P06-1010/".parse::<AclId>().unwrap().as_str(),
            "P06-1010"
        );
        assert_eq!(
            "acl:2023.emnlp-main.507".parse::<AclId>().unwrap().as_str(),
            "2023.emnlp-main.507"
        );
        assert!("2023".parse::<AclId>().is_err());
        assert_eq!(
            "https://openreview.net/forum?id=FxCy8TvQHO"
                .parse::<OpenReviewId>()
                .unwrap()
                .as_str(),
            "FxCy8TvQHO"
        );
        assert!("a/../../b".parse::<OpenReviewId>().is_err());
    }

    #[test]
    fn run_ids_are_safe_folder_names() {
        assert!("attention-1a2b".parse::<RunId>().is_ok());
        for value in ["", "../x", "a/b", "A", "a b", ".hidden"] {
            assert!(value.parse::<RunId>().is_err(), "{value}");
        }
    }
}

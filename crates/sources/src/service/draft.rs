use std::collections::BTreeSet;

use precedent_domain::{
    AclId, ArxivId, Author, DateOrder, DateOrigin, Doi, Doubt, Extent, Granularity, Identifiers, OpenReviewId,
    PartialDate, PmcId, PublicationDate, Work, WorkId,
};

use super::notices::{is_notice, without_mark};
use super::{headings_apart, plain, without_tags};

/// Maximum lengths of title, abstract, name and address in characters, and maximum number of names.
const TITLE: usize = 600;
const SUMMARY: usize = 12_000;
const NAME: usize = 120;
const ADDRESS: usize = 1000;
const AUTHORS: usize = 300;

/// A record from a service, not yet validated.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Draft {
    /// The id it will have: `openalex:W2741809807`.
    pub id: String,
    /// Title, possibly with markup and entities.
    pub title: String,
    /// Abstract, possibly with markup and entities.
    pub summary: Option<String>,
    /// Authors in order, names in reading order.
    pub authors: Vec<String>,
    /// The venue.
    pub venue: Option<String>,
    /// Every date in the record.
    pub dates: Vec<PartialDate>,
    /// The start date of something that changes until the last of `dates`, such as a repository.
    pub begun: Option<PartialDate>,
    /// A DOI in any form.
    pub doi: Option<String>,
    /// An arXiv id in any form.
    pub arxiv: Option<String>,
    /// An OpenReview forum.
    pub openreview: Option<String>,
    /// An ACL Anthology id.
    pub acl: Option<String>,
    /// A PubMed Central id in any form.
    pub pmc: Option<String>,
    /// Whether the service reports it as retracted.
    pub retracted: bool,
    /// How many works cite it.
    pub cited_by: Option<u32>,
    /// How many people marked it with a star.
    pub stars: Option<u32>,
    /// Addresses. The first valid one is where to open the work. Identifiers are read from all of them.
    pub addresses: Vec<String>,
}

impl Draft {
    /// The record as it was known at `as_of`; `None` if it was started later. If it was started before and changed since, it loses the later dates,
    /// because nobody knows when its content was written.
    #[must_use]
    pub(super) fn held_to(mut self, as_of: Option<PartialDate>) -> Option<Self> {
        let (Some(as_of), Some(begun)) = (as_of, self.begun) else {
            return Some(self);
        };
        if begun.against(as_of) == DateOrder::After {
            return None;
        }
        self.dates.retain(|date| date.against(as_of) != DateOrder::After);
        Some(self)
    }

    /// The work, cleaned and limited; `None` for a record without a title or a usable id, and for a notice about another work.
    #[must_use]
    pub fn work(self, source: &str) -> Option<Work> {
        let id: WorkId = self.id.parse().ok()?;
        let title = plain(&without_tags(&self.title), TITLE);
        let (title, marked) = without_mark(title);
        let doubts = (marked || self.retracted).then(|| Doubt::Retracted {
            by: vec![source.to_owned()],
        });
        if !title.chars().any(char::is_alphanumeric) || is_notice(&title) {
            return None;
        }
        let summary = self.summary.as_deref();
        let summary = summary.map(|text| plain(&without_tags(&headings_apart(text)), SUMMARY));
        let summary = summary.filter(|text| text.chars().any(char::is_alphanumeric));
        let identifiers = self.identifiers();
        let dates = dates(&self.dates, &identifiers, source);
        let names = self
            .authors
            .iter()
            .take(AUTHORS)
            .map(|name| plain(&without_tags(name), NAME));
        let venue = self.venue.as_deref().map(|venue| plain(&without_tags(venue), TITLE));
        Some(Work {
            extent: if summary.is_some() {
                Extent::Abstract
            } else {
                Extent::TitleOnly
            },
            summary,
            authors: names
                .filter(|name| !name.is_empty())
                .map(|name| Author::new(&name))
                .collect(),
            venue: venue.filter(|venue| !venue.is_empty()),
            dates,
            url: self.addresses.iter().find_map(|address| web_address(address)),
            identifiers,
            cited_by: self.cited_by,
            stars: self.stars,
            doubts: doubts.into_iter().collect(),
            ..Work::titled(id, title)
        })
    }

    /// The identifiers found anywhere in the record.
    #[must_use]
    pub fn identifiers(&self) -> Identifiers {
        let doi: Option<Doi> = self.doi.as_deref().and_then(|doi| doi.parse().ok());
        let bare = doi.as_ref().map(Doi::as_str).unwrap_or_default();
        let of = |host: &'static str| self.addresses.iter().filter(move |address| address.contains(host));
        let arxiv: Option<ArxivId> = self.arxiv.as_deref().and_then(|id| id.parse().ok());
        let acl: Option<AclId> = self.acl.as_deref().and_then(|id| id.parse().ok());
        let openreview: Option<OpenReviewId> = self.openreview.as_deref().and_then(|id| id.parse().ok());
        let pmc: Option<PmcId> = self.pmc.as_deref().and_then(|id| id.parse().ok());
        Identifiers {
            pmc: pmc.or_else(|| of("/articles/").find_map(|address| address.parse().ok())),
            arxiv: arxiv
                .or_else(|| bare.strip_prefix("10.48550/arxiv.").and_then(|id| id.parse().ok()))
                .or_else(|| of("arxiv.org/").find_map(|address| address.parse().ok())),
            openreview: openreview.or_else(|| of("openreview.net/forum").find_map(|address| address.parse().ok())),
            acl: acl
                .or_else(|| bare.strip_prefix("10.18653/v1/").and_then(anthology))
                .or_else(|| of("aclanthology.org/").find_map(|address| address.parse().ok())),
            doi,
        }
    }
}

/// The ACL Anthology id in a DOI, where case is lost: old ids start with a capital.
fn anthology(suffix: &str) -> Option<AclId> {
    let old = suffix.get(..1).map(str::to_ascii_uppercase).unwrap_or_default() + suffix.get(1..).unwrap_or_default();
    suffix.parse().or_else(|_| old.parse()).ok()
}

/// Every date once, and the month in the arXiv id if that is new. A bare year is dropped if a finer date contains it.
fn dates(given: &[PartialDate], identifiers: &Identifiers, source: &str) -> Vec<PublicationDate> {
    let record = |date: &PartialDate| PublicationDate {
        date: *date,
        origin: DateOrigin::Record(source.to_owned()),
    };
    let mut dates: Vec<PublicationDate> = given.iter().map(record).collect();
    let fine = |dated: &PublicationDate| dated.date.granularity() != Granularity::Year;
    if let Some(submitted) = identifiers.arxiv.as_ref().and_then(ArxivId::submitted)
        && !dates
            .iter()
            .any(|dated| fine(dated) && dated.date.last_day() <= submitted.last_day())
    {
        dates.push(PublicationDate {
            date: submitted,
            origin: DateOrigin::ArxivId,
        });
    }
    let finer: BTreeSet<u16> = dates
        .iter()
        .filter(|dated| fine(dated))
        .map(|dated| dated.date.year())
        .collect();
    dates.retain(|dated| fine(dated) || !finer.contains(&dated.date.year()));
    dates.sort_by(|a, b| a.date.sort_order(b.date));
    dates.dedup_by(|later, earlier| later.date == earlier.date);
    dates
}

/// The address if it is `http` or `https`, has a host and contains nothing that could break out of a link.
pub(super) fn web_address(address: &str) -> Option<String> {
    let address = address.trim();
    let lower = address.to_ascii_lowercase();
    let rest = lower
        .strip_prefix("https://")
        .or_else(|| lower.strip_prefix("http://"))?;
    let clean =
        |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '"' | '<' | '>' | '\'' | '`' | '\\' | '@');
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let fits = address.len() <= ADDRESS && address.chars().all(clean) && host.contains('.') && host.is_ascii();
    fits.then(|| address.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_cleaned_and_its_identifiers_are_found_anywhere() {
        let draft = Draft {
            id: "x:1".into(),
            title: "<b>Ropes</b> &amp; creep\n".into(),
            summary: Some("<jats:p>Long</jats:p>".into()),
            authors: vec!["Ann  Lee".into(), " ".into()],
            dates: vec!["2019".parse().unwrap(), "2019-06-02".parse().unwrap()],
            doi: Some("https://doi.org/10.18653/v1/P19-1001".into()),
            addresses: vec![
                "javascript:alert(1)".into(),
                "https://arxiv.org/abs/1901.00001v2".into(),
            ],
            ..Draft::default()
        };
        let work = draft.work("here").unwrap();
        assert_eq!((work.title.as_str(), work.authors.len()), ("Ropes & creep", 1));
        assert_eq!(work.identifiers.acl.unwrap().as_str(), "P19-1001");
        assert_eq!(work.identifiers.arxiv.unwrap().as_str(), "1901.00001");
        assert_eq!(work.url.as_deref(), Some("https://arxiv.org/abs/1901.00001v2"));
        let dates: Vec<String> = work.dates.iter().map(|dated| dated.date.to_string()).collect();
        assert_eq!(dates, ["2019-01", "2019-06-02"]);
        assert_eq!(work.extent, Extent::Abstract);
    }

    #[test]
    fn a_retraction_mark_is_removed_from_the_title_and_recorded() {
        for (title, kept, retracted) in [
            ("RETRACTED: Ropes that creep", "Ropes that creep", true),
            ("Retracted Article: Ropes that creep", "Ropes that creep", true),
            ("[Retracted] Ropes that creep", "Ropes that creep", true),
            (
                "Retracted works and what came of them",
                "Retracted works and what came of them",
                false,
            ),
            ("Retracted: …", "Retracted: …", false),
        ] {
            let draft = Draft {
                id: "x:1".into(),
                title: title.into(),
                ..Draft::default()
            };
            let work = draft.work("here").unwrap();
            assert_eq!((work.title.as_str(), work.is_retracted()), (kept, retracted));
        }
    }

    #[test]
    fn records_changed_after_the_cutoff_lose_later_dates_and_records_started_after_it_are_dropped() {
        let date = |text: &str| text.parse().ok();
        for (begun, changed, as_of, expected) in [
            ("2019-03-01", "2021-05-02", "2022-01-01", Some(vec!["2021-05-02"])),
            ("2019-03-01", "2021-05-02", "2021-05-02", Some(vec!["2021-05-02"])),
            ("2019-03-01", "2021-05-02", "2020-01-01", Some(vec![])),
            ("2019-03-01", "2021-05-02", "2019-03-01", Some(vec![])),
            ("2019-03-01", "2021-05-02", "2019", Some(vec![])),
            ("2019-03-01", "2021-05-02", "2019-02-28", None),
            ("2019-03-01", "2021-05-02", "2018", None),
        ] {
            let draft = Draft {
                dates: date(changed).into_iter().collect(),
                begun: date(begun),
                ..Draft::default()
            };
            let kept = draft.held_to(date(as_of)).map(|draft| draft.dates);
            let kept = kept.map(|dates| dates.iter().map(ToString::to_string).collect::<Vec<_>>());
            assert_eq!(
                kept,
                expected.map(|dates| dates.iter().map(|date| (*date).to_owned()).collect()),
                "{as_of}"
            );
        }
    }

    #[test]
    fn invalid_records_are_dropped() {
        let draft = |id: &str, title: &str| Draft {
            id: id.into(),
            title: title.into(),
            ..Draft::default()
        };
        assert!(draft("x:1", "<i></i> …").work("here").is_none());
        assert!(draft("x 1", "Title").work("here").is_none());
        assert!(draft(&"x".repeat(300), "Title").work("here").is_none());
        assert!(draft("x:1", &"T".repeat(100_000)).work("here").unwrap().title.len() == TITLE);
    }
}

use precedent_domain::{
    AclId, ArxivId, Author, DateOrigin, Doi, Identifiers, OpenReviewId, PublicationDate, Work, WorkId, title_key,
};
use sha2::{Digest, Sha256};

use super::dates::{dates, parse_date};
use super::full_text::{self, Part};
use crate::Record;

/// Origin of a date that applies to the whole record.
const RECORD: &str = "corpus";
/// Maximum length of a title that is the beginning of the text.
const TITLE_WORDS: usize = 12;
const TITLE_CHARACTERS: usize = 120;
/// Maximum number of fields of study per work, and maximum bytes of one.
const MOST_FIELDS: usize = 32;
const LONGEST_FIELD: usize = 120;

/// The values of a record before validation.
#[derive(Debug, Default)]
pub(super) struct WorkBuilder {
    pub(super) id: Option<String>,
    pub(super) title: String,
    pub(super) summary: Option<String>,
    pub(super) authors: Vec<String>,
    pub(super) venue: Option<String>,
    pub(super) dates: Vec<String>,
    /// Dates of versions, each with a name for its origin.
    pub(super) versions: Vec<(String, String)>,
    pub(super) urls: Vec<String>,
    pub(super) doi: Option<String>,
    pub(super) arxiv: Option<String>,
    pub(super) acl: Option<String>,
    /// How many works cite it.
    pub(super) cited_by: Option<u32>,
    /// Fields of study.
    pub(super) fields: Vec<String>,
    /// Whether it completes an existing record with the same id. Without a title it can do nothing else.
    pub(super) completes: bool,
    /// The full text, if the record has one.
    pub(super) parts: Vec<Part>,
}

impl WorkBuilder {
    /// The record, or the reason why it is invalid.
    pub(super) fn build(self) -> Result<Record, String> {
        let mut title = squeeze(&self.title);
        let untitled = title.is_empty() && !(self.completes && self.id.is_some());
        if untitled {
            title = self.beginning().ok_or("it has neither a title nor a text")?;
        }
        let identifiers = self.identifiers();
        let given = self.dates();
        let authors: Vec<Author> = self
            .authors
            .iter()
            .map(|name| Author::new(&reading_order(&squeeze(name))))
            .filter(|author| !author.name.is_empty())
            .collect();
        let id = match self.id.as_deref().map(str::trim).filter(|id| !id.is_empty()) {
            Some(id) => id.parse::<WorkId>().map_err(|error| error.to_string())?,
            None => {
                let year = given.iter().map(|dated| dated.date.year()).min();
                made_id(&identifiers, &title, &authors, year)?
            }
        };
        let summary = self
            .summary
            .as_deref()
            .map(squeeze)
            .filter(|summary| !summary.is_empty());
        let document = full_text::document(&title, summary.as_deref(), &self.parts);
        let work = Work {
            summary,
            authors,
            venue: self.venue.as_deref().map(squeeze).filter(|venue| !venue.is_empty()),
            dates: dates(given, &identifiers),
            url: self.urls.iter().find_map(|url| web_address(url)),
            identifiers,
            cited_by: self.cited_by,
            ..Work::titled(id, title)
        };
        let mut fields: Vec<String> = self.fields.iter().map(|field| squeeze(field)).collect();
        fields.retain(|field| !field.is_empty() && field.len() <= LONGEST_FIELD);
        fields.sort();
        fields.dedup();
        fields.truncate(MOST_FIELDS);
        Ok(Record {
            work,
            document,
            fields,
            completes: self.completes,
            untitled,
        })
    }

    /// The beginning of the text, for a record without a title, such as a note or a document of a test collection.
    fn beginning(&self) -> Option<String> {
        let texts = self.summary.iter().chain(self.parts.iter().map(|part| &part.text));
        let text = texts
            .map(|text| squeeze(text))
            .find(|text| text.chars().any(char::is_alphanumeric))?;
        let sentence = text.find(". ").and_then(|end| text.get(..end)).unwrap_or(&text);
        let words: Vec<&str> = sentence.split(' ').take(TITLE_WORDS).collect();
        let mut title: String = words.join(" ").chars().take(TITLE_CHARACTERS).collect();
        if title.len() < text.trim_end_matches('.').len() {
            title.push('…');
        }
        Some(title)
    }

    /// Every date that can be parsed, with its origin.
    fn dates(&self) -> Vec<PublicationDate> {
        let of_record = self.dates.iter().map(|date| (date, RECORD));
        let of_versions = self.versions.iter().map(|(date, place)| (date, place.as_str()));
        of_record
            .chain(of_versions)
            .filter_map(|(date, place)| {
                Some(PublicationDate {
                    date: parse_date(date)?,
                    origin: DateOrigin::Record(squeeze(place).chars().take(60).collect()),
                })
            })
            .collect()
    }

    /// Identifiers from their own fields, else from addresses and the id.
    fn identifiers(&self) -> Identifiers {
        fn first<T: std::str::FromStr>(candidates: &[Option<&str>], wants: impl Fn(&str) -> bool) -> Option<T> {
            let found = |text: &&str| wants(&text.to_ascii_lowercase());
            candidates
                .iter()
                .flatten()
                .filter(|text| found(text))
                .find_map(|text| text.parse().ok())
        }
        let id = self.id.as_deref();
        let urls = || self.urls.iter().map(|url| Some(url.trim()));
        let with = |field: Option<&str>| -> Vec<Option<String>> {
            [field.map(str::to_owned), id.map(str::to_owned)]
                .into_iter()
                .chain(urls().map(|url| url.map(str::to_owned)))
                .collect()
        };
        let doi_places = with(None);
        let places: Vec<Option<&str>> = doi_places.iter().map(Option::as_deref).collect();
        let from_doi = self.doi.as_deref().and_then(|doi| {
            let lower = doi.to_ascii_lowercase();
            lower
                .split_once("10.48550/arxiv.")
                .and_then(|(_, id)| id.parse::<ArxivId>().ok())
        });
        Identifiers {
            doi: self
                .doi
                .as_deref()
                .and_then(|doi| doi.parse::<Doi>().ok())
                .or_else(|| first(&places, |text| text.starts_with("doi:") || text.contains("doi.org/"))),
            arxiv: self
                .arxiv
                .as_deref()
                .and_then(|id| id.parse::<ArxivId>().ok())
                .or_else(|| {
                    first(&places, |text| {
                        text.starts_with("arxiv:") || text.contains("arxiv.org/")
                    })
                })
                .or(from_doi),
            openreview: first::<OpenReviewId>(&places, |text| {
                text.starts_with("openreview:") || text.contains("openreview.net/")
            }),
            acl: self.acl.as_deref().and_then(|id| id.parse().ok()).or_else(|| {
                first::<AclId>(&places, |text| {
                    text.starts_with("acl:") || text.contains("aclanthology.org/")
                })
            }),
            pmc: first(&places, |text| text.starts_with("pmc") || text.contains("pmc")),
        }
    }
}

/// An id for a record without one: its best identifier, else a hash of title, first author and year.
fn made_id(identifiers: &Identifiers, title: &str, authors: &[Author], year: Option<u16>) -> Result<WorkId, String> {
    let named = |kind: &str, id: Option<&str>| id.map(|id| format!("{kind}:{id}"));
    let known = named("doi", identifiers.doi.as_ref().map(Doi::as_str))
        .or_else(|| named("arxiv", identifiers.arxiv.as_ref().map(ArxivId::as_str)))
        .or_else(|| named("openreview", identifiers.openreview.as_ref().map(OpenReviewId::as_str)))
        .or_else(|| named("acl", identifiers.acl.as_ref().map(AclId::as_str)));
    let text = known.unwrap_or_else(|| {
        let mut hash = Sha256::new();
        hash.update(title_key(title).as_bytes());
        hash.update([0]);
        hash.update(
            authors
                .first()
                .map_or("", Author::family_name)
                .to_lowercase()
                .as_bytes(),
        );
        hash.update([0]);
        hash.update(year.unwrap_or(0).to_be_bytes());
        let digest: String = hash
            .finalize()
            .iter()
            .take(10)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        format!("title:{digest}")
    });
    text.parse()
        .map_err(|error: precedent_domain::DomainError| error.to_string())
}

/// `Knuth, Donald E.` gives `Donald E. Knuth`; other forms are unchanged.
fn reading_order(name: &str) -> String {
    let parts: Vec<&str> = name.split(',').map(str::trim).filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        [family, given] if !is_suffix(given) => format!("{given} {family}"),
        [family, suffix, given] if is_suffix(suffix) => format!("{given} {family} {suffix}"),
        [family, given, suffix] if is_suffix(suffix) => format!("{given} {family} {suffix}"),
        _ => name.to_owned(),
    }
}

fn is_suffix(part: &str) -> bool {
    matches!(part.trim_end_matches('.'), "Jr" | "Sr" | "II" | "III" | "IV")
}

/// Replaces control characters and runs of white space with one space.
pub(super) fn squeeze(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The address if it is `http` or `https`, has a host, and contains nothing that could break out of a link.
pub(super) fn web_address(url: &str) -> Option<String> {
    let url = url.trim();
    let lower = url.to_ascii_lowercase();
    let rest = lower
        .strip_prefix("https://")
        .or_else(|| lower.strip_prefix("http://"))?;
    let clean = |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '"' | '<' | '>' | '\'' | '`' | '\\');
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let fits = url.len() <= 2048 && url.chars().all(clean) && host.contains(|c: char| c.is_alphanumeric());
    fits.then(|| url.to_owned())
}

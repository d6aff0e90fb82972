use std::collections::BTreeSet;

use precedent_domain::{Candidate, DateOrigin, Doubt, Granularity, PartialDate, Work, is_preprint_venue};

use super::name::{Person, one_line};
use super::venue::{Kind, has_published_doi};

/// A paper as all formats write it: every text on one line, without invisible characters.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// A unique key of ASCII letters and digits: `knuth1989ropes`.
    pub(super) key: String,
    pub(super) kind: Kind,
    pub(super) title: String,
    pub(super) people: Vec<Person>,
    pub(super) venue: Option<String>,
    pub(super) date: Option<PartialDate>,
    pub(super) doi: Option<String>,
    pub(super) arxiv: Option<String>,
    pub(super) url: Option<String>,
    pub(super) summary: Option<String>,
    /// What a reader must know before citing it: that it was retracted.
    pub(super) note: Option<String>,
    /// Keywords from the report, for sorting in a reference manager.
    pub(super) keywords: Vec<&'static str>,
}

impl Entry {
    /// Converts a candidate of a publishable report.
    pub(super) fn of(candidate: &Candidate, is_missing: bool) -> Self {
        let work = &candidate.work;
        let people: Vec<Person> = work
            .authors
            .iter()
            .map(Person::of)
            .filter(|one| !one.family.is_empty())
            .collect();
        let kind = Kind::of(work);
        let date = date_of(work, kind);
        let text = |text: &Option<String>| {
            let line = text.as_deref().map(|text| one_line(&untagged(text)));
            line.filter(|text| !text.is_empty())
        };
        let mut keywords = vec![match candidate.cited_as {
            Some(_) => "cited by the paper",
            None => "not cited by the paper",
        }];
        if is_missing {
            keywords.push("missing citation");
        }
        let note = retraction(work);
        if note.is_some() {
            keywords.push("retracted");
        }
        // The venue of the preprint does not go with the DOI of the publication.
        let is_of_preprint = |venue: &str| is_preprint_venue(venue) && has_published_doi(work);
        let venue = text(&work.venue).filter(|venue| !is_of_preprint(venue));
        let doi = work.identifiers.doi.as_ref().map(ToString::to_string);
        let url = work.url.as_deref().map(one_line).filter(|url| !url.is_empty());
        let url = match &doi {
            Some(doi) if has_published_doi(work) && url.as_ref().is_some_and(|url| url.contains("://arxiv.org/")) => {
                Some(format!("https://doi.org/{doi}"))
            }
            _ => url,
        };
        let title = one_line(&untagged(&work.title));
        Self {
            key: key(people.first(), date, &title),
            kind,
            title,
            people,
            venue,
            date,
            doi,
            arxiv: work.identifiers.arxiv.as_ref().map(ToString::to_string),
            url,
            summary: text(&work.summary),
            note,
            keywords,
        }
    }
}

/// The date of the version that the entry describes. A publication that was first a preprint has later dates than the preprint, or else only the
/// year of the preprint.
fn date_of(work: &Work, kind: Kind) -> Option<PartialDate> {
    let earliest = work.earliest()?.date;
    let Some(submitted) = work.identifiers.arxiv.as_ref().and_then(|id| id.submitted()) else {
        return Some(earliest);
    };
    if matches!(kind, Kind::Preprint | Kind::Other) {
        return Some(earliest);
    }
    let of_preprint = |origin: &DateOrigin| match origin {
        DateOrigin::ArxivId | DateOrigin::Doi => true,
        DateOrigin::Record(source) => source == "arxiv",
        _ => false,
    };
    let is_later = |date: PartialDate| match date.granularity() {
        Granularity::Year => date.year() >= submitted.year(),
        _ => date.first_day() > submitted.last_day(),
    };
    let dates = work.dates.iter().filter(|dated| !of_preprint(&dated.origin));
    let dates = dates.map(|dated| dated.date).filter(|date| is_later(*date));
    let published = dates.min_by_key(|date| {
        let is_rough = date.granularity() == Granularity::Year;
        (date.year(), is_rough, date.last_day())
    });
    published.or_else(|| PartialDate::new(earliest.year(), None, None).ok())
}

/// That it was retracted, and who says so.
fn retraction(work: &Work) -> Option<String> {
    work.doubts.iter().find_map(|doubt| match doubt {
        Doubt::Retracted { by } => Some(one_line(&format!("Retracted, according to {}", by.join(", ")))),
        _ => None,
    })
}

/// The text without formatting tags of records: `<i>E. coli</i>`. Other angle brackets are text.
fn untagged(text: &str) -> String {
    const TAGS: [&str; 13] = [
        "i", "b", "u", "em", "strong", "sub", "sup", "sc", "scp", "tt", "span", "inf", "italic",
    ];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let end = from.find('>').filter(|end| *end <= 100);
        let inside = end.and_then(|end| from.get(1..end)).unwrap_or_default();
        let word = inside
            .trim_start_matches('/')
            .split([' ', '/'])
            .next()
            .unwrap_or_default();
        let name = word.rsplit(':').next().unwrap_or_default().to_ascii_lowercase();
        match end {
            Some(end) if TAGS.contains(&name.as_str()) => rest = from.get(end + 1..).unwrap_or_default(),
            _ => {
                out.push('<');
                rest = from.get(1..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
    out
}

/// The first author's name, the year and the first long word of the title.
fn key(first: Option<&Person>, date: Option<PartialDate>, title: &str) -> String {
    let plain = |word: &str| -> String {
        let letters = word.to_lowercase();
        letters
            .chars()
            .map(without_accent)
            .filter(char::is_ascii_alphanumeric)
            .take(24)
            .collect()
    };
    let family = first
        .map(|person| plain(&person.family))
        .filter(|name| !name.is_empty());
    let word = title.split_whitespace().map(plain).find(|word| word.len() > 3);
    format!(
        "{}{}{}",
        family.unwrap_or_else(|| "anonymous".to_owned()),
        date.map(|date| date.year().to_string()).unwrap_or_default(),
        word.unwrap_or_default()
    )
    .to_lowercase()
}

/// Appends a number to duplicate keys.
pub(super) fn disambiguate(entries: &mut [Entry]) {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    for entry in entries {
        let numbered = (2_u32..).map(|number| format!("{}-{number}", entry.key));
        let free = std::iter::once(entry.key.clone())
            .chain(numbered)
            .find(|key| !taken.contains(key));
        entry.key = free.unwrap_or_default();
        taken.insert(entry.key.clone());
    }
}

/// The ASCII letter used in keys for an accented Latin letter.
fn without_accent(c: char) -> char {
    match c {
        'à'..='å' | 'ā' | 'ă' | 'ą' => 'a',
        'ç' | 'ć' | 'č' => 'c',
        'ď' | 'đ' => 'd',
        'è'..='ë' | 'ē' | 'ę' | 'ě' => 'e',
        'ğ' => 'g',
        'ì'..='ï' | 'ī' | 'ı' => 'i',
        'ł' | 'ľ' => 'l',
        'ñ' | 'ń' | 'ň' => 'n',
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => 'o',
        'ř' => 'r',
        'ś' | 'ş' | 'š' | 'ß' => 's',
        'ť' | 'ţ' => 't',
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => 'u',
        'ý' | 'ÿ' => 'y',
        'ź' | 'ż' | 'ž' => 'z',
        other => other,
    }
}

use std::collections::BTreeSet;

use precedent_domain::{Candidate, PartialDate};

use super::name::{Person, one_line};
use super::venue::Kind;

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
        let date = work.earliest().map(|dated| dated.date);
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
        let title = one_line(&untagged(&work.title));
        Self {
            key: key(people.first(), date, &title),
            kind: Kind::of(work),
            title,
            people,
            venue: text(&work.venue),
            date,
            doi: work.identifiers.doi.as_ref().map(ToString::to_string),
            arxiv: work.identifiers.arxiv.as_ref().map(ToString::to_string),
            url: work.url.as_deref().map(one_line).filter(|url| !url.is_empty()),
            summary: text(&work.summary),
            keywords,
        }
    }
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
pub(super) fn tell_apart(entries: &mut [Entry]) {
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

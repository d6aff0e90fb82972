use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use precedent_domain::{Paper, Paragraph, ParagraphKind, SectionKind};
use regex::Regex;

use super::manuscript::folded;
use super::tokens;
use crate::wording::{is_function_word, is_generic};

/// Bytes at the start of a text in which front matter is looked for: authors and affiliations of a paper of twenty people.
const FRONT_BYTES: usize = 8_000;
/// Words from which a paragraph can be running text; shorter ones before the introduction are names, affiliations, headings.
const PROSE_WORDS: usize = 12;
/// Share of the words of running text that begin with a small letter.
const PROSE_SHARE: f64 = 0.5;
/// Share of a title's telling words that the text also uses in small letters, from which it is certainly no list of names.
const TITLE_SHARE: f64 = 0.34;
/// Digits from which a number in the front matter is a post code or a telephone number.
const LONG_NUMBER: usize = 5;
/// Headings that stand in the front matter.
const HEADINGS: [&str; 5] = ["abstract", "introduction", "keywords", "summary", "references"];

/// The words of a paper that say who wrote it: names of authors, affiliations, e-mail addresses.
///
/// Personal are the words of the authors' names as they were read, of every e-mail address, and the capitalised words and long numbers of the front matter: of what stands before the
/// introduction and is neither the title nor running text. That covers names which were not recognised as authors. A word that the body also uses in small letters (`long`, `learning`)
/// is an ordinary word and not personal. Nothing else excuses a word: a city that is also the topic is left out of queries.
///
/// Where the line of authors was taken for the title, the title's words are personal too.
#[derive(Debug, Clone, Default)]
pub(crate) struct Personal {
    words: BTreeSet<String>,
    /// Names in scripts that leave no gaps between words: they are found inside of words.
    without_gaps: BTreeSet<String>,
    /// The front matter, the title included.
    pub(super) front: String,
    title_is_names: bool,
}

impl Personal {
    pub(crate) fn of(paper: &Paper) -> Self {
        let (front, body) = parts(paper);
        let ordinary = ordinary_words(paper, &body);
        let title = paper.title.as_deref().unwrap_or_default();
        let authors: Vec<String> = paper.authors.iter().flat_map(|author| plain(&author.name)).collect();
        let mut found: BTreeSet<String> = authors.iter().cloned().collect();
        found.extend(addresses(paper).iter().flat_map(|address| plain(address)));
        let title_is_names = is_name_list(title, &found, &ordinary, &body);
        found.extend(marked_words(&front, title, title_is_names));
        let is_personal = |word: &String| {
            let is_number = word.chars().all(|c| c.is_ascii_digit());
            !ordinary.contains(word)
                && !is_function_word(word)
                && !is_generic(word)
                && !HEADINGS.contains(&word.as_str())
                && (!is_number || word.len() >= LONG_NUMBER)
        };
        let words: BTreeSet<String> = found.into_iter().filter(is_personal).collect();
        let is_without_gaps = |word: &&String| has_no_case(word) && word.chars().nth(1).is_some();
        Self {
            without_gaps: authors.iter().filter(is_without_gaps).cloned().collect(),
            words,
            front: format!("{}\n{title}", front.join("\n")),
            title_is_names,
        }
    }

    /// Whether the line of authors was taken for the title.
    pub(crate) fn title_is_names(&self) -> bool {
        self.title_is_names
    }

    /// Whether at least half of the telling words of a phrase are personal.
    pub(crate) fn is_mostly_names(&self, phrase: &str) -> bool {
        let words = plain(phrase);
        let telling: Vec<&String> = words.iter().filter(|word| !is_function_word(word)).collect();
        let personal = telling.iter().filter(|word| self.words.contains(**word)).count();
        personal > 0 && 2 * personal >= telling.len()
    }

    pub(super) fn words(&self) -> impl Iterator<Item = &String> {
        self.words.iter().chain(&self.without_gaps)
    }

    pub(super) fn extend(&mut self, other: &Self) {
        self.words.extend(other.words.iter().cloned());
        self.without_gaps.extend(other.without_gaps.iter().cloned());
    }

    /// The words that are not personal.
    pub(super) fn without(&self, words: Vec<String>) -> Vec<String> {
        let mut kept = Vec::with_capacity(words.len());
        for word in words {
            let plain = folded(&word);
            if self.words.contains(&plain) {
                continue;
            }
            if !self.without_gaps.iter().any(|name| plain.contains(name)) {
                kept.push(word);
                continue;
            }
            let bare = self.without_gaps.iter().fold(plain, |text, name| text.replace(name, " "));
            kept.extend(tokens(&bare));
        }
        kept
    }
}

fn plain(text: &str) -> Vec<String> {
    tokens(text).iter().map(|word| folded(word)).collect()
}

fn has_no_case(word: &str) -> bool {
    word.chars().all(|c| c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase())
}

/// The e-mail addresses of a paper, `{anna,bo}@example.org` among them.
fn addresses(paper: &Paper) -> Vec<String> {
    static ADDRESS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r"(?:[\{\[(][^{}\[\]()@]{1,200}[\}\])]|[\p{L}\d._%+-]+(?:\s?[,;]\s?[\p{L}\d._%+-]+@?)*)\s?@\s?[\p{L}\d-]+(?:\s?\.\s?[\p{L}\d-]+)+").ok()
    });
    let text = paper.document.text.as_str();
    let found = ADDRESS.iter().flat_map(|pattern| pattern.find_iter(text));
    found.map(|address| address.as_str().to_owned()).collect()
}

/// The front matter, and the paragraphs of the body.
fn parts(paper: &Paper) -> (Vec<&str>, Vec<&Paragraph>) {
    let document = &paper.document;
    let section = |kind: SectionKind| document.sections.iter().find(move |one| one.kind == kind);
    let mut front = Vec::new();
    let mut body = Vec::new();
    let mut is_open = true;
    let before = section(SectionKind::Introduction).map_or(FRONT_BYTES, |one| one.span.start.min(FRONT_BYTES));
    for paragraph in &document.paragraphs {
        let text = document.slice(paragraph.span).unwrap_or_default();
        let in_section = document.section_at(paragraph.span.start).map(|section| section.kind);
        let is_summary = paper.abstract_span.is_some_and(|span| span.overlaps(paragraph.span));
        let is_prose = is_prose(text);
        let is_body_kind = matches!(paragraph.kind, ParagraphKind::Body | ParagraphKind::ListItem | ParagraphKind::BlockQuote);
        // Without an abstract and an introduction the front matter ends where running text begins.
        is_open &= paper.abstract_span.is_some() || !is_prose || paragraph.kind == ParagraphKind::FrontMatter;
        let is_early = paragraph.span.start < before;
        let is_front = match paragraph.kind {
            ParagraphKind::FrontMatter => !is_prose || is_early,
            ParagraphKind::Footnote => paragraph.span.start < FRONT_BYTES,
            ParagraphKind::Body | ParagraphKind::Heading | ParagraphKind::ListItem => is_open && is_early && !is_prose,
            _ => false,
        };
        if is_front && !is_summary {
            front.push(text);
        } else if is_body_kind && !matches!(in_section, Some(SectionKind::References | SectionKind::Acknowledgements)) {
            body.push(paragraph);
        }
    }
    (front, body)
}

fn is_prose(text: &str) -> bool {
    let (mut small, mut all) = (0_usize, 0_usize);
    for word in text.split_whitespace() {
        let Some(first) = word.chars().find(|c| c.is_alphanumeric()) else { continue };
        all += 1;
        small += usize::from(!first.is_uppercase() && first.is_alphabetic() && !word.contains('@'));
    }
    #[expect(clippy::cast_precision_loss, reason = "words of a paragraph")]
    let share = small as f64 / all.max(1) as f64;
    all >= PROSE_WORDS && share >= PROSE_SHARE
}

/// The words that the body uses in small letters. Addresses, citation marks and what stands beside `et al.` are no evidence.
fn ordinary_words(paper: &Paper, body: &[&Paragraph]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for paragraph in body {
        let text = paper.document.slice(paragraph.span).unwrap_or_default();
        let mut at = 0;
        for piece in text.split_whitespace() {
            let start = text.get(at..).and_then(|rest| rest.find(piece)).map_or(at, |found| at + found);
            at = start + piece.len();
            let place = paragraph.span.start + start;
            let rest = text.get(at..).unwrap_or_default().trim_start();
            let is_name = rest.starts_with("et al") || paper.citations.iter().any(|mark| mark.span.covers(place));
            let is_address = piece.contains(['@', '\\', '_']) || piece.contains("://") || piece.starts_with("www.") || is_dotted(piece);
            if is_name || is_address {
                continue;
            }
            for word in piece.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’') {
                if word.chars().next().is_some_and(char::is_lowercase) {
                    found.extend(plain(word));
                }
            }
        }
    }
    found
}

/// `cs.example.org`: a full stop between two letters.
fn is_dotted(piece: &str) -> bool {
    let inner = piece.trim_matches(|c: char| !c.is_alphanumeric());
    inner.split('.').filter(|part| part.chars().count() > 1).count() > 1 && !inner.contains(['(', ')', ',', ';'])
}

/// The capitalised words, numbers and words without case of the front matter, but for the title.
fn marked_words(front: &[&str], title: &str, title_is_names: bool) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let of_title: BTreeSet<String> = plain(title).into_iter().collect();
    let mut title_stands = false;
    for text in front {
        let words = plain(text);
        // The title, or the head of a page that repeats it.
        if !title_is_names && words.iter().all(|word| of_title.contains(word)) {
            continue;
        }
        title_stands |= title.len() > 1 && text.contains(title);
        let pieces = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
        for piece in pieces.filter(|piece| !piece.chars().next().is_some_and(char::is_lowercase)) {
            for word in plain(piece) {
                *counts.entry(word).or_default() += 1;
            }
        }
    }
    if title_is_names {
        return counts.into_keys().chain(of_title).collect();
    }
    if title_stands {
        for word in plain(title) {
            if let Some(count) = counts.get_mut(&word) {
                *count = count.saturating_sub(1);
            }
        }
    }
    counts.into_iter().filter(|(_, count)| *count > 0).map(|(word, _)| word).collect()
}

/// Whether a title is a list of names: its words are nearly all capitalised and strange to the text, and they are known as names or set like a list of them.
fn is_name_list(title: &str, names: &BTreeSet<String>, ordinary: &BTreeSet<String>, body: &[&Paragraph]) -> bool {
    let words = plain(title);
    let telling: Vec<&String> = words.iter().filter(|word| !is_function_word(word)).collect();
    if telling.len() < 2 || body.is_empty() {
        return false;
    }
    #[expect(clippy::cast_precision_loss, reason = "words of a title")]
    let share = |count: usize| count as f64 / telling.len() as f64;
    let strange = telling.iter().filter(|word| !ordinary.contains(**word)).count();
    if share(telling.len() - strange) >= TITLE_SHARE {
        return false;
    }
    let named = telling.iter().filter(|word| names.contains(**word)).count();
    let has_marks = title.contains(['¹', '²', '³', '∗', '†', '‡', '§', '*', '@']);
    let has_digits = title.split_whitespace().any(|word| {
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit() || c == ',');
        letters.len() < word.trim_end_matches(',').len() && letters.chars().count() > 2 && !letters.ends_with('-')
    });
    let all_capitalised = title
        .split_whitespace()
        .filter(|word| word.chars().any(char::is_alphabetic) && !is_function_word(&word.to_lowercase()))
        .all(|word| word.chars().find(|c| c.is_alphabetic()).is_some_and(|c| !c.is_lowercase()));
    let is_set_as_list = title.contains(',') || title.contains(" and ") || title.contains(" & ");
    share(named) >= 0.5 || all_capitalised && (has_marks || has_digits || is_set_as_list && strange == telling.len())
}

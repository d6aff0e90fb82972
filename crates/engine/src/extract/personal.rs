use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{Paper, Paragraph, ParagraphKind, SectionKind, title_key};
use precedent_language::wording::{is_function_word, is_generic, stem};
use precedent_sources::Words;
use precedent_text::pattern;
use rustc_hash::FxHashSet;

/// Bytes at the start of a text that may be front matter: enough for the authors and affiliations of a paper by twenty people.
const FRONT_BYTES: usize = 8_000;
/// Minimum number of words of a running-text paragraph. Shorter ones before the introduction are names, affiliations or headings.
const PROSE_WORDS: usize = 12;
/// Minimum share of lower-case words in running text.
const PROSE_SHARE: f64 = 0.5;
/// Share of a title's content words that the text also uses in lower case, from which the title is certainly no list of names.
const TITLE_SHARE: f64 = 0.34;
/// Share of a title's content words that are author names or parts of addresses, from which the title is a list of names.
const NAMED_SHARE: f64 = 0.5;
/// Maximum words in one person's name. A title this short that shares no word with the text is taken for a name.
const FULL_NAME: usize = 4;
/// Share of a phrase's content words that are personal, from which the phrase is a list of names.
const MOSTLY: f64 = 0.75;
/// Minimum letters of a name before a genitive `s`.
const GENITIVE_LETTERS: usize = 3;
/// Minimum digits of a post code or telephone number in the front matter.
const LONG_NUMBER: usize = 5;
/// Headings that occur in the front matter.
const HEADINGS: [&str; 5] = ["abstract", "introduction", "keywords", "summary", "references"];

/// The words of a paper that reveal its authors: names, affiliations, e-mail addresses.
///
/// Personal words are the authors' names as read, all e-mail addresses, and the capitalised words and long numbers of the front matter. Front matter
/// is everything before the introduction except the title and running text, so it includes names not recognised as authors. A word that the body also
/// uses in lower case (`long`, `learning`) is an ordinary word and not personal. There is no other exception: a city that is also the topic is left
/// out of queries.
///
/// If the author line was mistaken for the title, the title's words are personal too.
#[derive(Debug, Clone, Default)]
pub(crate) struct Personal {
    words: BTreeSet<String>,
    /// Names in scripts without spaces between words. They are searched for inside words.
    without_gaps: BTreeSet<String>,
    /// The front matter, including the title.
    pub(crate) front: String,
    title_is_names: bool,
}

impl Personal {
    pub(crate) fn of(paper: &Paper) -> Self {
        let (front, body) = parts(paper);
        let (ordinary, all) = words_of(paper, &body);
        let title = paper.title.as_deref().unwrap_or_default();
        let authors: Vec<String> = paper.authors.iter().flat_map(|author| plain(&author.name)).collect();
        let mut found: BTreeSet<String> = authors.iter().cloned().collect();
        found.extend(addresses(paper).iter().flat_map(|address| plain(address)));
        let title_is_names = is_name_list(title, &found, &ordinary, &all);
        found.extend(marked_words(&front, title, title_is_names));
        let unmarked: Vec<String> = found.iter().map(|word| without_mark(word).to_owned()).collect();
        found.extend(unmarked);
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

    /// Whether the first line of a text looks like a title: marked as a heading, or followed by an empty line.
    pub(crate) fn may_be_title(line: &str, below: &str) -> bool {
        let is_apart = below.lines().next().is_none_or(|next| next.trim().is_empty());
        line.starts_with('#') || is_apart && !is_prose(line) && !ends_sentence(line)
    }

    /// Whether a line may consist of names and affiliations: most of its words are capitalised, and it is not a sentence.
    pub(crate) fn may_be_names(line: &str) -> bool {
        small_share(line).1 < PROSE_SHARE && !ends_sentence(line)
    }

    /// Whether the author line was mistaken for the title.
    pub(crate) fn title_is_names(&self) -> bool {
        self.title_is_names
    }

    /// Whether nearly all content words of a phrase are personal.
    pub(crate) fn is_mostly_names(&self, phrase: &str) -> bool {
        let words = plain(phrase);
        let telling: Vec<&String> = words.iter().filter(|word| !is_function_word(word)).collect();
        let personal = telling.iter().filter(|word| self.words.contains(**word)).count();
        #[expect(clippy::cast_precision_loss, reason = "words of a phrase")]
        let share = personal as f64 / telling.len().max(1) as f64;
        share >= MOSTLY
    }

    pub(crate) fn words(&self) -> impl Iterator<Item = &String> {
        self.words.iter().chain(&self.without_gaps)
    }

    pub(crate) fn extend(&mut self, other: &Self) {
        self.words.extend(other.words.iter().cloned());
        self.without_gaps.extend(other.without_gaps.iter().cloned());
    }

    /// The words without personal ones.
    pub(crate) fn without(&self, words: Vec<String>) -> Vec<String> {
        let mut kept = Vec::with_capacity(words.len());
        for word in words {
            let plain = title_key(&word);
            let unmarked = without_mark(&plain);
            let owner = unmarked
                .strip_suffix('s')
                .filter(|owner| owner.chars().count() >= GENITIVE_LETTERS);
            if self.words.contains(&plain)
                || self.words.contains(unmarked)
                || owner.is_some_and(|owner| self.words.contains(owner))
            {
                continue;
            }
            if !self.without_gaps.iter().any(|name| plain.contains(name)) {
                kept.push(word);
                continue;
            }
            let bare = self
                .without_gaps
                .iter()
                .fold(plain, |text, name| text.replace(name, " "));
            kept.extend(tokens(&bare));
        }
        kept
    }
}

/// A name without its affiliation number: `blessing¹`.
fn without_mark(word: &str) -> &str {
    let bare = word.trim_end_matches(|c: char| c.is_ascii_digit());
    if bare.chars().nth(1).is_some() { bare } else { word }
}

fn plain(text: &str) -> Vec<String> {
    tokens(text).iter().map(|word| title_key(word)).collect()
}

fn has_no_case(word: &str) -> bool {
    word.chars()
        .all(|c| c.is_alphabetic() && !c.is_lowercase() && !c.is_uppercase())
}

/// The e-mail addresses of a paper, including forms like `{anna,bo}@example.org`.
fn addresses(paper: &Paper) -> Vec<String> {
    let text = paper.document.text.as_str();
    let found = pattern!(r"(?:[\{\[(][^{}\[\]()@]{1,200}[\}\])]|[\p{L}\d._%+-]+(?:\s?[,;]\s?[\p{L}\d._%+-]+@?)*)\s?@\s?[\p{L}\d-]+(?:\s?\.\s?[\p{L}\d-]+)+")
        .find_iter(text);
    found.map(|address| address.as_str().to_owned()).collect()
}

/// The front matter, and the paragraphs of the body.
fn parts(paper: &Paper) -> (Vec<&str>, Vec<&Paragraph>) {
    let document = &paper.document;
    let summary = paper.abstract_span;
    let is_first = |kind: SectionKind, start: usize| match summary {
        Some(span) => start >= span.end,
        None => kind == SectionKind::Introduction,
    };
    let first = document.sections.iter().find(|one| is_first(one.kind, one.span.start));
    let front_end = first.map_or(FRONT_BYTES, |one| one.span.start.min(FRONT_BYTES));
    let summary_start = summary.map_or(0, |span| span.start.min(FRONT_BYTES));
    let (mut front, mut body) = (Vec::new(), Vec::new());
    let mut is_open = true;
    for paragraph in &document.paragraphs {
        let start = paragraph.span.start;
        let text = document.slice(paragraph.span).unwrap_or_default();
        if summary.is_some_and(|span| span.overlaps(paragraph.span)) {
            body.push(paragraph);
            continue;
        }
        let is_prose = is_prose(text);
        // Without an abstract and an introduction, the front matter ends where running text begins.
        is_open &= first.is_some() || summary.is_some() || !is_prose;
        let is_front = match paragraph.kind {
            ParagraphKind::FrontMatter => !is_prose,
            ParagraphKind::Footnote => (start < front_end || document.page_at(start) == Some(1)) && names_a_place(text),
            ParagraphKind::Body | ParagraphKind::Heading => is_open && start < front_end && !is_prose,
            ParagraphKind::ListItem => start < summary_start && !is_prose,
            _ => false,
        };
        let in_section = document.section_at(start).map(|section| section.kind);
        let is_running = is_prose && paragraph.kind == ParagraphKind::FrontMatter
            || matches!(
                paragraph.kind,
                ParagraphKind::Body | ParagraphKind::ListItem | ParagraphKind::BlockQuote
            );
        if is_front {
            front.push(text);
        } else if is_running
            && !matches!(
                in_section,
                Some(SectionKind::References | SectionKind::Acknowledgements)
            )
        {
            body.push(paragraph);
        }
    }
    (front, body)
}

/// Whether a footnote mentions affiliations or addresses.
fn names_a_place(text: &str) -> bool {
    const PLACES: [&str; 9] = [
        "@",
        "Universit",
        "Institut",
        "Department",
        "Laborator",
        "School",
        "College",
        "orresponding",
        "author",
    ];
    PLACES.iter().any(|place| text.contains(place))
}

fn is_prose(text: &str) -> bool {
    let (all, share) = small_share(text);
    all >= PROSE_WORDS && share >= PROSE_SHARE
}

fn ends_sentence(line: &str) -> bool {
    line.trim_end().ends_with(['.', '!', '?', '。'])
}

/// The number of words, and the share of them that start with a lower-case letter.
fn small_share(text: &str) -> (usize, f64) {
    let (mut small, mut all) = (0_usize, 0_usize);
    for word in text.split_whitespace() {
        let Some(first) = word.chars().find(|c| c.is_alphanumeric()) else {
            continue;
        };
        all += 1;
        small += usize::from(!first.is_uppercase() && first.is_alphabetic() && !word.contains('@'));
    }
    #[expect(clippy::cast_precision_loss, reason = "words of a paragraph")]
    let share = small as f64 / all.max(1) as f64;
    (all, share)
}

/// The words that the body uses in lower case, and all its words. Skips addresses, citation marks and words before `et al.`, which are no evidence.
fn words_of(paper: &Paper, body: &[&Paragraph]) -> (BTreeSet<String>, BTreeSet<String>) {
    let (mut ordinary, mut all) = (BTreeSet::new(), BTreeSet::new());
    // Words repeat, so each different one is looked at once.
    let mut known: FxHashSet<&str> = FxHashSet::default();
    for paragraph in body {
        let text = paper.document.slice(paragraph.span).unwrap_or_default();
        for piece in text.split_whitespace() {
            let start = piece.as_ptr() as usize - text.as_ptr() as usize;
            let place = paragraph.span.start + start;
            let mark = paper.citations.partition_point(|mark| mark.span.end <= place);
            let is_cited = paper.citations.get(mark).is_some_and(|mark| mark.span.start <= place);
            let rest = text.get(start + piece.len()..).unwrap_or_default();
            let is_address = piece.contains(['@', '\\', '_'])
                || piece.contains("://")
                || piece.starts_with("www.")
                || is_dotted(piece);
            if is_cited || is_address || rest.trim_start().starts_with("et al") {
                continue;
            }
            for word in piece.split(is_gap).filter(|word| known.insert(word)) {
                if word.chars().next().is_some_and(char::is_lowercase) {
                    ordinary.extend(plain(word));
                }
                all.extend(plain(word));
            }
        }
    }
    (ordinary, all)
}

fn is_gap(c: char) -> bool {
    !c.is_alphanumeric() && c != '\'' && c != '’'
}

/// `cs.example.org`: a full stop between two letters.
fn is_dotted(piece: &str) -> bool {
    let inner = piece.trim_matches(|c: char| !c.is_alphanumeric());
    inner.split('.').filter(|part| part.chars().count() > 1).count() > 1 && !inner.contains(['(', ')', ',', ';'])
}

/// The capitalised words, numbers and caseless words of the front matter, without the title.
fn marked_words(front: &[&str], title: &str, title_is_names: bool) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let of_title: BTreeSet<String> = plain(title).into_iter().collect();
    let mut has_title = false;
    for text in front {
        let words = plain(text);
        // The title, or a page header that repeats it.
        if !title_is_names && words.iter().all(|word| of_title.contains(word)) {
            continue;
        }
        has_title |= title.len() > 1 && text.contains(title);
        for piece in text
            .split(is_gap)
            .filter(|piece| !piece.chars().next().is_some_and(char::is_lowercase))
        {
            for word in plain(piece) {
                *counts.entry(word).or_default() += 1;
            }
        }
    }
    if title_is_names {
        return counts.into_keys().chain(of_title).collect();
    }
    if has_title {
        for word in plain(title) {
            if let Some(count) = counts.get_mut(&word) {
                *count = count.saturating_sub(1);
            }
        }
    }
    counts
        .into_iter()
        .filter(|(_, count)| *count > 0)
        .map(|(word, _)| word)
        .collect()
}

/// Whether a title is a list of names: nearly all its words are capitalised and absent from the text, and they are known names or formatted like a
/// list.
fn is_name_list(title: &str, names: &BTreeSet<String>, ordinary: &BTreeSet<String>, all: &BTreeSet<String>) -> bool {
    let words = plain(title);
    let telling: Vec<&String> = words.iter().filter(|word| !is_function_word(word)).collect();
    if telling.len() < 2 || all.is_empty() {
        return false;
    }
    #[expect(clippy::cast_precision_loss, reason = "words of a title")]
    let share = |count: usize| count as f64 / telling.len() as f64;
    let stems: BTreeSet<String> = ordinary.iter().map(|word| stem(word)).collect();
    let strange = telling.iter().filter(|word| !stems.contains(&stem(word))).count();
    if share(telling.len() - strange) >= TITLE_SHARE {
        return false;
    }
    let named = telling.iter().filter(|word| names.contains(**word)).count();
    let has_marks = title.contains(['¹', '²', '³', '∗', '†', '‡', '§', '*', '@']);
    let has_digits = title.split_whitespace().any(|word| {
        let letters = word.trim_end_matches(|c: char| c.is_ascii_digit() || c == ',');
        letters.len() < word.trim_end_matches(',').len() && letters.chars().count() > 2 && !letters.ends_with('-')
    });
    // `The Difficulties of Rope Telemetry and a Solution` is not a list: names contain no function words except `and`.
    let all_capitalised = title
        .split_whitespace()
        .filter(|word| word.chars().any(char::is_alphabetic) && *word != "and")
        .all(|word| {
            word.chars()
                .find(|c| c.is_alphabetic())
                .is_some_and(|c| !c.is_lowercase())
        });
    let all_capitalised = all_capitalised
        && words
            .iter()
            .all(|word| word == "and" || !is_function_word(word) || word.len() == 1 && word != "a");
    let is_set_as_list = title.contains(',') || title.contains(" and ") || title.contains(" & ");
    let is_unknown = telling.len() <= FULL_NAME && telling.iter().all(|word| !all.contains(*word));
    let is_marked = has_marks || has_digits || is_set_as_list && strange == telling.len();
    share(named) >= NAMED_SHARE || all_capitalised && (is_marked || is_unknown)
}

/// The words of a text as sent to services: split at hyphens and punctuation, in lower case.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    let words = Words::of(text).spaced();
    words
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

//! The title and the authors of a word processor's document: by style, or else by size, weight and place.

use std::collections::BTreeMap;

use precedent_domain::Author;
use precedent_text::pattern;

use super::paragraph::{Paragraph, Part, has_role};
use super::roles::Role;
use crate::format::fold_space;
use crate::headings;
use crate::names::{is_stated_name, names_in_line};
use crate::quality::word_count;

/// Maximum paragraphs examined for the title and the authors. Title pages of theses have up to 40.
const FRONT_LIMIT: usize = 60;
/// Minimum words of a paragraph that is running text and not a title or an address.
const PROSE_WORDS: usize = 40;

/// Where the front matter ends: at the abstract, at the first heading with a known name, or at the first long paragraph.
pub(super) fn front_end(parts: &[Part]) -> usize {
    let begins = |part: &Part| {
        let Part::Paragraph(paragraph) = part else { return false };
        let line = paragraph.line();
        let stated = match paragraph.role {
            Role::Abstract | Role::AbstractHeading => true,
            Role::Heading(_) => headings::kind_of(&headings::take_apart(&line).words).is_some(),
            _ => headings::is_bare_heading(&line),
        };
        stated || pattern!(r"^(?i:abstract|summary)\s*[.:—–-]").is_match(&line) || is_prose(&line)
    };
    let limit = parts.len().min(FRONT_LIMIT);
    let found = parts.iter().take(limit).position(begins);
    // Without any of these, the second heading by style ends it: the first may be the title.
    let second = || {
        let mut headings = (0..limit).filter(|at| {
            parts
                .get(*at)
                .is_some_and(|part| has_role(part, |role| matches!(role, Role::Heading(_))))
        });
        headings.nth(1)
    };
    found.or_else(second).unwrap_or(limit)
}

/// Whether a line is running text. Some abstracts end with a link or a note and not with a period.
fn is_prose(line: &str) -> bool {
    word_count(line) >= PROSE_WORDS && (line.ends_with(['.', '。']) || is_mostly_lower_case(line))
}

/// Whether two thirds of the words are in lower case. Of 228 abstracts, 226 have more. In addresses, most words are names (not measured).
fn is_mostly_lower_case(line: &str) -> bool {
    let initials = line.split_whitespace().filter_map(|word| word.chars().next());
    let (lower, other): (Vec<char>, Vec<char>) = initials
        .filter(|initial| initial.is_alphabetic())
        .partition(|initial| initial.is_lowercase());
    lower.len() >= 2 * other.len()
}

/// The size of most letters in the running text.
pub(super) fn common_size(parts: &[Part]) -> u16 {
    let mut sizes: BTreeMap<u16, usize> = BTreeMap::new();
    for part in parts {
        if let Part::Paragraph(paragraph) = part {
            *sizes.entry(paragraph.size()).or_default() += paragraph.letters;
        }
    }
    sizes
        .into_iter()
        .max_by_key(|(_, letters)| *letters)
        .map_or(0, |(size, _)| size)
}

/// The paragraphs of the title: by style, or else by size, weight and place.
pub(super) fn title_range(paragraphs: &[&Paragraph], body_size: u16) -> std::ops::Range<usize> {
    let run = |start: usize, belongs: &dyn Fn(&Paragraph) -> bool| {
        let rest = paragraphs.get(start..).unwrap_or_default();
        start..start + rest.iter().take_while(|paragraph| belongs(paragraph)).count()
    };
    if let Some(start) = paragraphs.iter().position(|paragraph| paragraph.role == Role::Title) {
        return run(start, &|paragraph| paragraph.role == Role::Title);
    }
    if let Some(start) = paragraphs
        .iter()
        .position(|paragraph| matches!(paragraph.role, Role::Heading(_)))
    {
        return start..start + 1;
    }
    let can_be = |paragraph: &Paragraph| {
        let line = paragraph.line();
        let words = word_count(&line);
        paragraph.role == Role::Body
            && (1..=PROSE_WORDS).contains(&words)
            && !line.ends_with('.')
            && !pattern!(r"(?i)@|https?://|^(?:doi|received|accepted|submitted|running (?:head|title)|word count|manuscript|article type|\w+ \d{1,2},? \d{4}$)").is_match(&line)
    };
    let candidates =
        || (0..paragraphs.len()).filter(|at| paragraphs.get(*at).is_some_and(|paragraph| can_be(paragraph)));
    let size = |at: usize| paragraphs.get(at).map_or(0, |paragraph| paragraph.size());
    let largest = candidates()
        .max_by_key(|at| (size(*at), std::cmp::Reverse(*at)))
        .filter(|at| size(*at) > body_size);
    let marked = || {
        candidates().find(|at| {
            paragraphs
                .get(*at)
                .is_some_and(|paragraph| paragraph.is_bold() || paragraph.centred)
        })
    };
    let Some(start) = largest.or_else(marked).or_else(|| candidates().next()) else {
        return 0..0;
    };
    let (size, bold) = paragraphs
        .get(start)
        .map_or((0, false), |first| (first.size(), first.is_bold()));
    let same = |paragraph: &Paragraph| {
        paragraph.size() == size
            && paragraph.is_bold() == bold
            && can_be(paragraph)
            && names_in_line(&paragraph.unmarked).is_empty()
    };
    if largest.is_some() {
        start..run(start + 1, &same).end
    } else {
        start..start + 1
    }
}

/// The names in the paragraphs after the title: by style, or else in the look of the first ones.
pub(super) fn authors(paragraphs: &[&Paragraph]) -> Vec<Author> {
    let names = |paragraph: &Paragraph| -> Vec<Author> { paragraph.unmarked.lines().flat_map(names_in_line).collect() };
    let styled: Vec<&&Paragraph> = paragraphs
        .iter()
        .filter(|paragraph| paragraph.role == Role::Author)
        .collect();
    let mut found = Vec::new();
    if !styled.is_empty() {
        for paragraph in styled {
            let listed = names(paragraph);
            // The style says that this is a name, so one that looks like anything else is kept.
            if listed.is_empty() && is_stated_name(fold_space(&paragraph.unmarked).trim_matches([',', ' '])) {
                let name = fold_space(&paragraph.unmarked);
                found.push(Author::new(name.trim_matches([',', ' '])));
            }
            found.extend(listed);
        }
        return found;
    }
    let mut look = None;
    for paragraph in paragraphs {
        let listed = names(paragraph);
        let own = (paragraph.size(), paragraph.is_bold());
        // After an address, two capitalized words in plain type may be a place.
        let is_alone = look.is_some()
            && listed.len() < 2
            && !paragraph.is_bold()
            && paragraph.unmarked.len() == paragraph.text.len();
        if listed.is_empty() || is_alone || look.is_some_and(|look| look != own) {
            continue;
        }
        look = Some(own);
        found.extend(listed);
    }
    found
}

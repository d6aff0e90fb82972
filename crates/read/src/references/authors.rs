//! Author lists of entries: where they end, and the names in reading order.

use precedent_domain::Author;
use precedent_text::pattern;

pub(super) use super::name_lists::{AuthorsEnd, are_mostly_names, is_author_list};
use super::name_lists::{LONGEST_LIST, NameStyle, are_full_names, chunks, goes_on_as_name};
use super::name_scan::{NameScan, spaced_list, tokens};
use super::name_words::{
    all_initials, is_connective, is_initials, is_name, is_name_word, is_particle, is_suffix, is_vancouver, is_wide,
};

/// The names of an author list in reading order.
pub(super) fn names(text: &str) -> Vec<Author> {
    let chunks = chunks(text);
    let mut authors = Vec::new();
    let mut rest = chunks.as_slice();
    let inverted = looks_inverted(&chunks);
    while let Some((first, after)) = rest.split_first() {
        rest = after;
        let next = after.first().copied();
        let single = first.split_whitespace().filter(|word| !is_particle(word)).count() <= 2;
        if let Some(given) = next.filter(|next| {
            single
                && (all_initials(next) && !all_initials(first) || inverted && is_given(first, next, authors.is_empty()))
        }) {
            authors.push(Author::new(&format!("{} {first}", given.trim())));
            rest = after.get(1..).unwrap_or_default();
        } else if is_suffix(first) {
        } else if first.ends_with('.')
            && let Some(turned) = turn_spaced(first)
        {
            authors.push(Author::new(&turned));
        } else {
            let name = first.trim_end_matches('.');
            // `Forest AI and Tree AI` are companies.
            let company =
                name.ends_with(" AI") && chunks.iter().all(|chunk| chunk.trim_end_matches('.').ends_with(" AI"));
            authors.push(match is_vancouver(name) && !company {
                true => Author::new(&turn_vancouver(name)),
                false => Author::new(name),
            });
        }
    }
    authors
}

/// Whether the first name has the form `Smith, Jane` or `Smith, J.`.
fn looks_inverted(chunks: &[&str]) -> bool {
    let (Some(first), Some(second)) = (chunks.first(), chunks.get(1)) else {
        return false;
    };
    let words = first.split_whitespace().filter(|word| !is_particle(word)).count();
    // `Plato, J. Wang, P. Malý`: a whole name after it.
    let whole = begins_with_initials(second) && chunks.get(2).is_none_or(|third| begins_with_initials(third));
    all_initials(second) && !all_initials(first)
        || words == 1 && !whole && !first.contains('.') && is_name(second) && !is_wide(first) && !is_vancouver(first)
}

fn is_given(first: &str, next: &str, is_first_author: bool) -> bool {
    let one_word = first.split_whitespace().filter(|word| !is_particle(word)).count() == 1;
    let next_words = next.split_whitespace().count();
    one_word && is_name(next) && next_words <= 3 && (is_first_author || next_words <= 2)
}

/// `Smith JQ` in reading order: `J. Q. Smith`.
fn turn_vancouver(chunk: &str) -> String {
    let is_end = |word: &str| is_suffix(word) || matches!(word, "2nd" | "3rd");
    if let Some((name, suffix)) = chunk
        .rsplit_once(' ')
        .filter(|(name, last)| is_end(last) && is_vancouver(name))
    {
        return format!("{} {suffix}", turn_vancouver(name));
    }
    let is_tail = |word: &str| word.chars().count() <= 4 && word.chars().all(|c| c.is_uppercase() || c == '-');
    let words: Vec<&str> = chunk.split(' ').collect();
    let tail = words
        .iter()
        .skip(1)
        .rev()
        .take_while(|word| is_tail(word))
        .map(|word| word.len() + 1)
        .sum::<usize>();
    let at = if tail > 0 {
        chunk.len() - tail
    } else {
        chunk
            .char_indices()
            .rev()
            .take_while(|(_, c)| c.is_uppercase())
            .last()
            .map_or(chunk.len(), |(at, _)| at)
    };
    let (family, initials) = chunk.split_at(at);
    let mut written = String::new();
    for letter in initials.chars() {
        if letter == '-' {
            // `Alba J-M` is `J.-M. Alba`.
            written.truncate(written.trim_end().len());
            written.push('-');
        } else if letter.is_alphabetic() {
            written.extend([letter, '.', ' ']);
        }
    }
    format!("{written}{family}")
}

/// Finds the end of the author list at the start of `text`; `None` if it starts with something else.
pub(super) fn end_of_authors(text: &str) -> Option<AuthorsEnd> {
    let head = text
        .get(..crate::assemble::floor_boundary(text, LONGEST_LIST))
        .unwrap_or(text);
    if let Some(end) = spaced_list(head) {
        return Some(end);
    }
    let style = style(head)?;
    let tokens = tokens(head);
    let mut state = NameScan {
        text: head,
        tokens: &tokens,
        style,
        chunk_start: 0,
        expect_given: false,
        initials_first: tokens.first().is_some_and(|token| is_initials(token.text)),
    };
    (0..tokens.len()).find_map(|index| state.step(index)).and_then(|end| {
        let names = head.get(..end.end)?;
        (!names.is_empty() && (is_author_list(names) || are_full_names(names))).then_some(end)
    })
}

/// `Mooney R.J.` in reading order: `R. J. Mooney`.
fn turn_spaced(chunk: &str) -> Option<String> {
    let found = pattern!(r"^(?P<family>(?:\p{Ll}+\s)*\p{Lu}[\p{L}'’-]+(?:\s\p{Lu}[\p{L}'’-]+)?)\s(?P<initials>(?:\p{Lu}\.[\s-]?){0,3}\p{Lu}\.?)$").captures(chunk)?;
    let letters = found.name("initials")?.as_str().chars().filter(|c| c.is_alphabetic());
    let initials: Vec<String> = letters.map(|letter| format!("{letter}.")).collect();
    Some(format!("{} {}", initials.join(" "), found.name("family")?.as_str()))
}

fn style(text: &str) -> Option<NameStyle> {
    let first = text.split([',', ';', '(', ':', '.']).next()?.trim();
    let before_year = pattern!(r"\s(?:et al|and|&|1[5-9]\d\d|20\d\d)\b")
        .split(first)
        .next()
        .unwrap_or(first);
    // `HanahanD WeinbergRA 2000`: names separated only by spaces.
    let glued = before_year.split_whitespace().next().unwrap_or_default();
    if is_vancouver(before_year) && !goes_on_as_name(text, first.len())
        || is_vancouver(glued)
            && !glued.contains('-')
            && glued.chars().filter(|c| c.is_uppercase()).count() <= 4
            && before_year.split_whitespace().all(is_vancouver)
    {
        return Some(NameStyle::Vancouver);
    }
    if !is_name(before_year) && !is_initials(before_year) {
        return None;
    }
    let words = first.split_whitespace().filter(|word| !is_particle(word)).count();
    let after = text.get(first.len()..)?.trim_start();
    let comma = after.strip_prefix(',').map(str::trim_start);
    let given = comma
        .and_then(|rest| rest.split_whitespace().next())
        .unwrap_or_default();
    let initials_follow = is_initials(given.trim_end_matches([',', ';', ':'])) && given.contains('.');
    let another = comma.is_some_and(|rest| {
        begins_with_whole_name(rest)
            && (words == 2
                || rest
                    .split_once(", ")
                    .is_some_and(|(_, rest)| begins_with_initials(rest)))
    });
    let inverted = comma.is_some()
        && !another
        && (initials_follow && words <= 2 || words == 1 && is_name_word(given) && !is_connective(given));
    Some(if inverted {
        NameStyle::Inverted
    } else {
        NameStyle::Natural
    })
}

/// Whether a text begins with initials and a family name up to the next mark: `P. Malý, P. Květ, …`, `W. John Wilson: …`.
fn begins_with_whole_name(text: &str) -> bool {
    let chunk = text.split([',', ';', ':']).next().unwrap_or_default();
    let words: Vec<&str> = chunk
        .split_whitespace()
        .take_while(|word| !is_connective(word))
        .collect();
    let family = words.iter().skip_while(|word| is_initials(word));
    words.len() <= 4 && words.iter().all(|word| is_name_word(word)) && family.count() > 0
}

/// `P. Malý, …`, `and P. Malý. …`
fn begins_with_initials(text: &str) -> bool {
    let mut words = text
        .split_whitespace()
        .skip_while(|word| is_connective(word))
        .skip_while(|word| is_particle(word));
    let initials = words
        .next()
        .is_some_and(|word| word.ends_with('.') && is_initials(word));
    initials
        && words
            .find(|word| !is_initials(word))
            .is_some_and(|word| is_name_word(word.trim_end_matches([',', '.'])))
}

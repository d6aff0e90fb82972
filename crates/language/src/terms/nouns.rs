//! Which adjacent words form a noun phrase.

use super::kinds::WordKind;
use super::lists::{ADJECTIVES, ED_NOUNS, ING_NOUNS, LY_NOUNS, NOUNS_LIKE_ADJECTIVES, is_listed};
use super::short_text::ShortText;
use super::vocabulary::Word;
use crate::wording::{Tag, tagged, tagged_title};

/// Hyphens inside compounds.
pub(super) const HYPHENS: [char; 3] = ['-', '\u{2010}', '\u{2011}'];

/// Whether the text between two words keeps them in one phrase.
pub(super) fn is_gap(gap: &str) -> bool {
    matches!(gap, " " | "\n" | "-" | "\u{2010}" | "\u{2011}")
}

/// The tag of each word of a text, by index. Parts of a compound have the tag of the compound.
pub(super) struct Tagging {
    tags: Vec<Tag>,
}

impl Tagging {
    /// Reads a title or an abstract.
    pub(super) fn of(text: &ShortText<'_>) -> Self {
        let found = if text.is_title {
            tagged_title(text.text)
        } else {
            tagged(text.text)
        };
        let mut tokens = found.iter().peekable();
        let tags = text
            .words
            .iter()
            .map(|word| {
                while tokens.next_if(|token| token.range.end <= word.span.start).is_some() {}
                tokens.peek().map_or(Tag::Other, |token| token.tag)
            })
            .collect();
        Self { tags }
    }

    fn at(&self, index: usize) -> Tag {
        self.tags.get(index).copied().unwrap_or(Tag::Mark)
    }

    /// Whether the noun phrase before this word continues with it.
    pub(super) fn runs_on(&self, index: usize) -> bool {
        let leads_to_noun = || self.at(index + 1).is_noun();
        match self.at(index) {
            Tag::Adjective => true,
            Tag::Participle => leads_to_noun(),
            tag => tag.is_noun(),
        }
    }

    /// Whether the word is an adjective.
    pub(super) fn is_adjective(&self, index: usize) -> bool {
        self.at(index) == Tag::Adjective
    }

    /// Whether all of `length` words are written as names.
    pub(super) fn is_name(&self, start: usize, length: usize) -> bool {
        (start..start + length).all(|index| self.at(index) == Tag::Name)
    }
}

/// Whether adjacent words are a noun phrase in context: modifiers and a noun. `None` if they cannot be one: they include a function word or
/// split a compound.
pub(super) fn is_noun_phrase(text: &ShortText<'_>, tagging: &Tagging, start: usize, words: &[Word]) -> Option<bool> {
    let form = |word: &Word| word.span.slice(text.text).unwrap_or_default().to_lowercase();
    let (first, last) = (words.first()?, words.last()?);
    if !words.iter().any(|word| word.kind == WordKind::Substance) {
        return None;
    }
    // A hyphenated compound is one unit: neither its head nor its tail is a phrase.
    let before = text.text.get(..first.span.start).unwrap_or_default();
    let attached = |offset: usize| text.text.get(offset..).is_some_and(|rest| rest.starts_with(HYPHENS));
    if before.ends_with(HYPHENS) || before.ends_with(['\'', '’', '\\']) || attached(last.span.end) {
        return None;
    }
    let joined = words.windows(2).all(|pair| match pair {
        [a, b] => text.text.get(a.span.end..b.span.start).is_some_and(is_gap),
        _ => true,
    });
    let fits = words.iter().enumerate().all(|(index, word)| {
        let behind = text.text.get(..word.span.start).unwrap_or_default();
        let hyphenated = attached(word.span.end) || index > 0 && behind.ends_with(HYPHENS);
        match word.kind {
            WordKind::Function => false,
            WordKind::Frame | WordKind::Letter | WordKind::Number => hyphenated,
            WordKind::Generic | WordKind::Substance | WordKind::Action => true,
        }
    });
    if !joined || !fits {
        return None;
    }
    // `LLM powered agents`: a phrase that starts with the participle is incomplete.
    let cut_off = start.checked_sub(1).is_some_and(|last| {
        let near = text
            .words
            .get(last)
            .is_some_and(|word| text.text.get(word.span.end..first.span.start).is_some_and(is_gap));
        near && tagging.at(last).is_noun() && tagging.at(start) == Tag::Participle
    });
    let (last_form, end) = (form(last), start + words.len());
    let modifiers = words
        .iter()
        .enumerate()
        .rev()
        .skip(1)
        .all(|(index, word)| match tagging.at(start + index) {
            Tag::Noun | Tag::Plural | Tag::Name | Tag::Adjective | Tag::Number => !is_adverb(text, word),
            // `named entities`, not `entities named after`.
            Tag::Participle => true,
            Tag::Gerund => is_listed(&ING_NOUNS, &form(word)),
            _ => false,
        });
    let head = match tagging.at(end - 1) {
        Tag::Noun | Tag::Plural | Tag::Name => can_end(&last_form),
        Tag::Gerund => is_listed(&ING_NOUNS, &last_form) && words.len() > 1,
        _ => false,
    };
    Some(modifiers && head && !cut_off && (words.len() > 1 || last_form.chars().count() >= 4))
}

fn is_adverb(text: &ShortText<'_>, word: &Word) -> bool {
    let form = word.span.slice(text.text).unwrap_or_default().to_lowercase();
    form.ends_with("ly") && !is_listed(&LY_NOUNS, &form)
}

/// Whether a word of this form can be the head of a noun phrase: no participle or adjective by its ending.
fn can_end(form: &str) -> bool {
    if form.ends_with("ed") {
        return is_listed(&ED_NOUNS, form);
    }
    let like_an_adjective = ["ive", "able", "ible", "ous", "ful", "less", "al", "ic", "ary"];
    if like_an_adjective.iter().any(|ending| form.ends_with(ending)) {
        return is_listed(&NOUNS_LIKE_ADJECTIVES, form);
    }
    !is_listed(&ADJECTIVES, form)
}

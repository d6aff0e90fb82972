use std::ops::Range;

use super::features::{FEATURES, Form, ROWS, rows};
use super::tag::Tag;
use super::tokens::{Token, tokens};

/// A token with its tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tagged {
    /// Its byte range.
    pub range: Range<usize>,
    /// Its tag.
    pub tag: Tag,
}

/// Weights by row and tag. An entry's weight is the entry times its absolute value, so small weights are stored finely and large ones coarsely.
static TABLE: &[u8; ROWS * TAGS] = include_bytes!("tags.bin");

const TAGS: usize = Tag::GUESSED.len();

/// Tags the tokens of running text. Takes linear time and reads each sentence from left to right.
pub fn tagged(text: &str) -> Vec<Tagged> {
    with_forms(text, Form::of)
}

/// Tags the tokens of a title. A capital that only the title gives is not read as that of a name.
pub fn tagged_title(title: &str) -> Vec<Tagged> {
    let capitals = !title.chars().any(char::is_lowercase);
    with_forms(title, |word| {
        let plain = !word.chars().skip(1).any(|c| c.is_uppercase() || c.is_ascii_digit());
        if plain || capitals || word.contains('-') {
            Form::of(&without_ligatures(word))
        } else {
            Form::of(word)
        }
    })
}

/// In lower case and with ligatures such as `ﬁ` as separate letters, so that a name reads the same in every typesetting.
fn without_ligatures(word: &str) -> String {
    word.to_uppercase().to_lowercase()
}

/// Whether a name in title case contains a verb that makes it a sentence or a question: `ropes go slack`.
pub fn holds_finite_verb(name: &str) -> bool {
    tagged_title(name).iter().any(|token| token.tag.is_finite_verb())
}

fn with_forms(text: &str, form: impl Fn(&str) -> Form) -> Vec<Tagged> {
    let found = tokens(text);
    let mut tagged: Vec<Tagged> = Vec::with_capacity(found.len());
    let mut rest = found.as_slice();
    while !rest.is_empty() {
        let length = sentence_length(text, rest);
        let (sentence, after) = rest.split_at(length);
        rest = after;
        let slice = |token: &Token| text.get(token.range.clone()).unwrap_or_default();
        let forms: Vec<Form> = sentence.iter().map(|token| form(slice(token))).collect();
        let mut before = [None, None];
        for (at, token) in sentence.iter().enumerate() {
            let tag = if token.is_word {
                best(&rows(&forms, at, before))
            } else {
                Tag::Mark
            };
            before = [Some(tag), before[0]];
            tagged.push(Tagged {
                range: token.range.clone(),
                tag,
            });
        }
    }
    tagged
}

/// Number of tokens in the first sentence, which ends at a full stop or similar mark before a capital.
fn sentence_length(text: &str, rest: &[Token]) -> usize {
    let starts = |token: &Token| {
        text.get(token.range.clone())
            .is_some_and(|word| word.starts_with(char::is_uppercase))
    };
    let ends = |token: &Token| {
        !token.is_word
            && text
                .get(token.range.clone())
                .is_some_and(|mark| matches!(mark, "." | "!" | "?"))
    };
    let end = rest
        .windows(2)
        .position(|pair| matches!(pair, [mark, next] if ends(mark) && starts(next)));
    end.map_or(rest.len(), |at| at + 1)
}

#[expect(
    clippy::indexing_slicing,
    reason = "rows are below ROWS by their mask, and the table is ROWS times TAGS long by its type"
)]
fn best(rows: &[usize; FEATURES]) -> Tag {
    let mut sums = [0_i32; TAGS];
    for row in rows {
        let weights = &TABLE[row * TAGS..(row + 1) * TAGS];
        for (sum, weight) in sums.iter_mut().zip(weights) {
            let weight = i32::from(weight.cast_signed());
            *sum += weight * weight.abs();
        }
    }
    let mut best = 0;
    for (tag, sum) in sums.iter().enumerate() {
        if *sum > sums[best] {
            best = tag;
        }
    }
    Tag::GUESSED[best]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(text: &str) -> Vec<Tag> {
        tagged(text).into_iter().map(|token| token.tag).collect()
    }

    #[test]
    fn tags_depend_on_the_sentence() {
        use Tag::{Adjective, Adverb, Determiner, Mark, Noun, Plural, Preposition, Present, Pronoun};
        assert_eq!(
            tags("We search the new parts of ropes."),
            [
                Pronoun,
                Present,
                Determiner,
                Adjective,
                Plural,
                Preposition,
                Plural,
                Mark
            ]
        );
        assert_eq!(
            tags("The search is hard when buoys fall silent"),
            [
                Determiner,
                Noun,
                Tag::Third,
                Adjective,
                Tag::Wh,
                Plural,
                Present,
                Adjective
            ]
        );
        assert_eq!(tags("a deeply nested tree")[1], Adverb);
        assert!(tags("").is_empty());
    }

    #[test]
    fn sentences_are_distinguished_from_names() {
        for name in ["Ropes Go Slack", "Buoys Fall Silent", "How Kelp Grows"] {
            assert!(holds_finite_verb(name), "{name} {:?}", tagged_title(name));
        }
        for name in [
            "Large Language Models",
            "Rope-Line Telemetry",
            "Dependency Parsing",
            "Matched Filters",
        ] {
            assert!(!holds_finite_verb(name), "{name} {:?}", tagged_title(name));
        }
    }

    proptest::proptest! {
        #[test]
        fn tokens_are_in_order_and_on_character_boundaries(text in "\\PC{0,200}") {
            let mut last = 0;
            for token in tagged(&text) {
                proptest::prop_assert!(token.range.start >= last && text.get(token.range.clone()).is_some());
                last = token.range.end;
            }
            proptest::prop_assert_eq!(tagged(&text).len(), tagged_title(&text).len());
        }
    }
}

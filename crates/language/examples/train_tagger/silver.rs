//! Converts silver sentences to the tagger's tokens. Where the two tokenizers differ, compounds and contractions are one word here.

use crate::features::Form;
use crate::tag::Tag;
use crate::tokens::tokens;

/// A training sentence.
pub(crate) struct Sentence {
    /// Its words and punctuation, prepared.
    pub forms: Vec<Form>,
    /// Their tags.
    pub tags: Vec<Tag>,
}

const HYPHENS: [char; 3] = ['-', '\u{2010}', '\u{2011}'];

/// The sentence of these lines: form, tag, and whether a space follows.
pub(crate) fn sentence(lines: &[(String, String, bool)]) -> Option<Sentence> {
    let mut text = String::new();
    let mut spans = Vec::new();
    for (form, tag, space) in lines {
        let start = text.len();
        text.push_str(form);
        spans.push((start, text.len(), tag.as_str()));
        if *space {
            text.push(' ');
        }
    }
    let (mut words, mut tags) = (Vec::new(), Vec::new());
    for token in tokens(&text) {
        let word = text.get(token.range.clone())?;
        let within: Vec<&str> = spans
            .iter()
            .filter(|(start, end, _)| *start < token.range.end && *end > token.range.start)
            .map(|(_, _, tag)| *tag)
            .collect();
        if within.is_empty() {
            return None;
        }
        tags.push(if token.is_word {
            joined(word, &within)
        } else {
            Tag::Mark
        });
        words.push(word);
    }
    // A compound of nouns before a noun modifies it: `end-to-end learning`.
    for at in 0..tags.len().saturating_sub(1) {
        let compound = words[at].contains('-') && !words[at].chars().any(char::is_uppercase);
        if compound && matches!(tags[at], Tag::Noun | Tag::Number | Tag::Name) && tags[at + 1].is_noun() {
            tags[at] = Tag::Adjective;
        }
    }
    (!words.is_empty()).then(|| Sentence {
        forms: words.iter().map(|word| Form::of(word)).collect(),
        tags,
    })
}

/// The tag of a word whose parts have these tags.
fn joined(word: &str, parts: &[&str]) -> Tag {
    const MARKS: [&str; 10] = ["HYPH", ",", ".", ":", "''", "``", "-LRB-", "-RRB-", "NFP", "SYM"];
    let parts: Vec<&str> = parts.iter().copied().filter(|tag| !MARKS.contains(tag)).collect();
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else {
        return Tag::Other;
    };
    if word.contains("n't") || word.contains("n’t") {
        return tag_of(first);
    }
    let tag = tag_of(last);
    let verbal = matches!(
        tag,
        Tag::Participle | Tag::Past | Tag::Gerund | Tag::Adverb | Tag::Base | Tag::Present | Tag::Preposition | Tag::To
    );
    if word.contains(HYPHENS) && parts.len() > 1 && verbal {
        Tag::Adjective
    } else {
        tag
    }
}

fn tag_of(penn: &str) -> Tag {
    match penn {
        "NN" => Tag::Noun,
        "NNS" => Tag::Plural,
        "NNP" | "NNPS" => Tag::Name,
        "JJ" | "JJR" | "JJS" | "AFX" => Tag::Adjective,
        "VB" => Tag::Base,
        "VBP" => Tag::Present,
        "VBZ" => Tag::Third,
        "VBD" => Tag::Past,
        "VBG" => Tag::Gerund,
        "VBN" => Tag::Participle,
        "MD" => Tag::Modal,
        "RB" | "RBR" | "RBS" | "RP" => Tag::Adverb,
        "IN" => Tag::Preposition,
        "TO" => Tag::To,
        "DT" | "PDT" | "PRP$" => Tag::Determiner,
        "PRP" | "EX" => Tag::Pronoun,
        "WDT" | "WP" | "WRB" | "WP$" => Tag::Wh,
        "CC" => Tag::Conjunction,
        "CD" => Tag::Number,
        "POS" => Tag::Possessive,
        _ => Tag::Other,
    }
}

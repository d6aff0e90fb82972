//! Which words form a phrase that names a task: a noun phrase or a gerund with its complements, but not a sentence.

use std::ops::Range;

use precedent_language::wording::{Tag, Tagged, tagged, tagged_title};

/// Whether `phrase`, as running text, names something: `parsing of speech`, `learning to rank`, but not `ropes go slack`.
pub(crate) fn is_task_phrase(phrase: &str) -> bool {
    is_named(&read(phrase), phrase)
}

/// The tokens of a phrase. The last word after `and` gets the kind of the word before it: `satellite colour and swell` has no verb.
fn read(phrase: &str) -> Vec<Tagged> {
    let mut found = tagged(phrase);
    if let [.., before, and, last] = found.as_mut_slice()
        && before.tag.is_noun()
        && and.tag == Tag::Conjunction
        && matches!(last.tag, Tag::Base | Tag::Present | Tag::Third)
    {
        last.tag = Tag::Noun;
    }
    found
}

/// As [`is_task_phrase`] for a title, whose first word has no context: `lie detection`, `cross lingual retrieval`.
pub(super) fn is_task_of_title(phrase: &str) -> bool {
    let mut found = read(phrase);
    let leads = found
        .get(1)
        .is_some_and(|next| next.tag.is_noun() || next.tag == Tag::Adjective);
    if let Some(first) = found.first_mut()
        && leads
        && matches!(
            first.tag,
            Tag::Base | Tag::Present | Tag::Past | Tag::Third | Tag::Preposition
        )
    {
        first.tag = Tag::Adjective;
    }
    is_named(&found, phrase)
}

/// Verbs that are common in titles of findings and are never nouns. The tagger reads them as nouns after a noun.
const VERBS_OF_TITLES: &str = "activate affect alter ameliorate attenuate determine differ disrupt enable enhance entail explain facilitate govern impair \
improve induce inhibit mediate modulate predict prevent promote reduce regulate require reveal suppress underlie";

/// Whether a word after a noun is one of those.
fn is_verb_of_titles(word: &str) -> bool {
    let lower = word.to_lowercase();
    let base = lower.strip_suffix('s').unwrap_or(&lower);
    VERBS_OF_TITLES
        .split_whitespace()
        .any(|verb| verb == base || verb == lower)
}

/// Whether the token is a finite verb: by its tag, by the lists, or because a noun phrase with an article follows directly
/// (`signals pattern the axis`).
fn is_finite(found: &[Tagged], at: usize, text: &str) -> bool {
    let tag = |at: usize| found.get(at).map(|token| token.tag);
    let word = found
        .get(at)
        .and_then(|token| text.get(token.range.clone()))
        .unwrap_or_default();
    let after_noun = at
        .checked_sub(1)
        .and_then(tag)
        .is_some_and(|tag| tag.is_noun() || tag == Tag::Gerund);
    let next = found
        .get(at + 1)
        .and_then(|token| text.get(token.range.clone()))
        .unwrap_or_default();
    let article = matches!(next.to_lowercase().as_str(), "the" | "a" | "an");
    match tag(at) {
        // `LIMSI’s systems`
        _ if matches!(word, "'s" | "’s" | "'S") => false,
        Some(Tag::Third | Tag::Present | Tag::Modal) => true,
        Some(Tag::Past) => !matches!(tag(at + 1), Some(Tag::Preposition | Tag::To) | None),
        Some(Tag::Noun | Tag::Plural | Tag::Base | Tag::Name | Tag::Adjective) if after_noun => {
            is_verb_of_titles(word) || article && tag(at) != Some(Tag::Name)
        }
        _ => false,
    }
}

fn is_named(found: &[Tagged], text: &str) -> bool {
    let tag = |at: usize| found.get(at).map_or(Tag::Mark, |token| token.tag);
    let mark = |token: &Tagged| text.get(token.range.clone()).unwrap_or_default();
    let to = found.iter().any(|token| token.tag == Tag::To);
    let fits = found.iter().enumerate().all(|(at, token)| match token.tag {
        _ if is_finite(found, at, text) => false,
        Tag::Pronoun | Tag::Wh => false,
        // `signals sent by buoys`, `specialised agents`: a participle that the tagger takes for a past tense.
        Tag::Past => tag(at + 1).is_noun() || matches!(tag(at + 1), Tag::Preposition | Tag::To | Tag::Adjective),
        Tag::Base => {
            at > 0 && (tag(at - 1) == Tag::To || at > 1 && tag(at - 1) == Tag::Adverb && tag(at - 2) == Tag::To)
        }
        // `C. elegans`
        Tag::Mark if mark(token) == "." => {
            at > 0 && found.get(at - 1).is_some_and(|last| mark(last).chars().count() == 1)
        }
        Tag::Mark => matches!(
            mark(token),
            "," | "(" | ")" | "/" | "&" | "-" | "–" | "’" | "'" | "+" | "·"
        ),
        _ => true,
    });
    let opens = match tag(0) {
        Tag::Noun
        | Tag::Plural
        | Tag::Name
        | Tag::Adjective
        | Tag::Gerund
        | Tag::Participle
        | Tag::Number
        | Tag::Other => true,
        Tag::Adverb => matches!(tag(1), Tag::Adjective | Tag::Participle),
        _ => false,
    };
    let closes = match found.last().map(|token| token.tag) {
        Some(Tag::Noun | Tag::Plural | Tag::Name | Tag::Number | Tag::Gerund | Tag::Other) => true,
        Some(Tag::Base | Tag::Adverb) => to,
        Some(Tag::Mark) => text.ends_with(')'),
        _ => false,
    };
    // Addresses and lists of names do not name a task.
    let plain = found
        .iter()
        .filter(|token| token.tag != Tag::Mark)
        .all(|token| !mark(token).trim_matches('.').contains(['.', '@', '_']));
    let common = found
        .iter()
        .any(|token| matches!(token.tag, Tag::Noun | Tag::Plural | Tag::Gerund))
        || found.len() <= 3;
    fits && opens && closes && plain && common && found.iter().any(|token| token.tag.is_noun())
}

/// A title in sentence form, split at its verb.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Assertion<'t> {
    /// The words before the verb.
    pub(super) subject: &'t str,
    /// The words after the verb.
    pub(super) object: &'t str,
}

/// The verb of a title that is a sentence, with the text on both sides. `None` if there is no verb.
pub(super) fn assertion(title: &str) -> Option<Assertion<'_>> {
    let found = tagged_title(title);
    let at = (1..found.len()).find(|&at| is_finite(&found, at, title))?;
    let end = (at + 1..found.len())
        .find(|&next| {
            !found
                .get(next)
                .is_some_and(|token| matches!(token.tag, Tag::Base | Tag::Adverb | Tag::To | Tag::Modal))
        })
        .unwrap_or(found.len());
    let start = found.get(at)?.range.start;
    let object = found.get(end).map_or(title.len(), |token| token.range.start);
    Some(Assertion {
        subject: title.get(..start)?.trim(),
        object: title.get(object..)?.trim(),
    })
}

/// Whether a title, or a part of one, contains a finite verb or asks a question.
pub(super) fn is_sentence(title: &str) -> bool {
    let asks = tagged_title(title).first().is_some_and(|token| token.tag == Tag::Wh);
    asks || assertion(title).is_some()
}

/// The longest runs of `sentence` that can name something: noun phrases joined by prepositions and participles, up to a verb or a mark.
pub(super) fn chains(sentence: &str) -> Vec<Range<usize>> {
    let found = tagged(sentence);
    let carries = |at: usize, token: &Tagged| match token.tag {
        Tag::Noun | Tag::Plural | Tag::Name | Tag::Adjective | Tag::Gerund | Tag::Participle | Tag::Number => true,
        Tag::Preposition => {
            let word = sentence.get(token.range.clone()).unwrap_or_default().to_lowercase();
            !matches!(
                word.as_str(),
                "that" | "if" | "because" | "while" | "since" | "as" | "than" | "whether" | "although"
            )
        }
        Tag::Conjunction | Tag::Determiner | Tag::Possessive => at > 0,
        _ => false,
    };
    let mut runs = Vec::new();
    let mut rest = 0;
    while rest < found.len() {
        let length = found
            .iter()
            .skip(rest)
            .enumerate()
            .take_while(|(at, token)| carries(*at, token))
            .count();
        let run = found.get(rest..rest + length).unwrap_or_default();
        let first = run.iter().position(|token| {
            matches!(
                token.tag,
                Tag::Noun | Tag::Plural | Tag::Name | Tag::Adjective | Tag::Gerund | Tag::Participle
            )
        });
        let last = run.iter().rposition(|token| token.tag.is_noun());
        if let (Some(first), Some(last)) = (first, last)
            && let Some(run) = run.get(first..=last)
            && let (Some(opens), Some(closes)) = (run.first(), run.last())
        {
            runs.push(opens.range.start..closes.range.end);
        }
        rest += length.max(1);
    }
    runs
}

/// `phrase` without a final `and a solution`, `and its applications`, `and beyond`.
pub(super) fn without_afterthought(phrase: &str) -> &str {
    let Some((before, after)) = phrase.rsplit_once(" and ") else {
        return phrase;
    };
    let mut words = after.split_whitespace().peekable();
    let opens = words.next_if(|word| {
        matches!(
            word.to_lowercase().as_str(),
            "a" | "an" | "the" | "its" | "their" | "some" | "new"
        )
    });
    let rest: Vec<String> = words.map(str::to_lowercase).collect();
    let plain = rest
        .iter()
        .all(|word| precedent_language::wording::is_generic(word) || precedent_language::wording::is_evaluative(word));
    let empty =
        matches!(rest.as_slice(), [word] if matches!(word.as_str(), "beyond" | "more" | "solution" | "solutions"));
    if (opens.is_some() && plain && !rest.is_empty() || empty) && before.split_whitespace().count() >= 3 {
        before
    } else {
        phrase
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_distinguished_from_sentences() {
        for phrase in [
            "subsentential sentiment classification",
            "named entity transliteration with comparable corpora",
            "learning to rank documents",
            "parsing of noisy speech",
            "bilingually motivated word segmentation for statistical machine translation",
            "specialized agents for paper search",
            "forecasting kelp harvests from satellite colour and swell",
            "signals sent by moored buoys",
        ] {
            assert!(is_task_phrase(phrase), "{phrase} {:?}", tagged(phrase));
        }
        for sentence in [
            "ropes go slack",
            "and near-optimal algorithm for bandits",
            "word sense disambiguation improves statistical machine translation",
            "thoughts are all over the place",
            "how it works",
            "notch signaling activates stem cell properties",
            "signaling patterns the axis of an insect",
            "for the parsing of speech",
            "",
        ] {
            assert!(!is_task_phrase(sentence), "{sentence} {:?}", tagged(sentence));
        }
    }

    #[test]
    fn sentences_are_split_at_their_verb() {
        let found = assertion("Word Sense Disambiguation Improves Statistical Machine Translation").unwrap();
        assert_eq!(found.subject, "Word Sense Disambiguation");
        assert_eq!(found.object, "Statistical Machine Translation");
        assert_eq!(assertion("A Statistical Parser for Czech"), None);
        assert!(is_sentence("How Buoys Talk") && !is_sentence("Talk of Buoys"));
    }

    #[test]
    fn chains_run_up_to_verbs_and_marks() {
        let text = "We show that parsing of noisy speech with ropes is hard, even for experts.";
        let found: Vec<&str> = chains(text).into_iter().map(|range| &text[range]).collect();
        assert!(found.contains(&"parsing of noisy speech with ropes"), "{found:?}");
    }

    #[test]
    fn afterthoughts_are_cut() {
        assert_eq!(
            without_afterthought("difficulties of name extraction and a solution"),
            "difficulties of name extraction"
        );
        assert_eq!(
            without_afterthought("verb semantics and lexical selection"),
            "verb semantics and lexical selection"
        );
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,120}") {
            let _ = (is_task_phrase(&text), assertion(&text).is_some(), without_afterthought(&text).len());
            for range in chains(&text) {
                proptest::prop_assert!(text.get(range).is_some());
            }
        }
    }
}

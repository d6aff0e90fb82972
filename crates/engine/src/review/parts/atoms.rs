//! Splits a sentence into single statements, each with its own subject and verb.

use precedent_domain::Span;
use precedent_language::wording::{Tag, Tagged, tagged, word_count};

/// Minimum words of a statement cut from a longer one.
const FEWEST: usize = 6;
/// Maximum words before the verb of a clause; a longer run is not a subject.
const SUBJECT: usize = 7;

/// The statements of the sentence at `span` of `text`, in order; the whole sentence if it cannot be split.
pub(super) fn atoms(text: &str, span: Span) -> Vec<Span> {
    let Some(sentence) = span.slice(text) else {
        return Vec::new();
    };
    let tokens = tagged(sentence);
    let mut cuts: Vec<(usize, usize)> = Vec::new();
    let mut from = 0;
    for (at, token) in tokens.iter().enumerate() {
        let token_text = sentence.get(token.range.clone()).unwrap_or_default();
        let (left, right) = (tokens.get(from..at), tokens.get(at + 1..));
        let (Some(left), Some(right)) = (left, right) else {
            continue;
        };
        let parts = match token_text {
            // `(ii) …` continues an enumeration.
            ";" if right
                .first()
                .is_some_and(|next| sentence.get(next.range.clone()) == Some("(")) =>
            {
                false
            }
            ";" => stands_alone(left, sentence) && stands_alone(right, sentence),
            "and" | "but" => {
                stands_alone(left, sentence) && !hangs_open(left, sentence) && opens_clause(left, right, sentence)
            }
            _ => false,
        };
        let long = |start: usize, end: usize| word_count(sentence.get(start..end).unwrap_or_default()) >= FEWEST;
        let begin = cuts.last().map_or(0, |(_, next)| *next);
        if parts && long(begin, token.range.start) && long(token.range.end, sentence.len()) {
            cuts.push((token.range.start, token.range.end));
            from = at + 1;
        }
    }
    let starts = std::iter::once(0).chain(cuts.iter().map(|(_, next)| *next));
    let ends = cuts.iter().map(|(end, _)| *end).chain([sentence.len()]);
    let pieces = starts.zip(ends).filter_map(|(start, end)| {
        let piece = sentence.get(start..end)?;
        let head = piece.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
        let tail = head.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
        let start = span.start + start + piece.len() - head.len();
        (!tail.is_empty()).then(|| Span::new(start, start + tail.len()))
    });
    pieces.collect()
}

fn is_finite(tag: Tag) -> bool {
    matches!(tag, Tag::Third | Tag::Present | Tag::Past | Tag::Modal)
}

fn stands_alone(tokens: &[Tagged], sentence: &str) -> bool {
    opens_with_subject(tokens, sentence)
        || tokens.iter().any(|token| is_finite(token.tag)) && !opens_subordinate(tokens, sentence)
}

fn opens_subordinate(tokens: &[Tagged], sentence: &str) -> bool {
    let first = tokens.first().and_then(|token| sentence.get(token.range.clone()));
    first.is_some_and(|word| {
        matches!(
            word.to_lowercase().as_str(),
            "which" | "that" | "who" | "whose" | "where" | "while" | "because" | "since" | "if" | "when" | "as"
        )
    })
}

/// Whether the text so far is inside a subordinate clause, such as `we show that …`.
fn hangs_open(left: &[Tagged], sentence: &str) -> bool {
    left.iter().any(|token| {
        let token_text = sentence.get(token.range.clone()).unwrap_or_default();
        token.tag == Tag::Wh
            || matches!(
                token_text.to_lowercase().as_str(),
                "that"
                    | "whether"
                    | "because"
                    | "since"
                    | "if"
                    | "when"
                    | "while"
                    | "how"
                    | "so"
                    | "as"
                    | "("
                    | "whereas"
            )
    })
}

/// Whether the words after `and` form a clause: they begin with a subject, which must start with an article or a pronoun if no comma precedes `and`.
fn opens_clause(left: &[Tagged], right: &[Tagged], sentence: &str) -> bool {
    let comma = left
        .last()
        .is_some_and(|token| matches!(sentence.get(token.range.clone()), Some(",")));
    let first = right.first().map(|token| token.tag);
    let marked = matches!(first, Some(Tag::Determiner | Tag::Pronoun));
    (comma || marked) && opens_with_subject(right, sentence)
}

/// A noun or pronoun followed by a finite verb, with no start of another clause in between.
fn opens_with_subject(tokens: &[Tagged], sentence: &str) -> bool {
    let Some(verb) = tokens.iter().take(SUBJECT + 1).position(|token| is_finite(token.tag)) else {
        return false;
    };
    let subject = tokens.get(..verb).unwrap_or_default();
    let named = subject
        .iter()
        .any(|token| token.tag.is_noun() || token.tag == Tag::Pronoun || token.tag == Tag::Name);
    let broken = subject.iter().any(|token| {
        matches!(token.tag, Tag::Wh | Tag::To | Tag::Conjunction)
            || matches!(sentence.get(token.range.clone()), Some("," | ":" | "(" | ";"))
    });
    named && !broken
}

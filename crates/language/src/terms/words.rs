use std::ops::Range;

use precedent_domain::Span;
use precedent_text::{Source, TokenKind};

/// Prefixes written with or without a hyphen: `pre-training`, `pretraining`.
const JOINED_PREFIXES: [&str; 12] = [
    "co", "pre", "re", "non", "un", "sub", "anti", "inter", "intra", "over", "under", "meta",
];

/// Calls `each` with every word among the tokens `range` of `source` and its normalised form, in order.
///
/// A word is a token that is not punctuation. A prefix from the list is joined to the word after it. LaTeX commands, maths between dollar
/// signs and web addresses, which some abstracts contain, are skipped.
pub(super) fn each_word(source: &Source, range: Range<usize>, mut each: impl FnMut(Span, TokenKind, &str)) {
    let text = source.text();
    let mut joined = String::new();
    let mut skip_until = 0;
    let mut index = range.start;
    while index < range.end {
        let Some(token) = source.token(index) else { return };
        index += 1;
        if token.kind == TokenKind::Symbol && token.span.slice(text) == Some("$") && token.span.start >= skip_until {
            let rest = text.get(token.span.start..).unwrap_or_default();
            skip_until = token.span.start + math_length(rest).unwrap_or(0);
        }
        if matches!(token.text, "http" | "https" | "www") {
            let address = text.get(token.span.start..).unwrap_or_default();
            skip_until = skip_until.max(token.span.start + address_length(address));
        }
        let is_command = text
            .get(..token.span.start)
            .is_some_and(|before| before.ends_with('\\'));
        if token.kind == TokenKind::Symbol || token.span.start < skip_until || is_command {
            continue;
        }
        let tail = source.token(index).filter(|tail| {
            index < range.end
                && tail.kind == TokenKind::Word
                && JOINED_PREFIXES.contains(&token.text)
                && text.get(token.span.end..tail.span.start) == Some("-")
        });
        match tail {
            Some(tail) => {
                index += 1;
                joined.clear();
                joined.push_str(token.text);
                joined.push_str(tail.text);
                each(Span::new(token.span.start, tail.span.end), TokenKind::Word, &joined);
            }
            None => each(token.span, token.kind, token.text),
        }
    }
}

/// Length of the web address at the start of `text`; 0 if there is none.
fn address_length(text: &str) -> usize {
    let length = text.find(char::is_whitespace).unwrap_or(text.len());
    let is_address = text
        .get(..length)
        .is_some_and(|word| word.contains("://") || word.to_lowercase().starts_with("www."));
    if is_address { length } else { 0 }
}

/// Length of maths including both dollar signs; `None` if the sign does not start maths.
fn math_length(text: &str) -> Option<usize> {
    const LONGEST: usize = 400;
    let fence = if text.starts_with("$$") { "$$" } else { "$" };
    let inside = text.get(fence.len()..)?;
    let window = inside
        .char_indices()
        .map(|(at, _)| at)
        .take(LONGEST)
        .last()
        .unwrap_or(0);
    let length = inside.get(..window)?.find(fence)?;
    let maths = inside.get(..length)?;
    let looks_like_maths = maths.contains(['\\', '^', '_', '{', '=', '<', '>']) || maths.len() <= 3;
    (!maths.contains("\n\n") && looks_like_maths).then_some(length + 2 * fence.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forms(text: &str) -> Vec<String> {
        let source = Source::new(text);
        let mut forms = Vec::new();
        each_word(&source, 0..source.token_count(), |span, _, form| {
            assert!(span.slice(text).is_some(), "{span:?} in {text:?}");
            forms.push(form.to_owned());
        });
        forms
    }

    #[test]
    fn prefixes_are_joined() {
        assert_eq!(
            forms("Co-occurrence of Pre-trained, graph-based models, non- and pre-"),
            [
                "cooccurrence",
                "of",
                "pretrained",
                "graph",
                "based",
                "models",
                "non",
                "and",
                "pre"
            ]
        );
    }

    #[test]
    fn maths_and_commands_are_no_words() {
        assert_eq!(
            forms(r"runs in $O(n \log n)$ time, \emph{always} $$x_1$$ so"),
            ["runs", "in", "time", "always", "so"]
        );
        assert_eq!(
            forms("costs $20 and gives $50 back"),
            ["costs", "20", "and", "gives", "50", "back"]
        );
        assert!(forms("$ $").is_empty());
    }

    #[test]
    fn addresses_are_no_words() {
        assert_eq!(
            forms("Code: https://github.com/a-b/c. Data at www.x.org and http next"),
            ["code", "data", "at", "and", "http", "next"]
        );
    }

    proptest::proptest! {
        #[test]
        fn spans_lie_on_characters_and_in_order(text in "\\PC{0,80}|[a-z$\\\\ {}-]{0,60}") {
            let source = Source::new(text.as_str());
            let mut last = 0;
            each_word(&source, 0..source.token_count(), |span, _, form| {
                assert!(span.slice(&text).is_some() && !form.is_empty());
                assert!(span.start >= last && !span.is_empty());
                last = span.end;
            });
        }
    }
}

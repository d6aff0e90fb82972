use precedent_domain::{QuotableDocument, Span};
use precedent_text::sentences;

/// Maximum number of tokens in a passage (NoveltyAgent, A.1).
const PASSAGE_TOKENS: usize = 512;
/// Maximum number of bytes between two paragraphs of a passage, such as a heading. A table or a listing ends the passage.
const MOST_BETWEEN: usize = 160;

/// Cuts a text into passages, in reading order, without the reference list, tables and listings. A passage is as many whole sentences as fit. No
/// passage is empty, overlaps another, or has more than [`PASSAGE_TOKENS`] tokens.
pub(crate) fn passages(text: &QuotableDocument) -> Vec<Span> {
    let document = text.document();
    let mut found: Vec<Span> = Vec::new();
    let mut open: Option<Span> = None;
    for (paragraph, _) in document.compared_paragraphs() {
        let Some(slice) = document.slice(paragraph) else {
            continue;
        };
        for local in sentences(slice) {
            let sentence = Span::new(paragraph.start + local.start, paragraph.start + local.end);
            for piece in pieces(text, sentence) {
                let joined = open.map(|open| Span::new(open.start, piece.end));
                open = match joined.filter(|joined| joins(text, open, piece, *joined)) {
                    Some(joined) => Some(joined),
                    None => {
                        found.extend(open);
                        Some(piece)
                    }
                };
            }
        }
    }
    found.extend(open);
    found.retain(|span| {
        document
            .slice(*span)
            .is_some_and(|words| words.chars().any(char::is_alphanumeric))
    });
    found
}

/// Whether `piece` may be added to the passage before it.
fn joins(text: &QuotableDocument, open: Option<Span>, piece: Span, joined: Span) -> bool {
    let near = open.is_some_and(|open| piece.start >= open.end && piece.start - open.end <= MOST_BETWEEN);
    near && text.source().tokens_within(joined).len() <= PASSAGE_TOKENS
}

/// A sentence, cut at token boundaries if it is too long for one passage.
fn pieces(text: &QuotableDocument, sentence: Span) -> Vec<Span> {
    let tokens = text.source().tokens_within(sentence);
    if tokens.len() <= PASSAGE_TOKENS {
        return vec![sentence];
    }
    let mut pieces = Vec::new();
    let mut first = tokens.start;
    while first < tokens.end {
        let last = (first + PASSAGE_TOKENS).min(tokens.end) - 1;
        if let (Some(from), Some(to)) = (text.source().token(first), text.source().token(last)) {
            pieces.push(Span::new(from.span.start, to.span.end));
        }
        first = last + 1;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use precedent_domain::{Document, SectionKind};

    use super::*;
    use crate::sample::paper_of;

    #[test]
    fn a_record_is_one_passage_and_reference_lists_are_none() {
        let record = QuotableDocument::new(Document::from_abstract("Kelp", Some("Swell bends the kelp. It grows.")));
        assert_eq!(passages(&record), [Span::new(0, record.document().text.len())]);
        let sentence = "Swell bends the kelp of every coast that we have seen so far. ".repeat(40);
        let long = vec![sentence.as_str(); 6];
        let paper = paper_of(
            "Kelp",
            None,
            &[
                ("Method", SectionKind::Method, &long),
                (
                    "References",
                    SectionKind::References,
                    &["H. Dorn. Growth of kelp. 2016."],
                ),
            ],
        );
        let text = QuotableDocument::new(paper.document);
        let found = passages(&text);
        assert!(found.len() > 5, "{}", found.len());
        for span in &found {
            let words = text.document().slice(*span).unwrap();
            assert!(text.source().tokens_within(*span).len() <= PASSAGE_TOKENS);
            assert!(!words.contains("Growth of kelp"), "{words}");
            assert!(words.starts_with("Swell") && words.ends_with('.'), "{words}");
        }
        assert!(passages(&QuotableDocument::new(Document::default())).is_empty());
    }

    proptest::proptest! {
        #[test]
        fn passages_lie_in_order_and_within_bounds(text in "(\\PC{0,40}[.\n ]){0,60}") {
            let document = QuotableDocument::new(Document { text, ..Document::default() });
            let mut end = 0;
            for span in passages(&document) {
                proptest::prop_assert!(span.start >= end && span.end > span.start);
                proptest::prop_assert!(document.document().slice(span).is_some());
                proptest::prop_assert!(document.source().tokens_within(span).len() <= PASSAGE_TOKENS);
                end = span.end;
            }
        }
    }
}

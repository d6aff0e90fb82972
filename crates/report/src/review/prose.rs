//! Splits a model's prose at citations such as `[3]`, so that each number links to its document.

/// A part of the prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// Text before the citation; the remaining text in the last part.
    pub(super) text: String,
    /// The document cited after the text.
    pub(super) cite: Option<u32>,
}

/// Splits `text` at its citations of `known` documents. Other brackets stay text.
pub(super) fn prose(text: &str, known: impl Fn(u32) -> bool) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (before, inside) = rest.split_at(open);
        let inside = inside.get(1..).unwrap_or_default();
        let closed = inside
            .find(']')
            .and_then(|end| Some((inside.get(..end)?, inside.get(end + 1..)?)));
        plain.push_str(before);
        let Some((numbers, after)) = closed.and_then(|(inner, after)| Some((numbers(inner, &known)?, after))) else {
            plain.push('[');
            rest = inside;
            continue;
        };
        for number in numbers {
            pieces.push(Piece {
                text: std::mem::take(&mut plain),
                cite: Some(number),
            });
        }
        rest = after;
    }
    plain.push_str(rest);
    if !plain.is_empty() {
        pieces.push(Piece {
            text: plain,
            cite: None,
        });
    }
    pieces
}

/// The numbers in `3` or `1, 4`, if all are known.
fn numbers(inner: &str, known: impl Fn(u32) -> bool) -> Option<Vec<u32>> {
    let number = |part: &str| part.trim().parse::<u32>().ok().filter(|number| known(*number));
    inner.split([',', ';']).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_of_known_documents_become_citations() {
        let parsed = |text: &str| -> Vec<(String, Option<u32>)> {
            let pieces = prose(text, |number| number <= 5);
            pieces.into_iter().map(|one| (one.text, one.cite)).collect()
        };
        assert_eq!(
            parsed("It holds [3], and so [1, 4]."),
            [
                ("It holds ".to_owned(), Some(3)),
                (", and so ".to_owned(), Some(1)),
                (String::new(), Some(4)),
                (".".to_owned(), None)
            ]
        );
        for plain in [
            "an index x[i]",
            "see [9]",
            "open [3",
            "[]",
            "",
            "[[",
            "a [1, 9]",
            "é[–3]",
        ] {
            let whole: String = parsed(plain).into_iter().map(|(text, _)| text).collect();
            assert_eq!(whole, plain);
            assert!(parsed(plain).iter().all(|(_, cite)| cite.is_none()), "{plain}");
        }
    }
}

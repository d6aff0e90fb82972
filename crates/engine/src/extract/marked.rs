//! Reads emphasis in the text of an idea: `**…**` and HTML tags such as `<b style="…">…</b>`. Published ideas mark their facets this way.

use precedent_domain::Span;
use precedent_text::pattern;

/// A mark in the text.
struct Mark {
    start: usize,
    end: usize,
    /// The name of the tag in lower case, or `**`.
    name: String,
    closes: bool,
}

/// The text without pairs of marks, and the spans in it that they enclosed, in order. A mark without its pair stays as it is.
pub(super) fn without_emphasis(text: &str) -> (String, Vec<Span>) {
    let pairs = pairs(text);
    let mut removed: Vec<(usize, usize)> = pairs
        .iter()
        .flat_map(|(open, close)| [(open.start, open.end), (close.start, close.end)])
        .collect();
    removed.sort_unstable();
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for (start, end) in &removed {
        kept.push_str(text.get(at..*start).unwrap_or_default());
        at = *end;
    }
    kept.push_str(text.get(at..).unwrap_or_default());
    // Bytes removed before a position of the original text.
    let mut before = vec![0];
    for (start, end) in &removed {
        before.push(before.last().copied().unwrap_or_default() + end - start);
    }
    let moved = |at: usize| {
        let passed = removed.partition_point(|(start, _)| *start < at);
        at - before.get(passed).copied().unwrap_or_default()
    };
    let mut marks: Vec<Span> = pairs
        .iter()
        .map(|(open, close)| Span::new(moved(open.end), moved(close.start)))
        .filter(|span| span.start < span.end)
        .collect();
    marks.sort_unstable_by_key(|span| (span.start, span.end));
    marks.dedup();
    (kept, marks)
}

/// Every opening mark with its closing mark.
fn pairs(text: &str) -> Vec<(Mark, Mark)> {
    let marks =
        pattern!(r#"(?i)<(/?)(b|strong|i|em|u|mark|span|font)(?:\s+[a-z-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'))*\s*>|\*\*"#);
    let mut open: Vec<Mark> = Vec::new();
    let mut pairs = Vec::new();
    for found in marks.captures_iter(text) {
        let Some(whole) = found.get(0) else { continue };
        let name = found
            .get(2)
            .map_or("**".to_owned(), |name| name.as_str().to_lowercase());
        let slash = found.get(1).is_some_and(|slash| !slash.is_empty());
        let known = open.iter().rposition(|one| one.name == name);
        let mark = Mark {
            start: whole.start(),
            end: whole.end(),
            closes: slash || (name == "**" && known.is_some()),
            name,
        };
        match known {
            Some(at) if mark.closes => {
                open.truncate(at + 1);
                let Some(first) = open.pop() else { continue };
                let inner = text.get(first.end..mark.start).unwrap_or_default();
                // `2 ** 3` and emphasis over several paragraphs are no marks.
                let is_pair = inner.trim() == inner && !inner.is_empty() && !inner.contains("\n\n");
                match (is_pair, mark.name == "**") {
                    (true, _) => pairs.push((first, mark)),
                    (false, true) => open.push(Mark { closes: false, ..mark }),
                    (false, false) => {}
                }
            }
            _ if !mark.closes => open.push(mark),
            _ => {}
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, Vec<String>) {
        let (kept, marks) = without_emphasis(text);
        let marks = marks.iter().map(|span| span.slice(&kept).unwrap().to_owned());
        let marks = marks.collect();
        (kept, marks)
    }

    #[test]
    fn emphasis_is_removed_and_its_place_is_kept() {
        let published =
            "**<b style=\"background-color:#FFFACD;\">Recursive abstracts</b>** in a <b>system</b> **to cut losses**.";
        assert_eq!(
            read(published),
            (
                "Recursive abstracts in a system to cut losses.".to_owned(),
                vec![
                    "Recursive abstracts".to_owned(),
                    "system".to_owned(),
                    "to cut losses".to_owned()
                ]
            )
        );
    }

    #[test]
    fn what_is_no_emphasis_stays() {
        for text in [
            "2 ** 3 is eight, and 4 ** 2 is sixteen.",
            "a <b and c> d",
            "an open **mark",
            "<script>alert(1)</script>",
            "</b> closes nothing",
            "<b>never closed",
            "",
        ] {
            assert_eq!(read(text), (text.to_owned(), Vec::new()), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn marks_are_inside_the_text_and_words_stay(text in "(\\*\\*|<b>|</b>|<i class=\"x\">|</i>|[a-z ]{1,5}|\\PC|\n){0,40}") {
            let (kept, marks) = without_emphasis(&text);
            for span in marks {
                proptest::prop_assert!(span.slice(&kept).is_some());
            }
            let letters = |text: &str| text.chars().filter(|c| c.is_uppercase()).collect::<String>();
            proptest::prop_assert_eq!(letters(&text), letters(&kept));
        }
    }
}

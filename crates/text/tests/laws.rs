//! Properties that must hold for any text.

use precedent_text::{Location, OverlapOptions, SharedPassage, Source, TokenKind, locate, overlap, sentences, terms};
use proptest::prelude::*;

/// Words of a small vocabulary, so that texts are repetitive, with signs, numbers, accents and other scripts.
fn words(range: std::ops::Range<usize>) -> impl Strategy<Value = Vec<String>> {
    let word = prop_oneof![
        6 => "[a-e]{1,3}",
        2 => "[a-z]{4,9}",
        1 => Just("naïve".to_owned()),
        1 => Just("方法".to_owned()),
        1 => "[0-9]{1,3}(\\.[0-9])?",
        1 => Just("not".to_owned()),
        1 => Just("(Li, 2020)".to_owned()),
        1 => Just("ﬁlter-\nbank".to_owned()),
        1 => Just("…".to_owned()),
        1 => Just("\u{301}\u{200d}\u{ad}%≥".to_owned()),
    ];
    prop::collection::vec(word, range)
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        words(0..60).prop_map(|words| words.join(" ")),
        "\\PC{0,120}",
        "[\\PC\n\t.()\\[\\]“”‘’'\"…-]{0,120}",
    ]
}

fn spans(location: &Location) -> Vec<precedent_text::Span> {
    match location {
        Location::Exact { span, .. } | Location::Close { span, .. } | Location::Altered { span, .. } => vec![*span],
        Location::Stitched { spans, .. } => spans.clone(),
        _ => Vec::new(),
    }
}

fn normalised(text: &str) -> Vec<String> {
    Source::new(text).tokens().map(|token| token.text.to_owned()).collect()
}

fn options(min_words: usize) -> OverlapOptions {
    OverlapOptions { min_words }
}

proptest! {
    /// Nothing panics, and all spans are on character boundaries of the source.
    #[test]
    fn a_location_is_a_slice_of_the_source(text in any_text(), quote in any_text()) {
        let source = Source::new(text.as_str());
        for span in spans(&locate(&source, &quote)) {
            prop_assert!(span.slice(&text).is_some_and(|slice| !slice.is_empty()));
        }
        for span in sentences(&text).into_iter().chain(terms::words(&text).into_iter().map(|(_, span)| span)) {
            prop_assert!(span.slice(&text).is_some_and(|slice| !slice.is_empty()));
        }
    }

    /// Verbatim text is found, word for word.
    #[test]
    fn a_slice_is_found(list in words(12..120), from in 0_usize..100, length in 8_usize..40) {
        let text = list.join(" ");
        let source = Source::new(text.as_str());
        let count = source.token_count();
        let from = from.min(count.saturating_sub(length));
        let (Some(first), Some(last)) = (source.token(from), source.token((from + length).min(count) - 1)) else { return Ok(()) };
        let quote = &text[first.span.start..last.span.end];
        match locate(&source, quote) {
            // On its own, a broken word may be joined or not.
            Location::Exact { span, .. } => prop_assert_eq!(
                normalised(span.slice(&text).unwrap()).concat(), normalised(quote).concat()),
            Location::TooShort => {
                let asked = Source::new(quote);
                let solid: Vec<usize> =
                    asked.tokens().filter(|token| token.kind != TokenKind::Symbol).map(|token| token.text.chars().count() + 1).collect();
                prop_assert!(solid.len() < 8 || solid.iter().sum::<usize>() <= 20);
            }
            other => prop_assert!(quote.contains("ﬁlter"), "{quote:?} {other:?}"),
        }
    }

    /// `Exact` is returned only for text that is there: the same letters and digits in the same order.
    #[test]
    fn exact_means_the_same_letters(text in words(10..80), quote in words(5..12), at in 0_usize..60) {
        let mut planted = text.clone();
        let at = at.min(planted.len());
        planted.splice(at..at, quote.iter().take(quote.len() - 1).cloned());
        let (text, quote) = (planted.join(" "), quote.join(" "));
        if let Location::Exact { span, .. } = locate(&Source::new(text.as_str()), &quote) {
            let (here, asked) = (normalised(span.slice(&text).unwrap()).concat(), normalised(&quote).concat());
            let plain = |text: &str| text.replace("fi", "");
            prop_assert_eq!(plain(&here), plain(&asked));
        }
    }

    /// `overlap(a, b)` is `overlap(b, a)` with the sides swapped.
    #[test]
    fn overlap_mirrors(left in words(0..90), middle in words(0..60), right in words(0..90), other in words(0..90)) {
        let one = Source::new([&left[..], &middle[..], &right[..]].concat().join(" "));
        let two = Source::new([&other[..], &middle[..]].concat().join(" "));
        let there: Vec<SharedPassage> = overlap(&one, &[&two], &options(8)).into_iter().flat_map(|found| found.passages).collect();
        let mut back: Vec<SharedPassage> =
            overlap(&two, &[&one], &options(8)).into_iter().flat_map(|found| found.passages).map(SharedPassage::mirrored).collect();
        back.sort_by_key(|passage| (passage.a, passage.b));
        prop_assert_eq!(there, back);
    }

    /// Order and duplicates of candidates affect only the indices.
    #[test]
    fn candidates_do_not_affect_each_other(target in words(40..100), others in prop::collection::vec(words(0..80), 1..5)) {
        let target_source = Source::new(target.join(" "));
        let mut sources: Vec<Source> = others.iter().map(|other| Source::new(other.join(" "))).collect();
        sources.push(Source::new(target[10..40].join(" ")));
        let ask = |order: &[usize]| {
            let chosen: Vec<&Source> = order.iter().map(|index| &sources[*index]).collect();
            let mut found: Vec<(usize, Vec<SharedPassage>)> = overlap(&target_source, &chosen, &options(8))
                .into_iter()
                .map(|found| (order[found.candidate], found.passages))
                .collect();
            found.sort_by_key(|(index, _)| *index);
            found
        };
        let plain: Vec<usize> = (0..sources.len()).collect();
        let turned: Vec<usize> = plain.iter().rev().copied().collect();
        let doubled: Vec<usize> = plain.iter().chain(&plain).copied().collect();
        let expected = ask(&plain);
        prop_assert_eq!(&ask(&turned), &expected);
        let mut twice = ask(&doubled);
        twice.dedup();
        prop_assert_eq!(twice, expected);
    }

    /// A verbatim passage is found completely, also when its paragraphs are joined or split.
    #[test]
    fn paragraphs_do_not_matter(before in words(0..40), passage in prop::collection::vec("[a-z]{5,9}", 30..60), after in words(0..40), cut in 1_usize..29) {
        let joined = passage.join(" ");
        let split = format!("{}.\n\n{}", passage[..cut].join(" "), passage[cut..].join("\n"));
        let candidate = Source::new(format!("Elsewhere {joined} ends."));
        for middle in [&joined, &split] {
            let text = format!("{} {middle} {}", before.join(" "), after.join(" "));
            let target = Source::new(text.as_str());
            let found = overlap(&target, &[&candidate], &OverlapOptions::default());
            let start = before.join(" ").len() + 1;
            let covered = found.iter().flat_map(|found| &found.passages).any(|shared| {
                shared.a.start <= start && shared.a.end >= start + middle.len() && shared.words >= 30
            });
            prop_assert!(covered, "{found:?}");
        }
    }
}

//! Copied passages with one change inside, over invented sentences. They must never count as direct, and the change must be reported.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use precedent_text::{AlteredReason, OverlapKind, OverlapOptions, SharedPassage, Source, overlap};

const COPIED: &str = "Each buoy was moored with forty metres of nylon rope, and the tension at both ends was recorded at 20 Hz over one winter. \
The rope did not slip at the clamp in any of the 12 storms, while the older clamp slipped by 3.5 mm in most of them. After the second storm \
Marsh replaced the upper shackle, and the measured stiffness increased by 8% within a week [4, 7]. We found that the drift was larger than \
expected, which may be due to the cold water, and that all recordings were complete.";

fn shared(one: &str, other: &str, min_words: usize) -> Vec<SharedPassage> {
    let (target, candidate) = (Source::new(one), Source::new(other));
    let found = overlap(&target, &[&candidate], &OverlapOptions { min_words });
    found.into_iter().flat_map(|found| found.passages).collect()
}

/// The single passage that a text shares with a copy in which `that` is replaced by `this`, and its edits in words.
fn changed(that: &str, this: &str) -> (SharedPassage, Vec<(String, String, AlteredReason)>) {
    assert!(COPIED.contains(that), "{that}");
    let one = format!("Of harbours much is said elsewhere. {COPIED} Then other things follow.");
    let other = format!(
        "Nobody had asked before this. {} And so it ended, years ago.",
        COPIED.replace(that, this)
    );
    let found = shared(&one, &other, 30);
    assert_eq!(found.len(), 1, "{that} → {this}: {found:?}");
    let edits = found[0]
        .edits
        .iter()
        .map(|edit| {
            let words = (edit.a.slice(&one).unwrap(), edit.b.slice(&other).unwrap());
            (words.0.to_owned(), words.1.to_owned(), edit.reason)
        })
        .collect();
    (found[0].clone(), edits)
}

#[test]
fn a_changed_meaning_is_reported_and_never_direct() {
    use AlteredReason::{Comparison, ContentWords, Name, Negation, Number, Quantifier, UnmarkedGap};
    let cases = [
        ("did not slip", "did slip", "not", "", Negation),
        ("did not slip", "never slipped or did slip", "", "", Negation),
        ("were complete", "were never complete", "", "never", Negation),
        (
            "all recordings were complete",
            "all recordings were not",
            "complete",
            "not",
            Negation,
        ),
        ("Each buoy was", "No buoy was", "Each", "No", Negation),
        ("12 storms", "21 storms", "12", "21", Number),
        ("forty metres", "fourteen metres", "forty", "fourteen", Number),
        ("3.5 mm", "3.5 cm", "mm", "cm", Number),
        ("3.5 mm", "35 mm", "3.5", "35", Number),
        ("20 Hz", "20 kHz", "Hz", "kHz", Number),
        ("by 8% within", "by 8 within", "%", "", Number),
        (
            "stiffness increased by",
            "stiffness decreased by",
            "increased",
            "decreased",
            Comparison,
        ),
        ("larger than", "smaller than", "larger", "smaller", Comparison),
        ("the upper shackle", "the lower shackle", "upper", "lower", Comparison),
        ("the older clamp", "the newer clamp", "older", "newer", Comparison),
        ("the cold water", "the warm water", "cold", "warm", ContentWords),
        ("which may be", "which must be", "may", "must", Quantifier),
        ("in most of them", "in some of them", "most", "some", Quantifier),
        ("Marsh replaced", "Osei replaced", "Marsh", "Osei", Name),
        ("3.5 mm", "3.50 mm", "3.5", "3.50", Number),
        ("tension at", "tension (by our figures) at", "", "", ContentWords),
        (
            "The rope did",
            "It is not the case that the rope did",
            "",
            "It is not the case that",
            UnmarkedGap,
        ),
    ];
    for (that, this, a, b, reason) in cases {
        let (passage, edits) = changed(that, this);
        assert_eq!(passage.kind, OverlapKind::NearVerbatim, "{that} → {this}: {passage:?}");
        assert!(passage.agreement > 0.9, "{that} → {this}");
        let named = edits.iter().any(|edit| {
            let words = a.is_empty() && b.is_empty() || (edit.0.as_str(), edit.1.as_str()) == (a, b);
            words && edit.2 == reason
        });
        assert!(named, "{that} → {this}: {edits:?}");
    }
}

#[test]
fn typographic_and_equivalent_changes_are_direct() {
    for (that, this) in [
        ("", ""),
        ("[4, 7]", "[11, 12, 13]"),
        (" [4, 7]", ""),
        (" [4, 7]", " (Osei et al., 2019; Marsh, 2021)"),
        ("tension at", "tension (Figure) at"),
        ("8% within", "8 % within"),
        ("recordings", "record-\nings"),
        ("the clamp in", "theclamp in"),
        ("the measured stiffness", "measured stiffness"),
        ("12 storms", "twelve storms"),
        ("complete.", "COMPLETE."),
        ("the older clamp", "the heavy older clamp"),
        ("", "capitals"),
    ] {
        let capitals = COPIED.to_uppercase();
        let (passage, edits) = if this == "capitals" {
            changed(COPIED, &capitals)
        } else if that.is_empty() {
            changed(COPIED, COPIED)
        } else {
            changed(that, this)
        };
        assert_eq!(passage.kind, OverlapKind::Direct, "{that} → {this}: {edits:?}");
        assert!(edits.is_empty(), "{that} → {this}: {edits:?}");
    }
}

#[test]
fn a_different_sentence_with_the_same_ending_is_not_an_edit() {
    let copied = COPIED
        .split_once("The rope did")
        .unwrap()
        .0
        .trim_start_matches("Each ")
        .trim_end();
    for (one, other) in [
        ("Then each", "Quite another wish, and"),
        ("As all know, a", "Not so here: some"),
        ("Of three, one", "None"),
    ] {
        let texts = [
            format!("It began so. {one} {copied}"),
            format!("Here is more. {other} {copied}"),
        ];
        let found = shared(&texts[0], &texts[1], 20);
        assert_eq!(found.len(), 1, "{one} {other}");
        assert_eq!(
            (found[0].kind, found[0].edits.len()),
            (OverlapKind::Direct, 0),
            "{one} {other}: {found:?}"
        );
    }
}

#[test]
fn a_lost_minus_sign_is_an_edit() {
    let text = "The probes were cooled to a mean of -40 degrees in the upper tank and then moved by hand into the lower one, where they were \
                left for two days before they were weighed again on the small scale.";
    let found = shared(text, &format!("Before that. {}", text.replace("-40", "40")), 30);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].kind, found[0].edits.len()), (OverlapKind::NearVerbatim, 1));
}

#[test]
fn no_passage_is_shorter_than_requested() {
    let words: Vec<String> = COPIED.split_whitespace().map(str::to_owned).collect();
    let words_of = |text: &str| {
        Source::new(text)
            .tokens()
            .filter(|token| token.kind != precedent_text::TokenKind::Symbol)
            .count()
    };
    let mut found_at = 0;
    for min_words in 5_usize..40 {
        for length in min_words.saturating_sub(2)..min_words + 4 {
            // One word left out, one added, one replaced.
            for edit in 0..3 {
                let mut copy = words[3..3 + length].to_vec();
                match edit {
                    0 => drop(copy.remove(length / 2)),
                    1 => copy.insert(length / 2, "quietly".to_owned()),
                    _ => "quietly".clone_into(&mut copy[length / 2]),
                }
                let other = format!("Nobody had asked. {} And so it ended.", copy.join(" "));
                for passage in shared(COPIED, &other, min_words) {
                    found_at += 1;
                    let sides = [passage.a.slice(COPIED).unwrap(), passage.b.slice(&other).unwrap()].map(words_of);
                    assert!(
                        sides.iter().all(|words| *words >= min_words),
                        "{min_words}: {passage:?}"
                    );
                    assert_eq!(passage.words, *sides.iter().min().unwrap());
                }
            }
        }
    }
    assert!(found_at > 200, "{found_at}");
}

#[test]
fn a_copy_with_a_repeated_phrase_stays_in_one_order() {
    let refrain = "the tension at both ends of the upper rope was recorded";
    let text = format!(
        "On the first day {refrain} by hand, before noon. On the second {refrain} with a gauge that Marsh had built for it. On the third {refrain} \
         by both, and the two were found to agree within the error of the scale."
    );
    let found = shared(
        &format!("Of this we know little. {text}"),
        &format!("Elsewhere it says so. {text}"),
        30,
    );
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].kind, OverlapKind::Direct);
    assert!((found[0].agreement - 1.0).abs() < 1e-12);
}

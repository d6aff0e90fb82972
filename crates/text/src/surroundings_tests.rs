use super::*;
use crate::locate;

fn around(text: &str, quote: &str) -> Surroundings {
    let source = Source::new(text);
    let location = locate(&source, quote);
    assert!(location.verified(), "{quote}: {location:?}");
    surroundings(&source, quote, &location)
}

#[test]
fn a_quote_cut_behind_a_denial_says_so() {
    let text = "It is not the case that every rope frays in the rain. Only in salt water do the thick ropes fray within a year. \
                Not surprisingly, the old nets tear in spring. The thin ropes fray in the rain only if nobody tars them.";
    for (quote, cut) in [
        ("every rope frays in the rain", Some("not the case that")),
        ("do the thick ropes fray within a year", Some("Only in salt water")),
        ("It is not the case that every rope frays", None),
        ("the old nets tear in spring", None),
    ] {
        let found = around(text, quote).cut_off_before;
        assert_eq!(found.map(|cut| cut.text), cut.map(str::to_owned), "{quote}");
    }
    let after = around(text, "The thin ropes fray in the rain").cut_off_after;
    assert_eq!(
        after.map(|cut| (cut.text, cut.word)),
        Some(("only".to_owned(), "only".to_owned()))
    );
    assert_eq!(around(text, "the old nets tear in spring").cut_off_after, None);
}

#[test]
fn what_stands_often_is_counted() {
    let line = "Every rope of the harbour was tarred twice. ";
    let text = line.repeat(12);
    let found = around(&text, "Every rope of the harbour was tarred twice");
    assert_eq!((found.occurrences, found.places.len()), (12, Surroundings::MOST_PLACES));
    assert_eq!(found.places[1].start, line.len());
    let nearly = around(
        &text,
        "Every rope of harbour was tarred twice. Every rope of the harbour was tarred twice",
    );
    assert_eq!(nearly.occurrences, 1);
}

#[test]
fn what_is_not_there_has_no_surroundings() {
    let source = Source::new("Every rope of the harbour was tarred twice.");
    let absent = locate(&source, "Nobody ever saw the captain of this ship");
    assert_eq!(
        surroundings(&source, "Nobody ever saw the captain of this ship", &absent),
        Surroundings::default()
    );
}

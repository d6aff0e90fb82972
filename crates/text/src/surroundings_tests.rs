use super::*;
use crate::locate;

fn around(text: &str, quote: &str) -> Surroundings {
    let source = Source::new(text);
    let location = locate(&source, quote);
    assert!(location.verified(), "{quote}: {location:?}");
    surroundings(&source, quote, &location)
}

#[test]
fn a_quote_cut_after_a_negation_is_reported() {
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
fn a_bound_on_the_first_number_is_reported() {
    let text = "Up to 60 ropes were tarred each day by the crew. The crew tarred 60 ropes on every day of the week.";
    let cut = around(text, "60 ropes were tarred each day by the crew").cut_off_before;
    assert_eq!(cut.map(|cut| cut.text).as_deref(), Some("Up to"));
    assert_eq!(around(text, "60 ropes on every day of the week").cut_off_before, None);
}

#[test]
fn a_quote_cut_out_of_a_sentence_is_reported() {
    let text = "# Ropes\nIt is a myth that every rope frays in the rain. The thin ropes fray in a year provided that nobody tars them.\n\n\
                We never bought:\n\n- old ropes from the yard in the north\n- new nets from the shop by the quay\n\n\
                [12] The nets of the crew were mended twice [13]. 3. The ropes of the crew were tarred in April.\n\
                The anchor was lost:\nnobody in the harbour ever saw it again.";
    let changed = |quote: &str| {
        let found = around(text, quote);
        let slice = |span: Option<Span>| span.and_then(|span| span.slice(text)).unwrap_or_default().to_owned();
        (
            slice(found.sentence_before),
            slice(found.sentence_after),
            slice(found.lead_in),
        )
    };
    let expect = |quote: &str, before: &str, after: &str, lead: &str| {
        assert_eq!(
            changed(quote),
            (before.to_owned(), after.to_owned(), lead.to_owned()),
            "{quote}"
        );
    };
    expect("every rope frays in the rain", "It is a myth that", "", "");
    expect(
        "The thin ropes fray in a year",
        "",
        "provided that nobody tars them.",
        "",
    );
    expect("new nets from the shop by the quay", "", "", "We never bought:");
    expect("It is a myth that every rope frays in the rain.", "", "", "");
    expect("The nets of the crew were mended twice", "", "", "");
    expect("The ropes of the crew were tarred in April", "", "", "");
    let long = format!("{} the last of the ropes was sold.", "They said that ".repeat(90));
    let found = around(&long, "the last of the ropes was sold");
    let before = found.sentence_before.unwrap();
    assert!(before.len() <= Surroundings::REACH + 4 && before.slice(&long).unwrap().starts_with(char::is_alphabetic));
}

#[test]
fn repeated_quotes_are_counted() {
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
fn a_missing_quote_has_no_surroundings() {
    let source = Source::new("Every rope of the harbour was tarred twice.");
    let absent = locate(&source, "Nobody ever saw the captain of this ship");
    assert_eq!(
        surroundings(&source, "Nobody ever saw the captain of this ship", &absent),
        Surroundings::default()
    );
}

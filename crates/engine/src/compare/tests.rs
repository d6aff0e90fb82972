//! Tests of the stages with one file each: position, overlap, missing citations, one-liners.

use precedent_domain::{
    Candidate, Document, Extent, NoClearPlace, OverlapMark, Paper, PositionKind, Relevance, Status, Timing,
};
use precedent_text::OverlapOptions;

use super::fixture::{FIELD, candidate, contribution, full_text, paper, with_set};
use super::{
    compare, missing_citations, missing_citations_not_searched, one_liners, position, taxonomy, textual_overlap,
};

const TITLE: &str = "Matched Filters and Swell Noise in Tension Channels";
const SUMMARY: &str = "Swell adds noise to tension channels. We present a matched filter for tension symbols in swell noise and test it in heavy swell at nine buoys with mooring ropes.";
const REUSED: &str = "The winch pulls the rope for one second and then lets it go, while the load cell at the far end takes fifty readings in each second and keeps the highest of them, so that a slow rise is never taken for a tug of the neighbouring buoy.";

fn target(references: &[&str]) -> Paper {
    paper(
        TITLE,
        full_text(TITLE, SUMMARY, &["Ropes go slack in heavy swell.", REUSED], references),
    )
}

fn field() -> Vec<(Candidate, Document)> {
    FIELD
        .iter()
        .zip(1..)
        .map(|((title, summary), number)| {
            let document = Document::from_abstract(title, Some(summary));
            (candidate(number, title, &document), document)
        })
        .collect()
}

#[test]
fn missing_citations_are_similar_papers_with_reasons() {
    let paper = target(&[
        "[1] I. Hallan. Talking Through Rope Between Buoys. 2009.",
        "[2] M. Tanaka. Spectral models of\u{ad} swell-noise. 2012.",
    ]);
    let missing = with_set(&paper, &field(), |set| missing_citations(set, &[]));
    let numbers: Vec<u32> = missing.iter().map(|one| one.candidate).collect();
    assert!(numbers.contains(&6), "matched filters: {missing:#?}");
    assert!(!numbers.contains(&5), "number 5 is in the list: {missing:#?}");
    assert!(!numbers.contains(&11), "medium access is not similar: {missing:#?}");
    let reason = &missing.iter().find(|one| one.candidate == 6).unwrap().reason;
    assert!(
        reason.contains("2010") && reason.contains("rank 6 for the core task") && reason.contains("2 entries"),
        "{reason}"
    );
}

#[test]
fn a_missing_citation_is_earlier_uncited_and_relevant() {
    let paper = target(&["[1] Somebody. Something."]);
    for change in [
        (|one: &mut Candidate| one.timing = Timing::Concurrent) as fn(&mut Candidate),
        |one| one.timing = Timing::Undated,
        |one| one.cited_as = Some(1),
        |one| one.scopes[0].relevance = Relevance::No,
        |one| one.scopes[0].rank = 40,
    ] {
        let mut list = field();
        change(&mut list[5].0);
        let missing = with_set(&paper, &list, |set| missing_citations(set, &[]));
        assert!(missing.iter().all(|one| one.candidate != 6), "{missing:#?}");
    }
}

#[test]
fn possibly_cited_papers_are_not_reported_as_missing() {
    // Number 6 of the field is named by authors and year in an entry without a title.
    for entry in [
        "[1] P. Voss, J. Moor. Syst. 12, 345 (2010).",
        "[1] Voss et al., Proc. Buoys, 2011.",
    ] {
        let missing = with_set(&target(&[entry]), &field(), |set| missing_citations(set, &[]));
        assert!(missing.iter().all(|one| one.candidate != 6), "{entry}: {missing:#?}");
    }
    for entry in [
        "[1] P. Voss, J. Moor. Syst. 12, 345 (1980).",
        "[1] E. Marsh, J. Moor. Syst. 12 (2010).",
    ] {
        let missing = with_set(&target(&[entry]), &field(), |set| missing_citations(set, &[]));
        assert!(missing.iter().any(|one| one.candidate == 6), "{entry}: {missing:#?}");
    }
}

#[test]
fn nothing_is_missing_without_a_reference_list() {
    let paper = target(&[]);
    assert!(with_set(&paper, &field(), |set| missing_citations(set, &[])).is_empty());
    assert!(missing_citations_not_searched(&paper).is_some());
    assert!(missing_citations_not_searched(&target(&["[1] A. B."])).is_none());
}

#[test]
fn only_a_literal_match_refutes_a_claim() {
    let paper = target(&["[1] Somebody. Something."]);
    let claim = contribution(&paper, "We present a matched filter for tension symbols in swell noise");
    let comparisons = with_set(&paper, &field(), |set| compare(set, &claim));
    let refuting: Vec<_> = comparisons
        .iter()
        .filter(|one| one.status == Status::CanRefute)
        .collect();
    assert_eq!(refuting.len(), 1, "one abstract of the field says it word for word");
    assert_eq!(refuting[0].probability, Some(1.0));
}

#[test]
fn overlap_search_needs_full_texts() {
    let options = OverlapOptions::default();
    let nothing = with_set(&target(&[]), &field(), |set| textual_overlap(set, &options));
    assert_eq!(
        (nothing.searched, nothing.full_texts_compared),
        (false, 0),
        "abstracts are not full texts"
    );
    let mut list = field();
    list[0].1 = full_text(FIELD[0].0, FIELD[0].1, &["The harbour is calm.", REUSED], &[]);
    list[1].1 = full_text(FIELD[1].0, FIELD[1].1, &["Nylon loses more energy than aramid."], &[]);
    let paper = target(&[]);
    let found = with_set(&paper, &list, |set| textual_overlap(set, &options));
    assert_eq!(
        (found.searched, found.full_texts_compared, found.overlaps.len()),
        (true, 2, 1),
        "{found:#?}"
    );
    assert_eq!(found.unexplained(), 1);
    let one = &found.overlaps[0];
    assert_eq!((one.candidate, one.found, one.passages.len()), (1, 1, 1));
    let passage = &one.passages[0];
    assert!(passage.target.is_in(&paper.document) && passage.candidate.is_in(&list[0].1));
    assert!(
        passage.shared.words >= 30 && passage.shared.marks.is_empty(),
        "{passage:#?}"
    );
}

#[test]
fn table_cells_are_not_passages() {
    let cells =
        "12 0 -1 0 0 0 2 2 -2 -13 1 -3 -7 1 0 -3 0 0 1 -2 2 7 2 2 2 0 3 0 0 0 0 0 0 0 -1 0 0 0 0 41 17 3 8 0 0 1 9";
    let paper = paper(TITLE, full_text(TITLE, SUMMARY, &[cells], &[]));
    let mut list = field();
    list[0].1 = full_text(FIELD[0].0, FIELD[0].1, &[cells], &[]);
    let found = with_set(&paper, &list, |set| textual_overlap(set, &OverlapOptions::default()));
    assert!(found.searched && found.overlaps.is_empty(), "{found:#?}");
}

#[test]
fn shared_reference_lists_are_marked() {
    let reference = "[1] I. Hallan, P. Voss, M. Tanaka, L. Brun, C. Okafor, J. Reik, S. Lindqvist, A. Oduya, K. Osei, T. Quill, N. Abara, E. Marsh, D. Ferro, S. Nakamura, and B. Kone. Talking through rope: tension as a communication channel between moored buoys in calm water and in swell. Journal of Moored Systems, 3(2):101-129, 2009.";
    let mut list = field();
    list[0].1 = full_text(FIELD[0].0, FIELD[0].1, &["The harbour is calm."], &[reference]);
    let found = with_set(&target(&[reference]), &list, |set| {
        textual_overlap(set, &OverlapOptions::default())
    });
    let marked = |one: &precedent_domain::OverlapPassage| one.shared.marks.contains(&OverlapMark::ReferenceList);
    assert!(
        found.overlaps.iter().flat_map(|one| &one.passages).all(marked),
        "{found:#?}"
    );
    // No headline counts them.
    assert_eq!((found.overlaps.len(), found.unexplained()), (1, 0));
}

#[test]
fn position_lists_siblings_with_shared_terms() {
    let paper = target(&[]);
    let list = field();
    let place = with_set(&paper, &list, |set| position(set, &taxonomy(set, None))).unwrap();
    assert_eq!(place.kind, PositionKind::HasSiblings);
    let filters = place.siblings.iter().find(|one| one.candidate == 6).unwrap();
    assert!(
        filters.shared_terms.iter().any(|term| term.contains("matched filter")),
        "{filters:#?}"
    );
    assert!(!filters.is_duplicate_variant);
    assert_eq!(filters.compared, Extent::Abstract);
    assert!(
        filters
            .candidate_quote
            .as_ref()
            .unwrap()
            .text()
            .starts_with("We describe a receiver")
    );
    for one in &place.siblings {
        assert!(!one.distinction.is_empty());
        assert!(
            one.shared_terms
                .iter()
                .all(|term| !one.target_only_terms.contains(term))
        );
    }
}

#[test]
fn paper_among_unrelated_papers_has_no_clear_position() {
    let strangers = [
        ("Bread of Rye", "Rye bread is baked with sour dough in stone ovens."),
        (
            "Sour Dough Cultures",
            "Sour dough cultures of rye live in stone crocks.",
        ),
        ("Stone Ovens", "Stone ovens hold their heat for baking rye bread."),
        ("Organ Pipes", "Organ pipes of tin are tuned by ear."),
        ("Tuning Organs", "Tuning organs of tin pipes takes a week."),
        ("Tin Pipes", "Tin pipes are cast on sand for organs."),
    ];
    let list: Vec<(Candidate, Document)> = strangers
        .iter()
        .zip(1..)
        .map(|((title, summary), number)| {
            let document = Document::from_abstract(title, Some(summary));
            (candidate(number, title, &document), document)
        })
        .collect();
    let paper = target(&[]);
    let place = with_set(&paper, &list, |set| position(set, &taxonomy(set, None))).unwrap();
    // Papers on bread and organs give no position for ropes.
    assert!(
        matches!(place.no_clear_place, Some(NoClearPlace::Reason(_))),
        "{place:?}"
    );
    let place = with_set(&paper, &field(), |set| position(set, &taxonomy(set, None))).unwrap();
    assert_eq!(place.no_clear_place, None, "{:?}", place.path);
}

#[test]
fn paper_without_candidates_is_isolated() {
    let place = with_set(&target(&[]), &[], |set| position(set, &taxonomy(set, None))).unwrap();
    assert_eq!(
        (place.kind, place.siblings.len(), place.path.len()),
        (PositionKind::Isolated, 0, 1)
    );
}

#[test]
fn versions_of_the_paper_are_distinguished_from_similar_papers() {
    let paper = target(&[]);
    let version = |title: &str, summary: &str, author: &str| {
        let document = Document::from_abstract(title, Some(summary));
        let mut one = candidate(1, title, &document);
        one.work.authors = vec![precedent_domain::Author::new(author)];
        let place = with_set(&paper, &[(one, document)], |set| position(set, &taxonomy(set, None))).unwrap();
        place.siblings[0].is_duplicate_variant
    };
    assert!(
        version(TITLE, "Quite another abstract.", "Elin Marsh"),
        "one title, one author"
    );
    assert!(
        !version(TITLE, "Quite another abstract.", "Ann Lee"),
        "one title, other authors"
    );
    assert!(version("Swell Noise on Ropes", SUMMARY, "E. Marsh"), "one abstract");
    assert!(
        !version(FIELD[5].0, FIELD[5].1, "Elin Marsh"),
        "same author, other work"
    );
}

#[test]
fn one_liners_are_sentences_of_the_candidate() {
    let list = field();
    let lines = with_set(&target(&[]), &list, one_liners);
    assert_eq!(lines.len(), list.len());
    for (line, (candidate, document)) in lines.iter().zip(&list) {
        assert_eq!(line.candidate, candidate.number);
        assert!(line.text.is_none());
        assert!(
            line.quote.as_ref().is_some_and(|quote| quote.is_in(document)),
            "{}",
            candidate.work.title
        );
    }
    assert!(
        lines[10]
            .quote
            .as_ref()
            .unwrap()
            .text()
            .starts_with("We propose a medium access protocol")
    );
    let empty = Document::default();
    let lines = with_set(&target(&[]), &[(candidate(1, "", &empty), empty)], one_liners);
    assert!(lines[0].quote.is_none());
}

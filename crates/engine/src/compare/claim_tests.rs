use precedent_domain::{Candidate, ContributionComparison, Document, Extent, Paper, Status, Timing};
use proptest::prelude::*;

use crate::compare::claim::coined;
use crate::compare::compare;
use crate::compare::fixture::{FIELD, candidate, contribution, full_text, paper, with_set};

const CLAIM: &str = "We introduce a creep-compensated decoder that re-estimates the stiffness of the rope from pilot tugs in every frame.";

fn target() -> Paper {
    paper(
        "Slack-Aware Coding for Ropes",
        full_text(
            "Slack-Aware Coding for Ropes",
            "Rope-line telemetry sends data between moored buoys by tugging ropes. We propose slack-aware coding.",
            &[
                CLAIM,
                "The receiver fits the stiffness of the rope to the heights of pilot tugs and divides the symbols by it.",
            ],
            &["[1] P. Voss. Attenuation of Tension Pulses in Wet Ropes. 2010."],
        ),
    )
}

/// The sample field, preceded by one candidate with this body.
fn candidates(body: &[&str], references: &[&str]) -> Vec<(Candidate, Document)> {
    let planted = full_text(
        "Decoding Under Rope Creep",
        "Ropes stretch for months after they are deployed.",
        body,
        references,
    );
    let others = FIELD.iter().zip(2..).map(|((title, summary), number)| {
        let document = Document::from_abstract(title, Some(summary));
        (candidate(number, title, &document), document)
    });
    std::iter::once((candidate(1, "Decoding Under Rope Creep", &planted), planted))
        .chain(others)
        .collect()
}

fn compare_all(candidates: &[(Candidate, Document)]) -> Vec<ContributionComparison> {
    let paper = target();
    with_set(&paper, candidates, |set| compare(set, &contribution(&paper, CLAIM)))
}

fn planted(body: &str) -> ContributionComparison {
    let all = compare_all(&candidates(&[body], &[]));
    all.into_iter().find(|one| one.candidate == 1).unwrap()
}

#[test]
fn claim_found_in_an_earlier_full_text_is_refuted() {
    let body = "In this paper we present a creep-compensated decoder that re-estimates the stiffness of the rope from pilot tugs in every frame. The decoder needs no memory.";
    let all = compare_all(&candidates(&["Tension links are calibrated once.", body], &[]));
    let first = &all[0];
    assert_eq!((first.candidate, first.status), (1, Status::CanRefute), "{first:#?}");
    let pair = &first.evidence[0];
    assert_eq!(pair.target.text(), CLAIM);
    assert!(body.starts_with(pair.candidate.text()), "{}", pair.candidate.text());
    assert!(first.missing_terms.is_empty());
    assert!(first.note.starts_with("All "), "{}", first.note);
    assert_eq!(pair.candidate_context.as_ref().unwrap().text(), body);
    for other in &all[1..] {
        assert_eq!(other.status, Status::CannotRefute, "{other:#?}");
    }
}

#[test]
fn names_that_the_paper_coins_are_not_missing_terms() {
    let paper = target();
    let candidates = candidates(&["SwellNet reads ropes."], &[]);
    let names = |text: &'static str| with_set(&paper, &candidates, |set| coined(text, set));
    assert_eq!(names("We introduce TugNet, which beats SwellNet on ropes."), ["TugNet"]);
}

#[test]
fn changed_words_do_not_refute() {
    for (what, body) in [
        (
            "negation",
            "We introduce a creep-compensated decoder that never re-estimates the stiffness of the rope from pilot tugs in every frame.",
        ),
        (
            "contrast",
            "Unlike a creep-compensated decoder that re-estimates the stiffness of the rope from pilot tugs in every frame, ours is fixed.",
        ),
        (
            "future work",
            "In future work we could introduce a creep-compensated decoder that re-estimates the stiffness of the rope from pilot tugs in every frame.",
        ),
        (
            "quantity",
            "We introduce a creep-compensated decoder that re-estimates the stiffness of the rope from pilot tugs in some frames only.",
        ),
        (
            "number",
            "We introduce a creep-compensated decoder that re-estimates the stiffness of the rope from 12 pilot tugs in every frame.",
        ),
        (
            "order",
            "In every frame the rope tugs the pilot: stiffness from re-estimates of a decoder is what creep compensated.",
        ),
        (
            "half foreign",
            "We introduce a creep-compensated decoder that counts the waves of the sea from camera pictures in every harbour.",
        ),
        (
            "topic",
            "Decoders estimate the stiffness of a rope; pilot tugs are known. Creep makes ropes longer in each frame of the trial.",
        ),
    ] {
        let one = planted(body);
        assert_ne!(one.status, Status::CanRefute, "{what}: {one:#?}");
    }
}

#[test]
fn papers_not_certainly_earlier_never_refute() {
    let body = CLAIM;
    for timing in [Timing::Concurrent, Timing::Undated, Timing::Later] {
        let mut list = candidates(&[body], &[]);
        list[0].0.timing = timing;
        let all = compare_all(&list);
        assert_eq!(all[0].status, Status::Unclear, "{timing:?}");
        assert!(all[0].downgraded.is_some(), "{timing:?}");
    }
}

#[test]
fn an_abstract_that_states_the_claim_anticipates_it() {
    let mut list = candidates(&["Nothing here."], &[]);
    list[0].1 = Document::from_abstract("Decoding Under Rope Creep", Some(CLAIM));
    let all = compare_all(&list);
    assert_eq!((all[0].candidate, all[0].status), (1, Status::CanRefute));
    assert_eq!((all[0].compared, all[0].probability), (Extent::Abstract, Some(1.0)));
}

#[test]
fn reference_lists_are_never_evidence() {
    let all = compare_all(&candidates(&["The sea is deep."], &[CLAIM]));
    let one = all.iter().find(|one| one.candidate == 1).unwrap();
    assert_eq!(one.status, Status::CannotRefute);
    assert!(
        one.evidence
            .iter()
            .all(|pair| !pair.candidate.text().contains("re-estimates")),
        "{one:#?}"
    );
}

#[test]
fn claim_of_generic_words_is_never_refuted() {
    let general = "We propose a novel framework and show that it significantly outperforms all existing methods on several benchmarks.";
    let paper = paper("A Paper", full_text("A Paper", general, &["Text."], &[]));
    let document = full_text("Another", general, &[general], &[]);
    let list = vec![(candidate(1, "Another", &document), document)];
    let all = with_set(&paper, &list, |set| compare(set, &contribution(&paper, general)));
    assert!(all[0].says_too_little() && !all[0].needs_reading(), "{all:#?}");
    assert!(all[0].note.contains("too few"), "{}", all[0].note);
}

#[test]
fn coined_name_does_not_make_a_claim_new() {
    let claim = "We propose RopeTalk, a creep-compensated decoder that re-estimates the stiffness of the rope from pilot tugs in every frame.";
    let paper = paper("RopeTalk", full_text("RopeTalk", claim, &["Text."], &[]));
    let list = candidates(&[CLAIM], &[]);
    let all = with_set(&paper, &list, |set| compare(set, &contribution(&paper, claim)));
    assert_eq!(
        (all[0].candidate, all[0].status),
        (1, Status::CanRefute),
        "{:#?}",
        all[0]
    );
}

/// Hierarchical routing and an Analytical Hierarchical Process share two rare words and nothing else. Two papers on ranking requirements share
/// their topic, whatever their wording.
#[test]
fn common_topic_makes_papers_similar_but_rare_words_alone_do_not() {
    const AHP: &str = "We present a model for requirement prioritization using the Analytical Hierarchical Process.";
    const TITLE: &str = "Prioritizing software requirements for market-driven products by pairwise comparison";
    let text = "Software companies receive more customer requirements than the next release of a product can hold. ";
    let paper = paper(TITLE, full_text(TITLE, &format!("{text}{AHP}"), &["Text."], &[]));
    let works = [
        (
            "Analytical correlation of table length and path length in a hierarchical routing model",
            "Hierarchical routing shortens the tables of network nodes and lengthens paths. We give an analytical correlation of both.",
        ),
        (
            "Selecting software requirements for the next release of market-driven products",
            "We study how companies rank the requirements of customers by cost and value when they plan product releases.",
        ),
    ];
    let list: Vec<(Candidate, Document)> = works
        .iter()
        .zip(1..)
        .map(|((title, summary), number)| {
            let document = Document::from_abstract(title, Some(summary));
            (candidate(number, title, &document), document)
        })
        .collect();
    let all = with_set(&paper, &list, |set| compare(set, &contribution(&paper, AHP)));
    let of = |number: u32| all.iter().find(|one| one.candidate == number).unwrap();
    assert!(!of(1).near && of(1).evidence.is_empty(), "{:#?}", of(1));
    assert!(of(2).near && !of(2).evidence.is_empty(), "{:#?}", of(2));
    assert_eq!(all[0].candidate, 2);
    assert!(of(1).note.ends_with("are not similar to the paper."), "{}", of(1).note);
}

#[test]
fn nothing_to_compare_is_no_error() {
    assert!(compare_all(&[]).is_empty());
    let empty = Document::default();
    let list = vec![(candidate(1, "", &empty), empty)];
    let all = compare_all(&list);
    assert_eq!((all.len(), all[0].status, all[0].near), (1, Status::Unclear, false));
    assert!(all[0].evidence.is_empty());
}

fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "decoder",
        "stiffness",
        "rope",
        "pilot",
        "tugs",
        "frame",
        "creep",
        "the",
        "of",
        "not",
        "swell",
        "12",
        "$x$",
        "\u{fb01}nite",
        ".",
        "We",
        "名",
    ]);
    prop::collection::vec(word, 0..160).prop_map(|words| words.join(" "))
}

/// Whether a note says that no passage has more than 4 of 4 terms, which is true but useless.
fn says_all_is_too_few(note: &str) -> bool {
    let figures = |text: &str| {
        text.split_whitespace()
            .next()
            .and_then(|word| word.parse::<usize>().ok())
    };
    let found = note.split_once("has more than ").and_then(|(_, rest)| figures(rest));
    let all = note.split_once("of the claim's ").and_then(|(_, rest)| figures(rest));
    found.is_some() && found == all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn evidence_is_verbatim_and_within_limits(bodies in prop::collection::vec(words(), 1..5)) {
        let paper = target();
        let list: Vec<(Candidate, Document)> = bodies.iter().zip(1..).map(|(body, number)| {
            let title = format!("Work {number}");
            let document = full_text(&title, "An abstract on ropes.", &[body], &[]);
            (candidate(number, &title, &document), document)
        }).collect();
        let all = with_set(&paper, &list, |set| compare(set, &contribution(&paper, CLAIM)));
        prop_assert_eq!(all.len(), list.len());
        for one in &all {
            let document = &list.iter().find(|(candidate, _)| candidate.number == one.candidate).unwrap().1;
            prop_assert!(one.evidence.len() <= 3);
            prop_assert!((0.0..=1.0).contains(&one.closeness));
            prop_assert!(!says_all_is_too_few(&one.note), "{}", one.note);
            for pair in &one.evidence {
                prop_assert!(pair.candidate.is_in(document) && pair.target.is_in(&paper.document));
                prop_assert!(pair.candidate_context.as_ref().is_none_or(|context| context.is_in(document)
                    && context.span().contains(pair.candidate.span())));
                prop_assert!(pair.candidate.text().split_whitespace().count() <= 90);
                prop_assert!((0.0..=1.0).contains(&pair.similarity));
            }
        }
    }

    #[test]
    fn candidate_order_does_not_matter(order in Just((0..12_usize).collect::<Vec<_>>()).prop_shuffle()) {
        let paper = target();
        let list = |order: &[usize]| -> Vec<(Candidate, Document)> {
            order.iter().map(|&index| {
                let (title, summary) = FIELD[index];
                let document = Document::from_abstract(title, Some(summary));
                (candidate(u32::try_from(index).unwrap() + 1, title, &document), document)
            }).collect()
        };
        let run = |list: &[(Candidate, Document)]| with_set(&paper, list, |set| compare(set, &contribution(&paper, CLAIM)));
        prop_assert_eq!(run(&list(&order)), run(&list(&(0..12).collect::<Vec<_>>())));
    }
}

#[test]
fn other_wording_of_the_claim_refutes_if_found_verbatim() {
    let again = "A decoder is described that divides every symbol by the stiffness of the wet rope, which pilot tugs tell it in each frame.";
    let paper = paper(
        "Slack-Aware Coding for Ropes",
        full_text("Slack-Aware Coding for Ropes", CLAIM, &[again], &[]),
    );
    let mut claim = contribution(&paper, CLAIM);
    claim.also_stated = vec![contribution(&paper, again).claim];
    let list = candidates(&[again], &[]);
    let all = with_set(&paper, &list, |set| compare(set, &claim));
    let one = all.iter().find(|one| one.candidate == 1).unwrap();
    assert_eq!(one.status, Status::CanRefute, "{one:#?}");
    assert_eq!(one.evidence[0].target.text(), again);
    // Without the second wording, the candidate does not contain the claim word for word.
    claim.also_stated.clear();
    let all = with_set(&paper, &list, |set| compare(set, &claim));
    assert!(all.iter().all(|one| one.status != Status::CanRefute));
}

#[test]
fn a_title_alone_decides_nothing() {
    let document = Document::from_abstract("Bridges of Stone", None);
    let list = vec![(candidate(1, "Bridges of Stone", &document), document)];
    let one = &compare_all(&list)[0];
    assert_eq!((one.status, one.near), (Status::Unclear, false), "{one:#?}");
    assert!(
        one.note.starts_with("Only the candidate's title is available"),
        "{}",
        one.note
    );
}

#[test]
fn generic_words_do_not_make_papers_similar() {
    let paper = target();
    let works = [
        (
            "Stiffness of Tugged Ropes in Rope-Line Telemetry",
            "Rope-line telemetry sends data between moored buoys by tugging ropes. We measure the stiffness of the rope in every frame.",
        ),
        ("Every Frame", "Every pilot sees each frame of the film."),
    ];
    let list: Vec<(Candidate, Document)> = works
        .iter()
        .zip(1..)
        .map(|((title, summary), number)| {
            let document = Document::from_abstract(title, Some(summary));
            (candidate(number, title, &document), document)
        })
        .collect();
    let claim = contribution(&paper, CLAIM);
    // Among all searched papers, frames, pilots and films are common words and ropes are rare.
    let common = [
        ("frame", 0.2),
        ("pilot", 0.2),
        ("re", 0.3),
        ("estimates", 0.2),
        ("stiffness", 0.001),
        ("rope", 0.001),
    ];
    let target = precedent_domain::QuotableDocument::new(paper.document.clone());
    let texts: Vec<_> = list
        .iter()
        .map(|(_, text)| precedent_domain::QuotableDocument::new(text.clone()))
        .collect();
    let priors: Vec<_> = list
        .iter()
        .zip(&texts)
        .map(|((candidate, _), text)| crate::compare::Prior { candidate, text })
        .collect();
    let set = crate::compare::ComparisonSet::new(&paper, &target, &priors).with_background(common);
    for one in compare(&set, &claim) {
        assert_eq!(one.near, one.candidate == 1, "{one:#?}");
        assert_eq!(one.evidence.is_empty(), !one.near);
    }
}

#[test]
fn whole_sentence_refutes_with_few_distinctive_words() {
    let sentence = "We propose to weigh kelp on a deck that moves, and to do so by the pendulum and not by the spring.";
    let paper = paper("Weights at Sea", full_text("Weights at Sea", sentence, &["Text."], &[]));
    let claim = contribution(&paper, sentence);
    let status = |body: &str| {
        let list = candidates(&[body], &[]);
        let all = with_set(&paper, &list, |set| compare(set, &claim));
        all.iter().find(|one| one.candidate == 1).map(|one| one.status)
    };
    assert_eq!(status(sentence), Some(Status::CanRefute));
    for other in [
        "We propose to weigh kelp on a deck that moves, and to do so by the spring and not by the pendulum.",
        "A deck moves. Kelp hangs from a pendulum, and we weigh it without a spring.",
    ] {
        assert_ne!(status(other), Some(Status::CanRefute), "{other}");
    }
}

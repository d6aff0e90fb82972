use precedent_domain::{IdeaPart, PartStatement, SectionKind, Span};

use super::super::material::ReviewInput;
use super::atoms::atoms;
use super::cues::{asks, concludes};
use super::statement::without_figures;
use super::{from_idea, idea_parts, read};
use crate::extract::Idea;
use crate::sample::{kelp_paper, paper_of, world_of};

fn parts_of(text: &str) -> (String, Vec<PartStatement>) {
    from_idea::parts(&Idea::new(text).document())
}

fn of(found: &[PartStatement], part: IdeaPart) -> Vec<&str> {
    let of = found.iter().filter(|one| one.part == part);
    of.map(|one| one.statement.as_str()).collect()
}

#[test]
fn a_reference_to_a_figure_does_not_discard_its_sentence() {
    for sentence in [
        "We introduce a tide-aware planner that shifts departures; see Fig. 1.",
        "We introduce a tide-aware planner that shifts departures (see Figure 2).",
        "As shown in Figure 2, we introduce a tide-aware planner that shifts departures.",
    ] {
        let (_, found) = parts_of(&format!(
            "Ferries waste fuel because timetables ignore tides. {sentence}"
        ));
        assert!(
            of(&found, IdeaPart::BasicIdea)[0].contains("tide-aware planner"),
            "{found:#?}"
        );
    }
    let (_, found) =
        parts_of("We introduce a tide-aware planner. In Section 3 we list the ferries. Table 1 shows the tides.");
    assert_eq!(found.len(), 1, "{found:#?}");
}

#[test]
fn a_part_that_the_text_may_state_is_not_reported_as_missing() {
    let missing = |text: &str| idea_parts(&Idea::new(text).document()).missing;
    let studied = "We propose a tide-aware planner for ferries. Industrial field-test applications will be conducted to evaluate the planner.";
    assert!(!missing(studied).contains(&IdeaPart::ExperimentalSetting));
    let method = "Train a network with a contrastive loss on pairs of tide records.";
    let found = missing(method);
    assert!(
        !found.contains(&IdeaPart::Method) && !found.contains(&IdeaPart::BasicIdea),
        "{found:?}"
    );
    assert!(found.contains(&IdeaPart::ResearchQuestion), "{found:?}");
}

#[test]
fn a_sentence_without_cues_is_unclassified_and_then_no_part_is_missing() {
    let read = idea_parts(
        &Idea::new("We propose a planner for ferries. Passengers wait at the pier in any weather.").document(),
    );
    assert_eq!(
        of(&read.statements, IdeaPart::Unclassified),
        ["Passengers wait at the pier in any weather."]
    );
    assert!(read.missing.is_empty());
}

const LABELLED: &str = "Current-aware departures for fjord ferries

Motivation: Small ferries in narrow fjords burn much of their fuel against the current. Existing timetables ignore tides, and operators lack tools that weigh waiting against fuel.
Proposed method: A harmonic tide model gives the current ahead of time and a queueing network bounds how long passengers wait.
Experiment plan:
1. Evaluate on two lines over one season, measuring fuel and waiting.
2. Compare with fixed timetables and with a greedy baseline.
We expect a 15% reduction in fuel without longer waiting for GPT-4 users.
References: A. Nobody 1999.";

#[test]
fn labels_decide_the_parts_of_a_labelled_idea() {
    let (title, found) = parts_of(LABELLED);
    assert_eq!(title, "Current-aware departures for fjord ferries");
    assert_eq!(of(&found, IdeaPart::Motivation).len(), 2, "{found:#?}");
    assert_eq!(
        of(&found, IdeaPart::Method),
        [
            "A harmonic tide model gives the current ahead of time.",
            "A queueing network bounds how long passengers wait."
        ]
    );
    assert_eq!(of(&found, IdeaPart::ExperimentalSetting).len(), 2, "{found:#?}");
    assert_eq!(
        of(&found, IdeaPart::ExpectedResults),
        ["We expect a … reduction in fuel without longer waiting for GPT-4 users."],
        "expected results without figures"
    );
    assert!(of(&found, IdeaPart::ResearchQuestion).is_empty() && of(&found, IdeaPart::BasicIdea).is_empty());
    assert!(found.iter().all(|one| !one.statement.contains("Nobody")));
}

#[test]
fn cues_decide_the_parts_of_an_unlabelled_idea() {
    let (title, found) = parts_of(
        "Ferries waste fuel because timetables ignore tides. We propose a tide-aware planner that shifts departures. Can it keep the waiting short? \
It combines a harmonic tide model with a queueing network. The planner will be evaluated in a field deployment on two ferry lines. It should reduce fuel by a third.",
    );
    assert_eq!(title, "");
    let one = |part| of(&found, part).first().copied().unwrap_or_default();
    assert!(one(IdeaPart::Motivation).starts_with("Ferries waste"), "{found:#?}");
    assert!(one(IdeaPart::BasicIdea).starts_with("We propose a tide-aware planner"));
    assert!(one(IdeaPart::ResearchQuestion).ends_with('?'));
    assert_eq!(
        one(IdeaPart::Method),
        "It [the tide-aware planner] combines a harmonic tide model with a queueing network."
    );
    assert!(one(IdeaPart::ExperimentalSetting).contains("field deployment"));
    assert!(one(IdeaPart::ExpectedResults).contains("should reduce fuel"));
}

#[test]
fn a_short_line_above_a_long_one_is_the_title_and_wrapped_text_has_none() {
    let long = "We propose to measure the creep of mooring ropes with cheap sensors that sleep between tides, and to report what they find every morning.";
    let (title, found) = parts_of(&format!("Ropes That Report\n{long}"));
    assert_eq!(title, "Ropes That Report");
    assert_eq!(of(&found, IdeaPart::BasicIdea).len(), 1, "{found:#?}");
    assert!(
        found.iter().all(|one| !one.quote.text().contains("Report\n")),
        "{found:#?}"
    );
    let (title, _) = parts_of(&long.replace("mooring ", "mooring\n").replace("between ", "between\n"));
    assert_eq!(title, "");
}

#[test]
fn sentences_are_split_into_statements_but_not_inside_subordinate_clauses() {
    for (sentence, parts) in [
        (
            "The tide model gives the current; the queueing network bounds the waiting of passengers.",
            2,
        ),
        (
            "A tide model gives the current ahead of time, and passengers see the new departures at the pier.",
            2,
        ),
        (
            "We show that the model improves the plan and the waiting of passengers stays short.",
            1,
        ),
        (
            "The relation between the tide and the harvest of the kelp is strong in all coasts.",
            1,
        ),
        (
            "We show that it works (i) on the coast, where it saves the crews an hour; (ii) on lakes, where the water is still.",
            1,
        ),
        ("We use ropes, chains and buoys of three makers on two coasts.", 1),
    ] {
        let found = atoms(sentence, Span::new(0, sentence.len()));
        let found: Vec<&str> = found.iter().map(|span| span.slice(sentence).unwrap()).collect();
        assert_eq!(found.len(), parts, "{found:#?}");
    }
}

#[test]
fn figures_are_removed_and_names_are_kept() {
    for (before, left) in [
        ("A 15% reduction.", "A … reduction."),
        ("Accuracy rises by 3.2 points on F1.", "Accuracy rises by … on F1."),
        ("GPT-4 and 3D maps at 10 kHz.", "GPT-4 and 3D maps at 10 kHz."),
        (
            "It beats 3 of 7 planners by 2.5 hours.",
            "It beats 3 of 7 planners by … hours.",
        ),
        (
            "It saves 1.5 hours over 2,000 crossings.",
            "It saves … hours over 2,000 crossings.",
        ),
        ("No numbers here.", "No numbers here."),
    ] {
        assert_eq!(without_figures(before), left);
    }
}

#[test]
fn sentences_are_assigned_by_what_they_say_of_the_idea() {
    let text = "Recent ferries have raised questions about whether tides can be planned for. Step-by-step plans fail when currents turn. \
To bridge this gap, we curate 2,000 crossings and align the planner with them. To examine whether a plan is safe, we derive bounds on the drift. \
Evaluations across diverse coasts reveal a trade-off between fuel and delay. This work is expected to improve timetables.";
    let read = idea_parts(&Idea::new(text).document());
    let parts: Vec<IdeaPart> = read.statements.iter().map(|one| one.part).collect();
    let part = |words: &str| {
        read.statements
            .iter()
            .find(|one| one.quote.text().contains(words))
            .unwrap()
            .part
    };
    assert_eq!(part("raised questions"), IdeaPart::ResearchQuestion, "{parts:?}");
    assert_eq!(part("Step-by-step"), IdeaPart::Motivation);
    assert_eq!(part("To bridge this gap"), IdeaPart::BasicIdea);
    assert_eq!(part("To examine whether"), IdeaPart::Method);
    assert_eq!(part("Evaluations across"), IdeaPart::ExpectedResults);
    assert_eq!(part("expected to improve"), IdeaPart::ExpectedResults);
}

#[test]
fn a_purpose_is_no_result_and_a_question_after_a_purpose_is_one() {
    assert!(concludes("Experiments on two lines show that the planner saves fuel."));
    assert!(!concludes(
        "We will run experiments on two lines to show that the planner saves fuel."
    ));
    assert!(!concludes("Tests with pilots who read suggestions are planned."));
    assert!(asks("To this end, we ask whether tides can be planned for."));
    assert!(!asks(
        "To examine whether a plan is safe, we derive bounds on the drift."
    ));
}

#[tokio::test]
async fn results_that_a_paper_reports_are_no_expectations_and_not_missing_either() {
    let world = world_of(vec![]).await;
    let input = ReviewInput::Paper(Box::new(kelp_paper()));
    let subject = read(&input, &world).await.unwrap();
    let idea = &subject.idea;
    assert!(of(&idea.statements, IdeaPart::ExpectedResults).is_empty());
    assert!(
        !idea.missing.contains(&IdeaPart::ExpectedResults),
        "{:#?}",
        idea.statements
    );
    assert!(
        idea.missing.contains(&IdeaPart::ResearchQuestion),
        "{:#?}",
        idea.statements
    );
    assert!(of(&idea.statements, IdeaPart::BasicIdea)[0].contains("seasonal regression"));
    assert!(
        of(&idea.statements, IdeaPart::Motivation)
            .iter()
            .any(|one| one.contains("ignore swell"))
    );
    for one in &idea.statements {
        assert!(one.quote.is_in(&idea.document));
        assert!(
            !one.statement.contains("93 %") && !one.statement.contains("12 %"),
            "{one:?}"
        );
    }
    let numbers: Vec<u32> = idea.statements.iter().map(|one| one.number).collect();
    assert_eq!(numbers, (1..).take(numbers.len()).collect::<Vec<_>>());
    assert!(
        idea.missing
            .iter()
            .all(|part| idea.statements.iter().all(|one| one.part != *part))
    );
}

#[tokio::test]
async fn expected_results_of_a_paper_are_found() {
    let paper = paper_of(
        "Ropes in Swell",
        Some("2020"),
        &[
            (
                "Abstract",
                SectionKind::Abstract,
                &[
                    "We ask whether hemp ropes last longer than wire in heavy swell. We hypothesize that hemp lasts longer where swell is irregular. Hemp lasted 40 % longer than wire.",
                ],
            ),
            (
                "Experiments",
                SectionKind::Experiments,
                &[
                    "We compare hemp with wire on nine buoys over one winter. As Table 1 shows, hemp outperforms wire by 40 % on all nine buoys.",
                ],
            ),
        ],
    );
    let world = world_of(vec![]).await;
    let input = ReviewInput::Paper(Box::new(paper));
    let subject = read(&input, &world).await.unwrap();
    let found = &subject.idea.statements;
    assert_eq!(
        of(found, IdeaPart::ExpectedResults),
        ["We hypothesize that hemp lasts longer where swell is irregular."]
    );
    assert!(
        of(found, IdeaPart::ResearchQuestion)[0].contains("whether hemp ropes"),
        "{found:#?}"
    );
    assert_eq!(
        of(found, IdeaPart::ExperimentalSetting),
        ["We compare hemp with wire on nine buoys over one winter."]
    );
}

proptest::proptest! {
    #[test]
    fn every_statement_is_backed_by_words_of_the_idea(text in "(We propose |It |Method: |# |- |expect |[0-9]{1,3} ?%? |and |; |\\PC|[a-z]{1,9} |\\. |\n){0,90}") {
        let document = Idea::new(&text).document();
        for one in from_idea::parts(&document).1 {
            proptest::prop_assert!(one.quote.is_in(&document));
            proptest::prop_assert!(!one.statement.trim().is_empty());
            proptest::prop_assert!(one.quote.text().split_whitespace().count() <= super::statement::LONGEST);
        }
    }

    #[test]
    fn atoms_are_in_order_within_the_sentence(text in "(and |but |; |the |it |is |runs |model |, |\\PC){0,40}") {
        let mut end = 0;
        for span in atoms(&text, Span::new(0, text.len())) {
            proptest::prop_assert!(span.start >= end && span.end > span.start);
            proptest::prop_assert!(span.slice(&text).is_some());
            end = span.end;
        }
    }
}

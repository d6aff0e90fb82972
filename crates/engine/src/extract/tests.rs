use precedent_domain::{ContributionClass, SectionKind};
use precedent_language::wording::word_count;
use proptest::prelude::*;

use super::claim::{MOST_CLAIM_WORDS, MOST_DESCRIPTION_WORDS, MOST_NAME_WORDS};
use super::{Reading, claim_drafts, core_task_drafts, extract};
use crate::sample::{FixedSource, kelp_paper, paper_of, world_of};

/// (claim, class) pairs of a paper with this abstract.
fn claims(title: &str, summary: &str) -> Vec<(String, ContributionClass)> {
    let paper = paper_of(title, None, &[("Abstract", SectionKind::Abstract, &[summary])]);
    let reading = Reading::new(&paper);
    claim_drafts(&reading)
        .into_iter()
        .map(|one| (reading.slice(one.claim).to_owned(), one.class))
        .collect()
}

#[test]
fn claims_are_found_in_every_kind_of_paper() {
    let biology = claims(
        "Swell shapes kelp root growth",
        "Kelp roots hold. Here we show that swell bends the roots of young kelp before they harden. These roots have been described (Roy, 2019).",
    );
    assert_eq!(
        biology,
        [(
            "Here we show that swell bends the roots of young kelp before they harden.".to_owned(),
            ContributionClass::Finding
        )]
    );
    let theory = claims(
        "Bounds for rope games",
        "Rope games are old. We prove a lower bound on the pulls that any rope game with two players needs.",
    );
    assert_eq!(theory.first().unwrap().1, ContributionClass::Theory);
    let survey = claims(
        "Rope telemetry: a survey",
        "This article surveys forty years of telemetry along mooring ropes and their codes.",
    );
    assert_eq!(survey.first().unwrap().1, ContributionClass::Survey);
    let resource = claims(
        "Kelp plots",
        "We release a data set of forty thousand kelp plots along three rocky coasts.",
    );
    assert_eq!(resource.first().unwrap().1, ContributionClass::Resource);
}

#[test]
fn performance_future_and_other_peoples_work_are_not_claims() {
    let none = claims(
        "Rope codes in swell",
        "We show that our code outperforms all baselines by 12 %. We plan to release ropes of greater length in future work. \
         The first code for wet ropes was presented by Voss and others (2010).",
    );
    assert!(
        none.iter()
            .all(|(claim, _)| !claim.contains("12 %") && !claim.contains("plan")),
        "{none:#?}"
    );
    let cut = claims(
        "Rope codes in swell",
        "We propose a line code that waits for taut ropes, which achieves an accuracy of 93 % on three farms.",
    );
    assert_eq!(
        cut.first().unwrap().0,
        "We propose a line code that waits for taut ropes"
    );
}

#[test]
fn paper_without_claims_yields_what_it_does() {
    let system = claims(
        "Kelp weighing as a rope game",
        "This report is about our part in the kelp trial. Our system casts the weighing of kelp into a rope game and uses an old winch to play it. \
         They have got marks of 0.64 and 0.61.",
    );
    let texts: Vec<&str> = system.iter().map(|(claim, _)| claim.as_str()).collect();
    assert_eq!(
        texts,
        ["Our system casts the weighing of kelp into a rope game and uses an old winch to play it."]
    );
    // If there is a claim, nothing else is used.
    let claiming = claims(
        "Kelp weighing as a rope game",
        "We propose a rope game for the weighing of wet kelp. Our system uses an old winch for the weighing of kelp.",
    );
    assert_eq!(claiming.len(), 1, "{claiming:?}");
    let passive = claims(
        "Frames of ropes",
        "No such frame is given for the last rope because this is the end of the kelp farm.",
    );
    assert_eq!(passive, [], "a denial is not a claim");
}

#[test]
fn jokes_and_questions_are_removed_from_titles() {
    let task = |title: &str, summary: &str| {
        let paper = paper_of(title, None, &[("Abstract", SectionKind::Abstract, &[summary])]);
        let drafts = core_task_drafts(&Reading::new(&paper));
        drafts.into_iter().next().map(|draft| draft.phrase)
    };
    let kelp = "We study features for rope telemetry in heavy swell, and why wet ropes lose tugs. Kelp farms use Mooring-Line codes for telemetry.";
    for (title, phrase) in [
        (
            "A Smorgasbord of Features for Rope Telemetry",
            "features for rope telemetry",
        ),
        (
            "Rope Telemetry Using A Second Mooring Line",
            "rope telemetry using a second mooring line",
        ),
        (
            "Overcoming the Lack of Features for Rope Telemetry",
            "overcoming the lack of features for rope telemetry",
        ),
        ("Why Wet Ropes Improve Dry Chains", "wet ropes and dry chains"),
        (
            "A Study Reveals that Heavy Swell Reduces Rope Telemetry",
            "role of heavy swell in rope telemetry",
        ),
    ] {
        assert_eq!(task(title, kelp).as_deref(), Some(phrase), "{title}");
    }
}

#[test]
fn the_core_task_is_a_phrase_of_the_field() {
    let task = |title: &str, summary: &str| {
        let paper = paper_of(title, None, &[("Abstract", SectionKind::Abstract, &[summary])]);
        core_task_drafts(&Reading::new(&paper))
            .into_iter()
            .next()
            .map(|draft| draft.phrase)
    };
    let kelp = "Telemetry along mooring ropes fails in heavy swell. We study line codes for wet ropes and measure how swell bends kelp.";
    for (title, expected) in [
        // A title in sentence form becomes "role of X in Y".
        (
            "Heavy Swell Improves Line Codes for Wet Ropes",
            "role of heavy swell in line codes for wet ropes",
        ),
        // A joke before a colon, a joke after a preposition, and praise with `and`.
        (
            "Ropes Go Slack: Line Codes for Heavy Swell",
            "line codes for heavy swell",
        ),
        ("Mooring Rope Telemetry on a Shoestring", "mooring rope telemetry"),
        (
            "Efficient and Near-Optimal Algorithm for Line Codes on Wet Ropes",
            "line codes on wet ropes",
        ),
        // A short title is a core task.
        ("Mooring Rope Telemetry", "mooring rope telemetry"),
        // A lost colon, and an afterthought.
        ("RopeNet A Line Code for Heavy Swell", "line code for heavy swell"),
        (
            "The Difficulties of Rope Telemetry and a Solution",
            "difficulties of rope telemetry",
        ),
    ] {
        assert_eq!(task(title, kelp).as_deref(), Some(expected), "{title}");
    }
}

/// Drafts of a paper with these parts, as (name, claim, other wordings).
fn stated(title: &str, parts: &[(&str, SectionKind, &[&str])]) -> Vec<(String, String, Vec<String>)> {
    let paper = paper_of(title, Some("2008"), parts);
    let reading = Reading::new(&paper);
    let of = |span| reading.slice(span).to_owned();
    claim_drafts(&reading)
        .into_iter()
        .map(|one| (one.name, of(one.claim), one.also_stated.into_iter().map(of).collect()))
        .collect()
}

#[test]
fn repeated_contribution_is_one_claim_in_its_most_probable_wording() {
    let specific = "We present a scale for weighing wet kelp on moving decks that takes the tilt of the deck from a pendulum of brass.";
    let found = stated(
        "Weighing wet kelp on moving decks",
        &[
            (
                "Abstract",
                SectionKind::Abstract,
                &["We propose a scale for weighing kelp on moving decks."],
            ),
            ("Introduction", SectionKind::Introduction, &[specific]),
            (
                "Conclusion",
                SectionKind::Conclusion,
                &[
                    "We have described an instrument for weighing kelp that is wet, and it has served on many decks for a year.",
                ],
            ),
        ],
    );
    let claims: Vec<&str> = found.iter().map(|one| one.1.as_str()).collect();
    assert_eq!(claims, [specific], "{found:#?}");
    assert!(
        !found[0].2.is_empty(),
        "the other wordings are kept as support: {found:#?}"
    );
}

#[test]
fn names_have_content() {
    let names = |summary: &str| -> Vec<String> {
        let found = stated(
            "Drying kelp in barns",
            &[("Abstract", SectionKind::Abstract, &[summary])],
        );
        found.into_iter().map(|one| one.0).collect()
    };
    assert_eq!(
        names("We describe a system which turns wet kelp on wooden racks by the draught of the barn."),
        ["a system which turns wet kelp on wooden racks by the draught of the barn"]
    );
    assert_eq!(
        names("We propose a rack for drying kelp and show that it dries kelp in barns without wind."),
        ["a rack for drying kelp"]
    );
    // Capitals inside a sentence are the authors' own, and a list of adjectives is kept with its noun.
    assert_eq!(
        names("We introduce Barn Draught Lab, a wind tunnel for racks of drying kelp."),
        ["Barn Draught Lab, a wind tunnel for racks of drying kelp"]
    );
    assert_eq!(
        names("We present a method of turning kelp on weakly bent, wooden racks in barns."),
        ["a method of turning kelp on weakly bent, wooden racks in barns"]
    );
    assert!(names("This paper presents the task, the setup, and discusses the results.").is_empty());
    // An incomplete name is marked, has no open bracket, and does not start with a conjunction.
    let called = [
        (
            "We present a family of racks that combines the draught of barns with the computational efficiency of drying kelp in tall rows of wet hemp.",
            "a family of racks that combines the draught of barns with the computational efficiency…",
        ),
        (
            "We propose an algorithm capable of drying multiple types of kelp (brown, red, green, mixed with some wet hemp, dynamic) in barns.",
            "an algorithm capable of drying multiple types of kelp…",
        ),
        (
            "We introduce several innovative and barn-tailored racks of hemp for drying kelp.",
            "innovative and barn-tailored racks of hemp for drying kelp",
        ),
        (
            "We show that although racks of hemp are short, kelp dries on them in barns without wind.",
            "Although racks of hemp are short, kelp dries on them in barns without wind",
        ),
        (
            "We apply the collected hemp to build a dry rack for brown kelp in barns.",
            "We apply the collected hemp to build a dry rack for brown kelp in barns",
        ),
        // Words that begin with a preposition name nothing, so the sentence is shown.
        (
            "Instead of using wet racks of old hemp to dry kelp, we make use of the draught of windless barns and of bent wooden arms.",
            "Instead of using wet racks of old hemp to dry kelp, we make use…",
        ),
    ];
    let wrong: Vec<_> = called
        .into_iter()
        .map(|(summary, name)| (names(summary), name))
        .filter(|(found, name)| found != &[*name])
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    // An announcement, a reference back, or an offer without its noun is no claim.
    let nothing = [
        "The novelty of this paper on drying kelp in barns is summarized as follows.",
        "We describe our approach to the first and second problems and make some remarks on kelp in barns.",
        "We present which utilizes racks of hemp to dry kelp in windless barns.",
        "We implemented asks the farmer for a decision on kelp at each rack of the barn.",
        "We present results and compare these results to other recent results in drying kelp in barns.",
    ];
    let claimed: Vec<_> = nothing
        .into_iter()
        .map(names)
        .filter(|found| !found.is_empty())
        .collect();
    assert!(claimed.is_empty(), "{claimed:#?}");
}

#[test]
fn work_outside_the_paper_is_not_a_claim() {
    let claims = |heading: &str, text: &str| -> Vec<String> {
        let parts: [(&str, SectionKind, &[&str]); 2] = [
            ("Abstract", SectionKind::Abstract, &["Kelp is dried in barns."]),
            (heading, SectionKind::Introduction, &[text]),
        ];
        stated("Drying kelp in barns", &parts)
            .into_iter()
            .map(|one| one.1)
            .collect()
    };
    for (heading, text) in [
        (
            "Introduction",
            "We also developed our own kelp rack for barns and took part in DRYING2007.",
        ),
        (
            "Introduction and Related Work",
            "We developed a kelp rack with wooden arms for barns.",
        ),
        (
            "Introduction",
            "We present four racks for drying kelp in barns in this section.",
        ),
        ("Introduction", "We propose such a rack for drying kelp in windy barns."),
        (
            "Introduction",
            "If we propose a rack for drying kelp in barns, the wind is needed.",
        ),
        ("Introduction", "We propose a rack for drying kelp in barns, and"),
        (
            "Introduction",
            "In our previous work, we propose a rack for drying kelp in barns.",
        ),
        (
            "Introduction",
            "We collected wet kelp of three farms and hung it in barns.",
        ),
        (
            "Introduction",
            "We find a general drift from wet barns to dry racks of kelp.",
        ),
    ] {
        assert!(claims(heading, text).is_empty(), "{text}: {:?}", claims(heading, text));
    }
    assert_eq!(
        claims("Introduction", "We propose a rack for drying kelp in barns.").len(),
        1
    );
}

#[test]
fn capitalised_title_gives_a_core_task_in_running_case() {
    let paper = paper_of(
        "DRYING WEIGHT AS A PROBE OF SALT IN HANGING KELP",
        None,
        &[(
            "Abstract",
            SectionKind::Abstract,
            &["Salt is felt in the drying weight of kelp."],
        )],
    );
    let drafts = core_task_drafts(&Reading::new(&paper));
    assert_eq!(drafts[0].phrase, "drying weight as a probe of salt in hanging kelp");
}

#[test]
fn core_task_is_taken_from_title_or_cue() {
    let task = |title: &str, summary: &str| {
        let paper = paper_of(title, None, &[("Abstract", SectionKind::Abstract, &[summary])]);
        core_task_drafts(&Reading::new(&paper))
            .into_iter()
            .next()
            .map(|draft| draft.phrase)
    };
    let summary = "Forecasting kelp harvests from satellite colour is hard. We propose KelpCast, a regression.";
    assert_eq!(
        task("KelpCast: Forecasting Kelp Harvests from Satellite Colour", summary).as_deref(),
        Some("forecasting kelp harvests from satellite colour")
    );
    assert_eq!(
        task(
            "All That Glitters",
            "We study the problem of forecasting kelp harvests from satellite colour on rocky coasts."
        )
        .as_deref(),
        Some("forecasting kelp harvests from satellite colour on rocky coasts")
    );
    assert_eq!(task("", ""), None);
}

#[tokio::test]
async fn extraction_of_the_sample_stays_as_it_was_read() {
    let world = world_of(vec![FixedSource::new(vec![])]).await;
    let extraction = extract(&kelp_paper(), &world).await.unwrap();
    insta::assert_json_snapshot!(extraction);
}

#[test]
fn coined_name_after_an_article_does_not_start_the_task() {
    let paper = paper_of(
        "A RN bend code",
        None,
        &[(
            "Introduction",
            SectionKind::Introduction,
            &["In this paper, we introduce RopeNet (RN), a novel code for ropes that bend."],
        )],
    );
    let reading = Reading::new(&paper);
    assert!(reading.names().is_coined("RN"));
    for draft in core_task_drafts(&reading) {
        assert!(!draft.phrase.split(' ').any(|word| word == "RN"), "{}", draft.phrase);
    }
}

fn sentence() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("We propose"),
        Just("we show that"),
        Just("In this paper, we introduce"),
        Just("Our contributions are as follows:"),
        Just("RopeNet (RN), a novel"),
        Just("line code for taut mooring ropes"),
        Just("outperforms the baseline by 12 %"),
        Just("[3, 4]"),
        Just("which bends in heavy swell,"),
        Just("and"),
        Just("of"),
        Just("the first"),
        Just("is presented"),
        Just("• We release a corpus of tugs."),
        Just("1. A decoder"),
        Just("et al. (2019)"),
        Just("kelp; harvest: forecasting —"),
        Just("β-decay of ﬁbres"),
        Just("繩索 網絡"),
        Just("\u{301}e\u{ad}"),
    ];
    let text = prop_oneof![9 => piece.prop_map(str::to_owned), 1 => "\\PC{0,30}"];
    proptest::collection::vec(text, 1..30).prop_map(|pieces| pieces.join(" ") + ".")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn limits_hold_and_claims_are_in_the_paper(
        title in "(RopeNet: rope codes )?[A-Za-zβ$\\\\{} ]{0,80}",
        summary in proptest::collection::vec(sentence(), 0..5),
        introduction in proptest::collection::vec(sentence(), 0..5),
    ) {
        let summary = summary.join(" ");
        let introduction: Vec<&str> = introduction.iter().map(String::as_str).collect();
        let paper = paper_of(&title, None, &[
            ("Abstract", SectionKind::Abstract, &[summary.as_str()]),
            ("Introduction", SectionKind::Introduction, &introduction),
        ]);
        let reading = Reading::new(&paper);
        for draft in claim_drafts(&reading) {
            let claim = draft.claim.slice(&paper.document.text);
            prop_assert!(claim.is_some_and(|claim| (1..=MOST_CLAIM_WORDS).contains(&word_count(claim))), "{claim:?}");
            prop_assert!((1..=MOST_NAME_WORDS).contains(&word_count(&draft.name)), "{}", draft.name);
            let description: usize = draft.description.iter().map(|span| word_count(span.slice(&paper.document.text).unwrap())).sum();
            prop_assert!((1..=MOST_DESCRIPTION_WORDS).contains(&description));
        }
        for draft in core_task_drafts(&reading) {
            prop_assert!((1..=15).contains(&word_count(&draft.phrase)), "{}", draft.phrase);
            prop_assert!(!draft.phrase.split(' ').any(|word| reading.names().is_coined(word)), "{}", draft.phrase);
        }
    }
}

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use precedent_domain::{EvidenceKind, IdeaPart, ReviewDecision};
use proptest::prelude::*;

use super::*;
use crate::EngineError;

const CARE: &str = "+++\nid = \"care\"\nname = \"Care\"\n+++\n=== question ===\nIs harm thought of?\n=== scale ===\n6-10: Yes.\n0-5: No.\n";

#[test]
fn the_five_built_in_dimensions_have_complete_scales() {
    let all = dimensions(None).unwrap();
    let ids: Vec<&str> = all.iter().map(|one| one.id.as_str()).collect();
    assert_eq!(ids, ["clarity", "novelty", "validity", "feasibility", "significance"]);
    for one in &all {
        assert_eq!((one.scale[0].high, one.scale.last().unwrap().low), (10, 0));
        assert!(one.described().contains(&one.question) && one.described().contains(&one.scale[0].meaning));
        assert!(one.checklist.len() >= 3, "{}", one.id);
        assert!(
            one.checklist
                .iter()
                .all(|line| one.described().contains(&format!("\n  - {line}\n")))
        );
        // How common each range is (InnoEval, H.4).
        let shares = [
            "About one idea in ten.",
            "About one in four.",
            "Close to half of all ideas.",
            "About 15 in 100.",
            "About 5 in 100.",
        ];
        assert_eq!(one.scale.len(), shares.len(), "{}", one.id);
        assert!(
            one.scale
                .iter()
                .zip(shares)
                .all(|(band, share)| band.meaning.ends_with(share)),
            "{}",
            one.id
        );
        assert_eq!(one.working_lines, (one.id == "feasibility").then_some((10, 15)));
    }
    // Novelty is judged without the setting and without code. Feasibility uses code first.
    let of = |id: &str| all.iter().find(|one| one.id == id).unwrap();
    assert!(!of("novelty").parts.contains(&IdeaPart::ExperimentalSetting));
    assert!(!of("novelty").kinds.contains(&EvidenceKind::Code));
    assert_eq!(of("feasibility").kinds[0], EvidenceKind::Code);
    assert!(of("feasibility").working.is_some());
}

#[test]
fn a_user_adds_a_dimension_with_one_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("care.md"), CARE).unwrap();
    let other = CARE
        .replace("\"care\"", "\"novelty\"")
        .replace("\"Care\"", "\"Our novelty\"");
    fs::write(folder.path().join("novelty.md"), other).unwrap();
    let all = dimensions(Some(folder.path())).unwrap();
    assert_eq!(all.len(), 6);
    let care = all.iter().find(|one| one.id == "care").unwrap();
    assert_eq!(
        (care.parts.len(), care.kinds.len()),
        (IdeaPart::ALL.len(), 3),
        "all of them by default"
    );
    assert_eq!(all.iter().find(|one| one.id == "novelty").unwrap().name, "Our novelty");
}

#[test]
fn an_invalid_file_is_reported_with_the_reason() {
    for (text, why) in [
        ("id = 1", "front matter"),
        ("+++\nid = \"a\"\n+++\n=== question ===\nx", "missing field `name`"),
        (&CARE.replace("0-5: No.\n", ""), "does not go down to 0"),
        (&CARE.replace("6-10", "7-10"), "without a gap"),
        (&CARE.replace("6-10", "6-11"), "without a gap"),
        (&CARE.replace("0-5", "x"), "low-high: meaning"),
        (
            &CARE.replace("=== question ===\nIs harm thought of?\n", ""),
            "is missing or empty",
        ),
        (&CARE.replace("\"care\"", "\"../care\""), "the id must be"),
        (
            &CARE.replace("question ===", "question ===\n=== question ==="),
            "appears twice",
        ),
        (&format!("{CARE}=== rubric ===\nx"), "unknown part `rubric`"),
        (&CARE.replace("name =", "weight = 2\nname ="), "unknown field"),
        (
            &CARE.replace("name =", "working_lines = [10, 15]\nname ="),
            "beside working",
        ),
        (
            &CARE.replace("name =", "working = \"who\"\nworking_lines = [5, 2]\nname ="),
            "working_lines must be",
        ),
    ] {
        let error = Dimension::parse("care.md", text).unwrap_err();
        assert!(matches!(&error, EngineError::BoardFile { file, .. } if file == "care.md"));
        assert!(error.to_string().contains(why), "{why}: {error}");
    }
    let no = "+++\nid = \"x\"\nname = \"X\"\nliterature = 11\nmethodology = 1\napplication = 1\nfrontier = 1\n+++\n=== background ===\na\n=== goal ===\nb\n=== constraints ===\nc\n";
    assert!(
        Persona::parse("x.md", no)
            .unwrap_err()
            .to_string()
            .contains("from 1 to 10")
    );
    assert!(Persona::parse("x.md", &no.replace("11", "10")).is_ok());
}

#[test]
fn the_fifteen_built_in_personas_are_all_different() {
    let all = personas(None).unwrap();
    assert!(all.len() >= 15);
    for (at, one) in all.iter().enumerate() {
        assert!(
            all[at + 1..]
                .iter()
                .all(|other| { other.id != one.id && other.name != one.name && other.background != one.background })
        );
    }
    // The fifteen scores as printed (InnoEval, F): literature, methodology, application, frontier.
    let mut printed = [
        [10, 9, 6, 9],
        [7, 6, 5, 6],
        [6, 5, 6, 6],
        [9, 8, 7, 8],
        [8, 7, 8, 7],
        [8, 10, 3, 4],
        [6, 7, 10, 10],
        [9, 7, 5, 5],
        [7, 6, 5, 10],
        [8, 7, 4, 5],
        [7, 6, 6, 4],
        [9, 8, 6, 9],
        [8, 7, 6, 10],
        [7, 7, 9, 10],
        [5, 6, 10, 6],
    ];
    let scores = |one: &Persona| {
        let Familiarity {
            literature,
            methodology,
            application,
            frontier,
        } = one.familiarity;
        [literature, methodology, application, frontier]
    };
    let mut own: Vec<[u8; 4]> = all.iter().map(scores).collect();
    own.sort_unstable();
    printed.sort_unstable();
    assert_eq!(own, printed);
}

#[test]
fn what_a_persona_sees_fits_its_role() {
    let all = personas(None).unwrap();
    let of = |id: &str, kind| all.iter().find(|one| one.id == id).unwrap().familiarity.of(kind);
    for one in &all {
        let seen = EvidenceKind::ALL.map(|kind| one.familiarity.of(kind));
        assert!(seen.iter().any(|share| *share < 10), "{} sees everything", one.id);
    }
    let higher = |kind, than: u8| all.iter().filter(|one| one.familiarity.of(kind) > than).count();
    // Those who use or build code see most of it.
    for id in [
        "applied-engineer",
        "product-scientist",
        "field-practitioner",
        "open-source-maintainer",
    ] {
        assert!(higher(EvidenceKind::Code, of(id, EvidenceKind::Code)) < 4, "{id}");
    }
    // Those who know the past see most papers, and those who follow the web see all of it.
    for id in ["adversarial-theorist", "domain-historian"] {
        assert!(
            higher(EvidenceKind::Literature, of(id, EvidenceKind::Literature)) < 4,
            "{id}"
        );
    }
    for id in ["novelty-enthusiast", "product-scientist", "second-year-student"] {
        assert_eq!(of(id, EvidenceKind::Web), 10, "{id}");
    }
    // An outsider sees about half of everything.
    assert!(EvidenceKind::ALL.iter().all(|kind| of("funder", *kind) <= 6));
    for (manner, ids) in [
        ("Strict: ", ["adversarial-theorist", "measurement-purist"]),
        ("Lenient: ", ["encouraging-mentor", "novelty-enthusiast"]),
    ] {
        let found = all.iter().filter(|one| one.constraints.starts_with(manner));
        assert_eq!(found.map(|one| one.id.as_str()).collect::<Vec<_>>(), ids);
    }
}

#[test]
fn boards_are_deterministic_and_draw_personas_evenly() {
    let all = personas(None).unwrap();
    let ids = |seed| {
        board(&all, &[], 5, seed, "idea")
            .into_iter()
            .map(|one| one.id.clone())
            .collect::<Vec<_>>()
    };
    let mut drawn: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..1_000 {
        let five = ids(seed);
        assert_eq!(five, ids(seed));
        let mut different = five.clone();
        different.dedup();
        assert_eq!(different.len(), 5);
        for id in five {
            *drawn.entry(id).or_default() += 1;
        }
    }
    // Each is drawn 333 times in 1,000 on average. Five standard deviations are 75.
    assert_eq!(drawn.len(), all.len());
    for (id, times) in drawn {
        assert!((258..=408).contains(&times), "{id}: {times}");
    }
}

#[test]
fn required_personas_always_sit_on_the_board_and_the_others_are_drawn() {
    let all = personas(None).unwrap();
    let required = ["funder".to_owned(), "methodologist".to_owned()];
    let mut others = BTreeSet::new();
    for seed in 0..200 {
        let seated: Vec<&str> = board(&all, &required, 5, seed, "idea")
            .iter()
            .map(|one| one.id.as_str())
            .collect();
        assert!(seated.len() == 5 && seated.is_sorted_by(|a, b| a < b), "{seated:?}");
        assert!(required.iter().all(|one| seated.contains(&one.as_str())), "{seated:?}");
        others.extend(seated.into_iter().map(str::to_owned));
    }
    assert_eq!(others.len(), all.len());
    assert!(check_required(&all, &required, 2).is_ok());
    // One name given twice needs one seat.
    assert!(check_required(&all, &["funder".to_owned(), "funder".to_owned()], 1).is_ok());
    assert!(matches!(
        check_required(&all, &required, 1),
        Err(EngineError::BoardTooSmall { required: 2, size: 1 })
    ));
    let error = check_required(&all, &["nobody".to_owned()], 5).unwrap_err().to_string();
    assert!(
        error.contains("nobody") && error.contains("adversarial-theorist, applied-engineer"),
        "{error}"
    );
}

#[test]
fn over_a_thousand_seeds_the_masked_share_matches_and_every_piece_is_seen() {
    for persona in personas(None).unwrap() {
        for kind in EvidenceKind::ALL {
            let share = usize::from(persona.familiarity.of(kind));
            let mut met = [0_u32; 10];
            for seed in 0..1_000 {
                for pieces in [0, 1, 3, 10] {
                    let kept = kept(&persona, kind, pieces, seed, "idea");
                    let due = if pieces == 0 { 0 } else { (pieces * share / 10).max(1) };
                    assert_eq!(kept.len(), due, "{} {kind:?} {pieces}", persona.id);
                    if pieces == 10 {
                        kept.iter().for_each(|at| met[*at] += 1);
                    }
                }
            }
            assert_eq!(met.iter().sum::<u32>() as usize, 1_000 * share);
            for times in met {
                let expected = 100.0 * share as f64;
                let deviation = (1_000.0 * (share as f64 / 10.0) * (1.0 - share as f64 / 10.0)).sqrt();
                assert!(
                    (f64::from(times) - expected).abs() <= 5.0 * deviation,
                    "{} {kind:?} {times}",
                    persona.id
                );
            }
        }
    }
}

#[test]
fn each_score_maps_to_its_decision() {
    for (score, due) in [
        (0.0, ReviewDecision::Reject),
        (5.999_999, ReviewDecision::Reject),
        (6.0, ReviewDecision::Poster),
        (6.999_999, ReviewDecision::Poster),
        (7.0, ReviewDecision::Spotlight),
        (8.0, ReviewDecision::Oral),
        (10.0, ReviewDecision::Oral),
        (f64::NAN, ReviewDecision::Reject),
    ] {
        assert_eq!(decision(score), due, "{score}");
    }
    assert_eq!(mean([]), None);
    assert_eq!(mean([4.0, 8.0]), Some(6.0));
}

proptest! {
    #[test]
    fn draws_are_distinct_numbers_below_the_bound(seed: u64, count in 0_usize..40, of in 0_usize..40) {
        let drawn = SeededRng::of(seed, &["x"]).draw(count, of);
        prop_assert_eq!(drawn.len(), count.min(of));
        let mut sorted = drawn.clone();
        sorted.sort_unstable();
        sorted.dedup();
        prop_assert_eq!(sorted.len(), drawn.len());
        prop_assert!(drawn.iter().all(|one| *one < of));
    }
}

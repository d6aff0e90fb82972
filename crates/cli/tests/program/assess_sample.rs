//! The sample in `examples/`: every planted case is reported correctly.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use crate::support::{fresh_folder, json, precedent, root as support_root, stderr, stdout};
use serde_json::Value;

const PAPER: &str = "examples/paper.pdf";
const WORKS: &str = "examples/works";

/// One run, shared by all tests of this file.
fn report() -> &'static Value {
    static REPORT: OnceLock<Value> = OnceLock::new();
    REPORT.get_or_init(|| {
        let folder = folder("shared");
        let output = precedent(&[
            "assess",
            PAPER,
            "--corpus",
            WORKS,
            "--out",
            folder.to_str().unwrap(),
            "--json",
        ]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let answer = json(&output);
        assert_eq!(answer["status"], "complete");
        serde_json::from_slice(&fs::read(folder.join("report.json")).unwrap()).unwrap()
    })
}

fn folder(name: &str) -> PathBuf {
    fresh_folder(&format!("assess-sample-{name}"))
}

fn list<'a>(value: &'a Value, pointer: &str) -> &'a Vec<Value> {
    value
        .pointer(pointer)
        .and_then(Value::as_array)
        .unwrap_or_else(|| panic!("{pointer} is a list"))
}

fn candidate<'a>(title: &str) -> Option<&'a Value> {
    list(report(), "/references/candidates")
        .iter()
        .find(|one| one["work"]["title"] == title)
}

fn claim_number(words: &str) -> u64 {
    list(report(), "/contribution_analysis/contributions")
        .iter()
        .find(|one| one["claim"]["text"].as_str().unwrap().contains(words))
        .unwrap_or_else(|| panic!("a claim with {words:?}"))["number"]
        .as_u64()
        .unwrap()
}

#[test]
fn metadata_of_the_paper_are_extracted() {
    let paper = &report()["original_paper"];
    assert_eq!(
        paper["title"],
        "Slack-Aware Coding for Rope-Line Telemetry in Heavy Swell"
    );
    let authors: Vec<&str> = list(paper, "/authors")
        .iter()
        .map(|author| author["name"].as_str().unwrap())
        .collect();
    assert_eq!(authors, ["Elin Marsh", "Tomas Quill", "Ngozi Abara"]);
    assert_eq!(paper["reference_count"], 18);
    assert_eq!(report()["metadata"]["as_of"]["date"], "2026-05-14");
    assert!(
        paper["abstract"]["text"]
            .as_str()
            .unwrap()
            .starts_with("Rope-line telemetry sends data")
    );
}

#[test]
fn the_three_claims_are_found_verbatim() {
    assert_eq!(list(report(), "/contribution_analysis/contributions").len(), 3);
    for words in [
        "slack-aware coding",
        "creep-compensated decoder",
        "four hundred and twelve hours",
    ] {
        claim_number(words);
    }
}

#[test]
fn prior_art_that_contains_a_claim_is_shown_with_both_sentences() {
    let creep = claim_number("creep-compensated decoder");
    let prior =
        candidate("Decoding Tension Symbols Under Rope Creep").expect("the prior art is found")["number"].clone();
    let refuting: Vec<&Value> = list(report(), "/contribution_analysis/comparisons")
        .iter()
        .filter(|one| one["status"] == "can_refute")
        .collect();
    assert_eq!(refuting.len(), 1, "one planted case, one refutation: {refuting:#?}");
    assert_eq!(refuting[0]["contribution"], creep);
    assert_eq!(refuting[0]["candidate"], prior);
    let evidence = &refuting[0]["evidence"][0];
    let words = |side: &str| {
        evidence[side]["text"]
            .as_str()
            .unwrap()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert!(
        words("target").contains("re-estimates the stiffness of the rope from pilot tugs"),
        "{evidence:#}"
    );
    assert!(
        words("candidate").contains("re-estimates the stiffness of the rope from pilot tugs"),
        "{evidence:#}"
    );
    assert_eq!(evidence["candidate"]["place"]["section"], "1 Introduction");
}

#[test]
fn an_earlier_version_of_the_paper_is_not_its_prior_art() {
    let aside = list(report(), "/references/set_aside");
    assert!(
        aside
            .iter()
            .any(|one| one["id"] == "rope:preprint-2025" && one["reason"] == "same_work"),
        "{aside:#?}"
    );
    assert!(candidate("Slack-Aware Coding for Rope-Line Telemetry in Heavy Swell").is_none());
}

#[test]
fn a_later_paper_is_excluded() {
    let aside = list(report(), "/references/set_aside");
    assert!(
        aside
            .iter()
            .any(|one| one["id"] == "rope:later-2026" && one["reason"] == "later"),
        "{aside:#?}"
    );
    assert!(candidate("Forecast-Scheduled Line Codes for Tension Channels").is_none());
}

#[test]
fn a_similar_uncited_paper_is_a_missing_citation_and_a_cited_one_is_not() {
    let missing: Vec<&Value> = list(report(), "/contribution_analysis/missing_citations")
        .iter()
        .map(|one| &one["candidate"])
        .collect();
    let near = candidate("Swell-Synchronous Signalling for Moored Sensor Chains").expect("it is found");
    assert!(missing.contains(&&near["number"]), "{missing:?}");
    assert!(near["cited_as"].is_null());
    for candidate in list(report(), "/references/candidates") {
        if !candidate["cited_as"].is_null() {
            assert!(
                !missing.contains(&&candidate["number"]),
                "{} is cited",
                candidate["work"]["title"]
            );
        }
    }
    let cited = candidate("Ninety Hours of Mooring Tension: A Public Recording").expect("it is found");
    assert!(cited["cited_as"].is_number());
}

#[test]
fn a_reused_passage_is_reported_completely_on_both_sides() {
    let guide = candidate("A Field Guide to Mooring Ropes for Signalling").expect("it is found");
    let overlaps = list(report(), "/textual_similarity/overlaps");
    let overlap = overlaps
        .iter()
        .find(|one| one["candidate"] == guide["number"])
        .expect("the overlap is found");
    let passage = &overlap["passages"][0];
    assert!(passage["words"].as_u64().unwrap() >= 75, "{passage:#}");
    assert_eq!(passage["kind"], "direct");
    for side in ["target", "candidate"] {
        let text = passage[side]["text"]
            .as_str()
            .unwrap()
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        assert!(text.contains("stores part of every tug in its fibres"), "{text}");
        assert!(text.contains("too closely arrive as one"), "{text}");
    }
}

#[test]
fn two_papers_with_the_same_title_are_not_merged() {
    let surveys: Vec<&Value> = list(report(), "/references/candidates")
        .iter()
        .filter(|one| one["work"]["title"] == "A Survey of Rope-Line Telemetry")
        .collect();
    assert_eq!(surveys.len(), 2);
    assert_ne!(surveys[0]["alias"], surveys[1]["alias"]);
    let cited: Vec<bool> = surveys.iter().map(|one| one["cited_as"].is_number()).collect();
    assert_eq!(
        cited.iter().filter(|cited| **cited).count(),
        1,
        "only the survey of 2021 is cited"
    );
}

#[test]
fn an_undated_paper_is_listed_separately_and_never_refutes() {
    let undated = candidate("Sending Only When the Rope Is Taut: Notes on Opportunistic Tugging").expect("it is found");
    assert_eq!(undated["timing"], "undated");
    for comparison in list(report(), "/contribution_analysis/comparisons") {
        if comparison["candidate"] == undated["number"] {
            assert_ne!(comparison["status"], "can_refute");
        }
    }
    let not_searched = list(report(), "/metadata/not_searched");
    assert!(
        not_searched.iter().any(|one| one["kind"] == "undated"),
        "{not_searched:#?}"
    );
}

#[test]
fn papers_from_other_fields_do_not_match_the_claims() {
    for title in [
        "Growth Forecasting for Kelp Farms from Satellite Colour",
        "Solar Power Budgets for Small Coastal Buoys",
    ] {
        let Some(stranger) = candidate(title) else { continue };
        for comparison in list(report(), "/contribution_analysis/comparisons") {
            if comparison["candidate"] == stranger["number"] {
                assert_eq!(comparison["status"], "cannot_refute", "{title}");
            }
        }
    }
}

/// Collects all objects that look like quotes.
fn quotes<'a>(value: &'a Value, path: &str, found: &mut Vec<(String, &'a Value)>) {
    match value {
        Value::Object(fields) => {
            if fields.contains_key("span") && fields.contains_key("text") && fields.contains_key("score") {
                found.push((path.to_owned(), value));
            }
            for (name, field) in fields {
                quotes(field, &format!("{path}/{name}"), found);
            }
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .for_each(|(n, item)| quotes(item, &format!("{path}/{n}"), found)),
        _ => {}
    }
}

#[test]
fn every_quote_of_the_paper_is_a_slice_of_the_output_of_read() {
    let text = stdout(&precedent(&["read", PAPER]));
    let mut found = Vec::new();
    quotes(report(), "", &mut found);
    let of_paper = |path: &str| !path.contains("andidate") && !path.contains("one_liners");
    let mut checked = 0;
    for (path, quote) in found.iter().filter(|(path, _)| of_paper(path)) {
        let (start, end) = (
            quote["span"][0].as_u64().unwrap() as usize,
            quote["span"][1].as_u64().unwrap() as usize,
        );
        assert_eq!(text.get(start..end), quote["text"].as_str(), "{path}");
        checked += 1;
    }
    assert!(checked > 10, "only {checked} quotes of the paper in the report");
}

#[test]
fn every_quote_of_a_text_paper_is_in_its_file() {
    let guide = candidate("Decoding Tension Symbols Under Rope Creep").unwrap();
    let file = fs::read_to_string(
        crate::support::root().join("examples/works/full-texts/osei-2021-creep-compensated-decoding.md"),
    )
    .unwrap();
    let file: String = file.split_whitespace().collect::<Vec<_>>().join(" ");
    for comparison in list(report(), "/contribution_analysis/comparisons") {
        if comparison["candidate"] != guide["number"] {
            continue;
        }
        for pair in list(comparison, "/evidence") {
            let quote = pair["candidate"]["text"].as_str().unwrap();
            let quote: String = quote.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(file.contains(&quote), "{quote}");
        }
    }
}

#[test]
fn the_same_run_twice_gives_the_same_bytes_and_a_second_run_in_place_resumes() {
    let (one, two) = (folder("one"), folder("two"));
    for folder in [&one, &two, &one] {
        let output = precedent(&["assess", PAPER, "--corpus", WORKS, "--out", folder.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        if folder.join("report.json").exists() && folder == &one && two.exists() {
            assert!(stderr(&output).contains("(reused)"), "{}", stderr(&output));
        }
    }
    for name in ["report.json", "report.md", "report.html"] {
        assert_eq!(
            fs::read(one.join(name)).unwrap(),
            fs::read(two.join(name)).unwrap(),
            "{name}"
        );
    }
    for name in ["report.json", "report.md", "report.html"] {
        let text = fs::read_to_string(one.join(name)).unwrap();
        assert!(!text.contains(one.to_str().unwrap()), "{name} contains a local path");
    }
    let _ = fs::remove_dir_all(one);
    let _ = fs::remove_dir_all(two);
}

#[test]
fn without_sources_the_report_covers_the_paper_alone_and_the_exit_code_is_5() {
    let folder = folder("alone");
    let output = precedent(&["assess", PAPER, "--out", folder.to_str().unwrap(), "--json"]);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    let answer = json(&output);
    assert_eq!(answer["status"], "nothing_searched");
    assert!(!list(&answer, "/not_searched").is_empty());
    let report: Value = serde_json::from_slice(&fs::read(folder.join("report.json")).unwrap()).unwrap();
    assert_eq!(list(&report, "/contribution_analysis/contributions").len(), 3);
    assert!(list(&report, "/references/candidates").is_empty());
    assert_eq!(report["textual_similarity"]["searched"], false);
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn a_paper_with_a_copied_abstract_does_not_exclude_the_original() {
    let folder = tempfile::tempdir().unwrap();
    let original = support_root().join("examples/works/full-texts/osei-2021-creep-compensated-decoding.md");
    let text = fs::read_to_string(original).unwrap();
    let summary = text
        .split("## Abstract")
        .nth(1)
        .unwrap()
        .split("## 1")
        .next()
        .unwrap()
        .trim();
    let copy = format!(
        "---\ntitle: Following the Rope\nauthor: Jan Copyist\ndate: 2024-03-01\n---\n\n## Abstract\n\n{summary}\n\n## 1 Introduction\n\n\
         Links on mooring ropes age (Osei and Brun, 2021). In this paper we introduce a creep-compensated decoder that re-estimates the stiffness \
         of the rope from pilot tugs in every frame. The rest of this text describes trials on two ropes over a short winter at one site.\n\n\
         ## References\n\n1. K. Osei and L. Brun. Decoding Tension Symbols Under Rope Creep. Journal of Moored Systems, 2021.\n"
    );
    let paper = folder.path().join("copy.md");
    fs::write(&paper, copy).unwrap();
    let out = folder.path().join("out");
    let output = precedent(&[
        "assess",
        paper.to_str().unwrap(),
        "--corpus",
        WORKS,
        "--out",
        out.to_str().unwrap(),
        "--json",
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&fs::read(out.join("report.json")).unwrap()).unwrap();
    for aside in list(&report, "/references/set_aside") {
        assert_ne!(aside["title"], "Decoding Tension Symbols Under Rope Creep", "{aside:#}");
    }
    let candidates = list(&report, "/references/candidates");
    let original = candidates
        .iter()
        .find(|one| one["work"]["title"] == "Decoding Tension Symbols Under Rope Creep")
        .unwrap();
    let refuting = list(&report, "/contribution_analysis/comparisons");
    assert!(
        refuting
            .iter()
            .any(|one| one["status"] == "can_refute" && one["candidate"] == original["number"])
    );
    assert!(!list(&report, "/textual_similarity/overlaps").is_empty());
}

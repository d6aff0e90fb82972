//! Checks what each command sends of a manuscript, from the requests that mock servers received.

use std::collections::BTreeSet;
use std::fs;

use crate::internet::{Internet, folder};
use crate::reviews::percent_decoded;
use crate::support::{json, precedent, stderr};

const NAMES: [&str; 9] = [
    "nora",
    "ekeland",
    "bo",
    "strand",
    "tromsdal",
    "bostr",
    "mia",
    "lundquist",
    "beaconfold",
];

/// A submission with two authors, an affiliation, an address, a coined name and claims in long sentences.
const SUBMISSION: &str = "# Rope-line telemetry by quorums of moored buoys

Nora Ekeland, Bo Strand and Mia Lundquist

University of Tromsdal, bostr@ml.tromsdal.example

## Abstract

Moored buoys lose symbols when a rope is slack in swell. We propose BeaconFold, a protocol for telemetry over mooring ropes. Our harbour quorums of \
seven buoys recover a lost telemetry symbol in under nine seconds on every rope that we tried in heavy swell.

## Introduction

A buoy cannot recover a symbol that no rope has carried, however long it waits for an answer from the sea floor.

Our contributions are as follows:

- We propose BeaconFold, a protocol that recovers lost telemetry symbols by quorums of moored buoys within a few seconds of swell.
- We show that quorums of seven buoys on slack mooring ropes decode more symbols than any single buoy in heavy swell does.

## Conclusion

Quorums of buoys recover symbols that a single rope loses.

## References

[1] A. Lind. Rope-line telemetry through heavy swell. Journal of Moored Systems, 2018.
";

fn words(text: &str) -> Vec<String> {
    let lower = text.to_lowercase();
    let words = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

#[test]
fn no_request_contains_a_name_or_sentence_of_the_manuscript() {
    let sevens: BTreeSet<String> = words(SUBMISSION).windows(7).map(|run| run.join(" ")).collect();
    for command in ["assess", "points", "review", "idea"] {
        let internet = Internet::start(&format!("gate-{command}"));
        let out = folder(&format!("gate-{command}"));
        let file = out.with_extension("md");
        fs::write(&file, SUBMISSION).unwrap();
        let (file, out_name) = (file.to_str().unwrap(), out.to_str().unwrap());
        let settings = internet.settings.to_str().unwrap();
        let output = precedent(&[
            command,
            file,
            "--sources",
            "all",
            "--out",
            out_name,
            "--json",
            "--settings",
            settings,
        ]);
        assert_eq!(output.status.code(), Some(0), "{command}: {}", stderr(&output));
        let received: Vec<(String, String)> = internet
            .servers
            .iter()
            .flat_map(|(_, server)| server.requests())
            .map(|one| {
                let request = percent_decoded(&format!("{} {}", one.target, one.body));
                (one.service, request)
            })
            .collect();
        assert!(received.len() > 4, "{command}: {received:?}");
        for (service, request) in &received {
            let sent = words(request);
            let named: Vec<&String> = sent.iter().filter(|word| NAMES.contains(&word.as_str())).collect();
            assert!(named.is_empty(), "{command}, {service}: {named:?} in {request}");
            let copied = sent
                .windows(7)
                .map(|run| run.join(" "))
                .find(|run| sevens.contains(run));
            assert_eq!(copied, None, "{command}, {service}: {request}");
        }
        if matches!(command, "assess" | "points") {
            let output = precedent(&[
                command,
                file,
                "--sources",
                "all",
                "--show-egress",
                "--json",
                "--settings",
                settings,
            ]);
            let printed = percent_decoded(&json(&output).to_string()).to_lowercase();
            for name in NAMES.iter().filter(|name| name.len() > 3) {
                assert!(!printed.contains(name), "{command}: {name} in {printed}");
            }
        }
        if command == "review" {
            let report = fs::read_to_string(out.join("review.json")).unwrap();
            assert!(
                !report.contains("\"Nora Ekeland, Bo Strand"),
                "author names are not part of the idea"
            );
        }
        let _ = fs::remove_dir_all(&out);
        fs::remove_file(file).unwrap();
    }
}

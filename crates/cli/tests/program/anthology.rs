//! The ACL Anthology as a source: a corpus of its published data, selected like a service.

use std::fs;

use crate::internet::{Internet, PAPER, folder, report};
use crate::support::{json, precedent, stderr, stdout};

const DATA: &str = r#"<?xml version='1.0' encoding='UTF-8'?>
<collection id="2021.acl">
  <volume id="long" ingest-date="2021-07-01" type="proceedings">
    <meta><booktitle>Proceedings of the Association for Moored Systems</booktitle><year>2021</year><month>August</month></meta>
    <paper id="1"><title>A Creep-Compensated Decoder for Rope-Line Telemetry in Heavy Swell</title><author><first>Ann</first><last>Lee</last></author>
      <abstract>We decode rope-line telemetry in heavy swell with a decoder that follows the creep of mooring ropes and is aware of slack.</abstract>
      <url hash="a1">2021.acl-long.1</url><doi>10.18653/v1/2021.acl-long.1</doi></paper>
    <paper id="2"><title>Line Codes that Are Aware of Slack</title><author><first>Bob</first><last>Roy</last></author>
      <abstract>Line codes for telemetry on moored buoys whose ropes go slack.</abstract><url hash="a2">2021.acl-long.2</url></paper>
  </volume>
</collection>
"#;

#[test]
fn the_anthology_is_a_source_after_its_data_is_imported() {
    let place = tempfile::tempdir().unwrap();
    let data = place.path().join("2021.acl.xml");
    let corpus = place.path().join("anthology");
    let settings = place.path().join("settings.toml");
    fs::write(&data, DATA).unwrap();
    fs::write(&settings, "").unwrap();
    let assess = |sources: &str, out: &str, more: &[&str]| {
        let out = place.path().join(out);
        let mut arguments = vec![
            "assess",
            PAPER,
            "--sources",
            sources,
            "--out",
            out.to_str().unwrap(),
            "--json",
        ];
        arguments.extend(["--settings", settings.to_str().unwrap()]);
        arguments.extend(more);
        (precedent(&arguments), out.clone())
    };
    // Selecting it without its data explains how to get it.
    let (output, _) = assess("acl", "none", &[]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    for word in ["acl-org/acl-anthology", "corpus add", "[sources.acl] corpus"] {
        assert!(stderr(&output).contains(word), "{word}: {}", stderr(&output));
    }
    let doctor = |more: &[&str]| {
        let mut arguments = vec!["doctor", "--settings", settings.to_str().unwrap()];
        arguments.extend(more);
        stdout(&precedent(&arguments))
    };
    let printed = doctor(&[]);
    assert!(
        printed
            .lines()
            .any(|line| line.contains("acl  ") && line.contains("not set up")),
        "{printed}"
    );
    let added = precedent(&["corpus", "add", corpus.to_str().unwrap(), data.to_str().unwrap()]);
    assert_eq!(added.status.code(), Some(0), "{}", stderr(&added));
    fs::write(&settings, format!("[sources.acl]\ncorpus = '{}'\n", corpus.display())).unwrap();
    let printed = doctor(&["--sources", "acl"]);
    assert!(
        printed.contains("2 papers in") && printed.contains("searched on this machine"),
        "{printed}"
    );
    assert!(!printed.contains("openalex"), "{printed}");
    // Nothing is sent, so a local-only run can use it.
    let (output, out) = assess("acl", "one", &["--local-only"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = report(&out);
    let sources = found["metadata"]["sources"].as_array().unwrap();
    assert_eq!(
        (sources.len(), &sources[0]["name"], &sources[0]["works"]),
        (1, &"acl".into(), &2.into())
    );
    assert_eq!(found["metadata"]["sent"].as_array().map_or(0, Vec::len), 0);
    let candidates = found["references"]["candidates"].as_array().unwrap();
    let decoder = candidates.iter().find(|one| {
        one["work"]["title"]
            .as_str()
            .unwrap()
            .starts_with("A Creep-Compensated")
    });
    assert_eq!(decoder.unwrap()["work"]["identifiers"]["acl"], "2021.acl-long.1");
    assert_eq!(decoder.unwrap()["found_by"][0], "acl");
    let (output, _) = assess("acl", "egress", &["--show-egress"]);
    assert_eq!(json(&output)["egress"].as_array().unwrap().len(), 0);
    // With an explicit folder instead of settings, and with a missing folder.
    let typed = format!("acl:{}", corpus.display());
    fs::write(&settings, "").unwrap();
    let (output, out) = assess(&typed, "typed", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(report(&out)["metadata"]["sources"][0]["name"], "acl");
    let (output, _) = assess("acl:/nowhere/at/all", "wrong", &[]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
}

#[test]
fn all_includes_the_anthology_if_it_is_configured() {
    let internet = Internet::start("anthology");
    let place = tempfile::tempdir().unwrap();
    let (data, corpus) = (place.path().join("2021.acl.xml"), place.path().join("anthology"));
    fs::write(&data, DATA).unwrap();
    let added = precedent(&["corpus", "add", corpus.to_str().unwrap(), data.to_str().unwrap()]);
    assert_eq!(added.status.code(), Some(0), "{}", stderr(&added));
    let mut settings = fs::read_to_string(&internet.settings).unwrap();
    settings.push_str(&format!("[sources.acl]\ncorpus = '{}'\n", corpus.display()));
    fs::write(&internet.settings, settings).unwrap();
    let out = folder("anthology");
    let output = precedent(&internet.assess(&out, "all", &["--full-texts", "0"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = report(&out);
    let names: Vec<&str> = found["metadata"]["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!((names.len(), names.contains(&"acl")), (9, true), "{names:?}");
    // Papers on the same topic must not be merged.
    let candidates = found["references"]["candidates"].as_array().unwrap();
    let both = candidates
        .iter()
        .filter(|one| one["found_by"].as_array().unwrap().len() > 1 && one["found_by"].to_string().contains("\"acl\""));
    assert_eq!(both.count(), 0, "different papers were merged");
}

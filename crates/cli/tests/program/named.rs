//! Papers given by name: invalid ids, records of a service, and titles.

use std::fs;
use std::path::{Path, PathBuf};

use precedent_scripted::literature::{LibraryRecord, LiteratureServer};

use crate::internet::{Kept, PAPER, archive, report};
use crate::support::{precedent_in, root, stderr};

const TITLE: &str = "Slack-Aware Coding for Rope-Line Telemetry in Heavy Swell";

struct Place {
    folder: tempfile::TempDir,
    settings: PathBuf,
    server: LiteratureServer,
    fetched: Kept,
}

/// An archive with the sample as arXiv:2605.00001, and an index with the sample and papers with similar titles.
fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let pdf = fs::read(root().join(PAPER)).unwrap();
    let (base, fetched) = archive(vec![("/pdf/2605.00001".into(), pdf)]);
    let record = |key: &str, title: &str, day: &str, arxiv: &str| LibraryRecord {
        key: key.into(),
        title: title.into(),
        authors: vec![("Elin".into(), "Marsh".into())],
        day: day.into(),
        doi: format!("10.5555/rope.{key}"),
        arxiv: arxiv.into(),
        ..LibraryRecord::default()
    };
    let server = LiteratureServer::start(vec![
        record("2000", TITLE, "2026-05-14", "2605.00001"),
        record(
            "2001",
            "Rope-line telemetry in heavy swell: a second look",
            "2021-01-01",
            "",
        ),
        record("2002", "Editorial on ropes at sea", "2019-01-01", ""),
        record("2003", "Editorial on ropes at sea", "2011-01-01", ""),
    ])
    .unwrap();
    let settings = folder.path().join("settings.toml");
    let (works, records) = (server.base("openalex"), server.base("semantic-scholar"));
    fs::write(
        &settings,
        format!("[papers]\narxiv = '{base}'\nacl = '{base}'\nopenreview = '{base}'\npmc = '{base}'\nworks = '{works}'\nsemantic_scholar = '{records}'\narxiv_between_ms = 0\n"),
    )
    .unwrap();
    Place {
        folder,
        settings,
        server,
        fetched,
    }
}

fn assess(place: &Place, paper: &str, more: &[&str]) -> std::process::Output {
    let works = root().join("examples/works");
    let mut arguments = vec![
        "assess",
        paper,
        "--corpus",
        works.to_str().unwrap(),
        "--json",
        "--out",
        "one",
    ];
    arguments.extend(["--settings", place.settings.to_str().unwrap()]);
    arguments.extend(more);
    precedent_in(place.folder.path(), &arguments)
}

fn assess_title(place: &Place, title: &str, more: &[&str]) -> std::process::Output {
    assess(place, title, &[&["--title"], more].concat())
}

fn one(place: &Place) -> serde_json::Value {
    let out: &Path = place.folder.path();
    report(&out.join("one"))
}

#[test]
fn invalid_names_and_missing_papers_are_reported() {
    let place = place();
    for (paper, code, words) in [
        ("arXiv:9999.99999", 2, "an arXiv id is YYMM.NNNNN"),
        ("doi:11.1/x", 2, "a DOI starts with 10."),
        ("arXiv:2501.99999", 3, "paper not found (status 404"),
        ("my missing draft.pdf", 3, "check the path"),
        ("CorpusId:777", 3, "refused it (404"),
    ] {
        let output = assess(&place, paper, &[]);
        assert_eq!(output.status.code(), Some(code), "{paper}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{paper}: {}", stderr(&output));
    }
}

#[test]
fn a_title_is_looked_up_and_ambiguous_titles_list_their_matches() {
    let place = place();
    let before = assess_title(&place, TITLE, &["--local-only"]);
    assert_eq!(before.status.code(), Some(2), "{}", stderr(&before));
    assert!(place.server.requests().is_empty() && place.fetched.lock().unwrap().is_empty());
    let output = assess_title(&place, "slack aware coding for rope line telemetry in heavy swell", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = one(&place);
    assert_eq!(found["original_paper"]["identifiers"]["arxiv"], "2605.00001");
    let sent = found["metadata"]["sent"].to_string();
    assert!(sent.contains("name of the paper ("), "{sent}");
    let (asked, fetched) = (place.server.requests().len(), place.fetched.lock().unwrap().len());
    let again = assess_title(&place, "slack aware coding for rope line telemetry in heavy swell", &[]);
    assert_eq!(again.status.code(), Some(0), "{}", stderr(&again));
    assert_eq!(
        (place.server.requests().len(), place.fetched.lock().unwrap().len()),
        (asked, fetched)
    );
    assert_eq!(
        one(&place)["metadata"]["sent"].to_string(),
        sent,
        "earlier requests are still listed"
    );
    for (title, words) in [
        (
            "rope line telemetry in heavy swell",
            ["arXiv:2605.00001", "doi:10.5555/rope.2001"],
        ),
        // Two papers with the same title.
        (
            "Editorial on ropes at sea",
            ["doi:10.5555/rope.2002", "doi:10.5555/rope.2003"],
        ),
    ] {
        let output = assess_title(&place, title, &[]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        let printed = stderr(&output);
        assert!(words.iter().all(|word| printed.contains(word)), "{printed}");
    }
    let nothing = assess_title(&place, "quilts of the northern zebra", &[]);
    assert_eq!(nothing.status.code(), Some(3), "{}", stderr(&nothing));
}

#[test]
fn a_record_of_a_service_is_resolved_to_its_other_ids() {
    let place = place();
    let output = assess(&place, "CorpusId:2000", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let identifiers = one(&place)["original_paper"]["identifiers"].clone();
    assert_eq!(identifiers["arxiv"], "2605.00001");
    assert_eq!(identifiers["doi"], "10.5555/rope.2000");
    let (asked, fetched) = (place.server.requests().len(), place.fetched.lock().unwrap().len());
    assert_eq!(assess(&place, "CorpusId:2000", &[]).status.code(), Some(0));
    assert_eq!(
        (place.server.requests().len(), place.fetched.lock().unwrap().len()),
        (asked, fetched)
    );
    assert_eq!(one(&place)["original_paper"]["identifiers"], identifiers);
}

#[test]
fn a_title_is_sent_only_with_the_option_for_it() {
    let place = place();
    let output = assess(&place, TITLE, &[]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("add --title"), "{}", stderr(&output));
    // The name of a file is not a title.
    let file = root().join("examples/paper.pdf");
    let output = assess_title(&place, file.to_str().unwrap(), &[]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("remove --title"), "{}", stderr(&output));
    // Nothing is announced that does not happen.
    let output = assess(&place, "arXiv:2605.00001", &["--local-only"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(!stderr(&output).contains("downloading"), "{}", stderr(&output));
    assert!(place.server.requests().is_empty() && place.fetched.lock().unwrap().is_empty());
}

#[test]
fn a_run_with_a_title_can_be_replayed() {
    let place = place();
    let title = "slack aware coding for rope line telemetry in heavy swell";
    let output = assess_title(&place, title, &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let files = ["report.json", "report.md", "report.html"].map(|file| place.folder.path().join("one").join(file));
    let before = files.each_ref().map(|file| fs::read(file).unwrap());
    let Place {
        folder,
        settings,
        server,
        fetched,
    } = place;
    let (asked, fetched_before) = (server.requests().len(), fetched.lock().unwrap().len());
    let still = Place {
        folder,
        settings,
        server,
        fetched,
    };
    for more in [&["--replay"][..], &["--local-only"]] {
        let output = assess_title(&still, title, more);
        assert_eq!(output.status.code(), Some(0), "{more:?}: {}", stderr(&output));
        assert_eq!(files.each_ref().map(|file| fs::read(file).unwrap()), before, "{more:?}");
    }
    assert_eq!(
        (still.server.requests().len(), still.fetched.lock().unwrap().len()),
        (asked, fetched_before)
    );
    // The same without the server.
    let Place {
        folder,
        settings,
        server,
        fetched,
    } = still;
    drop(server);
    let nobody = LiteratureServer::start(Vec::new()).unwrap();
    let still = Place {
        folder,
        settings,
        server: nobody,
        fetched,
    };
    let output = assess_title(&still, title, &["--replay"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(files.each_ref().map(|file| fs::read(file).unwrap()), before);
    // A replay does not know titles that were not looked up before.
    let output = assess_title(&still, "another title of four words", &["--replay"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

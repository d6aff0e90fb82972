//! What has ended of a shared batch, fetched to a machine that has neither its papers nor its corpora.

use std::fs;
use std::path::{Path, PathBuf};

use precedent_scripted::PostgresServer;
use serde_json::Value;

use crate::databases_fleet::with_a_server::{Venue, ended, summary};
use crate::databases_fleet_limits::state;
use crate::support::{fresh_folder, precedent_with, stderr, stdout};

fn pulled(venue: &Venue, batch: &str, dir: &Path, store: &str, code: i32) -> String {
    let (url, store) = (venue.database.url(), venue.folder.join(store));
    let arguments = [
        "batches",
        "pull",
        batch,
        dir.to_str().unwrap(),
        "--store",
        store.to_str().unwrap(),
    ];
    let output = precedent_with(&arguments, &[("PRECEDENT_DATABASE", &url)]);
    assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    assert!(!stderr(&output).contains(PostgresServer::PASSWORD));
    stdout(&output) + &stderr(&output)
}

fn id(venue: &Venue) -> String {
    state(venue)["id"].as_str().unwrap().to_owned()
}

/// The only entry of a folder.
fn only(folder: PathBuf) -> PathBuf {
    let mut entries = fs::read_dir(folder).unwrap();
    let entry = entries.next().unwrap().unwrap().path();
    assert!(entries.next().is_none());
    entry
}

#[test]
#[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
fn a_batch_is_pulled_with_its_papers_and_its_runs_replay() {
    let venue = Venue::new("fleet-pull", 3, 0);
    fs::write(venue.folder.join("papers/none.md"), "# None").unwrap();
    ended(venue.shared("shared", "2"), 3);
    let id = id(&venue);
    let there = fresh_folder("fleet-pull-there");
    let printed = pulled(&venue, &id, &there, "store", 0);
    assert!(
        printed.contains("3 papers") && printed.contains("index.html"),
        "{printed}"
    );
    let of = |dir: &Path| -> Vec<Value> {
        let mut lines = summary(dir);
        lines.sort_by_key(|line| line["paper"].as_str().unwrap().to_owned());
        lines
    };
    let (here, found) = (of(&venue.folder.join("shared")), of(&there));
    assert_eq!(found[..3], here[..3]);
    assert_eq!(
        (&found[3]["status"], &found[3]["error"]),
        (&here[3]["status"], &here[3]["error"])
    );
    let reports = |dir: &Path| -> Vec<String> {
        let lines = summary(dir).into_iter();
        let mut folders: Vec<PathBuf> = lines
            .filter_map(|line| Some(dir.join(line["folder"].as_str()?)))
            .collect();
        folders.sort();
        folders
            .iter()
            .map(|run| fs::read_to_string(run.join("report.json")).unwrap())
            .collect()
    };
    let before = reports(&venue.folder.join("shared"));
    assert_eq!(before.len(), 3);
    assert!(reports(&there) == before);

    // Again, with nothing new.
    let report = there.join(found[0]["folder"].as_str().unwrap()).join("report.json");
    let written = fs::metadata(&report).unwrap().modified().unwrap();
    pulled(&venue, &id, &there, "store", 0);
    assert_eq!(fs::metadata(&report).unwrap().modified().unwrap(), written);

    // Whoever writes to the database cannot choose where a resumed run sends the keys of this machine.
    let manifest = fs::read_to_string(report.with_file_name("manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    assert_eq!(manifest["request"]["model"]["model"], "openai:scripted");
    assert!(manifest["request"]["model"]["url"].is_null(), "{manifest}");

    // Without the papers and the corpus of the batch.
    fs::remove_dir_all(venue.folder.join("papers")).unwrap();
    let asked = venue.model.asked().len();
    let corpus = only(only(there.join("corpora")));
    let base = format!("{}/v1", venue.model.base());
    let replay = [
        "--model",
        "openai:scripted",
        "--model-url",
        &base,
        "--replay",
        "--corpus",
        corpus.to_str().unwrap(),
    ];
    let papers = there.join("papers");
    let all = [
        &["batch", papers.to_str().unwrap(), "--out", there.to_str().unwrap()],
        replay.as_slice(),
    ]
    .concat();
    ended(venue.command(&all).spawn().unwrap(), 0);
    assert!(reports(&there) == before, "the replay differs");
    assert_eq!(venue.model.asked().len(), asked);

    // Nothing of somebody else is overwritten.
    let other = fresh_folder("fleet-pull-other");
    fs::create_dir_all(&other).unwrap();
    fs::write(other.join("index.html"), "mine").unwrap();
    let printed = pulled(&venue, &id, &other, "store", 2);
    assert!(printed.contains("has other files"), "{printed}");
    assert_eq!(fs::read_to_string(other.join("index.html")).unwrap(), "mine");
    let new = fresh_folder("fleet-pull-new");
    let printed = pulled(&venue, &id, &new, "another-store", 2);
    assert!(
        printed.contains("there is no store") && !venue.folder.join("another-store").exists(),
        "{printed}"
    );
    fs::create_dir(venue.folder.join("another-store")).unwrap();
    let printed = pulled(&venue, &id, &new, "another-store", 2);
    assert!(printed.contains("not in the store"), "{printed}");
    let printed = pulled(&venue, "batch-x", &new, "store", 2);
    assert!(printed.contains("there is no batch batch-x"), "{printed}");
    assert!(!new.exists());

    // What was interrupted is continued: a lost result hides no other.
    fs::remove_dir_all(
        venue
            .folder
            .join("store/runs")
            .join(&id)
            .join(found[0]["folder"].as_str().unwrap()),
    )
    .unwrap();
    let printed = pulled(&venue, &id, &new, "store", 3);
    assert!(printed.contains("1 paper could not be fetched"), "{printed}");
    let lines = of(&new);
    assert!(
        lines[0]["error"].as_str().unwrap().contains("was it deleted?"),
        "{lines:?}"
    );
    assert_eq!(lines[1], found[1]);
    fs::remove_file(new.join("summary.json")).unwrap();
    pulled(&venue, &id, &new, "store", 3);
    assert_eq!(of(&new)[1], found[1]);
    // A folder of one batch is not that of another.
    fs::write(new.join(".pulled"), "batch-y").unwrap();
    assert!(pulled(&venue, &id, &new, "store", 2).contains("has other files"));
}

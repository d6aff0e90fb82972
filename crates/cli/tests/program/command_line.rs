//! The command-line contract: data on stdout, messages on stderr, exit codes.

use std::fs;

use crate::support::{json, precedent, precedent_in, root, stderr, stdout};

#[test]
fn verify_distinguishes_exact_from_altered_quotes_with_offsets_into_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = "Intro.\n\nWe treat the rope as a standard linear solid with a spring whose stiffness drifts.\nMore text follows here.";
    let source = folder.path().join("source.txt");
    fs::write(&source, text).unwrap();
    let asked = folder.path().join("quotes.jsonl");
    fs::write(
        &asked,
        concat!(
            "{\"id\": \"true\", \"quote\": \"We treat the rope as a standard linear solid with a spring\"}\n",
            "{\"id\": 7, \"quote\": \"We do not treat the rope as a standard linear solid with a spring\"}\n",
            "\n",
            "{\"id\": \"none\", \"quote\": \"Kelp grows well in cold and clear water near the coast of the north\"}\n",
        ),
    )
    .unwrap();
    let arguments = [
        "verify",
        "--source",
        source.to_str().unwrap(),
        "--quotes",
        asked.to_str().unwrap(),
        "--json",
    ];
    let output = precedent(&arguments);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let lines: Vec<serde_json::Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(
        (lines[0]["id"].as_str(), lines[0]["outcome"].as_str()),
        (Some("true"), Some("exact"))
    );
    assert_eq!(lines[0]["verified"], true);
    let range = &lines[0]["ranges"][0];
    let (start, end) = (range[0].as_u64().unwrap() as usize, range[1].as_u64().unwrap() as usize);
    assert_eq!(
        &text[start..end],
        "We treat the rope as a standard linear solid with a spring"
    );
    assert_eq!(lines[0]["text"].as_str(), Some(&text[start..end]));
    assert_eq!(
        (lines[1]["id"].as_u64(), lines[1]["outcome"].as_str()),
        (Some(7), Some("altered"))
    );
    assert_eq!(lines[1]["verified"], false);
    assert_eq!(lines[2]["outcome"], "absent");
    let readable = precedent(&[
        "verify",
        "--source",
        source.to_str().unwrap(),
        "--quote",
        "We do not treat the rope as a standard linear solid",
    ]);
    assert!(stdout(&readable).contains("NOT verified"), "{}", stdout(&readable));
}

#[test]
fn overlap_gives_offsets_into_both_files() {
    let folder = tempfile::tempdir().unwrap();
    let shared: String = (0..45).map(|n| format!("word{n}")).collect::<Vec<_>>().join(" ");
    let (a, b) = (folder.path().join("a.txt"), folder.path().join("b.txt"));
    fs::write(&a, format!("An opening of its own. {shared} An end of its own.")).unwrap();
    fs::write(&b, format!("Quite another start here, and longer. {shared}")).unwrap();
    let output = precedent(&["overlap", a.to_str().unwrap(), b.to_str().unwrap(), "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let answer = json(&output);
    let passage = &answer["passages"][0];
    assert_eq!(passage["words"], 45);
    for (side, file) in [("a", &a), ("b", &b)] {
        let text = fs::read_to_string(file).unwrap();
        let (start, end) = (
            passage[side][0].as_u64().unwrap() as usize,
            passage[side][1].as_u64().unwrap() as usize,
        );
        assert_eq!(Some(&text[start..end]), passage[format!("{side}_text")].as_str());
        assert!(
            text[start..end].starts_with("word0 ") && text[start..end].ends_with(" word44"),
            "{}",
            &text[start..end]
        );
    }
    let nothing = precedent(&[
        "overlap",
        a.to_str().unwrap(),
        b.to_str().unwrap(),
        "--min-words",
        "60",
        "--json",
    ]);
    assert_eq!(json(&nothing)["passages"].as_array().unwrap().len(), 0);
}

#[test]
fn read_prints_the_text_that_offsets_refer_to() {
    let text = stdout(&precedent(&["read", "examples/paper.pdf"]));
    let paper = json(&precedent(&["read", "examples/paper.pdf", "--json"]));
    assert_eq!(format!("{}\n", paper["document"]["text"].as_str().unwrap()), text);
    assert!(
        !paper.to_string().contains(root().to_str().unwrap()),
        "a local path is in the paper"
    );
}

#[test]
fn a_corpus_is_built_searched_and_counted() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().join("library");
    let corpus = corpus.to_str().unwrap();
    let added = json(&precedent(&["corpus", "add", corpus, "examples/works", "--json"]));
    assert_eq!(
        (
            added["added"].as_u64(),
            added["bad_count"].as_u64(),
            added["works"].as_u64()
        ),
        (Some(42), Some(0), Some(42))
    );
    let again = json(&precedent(&["corpus", "add", corpus, "examples/works", "--json"]));
    assert_eq!(
        (
            again["added"].as_u64(),
            again["unchanged"].as_u64(),
            again["works"].as_u64()
        ),
        (Some(0), Some(42), Some(42))
    );
    let stats = json(&precedent(&["corpus", "stats", corpus, "--json"]));
    assert_eq!(
        (stats["works"].as_u64(), stats["with_full_text"].as_u64()),
        (Some(42), Some(12))
    );
    let found = json(&precedent(&[
        "search",
        "rope that creeps",
        "--corpus",
        corpus,
        "--limit",
        "3",
        "--json",
    ]));
    assert_eq!(found["results"].as_array().unwrap().len(), 3);
    assert_eq!(
        found["results"][0]["title"],
        "Decoding Tension Symbols Under Rope Creep"
    );
    let queries = folder.path().join("q.jsonl");
    fs::write(
        &queries,
        "{\"id\": \"a\", \"text\": \"slack intervals\"}\n{\"id\": \"b\", \"text\": \"AND OR ( \\\"\"}\n",
    )
    .unwrap();
    let output = precedent(&[
        "search",
        "--queries",
        queries.to_str().unwrap(),
        "--corpus",
        corpus,
        "--json",
    ]);
    let lines: Vec<serde_json::Value> = stdout(&output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        lines
            .iter()
            .map(|line| line["id"].as_str().unwrap())
            .collect::<Vec<_>>(),
        ["a", "b"]
    );
    let early = json(&precedent(&[
        "search", "rope", "--corpus", corpus, "--as-of", "2010", "--limit", "50", "--json",
    ]));
    for result in early["results"].as_array().unwrap() {
        assert!(
            result["year"].is_null() || result["year"].as_u64().unwrap() <= 2010,
            "{result}"
        );
    }
}

#[test]
fn invalid_input_fails_with_its_exit_code_and_leaves_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("empty.pdf", b"");
    write("image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    write("broken.pdf", b"%PDF-1.7\nnothing more");
    write("bad.jsonl", b"{\"id\": 1}\n");
    write("source.txt", b"Some words stand in this small file.");
    let cases: &[(&[&str], i32)] = &[
        (&["assess", "nowhere.pdf"], 3),
        (&["assess", "empty.pdf"], 3),
        (&["assess", "image.png"], 3),
        (&["assess", "broken.pdf"], 3),
        (&["read", "image.png"], 3),
        (&["assess", "source.txt", "--model", "acme:large"], 2),
        (&["assess", "source.txt", "--sources", "everywhere"], 2),
        (&["assess", "source.txt", "--formats", "docx"], 2),
        (&["assess", "source.txt", "--as-of", "soon"], 2),
        (&["assess"], 2),
        (&["verify", "--source", "source.txt"], 2),
        (&["verify", "--source", "source.txt", "--quotes", "bad.jsonl"], 3),
        (&["verify", "--source", "nowhere.txt", "--quote", "x"], 3),
        (&["overlap", "source.txt", "nowhere.txt"], 3),
        (&["overlap", "source.txt", "."], 2),
        (&["search", "rope"], 5),
        (&["search", "rope", "--corpus", "nowhere"], 3),
        (&["corpus", "stats", "nowhere"], 3),
        (&["runs", "show", "nowhere"], 3),
    ];
    for (arguments, code) in cases {
        let output = precedent_in(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(*code), "{arguments:?}: {}", stderr(&output));
        assert!(
            output.stdout.is_empty(),
            "{arguments:?} printed data: {}",
            stdout(&output)
        );
        assert!(stderr(&output).contains("error:"), "{arguments:?}: {}", stderr(&output));
        assert!(
            !folder.path().join("runs").exists(),
            "{arguments:?} left a folder behind"
        );
    }
}

#[test]
fn the_error_for_a_missing_corpus_says_how_to_create_one() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("source.txt"),
        "We propose a rope that tells its tension.",
    )
    .unwrap();
    for arguments in [
        &["assess", "source.txt", "--corpus", "nowhere"][..],
        &["batch", ".", "--corpus", "nowhere"],
        &["idea", "A rope that tells its tension.", "--corpus", "nowhere"],
        &["search", "rope", "--corpus", "nowhere"],
    ] {
        let output = precedent_in(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(3), "{arguments:?}: {}", stderr(&output));
        let printed = stderr(&output);
        assert!(
            printed.contains("hint: ") && printed.contains("precedent corpus add DIR FILES"),
            "{arguments:?}: {printed}"
        );
    }
}

#[test]
fn runs_are_listed_shown_and_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let paper = root().join("examples/paper.pdf");
    let works = root().join("examples/works");
    let arguments = [
        "assess",
        paper.to_str().unwrap(),
        "--corpus",
        works.to_str().unwrap(),
        "--json",
    ];
    let first = json(&precedent_in(folder.path(), &arguments));
    let dir = first["dir"].as_str().unwrap().to_owned();
    let before = fs::read(folder.path().join(&dir).join("report.json")).unwrap();
    let listed = stdout(&precedent_in(folder.path(), &["runs", "list", "--json"]));
    let listed: serde_json::Value = serde_json::from_str(listed.trim()).unwrap();
    assert_eq!(listed["status"]["state"], "complete");
    let shown = stdout(&precedent_in(folder.path(), &["runs", "show", &dir]));
    assert!(shown.contains("Slack-Aware Coding"), "{shown}");
    // A killed run: the manifest says running and a report is gone.
    let manifest = folder.path().join(&dir).join("manifest.json");
    let text = fs::read_to_string(&manifest)
        .unwrap()
        .replace("\"complete\"", "\"running\"");
    fs::write(&manifest, text).unwrap();
    fs::remove_file(folder.path().join(&dir).join("report.json")).unwrap();
    let resumed = precedent_in(folder.path(), &["runs", "resume", &dir, "--json"]);
    assert_eq!(resumed.status.code(), Some(0), "{}", stderr(&resumed));
    assert!(stderr(&resumed).contains("(reused)"), "{}", stderr(&resumed));
    assert_eq!(fs::read(folder.path().join(&dir).join("report.json")).unwrap(), before);
}

#[test]
fn help_has_examples_and_completions_are_generated() {
    let help = stdout(&precedent(&["--help"]));
    for word in [
        "assess",
        "verify",
        "overlap",
        "corpus",
        "Exit codes",
        "sends nothing over the network unless",
    ] {
        assert!(help.contains(word), "{word} is not in --help");
    }
    let commands: &[&[&str]] = &[
        &["assess"],
        &["read"],
        &["corpus", "add"],
        &["corpus", "stats"],
        &["corpus", "search"],
        &["search"],
        &["verify"],
        &["overlap"],
        &["runs", "list"],
        &["runs", "show"],
        &["runs", "resume"],
        &["doctor"],
        &["completions"],
    ];
    for command in commands {
        let help = stdout(&precedent(&[command, &["--help"][..]].concat()));
        let example = format!("  precedent {}", command.join(" "));
        assert!(help.contains(&example), "{command:?} has no example: {help}");
    }
    for shell in ["bash", "zsh", "fish"] {
        assert!(
            stdout(&precedent(&["completions", shell])).contains("precedent"),
            "{shell}"
        );
    }
    let doctor = precedent(&["doctor", "--json"]);
    assert_eq!(doctor.status.code(), Some(0), "{}", stdout(&doctor));
    assert!(
        json(&doctor)["findings"]
            .as_array()
            .unwrap()
            .iter()
            .any(|one| one["what"] == "quotes" && one["state"] == "ok")
    );
}

#[test]
fn every_command_has_a_manual_page() {
    let dir = crate::support::fresh_folder("manual");
    let output = precedent(&["manual", dir.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let page = std::fs::read_to_string(dir.join("precedent-assess.1")).unwrap();
    assert!(page.contains("\\-\\-corpus"), "{page}");
    for command in [
        "precedent",
        "precedent-watch-run",
        "precedent-corpus-get",
        "precedent-completions",
    ] {
        assert!(dir.join(format!("{command}.1")).is_file(), "{command}");
    }
}

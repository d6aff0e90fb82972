//! Supported inputs, and errors for unusable ones.

use std::fs::{self, File};
use std::path::Path;

use serde_json::Value;

use crate::support::{json, precedent, precedent_in, root, stderr, stdout};

const TITLE: &str = "Slack Codes for Rope Links in Swell";
const ABSTRACT: &str = "Rope-line telemetry sends data along mooring ropes. We propose slack codes, a line code that places symbols into taut intervals predicted \
    from the recent swell. We release tension recordings of two moored buoys over one winter.";
const BODY: &str = "Links on mooring ropes lose symbols when the rope goes slack. In this paper we propose slack codes, a line code that places symbols into \
    taut intervals predicted from the recent swell. The code needs no clock and no second channel, and it was tried on two buoys.";

fn tex() -> String {
    format!(
        "\\documentclass{{article}}\n\\title{{{TITLE}}}\n\\author{{Elin Marsh}}\n\\date{{2024-03-01}}\n\\begin{{document}}\n\\maketitle\n\
         \\begin{{abstract}}\n{ABSTRACT}\n\\end{{abstract}}\n\\input{{body}}\n\\end{{document}}\n"
    )
}

fn tex_body() -> String {
    format!("\\section{{Introduction}}\n{BODY}\n")
}

/// One paper in every supported format.
fn forms(folder: &Path) -> Vec<&'static str> {
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write(
        "paper.md",
        &format!(
            "---\ntitle: {TITLE}\nauthor: Elin Marsh\ndate: 2024-03-01\n---\n\n## Abstract\n\n{ABSTRACT}\n\n## 1 Introduction\n\n{BODY}\n"
        ),
    );
    write(
        "paper.txt",
        &format!("{TITLE}\n\nElin Marsh\n\nAbstract\n\n{ABSTRACT}\n\n1 Introduction\n\n{BODY}\n"),
    );
    write(
        "paper.html",
        &format!(
            "<!DOCTYPE html><html><head><title>{TITLE}</title><meta name=\"citation_title\" content=\"{TITLE}\"></head><body><article><h1>{TITLE}</h1>\
             <h2>Abstract</h2><p>{ABSTRACT}</p><h2>1 Introduction</h2><p>{BODY}</p></article></body></html>"
        ),
    );
    write(
        "paper.xml",
        &format!(
            "<?xml version=\"1.0\"?><article><front><article-meta><title-group><article-title>{TITLE}</article-title></title-group>\
             <abstract><p>{ABSTRACT}</p></abstract></article-meta></front><body><sec><title>Introduction</title><p>{BODY}</p></sec></body></article>"
        ),
    );
    fs::create_dir(folder.join("source")).unwrap();
    write("source/main.tex", &tex());
    write("source/body.tex", &tex_body());
    write("alone.tex", &tex().replace("\\input{body}", &tex_body()));
    let packed = flate2::write::GzEncoder::new(
        File::create(folder.join("source.tar.gz")).unwrap(),
        flate2::Compression::fast(),
    );
    let mut tar = tar::Builder::new(packed);
    tar.append_dir_all(".", folder.join("source")).unwrap();
    tar.into_inner().unwrap().finish().unwrap();
    vec![
        "paper.md",
        "paper.txt",
        "paper.html",
        "paper.xml",
        "alone.tex",
        "source/main.tex",
        "source",
        "source.tar.gz",
    ]
}

#[test]
fn a_paper_has_the_same_claims_in_every_format() {
    let folder = tempfile::tempdir().unwrap();
    let works = root().join("examples/works/abstracts.jsonl");
    for form in forms(folder.path()) {
        let out = format!("out-{}", form.replace(['/', '.'], "-"));
        let arguments = [
            "assess",
            form,
            "--corpus",
            works.to_str().unwrap(),
            "--out",
            &out,
            "--json",
        ];
        let output = precedent_in(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(0), "{form}: {}", stderr(&output));
        let report: Value =
            serde_json::from_slice(&fs::read(folder.path().join(&out).join("report.json")).unwrap()).unwrap();
        assert_eq!(report["original_paper"]["title"], TITLE, "{form}");
        let claims = report["contribution_analysis"]["contributions"].as_array().unwrap();
        assert!(
            claims.iter().any(|one| one["claim"]["text"]
                .as_str()
                .unwrap()
                .contains("slack codes, a line code")),
            "{form}: {claims:#?}"
        );
        assert!(
            !report["references"]["candidates"].as_array().unwrap().is_empty(),
            "{form}"
        );
    }
}

#[test]
fn papers_from_stdin_are_refused_with_a_message() {
    for command in [&["assess", "-"][..], &["read", "-"], &["overlap", "-", "README.md"]] {
        let output = precedent(command);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("stdin"), "{command:?}: {}", stderr(&output));
    }
}

#[test]
fn unusable_records_of_a_corpus_are_listed_in_every_report() {
    let folder = tempfile::tempdir().unwrap();
    let paper = root().join("examples/paper.pdf");
    let given = folder.path().join("given");
    fs::create_dir(&given).unwrap();
    let works = fs::read_to_string(root().join("examples/works/abstracts.jsonl")).unwrap();
    fs::write(given.join("works.jsonl"), format!("{works}\nthis is no record\n")).unwrap();
    fs::write(given.join("broken.pdf"), "%PDF-1.7\nnothing more").unwrap();
    let built = precedent_in(folder.path(), &["corpus", "add", "library", "given", "--json"]);
    assert_eq!(built.status.code(), Some(0), "{}", stderr(&built));
    // Files of papers, the same with a cached index, and a built corpus.
    for (turn, corpus, out) in [
        ("new", "given", "one"),
        ("kept", "given", "one"),
        ("built", "library", "two"),
    ] {
        let arguments = [
            "assess",
            paper.to_str().unwrap(),
            "--corpus",
            corpus,
            "--out",
            out,
            "--json",
        ];
        let output = precedent_in(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(0), "{turn}: {}", stderr(&output));
        let printed = json(&output)["not_searched"].to_string();
        let words = format!("2 records or papers added to corpus:{corpus} could not be used and were not searched");
        assert!(printed.contains(&words), "{turn}: {printed}");
        assert!(
            printed.contains("broken.pdf") && printed.contains("works.jsonl, record"),
            "{turn}: {printed}"
        );
        assert!(stderr(&output).contains(&words), "{turn}: {}", stderr(&output));
    }
}

#[test]
fn without_papers_no_run_and_no_corpus_is_created() {
    let folder = tempfile::tempdir().unwrap();
    let paper = root().join("examples/paper.pdf");
    let paper = paper.to_str().unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    fs::write(folder.path().join("bad.jsonl"), "{\"id\": 1}\n").unwrap();
    let cases: &[(&[&str], i32, &str)] = &[
        (
            &["assess", paper, "--corpus", "empty"],
            5,
            "contains no corpus, no records and no papers",
        ),
        (&["assess", paper, "--corpus", "bad.jsonl"], 5, "bad.jsonl"),
        (&["search", "rope", "--corpus", "empty"], 5, "contains no corpus"),
        (&["corpus", "add", "library", "bad.jsonl"], 3, "no corpus was created"),
        (&["corpus", "add", "library", "empty"], 3, "no corpus was created"),
        (&["corpus", "add", "library", "nowhere"], 3, "nowhere"),
    ];
    for (arguments, code, words) in cases {
        let output = precedent_in(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(*code), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(words), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains("hint:"), "{arguments:?}: {}", stderr(&output));
        for left in ["runs", "library"] {
            assert!(!folder.path().join(left).exists(), "{arguments:?} left {left} behind");
        }
    }
    assert_eq!(fs::read_dir(folder.path().join("empty")).unwrap().count(), 0);
}

#[test]
fn arguments_override_environment_variables() {
    let folder = tempfile::tempdir().unwrap();
    let works = root().join("examples/works/abstracts.jsonl");
    let run = |set: &str, typed: &[&str]| {
        std::process::Command::new(env!("CARGO_BIN_EXE_precedent"))
            .args([&["search", "rope", "--json"], typed].concat())
            .current_dir(folder.path())
            .env("PRECEDENT_CORPUS", set)
            .output()
            .unwrap()
    };
    let works = works.to_str().unwrap();
    let set = run(works, &[]);
    assert_eq!(set.status.code(), Some(0), "{}", stderr(&set));
    assert!(!json(&set)["results"].as_array().unwrap().is_empty());
    let typed = run("nowhere", &["--corpus", works]);
    assert_eq!(stdout(&typed), stdout(&set));
    assert_eq!(run("nowhere", &[]).status.code(), Some(3));
}

/// All exit codes except 6 and 130, which are tested with models and interrupts.
#[test]
fn every_exit_code_is_reached() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("paper.txt"),
        format!("{TITLE}\n\nAbstract\n\n{ABSTRACT}\n\n1 Introduction\n\n{BODY}\n"),
    )
    .unwrap();
    fs::write(folder.path().join("unreadable.pdf"), b"%PDF-1.7\n\0\0\0").unwrap();
    let cases: &[(&[&str], i32)] = &[
        (&["read", "paper.txt"], 0),
        (&["read"], 2),
        (&["read", "unreadable.pdf"], 3),
        (&["assess", "unreadable.pdf"], 3),
        (&["assess", "paper.txt", "--model", "compatible:large"], 4),
        (&["assess", "paper.txt"], 5),
    ];
    for (arguments, code) in cases {
        let output = precedent_in(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(*code), "{arguments:?}: {}", stderr(&output));
    }
    #[cfg(target_os = "linux")]
    {
        let full = std::process::Command::new(env!("CARGO_BIN_EXE_precedent"))
            .args(["read", "paper.txt"])
            .current_dir(folder.path())
            .stdout(File::options().write(true).open("/dev/full").unwrap())
            .output()
            .unwrap();
        assert_eq!(full.status.code(), Some(1), "{}", stderr(&full));
        assert!(stderr(&full).contains("failed to write to stdout"), "{}", stderr(&full));
    }
}

#[test]
fn a_folder_of_papers_is_not_called_empty() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["one.pdf", "two.pdf"] {
        fs::copy(root().join("examples/paper.pdf"), folder.path().join(name)).unwrap();
    }
    let path = folder.path().to_str().unwrap();
    for command in [&["read", path][..], &["points", path]] {
        let output = precedent_in(folder.path(), command);
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        let printed = stderr(&output);
        assert!(
            printed.contains("2 files in it may be papers") && printed.contains("--corpus"),
            "{printed}"
        );
    }
    assert!(!folder.path().join("runs").exists());
}

//! Snapshots of the program's output. `INSTA_UPDATE=always cargo test -p precedent-cli` updates them; review the changes before committing.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::support::{precedent_in, root, stderr, stdout};

/// A command with its exit code, stdout and stderr.
fn transcript(arguments: &[&str], output: &Output) -> String {
    let typed: Vec<String> = arguments
        .iter()
        .map(|word| match word.contains([' ', '{']) {
            true => format!("'{word}'"),
            false => (*word).to_owned(),
        })
        .collect();
    format!(
        "$ precedent {}\n[exit {}]\n-- stdout\n{}-- stderr\n{}",
        typed.join(" "),
        output.status.code().unwrap_or(-1),
        stdout(output),
        stderr(output)
    )
}

/// Runs the commands in `folder` and compares their output with a snapshot. Parts that differ between runs are masked.
fn check(name: &str, folder: &Path, commands: &[&[&str]]) {
    let printed: Vec<String> = commands
        .iter()
        .map(|arguments| transcript(arguments, &precedent_in(folder, arguments)))
        .collect();
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.add_filter(&regex_of(folder.canonicalize().unwrap().to_str().unwrap()), "[folder]");
    settings.add_filter(&regex_of(root().to_str().unwrap()), "[repository]");
    settings.add_filter(r"\b\d+\.\d s\b", "[time]");
    settings.add_filter(r"paper-pdf-[0-9a-f]{16}", "paper-pdf-[hash]");
    settings.add_filter(r#""(started|ended)":\d+"#, r#""$1":[time]"#);
    settings.add_filter(r"(?m)^(ok|missing) +browser .*$", "[browser]");
    settings.add_filter(r"(?m)^(ok|missing) +pdfium .*$", "[pdfium]");
    settings.add_filter(r"(?m)^(ok|missing) +ocr .*$", "[ocr]");
    settings.add_filter(r"(?m)^(ok|missing) +isolation of uploads .*$", "[isolation]");
    // Scores are masked, because the corpus has its own tests for them.
    settings.add_filter(r#"sha256":"[0-9a-f]{64}""#, r#"sha256":"[hash]""#);
    settings.add_filter(r#""score":[0-9.]+"#, r#""score":[score]"#);
    settings.add_filter(r"(?m)^( +\d+) +\d+\.\d{3}  ", "$1  [score]  ");
    settings.add_filter(r"\(\d+ passages\)", "([number] passages)");
    settings.add_filter(r"(?m)^on disk +[\d.]+ MB$", "on disk         [size]");
    settings.add_filter(&regex_of(env!("CARGO_PKG_VERSION")), "[version]");
    settings.bind(|| insta::assert_snapshot!(name, printed.join("\n")));
}

fn regex_of(text: &str) -> String {
    let escape = |c: char| match c {
        '.' | '+' | '(' | ')' | '[' | ']' | '*' | '?' | '$' | '^' | '|' | '{' | '}' | '\\' => format!("\\{c}"),
        c => c.to_string(),
    };
    text.chars().map(escape).collect()
}

/// A folder with the sample under short names.
fn sample() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::copy(root().join("examples/paper.pdf"), folder.path().join("paper.pdf")).unwrap();
    let works = folder.path().join("works");
    fs::create_dir_all(works.join("full-texts")).unwrap();
    let from = root().join("examples/works");
    fs::copy(from.join("abstracts.jsonl"), works.join("abstracts.jsonl")).unwrap();
    for entry in fs::read_dir(from.join("full-texts")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), works.join("full-texts").join(entry.file_name())).unwrap();
    }
    folder
}

#[test]
fn output_of_a_run() {
    let folder = sample();
    check(
        "assess",
        folder.path(),
        &[
            &["assess", "paper.pdf", "--corpus", "works"],
            &["assess", "paper.pdf", "--corpus", "works", "--json", "--quiet"],
            &["runs", "list"],
        ],
    );
    let run = fs::read_dir(folder.path().join("runs"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .file_name();
    let run = run.to_str().unwrap();
    check(
        "runs",
        folder.path(),
        &[&["runs", "show", run], &["runs", "list", "--json"]],
    );
    check(
        "assess-alone",
        folder.path(),
        &[&["assess", "paper.pdf", "--out", "alone"]],
    );
}

#[test]
fn output_of_corpus_and_search() {
    let folder = sample();
    check(
        "corpus",
        folder.path(),
        &[
            &["corpus", "add", "library", "works"],
            &["corpus", "stats", "library"],
            &["search", "rope that creeps", "--corpus", "library", "--limit", "3"],
            &[
                "search",
                "rope that creeps",
                "--corpus",
                "library",
                "--limit",
                "2",
                "--json",
            ],
            &[
                "search", "rope", "--corpus", "library", "--limit", "2", "--as-of", "2012",
            ],
            &["search", "zymurgy", "--corpus", "library"],
            &["doctor", "--corpus", "library"],
        ],
    );
}

#[test]
fn output_of_verify_and_overlap() {
    let folder = tempfile::tempdir().unwrap();
    let shared: Vec<String> = (0..34).map(|n| format!("word{n}")).collect();
    let text = format!(
        "Intro.\n\nWe treat the rope as a standard linear solid with a spring whose stiffness drifts.\n\nThen {}.\n",
        shared.join(" ")
    );
    fs::write(folder.path().join("a.txt"), &text).unwrap();
    fs::write(
        folder.path().join("b.txt"),
        format!("Quite another start, and {}.\n", shared.join(" ")),
    )
    .unwrap();
    let verify = |quote| ["verify", "--source", "a.txt", "--quote", quote];
    let (exact, altered, absent) = (
        verify("We treat the rope as a standard linear solid"),
        verify("We do not treat the rope as a standard linear solid with a spring"),
        verify("Kelp grows well in cold and clear water near the coast of the north"),
    );
    check("verify", folder.path(), &[&exact, &altered, &absent]);
    check("overlap", folder.path(), &[&["overlap", "a.txt", "b.txt"]]);
}

#[test]
fn errors_have_hints() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write("empty.pdf", b"");
    write("image.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR");
    write("broken.pdf", b"%PDF-1.7\nnothing more");
    write("bad.jsonl", b"{\"id\": 1}\n");
    write("source.txt", b"Some words stand in this small file.");
    fs::create_dir(folder.path().join("empty")).unwrap();
    check(
        "errors",
        folder.path(),
        &[
            &["assess", "nowhere.pdf"],
            &["assess", "empty.pdf"],
            &["assess", "image.png"],
            &["assess", "broken.pdf"],
            &["assess", "-"],
            &["assess", "source.txt", "--model", "acme:large"],
            &["assess", "source.txt", "--sources", "everywhere"],
            &["assess", "source.txt", "--formats", "docx"],
            &["assess", "source.txt", "--as-of", "soon"],
            &["assess", "source.txt", "--corpus", "empty"],
            &["corpus", "add", "library", "bad.jsonl"],
            &["corpus", "add", "library", "nowhere"],
            &["corpus", "stats", "nowhere"],
            &["search", "rope"],
            &["search", "rope", "--corpus", "nowhere"],
            &["verify", "--source", "nowhere.txt", "--quote", "x"],
            &["overlap", "source.txt", "."],
            &["runs", "list"],
            &["runs", "show", "nowhere"],
        ],
    );
}

//! Batches that several processes share through a PostgreSQL database.

use std::fs;

use crate::support::{fresh_folder, precedent, precedent_with, stderr, stdout};

#[test]
fn a_database_elsewhere_is_refused_in_a_local_only_batch_and_its_password_is_never_shown() {
    let url = "postgres://chair:secret@db.example.com/venue";
    let arguments = [
        "batch",
        "examples/works",
        "--corpus",
        "examples/works",
        "--local-only",
        "--database",
        url,
    ];
    let output = precedent(&arguments);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("the database is not on this machine"),
        "{}",
        stderr(&output)
    );
    assert!(!stderr(&output).contains("secret"));
    for url in [url, "postgres://chair:pa/secret@db.example.com/venue"] {
        let shown = precedent_with(&["config", "show"], &[("PRECEDENT_DATABASE", url)]);
        assert!(
            stdout(&shown).contains("database = \"postgres://<hidden>@db.example.com/venue\""),
            "{}",
            stdout(&shown)
        );
    }
    let help = precedent_with(&["batch", "--help"], &[("PRECEDENT_DATABASE", url)]);
    assert!(stdout(&help).contains("PRECEDENT_DATABASE") && !stdout(&help).contains("secret"));
}

#[test]
fn a_password_in_the_settings_file_is_refused() {
    let folder = fresh_folder("database-settings");
    fs::create_dir_all(&folder).unwrap();
    let settings = folder.join("settings.toml");
    fs::write(&settings, "database = 'postgres://chair:secret@127.0.0.1/venue'").unwrap();
    let settings = settings.to_str().unwrap();
    let output = precedent(&[
        "batch",
        "examples/works",
        "--corpus",
        "examples/works",
        "--settings",
        settings,
    ]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("PRECEDENT_DATABASE") && !stderr(&output).contains("secret"));
}

#[cfg(feature = "postgres")]
mod with_a_server {
    use std::path::{Path, PathBuf};
    use std::process::{Child, Output, Stdio};
    use std::time::Duration;

    use precedent_scripted::{ModelServer, PostgresServer, plain};
    use serde_json::Value;

    use super::*;
    use crate::support::{command, root};

    const REPORTS: [&str; 3] = ["report.json", "report.md", "report.html"];

    fn papers(folder: &Path) -> PathBuf {
        let papers = folder.join("papers");
        fs::create_dir_all(&papers).unwrap();
        for thing in ["boats", "buoys"] {
            let text = format!(
                "# Counting {thing} with One Rope\n\n## Abstract\n\nHarbour masters count {thing} by hand. We propose a rope with a sensor that counts \
                 the {thing} moored to it. We show that the sensor counts {thing} as well as a harbour master does.\n\n## Introduction\n\nWe propose a \
                 sensor that measures the pull of the rope and counts the {thing} from it.\n"
            );
            fs::write(papers.join(format!("{thing}.md")), text).unwrap();
        }
        papers
    }

    fn start(papers: &Path, out: &Path, model: &ModelServer, database: Option<&str>, more: &[&str]) -> Child {
        let base = format!("{}/v1", model.base());
        let works = root().join("examples/works");
        let mut arguments = vec!["batch", papers.to_str().unwrap(), "--corpus", works.to_str().unwrap()];
        arguments.extend([
            "--model",
            "openai:scripted",
            "--model-url",
            &base,
            "--out",
            out.to_str().unwrap(),
        ]);
        arguments.extend(more);
        let mut command = command(&root(), &arguments);
        command
            .env("OPENAI_API_KEY", "test-key")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(url) = database {
            command.env("PRECEDENT_DATABASE", url);
        }
        command.spawn().unwrap()
    }

    fn done(child: Child) -> Output {
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert!(!stderr(&output).contains(PostgresServer::PASSWORD));
        output
    }

    fn runs(out: &Path) -> Vec<PathBuf> {
        let summary: Value = serde_json::from_slice(&fs::read(out.join("summary.json")).unwrap()).unwrap();
        let papers = summary["papers"].as_array().unwrap();
        papers
            .iter()
            .map(|paper| out.join(paper["folder"].as_str().unwrap()))
            .collect()
    }

    fn reports(out: &Path) -> Vec<String> {
        let of = |run: PathBuf| REPORTS.map(|name| fs::read_to_string(run.join(name)).unwrap());
        runs(out).into_iter().flat_map(of).collect()
    }

    #[test]
    #[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
    fn two_processes_pay_every_call_once_and_their_runs_replay_without_the_database() {
        let folder = fresh_folder("database-two");
        let papers = papers(&folder);
        let model = ModelServer::start_with(plain, Duration::from_millis(150), None, 0).unwrap();
        let database = PostgresServer::start().unwrap();
        let (a, b) = (folder.join("a"), folder.join("b"));
        let url = database.url();
        let both = [&a, &b].map(|out| start(&papers, out, &model, Some(&url), &[]));
        for child in both {
            done(child);
        }
        assert!(!model.asked().is_empty());
        assert_eq!(model.asked_again().len(), 0, "{:?}", model.asked_again());
        assert!(reports(&a) == reports(&b), "the reports differ");
        // A process that starts after them pays nothing.
        let (asked, late) = (model.asked().len(), folder.join("late"));
        done(start(&papers, &late, &model, Some(&url), &[]));
        assert_eq!(model.asked().len(), asked);
        assert!(reports(&a) == reports(&late), "the reports differ");

        // Nothing that a run leaves has the password.
        for run in runs(&a) {
            for file in fs::read_dir(run).unwrap() {
                let path = file.unwrap().path();
                let bytes = fs::read(&path).unwrap_or_default();
                let password = PostgresServer::PASSWORD.as_bytes();
                let is_in = bytes.windows(password.len()).any(|part| part == password);
                assert!(!is_in, "{}", path.display());
            }
        }
        drop(database);
        for out in [&b, &late] {
            let before = reports(out);
            done(start(&papers, out, &model, None, &["--replay"]));
            assert!(reports(out) == before, "the replay differs");
        }
        assert_eq!(model.asked().len(), asked);
    }

    #[test]
    #[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
    fn a_killed_process_is_continued_on_another_machine() {
        let folder = fresh_folder("database-killed");
        let papers = papers(&folder);
        let model = ModelServer::start_with(plain, Duration::from_millis(150), None, 0).unwrap();
        let database = PostgresServer::start().unwrap();
        let url = database.url();
        let mut killed = start(
            &papers,
            &folder.join("a"),
            &model,
            Some(&url),
            &["--at-once", "1", "--jobs", "1"],
        );
        while model.asked().len() < 4 {
            assert_eq!(killed.try_wait().unwrap(), None, "it ended before it was killed");
            std::thread::sleep(Duration::from_millis(20));
        }
        killed.kill().unwrap();
        killed.wait().unwrap();
        let asked = model.asked().len();
        done(start(&papers, &folder.join("b"), &model, Some(&url), &[]));
        // Only the call that was in flight is repeated, once its lease has ended.
        let again: usize = model.asked_again().values().sum();
        assert!(again <= 1, "{:?}", model.asked_again());
        assert!(model.asked().len() > asked);
    }
}

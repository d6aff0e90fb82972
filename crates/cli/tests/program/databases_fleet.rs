//! Batches that workers on several machines share through a database and an object store.

use std::fs;

use crate::support::{fresh_folder, precedent, stderr};

#[test]
fn a_shared_batch_needs_a_database_and_searches_no_services() {
    let out = fresh_folder("fleet-usage");
    fs::create_dir_all(&out).unwrap();
    let store = out.join("store");
    let store = store.to_str().unwrap();
    for (arguments, message) in [
        (vec!["--store", store], "--store needs a database"),
        (vec!["--jobs", "0"], "--jobs 0 needs workers on other machines"),
        (
            vec![
                "--store",
                store,
                "--database",
                "postgres://chair@127.0.0.1/venue",
                "--sources",
                "arxiv",
            ],
            "--sources cannot be used with --store",
        ),
        (vec!["--store", store, "--ocr"], "--ocr cannot be used with --store yet"),
    ] {
        let mut all = vec!["batch", "examples/works"];
        all.extend(arguments);
        let output = precedent(&all);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
    let output = precedent(&["worker", "--store", store]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("a worker needs a database"),
        "{}",
        stderr(&output)
    );
}

#[cfg(feature = "postgres")]
mod corpora_in_a_store {
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::support::{json, stdout};

    /// A folder with a store, a corpus `here/library` and a folder `there`.
    fn with_corpus(name: &str) -> (PathBuf, String) {
        let folder = fresh_folder(name);
        fs::create_dir_all(folder.join("there")).unwrap();
        let store = folder.join("store").to_str().unwrap().to_owned();
        add(&folder.join("here/library"), "ropes", "Ropes that Creep");
        (folder, store)
    }

    fn add(corpus: &Path, id: &str, title: &str) {
        let records = corpus.with_file_name(format!("{id}.jsonl"));
        fs::create_dir_all(corpus.parent().unwrap()).unwrap();
        let record =
            format!(r#"{{"id":"{id}","title":"{title}","abstract":"We measure how {title} under load.","year":2020}}"#);
        fs::write(&records, record).unwrap();
        let added = precedent(&["corpus", "add", corpus.to_str().unwrap(), records.to_str().unwrap()]);
        assert_eq!(added.status.code(), Some(0), "{}", stderr(&added));
    }

    fn push(corpus: &Path, store: &str) -> serde_json::Value {
        let output = precedent(&["corpus", "push", corpus.to_str().unwrap(), "--store", store, "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        json(&output)
    }

    fn pull(wanted: &str, dir: &Path, store: &str, code: i32) -> String {
        let output = precedent(&["corpus", "pull", wanted, dir.to_str().unwrap(), "--store", store]);
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        // No half of a corpus stays.
        let beside = fs::read_dir(dir.parent().unwrap()).unwrap().flatten();
        let mut hidden = beside.filter(|entry| entry.file_name().to_string_lossy().starts_with('.'));
        assert!(hidden.next().is_none());
        stdout(&output) + &stderr(&output)
    }

    fn found(corpus: &Path) -> String {
        let corpus = corpus.to_str().unwrap();
        let output = precedent(&["search", "ropes that creep", "--corpus", corpus, "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    }

    #[test]
    fn a_pulled_corpus_gives_the_same_results_and_is_brought_up_to_date() {
        let (folder, store) = with_corpus("store-corpora");
        let (here, there) = (folder.join("here/library"), folder.join("there/library"));
        let first = push(&here, &store);
        assert_eq!((&first["number"], &first["papers"]), (&1.into(), &1.into()));
        assert_eq!(push(&here, &store), first);
        let printed = pull("library", &there, &store, 0);
        assert!(printed.contains(first["hash"].as_str().unwrap()), "{printed}");
        assert_eq!(found(&here), found(&there));
        add(&here, "buoys", "Buoys and Ropes that Creep");
        assert_ne!(found(&here), found(&there));
        let second = push(&here, &store);
        assert_eq!((&second["number"], &second["papers"]), (&2.into(), &2.into()));
        for _ in 0..2 {
            pull("library", &there, &store, 0);
            assert_eq!(found(&here), found(&there));
        }
        // Both states stay, under their hashes.
        let earlier = folder.join("there/earlier");
        pull(first["hash"].as_str().unwrap(), &earlier, &store, 0);
        assert_ne!(found(&here), found(&earlier));
        // A snapshot that was deleted from the store says nothing about a folder.
        add(&here, "kelp", "Kelp that Creeps");
        push(&here, &store);
        fs::write(folder.join("store/corpora/library/2"), "damaged").unwrap();
        pull("library", &earlier, &store, 0);
        assert_eq!(found(&here), found(&earlier));
    }

    #[test]
    fn a_corpus_with_changes_of_its_own_and_other_files_are_kept() {
        let (folder, store) = with_corpus("store-changed");
        let (here, there) = (folder.join("here/library"), folder.join("there/library"));
        push(&here, &store);
        pull("library", &there, &store, 0);
        let notes = there.join("notes.txt");
        fs::write(&notes, "mine").unwrap();
        let printed = pull("library", &there, &store, 3);
        assert!(
            printed.contains("differs from all snapshots of this corpus"),
            "{printed}"
        );
        fs::remove_file(&notes).unwrap();
        add(&there, "kelp", "Kelp");
        let changed = found(&there);
        pull("library", &there, &store, 3);
        assert_eq!(found(&there), changed);
        let printed = pull("libary", &folder.join("there/new"), &store, 3);
        assert!(printed.contains("no corpus with the name libary"), "{printed}");
        pull("../library", &folder.join("there/new"), &store, 2);
        // A hash of something else.
        let printed = pull(&"0".repeat(64), &folder.join("there/new"), &store, 3);
        assert!(printed.contains("find the object"), "{printed}");
        assert!(!folder.join("there/new").exists());
    }

    #[test]
    fn vectors_of_a_machine_stay_there() {
        let (folder, store) = with_corpus("store-vectors");
        let (here, there) = (folder.join("here/library"), folder.join("there/library"));
        let kept = |corpus: &Path, model: &str| corpus.join(format!("vectors/{model}.kept"));
        fs::create_dir_all(here.join("vectors")).unwrap();
        fs::write(kept(&here, "a"), "a").unwrap();
        let first = push(&here, &store);
        fs::write(kept(&here, "a"), "more").unwrap();
        assert_eq!(push(&here, &store), first);
        pull("library", &there, &store, 0);
        assert!(!kept(&there, "a").exists());
        fs::create_dir_all(there.join("vectors")).unwrap();
        fs::write(kept(&there, "b"), "b").unwrap();
        add(&here, "buoys", "Buoys and Ropes that Creep");
        push(&here, &store);
        pull("library", &there, &store, 0);
        assert_eq!(found(&here), found(&there));
        assert_eq!(fs::read(kept(&there, "b")).unwrap(), b"b");
    }

    #[test]
    fn a_mistaken_store_is_refused() {
        let (folder, store) = with_corpus("store-refused");
        let here = folder.join("here/library");
        let first = push(&here, &store);
        add(&here, "buoys", "Buoys and Ropes that Creep");
        push(&here, &store);
        let there = folder.join("there/library");
        pull("library", &there, &store, 0);
        let printed = pull(first["hash"].as_str().unwrap(), &there, &store, 3);
        assert!(
            printed.contains("is not this snapshot") && printed.contains("choose a new folder"),
            "{printed}"
        );
        let missing = folder.join("stoer");
        let printed = pull("library", &folder.join("there/new"), missing.to_str().unwrap(), 3);
        assert!(
            printed.contains("there is no store in the folder") && !missing.exists(),
            "{printed}"
        );
        let inside = here.join("store");
        let output = precedent(&[
            "corpus",
            "push",
            here.to_str().unwrap(),
            "--store",
            inside.to_str().unwrap(),
        ]);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    }

    #[cfg(unix)]
    #[test]
    fn links_that_a_user_added_and_permissions_are_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};

        let (folder, store) = with_corpus("store-links");
        let (here, there) = (folder.join("here/library"), folder.join("there/library"));
        push(&here, &store);
        pull("library", &there, &store, 0);
        symlink(&here, there.join("mine")).unwrap();
        let printed = pull("library", &there, &store, 3);
        assert!(printed.contains("differs from all snapshots"), "{printed}");
        fs::remove_file(there.join("mine")).unwrap();
        fs::set_permissions(&there, fs::Permissions::from_mode(0o700)).unwrap();
        let link = folder.join("there/link");
        symlink(&there, &link).unwrap();
        add(&here, "buoys", "Buoys and Ropes that Creep");
        push(&here, &store);
        pull("library", &link, &store, 0);
        assert_eq!(found(&here), found(&there));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&there).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_damaged_part_is_refused_and_changes_nothing() {
        let (folder, store) = with_corpus("store-damaged");
        let (here, there) = (folder.join("here/library"), folder.join("there/library"));
        push(&here, &store);
        pull("library", &there, &store, 0);
        let before = found(&there);
        add(&here, "buoys", "Buoys");
        push(&here, &store);
        let meta = fs::read(here.join("index/meta.json")).unwrap();
        for folder in fs::read_dir(folder.join("store/objects")).unwrap() {
            for object in fs::read_dir(folder.unwrap().path()).unwrap() {
                let path = object.unwrap().path();
                if fs::read(&path).unwrap() == meta {
                    fs::write(&path, [&meta[..], b" "].concat()).unwrap();
                }
            }
        }
        let printed = pull("library", &there, &store, 3);
        assert!(printed.contains("it is damaged; delete it"), "{printed}");
        assert_eq!(found(&there), before);
    }
}

#[cfg(all(feature = "postgres", unix))]
pub(crate) mod with_a_server {
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, Output, Stdio};
    use std::time::Duration;

    use precedent_scripted::{ModelServer, PostgresServer, plain};
    use serde_json::Value;

    use super::*;
    use crate::support::{command, root, stdout};

    const REPORTS: [&str; 3] = ["report.json", "report.md", "report.html"];
    const LEASE: &str = "3";
    /// A worker with this name has no key.
    const KEYLESS: &str = "keyless";

    /// A folder with papers, a model, a database and a store.
    pub(crate) struct Venue {
        pub(crate) folder: PathBuf,
        pub(crate) model: ModelServer,
        pub(crate) database: PostgresServer,
        /// The lease of papers, in seconds.
        pub(crate) lease: &'static str,
    }

    pub(crate) struct Worker {
        child: Child,
        log: PathBuf,
    }

    impl Venue {
        pub(crate) fn new(name: &str, papers: usize, latency: u64) -> Self {
            let folder = fresh_folder(name);
            fs::create_dir_all(folder.join("papers")).unwrap();
            for number in 0..papers {
                let thing = format!("boats{number}");
                let text = format!(
                    "# Counting {thing} with One Rope\n\n## Abstract\n\nHarbour masters count {thing} by hand. We propose a rope with a sensor that counts \
                     the {thing} moored to it. We show that the sensor counts {thing} as well as a harbour master does.\n\n## Introduction\n\nWe propose a \
                     sensor that measures the pull of the rope and counts the {thing} from it.\n"
                );
                fs::write(folder.join("papers").join(format!("{thing}.md")), text).unwrap();
            }
            Self {
                folder,
                model: ModelServer::start_with(plain, Duration::from_millis(latency), None, 0).unwrap(),
                database: PostgresServer::start().unwrap(),
                lease: LEASE,
            }
        }

        fn base(&self) -> String {
            format!("{}/v1", self.model.base())
        }

        /// The base, for the provider of the batch.
        pub(crate) fn allowed(&self) -> String {
            format!("openai={}", self.base())
        }

        pub(crate) fn command(&self, arguments: &[&str]) -> Command {
            let mut command = command(&root(), arguments);
            command
                .env("OPENAI_API_KEY", "test-key")
                .env("XDG_DATA_HOME", self.folder.join("data"))
                .stdout(Stdio::piped())
                .stderr(Stdio::piped());
            command
        }

        pub(crate) fn batch(&self, out: &str, more: &[&str]) -> Child {
            let (papers, works, out) = (
                self.folder.join("papers"),
                root().join("examples/works"),
                self.folder.join(out),
            );
            let base = self.base();
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
            self.command(&arguments).spawn().unwrap()
        }

        pub(crate) fn shared(&self, out: &str, jobs: &str) -> Child {
            self.shared_with(out, jobs, &[])
        }

        pub(crate) fn shared_with(&self, out: &str, jobs: &str, options: &[&str]) -> Child {
            let (url, store) = (self.database.url(), self.folder.join("store"));
            let more = [
                "--database",
                &url,
                "--store",
                store.to_str().unwrap(),
                "--lease",
                self.lease,
                "--jobs",
                jobs,
            ];
            self.batch(out, &[&more, options].concat())
        }

        pub(crate) fn worker(&self, name: &str, store: &str, model_url: &str) -> Worker {
            let (store, cache, log) = (
                self.folder.join(store),
                self.folder.join(name),
                self.folder.join(format!("{name}.log")),
            );
            let mut arguments = vec![
                "worker",
                "--jobs",
                "1",
                "--lease",
                self.lease,
                "--store",
                store.to_str().unwrap(),
            ];
            arguments.extend(["--cache", cache.to_str().unwrap(), "--model-url", model_url]);
            let settings = self.folder.join("settings.toml");
            if settings.exists() {
                arguments.extend(["--settings", settings.to_str().unwrap()]);
            }
            let mut command = self.command(&arguments);
            command.env("PRECEDENT_DATABASE", self.database.url());
            if name == KEYLESS {
                command.env_remove("OPENAI_API_KEY");
            }
            let child = command.stderr(fs::File::create(&log).unwrap()).spawn().unwrap();
            Worker { child, log }
        }

        pub(crate) fn reports(&self, out: &str) -> Vec<String> {
            let out = self.folder.join(out);
            let of = |run: PathBuf| REPORTS.map(|name| fs::read_to_string(run.join(name)).unwrap());
            let folders = summary(&out)
                .into_iter()
                .map(|paper| out.join(paper["folder"].as_str().unwrap()));
            folders.flat_map(of).collect()
        }

        /// Checks that one machine writes the same reports.
        fn is_that_of_one_machine(&self, shared: Vec<String>) {
            self.is_that_of_one_machine_with(&[], shared);
        }

        pub(crate) fn is_that_of_one_machine_with(&self, options: &[&str], shared: Vec<String>) {
            ended(self.batch("single", options), 0);
            let single = without_cache(self.reports("single"));
            assert!(single == without_cache(shared), "the reports differ");
        }

        /// Starts the model again on its port, so that no prompt is in its cache.
        fn forget_prompts(&mut self) {
            let port = self.model.base().rsplit(':').next().unwrap().parse().unwrap();
            let latency = Duration::from_millis(50);
            self.model = ModelServer::start_with(plain, latency, None, 0).unwrap();
            for _ in 0..100 {
                if let Ok(model) = ModelServer::start_with(plain, latency, None, port) {
                    self.model = model;
                    return;
                }
                std::thread::sleep(Duration::from_millis(100));
            }
            panic!("the port of the model is still in use");
        }

        pub(crate) fn wait_for_questions(&self, count: usize) {
            while self.model.asked().len() < count {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }

    impl Worker {
        pub(crate) fn signal(&self, name: &str) {
            let id = self.child.id().to_string();
            assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
        }

        /// Stops it as if its machine slept, while it runs a paper.
        fn stop_with_a_paper(&self) {
            self.stop_while(|log| log.matches(": started").count() > log.matches(": complete").count());
        }

        /// Stops it as if its machine slept, while its log `shows` something.
        pub(crate) fn stop_while(&self, shows: impl Fn(&str) -> bool) {
            loop {
                std::thread::sleep(Duration::from_millis(20));
                if shows(&self.log()) {
                    self.signal("-STOP");
                    if shows(&self.log()) {
                        return;
                    }
                    self.signal("-CONT");
                }
            }
        }

        pub(crate) fn log(&self) -> String {
            fs::read_to_string(&self.log).unwrap()
        }

        pub(crate) fn wait_for(&self, words: &str) {
            while !self.log().contains(words) {
                std::thread::sleep(Duration::from_millis(50));
            }
        }

        /// Ends it as a service is ended, and returns its log.
        pub(crate) fn drain(mut self) -> String {
            self.signal("-TERM");
            assert_eq!(self.child.wait().unwrap().code(), Some(0), "{}", self.log());
            self.log()
        }

        pub(crate) fn kill(mut self) {
            self.child.kill().unwrap();
            self.child.wait().unwrap();
        }
    }

    impl Drop for Worker {
        fn drop(&mut self) {
            // A test that failed must leave none.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }

    /// Reports without the share of prompts that the provider had in its cache. It depends on what was sent before, such as a call that was in flight when
    /// its worker was killed.
    fn without_cache(reports: Vec<String>) -> Vec<String> {
        let is_digit = |c: char| c.is_ascii_digit();
        let without = |report: String| {
            let parts = report
                .split(" % from the cache")
                .map(|part| part.trim_end_matches(is_digit));
            let report = parts.collect::<Vec<_>>().join(" % from the cache");
            let parts = report
                .split("\"cached_tokens\": ")
                .map(|part| part.trim_start_matches(is_digit));
            parts.collect::<Vec<_>>().join("\"cached_tokens\": ")
        };
        reports.into_iter().map(without).collect()
    }

    pub(crate) fn summary(out: &Path) -> Vec<Value> {
        let summary: Value = serde_json::from_slice(&fs::read(out.join("summary.json")).unwrap()).unwrap();
        summary["papers"].as_array().unwrap().clone()
    }

    pub(crate) fn ended(child: Child, code: i32) -> Output {
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(!stderr(&output).contains(PostgresServer::PASSWORD));
        output
    }

    #[test]
    #[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
    fn workers_make_the_same_reports_as_one_machine_and_their_runs_replay() {
        let mut venue = Venue::new("fleet-two", 6, 50);
        ended(venue.batch("single", &[]), 0);
        let asked = venue.model.asked().len();
        venue.forget_prompts();
        let workers = ["w1", "w2"].map(|name| venue.worker(name, "store", &venue.allowed()));
        ended(venue.shared("shared", "0"), 0);
        assert!(venue.reports("shared") == venue.reports("single"), "the reports differ");
        assert_eq!(
            summary(&venue.folder.join("shared")),
            summary(&venue.folder.join("single"))
        );
        assert_eq!(venue.model.asked().len(), asked);
        assert_eq!(venue.model.asked_again().len(), 0);
        for worker in workers {
            let log = worker.drain();
            assert!(log.contains("complete"), "{log}");
        }
        // The same command again uses what is there, without a worker.
        ended(venue.shared("shared", "0"), 0);
        ended(venue.shared("elsewhere", "0"), 0);
        assert!(
            venue.reports("elsewhere") == venue.reports("single"),
            "the reports differ"
        );
        let found = venue
            .command(&["batches", "--json", "--database", &venue.database.url()])
            .output()
            .unwrap();
        let found: Value = serde_json::from_slice(&found.stdout).unwrap();
        assert_eq!(
            (&found[0]["done"], &found[0]["state"]),
            (&Value::from(6), &Value::from("ended"))
        );
        ended(venue.batch("shared", &["--replay"]), 0);
        assert!(venue.reports("shared") == venue.reports("single"), "the replay differs");
        assert_eq!(venue.model.asked().len(), asked);
        // A batch with a late paper is another batch, and pays only for that paper.
        let paper = fs::read_to_string(venue.folder.join("papers/boats0.md")).unwrap();
        fs::write(venue.folder.join("papers/late.md"), paper.replace("boats0", "rafts")).unwrap();
        ended(venue.shared("late", "2"), 0);
        assert_eq!(venue.model.asked().len(), asked / 6 * 7);
        assert_eq!(venue.model.asked_again().len(), 0);
    }

    #[test]
    #[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
    fn killed_and_stopped_workers_lose_no_paper_and_change_no_report() {
        let venue = Venue::new("fleet-chaos", 8, 100);
        let batch = venue.shared("shared", "0");
        let (killed, stopped) = (
            venue.worker("w1", "store", &venue.allowed()),
            venue.worker("w2", "store", &venue.allowed()),
        );
        venue.wait_for_questions(6);
        killed.wait_for("started");
        killed.kill();
        stopped.stop_with_a_paper();
        let survivor = venue.worker("w3", "store", &venue.allowed());
        ended(batch, 0);
        stopped.signal("-CONT");
        stopped.drain();
        survivor.drain();
        let before = venue.reports("shared");
        ended(venue.shared("again", "0"), 0);
        assert!(venue.reports("again") == before, "a stopped worker changed a report");
        venue.is_that_of_one_machine(before);
    }

    #[test]
    #[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
    fn a_database_that_loses_power_fails_no_paper() {
        let venue = Venue::new("fleet-power", 4, 100);
        let batch = venue.shared("shared", "0");
        let worker = venue.worker("w1", "store", &venue.allowed());
        venue.wait_for_questions(6);
        venue.database.crash().unwrap();
        std::thread::sleep(Duration::from_secs(2));
        venue.database.resume().unwrap();
        ended(batch, 0);
        worker.drain();
        let before = venue.reports("shared");
        venue.is_that_of_one_machine(before);
    }

    #[test]
    #[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
    fn a_paper_that_ends_its_workers_is_parked_and_the_others_are_done() {
        let mut venue = Venue::new("fleet-poison", 1, 0);
        // No answer comes before the worker is killed.
        venue.model = ModelServer::start_with(plain, Duration::from_secs(60), None, 0).unwrap();
        let batch = venue.shared("shared", "0");
        for attempt in 1..=3 {
            let worker = venue.worker(&format!("w{attempt}"), "store", &venue.allowed());
            worker.wait_for("started");
            worker.kill();
        }
        let last = venue.worker("w4", "store", &venue.allowed());
        let output = ended(batch, 3);
        assert!(
            stdout(&output).contains("3 workers ended while they ran it"),
            "{}",
            stdout(&output)
        );
        let log = last.drain();
        assert!(!log.contains("started"), "{log}");
        let shown = venue
            .command(&["batches", "--database", &venue.database.url()])
            .output()
            .unwrap();
        assert!(stdout(&shown).contains("1 parked"), "{}", stdout(&shown));
    }

    #[test]
    #[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
    fn a_worker_refuses_other_stores_and_addresses_and_a_batch_can_help_itself() {
        let venue = Venue::new("fleet-refused", 2, 0);
        let (elsewhere, closed) = (
            venue.worker("w1", "other-store", &venue.allowed()),
            // Without a provider it is allowed for `compatible` only.
            venue.worker("w2", "store", &venue.base()),
        );
        let batch = venue.shared("shared", "0");
        elsewhere.wait_for("its papers are not in the store");
        closed.wait_for("it sends requests for openai to");
        assert!(venue.model.asked().is_empty());
        // A second process of the same batch, which runs papers too.
        ended(venue.shared("helped", "2"), 0);
        ended(batch, 0);
        assert!(venue.reports("shared") == venue.reports("helped"), "the reports differ");
        assert!(!elsewhere.drain().contains("started"));
        assert!(!closed.drain().contains("started"));
    }

    #[test]
    #[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
    fn a_worker_without_a_key_and_unusable_papers_fail_no_other_paper() {
        let venue = Venue::new("fleet-keyless", 2, 0);
        let papers = venue.folder.join("papers");
        fs::write(
            papers.join("parts.tex"),
            "\\documentclass{article}\\begin{document}\\input{body}\\end{document}",
        )
        .unwrap();
        fs::write(papers.join("body.tex"), "We count boats.").unwrap();
        fs::write(
            papers.join("a:b.md"),
            "# Counting\n\n## Abstract\n\nWe count the boats.\n",
        )
        .unwrap();
        let keyless = venue.worker(KEYLESS, "store", &venue.allowed());
        let batch = venue.shared("shared", "0");
        keyless.wait_for("cannot run the papers of");
        let worker = venue.worker("w1", "store", &venue.allowed());
        let output = ended(batch, 3);
        let text = stdout(&output);
        assert!(text.contains("give the folder of the LaTeX project"), "{text}");
        assert!(text.contains("cannot be used on all machines"), "{text}");
        let done = summary(&venue.folder.join("shared"));
        let done = done.iter().filter(|paper| paper["status"] == "complete").count();
        assert_eq!(done, 2, "{text}");
        assert_eq!(keyless.drain().matches(": started").count(), 1);
        worker.drain();
    }

    #[test]
    #[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
    fn a_paper_whose_run_in_the_store_was_lost_is_run_again() {
        let venue = Venue::new("fleet-lost", 2, 0);
        ended(venue.shared("shared", "1"), 0);
        let store = venue.folder.join("store");
        fs::remove_dir_all(store.join("runs")).unwrap();
        ended(venue.shared("again", "1"), 0);
        assert!(venue.reports("again") == venue.reports("shared"), "the reports differ");
        // All reports are damaged, and written again.
        for folder in fs::read_dir(store.join("objects")).unwrap() {
            for object in fs::read_dir(folder.unwrap().path()).unwrap() {
                let path = object.unwrap().path();
                if fs::read(&path).unwrap().starts_with(b"<!") {
                    fs::write(&path, "damaged").unwrap();
                }
            }
        }
        ended(venue.shared("third", "1"), 0);
        assert!(venue.reports("third") == venue.reports("shared"), "the reports differ");
    }

    #[test]
    #[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
    fn a_damaged_object_and_a_database_that_is_away_are_reported() {
        let venue = Venue::new("fleet-damaged", 2, 0);
        ended(venue.shared("shared", "1"), 0);
        let objects = venue.folder.join("store/objects");
        for folder in fs::read_dir(&objects).unwrap() {
            for object in fs::read_dir(folder.unwrap().path()).unwrap() {
                let path = object.unwrap().path();
                let text = fs::read(&path).unwrap();
                if text.starts_with(b"# Counting") {
                    fs::write(&path, "# Something else").unwrap();
                }
            }
        }
        // Another batch with the same papers.
        let (url, store) = (venue.database.url(), venue.folder.join("store"));
        let more = [
            "--database",
            &url,
            "--store",
            store.to_str().unwrap(),
            "--jobs",
            "1",
            "--seed",
            "7",
        ];
        let output = ended(venue.batch("other", &more), 3);
        assert!(
            stdout(&output).contains("it is damaged; delete it"),
            "{}",
            stdout(&output)
        );
        venue.database.crash().unwrap();
        let output = ended(venue.shared("shared", "0"), 3);
        assert!(stderr(&output).contains("no server answers"), "{}", stderr(&output));
        let mut worker = venue.worker("w1", "store", &venue.allowed());
        assert_eq!(worker.child.wait().unwrap().code(), Some(3));
        assert!(worker.log().contains("no server answers"), "{}", worker.log());
    }
}

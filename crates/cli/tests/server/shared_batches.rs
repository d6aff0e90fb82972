//! Batches that several machines share, as a server shows them.

use super::client::{Server, fresh_folder, program};

fn refused(arguments: &[&str]) -> String {
    let data = fresh_folder("shared-refused");
    let output = program()
        .args(["serve", "--bind", "127.0.0.1:0", "--data"])
        .arg(&data)
        .args(arguments)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_store_alone_is_refused() {
    let message = refused(&["--store", "store"]);
    assert!(message.contains("name it with --database"), "{message}");
}

#[test]
fn a_server_without_a_database_says_what_shared_batches_need() {
    let server = Server::start("shared-none");
    assert_eq!(server.get("/api/v1/shared-batches").json(), serde_json::json!([]));
    let missing = server.get("/shared-batches/batch-1");
    assert_eq!(missing.status, 404);
    assert!(missing.text().contains("--database"), "{}", missing.text());
    assert!(!server.get("/batches").text().contains("Shared with other machines"));
}

#[cfg(all(feature = "postgres", unix))]
mod with_a_database {
    use std::fs;
    use std::path::Path;
    use std::process::{Child, Stdio};
    use std::time::Instant;

    use precedent_scripted::PostgresServer;
    use serde_json::{Value, json};

    use super::*;
    use crate::client::{PATIENCE, root};
    use crate::users::{Person, add_user};

    /// Starts a batch of two papers and a file that is none, in a folder with a hostile name.
    fn batch(folder: &Path, database: &PostgresServer, jobs: &str) -> Child {
        let papers = folder.join("papers");
        fs::create_dir_all(&papers).unwrap();
        for thing in ["boats", "buoys"] {
            let text = format!(
                "# Counting {thing} with One Rope\n\n## Abstract\n\nHarbour masters count {thing} by hand. We propose a rope with a sensor that counts the \
                 {thing} moored to it. We show that the sensor counts {thing} as well as a harbour master does.\n\n## Introduction\n\nWe propose a sensor \
                 that measures the pull of the rope and counts the {thing} from it.\n"
            );
            fs::write(papers.join(format!("{thing}.md")), text).unwrap();
        }
        fs::write(papers.join("empty.md"), "# None").unwrap();
        program()
            .arg("batch")
            .arg(&papers)
            .args(["--corpus", "examples/works", "--jobs", jobs, "--out"])
            .arg(folder.join("<img src=x>"))
            .arg("--store")
            .arg(folder.join("store"))
            .env("PRECEDENT_DATABASE", database.url())
            .env("XDG_DATA_HOME", folder.join("home"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    fn server(folder: &Path, database: &PostgresServer) -> Server {
        fs::create_dir_all(folder.join("store")).unwrap();
        let mut command = program();
        command.env("PRECEDENT_DATABASE", database.url());
        let store = folder.join("store");
        Server::start_with(&folder.join("data"), &["--store", store.to_str().unwrap()], command)
    }

    fn only(server: &Server) -> Value {
        let batches = server.get("/api/v1/shared-batches").json();
        assert_eq!(batches.as_array().unwrap().len(), 1, "{batches}");
        batches[0].clone()
    }

    #[test]
    #[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
    fn a_batch_of_other_machines_is_shown_with_its_reports() {
        let folder = fresh_folder("shared-shown");
        let database = PostgresServer::start().unwrap();
        // One paper fails.
        assert_eq!(batch(&folder, &database, "2").wait().unwrap().code(), Some(3));
        let server = server(&folder, &database);
        let shown = only(&server);
        assert_eq!(
            json!([shown["papers"], shown["done"], shown["failed"], shown["state"]]),
            json!([3, 2, 1, "ended"])
        );
        let id = shown["id"].as_str().unwrap();
        let papers = server
            .get(&format!("/api/v1/shared-batches/{id}/papers?state=done"))
            .json();
        let summary: Value =
            serde_json::from_slice(&fs::read(folder.join("<img src=x>/summary.json")).unwrap()).unwrap();
        let expected: Vec<&Value> = summary["papers"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|paper| paper["status"] == "complete")
            .collect();
        let found: Vec<&Value> = papers
            .as_array()
            .unwrap()
            .iter()
            .map(|paper| &paper["result"])
            .collect();
        assert_eq!(found, expected);

        // Files are those that the run reported.
        let run = papers[0]["folder"].as_str().unwrap();
        let files = format!("/api/v1/shared-batches/{id}/papers/{run}/files");
        for name in ["report.json", "report.html"] {
            let here = fs::read(folder.join("<img src=x>").join(run).join(name)).unwrap();
            let answer = server.get(&format!("{files}/{name}"));
            assert!(answer.status == 200 && answer.body == here, "{name}");
            let policy = answer.header("content-security-policy").unwrap();
            assert!(policy.contains("sandbox") || policy == "default-src 'none'", "{policy}");
        }
        for name in ["run.json", "ledger.sqlite", "..%2F..%2Fobjects", "events.jsonl"] {
            assert_eq!(server.get(&format!("{files}/{name}")).status, 404, "{name}");
        }

        let page = server.get(&format!("/shared-batches/{id}"));
        let text = page.text();
        assert!(text.contains("&#60;img src=x&#62;") && !text.contains("<img"), "{text}");
        assert!(text.contains("Counting boats with One Rope"));
        assert!(text.contains(&format!("{files}/report.html")));
        assert!(text.contains("2 done") && text.contains("1 failed") && text.contains("empty.md"));
        assert!(!text.contains("Pause"));
        let done = server.get(&format!("/shared-batches/{id}?state=failed")).text();
        assert!(done.contains("empty.md") && !done.contains("Counting boats"), "{done}");
        assert!(server.get("/batches").text().contains(&format!("/shared-batches/{id}")));
        let metrics = server.get("/api/v1/metrics").text();
        assert!(
            metrics.contains("precedent_runs{state=") && metrics.contains("state=\"done\"} 2"),
            "{metrics}"
        );

        // What has ended cannot be paused, and what is not there cannot be shown.
        assert_eq!(server.form(&format!("/shared-batches/{id}/pause"), &[]).status, 409);
        for path in ["/shared-batches/batch-x", "/api/v1/shared-batches/batch-x/papers"] {
            assert_eq!(server.get(path).status, 404, "{path}");
        }

        let wrong = server.get(&format!("/api/v1/shared-batches/{id}/papers?state=wating"));
        assert!(
            wrong.status == 400 && wrong.text().contains("waiting"),
            "{}",
            wrong.text()
        );

        // A lost result hides no other.
        let result = folder.join("store/runs").join(id).join(run).join("1");
        fs::remove_file(&result).unwrap();
        drop(server);
        let again = self::server(&folder, &database);
        let papers = again
            .get(&format!("/api/v1/shared-batches/{id}/papers?state=done"))
            .json();
        assert!(
            papers[0]["error"].as_str().unwrap().contains("was it deleted?"),
            "{papers}"
        );
        assert!(papers[1]["result"]["claims"].is_array());
        assert_eq!(again.get(&format!("{files}/report.json")).status, 404);

        // Reports in another store are no lost ones.
        drop(again);
        fs::create_dir_all(folder.join("other")).unwrap();
        let mut command = program();
        command.env("PRECEDENT_DATABASE", database.url());
        let store = folder.join("other");
        let elsewhere = Server::start_with(&folder.join("data"), &["--store", store.to_str().unwrap()], command);
        let papers = elsewhere
            .get(&format!("/api/v1/shared-batches/{id}/papers?state=done"))
            .json();
        assert_eq!(papers[0]["error"], "its report is not in the store of this server");
        assert_eq!(elsewhere.get(&format!("{files}/report.json")).status, 404);
    }

    #[test]
    #[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
    fn a_batch_is_paused_resumed_preferred_and_cancelled() {
        let folder = fresh_folder("shared-control");
        let database = PostgresServer::start().unwrap();
        let mut waiting = batch(&folder, &database, "0");
        let server = server(&folder, &database);
        let start = Instant::now();
        let id = loop {
            let batches = server.get("/api/v1/shared-batches").json();
            if let Some(id) = batches[0]["id"].as_str() {
                break id.to_owned();
            }
            assert!(start.elapsed() < PATIENCE);
            std::thread::sleep(std::time::Duration::from_millis(100));
        };
        let page = format!("/shared-batches/{id}");
        assert!(server.get(&page).text().contains("Pause"));
        assert_eq!(server.form(&format!("{page}/pause"), &[]).status, 303);
        assert_eq!(only(&server)["state"], "paused");
        assert!(server.get(&page).text().contains("Resume"));
        let control = format!("/api/v1/shared-batches/{id}/control");
        assert_eq!(server.post(&control, &json!("resume")).json()["state"], "open");
        assert_eq!(server.post(&control, &json!({ "priority": 7 })).json()["priority"], 7);
        assert_eq!(server.post(&control, &json!("delete")).status, 400);
        assert_eq!(server.form(&format!("{page}/cancel"), &[]).status, 303);
        let cancelled = only(&server);
        assert_eq!(
            (&cancelled["cancelled"], &cancelled["state"]),
            (&json!(3), &json!("cancelled"))
        );
        assert_eq!(server.post(&control, &json!("resume")).status, 409);
        assert_eq!(waiting.wait().unwrap().code(), Some(3));
    }

    #[test]
    #[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
    fn only_users_with_the_right_see_shared_batches() {
        let folder = fresh_folder("shared-users");
        let database = PostgresServer::start().unwrap();
        assert_eq!(batch(&folder, &database, "2").wait().unwrap().code(), Some(3));
        let data = folder.join("data");
        let (ada, bob) = (
            add_user(&data, "ada", &["--shared-batches"]),
            add_user(&data, "bob", &[]),
        );
        let server = server(&folder, &database);
        let (ada, bob) = (Person::new(&server, &ada), Person::new(&server, &bob));
        let batches = ada.get("/api/v1/shared-batches").json();
        let id = batches[0]["id"].as_str().unwrap();
        let papers = ada
            .get(&format!("/api/v1/shared-batches/{id}/papers?state=done"))
            .json();
        let run = papers[0]["folder"].as_str().unwrap();
        assert_eq!(bob.get("/api/v1/shared-batches").json(), json!([]));
        for path in [
            format!("/shared-batches/{id}"),
            format!("/api/v1/shared-batches/{id}"),
            format!("/api/v1/shared-batches/{id}/papers"),
            format!("/api/v1/shared-batches/{id}/papers/{run}/files/report.json"),
        ] {
            assert_eq!((ada.get(&path).status, bob.get(&path).status), (200, 404), "{path}");
        }
        let control = format!("/api/v1/shared-batches/{id}/control");
        assert_eq!(bob.send("POST", &control, b"\"cancel\"").status, 404);
        assert!(!bob.get("/api/v1/metrics").text().contains(id));
    }

    #[test]
    #[ignore = "needs the programs of PostgreSQL: initdb and pg_ctl"]
    fn a_database_that_is_away_hides_nothing_else() {
        let folder = fresh_folder("shared-away");
        let database = PostgresServer::start().unwrap();
        let server = server(&folder, &database);
        assert_eq!(server.get("/api/v1/shared-batches").json(), json!([]));
        database.crash().unwrap();
        let batches = server.get("/batches");
        assert_eq!(batches.status, 200);
        assert!(batches.text().contains("cannot be used now"), "{}", batches.text());
        assert_eq!(server.get("/api/v1/shared-batches").status, 503);
        assert!(server.get("/api/v1/metrics").text().contains("precedent_runs{state="));
        database.resume().unwrap();
        assert_eq!(server.get("/api/v1/shared-batches").status, 200);
        // A server does not start without it.
        database.crash().unwrap();
        let output = program()
            .args(["serve", "--bind", "127.0.0.1:0", "--data"])
            .arg(folder.join("other"))
            .env("PRECEDENT_DATABASE", database.url())
            .current_dir(root())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(3));
        assert!(!String::from_utf8_lossy(&output.stderr).contains(PostgresServer::PASSWORD));
    }
}

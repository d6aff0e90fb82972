use std::fs;
use std::time::Duration;

use super::client::{Server, fresh_folder};

#[test]
fn a_killed_server_continues_its_runs() {
    let data = fresh_folder("killed");
    // A reference that was never interrupted.
    let whole = Server::start("whole");
    let id = whole.assess_example();
    whole.wait_for(&id, "finished");
    let expected = whole.get(&format!("/api/v1/runs/{id}/files/report.json")).body;

    let mut server = Server::start_in(&data, &[]);
    assert_eq!(server.assess_example(), id);
    // At different moments of the run.
    for pause in [0, 30, 150, 400, 900] {
        std::thread::sleep(Duration::from_millis(pause));
        server.kill();
        let record = fs::read_to_string(data.join("runs").join(&id).join("job.json")).unwrap();
        assert!(record.contains(&id));
        server = Server::start_in(&data, &[]);
        assert_eq!(server.get("/api/v1/runs").json()["total"], 1);
    }
    server.wait_for(&id, "finished");
    assert!(server.get(&format!("/api/v1/runs/{id}/files/report.json")).body == expected);
}

#[test]
fn a_stopped_run_is_resumed() {
    let server = Server::start("stopped");
    let id = server.assess_example();
    server.wait_for(&id, "running");
    let stop = server.send("POST", &format!("/api/v1/runs/{id}/stop"), &[], b"");
    // It may have finished meanwhile, on a fast machine.
    if stop.status == 202 {
        let start = std::time::Instant::now();
        while server.run(&id)["state"] == "running" {
            assert!(start.elapsed() < super::client::PATIENCE);
            std::thread::sleep(Duration::from_millis(20));
        }
    }
    let state = server.run(&id)["state"].clone();
    assert!(state == "stopped" || state == "finished", "{state}");
    let resumed = server.send("POST", &format!("/api/v1/runs/{id}/resume"), &[], b"");
    assert_eq!(resumed.status, 202, "{}", resumed.text());
    server.wait_for(&id, "finished");
    assert_eq!(server.run(&id)["executions"], 2);
}

#[test]
fn two_servers_do_not_share_a_data_folder() {
    let server = Server::start("shared");
    let second = super::client::program()
        .args(["serve", "--bind", "127.0.0.1:0", "--data"])
        .arg(&server.data)
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(2));
    let message = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(
        message.contains("another server is using it") && message.contains("--data"),
        "{message}"
    );
}

#[cfg(unix)]
#[test]
fn a_server_that_is_asked_to_end_records_its_runs() {
    let mut server = Server::start("terminated");
    let id = server.assess_example();
    server.wait_for(&id, "running");
    let data = server.terminate();
    let record = fs::read_to_string(data.join("runs").join(&id).join("job.json")).unwrap();
    assert!(
        record.contains("\"state\": \"queued\"") || record.contains("\"state\": \"finished\""),
        "{record}"
    );
    let server = Server::start_in(&data, &[]);
    server.wait_for(&id, "finished");
}

#[test]
fn a_stop_outlives_the_server() {
    let server = Server::start("stop-killed");
    let id = server.assess_example();
    server.wait_for(&id, "running");
    let stop = server.send("POST", &format!("/api/v1/runs/{id}/stop"), &[], b"");
    let data = server.kill();
    let server = Server::start_in(&data, &[]);
    let state = server.run(&id)["state"].clone();
    // It may have finished before the stop, on a fast machine.
    let expected = if stop.status == 202 { "stopped" } else { "finished" };
    assert!(state == expected || state == "finished", "{state}");
    assert_eq!(server.run(&id)["executions"], 1);
}

/// Writes the state of a run as a killed server would have left it.
fn set_state(data: &std::path::Path, id: &str, state: &str) {
    let file = data.join("runs").join(id).join("job.json");
    let mut record: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    record["state"] = state.into();
    fs::write(&file, record.to_string()).unwrap();
}

#[test]
fn a_stored_run_gets_no_more_than_the_server_offers_now() {
    let data = fresh_folder("narrower");
    let paper = fs::read(super::client::root().join("examples/paper.pdf")).unwrap();
    let offered = ["--model", "openai:gpt-5-mini", "--budget", "2"];
    let with_service: (&str, &str, &[u8]) = ("source", "", b"openalex");
    let with_model: (&str, &str, &[u8]) = ("model", "", b"openai:gpt-5-mini");
    for (extra, restart) in [(with_service, ["--local-only"].as_slice()), (with_model, &[])] {
        let server = Server::start_in(&data, &offered);
        let fields = [
            ("file", "paper.pdf", paper.as_slice()),
            ("job", "", b"assess"),
            ("corpus", "", b"works"),
            extra,
        ];
        let draft = server.multipart("/new", &fields);
        assert_eq!(draft.status, 303, "{}", draft.text());
        let page = draft.header("location").unwrap().to_owned();
        let id = page.trim_start_matches("/runs/").to_owned();
        assert!(server.get(&page).text().contains("Start the run"), "{page}");
        server.kill();

        // It cannot be started.
        let server = Server::start_in(&data, restart);
        assert!(!server.get(&page).text().contains("Start the run"));
        assert!(server.form(&format!("{page}/start"), &[]).status >= 400);
        let resumed = server.send("POST", &format!("/api/v1/runs/{id}/resume"), &[], b"");
        assert!(resumed.status >= 400, "{}", resumed.text());
        assert_eq!(server.run(&id)["state"], "draft");
        server.kill();

        // Nor is it continued.
        for state in ["queued", "running"] {
            set_state(&data, &id, state);
            let server = Server::start_in(&data, restart);
            let run = server.wait_for(&id, "stopped");
            assert!(run["problem"]["detail"].is_string(), "{run}");
            assert_eq!(
                server.get(&format!("/api/v1/runs/{id}/requests")).json(),
                serde_json::json!([])
            );
            server.kill();
        }
    }
}

#[test]
fn a_budget_is_a_number() {
    for budget in ["NaN", "inf", "-1"] {
        let refused = super::client::program()
            .args([
                "serve",
                "--bind",
                "127.0.0.1:0",
                &format!("--budget={budget}"),
                "--data",
            ])
            .arg(fresh_folder("budget"))
            .output()
            .unwrap();
        assert_eq!(refused.status.code(), Some(2), "{budget}");
    }
}

#[cfg(unix)]
#[test]
fn a_server_in_another_program_says_what_to_use() {
    // As the Python package calls it.
    let folder = fresh_folder("renamed");
    fs::create_dir_all(&folder).unwrap();
    let renamed = folder.join("python3");
    fs::hard_link(env!("CARGO_BIN_EXE_precedent"), &renamed).unwrap();
    let refused = std::process::Command::new(&renamed)
        .env_remove("PRECEDENT_PROGRAM")
        .args(["serve", "--bind", "127.0.0.1:0", "--data"])
        .arg(folder.join("data"))
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{message}");
    assert!(message.contains("PRECEDENT_PROGRAM"), "{message}");
}

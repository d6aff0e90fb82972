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

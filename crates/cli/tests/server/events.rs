use std::io::{BufRead, BufReader, Write};

use serde_json::Value;

use super::client::Server;

/// Reads events until `end` or until `most` were received: id, name and data of each.
fn events(server: &Server, id: &str, last: Option<&str>, most: usize) -> (u16, Vec<(String, String, Value)>) {
    let mut stream = server.connect();
    let last = last
        .map(|last| format!("Last-Event-ID: {last}\r\n"))
        .unwrap_or_default();
    write!(
        stream,
        "GET /api/v1/runs/{id}/events HTTP/1.1\r\nHost: {}\r\n{last}\r\n",
        server.address
    )
    .unwrap();
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    let status = lines.next().unwrap();
    let status: u16 = status.split(' ').nth(1).unwrap().parse().unwrap();
    let mut found = Vec::new();
    let (mut event_id, mut name) = (String::new(), String::new());
    if status != 200 {
        return (status, found);
    }
    for line in lines {
        match line.split_once(": ") {
            Some(("event", value)) => name = value.to_owned(),
            Some(("id", value)) => event_id = value.to_owned(),
            Some(("data", value)) => {
                let mut data: Value = serde_json::from_str(value).unwrap();
                // The file and the stream each take the time.
                data.as_object_mut().unwrap().remove("time");
                found.push((event_id.clone(), name.clone(), data));
                if name == "end" || found.len() == most {
                    break;
                }
            }
            _ => {}
        }
    }
    (status, found)
}

#[test]
fn a_client_gets_each_event_once_whenever_it_comes() {
    let server = Server::start("events");
    let id = server.assess_example();
    // While it runs.
    let (_, live) = events(&server, &id, None, usize::MAX);
    let live: Vec<_> = live.into_iter().filter(|(_, name, _)| name != "queued").collect();
    let names: Vec<&str> = live.iter().map(|(_, name, _)| name.as_str()).collect();
    assert_eq!(names.first(), Some(&"started"));
    assert_eq!(names.last(), Some(&"end"));
    assert!(
        names.contains(&"stage") && names.contains(&"source") && names.contains(&"file_written"),
        "{names:?}"
    );
    assert_eq!(live.last().unwrap().2["state"], "finished");
    server.wait_for(&id, "finished");

    // Afterwards: the same, and the same numbers as in the run's file.
    let (_, later) = events(&server, &id, None, usize::MAX);
    assert_eq!(live, later);
    for (number, (event_id, _, data)) in (1..).zip(&later[..later.len() - 1]) {
        assert_eq!(
            (event_id, &data["number"]),
            (&format!("1.{number}"), &Value::from(number))
        );
    }

    // A client that comes back.
    let (_, first) = events(&server, &id, None, 5);
    let (_, rest) = events(&server, &id, Some(&first[4].0), usize::MAX);
    assert_eq!([first, rest].concat(), later);
    assert_eq!(events(&server, &id, Some("1.end"), usize::MAX).0, 204);
    // Of another execution: from the start.
    assert_eq!(events(&server, &id, Some("7.3"), usize::MAX).1, later);
    assert_eq!(events(&server, "no-such-run", None, usize::MAX).0, 404);
}

#[test]
fn a_run_that_waits_says_its_place() {
    let server = Server::start_in(&super::client::fresh_folder("queue"), &["--jobs", "1"]);
    let first = server.assess_example();
    let input = server.upload_example();
    let second = server
        .post(
            "/api/v1/runs",
            &serde_json::json!({ "job": "assess", "input": input, "corpora": ["works"], "seed": 1 }),
        )
        .json();
    let third = server
        .post(
            "/api/v1/runs",
            &serde_json::json!({ "job": "assess", "input": input, "corpora": ["works"], "seed": 2 }),
        )
        .json();
    let (second, third) = (second["id"].as_str().unwrap(), third["id"].as_str().unwrap());
    // A waiting run is stopped at once, and resumed at the end of the queue.
    if server.run(third)["state"] == "queued" {
        assert_eq!(
            server
                .send("POST", &format!("/api/v1/runs/{third}/stop"), &[], b"")
                .status,
            202
        );
        assert_eq!(server.run(third)["state"], "stopped");
        server.send("POST", &format!("/api/v1/runs/{third}/resume"), &[], b"");
    }
    let (_, found) = events(&server, third, None, usize::MAX);
    assert_eq!(found.last().unwrap().2["state"], "finished");
    for id in [first.as_str(), second, third] {
        server.wait_for(id, "finished");
    }
    // One after the other, in order.
    let ended = |id: &str| server.run(id)["ended"].as_u64().unwrap();
    assert!(ended(&first) <= ended(second) && ended(second) <= ended(third));
}

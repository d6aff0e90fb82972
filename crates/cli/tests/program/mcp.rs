//! `precedent mcp`: what agents get from each tool.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::mcp_client::{Client, HttpServer};
use crate::support::{fresh_folder, json as output, precedent, root, stderr, stdout};

pub(crate) const WORKS: &str = "examples/works";
pub(crate) const CLAIM: &str = "Pilot tugs tell our receiver how stiff the rope has become.";
const QUOTE: &str = "A frame starts with four pilot tugs of known height.";
pub(crate) const IDEA: &str = "Two buoys share a rope and send symbols by tugging it. Each symbol is put into an interval in which both predict from the swell that the rope is taut.";

/// A client whose root is the sample, with a new folder for its runs.
pub(crate) fn on_the_sample(name: &str, options: &[&str]) -> (Client, PathBuf) {
    let runs = fresh_folder(&format!("mcp-{name}"));
    let mut all = vec![
        "--root",
        "examples",
        "--corpus",
        WORKS,
        "--runs",
        runs.to_str().unwrap(),
    ];
    all.extend(options);
    (Client::start(&root(), &all), runs)
}

/// Calls `get_run` until the run has ended.
pub(crate) fn ended(client: &mut Client, run: &Value) -> Value {
    let began = Instant::now();
    loop {
        let found = client.call("get_run", &json!({"run": run, "wait_seconds": 5}));
        if !["queued", "running"].contains(&found["status"].as_str().unwrap()) {
            return found;
        }
        assert!(began.elapsed() < Duration::from_secs(300), "{found:#}");
    }
}

#[test]
fn texts_and_claims_have_the_answers_of_the_command_line() {
    let (mut client, _) = on_the_sample("answers", &[]);
    let tools = client.tools();
    let names: Vec<&str> = tools.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "assess",
            "cancel_run",
            "check_idea",
            "estimate",
            "get_evidence",
            "get_run",
            "list_corpora",
            "match_claim",
            "overlap",
            "read_paper",
            "search_prior_work",
            "verify_quote"
        ]
    );
    for (name, tool) in &tools {
        assert_eq!(tool["annotations"]["openWorldHint"], false, "{name} is offline");
    }
    assert_eq!(tools["match_claim"]["annotations"]["readOnlyHint"], true);
    assert_eq!(tools["assess"]["annotations"]["readOnlyHint"], false);

    let listed = client.call("list_corpora", &json!({}));
    assert_eq!(listed["corpora"][0]["name"], "works");
    assert!(listed["corpora"][0]["papers"].as_u64().unwrap() > 5, "{listed:#}");
    assert_eq!((&listed["sources"], &listed["model"]), (&json!([]), &Value::Null));

    let found = client.call("match_claim", &json!({"claim": CLAIM, "limit": 3, "as_of": "2024"}));
    let own = output(&precedent(&[
        "match", CLAIM, "--corpus", WORKS, "--limit", "3", "--as-of", "2024", "--json",
    ]));
    assert_eq!(found["results"], own["results"]);
    assert_eq!(found["results"][0]["level"], "similar");

    let found = client.call("search_prior_work", &json!({"query": "ropes that creep", "limit": 4}));
    let own = output(&precedent(&[
        "search",
        "ropes that creep",
        "--corpus",
        WORKS,
        "--limit",
        "4",
        "--json",
    ]));
    assert_eq!(found["results"], own["results"]);
    assert_eq!(found["results"].as_array().unwrap().len(), 4);
    // A folder below the root can be searched like a corpus.
    let own = client.call(
        "search_prior_work",
        &json!({"query": "ropes", "corpora": ["works/full-texts"]}),
    );
    assert!(!own["results"].as_array().unwrap().is_empty());

    // A paper of a corpus can be read and quoted by its id, where the passage says.
    let results = client.call("match_claim", &json!({"claim": CLAIM, "limit": 1}))["results"].clone();
    let (id, passage) = (&results[0]["id"], &results[0]["passage"]);
    let read = client.call("read_paper", &json!({"id": id, "start": passage["range"][0]}));
    assert!(
        read["page"]["text"]
            .as_str()
            .unwrap()
            .starts_with(passage["text"].as_str().unwrap()),
        "{read:#}"
    );
    assert_eq!(
        (&read["extent"], &read["title"]),
        (&json!("full_text"), &results[0]["title"])
    );
    let checked = client.call("verify_quote", &json!({"id": id, "quotes": [passage["text"]]}));
    assert_eq!(
        (&checked["answers"][0]["outcome"], &checked["answers"][0]["ranges"][0]),
        (&json!("exact"), &passage["range"])
    );
    let shared = client.call(
        "overlap",
        &json!({"target_text": passage["text"], "other_ids": [id], "min_words": 8}),
    );
    assert_eq!(shared["passages"][0]["b_file"], *id);

    let source = "works/full-texts/osei-2021-creep-compensated-decoding.md";
    let checked = client.call("verify_quote", &json!({"source": source, "quotes": [QUOTE, "Photosynthesis of tomatoes increases under violet greenhouse lamps."]}));
    let own = precedent(&[
        "verify",
        "--source",
        &format!("examples/{source}"),
        "--quote",
        QUOTE,
        "--json",
    ]);
    assert_eq!(checked["answers"][0], output(&own));
    assert_eq!(checked["answers"][1]["outcome"], "absent");
    let checked = client.call(
        "verify_quote",
        &json!({"text": "The rope is not a spring.", "quotes": ["The rope is now a spring."]}),
    );
    assert_eq!(checked["answers"][0]["outcome"], "altered");

    let others = ["works/full-texts/osei-2021-creep-compensated-decoding.md"];
    let shared = client.call(
        "overlap",
        &json!({"target": "paper.pdf", "others": others, "min_words": 8}),
    );
    let own = crate::support::precedent_in(
        &root().join("examples"),
        &["overlap", "paper.pdf", others[0], "--min-words", "8", "--json"],
    );
    let own = output(&own);
    assert_eq!(shared["passages"], own["passages"]);
    assert_eq!(shared["paraphrase_candidates"], own["paraphrase_candidates"]);

    let pages = client.pages("read_paper", &json!({"paper": "paper.pdf"}));
    let text: String = pages
        .iter()
        .map(|page| page["page"]["text"].as_str().unwrap())
        .collect();
    let own = output(&precedent(&["read", "examples/paper.pdf", "--json"]));
    assert_eq!(text, own["document"]["text"].as_str().unwrap());
    assert_eq!(pages[0]["title"], own["title"]);
    let section = &pages[0]["outline"][1];
    let part = client.call("read_paper", &json!({"paper": "paper.pdf", "start": section["start"]}));
    let heading = section["heading"].as_str().unwrap().split(' ').next_back().unwrap();
    let start: String = part["page"]["text"].as_str().unwrap().chars().take(200).collect();
    assert!(start.contains(heading), "{heading}: {start}");
    assert!(client.close());
}

#[test]
fn an_assessment_has_the_bytes_of_the_command_line_and_is_a_resource() {
    let (mut client, runs) = on_the_sample("assess", &[]);
    let estimate = client.call("estimate", &json!({"paper": "paper.pdf"}));
    assert_eq!(estimate["estimate"]["asks"], 0);
    let token = json!({"name": "assess", "arguments": {"paper": "paper.pdf"}, "_meta": {"progressToken": "p"}});
    let answer = client.request("tools/call", &token);
    let id = answer["result"]["structuredContent"]["run"].clone();
    assert_eq!(id, estimate["run"]);
    let progress: Vec<&Value> = client
        .received
        .iter()
        .filter(|one| one["method"] == "notifications/progress")
        .collect();
    assert!(progress.len() > 4, "{progress:?}");
    let counts: Vec<f64> = progress
        .iter()
        .map(|one| one["params"]["progress"].as_f64().unwrap())
        .collect();
    assert!(counts.is_sorted_by(|a, b| a < b), "{counts:?}");
    assert!(progress.iter().all(|one| one["params"]["progressToken"] == "p"));

    let found = ended(&mut client, &id);
    assert_eq!(found["status"], "complete", "{found:#}");
    let out = fresh_folder("mcp-assess-cli");
    let own = output(&precedent(&[
        "assess",
        "examples/paper.pdf",
        "--corpus",
        WORKS,
        "--out",
        out.to_str().unwrap(),
        "--json",
    ]));
    assert_eq!(found["run"], own["run"]);
    for (name, value) in found["assessment"].as_object().unwrap() {
        assert_eq!(*value, own[name], "{name}");
    }
    assert_eq!(found["not_searched"], own["not_searched"]);
    let dir = runs.join(id.as_str().unwrap());
    for file in found["files"].as_array().unwrap() {
        let name = file.as_str().unwrap();
        assert!(
            fs::read(dir.join(name)).unwrap() == fs::read(out.join(name)).unwrap(),
            "{name}"
        );
    }
    let report = fs::read_to_string(out.join("report.md")).unwrap();
    let listed = client.request("resources/list", &json!({}));
    let uri = listed["result"]["resources"][0]["uri"].clone();
    assert_eq!(uri, format!("precedent://runs/{}/report.md", id.as_str().unwrap()));
    let read = client.request("resources/read", &json!({"uri": uri}));
    assert_eq!(read["result"]["contents"][0]["text"], report);
    let json_uri = format!("precedent://runs/{}/report.json", id.as_str().unwrap());
    let read = client.request("resources/read", &json!({"uri": json_uri}));
    assert_eq!(
        read["result"]["contents"][0]["text"],
        fs::read_to_string(out.join("report.json")).unwrap()
    );
    let pages = client.pages("get_run", &json!({"run": id, "report": true}));
    let text: String = pages
        .iter()
        .map(|page| page["report"]["text"].as_str().unwrap())
        .collect();
    assert_eq!(text, report);

    // The evidence of a claim: passages of both papers, where `read` says they are.
    let claim = &found["assessment"]["claims"][0];
    let paper = &claim["closest"][0]["number"];
    let evidence = client.call(
        "get_evidence",
        &json!({"run": id, "claim": claim["number"], "paper": paper}),
    );
    let pair = &evidence["claims"][0]["passages"][0];
    let text = output(&precedent(&["read", "examples/paper.pdf", "--json"]))["document"]["text"].clone();
    let span = &pair["target"]["span"];
    let at = |index: usize| usize::try_from(span[index].as_u64().unwrap()).unwrap();
    assert_eq!(
        text.as_str().unwrap().get(at(0)..at(1)),
        pair["target"]["text"].as_str(),
        "{pair:#}"
    );
    let all = client.pages("get_evidence", &json!({"run": id}));
    let count: usize = all.iter().map(|page| page["claims"].as_array().unwrap().len()).sum();
    let report: Value = serde_json::from_slice(&fs::read(out.join("report.json")).unwrap()).unwrap();
    assert_eq!(
        count,
        report["contribution_analysis"]["comparisons"].as_array().unwrap().len()
    );
    assert!(client.close());
}

#[test]
fn an_idea_has_the_verdict_of_the_command_line() {
    let (mut client, runs) = on_the_sample("idea", &[]);
    let started = client.call("check_idea", &json!({"idea": IDEA}));
    let found = ended(&mut client, &started["run"]);
    let out = fresh_folder("mcp-idea-cli");
    let own = output(&precedent(&[
        "idea",
        IDEA,
        "--corpus",
        WORKS,
        "--out",
        out.to_str().unwrap(),
        "--json",
    ]));
    assert_eq!(
        (&found["run"], &found["idea"]["verdict"]),
        (&own["run"], &own["verdict"])
    );
    assert_eq!(found["idea"]["against"], own["against"]);
    let dir = runs.join(found["run"].as_str().unwrap());
    assert!(fs::read(dir.join("idea.json")).unwrap() == fs::read(out.join("idea.json")).unwrap());
    let evidence = client.pages("get_evidence", &json!({"run": found["run"]}));
    let papers: usize = evidence.iter().map(|page| page["idea"].as_array().unwrap().len()).sum();
    assert_eq!(papers, found["idea"]["papers"].as_array().unwrap().len());
    assert!(papers > 0);
    // The report of an idea has the same address as that of a paper.
    let uri = format!("precedent://runs/{}/report.md", found["run"].as_str().unwrap());
    let read = client.request("resources/read", &json!({"uri": uri}));
    assert_eq!(
        read["result"]["contents"][0]["text"],
        fs::read_to_string(out.join("idea.md")).unwrap()
    );
    assert!(found["idea"]["lean"].as_str().unwrap().starts_with("lean: "));
    let stated = "symbols on a mooring rope";
    let started = client.call("check_idea", &json!({"idea": IDEA, "facets": {"mechanism": stated}}));
    let again = ended(&mut client, &started["run"]);
    let facets = again["idea"]["facets"].as_array().unwrap();
    let own = facets.iter().find(|one| one["facet"] == "mechanism").unwrap();
    assert_eq!((&own["words"], &own["origin"]), (&json!(stated), &json!("user")));
    assert!(again["idea"]["papers"][0]["facets"]["mechanism"].is_number());
    // As on the command line.
    let failure = client.failure("estimate", &json!({"idea": IDEA}));
    assert!(
        failure["message"].as_str().unwrap().contains("nothing to estimate"),
        "{failure}"
    );
}

#[test]
fn an_answer_to_a_claim_says_what_was_searched() {
    let (mut client, _) = on_the_sample("searched", &[]);
    let found = client.call("match_claim", &json!({"claim": CLAIM, "limit": 1}));
    let searched = found["not_searched"][0].as_str().unwrap();
    assert!(
        searched.starts_with("Only works (42 papers) was searched."),
        "{searched}"
    );
}

#[test]
fn the_prompt_names_the_paper() {
    let (mut client, _) = on_the_sample("prompt", &[]);
    let listed = client.request("prompts/list", &json!({}));
    assert_eq!(listed["result"]["prompts"][0]["name"], "novelty_check");
    let got = client.request(
        "prompts/get",
        &json!({"name": "novelty_check", "arguments": {"paper": "paper.pdf"}}),
    );
    let text = got["result"]["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("assess with paper: `paper.pdf`"), "{text}");
    for bad in [
        json!({"name": "novelty_check"}),
        json!({"name": "other", "arguments": {"paper": "x"}}),
    ] {
        let got = client.request("prompts/get", &bad);
        assert_eq!(got["error"]["code"], -32602, "{got}");
    }
}

#[test]
fn bad_arguments_are_failures_that_an_agent_can_read() {
    let (mut client, _) = on_the_sample("bad", &[]);
    let cases = [
        ("match_claim", json!({}), "usage", "missing field `claim`"),
        ("match_claim", json!({"claim": 7}), "usage", "invalid type"),
        (
            "match_claim",
            json!({"claim": "x", "clam": 1}),
            "usage",
            "unknown field",
        ),
        ("match_claim", json!({"claim": " "}), "usage", "the claim is empty"),
        (
            "match_claim",
            json!({"claim": CLAIM, "limit": 0}),
            "usage",
            "out of range",
        ),
        (
            "match_claim",
            json!({"claim": CLAIM, "as_of": "next year"}),
            "usage",
            "invalid arguments",
        ),
        (
            "match_claim",
            json!({"claim": CLAIM, "cursor": "5-abc"}),
            "usage",
            "cursor",
        ),
        ("match_claim", json!({"claim": CLAIM, "cursor": 5}), "usage", "cursor"),
        (
            "match_claim",
            json!({"claim": CLAIM, "sources": ["openalex"]}),
            "usage",
            "not allowed",
        ),
        (
            "match_claim",
            json!({"claim": CLAIM, "corpora": []}),
            "nothing_searched",
            "no corpus",
        ),
        ("search_prior_work", json!({"query": ""}), "usage", "the query is empty"),
        ("verify_quote", json!({"quotes": ["a b c d e"]}), "usage", "exactly one"),
        ("verify_quote", json!({"quotes": [], "text": "x"}), "usage", "no quote"),
        (
            "verify_quote",
            json!({"quotes": ["a b c d e"], "text": "x", "source": "paper.pdf"}),
            "usage",
            "exactly one",
        ),
        ("overlap", json!({"target": "paper.pdf"}), "usage", "nothing to compare"),
        ("read_paper", json!({"paper": "none.pdf"}), "input", "none.pdf"),
        ("read_paper", json!({}), "usage", "exactly one"),
        ("read_paper", json!({"id": "no:such-paper"}), "input", "no corpus has"),
        (
            "read_paper",
            json!({"paper": "paper.pdf", "start": 99_999_999}),
            "usage",
            "99999999",
        ),
        ("assess", json!({"paper": "none.tex"}), "input", "none.tex"),
        ("check_idea", json!({}), "usage", "exactly one"),
        ("check_idea", json!({"idea": "  "}), "input", ""),
        ("estimate", json!({"idea": "a", "paper": "b"}), "usage", "exactly one"),
        ("get_run", json!({"run": "../../etc"}), "input", "no run"),
        ("get_run", json!({"run": "none-1"}), "input", "no run"),
        ("get_evidence", json!({"run": "none-1"}), "input", "no run"),
        ("cancel_run", json!({"run": "none-1"}), "input", "no run"),
    ];
    for (tool, arguments, kind, message) in cases {
        let failure = client.failure(tool, &arguments);
        assert_eq!(failure["kind"], kind, "{tool} {arguments}: {failure}");
        assert!(
            failure["message"].as_str().unwrap().contains(message),
            "{tool} {arguments}: {failure}"
        );
        let has_hint = failure["hint"].as_str().is_some_and(|hint| hint.len() > 10);
        assert!(
            has_hint || kind == "input" || message == "the claim is empty",
            "{failure}"
        );
    }
    let unknown = client.request("tools/call", &json!({"name": "delete_everything", "arguments": {}}));
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    for uri in [
        "precedent://runs/none-1/report.md",
        "precedent://runs/../x",
        "file:///etc/passwd",
    ] {
        let read = client.request("resources/read", &json!({"uri": uri}));
        assert_eq!(read["error"]["code"], -32002, "{read}");
    }
    // After all of this it still answers.
    client.call("list_corpora", &json!({}));
}

#[test]
fn files_outside_of_the_root_are_refused() {
    let folder = fresh_folder("mcp-root");
    let own = folder.join("own");
    fs::create_dir_all(own.join("linked")).unwrap();
    fs::write(
        folder.join("secret.md"),
        "# Secret\n\nThe secret of the rope is that it is wet.\n",
    )
    .unwrap();
    let fine = "The rope is dry, and the buoy at its end is blue. ".repeat(40);
    fs::write(own.join("fine.md"), format!("# Fine ropes\n\n{fine}\n")).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.join("secret.md"), own.join("link.md")).unwrap();
        std::os::unix::fs::symlink(&folder, own.join("linked/out")).unwrap();
    }
    let mut client = Client::start(&own, &[]);
    client.call("read_paper", &json!({"paper": "fine.md"}));
    client.call("read_paper", &json!({"paper": own.join("fine.md")}));
    let secret = folder.join("secret.md");
    let mut paths = vec![
        "../secret.md",
        "/etc/passwd",
        "linked/../../secret.md",
        secret.to_str().unwrap(),
    ];
    if cfg!(unix) {
        paths.extend(["link.md", "linked/out/secret.md", "linked"]);
    }
    for path in paths {
        for (tool, arguments) in [
            ("read_paper", json!({"paper": path})),
            ("assess", json!({"paper": path})),
            ("check_idea", json!({"file": path})),
            ("estimate", json!({"paper": path})),
            (
                "verify_quote",
                json!({"source": path, "quotes": ["The secret of the rope is"]}),
            ),
            ("overlap", json!({"target": "fine.md", "others": [path]})),
            ("match_claim", json!({"claim": CLAIM, "corpora": [path]})),
            ("search_prior_work", json!({"query": "rope", "corpora": [path]})),
        ] {
            let failure = client.failure(tool, &arguments);
            assert_eq!(failure["kind"], "usage", "{tool} {path}: {failure}");
            assert!(
                failure["message"].as_str().unwrap().contains("may read"),
                "{tool} {path}: {failure}"
            );
        }
    }
}

#[test]
fn a_text_of_200_000_characters_comes_in_pages() {
    let folder = fresh_folder("mcp-long");
    fs::create_dir_all(&folder).unwrap();
    let mut text = "# A long log of the buoys\n\n".to_owned();
    for number in 0.. {
        text += &format!(
            "On day {number} the swell was \"high\" and buoy {} drifted to the north-east, é.\n\n",
            number % 17
        );
        if text.chars().count() > 200_000 {
            break;
        }
    }
    fs::write(folder.join("long.md"), &text).unwrap();
    fs::write(folder.join("copy.md"), &text).unwrap();
    let mut client = Client::start(&folder, &[]);
    let pages = client.pages("read_paper", &json!({"paper": "long.md"}));
    assert!(pages.len() > 9, "{}", pages.len());
    let read: String = pages
        .iter()
        .map(|page| page["page"]["text"].as_str().unwrap())
        .collect();
    let own = output(&precedent(&[
        "read",
        folder.join("long.md").to_str().unwrap(),
        "--json",
    ]));
    assert_eq!(read, own["document"]["text"].as_str().unwrap());
    // One passage of 200,000 characters is cut, and says so.
    let shared = client.call("overlap", &json!({"target": "long.md", "others": ["copy.md"]}));
    assert_eq!(shared["shortened"], true);
    assert!(
        shared["passages"][0]["words"].as_u64().unwrap() > 20_000,
        "{}",
        shared["passages"][0]["words"]
    );
    // Hundreds of answers come in pages too, each once and in order.
    let quotes: Vec<String> = (0..300)
        .map(|day| format!("On day {day} the swell was \"high\" and buoy"))
        .collect();
    let pages = client.pages("verify_quote", &json!({"source": "long.md", "quotes": quotes}));
    assert!(pages.len() > 2);
    let answers: Vec<&Value> = pages
        .iter()
        .flat_map(|page| page["answers"].as_array().unwrap())
        .collect();
    assert_eq!(answers.len(), 300);
    for (number, answer) in (1..).zip(answers) {
        assert_eq!((&answer["id"], &answer["outcome"]), (&json!(number), &json!("exact")));
    }
}

#[test]
fn http_answers_only_this_machine_and_its_pages() {
    let runs = fresh_folder("mcp-http");
    let options = [
        "--root",
        "examples",
        "--corpus",
        WORKS,
        "--runs",
        runs.to_str().unwrap(),
    ];
    let server = HttpServer::start(&root(), &options);
    let list = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}});
    let port = server.address.port();
    let local = format!("localhost:{port}");
    let (status, messages) = server.post("/mcp", &[("Host", &local), ("Origin", "http://localhost:6274")], &list);
    assert_eq!(status, 200, "{messages:?}");
    assert_eq!(
        messages.iter().find(|one| one["id"] == 1).unwrap()["result"]["tools"]
            .as_array()
            .unwrap()
            .len(),
        12
    );
    for headers in [
        [("Host", "attacker.example"), ("Origin", "http://attacker.example")],
        [("Host", local.as_str()), ("Origin", "http://attacker.example")],
        [("Host", "attacker.example"), ("X-Other", "1")],
        [("Host", local.as_str()), ("Origin", "null")],
    ] {
        let (status, messages) = server.post("/mcp", &headers, &list);
        assert_eq!((status, messages.len()), (403, 0), "{headers:?}: {messages:?}");
    }
    let (status, _) = server.post("/", &[], &list);
    assert_eq!(status, 404);
    // Several clients at once, without sessions, get the same answers.
    let claim = json!({"claim": CLAIM, "limit": 3});
    let answers: Vec<Value> = std::thread::scope(|scope| {
        let calls: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| server.call("match_claim", &claim)))
            .collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    let own = output(&precedent(&[
        "match", CLAIM, "--corpus", WORKS, "--limit", "3", "--json",
    ]));
    assert!(
        answers.iter().all(|answer| answer["results"] == own["results"]),
        "{answers:?}"
    );
    // Pages go on over separate connections.
    let first = server.call("read_paper", &json!({"paper": "paper.pdf"}));
    assert_eq!(first["page"]["start"], 0);
    if let Some(cursor) = first["next_cursor"].as_str() {
        let second = server.call("read_paper", &json!({"paper": "paper.pdf", "cursor": cursor}));
        assert_eq!(second["page"]["start"], first["page"]["end"]);
    }
}

#[test]
fn options_that_would_allow_too_much_are_refused() {
    let refused = |arguments: &[&str], code: i32, message: &str| {
        let output = precedent(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "");
    };
    refused(&["mcp", "--model", "ollama:qwen3:8b"], 2, "budget");
    refused(&["mcp", "--budget", "5"], 2, "--model");
    refused(&["mcp", "--http", "0.0.0.0:8788"], 2, "other machines");
    refused(&["mcp", "--root", "no-such-folder"], 2, "no-such-folder");
    refused(&["mcp", "--corpus", "no-such-corpus"], 3, "no-such-corpus");
    refused(&["mcp", "--sources", "no-such-service"], 2, "no-such-service");
    refused(&["mcp", "--sources", "openalex", "--local-only"], 2, "local-only");
}

//! The pages, without JavaScript.

use std::fs;

use super::client::{Answer, Server, root};

/// The address that a form leads to.
fn location(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text());
    answer.header("location").unwrap().to_owned()
}

#[test]
fn a_paper_is_dropped_estimated_started_and_read() {
    let server = Server::start("pages");
    let new = server.get("/");
    assert_eq!(new.status, 200);
    for part in [
        "type=\"file\"",
        "name=\"corpus\" value=\"works\" checked",
        "name=\"text\"",
        "action=\"/match\"",
    ] {
        assert!(new.text().contains(part), "{part}");
    }

    let paper = fs::read(root().join("examples/paper.pdf")).unwrap();
    let fields: [(&str, &str, &[u8]); 4] = [
        ("file", "paper.pdf", &paper),
        ("job", "", b"assess"),
        ("corpus", "", b"works"),
        ("as_of", "", b""),
    ];
    let run = location(&server.multipart("/new", &fields));
    let draft = server.get(&run).text();
    assert!(
        draft.contains("Nothing leaves this machine.")
            && draft.contains("The run costs nothing.")
            && draft.contains("Start the run"),
        "{draft}"
    );
    // It is not in the list before it is started.
    assert!(!server.get("/runs").text().contains(&run));

    // With a service, every address is shown before anything is sent.
    let with_service = [fields.as_slice(), &[("source", "", b"openalex")]].concat();
    let other = location(&server.multipart("/new", &with_service));
    assert_ne!(other, run);
    let shown = server.get(&other).text();
    assert!(
        shown.contains("To openalex") || shown.contains("To OpenAlex"),
        "{shown}"
    );
    assert!(shown.contains("https://api.openalex.org/works?") && !shown.contains("Nothing leaves this machine."));
    assert_eq!(location(&server.form(&format!("{other}/delete"), &[])), "/runs");
    // A run that searches nothing is announced as such.
    let nothing = [&fields[..2], &fields[3..]].concat();
    let nothing = location(&server.multipart("/new", &nothing));
    assert!(server.get(&nothing).text().contains("The run searches nothing"));
    assert!(!draft.contains("The run searches nothing"));
    assert_eq!(location(&server.form(&format!("{nothing}/delete"), &[])), "/runs");
    // A file that cannot be used is named.
    let refused = [fields.as_slice(), &[("file", "empty.pdf", b"")]].concat();
    let refused = server.multipart("/new", &refused);
    assert!(refused.status == 400 && refused.text().contains("empty.pdf: the file is empty"));
    // The first run needs the same input.
    assert_eq!(fs::read_dir(server.data.join("inputs")).unwrap().count(), 1);

    assert_eq!(location(&server.form(&format!("{run}/start"), &[])), run);
    let active = server.get(&run).text();
    assert!(active.contains("http-equiv=\"refresh\"") || active.contains("Claims and evidence"));
    let id = run.trim_start_matches("/runs/");
    server.wait_for(id, "finished");
    let done = server.get(&run).text();
    assert!(!done.contains("http-equiv=\"refresh\""));
    for part in [
        "Claims and evidence",
        "Anticipated",
        "<iframe",
        "report.md",
        &format!("{run}/claims/2/papers/15"),
    ] {
        assert!(done.contains(part), "{part}");
    }
    assert!(server.get("/runs").text().contains("Slack-Aware Coding"));
    assert!(server.get(&format!("{run}/requests")).text().contains("sent nothing"));

    let evidence = server.get(&format!("{run}/claims/2/papers/15")).text();
    assert!(
        evidence.contains("<mark id=\"own-1\">") && evidence.contains("<mark id=\"other-1\">"),
        "{evidence}"
    );
    // The page of the PDF, in the browser's viewer: a link without a script, and a frame with one.
    let input = server.run(id)["request"]["input"].as_str().unwrap().to_owned();
    let link = format!("href=\"/api/v1/inputs/{input}/pdf#page=");
    assert!(
        evidence.contains(&link) && evidence.contains("data-pdf>Page "),
        "{evidence}"
    );
    let policy = server.get(&format!("{run}/claims/2/papers/15"));
    assert!(
        policy
            .header("content-security-policy")
            .unwrap()
            .contains("frame-src 'self'")
    );
    for side in ["own", "other"] {
        let verified = server.form(
            &format!("{run}/claims/2/papers/15/verify"),
            &[("side", side), ("pair", "1")],
        );
        assert!(verified.text().contains("word for word"), "{side} {}", verified.text());
    }
}

#[test]
fn an_idea_may_state_its_facets() {
    let server = Server::start("facets");
    assert!(server.get("/").text().contains("<textarea name=\"mechanism\""));
    let text: &[u8] = b"A telegraph that sends pulses over mooring ropes between ships in a harbour.";
    let fields: [(&str, &str, &[u8]); 5] = [
        ("text", "", text),
        ("job", "", b"idea"),
        ("corpus", "", b"works"),
        ("mechanism", "", b"pulses over taut mooring ropes"),
        ("purpose", "", b" "),
    ];
    let run = location(&server.multipart("/new", &fields));
    assert!(
        server
            .get(&run)
            .text()
            .contains("<dd dir=\"auto\">pulses over taut mooring ropes</dd>")
    );
    // By REST the same is the same run, with what the command line records. Another facet is another run.
    let facets = serde_json::json!({ "mechanism": "pulses over taut mooring ropes" });
    let request = |facets: &serde_json::Value, job: &str| {
        let text = String::from_utf8_lossy(text);
        serde_json::json!({ "job": job, "text": text, "corpora": ["works"], "facets": facets })
    };
    let started = server.post("/api/v1/runs", &request(&facets, "idea")).json();
    assert_eq!(format!("/runs/{}", started["id"].as_str().unwrap()), run);
    let id = run.trim_start_matches("/runs/");
    server.wait_for(id, "finished");
    let manifest = fs::read(server.data.join("runs").join(id).join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    assert_eq!(manifest["request"]["idea"]["facets"], facets, "{manifest:#}");
    let other = server
        .post("/api/v1/runs", &request(&serde_json::json!({}), "idea"))
        .json();
    assert_ne!(other["id"], started["id"]);
    // Only a check of an idea takes them, and only the four.
    assert_eq!(server.post("/api/v1/runs", &request(&facets, "review")).status, 400);
    let unknown = serde_json::json!({ "colour": "blue" });
    assert_eq!(server.post("/api/v1/runs", &request(&unknown, "idea")).status, 400);
}

#[test]
fn the_page_of_a_run_warns_of_the_field_as_its_report_does() {
    let server = Server::start("field");
    let id = server.assess_example();
    server.wait_for(&id, "finished");
    let alarm = "<div class=\"alarm\" role=\"note\">";
    assert!(!server.get(&format!("/runs/{id}")).text().contains(alarm));
    // As in the report of a paper of another field.
    let file = server.data.join("runs").join(&id).join("report.json");
    let mut report: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let warning = "The searched sources do not seem to cover the field. None of the 51 papers found is similar.";
    let limit = serde_json::json!({ "kind": "field_not_covered", "message": warning });
    report["metadata"]["not_searched"].as_array_mut().unwrap().push(limit);
    fs::write(&file, report.to_string()).unwrap();
    let page = server.get(&format!("/runs/{id}")).text();
    assert!(page.contains(&format!("{alarm}<p>{warning}</p>")), "{page}");
}

#[test]
fn quotes_claims_and_corpora_have_pages() {
    let server = Server::start("tools");
    let source: &[u8] = b"We treat the rope as a spring. Its stiffness drifts slowly over the winter.";
    let quote: &[u8] = b"Its stiffness drifts quickly over the winter";
    let answer = server
        .multipart("/verify", &[("quote", "", quote), ("text", "", source)])
        .text();
    assert!(
        answer.contains("not verified") && answer.contains("<del dir=\"auto\">quickly</del>"),
        "{answer}"
    );
    let answer = server.multipart("/verify", &[("quote", "", quote), ("file", "", b"")]);
    assert_eq!(answer.status, 400);
    assert!(answer.text().contains("give a source"));
    // A file is not kept, and fields have a limit.
    let answer = server.multipart("/verify", &[("quote", "", quote), ("file", "source.txt", source)]);
    assert!(answer.text().contains("not verified"), "{}", answer.text());
    assert_eq!(fs::read_dir(server.data.join("inputs")).unwrap().count(), 0);
    let (long, rest) = (vec![b'x'; 400_000], vec![b'x'; 201_000]);
    let answer = server.multipart(
        "/verify",
        &[("quote", "", &long), ("text", "", &long), ("other", "", &rest)],
    );
    assert_eq!(answer.status, 413);

    let answer = server
        .form(
            "/match",
            &[(
                "claim",
                "We re-estimate the stiffness of the rope from pilot tugs in every frame",
            )],
        )
        .text();
    assert!(
        answer.contains("Decoding Tension Symbols Under Rope Creep") && answer.contains("%"),
        "{answer}"
    );
    let answer = server.form("/match", &[("claim", "  ")]);
    assert_eq!(answer.status, 400);

    assert!(server.get("/corpora").text().contains("<dd>42</dd>"));
    assert!(
        server
            .form("/corpora", &[("query", "rope creep")])
            .text()
            .contains("Decoding Tension Symbols")
    );
    for path in ["/nothing", "/runs/nothing", "/runs/nothing/claims/1/papers/1"] {
        let answer = server.get(path);
        assert_eq!(answer.status, 404, "{path}");
        assert!(
            answer.header("content-type").unwrap().starts_with("text/html"),
            "{path}"
        );
    }
}

#[test]
fn no_text_becomes_markup() {
    let server = Server::start("xss");
    let attack = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>";
    let clean = |answer: &Answer, what: &str| {
        let text = answer.text();
        assert!(
            !text.contains("<script>alert") && !text.contains("<img src=x"),
            "{what}: {text}"
        );
    };
    // The title and the claims of a paper.
    let paper = format!(
        "# {attack} Ropes That Do Not Creep\n\nAbstract\n\nWe propose {attack} a creep-compensated decoder that re-estimates the stiffness of the rope from pilot \
        tugs in every frame.\n\n# 1 Introduction\n\nOur contributions are as follows. We introduce {attack} a creep-compensated decoder that \
        re-estimates the stiffness of the rope from pilot tugs in every frame. We release a data set of tension recordings from nine moored buoys.\n"
    );
    let fields: [(&str, &str, &[u8]); 3] = [
        ("file", "<img src=x onerror=alert(1)>.md", paper.as_bytes()),
        ("job", "", b"assess"),
        ("corpus", "", b"works"),
    ];
    let run = location(&server.multipart("/new", &fields));
    clean(&server.get(&run), "the draft");
    server.form(&format!("{run}/start"), &[]);
    let id = run.trim_start_matches("/runs/");
    let record = server.wait_for(id, "finished");
    let title = record["title"].as_str().unwrap();
    assert!(title.contains("script") || title.contains("Ropes"), "{title}");
    let page = server.get(&run);
    clean(&page, "the run");
    clean(&server.get("/runs"), "the list");
    clean(
        &server.get(&format!("/runs?q={}", "%3Cscript%3Ealert(1)%3C/script%3E")),
        "a search of runs",
    );
    let text = page.text();
    let link = text
        .split("href=\"")
        .find(|part| part.starts_with(&format!("{run}/claims/")))
        .unwrap();
    let link = link.split('"').next().unwrap();
    clean(&server.get(link), "the evidence");
    clean(
        &server.form(&format!("{link}/verify"), &[("side", "own"), ("pair", "1")]),
        "a verified passage",
    );

    clean(
        &server.form("/match", &[("claim", attack), ("as_of", attack)]),
        "a claim",
    );
    clean(&server.form("/corpora", &[("query", attack)]), "a search");
    clean(
        &server.multipart(
            "/verify",
            &[("quote", "", attack.as_bytes()), ("text", "", attack.as_bytes())],
        ),
        "a quote",
    );
    let idea = location(&server.multipart(
        "/new",
        &[
            ("text", "", attack.as_bytes()),
            ("job", "", b"idea"),
            ("corpus", "", b"works"),
        ],
    ));
    clean(&server.get(&idea), "an idea");
    clean(
        &server.multipart("/new", &[("text", "", b"x"), ("job", "", attack.as_bytes())]),
        "a job",
    );
    clean(
        &server.multipart(
            "/new",
            &[
                ("text", "", b"x"),
                ("job", "", b"idea"),
                ("source", "", attack.as_bytes()),
            ],
        ),
        "a source",
    );
    // The report runs its script in a sandbox without this server's origin.
    let report = server.get(&format!("/api/v1/runs/{id}/files/report.html"));
    clean(&report, "the report");
    assert!(
        report
            .header("content-security-policy")
            .unwrap()
            .starts_with("sandbox allow-scripts")
    );
    assert!(
        !report
            .header("content-security-policy")
            .unwrap()
            .contains("allow-same-origin")
    );
}

//! Runs with literature services, played by mock servers on loopback, each on its own port because they are separate hosts.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use precedent_scripted::literature::{Act, LibraryRecord, SERVICES};
use serde_json::Value;

use crate::internet::{Internet, PAPER, archive, folder, messages, report};
use crate::support::{json, precedent, root, stderr, stdout};

#[test]
fn services_receive_short_queries_once_and_a_run_replays_without_them() {
    let internet = Internet::start("whole");
    let out = folder("whole");
    let output = precedent(&internet.assess(&out, "all", &[]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let found = report(&out);
    let names: Vec<&str> = found["metadata"]["sources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, SERVICES, "{names:?}");
    let candidates = found["references"]["candidates"].as_array().unwrap();
    assert!(candidates.len() >= 3, "{candidates:#?}");
    for candidate in candidates {
        let by = candidate["found_by"].as_array().unwrap();
        assert!(by.len() >= 4, "records of one paper were not merged: {candidate:#}");
        assert!(
            !candidate["work"]["title"].as_str().unwrap().contains("revisited"),
            "a later paper is a candidate"
        );
    }
    let printed = messages(&found);
    assert!(
        printed[0].starts_with(
            "Only openalex, semantic-scholar, arxiv, crossref, europe-pmc, dblp, openreview and openreview-v1 were"
        ) && printed[0].contains("short queries"),
        "{printed:#?}"
    );
    // The report lists what was sent to each host. There are no more requests than wordings of queries.
    let received = internet.requests();
    let queries = found["metadata"]["queries"].as_array().unwrap().len();
    assert!(
        received.len() <= SERVICES.len() * queries * 2,
        "{} requests",
        received.len()
    );
    let sent = found["metadata"]["sent"].as_array().unwrap();
    let requests: u64 = sent.iter().map(|one| one["requests"].as_u64().unwrap()).sum();
    let fetched = internet.fetched.lock().unwrap().len();
    assert_eq!(
        (sent.len(), requests as usize),
        (SERVICES.len() + 1, received.len() + fetched)
    );
    let manuscript = stdout(&precedent(&["read", PAPER]));
    let words: Vec<&str> = manuscript.split_whitespace().collect();
    for (service, target) in &received {
        assert!(target.len() < 900, "{service}: {target}");
        let plain = target.replace('+', " ");
        // A query may be a phrase of the paper, but never a sentence.
        for run in words.windows(14) {
            assert!(!plain.contains(&run.join(" ")), "{service}: {target}");
        }
    }
    let all = internet.servers.iter().flat_map(|(_, server)| server.requests());
    let mut different: Vec<_> = all.map(|one| (one.service, one.target, one.body)).collect();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), received.len(), "a request was repeated");
    // A repeated run sends no requests. Without servers, a replay gives the same bytes.
    let before = fs::read(out.join("report.json")).unwrap();
    assert_eq!(precedent(&internet.assess(&out, "all", &[])).status.code(), Some(0));
    assert_eq!(internet.requests().len(), received.len());
    let nobody = internet.without_servers();
    let output = precedent(&nobody.assess(&out, "all", &["--replay"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(before, fs::read(out.join("report.json")).unwrap());
}

#[test]
fn failing_services_are_listed_in_the_report_and_only_they_are_retried() {
    let internet = Internet::start("storm");
    for (id, act) in [
        ("openalex", Act::Spent),
        ("semantic-scholar", Act::TooMany),
        ("arxiv", Act::Unfolding),
        ("europe-pmc", Act::Drip),
        ("dblp", Act::Bomb),
        ("openreview", Act::LockedOut),
        ("openreview-v1", Act::Hangup),
    ] {
        internet.set(id, act);
    }
    let out = folder("storm");
    let start = Instant::now();
    let output = precedent(&internet.assess(&out, "all", &[]));
    let took = start.elapsed();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(took < Duration::from_secs(90), "{took:?}");
    let found = report(&out);
    let printed = messages(&found);
    assert!(printed[0].starts_with("Only crossref was searched."), "{printed:#?}");
    for (id, why) in [
        ("openalex", "the day's allowance is used up"),
        ("semantic-scholar", ""),
        ("arxiv", "it is not a feed"),
        ("europe-pmc", "no whole answer within"),
        ("dblp", "longer than"),
        ("openreview", "a pause of 31 min"),
        ("openreview-v1", ""),
    ] {
        let is_reported = printed
            .iter()
            .any(|one| one.starts_with(&format!("{id} failed")) && one.contains(why));
        assert!(is_reported, "{id}: {printed:#?}");
    }
    // A replay gives the same report. When the services work again, only failed requests are repeated.
    let before = fs::read(out.join("report.json")).unwrap();
    assert_eq!(
        precedent(&internet.assess(&out, "all", &["--replay"])).status.code(),
        Some(0)
    );
    assert_eq!(before, fs::read(out.join("report.json")).unwrap());
    for id in SERVICES {
        internet.set(id, Act::Well);
    }
    let asked = internet
        .requests()
        .iter()
        .filter(|(service, _)| service == "crossref")
        .count();
    let output = precedent(&internet.assess(&out, "all", &[]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(messages(&report(&out)).iter().all(|one| !one.contains("failed")));
    assert_eq!(
        internet
            .requests()
            .iter()
            .filter(|(service, _)| service == "crossref")
            .count(),
        asked
    );
}

#[test]
fn with_all_services_down_the_run_fails_with_a_hint() {
    let internet = Internet::start("down");
    for (id, act) in SERVICES.iter().zip([
        Act::Down,
        Act::Hangup,
        Act::Html,
        Act::RedirectInside,
        Act::Huge,
        Act::CutShort,
        Act::BadKey,
        Act::LockedOut,
    ]) {
        internet.set(id, act);
    }
    let out = folder("down");
    let output = precedent(&internet.assess(&out, "all", &[]));
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    let printed = stderr(&output);
    assert!(
        printed.contains("doctor --online") && printed.contains("--corpus"),
        "{printed}"
    );
    for id in SERVICES {
        assert!(printed.contains(id), "{id}: {printed}");
    }
    for why in [
        "(503",
        "a web page",
        "public internet",
        "longer than",
        "ends in the middle",
        "denied access",
    ] {
        assert!(printed.contains(why), "{why}: {printed}");
    }
    assert!(
        printed.matches("failed to search").count() <= 3 * SERVICES.len(),
        "each reason once: {printed}"
    );
    // What was sent is still recorded.
    let manifest: Value = serde_json::from_slice(&fs::read(out.join("manifest.json")).unwrap()).unwrap();
    assert!(
        manifest["sent"].as_array().unwrap().len() >= SERVICES.len(),
        "{manifest:#}"
    );
}

#[test]
fn show_egress_lists_all_requests_without_sending_them() {
    let internet = Internet::start("egress");
    let out = folder("egress");
    let output = precedent(&internet.assess(&out, "arxiv,openalex", &["--show-egress"]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(internet.requests().is_empty() && !out.exists());
    let listed = json(&output).to_string();
    let output = precedent(&internet.assess(&out, "openalex,arxiv", &[]));
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let received = internet.requests();
    assert!(!received.is_empty());
    for (service, target) in received {
        assert!(listed.contains(&target), "{service}: {target} was not listed");
    }
    let estimate = precedent(&[
        "estimate",
        PAPER,
        "--sources",
        "openalex,arxiv",
        "--settings",
        internet.settings.to_str().unwrap(),
        "--json",
    ]);
    let sources = &json(&estimate)["sources"];
    assert_eq!(sources[0]["source"], "openalex");
    // The daily allowance without a key is enough for three papers.
    let dollars = sources[0]["at_most_dollars"].as_f64().unwrap();
    assert!(dollars > 0.0 && dollars * 3.0 <= 0.1, "{dollars}");
}

#[test]
fn doctor_sends_nothing_without_online_and_unknown_services_are_reported() {
    let internet = Internet::start("quiet");
    let settings = internet.settings.to_str().unwrap();
    let doctor = precedent(&["doctor", "--settings", settings]);
    assert!(stdout(&doctor).contains("semantic-scholar"), "{}", stdout(&doctor));
    assert!(internet.requests().is_empty());
    internet.set("arxiv", Act::Down);
    let doctor = precedent(&[
        "doctor",
        "--online",
        "--settings",
        settings,
        "--sources",
        "arxiv,openalex",
    ]);
    let printed = stdout(&doctor);
    assert_eq!(doctor.status.code(), Some(0));
    assert!(
        printed.contains("responds; limits: x-ratelimit-limit 1000") && printed.contains("it is unavailable (503"),
        "{printed}"
    );
    assert_eq!(internet.requests().len(), 2);
    let output = precedent(&internet.assess(&folder("quiet"), "default,oracle", &[]));
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("openalex, semantic-scholar"),
        "{}",
        stderr(&output)
    );
    let output = precedent(&["assess", PAPER, "--sources", "default", "--local-only"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn a_paper_given_by_name_is_downloaded_once_in_the_best_format() {
    use crate::support::precedent_in;
    let pdf = fs::read(root().join(PAPER)).unwrap();
    let (base, fetched) = archive(vec![
        ("/e-print/2605.00001v2".into(), b"\x1f\x8bthis is no archive".to_vec()),
        ("/pdf/2605.00001v2".into(), pdf.clone()),
        (
            "/X00-0001.pdf".into(),
            b"<!DOCTYPE html><html><body>please log in</body></html>".to_vec(),
        ),
        ("/pdf?id=FxCy8TvQHO".into(), pdf),
    ]);
    let place = tempfile::tempdir().unwrap();
    let settings = place.path().join("settings.toml");
    fs::write(
        &settings,
        format!("[papers]\narxiv = '{base}'\nacl = '{base}'\nopenreview = '{base}'\nworks = '{base}'\narxiv_between_ms = 0\n"),
    )
    .unwrap();
    let works = root().join("examples/works");
    let assess = |name: &str, more: &[&str]| {
        let mut arguments = vec![
            "assess",
            name,
            "--corpus",
            works.to_str().unwrap(),
            "--json",
            "--out",
            "one",
        ];
        arguments.extend(["--settings", settings.to_str().unwrap()]);
        arguments.extend(more);
        precedent_in(place.path(), &arguments)
    };
    // A paper that was not downloaded yet is an error if nothing may be sent.
    assert_eq!(assess("arXiv:2605.00001v2", &["--show-egress"]).status.code(), Some(2));
    assert_eq!(assess("arXiv:2605.00001v2", &["--local-only"]).status.code(), Some(2));
    assert!(fetched.lock().unwrap().is_empty());
    let output = assess("arXiv:2605.00001v2", &[]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(
        *fetched.lock().unwrap(),
        ["/e-print/2605.00001v2", "/html/2605.00001v2", "/pdf/2605.00001v2"]
    );
    let found = report(&place.path().join("one"));
    assert_eq!(found["original_paper"]["identifiers"]["arxiv"], "2605.00001");
    assert_eq!(assess("arXiv:2605.00001v2", &[]).status.code(), Some(0));
    assert_eq!(fetched.lock().unwrap().len(), 3, "the paper was downloaded again");
    // Wrong content and missing papers are reported.
    for (name, why) in [
        ("X00-0001", "the server sent a web page instead"),
        ("10.1000/nowhere", "the server refused it (404"),
        ("http://127.0.0.1:1/x.pdf", "public internet"),
    ] {
        let output = assess(name, &[]);
        assert_eq!(output.status.code(), Some(3), "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains(why), "{name}: {}", stderr(&output));
    }
    assert_eq!(
        fetched.lock().unwrap().last().unwrap(),
        "/works/doi:10.1000/nowhere?select=id,best_oa_location,locations"
    );
}

/// A real paper and 300 real abstracts of the development data as service records.
fn real() -> (String, Vec<LibraryRecord>) {
    let (pdf, abstracts) = crate::real_papers::development_data();
    let mut papers: Vec<PathBuf> = fs::read_dir(pdf).unwrap().map(|entry| entry.unwrap().path()).collect();
    papers.sort();
    let lines = BufReader::new(zstd::Decoder::new(fs::File::open(abstracts).unwrap()).unwrap()).lines();
    let record = |(at, line): (usize, std::io::Result<String>)| -> LibraryRecord {
        let one: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let key = format!("{}", 10_000 + at);
        LibraryRecord {
            title: one["title"].as_str().unwrap_or_default().to_owned(),
            summary: one["abstract"].as_str().unwrap_or_default().to_owned(),
            authors: vec![("Ann".into(), format!("Lee{at}"))],
            day: "1999-05-17".into(),
            doi: format!("10.5555/real.{key}"),
            key,
            ..LibraryRecord::default()
        }
    };
    let works = lines.step_by(100).take(300).enumerate().map(record).collect();
    (papers[0].to_str().unwrap().to_owned(), works)
}

#[test]
#[ignore = "reads the development data: PRECEDENT_DEV_DATA names its folder"]
fn a_real_paper_with_failing_services_has_its_report_in_time() {
    let (paper, works) = real();
    let internet = Internet::with("real", works, Vec::new());
    for (id, act) in [
        ("openalex", Act::Down),
        ("semantic-scholar", Act::Hang),
        ("arxiv", Act::Html),
        ("europe-pmc", Act::Truncated),
        ("dblp", Act::Huge),
        ("openreview", Act::BadKey),
        ("openreview-v1", Act::RedirectInside),
    ] {
        internet.set(id, act);
    }
    let out = folder("real");
    let start = Instant::now();
    let settings = internet.settings.to_str().unwrap();
    let arguments = [
        "assess",
        &paper,
        "--sources",
        "all",
        "--out",
        out.to_str().unwrap(),
        "--json",
        "--settings",
        settings,
    ];
    let output = precedent(&arguments);
    let took = start.elapsed();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(took < Duration::from_secs(120), "{took:?}");
    let found = report(&out);
    let printed = messages(&found);
    assert!(printed[0].starts_with("Only crossref was searched."), "{printed:#?}");
    for id in SERVICES.iter().filter(|id| **id != "crossref") {
        assert!(
            printed.iter().any(|one| one.starts_with(&format!("{id} failed"))),
            "{id}: {printed:#?}"
        );
    }
    assert!(!found["references"]["candidates"].as_array().unwrap().is_empty());
}

#[test]
fn another_run_asks_only_the_source_that_is_new_and_refresh_asks_all() {
    let internet = Internet::start("cache");
    let cache = folder("cache-data");
    let cached = [("PRECEDENT_CACHE", cache.to_str().unwrap())];
    let asked = |name: &str| {
        internet
            .requests()
            .iter()
            .filter(|(service, _)| service == name)
            .count()
    };
    let first = folder("cache-first");
    let output = crate::support::precedent_with(&internet.assess(&first, "crossref", &["--full-texts", "0"]), &cached);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let of_crossref = asked("crossref");
    assert!(of_crossref > 0);
    let second = folder("cache-second");
    let both = internet.assess(&second, "crossref,arxiv", &["--full-texts", "0"]);
    let output = crate::support::precedent_with(&both, &cached);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(asked("crossref"), of_crossref, "its answers are in the cache");
    assert!(asked("arxiv") > 0);
    let sent = report(&second)["metadata"]["sent"].clone();
    let line = sent
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["service"] == "crossref")
        .unwrap()
        .clone();
    assert_eq!(
        (&line["requests"], &line["cached"]),
        (&0.into(), &of_crossref.into()),
        "{line}"
    );
    assert!(
        line["what"]
            .as_str()
            .unwrap()
            .contains("from the cache of this machine"),
        "{line}"
    );
    // The run has its own record: it is replayed without the cache, byte for byte.
    let before = fs::read(second.join("report.json")).unwrap();
    let all = internet.requests().len();
    let replay = internet.assess(&second, "crossref,arxiv", &["--full-texts", "0", "--replay"]);
    assert_eq!(precedent(&replay).status.code(), Some(0));
    assert_eq!(fs::read(second.join("report.json")).unwrap(), before);
    assert_eq!(internet.requests().len(), all);
    let out = folder("cache-third");
    let third = internet.assess(&out, "crossref", &["--full-texts", "0", "--refresh"]);
    assert_eq!(crate::support::precedent_with(&third, &cached).status.code(), Some(0));
    assert_eq!(asked("crossref"), 2 * of_crossref);
    // No request is in the cache, only hashes of requests and answers.
    let kept = String::from_utf8_lossy(&fs::read(cache.join("answers.sqlite")).unwrap()).into_owned();
    assert!(!kept.contains("query.bibliographic"));
}

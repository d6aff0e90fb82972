//! Labelled quotes over real papers: the true ones are accepted, the false ones are rejected.
//! `SHOW_MISSES=kind` (or `all`) prints the failures; `OUTCOMES=FILE` writes every result, to compare it with that of another version.

mod data;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use precedent_text::{Location, Source, locate};

#[derive(Default)]
struct Tally {
    right: usize,
    all: usize,
    spent: Duration,
    outcomes: BTreeMap<&'static str, usize>,
}

fn outcome(location: &Location) -> &'static str {
    match location {
        Location::Exact { .. } => "exact",
        Location::Close { .. } => "close",
        Location::Altered { .. } => "altered",
        Location::Stitched { .. } => "stitched",
        Location::Absent { .. } => "absent",
        _ => "too short",
    }
}

#[test]
#[ignore = "reads the development data: PRECEDENT_DEV_DATA names its folder"]
fn true_quotes_are_accepted_and_false_ones_are_rejected() {
    let lines = data::needed("quotes/quotes.jsonl");
    let show = std::env::var("SHOW_MISSES").unwrap_or_default();
    let mut answers = String::new();
    let mut sources: BTreeMap<String, Source> = BTreeMap::new();
    let mut tallies: BTreeMap<(bool, String), Tally> = BTreeMap::new();
    for line in lines.lines() {
        let quote: serde_json::Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| quote[name].as_str().unwrap().to_owned();
        let label = quote["verified"].as_bool().unwrap();
        let source = sources
            .entry(field("source"))
            .or_insert_with(|| Source::new(data::needed(&format!("quotes/sources/{}", field("source")))));
        let asked = field("quote");
        let clock = Instant::now();
        let location = locate(source, &asked);
        let spent = clock.elapsed();
        answers.push_str(&format!("{} {location:?}\n", field("id")));
        let tally = tallies.entry((label, field("kind"))).or_default();
        tally.spent += spent;
        tally.all += 1;
        *tally.outcomes.entry(outcome(&location)).or_default() += 1;
        if location.verified() == label {
            tally.right += 1;
        } else if show == "all" || show == field("kind") {
            println!(
                "{} {} {}\n  Q: {}",
                field("kind"),
                field("id"),
                field("source"),
                field("quote")
            );
            if let Location::Close { span, .. } | Location::Altered { span, .. } | Location::Exact { span, .. } =
                &location
            {
                println!("  S: {}", span.slice(source.text()).unwrap());
            }
            println!("  {location:?}");
        }
    }
    if let Some(path) = std::env::var_os("OUTCOMES") {
        std::fs::write(path, answers).unwrap();
    }
    let (mut right, mut all) = ([0; 2], [0; 2]);
    for ((label, kind), tally) in &tallies {
        let each = tally.spent.as_secs_f64() * 1e6 / tally.all as f64;
        println!(
            "{label:5} {kind:18} {:4}/{:4} {each:6.1} µs each {:?}",
            tally.right, tally.all, tally.outcomes
        );
        right[usize::from(*label)] += tally.right;
        all[usize::from(*label)] += tally.all;
    }
    let accepted = right[1] as f64 / all[1] as f64;
    let lied = 1.0 - right[0] as f64 / all[0] as f64;
    println!(
        "true accepted {:.2} %, false accepted {:.2} %",
        100.0 * accepted,
        100.0 * lied
    );
    assert!(accepted >= 0.99 && lied <= 0.005);
}

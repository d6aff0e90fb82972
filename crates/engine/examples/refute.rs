//! Plants claims in generated papers and reports which are found in the full text they were taken from: verbatim, lightly edited, and with a changed
//! meaning.
//!
//! `cargo run --example refute -- [FOLDER] [CASES]`: FOLDER contains the development data's full texts. A claim with the same meaning as the text
//! must be reported as `can_refute`. A claim that was negated, given another number or completed with foreign words must not, and no text may refute
//! a claim from another text.
#![expect(clippy::print_stdout, reason = "a benchmark that prints its results")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use precedent_domain::{
    Candidate, Contribution, DateOrigin, Extent, Paper, PublicationDate, QuotableDocument, Relevance, Scope, ScopeRank,
    Status, Timing, Work,
};
use precedent_engine::compare::{ComparisonSet, Prior, compare};
use precedent_engine::extract;
use precedent_engine::{FrozenClock, SilentProgress, World};
use serde_json::{Value, json};

mod records;
use records::paper;

type Failure = Box<dyn std::error::Error>;

/// Default number of cases.
const CASES: usize = 30;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().map_or_else(development_data, PathBuf::from);
    let cases: usize = args.next().map_or(Ok(CASES), |text| text.parse())?;
    if !folder.is_dir() {
        println!(
            "skipped: no full texts at {}; set PRECEDENT_DEV_DATA to the development data",
            folder.display()
        );
        return Ok(());
    }
    let world = world().await?;
    let planted = planted(&folder, cases, &world).await?;
    let texts: Vec<QuotableDocument> = planted
        .iter()
        .map(|one| QuotableDocument::new(one.source.document.clone()))
        .collect();
    let candidates = (1..).zip(&planted).map(|(number, one)| candidate(number, &one.source));
    let candidates: Vec<Candidate> = candidates.collect::<Result<_, _>>()?;
    let mut tally: BTreeMap<&str, Tally> = BTreeMap::new();
    for (at, one) in planted.iter().enumerate() {
        let foreign = planted
            .get((at + 1) % planted.len())
            .map_or("", |next| next.claim.as_str());
        for (kind, claim) in variants(&one.claim, foreign) {
            let counts = tally.entry(kind).or_default();
            let target = composed(&claim);
            let Some(contribution) = planted_contribution(&target, &world).await? else {
                counts.not_taken += 1;
                continue;
            };
            let document = QuotableDocument::new(target.document.clone());
            let priors = Prior::all(&candidates, &texts);
            let set = ComparisonSet::new(&target, &document, &priors);
            counts.planted += 1;
            for found in compare(&set, &contribution) {
                let own = found.candidate as usize == at + 1;
                match (own, found.status) {
                    (true, Status::CanRefute) => counts.found += 1,
                    (true, _) if says_the_same(kind) => println!("{kind}, not found: {claim}\n    {}", found.note),
                    (false, Status::CanRefute) => {
                        counts.elsewhere += 1;
                        println!("{kind}, found in another text: {claim}\n    {}", found.note);
                    }
                    _ => {}
                }
                if own && found.status == Status::CanRefute && !says_the_same(kind) {
                    println!("{kind}, found by mistake: {claim}\n    {}", found.note);
                }
            }
        }
    }
    println!(
        "{:<14} {:>7} {:>10} {:>17} {:>20}",
        "kind", "planted", "can_refute", "by another text", "not extracted"
    );
    for (kind, counts) in &tally {
        println!(
            "{kind:<14} {:>7} {:>10} {:>17} {:>20}",
            counts.planted, counts.found, counts.elsewhere, counts.not_taken
        );
    }
    Ok(())
}

#[derive(Default)]
struct Tally {
    planted: usize,
    found: usize,
    elsewhere: usize,
    not_taken: usize,
}

struct Planted {
    source: Paper,
    claim: String,
}

fn development_data() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    std::env::var_os("PRECEDENT_DEV_DATA")
        .map_or(beside, PathBuf::from)
        .join("fulltext")
}

async fn world() -> Result<World, Failure> {
    Ok(World {
        clock: Arc::new(FrozenClock(0)),
        ledger: precedent_ledger::Ledger::in_memory().await?,
        sources: Vec::new(),
        texts: None,
        model: None,
        progress: Arc::new(SilentProgress),
        budget: precedent_engine::Budget::default(),
        seed: 0,
    })
}

/// Texts spread over all files, each with its own first claim.
async fn planted(folder: &Path, cases: usize, world: &World) -> Result<Vec<Planted>, Failure> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    files.retain(|file| file.to_string_lossy().ends_with(".jsonl.zst"));
    let mut records: Vec<Value> = Vec::new();
    for file in files {
        for line in BufReader::new(zstd::Decoder::new(std::fs::File::open(file)?)?).lines() {
            records.push(serde_json::from_str(&line?)?);
        }
    }
    let step = (records.len() / (cases * 2).max(1)).max(1);
    let mut planted = Vec::new();
    for record in records.iter().step_by(step) {
        if planted.len() == cases {
            break;
        }
        let source = paper(record);
        let taken = extract::extract(&source, world).await?;
        // Long enough to say more than the topic.
        let telling = taken
            .contributions
            .into_iter()
            .find(|one| one.claim.text().split_whitespace().count() >= 14);
        if let Some(contribution) = telling {
            let claim = contribution
                .claim
                .text()
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            planted.push(Planted { source, claim });
        }
    }
    Ok(planted)
}

fn says_the_same(kind: &str) -> bool {
    kind.starts_with("same")
}

/// The claim unchanged, edited, and with a changed meaning.
fn variants(claim: &str, foreign: &str) -> Vec<(&'static str, String)> {
    let mut variants = vec![("same: verbatim", claim.to_owned()), ("same: edited", edited(claim))];
    variants.extend(negated(claim).map(|text| ("negated", text)));
    variants.extend(renumbered(claim).map(|text| ("number", text)));
    let words: Vec<&str> = claim.split_whitespace().collect();
    let rest: Vec<&str> = foreign.split_whitespace().collect();
    let halves = [words.get(..words.len() / 2), rest.get(rest.len() / 2..)];
    variants.push((
        "half foreign",
        halves
            .into_iter()
            .flatten()
            .flatten()
            .copied()
            .collect::<Vec<_>>()
            .join(" "),
    ));
    variants
}

/// Another verb of claiming, no praise, British spelling. None of this changes the meaning.
fn edited(claim: &str) -> String {
    const VERBS: [(&str, &str); 8] = [
        ("propose", "present"),
        ("present", "describe"),
        ("introduce", "present"),
        ("describe", "present"),
        ("develop", "present"),
        ("show", "demonstrate"),
        ("demonstrate", "show"),
        ("report", "present"),
    ];
    let mut swapped = false;
    let words = claim
        .split_whitespace()
        .filter(|word| !matches!(*word, "novel" | "new" | "also" | "successfully"));
    let words = words.map(|word| match VERBS.iter().find(|(verb, _)| *verb == word) {
        Some((_, other)) if !swapped => {
            swapped = true;
            (*other).to_owned()
        }
        _ => word.replace("ization", "isation").replace("modeling", "modelling"),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn negated(claim: &str) -> Option<String> {
    const TURNS: [(&str, &str); 7] = [
        (" is ", " is not "),
        (" are ", " are not "),
        (" can ", " cannot "),
        (" with ", " without "),
        (" using ", " not using "),
        (" has ", " has no "),
        (" have ", " have no "),
    ];
    let found = TURNS.iter().find(|(plain, _)| claim.contains(plain))?;
    Some(claim.replacen(found.0, found.1, 1))
}

fn renumbered(claim: &str) -> Option<String> {
    const WORDS: [(&str, &str); 6] = [
        (" two ", " five "),
        (" three ", " seven "),
        (" four ", " nine "),
        (" five ", " two "),
        (" both ", " neither "),
        (" ten ", " six "),
    ];
    let digit = claim.char_indices().find(|(at, c)| {
        let before = claim.get(..*at).and_then(|text| text.chars().next_back());
        c.is_ascii_digit() && before.is_none_or(char::is_whitespace)
    });
    if let Some((at, c)) = digit {
        let other = if c == '7' { "3" } else { "7" };
        return Some(format!("{}{other}{}", claim.get(..at)?, claim.get(at + 1..)?));
    }
    let found = WORDS.iter().find(|(word, _)| claim.contains(word))?;
    Some(claim.replacen(found.0, found.1, 1))
}

/// A paper that contains little besides the claim.
fn composed(claim: &str) -> Paper {
    let ended = if claim.ends_with(['.', '!', '?']) {
        claim.to_owned()
    } else {
        format!("{claim}.")
    };
    let sentence = ended
        .strip_prefix("we ")
        .map_or_else(|| ended.clone(), |rest| format!("We {rest}"));
    paper(&json!({
        "id": "composed",
        "title": "An Account of What Was Done and How It Came Out",
        "abstract": format!("The matter has kept many busy for years. {sentence} The text says how."),
        "sections": [{ "heading": "1 Introduction", "text": "The matter is old. Much was written on it, and more was left unsaid." }],
        "year": 2026,
    }))
}

/// The claim as extracted from the generated paper; `None` if no claim or a different one is extracted.
async fn planted_contribution(target: &Paper, world: &World) -> Result<Option<Contribution>, Failure> {
    let taken = extract::extract(target, world).await?;
    Ok(taken.contributions.into_iter().next().map(|one| Contribution {
        number: 1,
        name: one.name,
        claim: one.claim,
        also_stated: one.also_stated,
        description: one.description,
        description_quotes: one.description_quotes,
        class: one.class,
        queries: Vec::new(),
    }))
}

fn candidate(number: u32, source: &Paper) -> Result<Candidate, Failure> {
    let title = source.title.clone().unwrap_or_default();
    Ok(Candidate {
        number,
        alias: format!("Source {number}"),
        work: Work {
            summary: source.abstract_text().map(str::to_owned),
            authors: source.authors.clone(),
            dates: vec![PublicationDate {
                date: "2020".parse()?,
                origin: DateOrigin::Record("planted".into()),
            }],
            extent: Extent::FullText,
            ..Work::titled(format!("planted:{number}").parse()?, title)
        },
        scopes: vec![ScopeRank {
            scope: Scope::CoreTask,
            rank: number,
            relevance: Relevance::Perfect,
            filled_up: false,
        }],
        timing: Timing::Earlier,
        cited_as: None,
        found_by: vec!["planted".into()],
        came_by: Vec::new(),
        shared_authors: Vec::new(),
    })
}

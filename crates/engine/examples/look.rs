//! Prints what is extracted from the development data's full texts, for manual inspection: claims, queries, candidates.
//!
//! `cargo run --example look -- FILE.jsonl.zst [EVERY] [OFFSET] [CORPUS] [brief]`: processes every EVERYth paper. With a corpus it also prints the
//! search results, and how many of the works cited by a paper became candidates.
#![expect(clippy::print_stdout, reason = "a tool that prints its results")]

use std::io::{BufRead, BufReader};
use std::sync::Arc;

use precedent_domain::Paper;
use precedent_engine::extract::{Extraction, extract};
use precedent_engine::retrieve::queries::queries;
use precedent_engine::retrieve::search::SearchOutcome;
use precedent_engine::retrieve::search::{as_of, search};
use precedent_engine::{FrozenClock, SilentProgress, World};
use precedent_sources::Source;
use serde_json::Value;

mod records;
use records::paper;

type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let file = args.next().ok_or("missing argument: FILE.jsonl.zst")?;
    let every: usize = args.next().map_or(Ok(1), |text| text.parse())?;
    let offset: usize = args.next().map_or(Ok(0), |text| text.parse())?;
    let corpus = args.next();
    let brief = args.next().is_some();
    let mut sources: Vec<Arc<dyn Source>> = Vec::new();
    if let Some(folder) = &corpus {
        sources.push(precedent_sources::open(&format!("corpus:{folder}"))?);
    }
    let world = World {
        clock: Arc::new(FrozenClock(0)),
        ledger: precedent_ledger::Ledger::in_memory().await?,
        sources,
        texts: None,
        model: None,
        progress: Arc::new(SilentProgress),
        budget: precedent_engine::Budget::default(),
        seed: 0,
    };
    let lines = BufReader::new(zstd::Decoder::new(std::fs::File::open(file)?)?).lines();
    let mut recall = Recall::default();
    for (number, line) in lines.enumerate() {
        if number % every != offset {
            continue;
        }
        let record: Value = serde_json::from_str(&line?)?;
        let paper = paper(&record);
        let start = std::time::Instant::now();
        let extraction = extract(&paper, &world).await?;
        let extracted = start.elapsed();
        if !brief {
            show_extraction(&paper, &extraction);
        }
        if corpus.is_some() {
            let as_of = as_of(&paper, None);
            let plan = queries(&extraction, &world).await?;
            let found = search(&paper, &plan.all(), as_of.as_ref(), &world).await?;
            let cited: Vec<&str> = record
                .get("cited_in_corpus")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            recall.count(&found, &cited);
            if !brief {
                show_search(&plan.all(), &found, &cited);
            }
        }
        println!(
            "  ({} ms extract, {} ms in all)",
            extracted.as_millis(),
            start.elapsed().as_millis()
        );
    }
    println!("{recall:?}");
    Ok(())
}

/// Recall of the works cited by the papers.
#[derive(Debug, Default)]
struct Recall {
    papers: usize,
    cited: usize,
    kept: usize,
    core: usize,
    core_top10: usize,
    candidates: usize,
    share_sum: f64,
    core_share_sum: f64,
}

impl Recall {
    fn count(&mut self, found: &SearchOutcome, cited: &[&str]) {
        if cited.is_empty() {
            return;
        }
        self.papers += 1;
        self.cited += cited.len();
        self.candidates += found.candidates.len();
        let is_cited = |one: &&precedent_domain::Candidate| {
            std::iter::once(&one.work.id)
                .chain(&one.work.also)
                .any(|id| cited.contains(&id.as_str()))
        };
        let core_rank = |one: &&precedent_domain::Candidate| {
            one.scopes
                .iter()
                .find(|rank| rank.scope == precedent_domain::Scope::CoreTask)
                .map(|rank| rank.rank)
        };
        let kept: Vec<&precedent_domain::Candidate> = found.candidates.iter().filter(is_cited).collect();
        self.kept += kept.len();
        let core = kept.iter().filter(|one| core_rank(one).is_some()).count();
        self.core += core;
        self.core_top10 += kept
            .iter()
            .filter(|one| core_rank(one).is_some_and(|rank| rank <= 10))
            .count();
        self.share_sum += kept.len() as f64 / cited.len() as f64;
        self.core_share_sum += core as f64 / cited.len() as f64;
    }
}

fn show_extraction(paper: &Paper, extraction: &Extraction) {
    println!("## {}", paper.title.clone().unwrap_or_default());
    if let Some(task) = &extraction.core_task {
        println!(
            "  CORE  {}  [evidence: {}]",
            task.phrase,
            task.evidence
                .as_ref()
                .map_or("-".into(), |quote| one_line(quote.text()))
        );
        for other in task.alternatives.iter().take(3) {
            println!("        alt: {other}");
        }
    }
    for (at, one) in extraction.contributions.iter().enumerate() {
        println!(
            "  {}. {:?} [{}] NAME {}",
            at + 1,
            one.class,
            one.claim.place().section.clone().unwrap_or_default(),
            one.name
        );
        println!("     CLAIM {}", one_line(one.claim.text()));
        println!("     DESC  {}", one.description);
        println!("     TOPIC {}", one.topics.join(" | "));
    }
    println!("  coined: {:?}", extraction.coined);
}

fn show_search(queries: &[precedent_domain::Query], found: &SearchOutcome, cited: &[&str]) {
    for query in queries {
        println!("  Q {:?}.{} {}", query.scope, query.variant, query.text);
    }
    for scope in &found.funnel.scopes {
        println!(
            "  FUNNEL {:?} raw {} flag {} dedup {} self {} date {} top {}",
            scope.scope,
            scope.raw,
            scope.after_flag,
            scope.after_dedup,
            scope.after_self,
            scope.after_date,
            scope.after_top
        );
    }
    for one in &found.candidates {
        let mark = if cited.contains(&one.work.id.as_str()) {
            "*"
        } else {
            " "
        };
        let scopes: Vec<String> = one
            .scopes
            .iter()
            .map(|rank| {
                format!(
                    "{:?}#{}{}",
                    rank.scope,
                    rank.rank,
                    if rank.filled_up { "~" } else { "" }
                )
            })
            .collect();
        println!(
            "   {mark}{:3} {} | {} | {:?} {}",
            one.number,
            one.alias,
            one.work.title,
            one.timing,
            scopes.join(" ")
        );
    }
    for one in &found.set_aside {
        println!(
            "   ASIDE {:?} {} {}",
            one.reason,
            one.title,
            one.date.as_ref().map_or(String::new(), |dated| dated.date.to_string())
        );
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

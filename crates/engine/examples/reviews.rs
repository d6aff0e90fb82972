//! Prints what is made of an idea or a paper before anybody judges, for eyes: parts, queries, knowledge, grounding.
//!
//! `cargo run --example reviews -- FILE [CORPUS]`: a text (`.idea.txt`) is an idea, anything else a paper. Without a corpus only the parts are shown.
#![expect(clippy::print_stdout, reason = "a tool for eyes")]

use std::sync::Arc;

use precedent_domain::{IdeaPart, IdeaReview};
use precedent_engine::board::{dimensions, personas};
use precedent_engine::pipelines::{Idea, ReviewInput, ReviewOptions, review, review_queries};
use precedent_engine::{FrozenClock, OfflineAnalyst, SilentProgress, World};
use precedent_sources::Source;

type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let file = std::path::PathBuf::from(args.next().ok_or("which file?")?);
    if !file.is_file() {
        println!("skipped: {} is not there", file.display());
        return Ok(());
    }
    let corpus = args.next();
    let mut sources: Vec<Arc<dyn Source>> = Vec::new();
    if let Some(folder) = &corpus {
        sources.push(precedent_sources::open(&format!("corpus:{folder}"))?);
    }
    let world = World {
        clock: Arc::new(FrozenClock(0)),
        ledger: precedent_ledger::Ledger::in_memory().await?,
        sources,
        texts: None,
        analyst: Arc::new(OfflineAnalyst),
        progress: Arc::new(SilentProgress),
        budget: precedent_engine::Budget::default(),
        seed: 0,
    };
    let is_idea = file.to_string_lossy().ends_with(".idea.txt");
    let input = match is_idea {
        true => ReviewInput::Idea(Idea::new(&std::fs::read_to_string(&file)?)),
        false => ReviewInput::Paper(Box::new(precedent_read::read(&file)?)),
    };
    let options = ReviewOptions {
        as_of: None,
        dimensions: dimensions(None)?,
        personas: personas(None)?,
        board: 5,
        rounds: 3,
        keep: 10,
        oversample: 3,
        alpha: 0.2,
        embedder: None,
    };
    if corpus.is_none() {
        for query in review_queries(&input, &world).await? {
            println!("query {:?} {:?}: {}", query.kind, query.part, query.text);
        }
        return Ok(());
    }
    let start = std::time::Instant::now();
    let found = review(&input, &options, &world).await?;
    show(&found);
    println!("({} ms)", start.elapsed().as_millis());
    Ok(())
}

fn show(found: &IdeaReview) {
    println!("# {}", found.idea.title);
    println!(
        "as of {:?}",
        found.metadata.as_of.as_ref().map(|one| one.date.to_string())
    );
    for one in &found.idea.statements {
        println!("  {} [{}] {}", one.number, one.part.name(), one.statement);
    }
    let missing: Vec<&str> = found.idea.missing.iter().map(|part| IdeaPart::name(*part)).collect();
    println!("  missing: {}", missing.join(", "));
    for round in &found.search.rounds {
        println!(
            "round {}: {} results, {} new, {} kept",
            round.number, round.results, round.new, round.kept
        );
        for query in &round.queries {
            println!(
                "    {:?} {} {:?}: {}",
                query.kind,
                query.part.map_or("whole", IdeaPart::name),
                query.refined,
                query.text
            );
        }
    }
    for one in &found.knowledge {
        println!(
            "  [{}] {} {:?} {:?} S {:.3} round {} whole {} own {}: {}",
            one.number, one.alias, one.kind, one.role, one.score, one.round, one.read_whole, one.own, one.work.title
        );
    }
    for one in &found.grounding {
        println!(
            "  {} with [{}] on {:?}, shared {:.2}",
            one.part.name(),
            one.piece,
            one.statements,
            one.shared
        );
        for evidence in &one.evidence {
            let text: Vec<&str> = evidence.quote.text().split_whitespace().collect();
            println!("      “{}”", text.join(" "));
        }
    }
    for one in &found.metadata.not_searched {
        println!("  ! {:?}: {}", one.kind, one.message);
    }
    for note in &found.notes {
        println!("  note: {note}");
    }
    println!("  set aside: {}", found.set_aside.len());
}

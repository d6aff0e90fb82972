//! Counts what a run with a model sends, by prompt, on real papers with 80 full texts each, beside the published design; and tells how often a claim that was
//! planted in other words deep in a full text is among the passages that the model is shown.
//!
//! `cargo run --example tokens -- [FOLDER] [PAPERS]`: FOLDER holds the development data's full texts. The model is a script on loopback.
#![expect(clippy::print_stdout, reason = "a measurement for eyes")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use precedent_domain::{
    Candidate, CandidateText, Contribution, DateOrigin, Extent, Funnel, Identifiers, Paper, ParagraphKind,
    PublicationDate, Relevance, Scope, ScopeRank, Timing, Work,
};
use precedent_engine::llm::{Door, Meter, Model, ModelName, Settings};
use precedent_engine::model::{Material, ModelAnalyst, ModelSettings, StageModels};
use precedent_engine::pipelines::AssessOptions;
use precedent_engine::stages::search::SearchOutcome;
use precedent_engine::stages::{analysis, extract, judge};
use precedent_engine::{Analyst, FrozenClock, SilentProgress, World};
use precedent_ledger::Ledger;
use precedent_scripted::{ModelServer, plain};
use serde_json::Value;

mod records;
use records::paper;

type Failure = Box<dyn std::error::Error>;

/// Papers, and full texts set beside each.
const PAPERS: usize = 5;
const WORKS: usize = 80;
/// Works that the published design compares with, and looks for shared text in (OpenNovelty, 2.3).
const PUBLISHED_COMPARED: usize = 30;
const PUBLISHED_OVERLAP: usize = 40;
/// Replaces every so many words of a planted claim.
const REPLACED: usize = 4;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().map_or_else(development_data, PathBuf::from);
    let papers: usize = args.next().map_or(Ok(PAPERS), |text| text.parse())?;
    let file = folder.join("acl.jsonl.zst");
    if !file.is_file() {
        println!(
            "skipped: no full texts at {}; PRECEDENT_DEV_DATA names the development data",
            folder.display()
        );
        return Ok(());
    }
    let mut texts: Vec<Paper> = Vec::new();
    for line in BufReader::new(zstd::Decoder::new(std::fs::File::open(file)?)?).lines() {
        texts.push(paper(&serde_json::from_str::<Value>(&line?)?));
    }
    let (mut ours, mut published, mut planted, mut shown) = (0, 0, 0, 0);
    for at in (0..texts.len())
        .step_by((texts.len() / papers.max(1)).max(1))
        .take(papers)
    {
        let Some(target) = texts.get(at) else { continue };
        let works: Vec<&Paper> = texts
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != at)
            .map(|(_, one)| one)
            .take(WORKS)
            .collect();
        let one = measured(target, &works).await?;
        println!(
            "{}: {} claims, {} works",
            target.title.as_deref().unwrap_or("?"),
            one.claims,
            works.len()
        );
        for (prompt, (questions, tokens)) in &one.by_prompt {
            println!("    {prompt:<26} {questions:>5} questions {tokens:>9} tokens");
        }
        let here: u64 = one.by_prompt.values().map(|(_, tokens)| tokens).sum();
        println!(
            "    in all {here} tokens; published design {}; ratio 1/{:.1}",
            one.published,
            ratio(one.published, here)
        );
        println!(
            "    planted in other words: {} of {} among the passages shown",
            one.shown, one.planted
        );
        (ours, published) = (ours + here, published + one.published);
        (planted, shown) = (planted + one.planted, shown + one.shown);
    }
    println!(
        "in all {ours} tokens; published design {published}; ratio 1/{:.1}",
        ratio(published, ours)
    );
    println!("planted in other words: {shown} of {planted} among the passages shown");
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "token counts for eyes")]
fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b.max(1) as f64
}

struct Measured {
    claims: usize,
    by_prompt: BTreeMap<String, (u64, u64)>,
    published: u64,
    planted: usize,
    shown: usize,
}

async fn measured(target: &Paper, works: &[&Paper]) -> Result<Measured, Failure> {
    let server = ModelServer::start(plain)?;
    let world = world(&server).await?;
    let extraction = extract::extract(target, &world).await?;
    let claims: Vec<Contribution> = (1..)
        .zip(&extraction.contributions)
        .map(|(number, one)| Contribution {
            number,
            name: one.name.clone(),
            claim: one.claim.clone(),
            also_stated: one.also_stated.clone(),
            description: one.description.clone(),
            description_quotes: one.description_quotes.clone(),
            class: one.class,
            queries: Vec::new(),
        })
        .collect();
    let mut candidates = Vec::new();
    let mut texts = Vec::new();
    for (number, work) in (1..).zip(works) {
        candidates.push(candidate(number, work)?);
        // Every claim is planted once, each in a work of its own, deep in its text.
        let claim = usize::try_from(number)
            .ok()
            .and_then(|at| claims.get(at.checked_sub(1)?));
        let planted = claim.map(|claim| with_planted(work, &reworded(claim.claim.text(), number)));
        texts.push(CandidateText {
            number,
            document: planted.unwrap_or_else(|| work.document.clone()),
        });
    }
    let found = SearchOutcome {
        candidates,
        texts,
        set_aside: Vec::new(),
        funnel: Funnel {
            scopes: Vec::new(),
            merged: works.len(),
            shared_text: 0,
        },
        sources: Vec::new(),
        cut: Vec::new(),
        not_searched: Vec::new(),
        sent: Vec::new(),
    };
    let topic = extraction.core_task.as_ref().map(|task| task.phrase.as_str());
    let options = AssessOptions::default();
    let analysis = analysis::analyse(target, topic, &claims, &found, &options, &world).await?;
    let material = Material {
        paper: target,
        topic,
        claims: &claims,
        found: &found,
    };
    judge::judge(material, analysis, &world).await?;
    let mut by_prompt: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for one in world.analyst.uses() {
        by_prompt.insert(one.prompt, (one.questions, one.input_tokens));
    }
    let asked = server.asked();
    let passages: Vec<&str> = asked
        .iter()
        .filter(|one| one.prompt == "compare.passages")
        .map(|one| one.text())
        .collect();
    let shown = (1..=claims.len()).filter(|number| passages.iter().any(|text| text.contains(&nonce(*number as u32))));
    Ok(Measured {
        claims: claims.len(),
        published: published(target, works),
        planted: claims.len(),
        shown: shown.count(),
        by_prompt,
    })
}

/// Two whole texts for each work compared, and again for each looked through for shared text; four bytes a token.
fn published(target: &Paper, works: &[&Paper]) -> u64 {
    let tokens = |paper: &Paper| (paper.document.text.len() as u64).div_ceil(4);
    let of = |most: usize| -> u64 { works.iter().take(most).map(|work| tokens(target) + tokens(work)).sum() };
    of(PUBLISHED_COMPARED) + of(PUBLISHED_OVERLAP)
}

fn nonce(number: u32) -> String {
    format!("zq{number}vk")
}

/// A claim said otherwise: its halves change places, and every fourth word becomes another.
fn reworded(claim: &str, number: u32) -> String {
    let words: Vec<&str> = claim.split_whitespace().collect();
    let (first, second) = words.split_at(words.len() / 2);
    let turned = second.iter().chain(first).enumerate();
    let said: Vec<&str> = turned
        .map(|(at, word)| if at % REPLACED == REPLACED - 1 { "thereby" } else { word })
        .collect();
    format!("As {} tells, {}.", nonce(number), said.join(" "))
}

/// The text with a paragraph put at its end, far from its abstract.
fn with_planted(work: &Paper, words: &str) -> precedent_domain::Document {
    let mut document = work.document.clone();
    let from = document.text.len();
    document.text.push_str(words);
    let span = precedent_domain::Span::new(from, document.text.len());
    document.paragraphs.push(precedent_domain::Paragraph {
        span,
        kind: ParagraphKind::Body,
    });
    document
}

fn candidate(number: u32, work: &Paper) -> Result<Candidate, Failure> {
    Ok(Candidate {
        number,
        alias: format!("Work {number}"),
        work: Work {
            id: format!("text:{number}").parse()?,
            title: work.title.clone().unwrap_or_default(),
            summary: work.abstract_text().map(str::to_owned),
            authors: Vec::new(),
            venue: None,
            dates: vec![PublicationDate {
                date: "2001".parse()?,
                origin: DateOrigin::Record("text".into()),
            }],
            identifiers: Identifiers::default(),
            url: None,
            extent: Extent::FullText,
            also: Vec::new(),
        },
        scopes: vec![ScopeRank {
            scope: Scope::CoreTask,
            rank: number,
            relevance: Relevance::Perfect,
            filled_up: false,
        }],
        timing: Timing::Earlier,
        cited_as: None,
        found_by: vec!["text".into()],
        shared_authors: Vec::new(),
    })
}

async fn world(server: &ModelServer) -> Result<World, Failure> {
    let ledger = Ledger::in_memory().await?;
    let door = Arc::new(Door::new(Settings::default(), ledger.clone())?);
    let meter = Arc::new(Meter::default());
    let base = format!("{}/v1", server.base());
    let name = ModelName::parse("compatible:scripted")?;
    let model = Model::new(name, Some(&base), None, 8, door, Arc::clone(&meter))?;
    let models = StageModels {
        default: Arc::new(model),
        by_stage: BTreeMap::new(),
    };
    let analyst: Arc<dyn Analyst> = Arc::new(ModelAnalyst::new(models, ModelSettings::default(), meter));
    Ok(World {
        clock: Arc::new(FrozenClock(0)),
        ledger,
        sources: Vec::new(),
        analyst,
        progress: Arc::new(SilentProgress),
        budget: precedent_engine::Budget::default(),
        seed: 0,
    })
}

fn development_data() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    std::env::var_os("PRECEDENT_DEV_DATA")
        .map_or(beside, PathBuf::from)
        .join("fulltext")
}

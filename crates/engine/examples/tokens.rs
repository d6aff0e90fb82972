//! Counts the tokens that a run with a model sends, by prompt, on real papers with 80 full texts each, and compares them with the published design.
//!
//! `cargo run --example tokens -p precedent-engine -- [FOLDER] [CORPUS]`: FOLDER contains the development data's full texts. CORPUS is an index to
//! search for each paper's field, so that relevance requests are counted too. The model is a scripted server on loopback. The count covers everything
//! it receives: system text, turns and schema.
#![expect(clippy::print_stdout, reason = "a benchmark that prints its results")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use precedent_domain::{Paper, SectionKind};
use precedent_engine::assess::AssessOptions;
use precedent_engine::assess::Material;
use precedent_engine::assess::{analysis, judge};
use precedent_engine::extract;
use precedent_engine::model::ModelSettings;
use precedent_engine::retrieve::queries;
use precedent_engine::retrieve::search::search;
use precedent_scripted::{ModelServer, Question, plain};

mod records;
mod shelf;
use shelf::{Failure, beside, claims, development_data, found, texts, world};

/// Number of papers of each collection.
const PAPERS: [usize; 3] = [2, 2, 1];
/// The published design: works to compare, works to check for shared text (OpenNovelty, 2.3), and the length limit of a text (A).
const PUBLISHED_COMPARED: usize = 30;
const PUBLISHED_OVERLAP: usize = 40;
const PUBLISHED_CUT: usize = 200_000;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().map_or_else(development_data, PathBuf::from);
    let corpus = args.next().map(PathBuf::from);
    let Some(all) = texts(&folder)? else {
        println!(
            "skipped: no full texts at {}; set PRECEDENT_DEV_DATA to the development data",
            folder.display()
        );
        return Ok(());
    };
    let (mut ours, mut published) = (0, 0);
    for (collection, papers) in PAPERS.into_iter().enumerate() {
        for number in 0..papers {
            let at = number * all.get(collection).map_or(0, Vec::len) / papers;
            let Some((target, works)) = beside(&all, collection, at) else {
                continue;
            };
            let one = counted(target, &works, corpus.as_deref()).await?;
            ours += one.ours();
            published += one.published;
            one.print(target);
        }
    }
    println!(
        "total: {ours} tokens; published design: {published}; ratio: 1/{:.1}",
        ratio(published, ours)
    );
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "token counts are printed rounded")]
fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b.max(1) as f64
}

struct Counted {
    claims: usize,
    /// Requests and tokens.
    by_prompt: BTreeMap<String, (u64, u64)>,
    published: u64,
}

impl Counted {
    fn ours(&self) -> u64 {
        self.by_prompt.values().map(|(_, tokens)| tokens).sum()
    }

    fn print(&self, target: &Paper) {
        println!("{}: {} claims", target.title.as_deref().unwrap_or("?"), self.claims);
        for (prompt, (questions, tokens)) in &self.by_prompt {
            println!("    {prompt:<24} {questions:>5} requests {tokens:>9} tokens");
        }
        println!(
            "    total: {} tokens; published design: {}; ratio: 1/{:.1}",
            self.ours(),
            self.published,
            ratio(self.published, self.ours())
        );
    }
}

/// What a model receives during a whole run, from extraction to summary.
async fn counted(target: &Paper, works: &[&Paper], corpus: Option<&Path>) -> Result<Counted, Failure> {
    let server = ModelServer::start(plain)?;
    let world = world(&server, corpus, ModelSettings::default()).await?;
    let extraction = extract::extract(target, &world).await?;
    let plan = queries::queries(&extraction, &world).await?;
    if !world.sources.is_empty() {
        // The search adds the relevance requests for a large corpus. The comparisons use the full texts.
        search(target, &plan.all(), None, &world).await?;
    }
    let claims = claims(&extraction);
    let found = found(works, |_, _| None)?;
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
    for question in server.asked() {
        let (questions, tokens) = by_prompt.entry(question.prompt.clone()).or_default();
        *questions += 1;
        *tokens += tokens_of(&question);
    }
    Ok(Counted {
        claims: claims.len(),
        by_prompt,
        published: published(target, works),
    })
}

/// Estimates four bytes per token, including the schema.
fn tokens_of(question: &Question) -> u64 {
    let schema = question.schema.as_ref().map_or(0, |schema| schema.to_string().len());
    ((question.whole().len() + schema) as u64).div_ceil(4)
}

/// Two whole texts for each compared work, and again for each work checked for shared text, cut at the published limit, at four bytes per token.
/// Excludes the design's prompts and other requests.
fn published(target: &Paper, works: &[&Paper]) -> u64 {
    let tokens = |paper: &Paper| (text_without_references(paper).min(PUBLISHED_CUT) as u64).div_ceil(4);
    let of = |most: usize| -> u64 { works.iter().take(most).map(|work| tokens(target) + tokens(work)).sum() };
    of(PUBLISHED_COMPARED) + of(PUBLISHED_OVERLAP)
}

fn text_without_references(paper: &Paper) -> usize {
    let sections = paper.document.sections.iter();
    let listed = sections.filter(|section| section.kind == SectionKind::References);
    let references: usize = listed.map(|section| section.span.end - section.span.start).sum();
    paper.document.text.len() - references
}

//! Counts what a run with a model sends, by prompt, on real papers with 80 full texts each, beside the published design; and tells how often prior art that was
//! planted in full texts, far from their abstracts, is among the passages that the model is shown.
//!
//! `cargo run --example tokens -- [FOLDER] [CORPUS]`: FOLDER holds the development data's full texts, CORPUS is an index in which each paper's field is searched, so that
//! the questions on relevance are counted as well. The model is a script on loopback. What is counted is what reached it: system text, turns and schema.
#![expect(clippy::print_stdout, reason = "a measurement for eyes")]

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use precedent_domain::{
    Candidate, CandidateText, Contribution, DateOrigin, Document, Extent, Funnel, Identifiers, Paper, ParagraphKind,
    PublicationDate, Relevance, Scope, ScopeRank, SectionKind, Timing, Work,
};
use precedent_engine::llm::{Door, Meter, Model, ModelName, Settings};
use precedent_engine::model::{Material, ModelAnalyst, ModelSettings, StageModels};
use precedent_engine::pipelines::AssessOptions;
use precedent_engine::sources::{CorpusSource, Source};
use precedent_engine::stages::search::{SearchOutcome, search};
use precedent_engine::stages::{analysis, extract, judge, queries};
use precedent_engine::{Analyst, FrozenClock, SilentProgress, World, library};
use precedent_ledger::Ledger;
use precedent_scripted::{ModelServer, Question, plain};
use serde_json::Value;

mod records;
use records::paper;

type Failure = Box<dyn std::error::Error>;

/// Papers of each file, and full texts set beside each paper.
const PAPERS: [(&str, usize); 3] = [("acl", 2), ("neurips2025", 2), ("plos_elife", 1)];
const WORKS: usize = 80;
/// Works that the published design compares with, and looks for shared text in (OpenNovelty, 2.3), and where it cuts a text (A).
const PUBLISHED_COMPARED: usize = 30;
const PUBLISHED_OVERLAP: usize = 40;
const PUBLISHED_CUT: usize = 200_000;
/// The ways in which a planted claim is said otherwise.
const WAYS: [&str; 4] = [
    "halves exchanged, each 4th word another",
    "usual words for others, each 6th word another",
    "each 3rd word another",
    "as the paper itself says it elsewhere",
];

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().map_or_else(development_data, PathBuf::from);
    let corpus = args.next().map(PathBuf::from);
    if !folder.join("acl.jsonl.zst").is_file() {
        println!(
            "skipped: no full texts at {}; PRECEDENT_DEV_DATA names the development data",
            folder.display()
        );
        return Ok(());
    }
    let mut all: Vec<Vec<Paper>> = Vec::new();
    for (name, _) in PAPERS {
        let file = std::fs::File::open(folder.join(format!("{name}.jsonl.zst")))?;
        let lines = BufReader::new(zstd::Decoder::new(file)?).lines();
        let mut texts = Vec::new();
        for line in lines {
            texts.push(paper(&serde_json::from_str::<Value>(&line?)?));
        }
        all.push(texts);
    }
    let (mut ours, mut published) = (0, 0);
    let mut ways: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for (own, (_, papers)) in all.iter().zip(PAPERS) {
        for number in 0..papers {
            let at = number * own.len() / papers;
            let Some(target) = own.get(at) else { continue };
            // Those that follow it in its own file, then those of the others.
            let following = own.iter().skip(at + 1).chain(own.iter().take(at));
            let others = all.iter().filter(|other| !std::ptr::eq(*other, own)).flatten();
            let works: Vec<&Paper> = following.chain(others).take(WORKS).collect();
            let one = counted(target, &works, corpus.as_deref()).await?;
            ours += one.ours();
            published += one.published;
            one.print(target);
            for (way, (shown, planted)) in planted(target, &works).await? {
                let sum = ways.entry(way).or_default();
                *sum = (sum.0 + shown, sum.1 + planted);
            }
        }
    }
    println!(
        "in all {ours} tokens; published design {published}; 1/{:.1} of it",
        ratio(published, ours)
    );
    for (way, (shown, planted)) in &ways {
        println!(
            "planted, {}: {shown} of {planted} among the passages shown",
            WAYS.get(*way).unwrap_or(&"?")
        );
    }
    let (shown, planted) = ways.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    println!("planted in all: {shown} of {planted}");
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "token counts for eyes")]
fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b.max(1) as f64
}

struct Counted {
    claims: usize,
    /// Questions and tokens.
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
            println!("    {prompt:<24} {questions:>5} questions {tokens:>9} tokens");
        }
        println!(
            "    in all {} tokens; published design {}; 1/{:.1} of it",
            self.ours(),
            self.published,
            ratio(self.published, self.ours())
        );
    }
}

/// What reaches a model over a whole run: from reading to summing up.
async fn counted(target: &Paper, works: &[&Paper], corpus: Option<&Path>) -> Result<Counted, Failure> {
    let server = ModelServer::start(plain)?;
    let world = world(&server, corpus).await?;
    let extraction = extract::extract(target, &world).await?;
    let plan = queries::queries(&extraction, None, &world).await?;
    if !world.sources.is_empty() {
        // Asks about the relevance of what a large corpus holds; what is compared are the full texts.
        search(target, &plan.all(), None, &world).await?;
    }
    let claims = claims(&extraction);
    let found = found(works, |_| None)?;
    let topic = extraction.core_task.as_ref().map(|task| task.phrase.as_str());
    judged(target, topic, &claims, &found, &world).await?;
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

/// Four bytes a token, the schema counted.
fn tokens_of(question: &Question) -> u64 {
    let schema = question.schema.as_ref().map_or(0, |schema| schema.to_string().len());
    ((question.whole().len() + schema) as u64).div_ceil(4)
}

/// Two whole texts for each work compared, and again for each looked through for shared text, cut as it cuts them, at four bytes a token. Its own prompts, and whatever
/// else it asks, are left out.
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

/// By way of saying it otherwise: how many planted passages are shown, of how many. Each work gets one claim, in the middle of its text. An ideal judge with both whole
/// texts before it finds every one; with the passages before it, those that it is shown.
async fn planted(target: &Paper, works: &[&Paper]) -> Result<BTreeMap<usize, (usize, usize)>, Failure> {
    let mut ways: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for (way, _) in WAYS.iter().enumerate() {
        let server = ModelServer::start(plain)?;
        let world = world(&server, None).await?;
        let extraction = extract::extract(target, &world).await?;
        let mut claims = claims(&extraction);
        let mut restated: Vec<Vec<String>> = Vec::new();
        for claim in &mut claims {
            let said = std::mem::take(&mut claim.also_stated);
            restated.push(said.iter().map(|quote| quote.text().to_owned()).collect());
            if way != 3 {
                claim.also_stated = said;
            }
        }
        let plant = |number: u32| -> Option<String> {
            let at = usize::try_from(number).ok()?.checked_rem(claims.len())?;
            let claim = claims.get(at)?;
            let words = match way {
                0 => exchanged(claim.claim.text()),
                1 => in_usual_words(claim.claim.text()),
                2 => every(claim.claim.text(), 3),
                _ => restated.get(at)?.first()?.clone(),
            };
            Some(format!("As {} tells, {words}.", nonce(number)))
        };
        let found = found(works, plant)?;
        judged(target, None, &claims, &found, &world).await?;
        let asked = server.asked();
        let passages: Vec<&str> = asked
            .iter()
            .filter(|one| one.prompt == "compare.passages")
            .map(Question::text)
            .collect();
        for candidate in found.candidates.iter().filter(|one| plant(one.number).is_some()) {
            let sum = ways.entry(way).or_default();
            let mark = nonce(candidate.number);
            let shown = passages.iter().any(|text| text.contains(&mark));
            if !shown && std::env::var_os("TOKENS_MISSED").is_some() {
                println!("missed: {}", plant(candidate.number).unwrap_or_default());
                let title = &candidate.work.title;
                if let Some(text) = passages.iter().find(|text| text.contains(title.as_str())) {
                    println!("  shown: {}", text.replace('\n', " | "));
                } else {
                    println!("  not put: {title}");
                }
            }
            *sum = (sum.0 + usize::from(shown), sum.1 + 1);
        }
    }
    Ok(ways)
}

fn claims(extraction: &extract::Extraction) -> Vec<Contribution> {
    let contributions = (1..).zip(&extraction.contributions);
    contributions
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
        .collect()
}

/// The works as candidates with their full texts, each with what is planted in it.
fn found(works: &[&Paper], plant: impl Fn(u32) -> Option<String>) -> Result<SearchOutcome, Failure> {
    let mut candidates = Vec::new();
    let mut texts = Vec::new();
    for (number, work) in (1..).zip(works) {
        candidates.push(candidate(number, work)?);
        let planted = plant(number).map(|words| with_planted(&work.document, &words));
        texts.push(CandidateText {
            number,
            document: planted.unwrap_or_else(|| work.document.clone()),
        });
    }
    Ok(SearchOutcome {
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
        texts_may_come: false,
    })
}

async fn judged(
    target: &Paper,
    topic: Option<&str>,
    claims: &[Contribution],
    found: &SearchOutcome,
    world: &World,
) -> Result<(), Failure> {
    let options = AssessOptions::default();
    let analysis = analysis::analyse(target, topic, claims, found, &options, world).await?;
    let material = Material {
        paper: target,
        topic,
        claims,
        found,
    };
    judge::judge(material, analysis, world).await?;
    Ok(())
}

fn nonce(number: u32) -> String {
    format!("zq{number}vk")
}

/// Halves exchanged, and every fourth word another.
fn exchanged(claim: &str) -> String {
    let words: Vec<&str> = claim.split_whitespace().collect();
    let (first, second) = words.split_at(words.len() / 2);
    let turned: Vec<&str> = second.iter().chain(first).copied().collect();
    every(&turned.join(" "), 4)
}

/// Every so many words another, of no meaning.
fn every(text: &str, step: usize) -> String {
    let said = text.split_whitespace().enumerate();
    let said = said.map(|(at, word)| if at % step == step - 1 { "thereby" } else { word });
    said.collect::<Vec<_>>().join(" ")
}

/// What papers like to say in one word, said in another of its kind, and every sixth word another.
fn in_usual_words(claim: &str) -> String {
    const PAIRS: [(&str, &str); 24] = [
        ("we", "the authors"),
        ("propose", "put forward"),
        ("present", "describe"),
        ("introduce", "bring in"),
        ("show", "demonstrate"),
        ("novel", "new"),
        ("new", "original"),
        ("method", "procedure"),
        ("approach", "technique"),
        ("model", "system"),
        ("framework", "architecture"),
        ("algorithm", "procedure"),
        ("dataset", "collection"),
        ("corpus", "collection"),
        ("task", "problem"),
        ("use", "employ"),
        ("using", "by means of"),
        ("improve", "raise"),
        ("performance", "quality"),
        ("results", "findings"),
        ("large", "extensive"),
        ("based", "resting"),
        ("learn", "acquire"),
        ("training", "fitting"),
    ];
    let said: Vec<&str> = claim
        .split_whitespace()
        .map(|word| {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            PAIRS
                .iter()
                .find(|(usual, _)| *usual == bare)
                .map_or(word, |(_, other)| other)
        })
        .collect();
    every(&said.join(" "), 6)
}

/// The text with a paragraph put in the middle of it.
fn with_planted(document: &Document, words: &str) -> Document {
    let mut planted = document.clone();
    let middle = document.text.len() / 2;
    let at = document
        .paragraphs
        .iter()
        .map(|one| one.span.start)
        .find(|start| *start >= middle)
        .unwrap_or(document.text.len());
    let inserted = format!("{words}\n\n");
    planted.text.insert_str(at, &inserted);
    let moved = |span: &mut precedent_domain::Span, grows: bool| {
        if span.start >= at && !(grows && span.start == at) {
            span.start += inserted.len();
        }
        if span.end > at {
            span.end += inserted.len();
        }
    };
    planted
        .paragraphs
        .iter_mut()
        .for_each(|one| moved(&mut one.span, false));
    planted.sections.iter_mut().for_each(|one| moved(&mut one.span, true));
    let span = precedent_domain::Span::new(at, at + words.len());
    let place = planted.paragraphs.partition_point(|one| one.span.start < at);
    planted.paragraphs.insert(
        place,
        precedent_domain::Paragraph {
            span,
            kind: ParagraphKind::Body,
        },
    );
    planted
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

async fn world(server: &ModelServer, corpus: Option<&Path>) -> Result<World, Failure> {
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
    let mut sources: Vec<Arc<dyn Source>> = Vec::new();
    if let Some(path) = corpus {
        let (corpus, _) = library::open(path, &std::env::temp_dir())?;
        sources.push(Arc::new(CorpusSource::new("corpus".to_owned(), corpus)));
    }
    Ok(World {
        clock: Arc::new(FrozenClock(0)),
        ledger,
        sources,
        texts: None,
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

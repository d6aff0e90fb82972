//! Papers with full texts to compare with, for the examples that measure model requests.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use precedent_domain::{
    Candidate, CandidateText, Contribution, DateOrigin, Document, Extent, Funnel, Paper, PublicationDate, Relevance,
    Scope, ScopeRank, Timing, Work,
};
use precedent_engine::extract;
use precedent_engine::llm::{HttpGateway, Meter, Model, ModelName, Settings};
use precedent_engine::model::{ModelAnalyst, ModelSettings, StageModels};
use precedent_engine::retrieve::search::SearchOutcome;
use precedent_engine::sources::{CorpusSource, Source};
use precedent_engine::{FrozenClock, SilentProgress, World, library};
use precedent_ledger::Ledger;
use precedent_scripted::ModelServer;
use serde_json::Value;

use crate::records::paper;

pub(crate) type Failure = Box<dyn std::error::Error>;

/// Full texts compared with each paper.
const WORKS: usize = 80;
/// The collections, by file name.
const COLLECTIONS: [&str; 3] = ["acl", "neurips2025", "plos_elife"];

/// All full texts by collection; `None` if a collection is missing.
pub(crate) fn texts(folder: &Path) -> Result<Option<Vec<Vec<Paper>>>, Failure> {
    let mut all = Vec::new();
    for name in COLLECTIONS {
        let path = folder.join(format!("{name}.jsonl.zst"));
        if !path.is_file() {
            return Ok(None);
        }
        let mut texts = Vec::new();
        for line in BufReader::new(zstd::Decoder::new(std::fs::File::open(path)?)?).lines() {
            texts.push(paper(&serde_json::from_str::<Value>(&line?)?));
        }
        all.push(texts);
    }
    Ok(Some(all))
}

/// The paper at `at` of a collection and its works: those that follow it in the collection, then those of the other collections.
pub(crate) fn beside(all: &[Vec<Paper>], collection: usize, at: usize) -> Option<(&Paper, Vec<&Paper>)> {
    let own = all.get(collection)?;
    let target = own.get(at)?;
    let following = own.iter().skip(at + 1).chain(own.iter().take(at));
    let others = all.iter().enumerate().filter(|(other, _)| *other != collection);
    let others = others.flat_map(|(_, texts)| texts);
    Some((target, following.chain(others).take(WORKS).collect()))
}

/// The claims, numbered as in a report.
pub(crate) fn claims(extraction: &extract::Extraction) -> Vec<Contribution> {
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

/// The works as candidates with their full texts, or with the texts that `text` returns for their numbers.
pub(crate) fn found(
    works: &[&Paper],
    text: impl Fn(u32, &Document) -> Option<Document>,
) -> Result<SearchOutcome, Failure> {
    let mut candidates = Vec::new();
    let mut texts = Vec::new();
    for (number, work) in (1..).zip(works) {
        candidates.push(candidate(number, work)?);
        texts.push(CandidateText {
            number,
            document: text(number, &work.document).unwrap_or_else(|| work.document.clone()),
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

fn candidate(number: u32, work: &Paper) -> Result<Candidate, Failure> {
    Ok(Candidate {
        number,
        alias: format!("Work {number}"),
        work: Work {
            summary: work.abstract_text().map(str::to_owned),
            dates: vec![PublicationDate {
                date: "2001".parse()?,
                origin: DateOrigin::Record("text".into()),
            }],
            extent: Extent::FullText,
            ..Work::titled(
                format!("text:{number}").parse()?,
                work.title.clone().unwrap_or_default(),
            )
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
        came_by: Vec::new(),
        shared_authors: Vec::new(),
    })
}

/// A world whose model is the given server.
pub(crate) async fn world(
    server: &ModelServer,
    corpus: Option<&Path>,
    settings: ModelSettings,
) -> Result<World, Failure> {
    let ledger = Ledger::in_memory().await?;
    let gateway = Arc::new(HttpGateway::new(Settings::default(), ledger.clone())?);
    let meter = Arc::new(Meter::default());
    let base = format!("{}/v1", server.base());
    let name = ModelName::parse("compatible:scripted")?;
    let model = Model::new(name, Some(&base), None, 8, gateway, Arc::clone(&meter))?;
    let models = StageModels {
        default: Arc::new(model),
        by_stage: BTreeMap::new(),
    };
    let model = Arc::new(ModelAnalyst::new(models, settings, meter));
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
        model: Some(model),
        progress: Arc::new(SilentProgress),
        budget: precedent_engine::Budget::default(),
        seed: 0,
    })
}

/// Folder of the development data's full texts.
pub(crate) fn development_data() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    std::env::var_os("PRECEDENT_DEV_DATA")
        .map_or(beside, PathBuf::from)
        .join("fulltext")
}

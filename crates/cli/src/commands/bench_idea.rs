//! Benchmark of verdicts on ideas against labels, and of the recall of the labelled papers.

use std::path::Path;
use std::sync::Arc;

use precedent_app::corpora::sources_of;
use precedent_app::idea_input::{embedder, examples};
use precedent_app::input::absolute;
use precedent_app::models::{self, ModelAccess};
use precedent_app::runs::RunFolder;
use precedent_app::runtime::runtime;
use precedent_app::{AppError, ErrorKind, IdeaSession};
use precedent_bench::{
    Agreement, Clustered, Decision, LeanAgreement, TopOverlap, agreement, clusters, found, lean_agreement, recall_at,
    top_overlap,
};
use precedent_engine::SilentProgress;
use precedent_engine::domain::IdeaAssessment;
use precedent_engine::idea::{Ablation, Idea, IdeaOptions, LabelledIdea, LabelledWork, labelled_ideas};
use precedent_engine::ledger::Ledger;
use serde::Serialize;
use serde_json::json;

use super::idea::arguments::{BenchIdeaArguments, BenchSetting};
use crate::ExitCode;
use crate::console::Console;
use crate::printer::{Printer, counted, plain};
use crate::progress::Warnings;

/// Seed of the resampling.
const SEED: u64 = 1;
/// Cutoff ranks for recall.
const DEPTHS: [usize; 4] = [10, 20, 50, 100];

#[derive(Debug, Serialize)]
struct BenchIdeaOutput {
    set: String,
    analyst: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<Agreement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lean: Option<LeanAgreement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    retrieval: Option<Retrieval>,
}

#[derive(Debug, Serialize)]
struct Retrieval {
    #[serde(rename = "nearness_by")]
    similarity_by: String,
    ideas: usize,
    groups: usize,
    works: usize,
    recall: Vec<RecallAt>,
    /// With the complete search first.
    verdicts: Vec<WithAblation>,
}

/// The verdicts on papers found by a search, complete or without a part.
#[derive(Debug, Serialize)]
struct WithAblation {
    left_out: Ablation,
    agreement: Agreement,
    lean: LeanAgreement,
    /// Compared with the papers of the complete search.
    #[serde(skip_serializing_if = "Option::is_none")]
    papers: Option<TopOverlap>,
}

#[derive(Debug, Serialize)]
struct RecallAt {
    depth: usize,
    #[serde(flatten)]
    recall: Clustered,
}

/// `precedent bench idea`.
pub(super) fn run(typed: &BenchIdeaArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let text = super::input::text(&typed.file)?;
    let ideas = labelled_ideas(&text).map_err(|error| AppError::new(ErrorKind::Input, error))?;
    let request = models::selected(&(&typed.model).into())?;
    let scratch = tempfile::tempdir().map_err(|error| AppError::new(ErrorKind::Bug, error))?;
    let folder = typed
        .out
        .as_deref()
        .map(RunFolder::create)
        .transpose()
        .map_err(AppError::from)?;
    let place = folder.as_ref().map_or(scratch.path(), RunFolder::dir);
    let options = IdeaOptions {
        examples: examples(typed.examples.as_deref())?,
        samples: usize::from(typed.samples),
        embedder: embedder(typed.embedder.as_deref(), &place.join("index"))?,
        ..IdeaOptions::default()
    };
    let runtime = runtime()?;
    let answer = runtime.block_on(async {
        let ledger = Ledger::open(&place.join("ledger.sqlite"))
            .await
            .map_err(|error| AppError::new(ErrorKind::Input, error))?;
        let models = match &request {
            Some(request) => {
                let access = ModelAccess {
                    request,
                    seed: 0,
                    replay: false,
                    budget_had_ended: false,
                    impatient: false,
                    queue: None,
                    limit: None,
                    budget: None,
                    progress: Arc::new(Warnings(printer)),
                };
                Some(models::open(&access, &ledger)?)
            }
            None => None,
        };
        let mut session = IdeaSession {
            ledger,
            sources: Vec::new(),
            models,
            progress: Arc::new(SilentProgress),
            dollars: request.as_ref().and_then(|request| request.budget),
            seed: 0,
        };
        let fixed = match typed.setting {
            BenchSetting::Retrieval => None,
            _ => Some(fixed(&ideas, &session, &options, typed.json, printer).await?),
        };
        let (fixed, lean) = fixed.unzip();
        let retrieval = match typed.setting {
            BenchSetting::Fixed => None,
            _ => {
                let works = everything(&ideas, place)?;
                let mut corpora = vec![works];
                for path in &typed.corpus.corpora {
                    corpora.push(absolute(path)?);
                }
                session.sources = sources_of(&corpora, &place.join("index"), &Console::new(printer))?;
                // Without a model, this measures the ranking of the offline analysis.
                let ablations = match typed.ablations {
                    true => Ablation::ALL.as_slice(),
                    false => &[Ablation::Nothing],
                };
                Some(retrieval(&ideas, &session, &options, ablations, typed.json.then_some(printer)).await?)
            }
        };
        session.ledger.close().await;
        Ok::<_, AppError>(BenchIdeaOutput {
            set: typed
                .file
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            analyst: request
                .as_ref()
                .map_or("offline".to_owned(), |request| request.model.clone()),
            fixed,
            lean,
            retrieval,
        })
    })?;
    match typed.json {
        true => printer.json(&answer)?,
        false => printer.data(&readable(&answer)),
    }
    Ok(ExitCode::Done)
}

/// Checks each idea against its own papers.
async fn fixed(
    ideas: &[LabelledIdea],
    session: &IdeaSession,
    options: &IdeaOptions,
    json: bool,
    printer: Printer,
) -> Result<(Agreement, LeanAgreement), AppError> {
    let mut all = Vec::new();
    for one in ideas {
        let options = IdeaOptions {
            given: Some(one.works.iter().filter_map(LabelledWork::as_work).collect()),
            ..options.clone()
        };
        let found = session.check(&idea_of(one), &options).await.map_err(AppError::from)?;
        if json {
            print_line("fixed", one, &found, printer)?;
        }
        all.push(found);
    }
    Ok(measured(ideas, &all))
}

/// Prints the verdict on one idea, and what it was compared with: its own papers (`fixed`) or those that a search found (`retrieval`).
fn print_line(setting: &str, one: &LabelledIdea, found: &IdeaAssessment, printer: Printer) -> Result<(), AppError> {
    let verdict = &found.verdict;
    printer.json(&json!({"setting": setting, "id": one.id, "idea": one.idea, "label": one.label, "verdict": verdict.verdict, "grounds": verdict.grounds, "coded_grounds": verdict.coded_grounds, "agreement": verdict.agreement, "lean": found.lean}))
}

fn idea_of(one: &LabelledIdea) -> Idea {
    Idea {
        id: Some(one.id.clone()),
        ..Idea::new(&one.idea)
    }
}

/// The agreement of verdicts and of leans with the labels.
fn measured(ideas: &[LabelledIdea], found: &[IdeaAssessment]) -> (Agreement, LeanAgreement) {
    let groups = clusters(ideas);
    let decisions: Vec<Decision> = ideas
        .iter()
        .zip(found)
        .map(|(one, found)| Decision {
            label: one.label,
            verdict: found.verdict.verdict,
        })
        .collect();
    let leans: Vec<_> = ideas
        .iter()
        .zip(found)
        .map(|(one, found)| (one.label, found.lean.clone()))
        .collect();
    (
        agreement(&decisions, &groups, SEED),
        lean_agreement(&leans, &groups, SEED),
    )
}

/// Searches for each idea's papers among all papers, and gives verdicts on what is found. `lines_to` prints those of the complete search.
async fn retrieval(
    ideas: &[LabelledIdea],
    session: &IdeaSession,
    options: &IdeaOptions,
    ablations: &[Ablation],
    lines_to: Option<Printer>,
) -> Result<Retrieval, AppError> {
    let mut verdicts: Vec<WithAblation> = Vec::new();
    let mut complete: Vec<IdeaAssessment> = Vec::new();
    for &left_out in ablations {
        let options = IdeaOptions {
            ablation: left_out,
            ..options.clone()
        };
        let mut all = Vec::new();
        for one in ideas {
            let found = session.check(&idea_of(one), &options).await.map_err(AppError::from)?;
            if let Some(printer) = lines_to.filter(|_| complete.is_empty()) {
                print_line("retrieval", one, &found, printer)?;
            }
            all.push(found);
        }
        let (agreement, lean) = measured(ideas, &all);
        verdicts.push(WithAblation {
            left_out,
            agreement,
            lean,
            papers: (!complete.is_empty()).then(|| top_overlap(&complete, &all)),
        });
        if complete.is_empty() {
            complete = all;
        }
    }
    let places: Vec<_> = ideas
        .iter()
        .zip(&complete)
        .map(|(one, assessment)| found(one, assessment))
        .collect();
    let by = complete
        .last()
        .map(|one| one.ranking.similarity_by.clone())
        .unwrap_or_default();
    let groups = clusters(ideas);
    let recall = DEPTHS.map(|depth| {
        let values: Vec<f64> = places.iter().map(|place| place.recall(depth)).collect();
        RecallAt {
            depth,
            recall: recall_at(&values, &groups, SEED),
        }
    });
    let holdings = session
        .sources
        .iter()
        .filter_map(|source| source.holdings().works)
        .sum::<u64>();
    Ok(Retrieval {
        similarity_by: by,
        ideas: ideas.len(),
        groups: groups.iter().collect::<std::collections::BTreeSet<_>>().len(),
        works: usize::try_from(holdings).unwrap_or(usize::MAX),
        recall: recall.into(),
        verdicts,
    })
}

/// Writes a file with the papers of all ideas, without duplicates.
fn everything(ideas: &[LabelledIdea], place: &Path) -> Result<std::path::PathBuf, AppError> {
    let mut lines: Vec<String> = ideas
        .iter()
        .flat_map(|one| &one.works)
        .filter_map(|work| {
            let record = work.as_work()?;
            Some(json!({"id": record.id, "title": record.title, "abstract": record.summary}).to_string())
        })
        .collect();
    lines.sort();
    lines.dedup();
    let path = place.join("papers.jsonl");
    std::fs::write(&path, lines.join("\n")).map_err(|error| precedent_app::cannot_write(&path, &error))?;
    Ok(path)
}

fn readable(answer: &BenchIdeaOutput) -> String {
    let mut lines = Vec::new();
    if let Some(fixed) = &answer.fixed {
        lines.push(format!(
            "{}: {} in {} with shared papers, each compared with its own papers by {}; {} decided",
            plain(&answer.set),
            counted(fixed.ideas, "idea"),
            counted(fixed.groups, "group"),
            plain(&answer.analyst),
            fixed.decided
        ));
        lines.extend(agreement_rows(fixed));
        if fixed.decided < fixed.ideas {
            lines.push("  undecided ideas count as wrong in accuracy and recall".to_owned());
        }
    }
    if let Some(lean) = &answer.lean {
        lines.push(lean_line(lean));
        lines.push(row("lean, accuracy", &lean.accuracy));
    }
    if let Some(found) = &answer.retrieval {
        lines.push(format!(
            "{}: {} in {}, their papers searched for among {}; similarity: {}",
            plain(&answer.set),
            counted(found.ideas, "idea"),
            counted(found.groups, "group"),
            counted(found.works, "paper"),
            plain(&found.similarity_by)
        ));
        lines.extend(
            found
                .recall
                .iter()
                .map(|one| row(&format!("R@{}", one.depth), &one.recall)),
        );
        for one in &found.verdicts {
            lines.push(format!("verdicts on the papers found, {}", left_out(one.left_out)));
            lines.push(format!(
                "  decided: {} of {}",
                one.agreement.decided, one.agreement.ideas
            ));
            lines.push(row("recall, not novel", &one.agreement.recall_not_novel));
            lines.push(row("F1, mean of both", &one.agreement.macro_f1));
            lines.push(row("lean, accuracy", &one.lean.accuracy));
            lines.extend(one.papers.iter().map(|papers| {
                format!(
                    "  of the ten papers of the complete search, {:.2} are found; mean rank shift {:.2}",
                    papers.overlap, papers.rank_shift
                )
            }));
        }
    }
    lines.push("  intervals: 95 %, resampled by groups of ideas that share papers".to_owned());
    lines.push(String::new());
    lines.join("\n")
}

fn row(name: &str, one: &Clustered) -> String {
    format!("  {name:<20}  {:.3}  [{:.3}, {:.3}]", one.value, one.low, one.high)
}

/// The measures of table 1 of the Idea Novelty Checker, then those of each label.
fn agreement_rows(found: &Agreement) -> Vec<String> {
    let rows = [
        ("accuracy", &found.accuracy),
        ("majority baseline", &found.majority),
        ("precision, both", &found.macro_precision),
        ("recall, both", &found.macro_recall),
        ("F1, both", &found.macro_f1),
        ("kappa", &found.kappa),
        ("precision, novel", &found.precision),
        ("recall, novel", &found.recall),
        ("F1, novel", &found.f1),
        ("precision, not novel", &found.precision_not_novel),
        ("recall, not novel", &found.recall_not_novel),
        ("F1, not novel", &found.f1_not_novel),
        ("wrong verdicts", &found.wrong),
    ];
    let mut lines: Vec<String> = rows.iter().map(|(name, one)| row(name, one)).collect();
    lines.push("  `both` is the mean of both labels, as in table 1 of Shahid et al. (2025)".to_owned());
    lines
}

fn lean_line(lean: &LeanAgreement) -> String {
    format!(
        "suggestions without a verdict: {} of {}; with purpose and mechanism marked by the author, {} of {} match the label",
        lean.suggested, lean.ideas, lean.certain_right, lean.certain
    )
}

fn left_out(ablation: Ablation) -> &'static str {
    match ablation {
        Ablation::Nothing => "complete search",
        Ablation::Facets => "ordered by relevance without facets",
        Ablation::Reranking => "ordered by similarity only",
        Ablation::Queries => "search for the whole idea only",
        Ablation::WholeIdea => "short queries only",
    }
}

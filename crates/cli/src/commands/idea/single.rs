use std::path::Path;
use std::sync::Arc;

use precedent_engine::domain::{Counterpart, IdeaAssessment, NoveltyVerdict};
use precedent_engine::runs::{RunRequest, RunStatus};
use precedent_report::{idea_file_name, render_idea};
use serde::Serialize;

use super::arguments::IdeaArguments;
use super::{IdeaSession, batch, estimate, request};
use crate::ExitCode;
use crate::commands::assess::{self, ExecutionMode, Run, begin};
use crate::commands::corpora::open_sources;
use crate::commands::models::{self, Asking};
use crate::commands::report_run::{ledger_of, note_input, note_sent, with_progress, write_reports};
use crate::commands::{run_output, services};
use crate::exit::Failure;
use crate::printer::{Printer, plain};

/// Extra fields in the output of `--json`.
#[derive(Debug, Serialize)]
struct Own<'a> {
    verdict: NoveltyVerdict,
    against: &'a [Counterpart],
}

/// `precedent idea`.
pub(in crate::commands) fn run(typed: IdeaArguments, printer: Printer) -> Result<ExitCode, Failure> {
    let request = request::from_arguments(&typed)?;
    if typed.estimate {
        return estimate::run(&request, typed.json, printer);
    }
    if let Some(named) = request
        .idea
        .as_ref()
        .map(|idea| idea.whole_to.join(" and "))
        .filter(|named| !named.is_empty())
    {
        let message = format!(
            "up to 40 key words of the whole idea will be sent to {named}, because you named it; `--sources default` sends only short queries"
        );
        printer.note(&message);
    }
    let dir = run_output::folder(typed.out, &request)?;
    let how = ExecutionMode {
        replay: typed.replay,
        json: typed.json,
        allow_fallback: typed.model.allow_fallback,
    };
    resume(&dir, request, how, printer)
}

/// Runs `request` in `dir`, reusing stages that were finished there before.
pub(in crate::commands) fn resume(
    dir: &Path,
    request: RunRequest,
    how: ExecutionMode,
    printer: Printer,
) -> Result<ExitCode, Failure> {
    let is_batch = request.idea.as_ref().is_some_and(|idea| idea.batch);
    let mut run = begin(dir, request, how, printer)?;
    if is_batch {
        return batch::work(&mut run, how);
    }
    let outcome = work(&mut run);
    let found = run.settle(outcome, standing)?;
    let own = Own {
        verdict: found.verdict.verdict,
        against: &found.verdict.against,
    };
    run_output::tell(&run, &found.metadata.not_searched, own, || summary(&found), how)
}

/// Status of a run with this outcome.
fn standing(found: &IdeaAssessment) -> RunStatus {
    run_output::standing(&found.metadata, false)
}

pub(super) fn is_over_budget(found: &IdeaAssessment) -> bool {
    run_output::is_over_budget(&found.metadata.not_searched)
}

/// Compares the idea with prior work and writes the reports.
fn work(run: &mut Run) -> Result<IdeaAssessment, Failure> {
    let (idea, own) = request::idea(&run.manifest.request)?;
    let options = request::options(&run.manifest.request, own, &run.folder.index_path())?;
    run.manifest.title = Some(idea.text.split_whitespace().take(14).collect::<Vec<_>>().join(" "));
    note_input(run, &idea.sha256())?;
    let found = with_progress(run, async |run, progress| {
        let session = session(run, progress).await?;
        let outcome = session.hold(&idea, &options).await.map_err(assess::failure);
        note_sent(run, session.ledger.clone(), outcome).await
    })?;
    write_reports(run, idea_file_name, |format| render_idea(&found, format))?;
    run.manifest.models.clone_from(&found.metadata.models);
    Ok(found)
}

/// Opens what the ideas of a run share.
pub(super) async fn session(run: &Run, progress: Arc<dyn precedent_engine::Progress>) -> Result<IdeaSession, Failure> {
    let request = &run.manifest.request;
    let ledger = ledger_of(&run.folder).await?;
    let mut sources = open_sources(&run.folder, &run.manifest, run.printer)?;
    sources.extend(services::open(request, &ledger, run.replay)?);
    let models = match &request.model {
        None => None,
        Some(model) => {
            let asking = Asking {
                request: model,
                seed: request.seed,
                replay: run.replay,
                budget_had_ended: run
                    .before
                    .as_ref()
                    .is_some_and(|before| before.status == RunStatus::OverBudget),
                progress: Arc::clone(&progress),
            };
            Some(models::open(&asking, &ledger)?)
        }
    };
    Ok(IdeaSession {
        ledger,
        sources,
        models,
        progress,
        dollars: request.model.as_ref().and_then(|model| model.budget),
        seed: request.seed,
    })
}

/// The report's overview in a few lines.
fn summary(found: &IdeaAssessment) -> String {
    let verdict = &found.verdict;
    let mut lines = vec![format!("{}: {}", verdict.verdict.name(), plain(&verdict.grounds))];
    lines.extend(verdict.reasoning.iter().map(|text| format!("  {}", plain(text))));
    if let Some(agreement) = verdict.agreement {
        lines.push(format!(
            "  {} responses, agreement {:.0} %",
            verdict.samples.len(),
            agreement * 100.0
        ));
    }
    if let Some(look) = &verdict.second_look {
        lines.push(format!(
            "  second look: first {}, then {}",
            look.first.name(),
            look.settled.name()
        ));
    }
    for one in &found.idea.facets {
        lines.push(format!("  {:<18}  {}", one.facet.name(), plain(one.quote.text())));
    }
    for one in &found.works {
        let facets: Vec<String> = one
            .facets
            .iter()
            .map(|facet| format!("{} {:.0} %", facet.facet.name(), facet.similarity * 100.0))
            .collect();
        lines.push(format!(
            "  {}[{}] {}",
            plain(&one.alias),
            one.number,
            plain(&one.work.title)
        ));
        lines.push(format!(
            "      similarity {:.2}; shared words: {}",
            one.nearness,
            facets.join(", ")
        ));
    }
    lines.extend(run_output::limits(&found.metadata.not_searched));
    lines.push(String::new());
    lines.join("\n")
}

use std::fs;
use std::path::Path;
use std::sync::Arc;

use precedent_engine::domain::{Audit, ModelCoverage, PointsReport, QuotableDocument, title_key};
use precedent_engine::ledger::Ledger;
use precedent_engine::pipelines::{Audited, audit, report_text, three_sections};
use precedent_engine::runs::RunStatus;
use precedent_engine::{Analyst, Budget, OfflineAnalyst, SystemClock, World};
use precedent_report::{audit_file_name, read_assessment, read_points, render_audit, render_points};

use super::arguments::AuditArguments;
use crate::ExitCode;
use crate::commands::{input, job};
use crate::printer::{Printer, plain};
use crate::progress::StageLines;
use precedent_app::models::{self, Asking};
use precedent_app::runtime::runtime;
use precedent_app::{AppError, ErrorKind};

/// Maximum size of a report, in bytes.
const LONGEST: u64 = 64 << 20;

/// `precedent audit`.
pub(in crate::commands) fn run(typed: &AuditArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let names: Vec<&str> = typed
        .formats
        .iter()
        .map(|format| audit_file_name(format).map_err(|error| AppError::new(ErrorKind::Usage, error)))
        .collect::<Result<_, _>>()?;
    let request = models::selected(&(&typed.model).into())?;
    let (markdown, data) = report(&typed.report)?;
    let paper = typed.paper.as_deref().map(input::paper).transpose()?;
    let given = paper.as_ref().and_then(|paper| paper.title.clone());
    let paper = paper.map(|paper| QuotableDocument::new(paper.document));
    if let Some(dir) = &typed.out {
        fs::create_dir_all(dir).map_err(|error| {
            let message = format!("failed to create {}: {error}", dir.display());
            AppError::said(ErrorKind::Input, message)
        })?;
    }
    let progress = Arc::new(StageLines::new(printer));
    let heard = Arc::clone(&progress);
    let found = runtime()?.block_on(async {
        let ledger = match &typed.out {
            Some(dir) => Ledger::open(&dir.join("ledger.sqlite")).await,
            None => Ledger::in_memory().await,
        };
        let ledger = ledger.map_err(|error| AppError::new(ErrorKind::Input, error))?;
        let analyst: Arc<dyn Analyst> = match &request {
            None => Arc::new(OfflineAnalyst),
            Some(request) => {
                let asking = Asking {
                    request,
                    seed: 0,
                    replay: false,
                    budget_had_ended: false,
                    progress: heard.clone(),
                };
                Arc::new(models::analyst(&asking, &ledger)?)
            }
        };
        let world = World {
            clock: Arc::new(SystemClock),
            ledger: ledger.clone(),
            sources: Vec::new(),
            texts: None,
            analyst,
            progress: heard,
            budget: Budget {
                dollars: request.as_ref().and_then(|model| model.budget),
            },
            seed: 0,
        };
        let audited = Audited {
            markdown: &markdown,
            data: data.as_ref(),
            paper: paper.as_ref(),
        };
        let found = audit(&audited, &world).await.map_err(AppError::from);
        drop(world);
        ledger.close().await;
        found
    });
    progress.end();
    let found = found?;
    // A title in a report may be surrounded by other words.
    if let (Some(of), Some(given)) = (&found.title, &given)
        && let (of_key, given_key) = (title_key(of), title_key(given))
        && !of_key.contains(&given_key)
        && !given_key.contains(&of_key)
    {
        printer.warning(&format!(
            "the report is about “{}”, but the given paper is “{}”",
            plain(of),
            plain(given)
        ));
    }
    let coverage = ModelCoverage::of(&found.models);
    job::warn_if_incomplete(coverage, typed.model.allow_fallback, printer);
    if let (Some(request), true) = (&request, found.models.iter().all(|one| one.answers == 0)) {
        printer.warning(&format!(
            "no response from {}: questions are answered only by rules",
            plain(&request.model)
        ));
    }
    if let Some(dir) = &typed.out {
        for (format, name) in typed.formats.iter().zip(&names) {
            let bytes = render_audit(&found, format).map_err(|error| AppError::new(ErrorKind::Bug, error))?;
            write(&dir.join(name), &bytes)?;
        }
    }
    if typed.json {
        printer.json(&found)?;
    } else {
        if let Some(caveat) = coverage.caveat() {
            printer.line(&caveat);
        }
        printer.data(&summary(&found));
        if let Some(dir) = &typed.out {
            for name in names {
                printer.line(&dir.join(name).display().to_string());
            }
        }
    }
    let status = RunStatus::Complete;
    Ok(job::exit_code(&status, coverage, typed.model.allow_fallback))
}

/// The report as Markdown, and as data if it is JSON.
fn report(path: &Path) -> Result<(String, Option<PointsReport>), AppError> {
    let size = fs::metadata(path)
        .map_err(|error| input::cannot_read(path, error))?
        .len();
    if size > LONGEST {
        let message = format!("{} is too large for a report (limit: 64 MiB)", path.display());
        return Err(AppError::said(ErrorKind::Input, message));
    }
    let bytes = input::bytes(path)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    if text.trim_start().starts_with('{') {
        let data = match (read_points(&bytes), read_assessment(&bytes)) {
            (Ok(data), _) => data,
            (Err(_), Ok(assessment)) => return Ok((three_sections(&assessment), None)),
            (Err(error), Err(_)) => {
                return Err(AppError::new(ErrorKind::Input, error)
                    .hint("use points.json of `precedent points`, report.json of `precedent assess`, or Markdown"));
            }
        };
        let markdown = render_points(&data, "md").map_err(|error| AppError::new(ErrorKind::Bug, error))?;
        return Ok((String::from_utf8_lossy(&markdown).into_owned(), Some(data)));
    }
    if !report_text(&text).is_report() {
        let message = format!("{} does not have the three sections of a report", path.display());
        return Err(AppError::said(ErrorKind::Input, message)
            .hint("the sections are 1. Paper Content Summary, 2. Point-wise Novelty Analysis with parts a) to d), 3. Novelty Summary"));
    }
    Ok((text, None))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), AppError> {
    fs::write(path, bytes).map_err(|error| {
        let message = format!("failed to write {}: {error}", path.display());
        AppError::said(ErrorKind::Input, message)
    })
}

/// The audit in a few lines.
fn summary(found: &Audit) -> String {
    let mut lines = vec![plain(found.title.as_deref().unwrap_or("(untitled report)"))];
    for one in &found.dimensions {
        let score = one.score.map_or("no score".to_owned(), |score| format!("{score:.2}"));
        lines.push(format!(
            "  {:<14} {score:>8}  {} yes of {} answered, {} questions",
            one.dimension.name(),
            one.yes,
            one.decided,
            one.items.len()
        ));
    }
    match found.overall {
        Some(score) => lines.push(format!("  overall {score:.2} of 10")),
        None => lines.push("  no overall score: some questions could not be answered".to_owned()),
    }
    let citations = &found.citations;
    lines.push(format!(
        "  {} of {} citations found in the list of {} references, {} of which are duplicates",
        citations.resolved, citations.pairs, citations.listed, citations.doubles
    ));
    for (name, share) in [
        ("words located", citations.located),
        ("citation accuracy", citations.accuracy),
        ("cited faithfulness", citations.works_faithfulness),
        ("target faithfulness", citations.paper_faithfulness),
    ] {
        if let Some(share) = share {
            lines.push(format!(
                "  {name} {:.1} % ({} of {}, 95 % interval {:.1} to {:.1} %)",
                share.percent, share.part, share.of, share.low, share.high
            ));
        }
    }
    for item in found
        .dimensions
        .iter()
        .flat_map(|one| &one.items)
        .filter(|item| item.yes == Some(false))
    {
        lines.push(format!("  no: {} ({})", plain(&item.question), plain(&item.reason)));
    }
    lines.push(String::new());
    lines.join("\n")
}

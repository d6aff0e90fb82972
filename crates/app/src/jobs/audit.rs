use std::fs;
use std::path::Path;

use precedent_engine::World;
use precedent_engine::audit::{Audited, audit, report_text, three_sections};
use precedent_engine::domain::{Audit, PointsReport, QuotableDocument, title_key};
use precedent_engine::idea::Idea;
use precedent_engine::runs::{RunRequest, RunStatus};
use precedent_report::{read_assessment, read_points, render};

use crate::observer::Messages;
use crate::run::{Run, status_of_answers};
use crate::text::plain;
use crate::{AppError, ErrorKind, input};

/// Maximum size of a report, in bytes.
const LONGEST: u64 = 64 << 20;

/// A report to audit, and the paper that it is about.
pub(crate) struct AuditInput {
    markdown: String,
    data: Option<PointsReport>,
    paper: Option<QuotableDocument>,
    paper_title: Option<String>,
}

impl AuditInput {
    /// Reads the files of a request.
    pub(crate) fn read(request: &RunRequest) -> Result<Self, AppError> {
        let (markdown, data) = report(&request.input)?;
        let path = request.audit.as_ref().and_then(|asked| asked.paper.as_deref());
        let paper = path.map(input::paper).transpose()?;
        Ok(Self {
            markdown,
            data,
            paper_title: paper.as_ref().and_then(|paper| paper.title.clone()),
            paper: paper.map(|paper| QuotableDocument::new(paper.document)),
        })
    }

    /// What the pipeline audits.
    pub(crate) fn audited(&self) -> Audited<'_> {
        Audited {
            markdown: &self.markdown,
            data: self.data.as_ref(),
            paper: self.paper.as_ref(),
        }
    }
}

/// Audits the report and writes the audit.
pub(super) fn work(run: &mut Run) -> Result<Audit, AppError> {
    let read = AuditInput::read(&run.manifest.request)?;
    let name = run
        .manifest
        .request
        .input
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    run.note_input(
        &Idea::new(&read.markdown).sha256(),
        Some(&format!("audit of {name}")),
        "report",
    )?;
    let found = run.in_world(async |world: &World| audit(&read.audited(), world).await)?;
    // A title in a report may be surrounded by other words.
    if let (Some(of), Some(given)) = (&found.title, &read.paper_title)
        && let (of_key, given_key) = (title_key(of), title_key(given))
        && !of_key.contains(&given_key)
        && !given_key.contains(&of_key)
    {
        run.events.warning(&format!(
            "the report is about “{}”, but the given paper is “{}”",
            plain(of),
            plain(given)
        ));
    }
    if let (Some(model), true) = (
        &run.manifest.request.model,
        found.models.iter().all(|one| one.answers == 0),
    ) {
        run.events.warning(&format!(
            "no response from {}: questions are answered only by rules",
            plain(&model.model)
        ));
    }
    run.write_reports(&found)?;
    run.manifest.models.clone_from(&found.models);
    Ok(found)
}

/// Status of a run with this outcome.
pub(super) fn status(found: &Audit) -> RunStatus {
    status_of_answers(&found.models)
}

/// The report as Markdown, and as data if it is JSON.
fn report(path: &Path) -> Result<(String, Option<PointsReport>), AppError> {
    let about = fs::metadata(path).map_err(|error| input::cannot_read(path, error))?;
    if about.is_dir() {
        let message = format!("{} is a folder", path.display());
        return Err(AppError::with_message(ErrorKind::Input, message)
            .hint("name the report in it: points.json, report.json or a Markdown file"));
    }
    let size = about.len();
    if size > LONGEST {
        let message = format!("{} is too large for a report (limit: 64 MiB)", path.display());
        return Err(AppError::with_message(ErrorKind::Input, message));
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
        let markdown = render(&data, "md").map_err(|error| AppError::new(ErrorKind::Bug, error))?;
        return Ok((String::from_utf8_lossy(&markdown).into_owned(), Some(data)));
    }
    if !report_text(&text).is_report() {
        let message = format!("{} does not have the three sections of a report", path.display());
        return Err(AppError::with_message(ErrorKind::Input, message)
            .hint("the sections are 1. Paper Content Summary, 2. Point-wise Novelty Analysis with parts a) to d), 3. Novelty Summary"));
    }
    Ok((text, None))
}

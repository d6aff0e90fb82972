use std::fs;
use std::path::Path;

use crate::runs::{RunRequest, RunStatus};
use precedent_engine::World;
use precedent_engine::audit::{Audited, audit, markdown_of_json, markdown_of_paper, three_sections};
use precedent_engine::domain::{Audit, AuditLimit, Paper, PartialDate, PointsReport};
use precedent_engine::idea::Idea;
use precedent_engine::read::read_bytes;
use precedent_report::{read_assessment, read_points, render};

use crate::observer::Messages;
use crate::run::{Run, status_of_answers};
use crate::text::plain;
use crate::{AppError, ErrorKind, input};

/// Maximum size of a report, in bytes.
const LONGEST: u64 = 64 << 20;
/// Fewest words of a report. The shortest part of a report on one point has more.
const FEWEST_WORDS: usize = 30;

/// A report to audit, and the paper that it is about.
pub(crate) struct AuditInput {
    markdown: String,
    data: Option<PointsReport>,
    paper: Option<Paper>,
    as_of: Option<PartialDate>,
}

impl AuditInput {
    /// Reads the files of a request.
    pub(crate) fn read(request: &RunRequest) -> Result<Self, AppError> {
        let (markdown, data) = report(&request.input)?;
        let path = request.audit.as_ref().and_then(|asked| asked.paper.as_deref());
        Ok(Self {
            markdown,
            data,
            paper: path.map(input::paper).transpose()?,
            as_of: request.as_of,
        })
    }

    /// What the pipeline audits.
    pub(crate) fn audited(&self) -> Audited<'_> {
        Audited {
            markdown: &self.markdown,
            data: self.data.as_ref(),
            paper: self.paper.as_ref(),
            as_of: self.as_of,
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
    if let (Some(model), true) = (
        &run.manifest.request.model,
        found.models.iter().all(|one| one.answers == 0),
    ) {
        run.events.warning(&format!(
            "no response from {}: questions are answered only by rules",
            plain(&model.model)
        ));
    }
    for limit in &found.limits {
        if let AuditLimit::TitleNotNamed { title } = limit {
            run.events.warning(&format!(
                "the report does not contain the title “{}”: check that --paper is the paper it is about",
                plain(title)
            ));
        }
    }
    run.write_reports(&found)?;
    run.manifest.models.clone_from(&found.models);
    Ok(found)
}

/// Status of a run with this outcome.
pub(super) fn status(found: &Audit) -> RunStatus {
    status_of_answers(&found.models)
}

/// The report as Markdown, and as data if it is one of ours in JSON.
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
    let (markdown, data) = match text.trim_start().trim_start_matches('\u{feff}').chars().next() {
        Some('{' | '[') if is_json(path, &text) => of_json(path, &bytes)?,
        Some('<') => (of_paper_format(path, &bytes)?, None),
        _ if text.starts_with("%PDF-") || bytes.contains(&0) => (of_paper_format(path, &bytes)?, None),
        _ => (text, None),
    };
    if markdown.split_whitespace().count() < FEWEST_WORDS {
        let message = format!(
            "{} is not a report: it has fewer than {FEWEST_WORDS} words of text",
            path.display()
        );
        return Err(AppError::with_message(ErrorKind::Input, message)
            .hint("give the report itself, in Markdown, JSON, HTML or PDF"));
    }
    Ok((markdown, data))
}

/// Whether a text that begins with a bracket is JSON. Markdown may begin with a link.
fn is_json(path: &Path, text: &str) -> bool {
    let named = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
    named
        || text.trim_start_matches('\u{feff}').trim_start().starts_with('{')
        || serde_json::from_str::<serde_json::Value>(text).is_ok()
}

/// A report of this program, or of another system, in JSON.
fn of_json(path: &Path, bytes: &[u8]) -> Result<(String, Option<PointsReport>), AppError> {
    if let Ok(data) = read_points(bytes) {
        let markdown = render(&data, "md").map_err(|error| AppError::new(ErrorKind::Bug, error))?;
        return Ok((String::from_utf8_lossy(&markdown).into_owned(), Some(data)));
    }
    if let Ok(assessment) = read_assessment(bytes) {
        return Ok((three_sections(&assessment), None));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match serde_json::from_slice(bytes) {
        Ok(value) => Ok((markdown_of_json(&value), None)),
        Err(error) => {
            let message = format!("failed to read {}: it is not valid JSON: {error}", path.display());
            Err(AppError::with_message(ErrorKind::Input, message)
                .hint("save the report again, or give it in Markdown, HTML or PDF"))
        }
    }
}

/// A report in a format of papers, such as HTML. Hidden text is left out.
fn of_paper_format(path: &Path, bytes: &[u8]) -> Result<String, AppError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let paper = read_bytes(bytes, &name).map_err(|error| {
        let hint = error.hint();
        AppError::new(ErrorKind::Input, error).hint(hint)
    })?;
    Ok(markdown_of_paper(&paper))
}

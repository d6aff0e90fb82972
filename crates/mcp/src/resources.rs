//! The reports of runs as resources.

use precedent_app::StoredRun;
use precedent_app::text::plain;

use crate::error::Failure;
use crate::server::Server;

/// The start of every address.
const SCHEME: &str = "precedent://runs/";

/// The template of the addresses, for clients that make their own.
pub(crate) const TEMPLATE: &str = "precedent://runs/{run}/{file}";

/// Resources on a page of the list.
const PAGE: usize = 50;

/// A report that can be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Resource {
    /// Its address.
    pub(crate) uri: String,
    /// The run's id.
    pub(crate) name: String,
    /// The title of the paper or idea.
    pub(crate) title: String,
    /// What it is.
    pub(crate) description: String,
}

/// The content of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Content {
    /// Its media type.
    pub(crate) media_type: &'static str,
    /// Its text.
    pub(crate) text: String,
}

/// The Markdown reports of runs on the page of a cursor, and the cursor of the next page.
pub(crate) fn list(server: &Server, cursor: Option<&str>) -> Result<(Vec<Resource>, Option<String>), Failure> {
    let start: usize = match cursor {
        None => 0,
        Some(cursor) => cursor
            .parse()
            .map_err(|_| Failure::usage("the cursor is not valid", "leave it out for the first page"))?,
    };
    let runs = precedent_app::App::default().stored_runs(server.runs.folder())?;
    let resources: Vec<Resource> = runs.iter().filter_map(of_run).collect();
    let end = start.saturating_add(PAGE);
    let next = (end < resources.len()).then(|| end.to_string());
    Ok((resources.into_iter().skip(start).take(PAGE).collect(), next))
}

fn of_run(run: &StoredRun) -> Option<Resource> {
    run.report_file("md")?;
    let id = run.manifest.run.as_str();
    let command = run.manifest.request.job().command();
    Some(Resource {
        uri: format!("{SCHEME}{id}/report.md"),
        name: id.to_owned(),
        title: plain(run.manifest.title.as_deref().unwrap_or(id)),
        description: format!("Report of `precedent {command}`, status {}", run.manifest.status.word()),
    })
}

/// The report at an address. `report.md` is the Markdown report of any job.
pub(crate) fn read(server: &Server, uri: &str) -> Result<Content, Failure> {
    let bad = || {
        Failure::usage(
            format!("{uri} is not an address of a report"),
            "use an address from the list of resources, such as precedent://runs/RUN/report.md",
        )
    };
    let (id, name) = uri
        .strip_prefix(SCHEME)
        .and_then(|rest| rest.split_once('/'))
        .ok_or_else(bad)?;
    let stored = server.runs.stored(id)?;
    let is_own = stored.manifest.files.iter().any(|file| file.name == name);
    let name = match name {
        "report.md" if !is_own => stored.report_file("md").ok_or_else(bad)?,
        name => name,
    };
    let media_type = match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("md") => "text/markdown",
        Some("html") => "text/html",
        Some("json") => "application/json",
        _ => return Err(bad()),
    };
    let text = String::from_utf8(stored.file(name)?).map_err(|_| bad())?;
    Ok(Content { media_type, text })
}

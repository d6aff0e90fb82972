//! A site for a venue.

use std::cell::OnceCell;
use std::path::PathBuf;

use clap::Args;
use precedent_app::{App, AppError, CancelToken, ErrorKind, SiteRequest, SiteResult};
use serde::Serialize;

use super::job::open_page;
use crate::printer::{Printer, counted};
use crate::progress::PaperBar;
use crate::{ExitCode, interrupt};

/// `precedent site --help`.
pub(crate) const SITE_HELP: &str = "\
Examples:
  precedent site reports --out site --title \"ICRA 2027\"
  precedent site reports --out site --assign reviewers.csv     also areas, and a folder for each reviewer with their papers alone
  precedent site reports --out site --public                   without the mark \"Confidential\", with the authors

The site needs no server: open index.html. It contains a page for each paper, lists by level and area, a page for each earlier paper that several
papers match, a search, claims.csv and summary.json. The columns of reviewers.csv are `paper`, optionally `area`, and one for each role, such as
`reviewer` and `area_chair`.";

#[derive(Debug, Args)]
pub(crate) struct SiteArguments {
    /// Output folders of `precedent batch`, folders of runs, or single runs of `assess`
    #[arg(required = true, value_name = "RUNS")]
    pub(crate) runs: Vec<PathBuf>,

    /// The site's folder. A site that is there is replaced, unless the folder contains anything else
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// Title of the site [default: the number of papers]
    #[arg(long, value_name = "TITLE")]
    pub(crate) title: Option<String>,

    /// Table (CSV) of who reads which paper, and of areas. Each person gets a folder with a site of only their papers
    #[arg(long, value_name = "FILE")]
    pub(crate) assign: Option<PathBuf>,

    /// Do not mark the pages as confidential, and show the authors of the papers
    #[arg(long)]
    pub(crate) public: bool,

    /// Open the first page in the browser
    #[arg(long)]
    pub(crate) open: bool,

    /// Print the result as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,
}

/// Output of `--json`.
#[derive(Serialize)]
struct SiteOutput {
    index: String,
    papers: usize,
    unfinished: usize,
    people: usize,
    superseded: usize,
    unassigned: usize,
    files: usize,
    bytes: u64,
}

/// `precedent site`.
pub(super) fn run(typed: SiteArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let request = SiteRequest {
        runs: typed.runs,
        dir: typed.out,
        title: typed.title,
        assignments: typed.assign,
        confidential: !typed.public,
    };
    let cancel = CancelToken::new();
    interrupt::listen(cancel.clone(), "interrupted; the earlier site is unchanged", printer)
        .map_err(|error| AppError::with_message(ErrorKind::Bug, format!("failed to listen for Ctrl-C: {error}")))?;
    let bar: OnceCell<PaperBar> = OnceCell::new();
    let progress = |done: usize, of: usize| bar.get_or_init(|| PaperBar::start(printer, of)).move_to(done);
    let outcome = App::default().site(&request, &progress, &cancel);
    if let Some(bar) = bar.get() {
        bar.end();
    }
    let made = outcome?;
    if made.unassigned > 0 {
        let papers = counted(made.unassigned, "paper");
        printer.warning(&format!("{papers} not assigned to anybody"));
    }
    if made.superseded > 0 {
        let runs = counted(made.superseded, "run");
        let verb = if made.superseded == 1 { "was" } else { "were" };
        printer.note(&format!(
            "{runs} {verb} left out, because another run of the same paper counts; the first page lists them"
        ));
    }
    show(&made, typed.json, printer)?;
    if typed.open
        && let Err(error) = open_page(&made.index)
    {
        printer.warning(&format!("--open: failed to start a browser: {error}"));
    }
    Ok(ExitCode::Done)
}

fn show(made: &SiteResult, json: bool, printer: Printer) -> Result<(), AppError> {
    let index = made.index.display().to_string();
    if json {
        return printer.json(&SiteOutput {
            index,
            papers: made.papers,
            unfinished: made.unfinished,
            people: made.people,
            superseded: made.superseded,
            unassigned: made.unassigned,
            files: made.files,
            bytes: made.bytes,
        });
    }
    let mut facts = vec![counted(made.papers, "paper")];
    if made.unfinished > 0 {
        facts.push(format!("{} without a result", made.unfinished));
    }
    if made.people > 0 {
        facts.push(match made.people {
            1 => "a folder for 1 person".to_owned(),
            people => format!("folders for {people} people"),
        });
    }
    facts.push(counted(made.files, "file"));
    facts.push(format!("{:.1} MB", made.bytes as f64 / 1e6));
    printer.line(&facts.join(", "));
    printer.line(&index);
    Ok(())
}

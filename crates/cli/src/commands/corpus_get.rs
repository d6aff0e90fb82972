use std::path::PathBuf;

use clap::{Args, ValueEnum};
use precedent_app::{App, AppError, CancelToken, ErrorKind, StarterCorpus, StarterSource};

use super::corpus;
use crate::console::Console;
use crate::printer::Printer;
use crate::progress::ImportBar;
use crate::{ExitCode, interrupt};

/// `precedent corpus get --help`.
pub(crate) const GET_HELP: &str = "\
Examples:
  precedent corpus get openalex library --field \"Computer Science\" --search \"novelty detection\" --years 2018-2026
  precedent corpus get openalex library --filter primary_topic.subfield.id:1702 --cap 50000 --estimate
  precedent corpus get acl library
  precedent corpus get arxiv library --dump arxiv-metadata-oai-snapshot.json --category cs.CL --category cs.LG

Prints the number of records, the size and the time first. To continue an interrupted download, repeat the command: no page is fetched twice.
OpenAlex records without an abstract are left out. OPENALEX_API_KEY raises the daily limit.";

#[derive(Debug, Args)]
pub(crate) struct GetArguments {
    /// Where the records come from
    #[arg(value_enum)]
    source: Origin,

    /// The corpus folder. Records are added to a corpus that is there
    dir: PathBuf,

    /// Field of OpenAlex, such as "Computer Science"
    #[arg(long, value_name = "NAME")]
    field: Option<String>,

    /// Words that title or abstract contain (OpenAlex)
    #[arg(long, value_name = "WORDS")]
    search: Option<String>,

    /// Conditions in OpenAlex's own form, such as `type:article,cited_by_count:>10`
    #[arg(long, value_name = "FILTER")]
    filter: Option<String>,

    /// Years of publication: `2020` or `2018-2026` (OpenAlex and arXiv)
    #[arg(long, value_name = "YEARS", value_parser = years)]
    years: Option<(u16, u16)>,

    /// The snapshot of arXiv's metadata, unpacked
    #[arg(long, value_name = "FILE", required_if_eq("source", "arxiv"))]
    dump: Option<PathBuf>,

    /// Category of arXiv, such as `cs.CL`, or archive, such as `cs`. Can be repeated
    #[arg(long = "category", value_name = "NAME")]
    categories: Vec<String>,

    /// Maximum number of records
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    cap: u64,

    /// Print the number of records, the size and the time, and download nothing else (OpenAlex)
    #[arg(long)]
    estimate: bool,

    /// Settings file
    #[arg(long, value_name = "FILE", env = "PRECEDENT_SETTINGS")]
    settings: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Origin {
    /// OpenAlex, through its API
    #[value(name = "openalex")]
    OpenAlex,
    /// The ACL Anthology: one file of about 30 MB
    Acl,
    /// A snapshot of arXiv's metadata that you downloaded
    Arxiv,
}

fn years(typed: &str) -> Result<(u16, u16), String> {
    let (first, last) = typed.split_once('-').unwrap_or((typed, typed));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if (1000..=last).contains(&first) && last < 3000 => Ok((first, last)),
        _ => Err("expected a year or a range such as 2018-2026".to_owned()),
    }
}

/// `precedent corpus get`.
pub(super) fn run(typed: GetArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let of_openalex = typed.field.is_some() || typed.search.is_some() || typed.filter.is_some() || typed.estimate;
    let of_arxiv = typed.dump.is_some() || !typed.categories.is_empty();
    let misplaced = match typed.source {
        Origin::OpenAlex => of_arxiv,
        Origin::Arxiv => of_openalex,
        Origin::Acl => of_openalex || of_arxiv || typed.years.is_some(),
    };
    if misplaced {
        let message = "an option does not belong to this source";
        return Err(AppError::with_message(ErrorKind::Usage, message)
            .hint("--field, --search, --filter and --estimate are for openalex, --dump and --category for arxiv"));
    }
    let request = StarterCorpus {
        source: match typed.source {
            Origin::OpenAlex => StarterSource::OpenAlex {
                field: typed.field,
                search: typed.search,
                filter: typed.filter,
            },
            Origin::Acl => StarterSource::Acl,
            Origin::Arxiv => StarterSource::Arxiv {
                dump: typed.dump.unwrap_or_default(),
                categories: typed.categories,
            },
        },
        dir: typed.dir,
        years: typed.years,
        cap: typed.cap,
        settings: typed.settings,
    };
    let console = Console::new(printer);
    if typed.estimate {
        if let Some(estimate) = App::default().estimate_corpus(&request, &console)? {
            match typed.json {
                true => printer.json(&estimate)?,
                false => printer.line(&estimate.in_words()),
            }
        }
        return Ok(ExitCode::Done);
    }
    let cancel = CancelToken::new();
    interrupt::listen(cancel.clone(), "interrupted; repeat the command to continue", printer)
        .map_err(|error| AppError::with_message(ErrorKind::Bug, format!("failed to listen for Ctrl-C: {error}")))?;
    let bar = ImportBar::start(printer);
    let report = App::default().get_corpus(&request, &console, &|progress| bar.at(progress), &cancel);
    bar.end();
    let report = report?;
    corpus::show_added(&report, &request.dir, printer);
    let works = corpus::open(&request.dir)?.len();
    match typed.json {
        true => printer.json(&corpus::Added { report: &report, works })?,
        false => printer.line(&corpus::added_in_words(&report, works)),
    }
    Ok(ExitCode::Done)
}

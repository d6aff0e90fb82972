//! Arguments of `precedent audit`.

use std::path::PathBuf;

use clap::Args;
use precedent_engine::domain::PartialDate;

use crate::args::{CorpusChoice, ModelChoice, SourceChoice, default_formats};

pub(crate) const AUDIT_HELP: &str = "\
Examples:
  precedent audit runs/paper-pdf-1a2b3c4d/points.json
  precedent audit report.md --paper paper.pdf --corpus library        a report of any system, compared with what the corpus contains
  precedent audit report.json --paper paper.pdf --corpus library --model ollama:qwen3:8b --out audit

The audit has 69 questions in five dimensions. Rules answer some of them. A model, if given, answers the others from passages of the paper and of
earlier papers. With --paper and --corpus or --sources, Precedent itself searches these papers, so the audit names close earlier papers that the report
omits. A dimension has a score only if all of its questions were answered.";

#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    /// The report of any system, in Markdown, JSON, HTML or PDF: also points.json of `precedent points` and report.json of `precedent assess`
    pub(crate) report: PathBuf,

    /// The paper that the report is about
    #[arg(long, value_name = "FILE")]
    pub(crate) paper: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,

    #[command(flatten)]
    pub(crate) sources: SourceChoice,

    /// Cutoff date: later papers are not counted as prior work [default: the paper's own date]
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<PartialDate>,

    /// Output folder [default: runs/<run>]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// File formats to write, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = default_formats())]
    pub(crate) formats: Vec<String>,

    /// Open the HTML report in the browser
    #[arg(long)]
    pub(crate) open: bool,

    /// Use only the responses recorded in the run's folder; make no new requests
    #[arg(long)]
    pub(crate) replay: bool,

    /// Estimate the requests and cost, without sending anything
    #[arg(long)]
    pub(crate) estimate: bool,

    /// Print the audit as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelChoice,
}

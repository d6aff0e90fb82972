//! Arguments of `precedent audit`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{ModelChoice, default_formats};

pub(crate) const AUDIT_HELP: &str = "\
Examples:
  precedent audit runs/paper-pdf-1a2b3c4d/points.json
  precedent audit report.md --paper paper.pdf               any report with the three sections
  precedent audit points.json --paper paper.pdf --model ollama:qwen3:8b --out audit

The audit has 69 questions in five dimensions. Rules answer some of them. A model, if given, answers the others from passages of the cited
papers and of the paper. A dimension has a score only if all of its questions were answered.";

#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    /// The report: points.json of `precedent points`, report.json of `precedent assess`, or Markdown with the three sections
    pub(crate) report: PathBuf,

    /// The paper that the report is about, to check statements about it
    #[arg(long, value_name = "FILE")]
    pub(crate) paper: Option<PathBuf>,

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

//! What can be typed after `precedent audit`.

use std::path::PathBuf;

use clap::Args;

use crate::args::ModelChoice;

pub(crate) const AUDIT_HELP: &str = "\
Examples:
  precedent audit runs/paper-pdf-1a2b3c4d/points.json
  precedent audit report.md --paper paper.pdf               any report in the three-section form
  precedent audit points.json --paper paper.pdf --model ollama:qwen3:8b --out audit

69 questions in five dimensions, each answered by a rule where a rule can, by a model with passages of the works and of the paper before it where one is named, and not at all
otherwise. A score stands only where every item of its dimension was answered.";

#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    /// The report: points.json of `precedent points`, report.json of `precedent assess`, or Markdown in the form of three sections
    pub(crate) report: PathBuf,

    /// The paper that the report is on: what the report says of it is held against it
    #[arg(long, value_name = "FILE")]
    pub(crate) paper: Option<PathBuf>,

    /// Folder for audit.html, audit.md, audit.json and the record of answers [default: nothing is kept]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Files to write into that folder
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = every_format())]
    pub(crate) formats: Vec<String>,

    /// Print the whole audit as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelChoice,
}

fn every_format() -> Vec<String> {
    precedent_report::audit_formats()
        .into_iter()
        .map(str::to_owned)
        .collect()
}

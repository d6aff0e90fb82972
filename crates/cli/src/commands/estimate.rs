use std::path::PathBuf;

use clap::Args;
use precedent_app::{AppError, Input, Job, Request};
use precedent_engine::domain::PartialDate;

use super::job;
use crate::ExitCode;
use crate::args::{CorpusChoice, ModelChoice, SourceChoice};
use crate::printer::Printer;

#[derive(Debug, Args)]
pub(crate) struct EstimateArguments {
    /// The paper
    pub(crate) input: PathBuf,

    /// Cutoff date: later papers are not counted as prior work [default: the date found in the paper]
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<PartialDate>,

    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,

    #[command(flatten)]
    pub(crate) sources: SourceChoice,

    /// Maximum number of full texts to download from open archives, for the papers from services that are most similar to the claims. 0 downloads
    /// none [default: 30]
    #[arg(long = "full-texts", value_name = "N", requires = "names", value_parser = clap::value_parser!(u16).range(0..=200))]
    pub(crate) full_texts: Option<u16>,

    /// Print JSON: `{model, stages, asks, input_tokens, most_output_tokens, bytes, likely_dollars, at_most_dollars, sources, full_texts}`
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelChoice,
}

/// `precedent estimate`.
pub(super) fn run(typed: &EstimateArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let request = Request {
        corpora: typed.corpus.corpora.clone(),
        sources: typed.sources.names.clone(),
        full_texts: typed.full_texts,
        as_of: typed.as_of,
        model: (&typed.model).into(),
        send_nothing: true,
        ..Request::new(Job::Assess, Input::File(typed.input.clone()))
    };
    let request = job::validate(&request, printer)?;
    job::estimate(&request, typed.json, printer)
}

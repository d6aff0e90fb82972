//! What can be typed after `precedent review`.

use std::path::PathBuf;

use clap::Args;
use precedent_engine::domain::PartialDate;
use precedent_engine::pipelines::review_defaults;

use crate::args::{CorpusChoice, ModelChoice, SourceChoice};

pub(crate) const REVIEW_HELP: &str = "\
Examples:
  precedent review \"Shift ferry departures by the predicted current to save fuel …\" --corpus library
  precedent review paper.pdf --corpus library --as-of 2024-05-17 --out review
  precedent review idea.txt --sources openalex,github,brave --model openai:gpt-5-mini
  precedent review idea.txt --corpus library --model ollama:qwen3:8b --dimensions our-dimensions --personas our-readers
  precedent review paper.pdf --corpus library --model openai:gpt-5-mini --estimate      count first

It writes review.html, review.md and review.json: what the idea says in six parts, what was found for and against each in papers, pages and repositories, and, with a model,
the scores of five readers drawn by the seed, what they come to, and suggestions from what appeared later. Without a model there are no scores.";

#[derive(Debug, Args)]
pub(crate) struct ReviewArguments {
    /// The idea: its text, a file that holds it (text, or any paper that can be read: then the whole of it), or - for stdin
    #[arg(value_name = "TEXT|FILE|-")]
    pub(crate) idea: String,

    /// Folder for the reports [default: runs/<run>]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Judge by this date: what is surely later feeds suggestions and nothing else [default: the paper's own, where it has one]
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<PartialDate>,

    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,

    #[command(flatten)]
    pub(crate) sources: SourceChoice,

    #[command(flatten)]
    pub(crate) reviewing: ReviewingArguments,

    /// Reports to write
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = every_format())]
    pub(crate) formats: Vec<String>,

    /// Ask nobody anything new: work everything out again from the answers on record in the run's folder
    #[arg(long)]
    pub(crate) replay: bool,

    /// Seed of the readers, of what each of them has before them, and of everything else drawn by lot
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Count what a model and services would be asked and what that costs at most, and ask nothing
    #[arg(long, conflicts_with = "replay")]
    pub(crate) estimate: bool,

    /// Print `{run, dir, files, status, score, decision, dimensions, not_searched}` as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelChoice,
}

/// How knowledge is looked for and who judges.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Search and board")]
pub(crate) struct ReviewingArguments {
    /// Folder of dimensions of your own, a Markdown file each, beside the program's five; docs/adding/dimension.md has the form
    #[arg(long, value_name = "DIR")]
    pub(crate) dimensions: Option<PathBuf>,

    /// Folder of readers of your own, a Markdown file each, beside the program's fifteen; docs/adding/persona.md has the form
    #[arg(long, value_name = "DIR")]
    pub(crate) personas: Option<PathBuf>,

    /// Readers on the board
    #[arg(long, value_name = "N", default_value_t = review_defaults::BOARD, value_parser = clap::value_parser!(u8).range(1..=15))]
    pub(crate) board: u8,

    /// Most rounds of the search; it ends before where a round brings nothing new
    #[arg(long, value_name = "N", default_value_t = review_defaults::ROUNDS, value_parser = clap::value_parser!(u8).range(1..=6))]
    pub(crate) rounds: u8,

    /// Papers, pages and repositories kept, of each kind
    #[arg(long, value_name = "N", default_value_t = review_defaults::KEEP, value_parser = clap::value_parser!(u8).range(1..=50))]
    pub(crate) keep: u8,

    /// How many times as many are judged by a model before that
    #[arg(long, value_name = "N", default_value_t = review_defaults::OVERSAMPLE, value_parser = clap::value_parser!(u8).range(1..=10))]
    pub(crate) oversample: u8,

    /// Weight of nearness beside a model's judgement when that choice is made, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = review_defaults::ALPHA, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(crate) alpha: u8,

    /// A model of sentences that tells how near works stand: `minilm` once `precedent models pull minilm` has brought it, or the folder of a model of the BERT kind
    #[arg(long, value_name = "MODEL")]
    pub(crate) embedder: Option<String>,
}

fn every_format() -> Vec<String> {
    precedent_report::review_formats()
        .into_iter()
        .map(str::to_owned)
        .collect()
}

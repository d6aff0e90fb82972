//! Arguments of `precedent review`.

use std::path::PathBuf;

use clap::Args;
use precedent_engine::domain::PartialDate;
use precedent_engine::review::review_defaults;

use crate::args::{CorpusChoice, ModelChoice, SourceChoice, default_formats};
use crate::refining::ReviewRerankerChoice;

pub(crate) const REVIEW_HELP: &str = "\
Examples:
  precedent review \"Shift ferry departures by the predicted current to save fuel …\" --corpus library
  precedent review paper.pdf --corpus library --as-of 2024-05-17 --out review
  precedent review idea.txt --sources openalex,github,brave --model openai:gpt-5-mini
  precedent review idea.txt --corpus library --model ollama:qwen3:8b --dimensions our-dimensions --personas our-readers
  precedent review paper.pdf --corpus library --model openai:gpt-5-mini --estimate      estimate the cost first
  precedent review --batch ideas.jsonl --corpus library --model openai:gpt-5-mini       one idea per line; to continue, repeat the command

Writes review.html, review.md and review.json. They list the six parts of the idea and, for each part, supporting and opposing evidence from
papers, web pages and repositories. With a model, five randomly selected readers score the idea, and later work leads to suggestions.

A line of a batch is {\"id\": …, \"idea\": …}. The folder gets the review of each line, and a table of all as index.html, reviews.csv and reviews.jsonl.";

#[derive(Debug, Args)]
pub(crate) struct ReviewArguments {
    /// The idea: text, a text file, a paper (its full text), or - for stdin
    #[arg(
        value_name = "TEXT|FILE|-",
        required_unless_present = "batch",
        conflicts_with = "batch"
    )]
    pub(crate) idea: Option<String>,

    /// Review many ideas: a file with one JSON object per line, or - for stdin. Prints one line of JSON for each
    #[arg(long, value_name = "FILE")]
    pub(crate) batch: Option<PathBuf>,

    /// Output folder [default: runs/<run>]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Cutoff date: certainly later work is used only for suggestions [default: the paper's date, if it has one]
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<PartialDate>,

    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,

    #[command(flatten)]
    pub(crate) sources: SourceChoice,
    /// Ignore answers of services that other runs recorded on this machine
    #[arg(long)]
    pub(crate) refresh: bool,

    #[command(flatten)]
    pub(crate) reviewing: ReviewingArguments,

    /// Report formats, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = default_formats())]
    pub(crate) formats: Vec<String>,

    /// Open the HTML report in the browser
    #[arg(long)]
    pub(crate) open: bool,

    /// Use only the responses recorded in the run's folder; make no new requests
    #[arg(long)]
    pub(crate) replay: bool,

    /// Random seed for the readers, the evidence that each reader sees, and all other random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Estimate the requests and maximum cost, without sending anything
    #[arg(long, conflicts_with = "replay")]
    pub(crate) estimate: bool,

    /// Print `{run, dir, files, status, score, decision, confidence, dimensions, not_searched}` as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelChoice,
}

/// Options of the search and the review board.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Search and board")]
pub(crate) struct ReviewingArguments {
    /// Folder of additional dimensions, one Markdown file each (see docs/adding/dimension.md). Five are built in
    #[arg(long, value_name = "DIR")]
    pub(crate) dimensions: Option<PathBuf>,

    /// Folder of additional readers, one Markdown file each (see docs/adding/persona.md). Fifteen are built in
    #[arg(long, value_name = "DIR")]
    pub(crate) personas: Option<PathBuf>,

    /// Reader who always sits on the board, by id: built in, or from --personas. Can be repeated; the seed selects the others
    #[arg(long = "persona", value_name = "NAME")]
    pub(crate) required_personas: Vec<String>,

    /// Number of readers on the board
    #[arg(long, value_name = "N", default_value_t = review_defaults::BOARD, value_parser = clap::value_parser!(u8).range(1..=15))]
    pub(crate) board: u8,

    /// Maximum search rounds. The search ends early if a round finds nothing new
    #[arg(long, value_name = "N", default_value_t = review_defaults::ROUNDS, value_parser = clap::value_parser!(u8).range(1..=6))]
    pub(crate) rounds: u8,

    /// Number of papers, pages and repositories to keep, per kind
    #[arg(long, value_name = "N", default_value_t = review_defaults::KEEP, value_parser = clap::value_parser!(u8).range(1..=50))]
    pub(crate) keep: u8,

    /// Number of candidates that a model assesses, as a multiple of --keep
    #[arg(long, value_name = "N", default_value_t = review_defaults::OVERSAMPLE, value_parser = clap::value_parser!(u8).range(1..=10))]
    pub(crate) oversample: u8,

    /// Weight of similarity relative to the model's assessment in that choice, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = review_defaults::ALPHA, value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(crate) alpha: u8,

    /// Also show citations, venue and stars of each record to the model that assesses relevance, and let it prefer higher ones among similar records,
    /// as the published system does. Needs a model
    #[arg(long)]
    pub(crate) as_published: bool,

    /// Embedding model for similarity: `minilm` (after `precedent models pull minilm`), or the folder of a BERT model
    #[arg(long, value_name = "MODEL")]
    pub(crate) embedder: Option<String>,

    #[command(flatten)]
    pub(crate) reranking: ReviewRerankerChoice,
}

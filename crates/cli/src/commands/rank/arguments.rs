//! What can be typed after `precedent rank` and `precedent compare`.

use std::path::PathBuf;

use clap::Args;
use precedent_engine::domain::PartialDate;
use precedent_engine::pipelines::review_defaults;

use crate::args::{CorpusChoice, ModelChoice, SourceChoice};

pub(crate) const RANK_HELP: &str = "\
Examples:
  precedent rank ideas/*.txt --model ollama:qwen3:8b --local-only
  precedent rank one.md two.md three.pdf --model openai:gpt-5-mini --out ranking
  precedent rank ideas/*.txt --model ollama:qwen3:8b --dimensions our-dimensions

The judge sees the texts in an order drawn by lot, then the same backwards, and never a file's name. Where its answers follow the order in which they were shown, the report
says so and ranks nothing. The same ideas give the same report in whatever order they are typed.";

pub(crate) const COMPARE_HELP: &str = "\
Examples:
  precedent compare one.txt two.txt --model ollama:qwen3:8b
  precedent compare one.pdf two.pdf --model openai:gpt-5-mini --draws 3 --json

Each of the two is shown first as often as the other. See `precedent rank` for more than two.";

#[derive(Debug, Args)]
pub(crate) struct RankArguments {
    /// The ideas, a file each: text, Markdown, or any paper that can be read
    #[arg(required = true, num_args = 2..=10, value_name = "IDEA")]
    pub(crate) ideas: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) how: RankingArguments,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArguments {
    /// One idea: text, Markdown, or any paper that can be read
    #[arg(value_name = "ONE")]
    pub(crate) one: PathBuf,

    /// The other
    #[arg(value_name = "OTHER")]
    pub(crate) other: PathBuf,

    #[command(flatten)]
    pub(crate) how: RankingArguments,
}

#[derive(Debug, Args)]
pub(crate) struct RankingArguments {
    #[command(flatten)]
    pub(crate) judging: JudgingArguments,

    /// Folder for the reports and the record of answers [default: nothing is kept]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Formats of the reports: json, md, html
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = every_format())]
    pub(crate) formats: Vec<String>,

    /// Answer from the record in --out and ask nothing
    #[arg(long, requires = "out")]
    pub(crate) replay: bool,

    /// Print the whole ranking as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelChoice,
}

#[derive(Debug, Args)]
pub(crate) struct BenchInnoEvalArguments {
    /// Pairs of papers in the published layout: a JSON array of objects with `paper_a` and `paper_b`. May be repeated
    #[arg(long, value_name = "FILE", required_unless_present_any = ["groups", "points"])]
    pub(crate) pairs: Vec<PathBuf>,

    /// Groups of papers in the published layout: a JSON array of objects with `query` and `matches`. May be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) groups: Vec<PathBuf>,

    /// Single papers in the published layout, each reviewed as an idea: a JSON object a line with `paper_id`, `title`, `abstract` and `decision`. May be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) points: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reviewing: BenchReviewArguments,

    /// Tasks of each set, from its beginning [default: all]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,

    #[command(flatten)]
    pub(crate) judging: JudgingArguments,

    /// Folder for the record of answers, so that a run that was stopped goes on [default: none is kept]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// A line of JSON a set
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelChoice,
}

/// How single papers are reviewed.
#[derive(Debug, Args)]
#[command(next_help_heading = "For --points")]
pub(crate) struct BenchReviewArguments {
    /// The venue's own record, `paper_id` and `decision` a line: papers whose label it does not bear out are left out
    #[arg(long, value_name = "FILE", requires = "points")]
    pub(crate) record: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,

    #[command(flatten)]
    pub(crate) sources: SourceChoice,

    /// Judge by this date: what is surely later feeds suggestions and nothing else [default: everything counts as earlier, and a paper may be found to have been followed]
    #[arg(long, value_name = "DATE", requires = "points")]
    pub(crate) as_of: Option<PartialDate>,

    /// Folder of readers of your own, a Markdown file each, beside the program's fifteen
    #[arg(long, value_name = "DIR", requires = "points")]
    pub(crate) personas: Option<PathBuf>,

    /// Readers on the board
    #[arg(long, value_name = "N", default_value_t = review_defaults::BOARD, value_parser = clap::value_parser!(u8).range(1..=50))]
    pub(crate) board: u8,

    /// Most rounds of the search
    #[arg(long, value_name = "N", default_value_t = review_defaults::ROUNDS, value_parser = clap::value_parser!(u8).range(1..=10))]
    pub(crate) rounds: u8,
}

/// How the judge is asked.
#[derive(Debug, Args)]
pub(crate) struct JudgingArguments {
    /// Folder of dimensions of your own, a Markdown file each, beside the program's five; docs/adding/dimension.md has the form
    #[arg(long, value_name = "DIR")]
    pub(crate) dimensions: Option<PathBuf>,

    /// Orders drawn by lot; each is shown forwards and backwards
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=12))]
    pub(crate) draws: u8,

    /// Seed of the orders
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

fn every_format() -> Vec<String> {
    precedent_report::ranking_formats()
        .into_iter()
        .map(str::to_owned)
        .collect()
}

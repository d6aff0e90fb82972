//! Arguments of `precedent rank`, `precedent compare` and `precedent bench innoeval`.

use std::path::PathBuf;

use clap::Args;
use precedent_engine::domain::PartialDate;
use precedent_engine::review::review_defaults;

use crate::args::{CorpusChoice, ModelChoice, SourceChoice, default_formats};
use crate::refining::ReviewRerankerChoice;

pub(crate) const RANK_HELP: &str = "\
Examples:
  precedent rank ideas/*.txt --model ollama:qwen3:8b --local-only
  precedent rank one.md two.md three.pdf --model openai:gpt-5-mini --out ranking
  precedent rank ideas/*.txt --model ollama:qwen3:8b --dimensions our-dimensions
  precedent rank ideas/*.txt --model openai:gpt-5-mini --corpus library --as-of 2024-05-17 --estimate

With --corpus or --sources, each idea is first reviewed as by `precedent review`, and the judge sees the reviews beside the texts.

The judge sees the texts in random orders and in the reverse of each, and never sees file names. The report gives no ranking, and says why, if the
answers agree no more than chance, follow the order of presentation or follow the lengths of the texts. The order of the arguments does not matter.
Each prompt shows all of up to ten ideas. More ideas are shown in windows of up to eight: 50 ideas take at most 98 calls. Use --estimate first.";

pub(crate) const COMPARE_HELP: &str = "\
Examples:
  precedent compare one.txt two.txt --model ollama:qwen3:8b
  precedent compare one.pdf two.pdf --model openai:gpt-5-mini --draws 10 --json
  precedent compare one.pdf two.pdf --model openai:gpt-5-mini --corpus library

With --corpus or --sources, the judge sees a review of each idea, and the report compares their strengths, weaknesses and risks with evidence.
Each idea is shown first equally often. There is no ranking if the agreement of the answers may be chance; fewer than 5 draws can never show more for
two ideas. To compare more than two ideas, use `precedent rank`.";

#[derive(Debug, Args)]
pub(crate) struct RankArguments {
    /// Files with one idea each: text, Markdown, or a paper in any supported format
    #[arg(required = true, num_args = 2.., value_name = "IDEA")]
    pub(crate) ideas: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) how: RankingArguments,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArguments {
    /// First idea: text, Markdown, or a paper in any supported format
    #[arg(value_name = "ONE")]
    pub(crate) one: PathBuf,

    /// Second idea
    #[arg(value_name = "OTHER")]
    pub(crate) other: PathBuf,

    #[command(flatten)]
    pub(crate) how: RankingArguments,
}

#[derive(Debug, Args)]
pub(crate) struct RankingArguments {
    #[command(flatten)]
    pub(crate) judging: JudgingArguments,

    #[command(flatten)]
    pub(crate) reviewing: RankReviewArguments,

    /// Output folder [default: runs/<run>]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Report formats, separated by commas: json, md, html
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

    /// Print the ranking as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelChoice,
}

/// Options of the reviews that the judge sees.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reviews of the ideas")]
pub(crate) struct RankReviewArguments {
    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,

    #[command(flatten)]
    pub(crate) sources: SourceChoice,

    /// Judge the texts alone, even if PRECEDENT_CORPUS is set
    #[arg(long, conflicts_with_all = ["names", "personas", "board", "rounds", "keep", "reranker"])]
    pub(crate) text_only: bool,

    /// Cutoff date of every review: certainly later work is not shown to the judge [default: the date of each paper, if it has one]
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<PartialDate>,

    /// Ignore answers of services that other runs recorded on this machine
    #[arg(long)]
    pub(crate) refresh: bool,

    /// Folder of additional readers, one Markdown file each (see docs/adding/persona.md). Fifteen are built in
    #[arg(long, value_name = "DIR")]
    pub(crate) personas: Option<PathBuf>,

    /// Reader who always sits on every board, by id: built in, or from --personas. Can be repeated; the seed selects the others
    #[arg(long = "persona", value_name = "NAME")]
    pub(crate) required_personas: Vec<String>,

    /// Number of readers on the board of each review
    #[arg(long, value_name = "N", default_value_t = review_defaults::BOARD, value_parser = clap::value_parser!(u8).range(1..=15))]
    pub(crate) board: u8,

    /// Maximum search rounds of each review
    #[arg(long, value_name = "N", default_value_t = review_defaults::ROUNDS, value_parser = clap::value_parser!(u8).range(1..=6))]
    pub(crate) rounds: u8,

    /// Number of papers, pages and repositories to keep, per kind and idea
    #[arg(long, value_name = "N", default_value_t = review_defaults::KEEP, value_parser = clap::value_parser!(u8).range(1..=50))]
    pub(crate) keep: u8,

    #[command(flatten)]
    pub(crate) reranking: ReviewRerankerChoice,
}

#[derive(Debug, Args)]
pub(crate) struct BenchInnoEvalArguments {
    /// Pairs of papers in the published layout: a JSON array of objects with `paper_a` and `paper_b`. Can be repeated
    #[arg(long, value_name = "FILE", required_unless_present_any = ["groups", "points"])]
    pub(crate) pairs: Vec<PathBuf>,

    /// Groups of papers in the published layout: a JSON array of objects with `query` and `matches`. Can be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) groups: Vec<PathBuf>,

    /// Single papers in the published layout, each reviewed as an idea: one JSON object per line with `paper_id`, `title`, `abstract` and `decision`.
    /// Can be repeated
    #[arg(long, value_name = "FILE")]
    pub(crate) points: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) reviewing: BenchReviewArguments,

    /// With --pairs and --groups, score only the first answer to each task, as the published benchmark does [default: mean ranks over all answers].
    /// In reviews, show citations, venue and stars to the model that assesses relevance, as `precedent review --as-published` does
    #[arg(long)]
    pub(crate) as_published: bool,

    /// Use only the first N tasks of each set [default: all]
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,

    #[command(flatten)]
    pub(crate) judging: JudgingArguments,

    /// Folder for recorded responses, so that an interrupted run can continue [default: none]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Print one line of JSON per set
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelChoice,
}

/// Options for reviews of the papers.
#[derive(Debug, Args)]
pub(crate) struct BenchReviewArguments {
    /// With --points, the venue's record, with `paper_id` and `decision` per line. Papers whose label does not match it are excluded
    #[arg(long, value_name = "FILE", requires = "points")]
    pub(crate) record: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,

    #[command(flatten)]
    pub(crate) sources: SourceChoice,

    /// With --pairs and --groups, judge the texts alone, even if there is a corpus or a service [default: judge from reviews if there is]
    #[arg(long)]
    pub(crate) text_only: bool,

    /// Cutoff date of the reviews: certainly later work is used only for suggestions [default: none, so work that follows a paper also counts as prior work]
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<PartialDate>,

    /// Folder of additional readers, one Markdown file each. Fifteen are built in
    #[arg(long, value_name = "DIR")]
    pub(crate) personas: Option<PathBuf>,

    /// Reader who always sits on the board, by id: built in, or from --personas. Can be repeated; the seed selects the others
    #[arg(long = "persona", value_name = "NAME")]
    pub(crate) required_personas: Vec<String>,

    /// Number of readers on the board
    #[arg(long, value_name = "N", default_value_t = review_defaults::BOARD, value_parser = clap::value_parser!(u8).range(1..=50))]
    pub(crate) board: u8,

    /// Maximum search rounds
    #[arg(long, value_name = "N", default_value_t = review_defaults::ROUNDS, value_parser = clap::value_parser!(u8).range(1..=10))]
    pub(crate) rounds: u8,
}

/// Options of the judge.
#[derive(Debug, Args)]
pub(crate) struct JudgingArguments {
    /// Folder of additional dimensions, one Markdown file each (see docs/adding/dimension.md). Five are built in
    #[arg(long, value_name = "DIR")]
    pub(crate) dimensions: Option<PathBuf>,

    /// Number of random orders. Each is shown forwards and backwards, so N orders make 2 N different prompts [default: 7 for two ideas, 4 for three, 3 for up to ten, 6 for more; 1 for `bench`]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=12))]
    pub(crate) draws: Option<u8>,

    /// Random seed of the orders
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

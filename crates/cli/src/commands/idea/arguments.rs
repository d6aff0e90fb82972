//! What can be typed after `precedent idea` and `precedent bench idea`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use precedent_engine::domain::PartialDate;

use crate::args::{CorpusChoice, ModelChoice, SourceChoice};

pub(crate) const IDEA_HELP: &str = "\
Examples:
  precedent idea \"Shift ferry departures by the predicted current to save fuel …\" --corpus library
  precedent idea idea.txt --corpus library --model ollama:qwen3:8b --samples 5
  precedent idea paper.pdf --corpus library              the paper's title and abstract; the paper itself is set aside
  cat idea.txt | precedent idea - --sources default      services get short queries
  precedent idea idea.txt --sources semantic-scholar --seed-paper arXiv:2509.08755
                                                         a service that you name also gets key words of the whole idea
  precedent idea --batch ideas.jsonl --corpus library    an idea a line; the same command again goes on where it was stopped

It writes idea.html, idea.md and idea.json. Without a model it decides only where the idea stands in a work nearly word for word, and says undecided
otherwise. `openalex` and `semantic-scholar` also receive up to 40 key words of the whole idea if you name them, not as part of `default` or
`all`. A line of a batch is {\"id\": …, \"idea\": …}; with \"papers\": [{\"title\": …, \"abstract\": …}] the idea is held against those alone.";

#[derive(Debug, Args)]
pub(crate) struct IdeaArguments {
    /// The idea: its text, a file that holds it (text, or a paper: then its title and abstract), or - for stdin
    #[arg(
        value_name = "TEXT|FILE|-",
        required_unless_present = "batch",
        conflicts_with = "batch"
    )]
    pub(crate) idea: Option<String>,

    /// Many ideas: a file of {"id": …, "idea": …} lines, - for stdin. One line of JSON on stdout for each, in their order; what fails is told in its line
    #[arg(long, value_name = "FILE")]
    pub(crate) batch: Option<PathBuf>,

    /// Folder for the reports [default: runs/<run>]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Judge by this date: nothing later counts as prior work
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<PartialDate>,

    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,

    #[command(flatten)]
    pub(crate) sources: SourceChoice,

    /// A paper that the idea was made from: a file, a name that services know (arXiv id, DOI, ACL Anthology or Semantic Scholar id) or its title. Works near it are looked for too, and those that services recommend beside it. May be repeated
    #[arg(long = "seed-paper", value_name = "FILE|ID|TITLE")]
    pub(crate) seed_papers: Vec<String>,

    /// The idea's own paper, where it has one: versions of it are set aside as the same work
    #[arg(long = "own-paper", value_name = "FILE")]
    pub(crate) own_paper: Option<PathBuf>,

    /// Labelled examples that guide a model, as JSON Lines or a table (CSV) [default: six of our own]
    #[arg(long, value_name = "FILE")]
    pub(crate) examples: Option<PathBuf>,

    /// How often a model is asked for the verdict, each time with the works in another order; the share that agrees is shown
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=25))]
    pub(crate) samples: u8,

    /// A model of sentences that tells how near works stand: `minilm` once `precedent models pull minilm` has brought it, or the folder of a model of the BERT kind
    #[arg(long, value_name = "MODEL")]
    pub(crate) embedder: Option<String>,

    /// Reports to write
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = every_format())]
    pub(crate) formats: Vec<String>,

    /// In a batch, the whole report in each line
    #[arg(long, requires = "batch")]
    pub(crate) full: bool,

    /// In a batch, ideas worked on at the same time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) workers: u8,

    /// Ask nobody anything new: work everything out again from the answers on record in the run's folder
    #[arg(long)]
    pub(crate) replay: bool,

    /// Seed of everything drawn by lot
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Count what a model and services would be asked and what that costs at most, and ask nothing
    #[arg(long, conflicts_with_all = ["batch", "replay"])]
    pub(crate) estimate: bool,

    /// Print `{run, dir, files, status, verdict, against, not_searched}` as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelChoice,
}

#[derive(Debug, Args)]
pub(crate) struct BenchIdeaArguments {
    /// Labelled ideas with the papers they were judged by: JSON Lines or a table (CSV)
    pub(crate) file: PathBuf,

    /// What is measured
    #[arg(long, value_enum, default_value_t = BenchSetting::Both)]
    pub(crate) setting: BenchSetting,

    /// More works to search among, beside all papers of the file
    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,

    /// Labelled examples that guide a model [default: six of our own]. An idea is never shown with its own label
    #[arg(long, value_name = "FILE")]
    pub(crate) examples: Option<PathBuf>,

    /// How often a model is asked for each verdict
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=25))]
    pub(crate) samples: u8,

    /// A model of sentences that tells how near works stand: `minilm` once `precedent models pull minilm` has brought it, or the folder of a model of the BERT kind
    #[arg(long, value_name = "MODEL")]
    pub(crate) embedder: Option<String>,

    /// Folder for the record of answers, so that a run that was stopped goes on [default: none is kept]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// As JSON, with a line for each idea
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelChoice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchSetting {
    /// Verdicts, each idea held against the papers that came with it
    Fixed,
    /// How many of an idea's papers a search among all of them puts first
    Retrieval,
    /// Both
    Both,
}

fn every_format() -> Vec<String> {
    precedent_report::idea_formats()
        .into_iter()
        .map(str::to_owned)
        .collect()
}

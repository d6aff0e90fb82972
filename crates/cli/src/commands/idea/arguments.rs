//! Arguments of `precedent idea` and `precedent bench idea`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use precedent_engine::domain::{Facet, PartialDate};

use crate::args::{CorpusChoice, ModelChoice, SourceChoice, default_formats};

pub(crate) const IDEA_HELP: &str = "\
Examples:
  precedent idea \"Shift ferry departures by the predicted current to save fuel …\" --corpus library
  precedent idea idea.txt --corpus library --model ollama:qwen3:8b --samples 5
  precedent idea paper.pdf --corpus library              use the title and abstract; exclude the paper itself
  cat idea.txt | precedent idea - --sources default      send only short queries to services
  precedent idea idea.txt --sources semantic-scholar --seed-paper arXiv:2509.08755
                                                         send a service that you name key words of the whole idea
  precedent idea idea.txt --corpus library --purpose \"save fuel\" --mechanism \"a tide model\"
                                                         state facets that the report shows wrong
  precedent idea --batch ideas.jsonl --corpus library    one idea per line; to continue an interrupted batch, repeat the command

Writes idea.html, idea.md and idea.json. Without a model, the verdict is undecided unless a paper contains the idea nearly word for word.
`openalex` and `semantic-scholar` receive up to 40 key words of the whole idea only if you name them, not as part of `default` or `all`.
A line of a batch is {\"id\": …, \"idea\": …}, and may state \"facets\": {\"purpose\": …, \"mechanism\": …}. With \"papers\": [{\"title\": …, \"abstract\": …}] the idea is compared only with those.";

#[derive(Debug, Args)]
pub(crate) struct IdeaArguments {
    /// The idea: text, a text file, a paper (its title and abstract), or - for stdin
    #[arg(
        value_name = "TEXT|FILE|-",
        required_unless_present = "batch",
        conflicts_with = "batch"
    )]
    pub(crate) idea: Option<String>,

    /// Check many ideas from a file of {"id": …, "idea": …} lines; - reads stdin. Prints one line of JSON per idea, in order, including errors
    #[arg(long, value_name = "FILE")]
    pub(crate) batch: Option<PathBuf>,

    /// Output folder [default: runs/<run>]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Cutoff date: later papers are not counted as prior work
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<PartialDate>,

    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,

    #[command(flatten)]
    pub(crate) sources: SourceChoice,
    /// Ignore answers of services that other runs recorded on this machine
    #[arg(long)]
    pub(crate) refresh: bool,

    /// A paper that the idea is based on: a file, an arXiv id, a DOI, an ACL Anthology or Semantic Scholar id, or a title. Similar and recommended
    /// papers are also searched for. Can be repeated
    #[arg(long = "seed-paper", value_name = "FILE|ID|TITLE")]
    pub(crate) seed_papers: Vec<String>,

    /// The problem that the idea addresses, if the report shows another or none
    #[arg(long, value_name = "WORDS", conflicts_with = "batch")]
    pub(crate) purpose: Option<String>,

    /// The method that the idea would use
    #[arg(long, value_name = "WORDS", conflicts_with = "batch")]
    pub(crate) mechanism: Option<String>,

    /// How the idea would be shown to work
    #[arg(long, value_name = "WORDS", conflicts_with = "batch")]
    pub(crate) evaluation: Option<String>,

    /// Where the idea would be used
    #[arg(long, value_name = "WORDS", conflicts_with = "batch")]
    pub(crate) domain: Option<String>,

    /// The paper about this idea, if there is one. It and its other versions are excluded
    #[arg(long = "own-paper", value_name = "FILE")]
    pub(crate) own_paper: Option<PathBuf>,

    /// Labelled examples for the model, as JSON Lines or CSV [default: six built-in examples]
    #[arg(long, value_name = "FILE")]
    pub(crate) examples: Option<PathBuf>,

    /// Number of verdicts to request from the model, each with the papers in another order. The report shows how many agree
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=25))]
    pub(crate) samples: u8,

    /// Embedding model for similarity: `minilm` (after `precedent models pull minilm`), or the folder of a BERT model
    #[arg(long, value_name = "MODEL")]
    pub(crate) embedder: Option<String>,

    /// Report formats, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = default_formats())]
    pub(crate) formats: Vec<String>,

    /// Open the HTML report in the browser
    #[arg(long)]
    pub(crate) open: bool,

    /// In a batch, include the full report in each line
    #[arg(long, requires = "batch")]
    pub(crate) full: bool,

    /// In a batch, number of ideas to process concurrently
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=64))]
    pub(crate) workers: u8,

    /// Use only the responses recorded in the run's folder; make no new requests
    #[arg(long)]
    pub(crate) replay: bool,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Estimate the requests and maximum cost, without sending anything
    #[arg(long, conflicts_with_all = ["batch", "replay"])]
    pub(crate) estimate: bool,

    /// Print `{run, dir, files, status, verdict, against, not_searched}` as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelChoice,
}

impl IdeaArguments {
    /// The facets that the user states.
    pub(crate) fn facets(&self) -> BTreeMap<Facet, String> {
        let stated = [
            (Facet::Purpose, &self.purpose),
            (Facet::Mechanism, &self.mechanism),
            (Facet::Evaluation, &self.evaluation),
            (Facet::ApplicationDomain, &self.domain),
        ];
        let given = stated
            .into_iter()
            .filter_map(|(facet, words)| Some((facet, words.clone()?)));
        given.filter(|(_, words)| !words.trim().is_empty()).collect()
    }
}

#[derive(Debug, Args)]
pub(crate) struct BenchIdeaArguments {
    /// Labelled ideas with the papers they were compared with, as JSON Lines or CSV
    pub(crate) file: PathBuf,

    /// What to measure
    #[arg(long, value_enum, default_value_t = BenchSetting::Both)]
    pub(crate) setting: BenchSetting,

    /// Also leave out parts of the search, one at a time, and measure what each adds to the verdicts and to the ten papers compared
    #[arg(long, conflicts_with = "embedder")]
    pub(crate) ablations: bool,

    /// Corpora to search in addition to the papers in the file
    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,

    /// Labelled examples for the model [default: six built-in examples]. An idea's own label is never shown to the model
    #[arg(long, value_name = "FILE")]
    pub(crate) examples: Option<PathBuf>,

    /// Number of verdicts to request from the model per idea
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=25))]
    pub(crate) samples: u8,

    /// Embedding model for similarity: `minilm` (after `precedent models pull minilm`), or the folder of a BERT model
    #[arg(long, value_name = "MODEL")]
    pub(crate) embedder: Option<String>,

    /// Folder for recorded responses, so that an interrupted run can continue [default: none]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Print JSON, with a line per idea
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelChoice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchSetting {
    /// Verdicts, with each idea compared with its own papers
    Fixed,
    /// Recall of an idea's papers in a search over all papers, and verdicts on the papers found
    Retrieval,
    /// Both
    Both,
}

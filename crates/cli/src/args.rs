//! What can be typed.
//!
//! Long because the whole command line is read in one place, and a flag is weighed beside the others.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use precedent_engine::domain::{PartialDate, WorkId};
use precedent_engine::model::{Depth, Policy};

use crate::commands::audit::arguments::{AUDIT_HELP, AuditArguments};
use crate::commands::idea::arguments::{BenchIdeaArguments, IDEA_HELP, IdeaArguments};
use crate::commands::points::arguments::{POINTS_HELP, PointsArguments};
use crate::commands::rank::arguments::{
    BenchInnoEvalArguments, COMPARE_HELP, CompareArguments, RANK_HELP, RankArguments,
};
use crate::commands::review::arguments::{REVIEW_HELP, ReviewArguments};
use crate::help::{OVERLAP_HELP, VERIFY_HELP};
use crate::refining::{ModelsArguments, RefineChoice};

/// Tells what is new in a research paper, what came before, and backs every judgement with a quote that stands in its source.
#[derive(Debug, Parser)]
#[command(name = "precedent", version, propagate_version = true, arg_required_else_help = true, after_help = AFTER_HELP)]
pub struct Arguments {
    /// No notes and no progress on stderr; warnings and errors still show.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,

    /// Who takes the letters off the pages of a PDF: this program, pdfium, or pdfium where this program makes nothing of a file
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "ENGINE",
        env = "PRECEDENT_PDF_ENGINE",
        default_value_t = PdfEngine::Auto,
        help_heading = "Reading PDFs"
    )]
    pub(crate) pdf_engine: PdfEngine,

    /// The pdfium library, or the folder it is in [default: beside this program, then where the system keeps libraries]
    #[arg(
        long,
        global = true,
        value_name = "PATH",
        env = "PRECEDENT_PDFIUM",
        help_heading = "Reading PDFs"
    )]
    pub(crate) pdfium: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PdfEngine {
    /// This program; pdfium, where it is there, for files of which this program makes nothing or nonsense
    Auto,
    /// This program alone
    Builtin,
    /// pdfium alone
    Pdfium,
}

const AFTER_HELP: &str = "\
Examples:
  precedent assess paper.pdf --corpus works.jsonl      a report on paper.pdf against the works in a file
  precedent corpus add library works.jsonl papers/     a corpus of your own, searched in milliseconds
  precedent assess paper.pdf --corpus library          the same report against that corpus
  precedent verify --source paper.pdf --quote '…'      does this sentence stand in the paper, word for word?

Exit codes: 0 done, 1 a bug, 2 wrong usage, 3 the input cannot be read or is not a paper, 4 a model or key is needed,
5 nothing could be searched, 6 the budget ended the run, 130 interrupted (resumable).

Nothing leaves this machine unless you name a model or an online source, or a paper by identifier, address or title in place of a file.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Assess a paper: what it claims, what came before, with quotes from both sides
    #[command(after_help = "\
Examples:
  precedent assess paper.pdf --corpus works.jsonl
  precedent assess paper.tex --corpus library --as-of 2024-05-17 --out report
  precedent assess paper.pdf --corpus library --formats json --json    for a program
  precedent assess paper.pdf --sources default                         ask literature services as well
  precedent assess arXiv:2509.08755 --sources default                  fetch the paper too
  precedent assess paper.pdf --sources openalex,arxiv --show-egress    see what they would be sent

It writes report.html, report.md and report.json, prints the claims with the works nearest to them, and says what was not
searched. The same command again takes up a run that was broken off. Exit code 5: nothing could be searched.")]
    Assess(AssessArguments),
    /// Hold an idea against the works nearest to it: novel, not novel or undecided, with the passages that decide
    #[command(after_help = IDEA_HELP)]
    Idea(Box<IdeaArguments>),
    /// Set what a paper offers as new beside earlier works, point by point, with the passages nearest to each
    #[command(after_help = POINTS_HELP)]
    Points(Box<PointsArguments>),
    /// Judge a report on points item by item: form, faithfulness, completeness, depth, and where its citations lead
    #[command(after_help = AUDIT_HELP)]
    Audit(Box<AuditArguments>),
    /// Review an idea or a paper: what it says part by part, what papers, pages and repositories say to it, and the scores of a board of readers
    #[command(after_help = REVIEW_HELP)]
    Review(Box<ReviewArguments>),
    /// Put research ideas in order, by a judge that sees them in several orders
    #[command(after_help = RANK_HELP)]
    Rank(Box<RankArguments>),
    /// Set two research ideas side by side and tell which stands higher, each shown first as often as the other
    #[command(after_help = COMPARE_HELP)]
    Compare(Box<CompareArguments>),
    /// Count what an assessment with a model or literature services would ask and cost, without asking
    #[command(after_help = "\
Examples:
  precedent estimate paper.pdf --sources default
  precedent estimate paper.pdf --corpus library --model openai:gpt-5-mini
  precedent estimate paper.pdf --corpus library --model ollama:qwen3:8b --depth full --json")]
    Estimate(EstimateArguments),
    /// Print a paper as this program reads it
    #[command(after_help = "\
Examples:
  precedent read paper.pdf                  the text that every offset points into
  precedent read paper.pdf --json           with sections, references, dates and hidden text")]
    Read(ReadArguments),
    /// Make and look into a corpus of prior work
    Corpus(CorpusArguments),
    /// Search a corpus
    #[command(after_help = "\
Examples:
  precedent search \"ropes that creep\" --corpus library
  precedent search --queries questions.jsonl --corpus library --limit 50 --json")]
    Search(SearchArguments),
    /// Tell whether a quote stands in a source, and how faithfully
    #[command(after_long_help = VERIFY_HELP, after_help = "\
Examples:
  precedent verify --source paper.pdf --quote \"We treat the rope as a spring whose stiffness drifts\"
  precedent verify --source paper.pdf --quotes quotes.jsonl --json")]
    Verify(VerifyArguments),
    /// Find every passage that a text shares with others
    #[command(after_long_help = OVERLAP_HELP, after_help = "\
Examples:
  precedent overlap paper.pdf earlier.pdf
  precedent overlap paper.pdf others/*.pdf --min-words 12 --json")]
    Overlap(OverlapArguments),
    /// Write the works of a report for a reference manager
    #[command(after_help = "\
Examples:
  precedent export runs/paper-pdf-1a2b3c4d --as bibtex --out related.bib
  precedent export report.json --as ris --only missing       what the paper does not cite, for Zotero")]
    Export(ExportArguments),
    /// List, show and resume runs
    Runs(RunsArguments),
    /// Bring models of sentences to this machine, for ranking the candidates of a search anew
    Models(ModelsArguments),
    /// Measure how well this program does on data with known answers
    #[command(after_help = "\
Example:
  precedent bench retrieval --set queries --corpus library --against words")]
    Bench(BenchArguments),
    /// Tell what works on this machine and what is missing
    #[command(after_help = "\
Examples:
  precedent doctor
  precedent doctor --corpus library
  precedent doctor --online --sources default      which services answer from here? Sends each one small question")]
    Doctor(DoctorArguments),
    /// Write a completion script for a shell to stdout
    #[command(after_help = "\
Example:
  precedent completions bash > ~/.local/share/bash-completion/completions/precedent")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// Where prior work is looked for.
#[derive(Debug, Clone, Args)]
pub(crate) struct CorpusChoice {
    /// A corpus made by `corpus add`, or works themselves: a JSONL, BibTeX, RIS or CSL-JSON file, or a folder of papers. May be repeated
    #[arg(
        long = "corpus",
        value_name = "PATH",
        env = "PRECEDENT_CORPUS",
        value_delimiter = ','
    )]
    pub(crate) corpora: Vec<PathBuf>,
}

/// Which literature services are asked.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SourceChoice {
    /// Literature services to search, by name, separated by commas: `default`, `all`, or names as `precedent doctor` lists them; `acl` or `acl:FOLDER` is searched on this machine. Services are sent short queries and names of works that the paper cites, nothing else of it [default: none]
    #[arg(long = "sources", value_name = "LIST", value_delimiter = ',')]
    pub(crate) names: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct AssessArguments {
    /// The paper: PDF, LaTeX (file, folder or .tar.gz), HTML, JATS, TEI, Markdown or plain text; or its name, and it is fetched: an arXiv id, a DOI, an OpenReview forum, an ACL Anthology, PubMed Central or Semantic Scholar id, an address, or its title
    pub(crate) input: PathBuf,

    /// Folder for the reports [default: runs/<run>]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Judge by this date: nothing later counts as prior work [default: the date found in the paper]
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<PartialDate>,

    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,

    #[command(flatten)]
    pub(crate) sources: SourceChoice,

    /// Most works found by services whose full text is fetched from open archives, the nearest to the claims first; 0 for none [default: 30]
    #[arg(long = "full-texts", value_name = "N", requires = "names", value_parser = clap::value_parser!(u16).range(0..=200))]
    pub(crate) full_texts: Option<u16>,

    /// Print what would be sent to each source, and send nothing
    #[arg(long)]
    pub(crate) show_egress: bool,

    /// Reports to write
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = every_format())]
    pub(crate) formats: Vec<String>,

    /// Ask nobody anything new: work everything out again from the answers on record in the run's folder
    #[arg(long)]
    pub(crate) replay: bool,

    /// Seed of everything drawn by lot; without a model nothing is drawn, and the report states the seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Print `{run, dir, files, status, not_searched}` as JSON on stdout
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelChoice,
}

#[derive(Debug, Args)]
pub(crate) struct EstimateArguments {
    /// The paper
    pub(crate) input: PathBuf,

    /// Judge by this date: nothing later counts as prior work [default: the date found in the paper]
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<PartialDate>,

    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,

    #[command(flatten)]
    pub(crate) sources: SourceChoice,

    /// Most works found by services whose full text is fetched from open archives, the nearest to the claims first; 0 for none [default: 30]
    #[arg(long = "full-texts", value_name = "N", requires = "names", value_parser = clap::value_parser!(u16).range(0..=200))]
    pub(crate) full_texts: Option<u16>,

    /// As JSON: `{model, stages, asks, input_tokens, most_output_tokens, bytes, at_most_dollars, sources, full_texts}`
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelChoice,
}

/// Who judges, and how far the program may go for it.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Models")]
pub(crate) struct ModelChoice {
    /// Who judges: `offline` (no model, no key, nothing leaves the machine), or `provider:name` such as `ollama:qwen3:8b`. What a model is asked leaves for its host
    #[arg(long, value_name = "MODEL", env = "PRECEDENT_MODEL")]
    pub(crate) model: Option<String>,

    /// Where the model is served, if not at its provider's own address
    #[arg(long, value_name = "URL", env = "PRECEDENT_MODEL_URL")]
    pub(crate) model_url: Option<String>,

    /// Another model for one stage: `compare=anthropic:claude-sonnet-4-5`. May be repeated
    #[arg(long = "stage-model", value_name = "STAGE=MODEL")]
    pub(crate) stage_models: Vec<String>,

    /// How much of a work the model reads. Without a model all of the text at hand is compared either way
    #[arg(long, value_enum, default_value_t = DepthChoice::Passages)]
    pub(crate) depth: DepthChoice,

    /// What of a model's words the report prints
    #[arg(long, value_enum, default_value_t = PolicyChoice::Open)]
    pub(crate) policy: PolicyChoice,

    /// Most that may be spent on models, in US dollars; checked before each question. Without a model nothing is spent
    #[arg(long, value_name = "USD", value_parser = parse_budget)]
    pub(crate) budget: Option<f64>,

    /// Exit with 0 even if fewer than half of the model's items are usable. Otherwise such a run exits with 4
    #[arg(long)]
    pub(crate) allow_fallback: bool,

    /// Refuse every host but this machine and the private hosts named
    #[arg(long)]
    pub(crate) local_only: bool,

    /// A host of your own network that --local-only lets through. May be repeated
    #[arg(long = "private-host", value_name = "HOST")]
    pub(crate) private_hosts: Vec<String>,

    /// Most questions to a model at the same time [default: 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) at_once: Option<u16>,

    /// The settings file [default: precedent/settings.toml in your configuration folder, if there]
    #[arg(long, value_name = "FILE", env = "PRECEDENT_SETTINGS")]
    pub(crate) settings: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DepthChoice {
    /// The passages nearest to the claims; the whole text only where those leave it open
    Passages,
    /// Both whole texts, always
    Full,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PolicyChoice {
    /// Everything that passed its checks
    Open,
    /// Statuses with their quotes, and no sentence written by a model
    Reviewer,
}

impl From<DepthChoice> for Depth {
    fn from(choice: DepthChoice) -> Self {
        match choice {
            DepthChoice::Passages => Self::Passages,
            DepthChoice::Full => Self::Full,
        }
    }
}

impl From<PolicyChoice> for Policy {
    fn from(choice: PolicyChoice) -> Self {
        match choice {
            PolicyChoice::Open => Self::Open,
            PolicyChoice::Reviewer => Self::Reviewer,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ReadArguments {
    /// The paper
    pub(crate) input: PathBuf,
    /// Print the whole paper (sections, paragraphs, references, dates, hidden text) as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CorpusArguments {
    #[command(subcommand)]
    pub(crate) command: CorpusCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CorpusCommand {
    #[command(after_help = "\
Examples:
  precedent corpus add library works.jsonl.zst
  precedent corpus add library references.bib papers/")]
    /// Add works to a corpus, making it if it is not there; a record of an id that is there takes the place of the whole earlier one
    Add {
        /// The corpus folder
        dir: PathBuf,
        /// Files of records, plain, .gz or .zst: JSONL, BibTeX, RIS, CSL-JSON, Zotero's JSON, CSV and RDF, ACL Anthology XML, dumps of arXiv, OpenAlex and
        /// Semantic Scholar; papers; or folders of them. The same command again goes on where an interrupted one was
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
        /// Records between two commits: what a crash makes it do again
        #[arg(long, value_name = "N", default_value_t = precedent_engine::library::COMMIT_EVERY, value_parser = clap::value_parser!(u64).range(1..))]
        commit_every: u64,
        /// Print `{added, updated, unchanged, bad_count, bad, reject_files, resumed, works}` as JSON on stdout
        #[arg(long)]
        json: bool,
    },
    /// Remove works from a corpus
    Remove {
        /// The corpus folder
        dir: PathBuf,
        /// Ids of works
        #[arg(required = true)]
        ids: Vec<WorkId>,
        /// Print `{removed, missing, works}` as JSON on stdout
        #[arg(long)]
        json: bool,
    },
    /// Make the vectors that a corpus of an older version lacks; `add` makes them by itself
    #[command(after_help = "\
Example:
  precedent corpus vectors library")]
    Vectors {
        /// The corpus folder
        dir: PathBuf,
        /// Whether a search looks at all vectors or at those near to the query [default: by the number of works]
        #[arg(long, value_enum)]
        scan: Option<ScanChoice>,
    },
    /// Tell what is in a corpus
    #[command(after_help = "\
Example:
  precedent corpus stats library")]
    Stats {
        /// The corpus folder
        dir: PathBuf,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// List what could not be imported, and why
    Rejects {
        /// The corpus folder
        dir: PathBuf,
        /// As JSON Lines: `{source, position, name, reason}`
        #[arg(long)]
        json: bool,
    },
    /// Read all of a corpus and tell what is damaged
    Check {
        /// The corpus folder
        dir: PathBuf,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    #[command(after_help = "\
Example:
  precedent corpus search library \"ropes that creep\" --as-of 2020")]
    /// Search a corpus
    Search {
        /// The corpus folder
        dir: PathBuf,
        #[command(flatten)]
        query: Box<QueryArguments>,
    },
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("what").required(true).args(["query", "queries"])))]
pub(crate) struct QueryArguments {
    /// Words to look for; a whole abstract will do. Nothing in it is an operator
    pub(crate) query: Option<String>,
    /// Many queries: a file of `{"id": …, "text": …}` lines, `-` for stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) queries: Option<PathBuf>,
    /// Leave out what is surely later than this
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<PartialDate>,
    /// Leave out the works of these ids
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub(crate) exclude: Vec<WorkId>,
    /// Only works whose venue holds these words
    #[arg(long, value_name = "WORDS")]
    pub(crate) venue: Option<String>,
    /// Only works of a field of study that holds these words: `cs.CL`, `linguistics`
    #[arg(long, value_name = "WORDS")]
    pub(crate) field: Option<String>,
    /// Results a query
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = at_least_one)]
    pub(crate) limit: usize,
    /// How works are ranked
    #[arg(long, value_enum, default_value_t = RankingChoice::Hybrid)]
    pub(crate) ranking: RankingChoice,
    /// As JSON: `{results: [{id, score, title, year}]}`, or a line a query `{id, results}`
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) refine: RefineChoice,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    #[command(flatten)]
    pub(crate) query: QueryArguments,
    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("what").required(true).args(["quote", "quotes"])))]
pub(crate) struct VerifyArguments {
    /// The source: any paper this program reads, or a text file
    #[arg(long, value_name = "FILE")]
    pub(crate) source: PathBuf,
    /// The quote: 5 words or more
    #[arg(long, value_name = "TEXT", value_parser = some_words)]
    pub(crate) quote: Option<String>,
    /// Many quotes: a file of `{"id": …, "quote": …}` lines, `-` for stdin. An id is a string or a whole number. A bad line is told with its number,
    /// the others are answered, and the exit code is 3
    #[arg(long, value_name = "FILE")]
    pub(crate) quotes: Option<PathBuf>,
    /// A line of JSON a quote; --help tells every field. The exit code is 0 whatever the outcomes
    #[arg(long)]
    pub(crate) json: bool,
}

/// A text with something in it.
fn some_words(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("a quote has words".to_owned());
    }
    Ok(text.to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct OverlapArguments {
    /// The text in question
    pub(crate) target: PathBuf,
    /// The texts to set beside it
    #[arg(required = true)]
    pub(crate) others: Vec<PathBuf>,
    /// Shortest passage, in words of the side that has fewer
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(5..))]
    pub(crate) min_words: u16,
    /// One JSON document; --help tells every field
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// The report.json of a run, or the run's folder
    pub(crate) report: PathBuf,

    /// The format
    #[arg(long = "as", value_enum, value_name = "FORMAT")]
    pub(crate) format: ExportFormat,

    /// Write only some of the works [default: all that the report lists]
    #[arg(long, value_enum, value_name = "WHICH")]
    pub(crate) only: Option<ExportSelection>,

    /// Write to this file [default: stdout]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// BibTeX, for LaTeX and most reference managers
    Bibtex,
    /// RIS, for Zotero, EndNote and Mendeley
    Ris,
    /// CSL-JSON, for Pandoc, Quarto and Zotero
    Csl,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportSelection {
    /// Near works that the paper's reference list lacks
    Missing,
}

#[derive(Debug, Args)]
pub(crate) struct RunsArguments {
    #[command(subcommand)]
    pub(crate) command: RunsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    #[command(after_help = "\
Example:
  precedent runs list")]
    /// List the runs in a folder
    List {
        /// The folder that holds the runs' folders
        #[arg(default_value = "runs")]
        root: PathBuf,
        /// As JSON Lines
        #[arg(long)]
        json: bool,
    },
    #[command(after_help = "\
Example:
  precedent runs show paper-pdf-1a2b3c4d")]
    /// Show what was asked of a run and how it ended
    Show {
        /// The run's folder, or its name under runs/
        run: PathBuf,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    #[command(after_help = "\
Example:
  precedent runs resume paper-pdf-1a2b3c4d")]
    /// Go on with a run that was killed or interrupted, or in which model calls failed; finished stages are not done again
    Resume {
        /// The run's folder, or its name under runs/
        run: PathBuf,
        /// Exit with 0 even if fewer than half of the model's items are usable
        #[arg(long)]
        allow_fallback: bool,
        /// As JSON, as `assess --json`
        #[arg(long)]
        json: bool,
    },
    #[command(after_help = "\
Examples:
  precedent runs gc --dry-run
  precedent runs gc")]
    /// Remove the records of finished runs (answers, stages, indexes); reports and manifests stay. Such a run can no longer be replayed
    Gc {
        /// The folder that holds the runs' folders
        #[arg(default_value = "runs")]
        root: PathBuf,
        /// Say what would be removed, and remove nothing
        #[arg(long)]
        dry_run: bool,
        /// As JSON Lines: `{run, bytes, removed}`
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    #[command(subcommand)]
    pub(crate) command: BenchCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BenchCommand {
    /// How much of what should be found a search finds, with intervals and times
    #[command(after_help = "\
Example:
  precedent bench retrieval --set queries --corpus library --against words")]
    Retrieval(RetrievalArguments),
    /// How well verdicts on ideas agree with labels, and how many of the labelled papers a search finds
    #[command(after_help = "\
Examples:
  precedent bench idea ideas.jsonl --setting retrieval
  precedent bench idea ideas.csv --model openai:gpt-5-mini --out bench")]
    Idea(Box<BenchIdeaArguments>),
    /// How well a judge's order of papers agrees with what venues decided
    #[command(
        name = "innoeval",
        after_help = "\
Examples:
  precedent bench innoeval --pairs pairs_easy.json --pairs pairs_diff.json --model openai:gpt-5-mini --out bench
  precedent bench innoeval --groups groups.json --limit 20 --model ollama:qwen3:8b"
    )]
    InnoEval(Box<BenchInnoEvalArguments>),
}

#[derive(Debug, Args)]
pub(crate) struct RetrievalArguments {
    /// Folder with `queries.jsonl` (`_id`, `text`, perhaps `title`) and `qrels.tsv` (query, work, grade). May be repeated
    #[arg(long = "set", value_name = "DIR", required = true)]
    pub(crate) sets: Vec<PathBuf>,
    /// Corpus that sets without works of their own (`corpus.jsonl`) are asked of
    #[arg(long, value_name = "PATH", env = "PRECEDENT_CORPUS")]
    pub(crate) corpus: Option<PathBuf>,
    /// How works are ranked
    #[arg(long, value_enum, default_value_t = RankingChoice::Hybrid)]
    pub(crate) ranking: RankingChoice,
    /// Also measure this ranking, and the difference query by query
    #[arg(long, value_enum, value_name = "RANKING")]
    pub(crate) against: Option<RankingChoice>,
    /// Which queries: half of each set, by a hash of their ids, is for choosing parameters, the other for reporting
    #[arg(long, value_enum, default_value_t = SetHalf::All)]
    pub(crate) half: SetHalf,
    /// A line of JSON a set
    #[arg(long)]
    pub(crate) json: bool,
    /// Look at every vector even where the corpus is large enough for an approximate index
    #[arg(long)]
    pub(crate) exact: bool,
    #[command(flatten)]
    pub(crate) refine: RefineChoice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScanChoice {
    /// All of them
    Exact,
    /// Those near to the query: faster in a large corpus, and some are missed
    Near,
}

/// How works are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RankingChoice {
    /// By words and vectors together, where the corpus has vectors
    Hybrid,
    /// By words alone (BM25)
    Words,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SetHalf {
    /// Every query
    All,
    /// The half that parameters are chosen on
    Tuning,
    /// The half that is only reported
    HeldOut,
}

#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,
    #[command(flatten)]
    pub(crate) sources: SourceChoice,
    /// Ask each literature service one small question, to tell which are reached from here and what limits they name. Without it nothing is sent
    #[arg(long)]
    pub(crate) online: bool,
    /// The settings file [default: precedent/settings.toml in your configuration folder, if there]
    #[arg(long, value_name = "FILE", env = "PRECEDENT_SETTINGS")]
    pub(crate) settings: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Every format of the registry.
fn every_format() -> Vec<String> {
    precedent_report::renderers()
        .iter()
        .map(|renderer| renderer.format().to_owned())
        .collect()
}

fn parse_budget(value: &str) -> Result<f64, String> {
    match value.parse::<f64>() {
        Ok(budget) if budget.is_finite() && budget >= 0.0 => Ok(budget),
        _ => Err("a budget is a number of US dollars, 0 or more".to_owned()),
    }
}

/// A number of results: none at all is no question.
fn at_least_one(typed: &str) -> Result<usize, String> {
    match typed.parse::<usize>() {
        Ok(0) => Err("ask for at least one".to_owned()),
        other => other.map_err(|error| error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn dates_and_budgets_are_checked_where_they_are_typed() {
        for bad in [
            ["--as-of", "soon"],
            ["--budget", "-1"],
            ["--budget", "nan"],
            ["--seed", "-1"],
        ] {
            let typed = ["precedent", "assess", "p.pdf"].into_iter().chain(bad);
            assert!(Arguments::try_parse_from(typed).is_err(), "{bad:?}");
        }
    }
}

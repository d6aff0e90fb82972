//! Command-line arguments. Long because all flags are defined and compared in one place.

use std::path::PathBuf;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use precedent_engine::domain::{PartialDate, WorkId};
use precedent_engine::read::Password;

use crate::colour::ColourChoice;
use crate::commands::audit::arguments::{AUDIT_HELP, AuditArguments};
use crate::commands::batches::BatchesArguments;
use crate::commands::config::{ConfigArguments, SettingsChoice};
use crate::commands::corpus_export::{CORPUS_EXPORT_HELP, CorpusExportArguments};
use crate::commands::corpus_get::{GET_HELP, GetArguments};
use crate::commands::corpus_store::{PullArguments, PushArguments};
use crate::commands::doctor_arguments::DoctorArguments;
use crate::commands::estimate::EstimateArguments;
use crate::commands::export::ExportArguments;
use crate::commands::idea::arguments::{BenchIdeaArguments, IDEA_HELP, IdeaArguments};
use crate::commands::match_arguments::MatchArguments;
#[cfg(feature = "mcp")]
use crate::commands::mcp::{MCP_HELP, McpArguments};
use crate::commands::paper_arguments::{AssessArguments, BATCH_HELP, BatchArguments};
use crate::commands::pdf::PdfEngine;
use crate::commands::points::arguments::{POINTS_HELP, PointsArguments};
use crate::commands::rank::arguments::{
    BenchInnoEvalArguments, COMPARE_HELP, CompareArguments, RANK_HELP, RankArguments,
};
use crate::commands::review::arguments::{REVIEW_HELP, ReviewArguments};
use crate::commands::serve::{SERVE_HELP, ServeArguments, WorkArguments};
use crate::commands::site::{SITE_HELP, SiteArguments};
use crate::commands::users::{USERS_HELP, UsersArguments};
use crate::commands::watch::{WATCH_HELP, WatchArguments};
use crate::commands::worker::WorkerArguments;
use crate::help::{AFTER_HELP, MATCH_HELP, OVERLAP_HELP, VERIFY_HELP};
use crate::refining::{ModelsArguments, RefineChoice};

/// Checks the novelty of a research paper against prior work. Every finding links to a verbatim quote.
#[derive(Debug, Parser)]
#[command(name = "precedent", version, propagate_version = true, arg_required_else_help = true, after_help = AFTER_HELP)]
pub struct Arguments {
    /// Hide notes and progress. Warnings and errors are still printed.
    #[arg(long, short, global = true, display_order = 900)]
    pub(crate) quiet: bool,

    /// Print a log of stages, requests and model calls to stderr. -vv adds cache hits and retries
    ///
    /// Without this option, RUST_LOG sets the filter, for example `RUST_LOG=precedent::http=debug`.
    #[arg(long, short, global = true, action = clap::ArgAction::Count, display_order = 901)]
    pub(crate) verbose: u8,

    /// When to use colour. `auto` uses it on a terminal, and not with NO_COLOR or TERM=dumb
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value_t = ColourChoice::Auto, display_order = 902)]
    pub(crate) color: ColourChoice,

    /// PDF text extractor
    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "ENGINE",
        env = "PRECEDENT_PDF_ENGINE",
        default_value_t = PdfEngine::Auto,
        display_order = 903
    )]
    pub(crate) pdf_engine: PdfEngine,

    /// The pdfium library, or its folder [default: next to this program, then the system's library folders]
    #[arg(
        long,
        global = true,
        value_name = "PATH",
        env = "PRECEDENT_PDFIUM",
        display_order = 904
    )]
    pub(crate) pdfium: Option<PathBuf>,

    /// Password of encrypted PDFs. Other users of this machine can see options; the environment variable is safer
    #[arg(
        long,
        global = true,
        value_name = "PASSWORD",
        env = "PRECEDENT_PDF_PASSWORD",
        hide_env_values = true,
        display_order = 905
    )]
    pub(crate) pdf_password: Option<Password>,

    /// Read scanned PDFs with an installed OCR program: ocrmypdf, or tesseract and pdftoppm. Takes some seconds per page
    #[arg(
        long,
        global = true,
        env = "PRECEDENT_OCR",
        value_parser = clap::builder::FalseyValueParser::new(),
        display_order = 906
    )]
    pub(crate) ocr: bool,

    /// Proxy for connections to other machines: `env` for HTTPS_PROXY, HTTP_PROXY and NO_PROXY, `none`, or an address [default: none]
    ///
    /// This machine is always reached directly, and a local-only run uses no proxy.
    #[arg(
        long,
        global = true,
        value_name = "PROXY",
        env = "PRECEDENT_PROXY",
        display_order = 907
    )]
    pub(crate) proxy: Option<String>,

    /// File with certificate authorities (PEM) to trust besides those of the system
    #[arg(
        long,
        global = true,
        value_name = "FILE",
        env = "PRECEDENT_CA_FILE",
        display_order = 908
    )]
    pub(crate) ca_file: Option<PathBuf>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check the novelty of a paper: its claims, similar prior work, and quotes from both
    #[command(after_help = "\
Examples:
  precedent assess paper.pdf --corpus works.jsonl
  precedent assess paper.tex --corpus library --as-of 2024-05-17 --out report
  precedent assess paper.pdf --corpus library --formats json --json    for a program
  precedent assess papers/ --corpus library                            all papers of a folder, with an index of their claims
  precedent assess paper.pdf --sources default                         also search literature services
  precedent assess arXiv:2509.08755 --sources default                  also download the paper
  precedent assess paper.pdf --sources openalex,arxiv --show-egress    show what would be sent to them

Writes report.html, report.md and report.json. Prints each claim with the most similar papers, and what was not searched.
To continue an interrupted run, repeat the command. Exit code 5 means that no source could be searched.")]
    Assess(AssessArguments),
    /// Check the novelty of many papers: a report for each, and one table of all claims
    #[command(after_help = BATCH_HELP)]
    Batch(BatchArguments),
    /// Show, pause, resume and cancel the batches that several machines share
    Batches(BatchesArguments),
    /// Run papers of the batches that several machines share
    Worker(WorkerArguments),
    /// Make a site from the reports of many papers: by level and area, searchable, with a folder for each reviewer
    #[command(after_help = SITE_HELP)]
    Site(SiteArguments),
    /// Serve pages and a REST API on this machine: drop a PDF, follow the run, read the evidence
    #[command(after_help = SERVE_HELP)]
    Serve(ServeArguments),
    /// Manage who may use a server that other machines can reach
    #[command(after_help = USERS_HELP)]
    Users(UsersArguments),
    /// Do the work of a run, for `serve`
    #[command(hide = true)]
    Work(WorkArguments),
    /// Check a research idea against prior work: novel, not novel or undecided, with the deciding passages
    #[command(after_help = IDEA_HELP)]
    Idea(Box<IdeaArguments>),
    /// Compare each contribution of a paper with earlier papers, with the most similar passages
    #[command(after_help = POINTS_HELP)]
    Points(Box<PointsArguments>),
    /// Audit a points report: form, faithfulness, completeness, depth and citations
    #[command(after_help = AUDIT_HELP)]
    Audit(Box<AuditArguments>),
    /// Review an idea or a paper: evidence for each part from papers, web pages and repositories, and scores by a simulated review board
    #[command(after_help = REVIEW_HELP)]
    Review(Box<ReviewArguments>),
    /// Rank research ideas with a model judge that sees them in several orders
    #[command(after_help = RANK_HELP)]
    Rank(Box<RankArguments>),
    /// Compare two research ideas and say which is better; each is shown first equally often
    #[command(after_help = COMPARE_HELP)]
    Compare(Box<CompareArguments>),
    /// Estimate the requests and cost of an assessment without sending anything
    #[command(after_help = "\
Examples:
  precedent estimate paper.pdf --sources default
  precedent estimate paper.pdf --corpus library --model openai:gpt-5-mini
  precedent estimate paper.pdf --corpus library --model ollama:qwen3:8b --depth full --json")]
    Estimate(EstimateArguments),
    /// Print the text that Precedent extracts from a paper
    #[command(after_help = "\
Examples:
  precedent read paper.pdf                  the text that all offsets refer to
  precedent read paper.pdf --json           with sections, references, dates and hidden text")]
    Read(ReadArguments),
    /// Build, search and inspect a corpus of prior work
    Corpus(CorpusArguments),
    /// Search a corpus
    #[command(after_help = "\
Examples:
  precedent search \"ropes that creep\" --corpus library
  precedent search --queries questions.jsonl --corpus library --limit 50 --json")]
    Search(SearchArguments),
    /// Find the papers that state a claim, with a calibrated probability
    #[command(after_long_help = MATCH_HELP, after_help = "\
Examples:
  precedent match \"We compress sentences by deleting words\" --corpus library
  precedent match --claims claims.jsonl --corpus library --limit 5 --json")]
    Match(MatchArguments),
    /// Check whether a source contains a quote, and how exactly
    #[command(after_long_help = VERIFY_HELP, after_help = "\
Examples:
  precedent verify --source paper.pdf --quote \"We treat the rope as a spring whose stiffness drifts\"
  precedent verify --source paper.pdf --quotes quotes.jsonl --json
  precedent verify --source paper.pdf --quotes quotes.jsonl --strict      exit with 7 if a quote is not word for word")]
    Verify(VerifyArguments),
    /// Find all passages that a text shares with other texts
    #[command(after_long_help = OVERLAP_HELP, after_help = "\
Examples:
  precedent overlap paper.pdf earlier.pdf
  precedent overlap paper.pdf others/*.pdf --min-words 12 --json")]
    Overlap(OverlapArguments),
    /// Export the papers of a report for a reference manager
    #[command(after_help = "\
Examples:
  precedent export runs/paper-pdf-1a2b3c4d --as bibtex --out related.bib
  precedent export report.json --as ris --only missing       papers that the paper does not cite, for Zotero")]
    Export(ExportArguments),
    /// List, show and resume runs
    Runs(RunsArguments),
    /// Watch a paper or an idea: search again for what appeared since, and report only what is new
    #[command(after_help = WATCH_HELP)]
    Watch(WatchArguments),
    /// Download and list embedding models for reranking search results
    Models(ModelsArguments),
    /// Run benchmarks on labelled data
    #[command(after_help = "\
Example:
  precedent bench retrieval --set queries --corpus library --against words")]
    Bench(BenchArguments),
    /// Check this installation: what works and what is missing
    #[command(after_help = "\
Examples:
  precedent doctor
  precedent doctor --corpus library
  precedent doctor --online --sources default      send each service one small request to check that it responds")]
    Doctor(DoctorArguments),
    /// Show which settings files are read and which settings are in effect
    Config(ConfigArguments),
    /// Write a settings file with every setting and its default, as comments
    #[command(after_help = "\
Examples:
  precedent init
  precedent init --settings project.toml")]
    Init {
        #[command(flatten)]
        file: SettingsChoice,
        /// Overwrite an existing file
        #[arg(long)]
        force: bool,
    },
    /// Serve agents over the Model Context Protocol (MCP)
    #[cfg(feature = "mcp")]
    #[command(after_help = MCP_HELP)]
    Mcp(McpArguments),
    /// Write the manual pages to a folder
    #[command(after_help = "\
Example:
  precedent manual ~/.local/share/man/man1")]
    Manual {
        /// The folder
        dir: PathBuf,
    },
    /// Generate a shell completion script
    #[command(after_help = "\
Example:
  precedent completions bash > ~/.local/share/bash-completion/completions/precedent")]
    Completions {
        /// Shell
        shell: clap_complete::Shell,
    },
}

/// Which corpora are searched.
#[derive(Debug, Clone, Args)]
pub(crate) struct CorpusChoice {
    /// Corpus to search: made by `corpus add`, or a JSONL, BibTeX, RIS or CSL-JSON file, or a folder of papers. Can be repeated
    #[arg(
        long = "corpus",
        value_name = "PATH",
        env = "PRECEDENT_CORPUS",
        value_delimiter = ','
    )]
    pub(crate) corpora: Vec<PathBuf>,
}

impl CorpusChoice {
    /// Whether the corpora are arguments, and not the default from the environment.
    pub(crate) fn is_explicit(&self) -> bool {
        let default = std::env::var("PRECEDENT_CORPUS").unwrap_or_default();
        let default: Vec<PathBuf> = default.split(',').map(PathBuf::from).collect();
        !self.corpora.is_empty() && self.corpora != default
    }
}

/// Which literature services are searched.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SourceChoice {
    /// Literature services to search: `default`, `all`, or names listed by `precedent doctor`, separated by commas. `acl` and `acl:FOLDER` are
    /// searched locally. Services receive only short queries and the names of cited papers [default: none]
    #[arg(long = "sources", value_name = "LIST", value_delimiter = ',')]
    pub(crate) names: Vec<String>,
}

/// The model, and its limits.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Models")]
pub(crate) struct ModelChoice {
    /// Model: `offline` (no model, no key, no network), or `provider:name` such as `ollama:qwen3:8b`. Prompts are sent to the provider's host
    #[arg(long, value_name = "MODEL", env = "PRECEDENT_MODEL")]
    pub(crate) model: Option<String>,

    /// URL of the model API, if not the provider's default
    #[arg(long, value_name = "URL", env = "PRECEDENT_MODEL_URL")]
    pub(crate) model_url: Option<String>,

    /// Use another model for one stage: `compare=anthropic:claude-sonnet-4-5`. Can be repeated
    #[arg(long = "stage-model", value_name = "STAGE=MODEL")]
    pub(crate) stage_models: Vec<String>,

    /// How much of each paper the model reads. Offline analysis always compares all available text
    #[arg(long, value_enum, default_value_t = DepthChoice::Passages)]
    pub(crate) depth: DepthChoice,

    /// Which model output the report includes
    #[arg(long, value_enum, default_value_t = PolicyChoice::Open)]
    pub(crate) policy: PolicyChoice,

    /// Maximum spend on models, in US dollars, checked before each request
    #[arg(long, value_name = "USD", value_parser = parse_budget)]
    pub(crate) budget: Option<f64>,

    /// Maximum tokens of input and output, for models without a price
    #[arg(long, value_name = "N")]
    pub(crate) budget_tokens: Option<u64>,

    /// Exit with 0 even if fewer than half of the model's items are usable (default exit code: 4)
    #[arg(long)]
    pub(crate) allow_fallback: bool,

    /// Refuse connections to all hosts except this machine and the private hosts
    #[arg(long)]
    pub(crate) local_only: bool,

    /// A host on your network that --local-only allows. Can be repeated
    #[arg(long = "private-host", value_name = "HOST")]
    pub(crate) private_hosts: Vec<String>,

    /// Maximum concurrent model requests [default: 8; in a batch with the service of a provider, 3 for each paper that runs, if that is more]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) at_once: Option<u16>,

    /// Send model requests to the provider's batch endpoint (OpenAI, Anthropic). It charges half the price and may need up to a day for each stage
    #[arg(long)]
    pub(crate) provider_batch: bool,

    /// Settings file [default: precedent/settings.toml in your configuration folder, if it exists]
    #[arg(long, value_name = "FILE", env = "PRECEDENT_SETTINGS")]
    pub(crate) settings: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DepthChoice {
    /// The passages most similar to the claims; the full text only if those do not decide
    Passages,
    /// The full text of both papers
    Full,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PolicyChoice {
    /// All output that passed its checks
    Open,
    /// Statuses and quotes only, without text written by a model
    Reviewer,
}

#[derive(Debug, Args)]
pub(crate) struct ReadArguments {
    /// The paper
    pub(crate) input: PathBuf,
    /// Print the paper as JSON, with sections, paragraphs, references, dates and hidden text
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
    /// Add papers to a corpus, creating it if needed. A record with a known id replaces the earlier record
    Add {
        /// The corpus folder
        dir: PathBuf,
        /// Record files, papers, or folders of them. Record files can be plain, .gz or .zst: JSONL, BibTeX, RIS, CSL-JSON, Zotero's JSON, CSV and
        /// RDF, ACL Anthology XML, or dumps of arXiv, OpenAlex and Semantic Scholar. To continue an interrupted import, repeat the command
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
        /// Records per commit. After a crash, at most this many are imported again
        #[arg(long, value_name = "N", default_value_t = precedent_engine::library::COMMIT_EVERY, value_parser = clap::value_parser!(u64).range(1..))]
        commit_every: u64,
        /// Print `{added, updated, unchanged, bad_count, bad, reject_files, resumed, works}` as JSON on stdout
        #[arg(long)]
        json: bool,
    },
    /// Build a corpus from a service or dump that is open to everybody
    #[command(after_help = GET_HELP)]
    Get(GetArguments),
    /// Remove papers from a corpus
    Remove {
        /// The corpus folder
        dir: PathBuf,
        /// Ids of the papers
        #[arg(required = true)]
        ids: Vec<WorkId>,
        /// Print `{removed, missing, works}` as JSON on stdout
        #[arg(long)]
        json: bool,
    },
    /// Compute vectors for a corpus from an older version. `add` does this automatically
    #[command(after_help = "\
Example:
  precedent corpus vectors library")]
    Vectors {
        /// The corpus folder
        dir: PathBuf,
        /// Whether a search compares all vectors or uses an approximate index [default: depends on the corpus size]
        #[arg(long, value_enum)]
        scan: Option<ScanChoice>,
    },
    /// Show statistics of a corpus
    #[command(after_help = "\
Example:
  precedent corpus stats library")]
    Stats {
        /// The corpus folder
        dir: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// List records that could not be imported, with reasons
    Rejects {
        /// The corpus folder
        dir: PathBuf,
        /// Print JSON Lines: `{source, position, name, reason}`
        #[arg(long)]
        json: bool,
    },
    /// Check a corpus for damage
    Check {
        /// The corpus folder
        dir: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Write all papers of a corpus as files that a search engine loads
    #[command(after_help = CORPUS_EXPORT_HELP)]
    Export(CorpusExportArguments),
    Push(PushArguments),
    Pull(PullArguments),
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
    /// Search text, up to a whole abstract. Operators are not supported
    pub(crate) query: Option<String>,
    /// Run many queries from a file of `{"id": …, "text": …}` lines; `-` reads stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) queries: Option<PathBuf>,
    /// Exclude papers that are certainly later than this date
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<PartialDate>,
    /// Exclude papers with these ids
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub(crate) exclude: Vec<WorkId>,
    /// Only papers whose venue contains these words
    #[arg(long, value_name = "WORDS")]
    pub(crate) venue: Option<String>,
    /// Only papers whose field of study contains these words: `cs.CL`, `linguistics`
    #[arg(long, value_name = "WORDS")]
    pub(crate) field: Option<String>,
    /// Results per query
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = at_least_one)]
    pub(crate) limit: usize,
    /// Ranking method
    #[arg(long, value_enum, default_value_t = RankingChoice::Hybrid)]
    pub(crate) ranking: RankingChoice,
    /// Print JSON: `{results: [{id, score, title, year}]}`, or with --queries one line `{id, results}` per query
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
    /// Source: a paper in any supported format, or a text file
    #[arg(long, value_name = "FILE")]
    pub(crate) source: PathBuf,
    /// Quote of at least 5 words
    #[arg(long, value_name = "TEXT", value_parser = some_words)]
    pub(crate) quote: Option<String>,
    /// Check many quotes from a file of `{"id": …, "quote": …}` lines; `-` reads stdin. Ids are strings or integers. An invalid line is reported with
    /// its number, the other quotes are checked, and the exit code is 3
    #[arg(long, value_name = "FILE")]
    pub(crate) quotes: Option<PathBuf>,
    /// Exit with 7 unless the outcome of every quote is `exact`. Without this flag the exit code is 0 for every outcome
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print one line of JSON per quote; --help lists the fields
    #[arg(long)]
    pub(crate) json: bool,
}

/// Rejects a blank quote.
fn some_words(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("the quote is empty".to_owned());
    }
    Ok(text.to_owned())
}

#[derive(Debug, Args)]
pub(crate) struct OverlapArguments {
    /// Text to check
    pub(crate) target: PathBuf,
    /// Texts to compare it with
    #[arg(required = true)]
    pub(crate) others: Vec<PathBuf>,
    /// Minimum passage length, in words of the shorter side
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(5..))]
    pub(crate) min_words: u16,
    /// Print one JSON document; --help lists the fields
    #[arg(long)]
    pub(crate) json: bool,
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
        /// Folder that contains the runs
        #[arg(default_value = "runs")]
        root: PathBuf,
        /// Print JSON Lines
        #[arg(long)]
        json: bool,
    },
    #[command(after_help = "\
Example:
  precedent runs show paper-pdf-1a2b3c4d")]
    /// Show the request and result of a run
    Show {
        /// Run folder, or its name in runs/
        run: PathBuf,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    #[command(after_help = "\
Example:
  precedent runs resume paper-pdf-1a2b3c4d")]
    /// Resume a run that was interrupted or had failed model requests. Finished stages are reused
    Resume {
        /// Run folder, or its name in runs/
        run: PathBuf,
        /// Exit with 0 even if fewer than half of the model's items are usable
        #[arg(long)]
        allow_fallback: bool,
        /// Print the same JSON as the command that started the run
        #[arg(long)]
        json: bool,
    },
    #[command(after_help = "\
Examples:
  precedent runs gc --dry-run
  precedent runs gc")]
    /// Delete the records of finished runs (responses, stages, indexes). Reports and manifests are kept, but these runs can no longer be replayed
    Gc {
        /// Folder that contains the runs
        #[arg(default_value = "runs")]
        root: PathBuf,
        /// Print what would be deleted, without deleting it
        #[arg(long)]
        dry_run: bool,
        /// Print JSON Lines: `{run, bytes, removed}`
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
    /// Retrieval: recall of a search, with confidence intervals and times
    #[command(after_help = "\
Example:
  precedent bench retrieval --set queries --corpus library --against words")]
    Retrieval(RetrievalArguments),
    /// Ideas: agreement of verdicts with labels, and recall of the labelled papers
    #[command(after_help = "\
Examples:
  precedent bench idea ideas.jsonl --setting retrieval
  precedent bench idea ideas.csv --model openai:gpt-5-mini --out bench")]
    Idea(Box<BenchIdeaArguments>),
    /// Ranking: agreement of a judge's ranking with the decisions of venues
    #[command(
        name = "innoeval",
        after_help = "\
Examples:
  precedent bench innoeval --pairs pairs_easy.json --pairs pairs_diff.json --model openai:gpt-5-mini --out bench
  precedent bench innoeval --groups groups.json --limit 20 --model ollama:qwen3:8b --corpus library --as-of 2025-05"
    )]
    InnoEval(Box<BenchInnoEvalArguments>),
}

#[derive(Debug, Args)]
pub(crate) struct RetrievalArguments {
    /// Folder with `queries.jsonl` (`_id`, `text`, optional `title`) and `qrels.tsv` (query, paper, grade). Can be repeated
    #[arg(long = "set", value_name = "DIR", required = true)]
    pub(crate) sets: Vec<PathBuf>,
    /// Corpus for sets that have no `corpus.jsonl`
    #[arg(long, value_name = "PATH", env = "PRECEDENT_CORPUS")]
    pub(crate) corpus: Option<PathBuf>,
    /// Ranking method
    #[arg(long, value_enum, default_value_t = RankingChoice::Hybrid)]
    pub(crate) ranking: RankingChoice,
    /// Also measure this ranking, and the difference per query
    #[arg(long, value_enum, value_name = "RANKING")]
    pub(crate) against: Option<RankingChoice>,
    /// Which queries to run. Each set is split in half by a hash of the ids: one half for tuning parameters, one for reporting
    #[arg(long, value_enum, default_value_t = SetHalf::All)]
    pub(crate) half: SetHalf,
    /// Print one line of JSON per set
    #[arg(long)]
    pub(crate) json: bool,
    /// Compare all vectors, even if the corpus is large enough for an approximate index
    #[arg(long)]
    pub(crate) exact: bool,
    #[command(flatten)]
    pub(crate) refine: RefineChoice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScanChoice {
    /// All vectors
    Exact,
    /// Approximate: faster in a large corpus, but misses some results
    Near,
}

/// Ranking method of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RankingChoice {
    /// Words and vectors, if the corpus has vectors
    Hybrid,
    /// Words only (BM25)
    Words,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SetHalf {
    /// All queries
    All,
    /// The half for tuning parameters
    Tuning,
    /// The half for reporting
    HeldOut,
}

/// All formats in the registry.
pub(crate) fn default_formats() -> Vec<String> {
    precedent_report::default_formats()
        .into_iter()
        .map(str::to_owned)
        .collect()
}

pub(crate) fn parse_budget(value: &str) -> Result<f64, String> {
    match value.parse::<f64>() {
        Ok(budget) if budget.is_finite() && budget >= 0.0 => Ok(budget),
        _ => Err("the budget must be a number of US dollars, 0 or more".to_owned()),
    }
}

/// Parses a number of results, which must not be 0.
pub(crate) fn at_least_one(typed: &str) -> Result<usize, String> {
    match typed.parse::<usize>() {
        Ok(0) => Err("must be at least 1".to_owned()),
        other => other.map_err(|error| error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn argument_definitions_are_valid() {
        crate::command().debug_assert();
    }

    #[test]
    fn passwords_are_not_printed() {
        let typed = ["precedent", "--pdf-password", "kelp", "read", "p.pdf"];
        let arguments = Arguments::try_parse_from(typed).unwrap();
        assert_eq!(arguments.pdf_password.as_deref(), Some("kelp"));
        assert!(!format!("{arguments:?}").contains("kelp"));
    }

    #[test]
    fn dates_budgets_and_seeds_are_validated_while_parsing() {
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

//! Arguments of `precedent assess` and `precedent batch`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use precedent_app::{FleetChoice, Input, Job, Request};
use precedent_engine::domain::PartialDate;

use crate::args::{CorpusChoice, ModelChoice, SourceChoice, default_formats, parse_budget};

/// `precedent batch --help`.
pub(crate) const BATCH_HELP: &str = "\
Examples:
  precedent batch papers/ --corpus library --out batch
  precedent batch list.txt --corpus library --jobs 4       one path, identifier or URL per line
  precedent batch papers/ --corpus library --json          print the table as JSON

Writes index.html, summary.csv and summary.json, and a folder with the report of each paper. A paper that fails does not stop the others; the exit code
is then that of its error. Repeat the command to continue an interrupted batch. With a model, --budget is the limit for each paper.";

#[derive(Debug, Args)]
pub(crate) struct AssessArguments {
    /// The paper: PDF, Word (.docx), ODT, EPUB, LaTeX (file, folder, .zip or .tar.gz), HTML, JATS, TEI, Markdown or plain text. To download it, give an arXiv, ACL Anthology, PubMed
    /// Central, Semantic Scholar or OpenReview id, a DOI or a URL, or the title with --title. With several papers, or a folder of papers, an index
    /// lists the claims of all
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) jobs: JobsChoice,

    #[command(flatten)]
    pub(crate) run: RunOptions,
}

#[derive(Debug, Args)]
pub(crate) struct BatchArguments {
    /// A folder of papers, or a text file that lists one paper per line: path, identifier or URL
    pub(crate) papers: PathBuf,

    #[command(flatten)]
    pub(crate) jobs: JobsChoice,

    #[command(flatten)]
    pub(crate) database: DatabaseChoice,

    #[command(flatten)]
    pub(crate) store: StoreChoice,

    /// Maximum cost of all papers together, in US dollars, also on other machines and in earlier starts of the batch. When it is used up, the papers that
    /// wait fail; repeat the command with more to continue. Needs --store
    #[arg(long, value_name = "USD", value_parser = parse_budget)]
    pub(crate) batch_budget: Option<f64>,

    /// User whose budget the batch counts towards, as set by `precedent batches budget NAME USD`. Needs --store
    #[arg(long, value_name = "NAME")]
    pub(crate) user: Option<String>,

    #[command(flatten)]
    pub(crate) run: RunOptions,
}

#[derive(Debug, Args)]
pub(crate) struct DatabaseChoice {
    /// PostgreSQL database that several machines share, so that no model request is sent twice: postgres://USER@HOST/DATABASE. Set the variable
    /// instead of this option if the URL contains a password [default: the setting `database`]
    #[arg(
        id = "database",
        long = "database",
        value_name = "URL",
        env = "PRECEDENT_DATABASE",
        hide_env_values = true,
        global = true
    )]
    pub(crate) url: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct StoreChoice {
    /// Object store through which `precedent worker` on other machines runs papers of the batch: a folder that all see, or s3://BUCKET/PREFIX with the
    /// usual AWS_* variables. Needs --database
    #[arg(id = "store", long = "store", value_name = "DIR|URL")]
    pub(crate) place: Option<String>,

    /// Seconds without a sign of life after which a worker loses its papers to another one. The same on all machines
    #[arg(long, value_name = "SECONDS", default_value_t = precedent_app::DEFAULT_LEASE, value_parser = clap::value_parser!(u16).range(2..=3600))]
    pub(crate) lease: u16,
}

impl StoreChoice {
    /// The store and the lease, if a store is named.
    pub(crate) fn fleet(&self) -> Option<FleetChoice> {
        let place = self.place.as_ref().filter(|place| !place.is_empty())?;
        Some(FleetChoice {
            store: place.clone(),
            lease: Duration::from_secs(u64::from(self.lease)),
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct JobsChoice {
    /// Papers to assess at the same time, if there are several. With --store, 0 leaves all papers to other machines [default: the number of
    /// processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=256))]
    pub(crate) jobs: Option<u16>,
}

/// Options of a run about a paper.
#[derive(Debug, Args)]
pub(crate) struct RunOptions {
    /// The paper is given by its title: search for it online and download it. Without this option a title is never sent
    #[arg(long)]
    pub(crate) title: bool,

    /// Output folder [default: a folder in runs/]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Cutoff date: later papers are not counted as prior work [default: the date found in the paper]
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<PartialDate>,

    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,

    #[command(flatten)]
    pub(crate) sources: SourceChoice,
    /// Ignore answers of services that other runs recorded on this machine
    #[arg(long)]
    pub(crate) refresh: bool,

    /// Maximum number of full texts to download from open archives, for the papers from services that are most similar to the claims. 0 downloads
    /// none [default: 30]
    #[arg(long = "full-texts", value_name = "N", requires = "names", value_parser = clap::value_parser!(u16).range(0..=200))]
    pub(crate) full_texts: Option<u16>,

    /// Print what would be sent to each source, without sending it
    #[arg(long)]
    pub(crate) show_egress: bool,

    /// Report formats, separated by commas: json, md, html, and pdf, which needs Chromium or Chrome
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = default_formats())]
    pub(crate) formats: Vec<String>,

    /// Open the HTML report in the browser
    #[arg(long)]
    pub(crate) open: bool,

    /// Use only the responses recorded in the run's folder; make no new requests
    #[arg(long)]
    pub(crate) replay: bool,

    /// Random seed, stated in the report. Without a model nothing is random
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Print the result as JSON on stdout: for `assess` and `batch` the claims with level and closest papers
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) model: ModelChoice,
}

impl RunOptions {
    /// The request for a job about a paper.
    pub(crate) fn request(&self, paper: &Path, job: Job) -> Request {
        let input = match self.title {
            true => Input::Title(paper.to_string_lossy().into_owned()),
            false => Input::Paper(paper.to_owned()),
        };
        Request {
            corpora: self.corpus.corpora.clone(),
            sources: self.sources.names.clone(),
            refresh: self.refresh,
            full_texts: self.full_texts,
            as_of: self.as_of,
            formats: self.formats.clone(),
            seed: self.seed,
            model: (&self.model).into(),
            send_nothing: self.show_egress || self.replay,
            ..Request::new(job, input)
        }
    }
}

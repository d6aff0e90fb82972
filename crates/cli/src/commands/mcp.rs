//! `precedent mcp`: serves agents.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use precedent_app::AppError;
use precedent_app::runtime::runtime;
use precedent_mcp::{Server, ServerOptions, serve_http, serve_stdio};

use crate::ExitCode;
use crate::args::{CorpusChoice, SourceChoice, parse_budget};
use crate::printer::Printer;

/// `precedent mcp --help`.
pub(crate) const MCP_HELP: &str = "\
Examples:
  precedent mcp --corpus library                                    for an agent that starts this command
  precedent mcp --corpus library --http 127.0.0.1:8788              for agents on this machine that connect to http://127.0.0.1:8788/mcp
  precedent mcp --corpus library --sources default                  also search literature services
  precedent mcp --corpus library --model ollama:qwen3:8b --budget-tokens 2000000

An agent can read files below --root, search the corpora, and write runs to the folder of --runs. Nothing is sent over the network without --sources or --model.
docs/mcp.md describes the tools and how to set up Claude Code, Cursor and VS Code.";

/// Seconds after which a call returns the id of its run. Clients give up after 60, and progress does not change that.
const WAIT: u64 = 45;

#[derive(Debug, Args)]
pub(crate) struct McpArguments {
    /// Folder that agents may read. Files elsewhere, and links that lead out of it, are refused
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) root: PathBuf,

    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,

    #[command(flatten)]
    pub(crate) sources: SourceChoice,

    /// Folder for runs [default: runs in the root]
    #[arg(long, value_name = "DIR")]
    pub(crate) runs: Option<PathBuf>,

    /// Serve over HTTP at this address of this machine, instead of stdin and stdout
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) http: Option<SocketAddr>,

    /// Model that agents may use: `provider:name`. It needs a budget. PRECEDENT_MODEL and the settings file are not read for this
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,

    /// URL of the model API, if not the provider's default
    #[arg(long, value_name = "URL", requires = "model")]
    pub(crate) model_url: Option<String>,

    /// Maximum spend on the model, in US dollars, of all runs of this server together
    #[arg(long, value_name = "USD", value_parser = parse_budget, requires = "model")]
    pub(crate) budget: Option<f64>,

    /// Maximum tokens of input and output, of all runs of this server together, for models without a price
    #[arg(long, value_name = "N", requires = "model")]
    pub(crate) budget_tokens: Option<u64>,

    /// Refuse connections to all hosts except this machine
    #[arg(long)]
    pub(crate) local_only: bool,

    /// Seconds that a call waits for a run before it returns the run's id
    #[arg(long, value_name = "SECONDS", default_value_t = WAIT, value_parser = clap::value_parser!(u64).range(0..=3600))]
    pub(crate) wait: u64,

    /// Settings file
    #[arg(long, value_name = "FILE", env = "PRECEDENT_SETTINGS")]
    pub(crate) settings: Option<PathBuf>,
}

/// `precedent mcp`.
pub(super) fn run(typed: McpArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let offline = precedent_app::ModelChoice::offline();
    let model = precedent_app::ModelChoice {
        model: typed.model.or(offline.model.clone()),
        url: typed.model_url,
        budget: typed.budget,
        budget_tokens: typed.budget_tokens,
        local_only: typed.local_only,
        settings: typed.settings,
        ..offline
    };
    let server = Server::new(ServerOptions {
        root: typed.root,
        runs: typed.runs,
        corpora: typed.corpus.corpora,
        sources: typed.sources.names,
        model,
        wait: Duration::from_secs(typed.wait),
    })?;
    let server = Arc::new(server);
    let runtime = runtime()?;
    let served = runtime.block_on(async {
        match typed.http {
            None => serve_stdio(Arc::clone(&server)).await,
            Some(address) => {
                let ready = |address| printer.note(&format!("serving MCP at http://{address}/mcp; stop with Ctrl-C"));
                let stop = async {
                    // An error means that no signal can come, so the server runs until it is killed.
                    if tokio::signal::ctrl_c().await.is_err() {
                        std::future::pending::<()>().await;
                    }
                };
                serve_http(Arc::clone(&server), address, ready, stop).await
            }
        }
    });
    // A job ends at its next step, which may take seconds. That it was cancelled is recorded, so nothing is lost by not waiting for it.
    runtime.shutdown_background();
    served.map(|()| ExitCode::Done)
}

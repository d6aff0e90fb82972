use std::path::PathBuf;

use clap::Args;

use crate::args::{CorpusChoice, SourceChoice};

#[derive(Debug, Args)]
pub(crate) struct DoctorArguments {
    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,
    #[command(flatten)]
    pub(crate) sources: SourceChoice,
    /// Send each literature service one small request to check that it responds and read its rate limits. Without this flag nothing is sent
    #[arg(long)]
    pub(crate) online: bool,
    /// Send the model one short question to check its URL, key and name. Without a value: the model in
    /// PRECEDENT_MODEL, or else all models in the settings
    #[arg(long, value_name = "MODEL", num_args = 0..=1)]
    pub(crate) model: Option<Option<String>>,
    /// URL of the model API, if not the provider's default
    #[arg(long, value_name = "URL", env = "PRECEDENT_MODEL_URL")]
    pub(crate) model_url: Option<String>,
    /// Settings file [default: precedent/settings.toml in your configuration folder, if it exists]
    #[arg(long, value_name = "FILE", env = "PRECEDENT_SETTINGS")]
    pub(crate) settings: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

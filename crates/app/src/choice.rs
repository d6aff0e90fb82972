use std::path::PathBuf;

use precedent_engine::model::{Depth, Policy};

/// The model of a job, and its limits.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelChoice {
    /// `offline`, or `provider:name`. `None` uses the settings file.
    pub model: Option<String>,
    /// URL of the model API, if not the provider's default.
    pub url: Option<String>,
    /// Models for single stages, as `stage=provider:name`.
    pub stages: Vec<String>,
    /// How much of each paper the model reads.
    pub depth: Depth,
    /// Which model output the report includes.
    pub policy: Policy,
    /// Maximum spend, in US dollars.
    pub budget: Option<f64>,
    /// Maximum tokens of input and output.
    pub budget_tokens: Option<u64>,
    /// Refuse connections to all hosts except this machine and the private hosts.
    pub local_only: bool,
    /// Hosts on the user's network that `local_only` allows.
    pub private_hosts: Vec<String>,
    /// Maximum concurrent requests.
    pub at_once: Option<u16>,
    /// Send requests in batches to the provider's batch endpoint.
    pub provider_batch: bool,
    /// Settings file, if not the default one.
    pub settings: Option<PathBuf>,
}

impl ModelChoice {
    /// Offline analysis: no model, and no connection to other hosts.
    #[must_use]
    pub fn offline() -> Self {
        Self {
            model: Some(crate::models::OFFLINE.to_owned()),
            url: None,
            stages: Vec::new(),
            depth: Depth::default(),
            policy: Policy::default(),
            budget: None,
            budget_tokens: None,
            local_only: true,
            private_hosts: Vec::new(),
            at_once: None,
            provider_batch: false,
            settings: None,
        }
    }
}

/// Embedder and reranker, and the URLs of their servers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EncoderChoice {
    /// A known embedder, the folder of one, or the name of a model on its server.
    pub embedder: Option<String>,
    /// URL of the embedder's server.
    pub embedder_url: Option<String>,
    /// The folder of a reranker, or the name of a model on its server.
    pub reranker: Option<String>,
    /// URL of the reranker's server.
    pub reranker_url: Option<String>,
}

/// Models that rerank the candidates of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefineChoice {
    /// The models. Those that are not set come from the settings file.
    pub encoders: EncoderChoice,
    /// Candidates for the embedder. The reranker gets the best quarter of them.
    pub candidates: usize,
    /// Refuse connections to all hosts except this machine and the private hosts of the settings file.
    pub local_only: bool,
    /// Settings file, if not the default one.
    pub settings: Option<PathBuf>,
}

impl Default for RefineChoice {
    /// The models of the default settings file, if it names any.
    fn default() -> Self {
        Self {
            encoders: EncoderChoice::default(),
            candidates: 200,
            local_only: false,
            settings: None,
        }
    }
}

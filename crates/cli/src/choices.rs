//! Arguments as the service layer wants them.

use crate::args::ModelChoice;
use crate::refining::EncoderChoice;

impl From<&ModelChoice> for precedent_app::ModelChoice {
    fn from(typed: &ModelChoice) -> Self {
        Self {
            model: typed.model.clone(),
            url: typed.model_url.clone(),
            stages: typed.stage_models.clone(),
            depth: typed.depth.into(),
            policy: typed.policy.into(),
            budget: typed.budget,
            local_only: typed.local_only,
            private_hosts: typed.private_hosts.clone(),
            at_once: typed.at_once,
            settings: typed.settings.clone(),
        }
    }
}

impl From<&EncoderChoice> for precedent_app::EncoderChoice {
    fn from(typed: &EncoderChoice) -> Self {
        Self {
            embedder: typed.embedder.clone(),
            embedder_url: typed.embedder_url.clone(),
            reranker: typed.reranker.clone(),
            reranker_url: typed.reranker_url.clone(),
        }
    }
}

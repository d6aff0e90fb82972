//! Arguments as the service layer wants them.

use std::path::PathBuf;

use precedent_engine::model::{Depth, Policy};

use crate::args::{DepthChoice, ModelChoice, PolicyChoice};
use crate::refining::{EncoderChoice, RefineChoice};

impl From<&ModelChoice> for precedent_app::ModelChoice {
    fn from(typed: &ModelChoice) -> Self {
        Self {
            model: typed.model.clone(),
            url: typed.model_url.clone(),
            stages: typed.stage_models.clone(),
            depth: typed.depth.into(),
            policy: typed.policy.into(),
            budget: typed.budget,
            budget_tokens: typed.budget_tokens,
            local_only: typed.local_only,
            private_hosts: typed.private_hosts.clone(),
            at_once: typed.at_once,
            provider_batch: typed.provider_batch,
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

impl From<&RefineChoice> for precedent_app::RefineChoice {
    fn from(typed: &RefineChoice) -> Self {
        Self {
            encoders: (&typed.encoders).into(),
            candidates: usize::from(typed.candidates),
            local_only: typed.local_only,
            // These commands have no --settings.
            settings: std::env::var_os("PRECEDENT_SETTINGS").map(PathBuf::from),
        }
    }
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

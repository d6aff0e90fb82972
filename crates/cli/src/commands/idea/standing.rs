//! Everything that ideas of one run share.

use std::sync::Arc;

use precedent_engine::domain::IdeaAssessment;
use precedent_engine::ledger::Ledger;
use precedent_engine::pipelines::{Idea, IdeaOptions, idea};
use precedent_engine::sources::Source;
use precedent_engine::{Analyst, Budget, EngineError, OfflineAnalyst, Progress, SystemClock, World};

use crate::commands::models::Opened;

/// Holds ideas against works, each with an analyst of its own, so that no two mix what they asked.
pub(in crate::commands) struct Desk {
    pub(in crate::commands) ledger: Ledger,
    pub(in crate::commands) sources: Vec<Arc<dyn Source>>,
    pub(in crate::commands) models: Option<Opened>,
    pub(in crate::commands) progress: Arc<dyn Progress>,
    pub(in crate::commands) dollars: Option<f64>,
    pub(in crate::commands) seed: u64,
}

impl Desk {
    /// One idea.
    pub(in crate::commands) async fn hold(
        &self,
        one: &Idea,
        options: &IdeaOptions,
    ) -> Result<IdeaAssessment, EngineError> {
        let analyst: Arc<dyn Analyst> = match &self.models {
            Some(models) => Arc::new(models.analyst()),
            None => Arc::new(OfflineAnalyst),
        };
        let world = World {
            clock: Arc::new(SystemClock),
            ledger: self.ledger.clone(),
            sources: self.sources.clone(),
            // Works are read by what their sources have of them.
            texts: None,
            analyst,
            progress: Arc::clone(&self.progress),
            budget: Budget { dollars: self.dollars },
            seed: self.seed,
        };
        idea(one, options, &world).await
    }
}

//! Resources that the ideas of one run share.

use std::sync::Arc;

use precedent_engine::domain::IdeaAssessment;
use precedent_engine::ledger::Ledger;
use precedent_engine::pipelines::{Idea, IdeaOptions, idea};
use precedent_engine::sources::Source;
use precedent_engine::{Analyst, Budget, EngineError, OfflineAnalyst, Progress, SystemClock, World};

use crate::commands::models::Opened;

/// Checks ideas, each with its own analyst, so that their request logs stay separate.
pub(in crate::commands) struct IdeaSession {
    pub(in crate::commands) ledger: Ledger,
    pub(in crate::commands) sources: Vec<Arc<dyn Source>>,
    pub(in crate::commands) models: Option<Opened>,
    pub(in crate::commands) progress: Arc<dyn Progress>,
    pub(in crate::commands) dollars: Option<f64>,
    pub(in crate::commands) seed: u64,
}

impl IdeaSession {
    /// Checks one idea.
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
            // No full texts are downloaded; papers are compared by the text from their sources.
            texts: None,
            analyst,
            progress: Arc::clone(&self.progress),
            budget: Budget { dollars: self.dollars },
            seed: self.seed,
        };
        idea(one, options, &world).await
    }
}

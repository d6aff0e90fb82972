use std::sync::Arc;

use precedent_engine::domain::IdeaAssessment;
use precedent_engine::idea::{Idea, IdeaOptions, idea};
use precedent_engine::ledger::Ledger;
use precedent_engine::sources::Source;
use precedent_engine::{Budget, EngineError, Progress, SystemClock, World};
use precedent_report::InWords;

use crate::corpora::open_sources;
use crate::models::{self, OpenModels};
use crate::run::Run;
use crate::{AppError, services};

/// What the ideas of one run share. Each idea has its own analyst, so that their request logs stay separate.
pub struct IdeaSession {
    /// Where answers are recorded.
    pub ledger: Ledger,
    /// Sources of prior work.
    pub sources: Vec<Arc<dyn Source>>,
    /// The models, if any.
    pub models: Option<OpenModels>,
    /// Receives progress events.
    pub progress: Arc<dyn Progress>,
    /// Maximum spend, in US dollars.
    pub dollars: Option<f64>,
    /// Seed of all random sampling.
    pub seed: u64,
}

impl IdeaSession {
    /// Opens the sources and the model of a run.
    pub(crate) fn open(run: &Run, progress: Arc<dyn Progress>, ledger: &Ledger) -> Result<Self, AppError> {
        let request = &run.manifest.request;
        let mut sources = open_sources(&run.shared.index(&run.folder), &run.manifest, &*run.events)?;
        sources.extend(services::open(request, ledger, run.replay)?);
        let access = run.model_access(&progress);
        let models = access.map(|access| models::open(&access, ledger)).transpose()?;
        Ok(Self {
            ledger: ledger.clone(),
            sources,
            models,
            progress,
            dollars: request.model.as_ref().and_then(|model| model.budget),
            seed: request.seed,
        })
    }

    /// Checks one idea.
    ///
    /// # Errors
    /// If the idea is empty, or nothing could be searched.
    pub async fn check(&self, one: &Idea, options: &IdeaOptions) -> Result<IdeaAssessment, EngineError> {
        let world = World {
            clock: Arc::new(SystemClock),
            ledger: self.ledger.clone(),
            sources: self.sources.clone(),
            // No full texts are downloaded; papers are compared by the text from their sources.
            texts: None,
            model: self.models.as_ref().map(|models| Arc::new(models.analyst())),
            progress: Arc::clone(&self.progress),
            budget: Budget { dollars: self.dollars },
            seed: self.seed,
        };
        let mut found = idea(one, options, &world).await?;
        found.put_in_words();
        Ok(found)
    }
}

use std::path::Path;
#[cfg(feature = "postgres")]
use std::sync::Arc;

use precedent_report::BatchPaper;

use crate::{AppError, BatchControl, BatchState, Database};

/// The shared batches of a database, with the reports in their store, for a server that shows them. Its methods need the same asynchronous runtime each
/// time.
#[derive(Debug, Clone)]
pub struct SharedBatches {
    #[cfg(feature = "postgres")]
    overview: Arc<crate::fleet::Overview>,
    /// Without the drivers there are none.
    #[cfg(not(feature = "postgres"))]
    none: std::convert::Infallible,
}

/// A paper of a shared batch.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct SharedPaperState {
    /// Its name: that of its file.
    pub name: String,
    /// The folder of its run, which names it in the batch.
    pub folder: String,
    /// `waiting`, `running`, `done`, `incomplete`, `failed`, `parked` or `cancelled`.
    pub state: String,
    /// The worker that runs it.
    pub worker: Option<String>,
    /// Why it failed, is not complete or waits for another attempt, or why its result cannot be read.
    pub error: Option<String>,
    /// What its run found, if it has ended and its store is known.
    pub result: Option<BatchPaper>,
}

/// Which papers of a shared batch are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SharedPapersQuery {
    /// Only those in this state.
    pub state: Option<String>,
    /// How many to leave out at the beginning.
    pub skip: u32,
    /// How many at most.
    pub most: Option<u32>,
}

impl SharedBatches {
    /// Those in `database`. Reports are read from `store`: a folder, or `s3://BUCKET/PREFIX`. The settings file may allow fewer or more hosts. Blocks the calling thread.
    ///
    /// # Errors
    /// If the database or the store cannot be used, or is on a host that `local_only` does not allow.
    pub fn open(
        database: &Database,
        store: Option<&str>,
        local_only: bool,
        settings: Option<&Path>,
    ) -> Result<Self, AppError> {
        #[cfg(feature = "postgres")]
        {
            let overview = crate::fleet::Overview::new(database, store, local_only, settings)?;
            Ok(Self {
                overview: Arc::new(overview),
            })
        }
        #[cfg(not(feature = "postgres"))]
        {
            let _ = (database, store, local_only, settings);
            Err(crate::fleet_choice::no_fleet())
        }
    }

    /// Whether it has a store with reports.
    #[must_use]
    pub fn has_store(&self) -> bool {
        #[cfg(feature = "postgres")]
        return self.overview.has_store();
        #[cfg(not(feature = "postgres"))]
        match self.none {}
    }

    /// The batches in numbers, newest first, or only one, after `control` was done to it.
    ///
    /// # Errors
    /// If the database cannot be used, or has no such batch.
    pub async fn list(&self, batch: Option<&str>, control: Option<BatchControl>) -> Result<Vec<BatchState>, AppError> {
        #[cfg(feature = "postgres")]
        return self.overview.batches(batch, control).await;
        #[cfg(not(feature = "postgres"))]
        {
            let _ = (batch, control);
            match self.none {}
        }
    }

    /// Papers of a batch, in order.
    ///
    /// # Errors
    /// If the database or the store cannot be used. A batch that does not exist has no papers.
    pub async fn papers(&self, batch: &str, query: &SharedPapersQuery) -> Result<Vec<SharedPaperState>, AppError> {
        #[cfg(feature = "postgres")]
        {
            let state = query.state.as_deref().map(|state| match state {
                "incomplete" => "partial",
                state => state,
            });
            let filter = precedent_engine::ledger::PaperFilter {
                folder: None,
                state,
                skip: query.skip,
                most: query.most,
            };
            self.overview.papers(batch, filter).await
        }
        #[cfg(not(feature = "postgres"))]
        {
            let _ = (batch, query);
            match self.none {}
        }
    }

    /// The file `name` of the run of a paper, if it has ended and has one.
    ///
    /// # Errors
    /// If the database or the store cannot be used.
    pub async fn file(&self, batch: &str, folder: &str, name: &str) -> Result<Option<Vec<u8>>, AppError> {
        #[cfg(feature = "postgres")]
        return self.overview.file(batch, folder, name).await;
        #[cfg(not(feature = "postgres"))]
        {
            let _ = (batch, folder, name);
            match self.none {}
        }
    }
}

//! Reads the folders of runs and the corpora that exist.

use std::path::{Path, PathBuf};

use precedent_engine::corpus::CorpusStats;
use precedent_engine::domain::{Document, EvidenceKind, WorkId};
use precedent_engine::ledger::Ledger;
use precedent_engine::runs::{Manifest, RunFolder};
use precedent_engine::sources::services;
use serde::{Deserialize, Serialize};

use crate::runtime::{outside_runtime, runtime_here};
use crate::services::lacks;
use crate::{App, AppError, ErrorKind, Observer, Settings, corpora, estimate};

/// A request that a run sent to another machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentRequest {
    /// The part of the program that sent it.
    pub who: String,
    /// The host that received it.
    pub host: String,
    /// The request for people, without keys.
    pub request: String,
    /// Bytes of the address and body sent.
    pub bytes_out: u64,
    /// Bytes of the body received.
    pub bytes_in: u64,
    /// The status, or a short description of the failure.
    pub outcome: String,
}

/// A literature service that a run can search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ServiceInfo {
    /// Its name in requests.
    pub name: String,
    /// What it is.
    pub about: String,
    /// What it needs before it can be searched, such as a key; `None` if it is ready.
    pub needs: Option<String>,
}

impl App {
    /// The manifest of the run in `dir`. If its process is gone, the status is `interrupted`.
    ///
    /// # Errors
    /// If there is no run, or its manifest cannot be read.
    pub fn manifest(&self, dir: &Path) -> Result<Manifest, AppError> {
        let folder = RunFolder::open(dir).map_err(|error| AppError::new(ErrorKind::Input, error))?;
        folder
            .standing()
            .map_err(|error| AppError::new(ErrorKind::Input, error))
    }

    /// Every request that the run in `dir` sent, in order. Blocks the calling thread.
    ///
    /// # Errors
    /// If the record of the run cannot be read.
    pub fn sent(&self, dir: &Path) -> Result<Vec<SentRequest>, AppError> {
        let path = RunFolder::open(dir).map(|folder| folder.ledger_path());
        let path = path.map_err(|error| AppError::new(ErrorKind::Input, error))?;
        if !path.is_file() {
            return Ok(Vec::new());
        }
        let unreadable = |error| AppError::new(ErrorKind::Input, error);
        let sent = outside_runtime(|| {
            runtime_here()?.block_on(async {
                let ledger = Ledger::open(&path).await.map_err(unreadable)?;
                let sent = ledger.everything_sent().await.map_err(unreadable);
                ledger.close().await;
                sent
            })
        })?;
        let readable = sent.into_iter().map(|one| SentRequest {
            who: one.who,
            host: one.host,
            request: one.asked,
            bytes_out: one.bytes_out,
            bytes_in: one.bytes_in,
            outcome: one.outcome,
        });
        Ok(readable.collect())
    }

    /// Statistics of a corpus, a file of records or a folder of papers. Blocks the calling thread.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn corpus_statistics(&self, corpus: &Path, observer: &dyn Observer) -> Result<CorpusStats, AppError> {
        let scratch = estimate::scratch()?;
        let corpus = corpora::open(corpus, scratch.path(), observer)?;
        corpus
            .stats()
            .map_err(|error| AppError::new(ErrorKind::NothingSearched, error))
    }

    /// The text of a paper in corpora: its full text if they have it, otherwise title and abstract. `None` if no corpus has it. Blocks the calling
    /// thread.
    ///
    /// # Errors
    /// If a corpus cannot be read.
    pub fn corpus_text(
        &self,
        paths: &[PathBuf],
        id: &WorkId,
        observer: &dyn Observer,
    ) -> Result<Option<Document>, AppError> {
        let unreadable = |error| AppError::new(ErrorKind::NothingSearched, error);
        for path in paths {
            let scratch = estimate::scratch()?;
            let corpus = corpora::open(path, scratch.path(), observer)?;
            if let Some(document) = corpus.document(id).map_err(unreadable)? {
                return Ok(Some(document));
            }
        }
        Ok(None)
    }

    /// The literature services, with what each still needs.
    ///
    /// # Errors
    /// If the settings cannot be read.
    pub fn literature_services(&self, settings: Option<&Path>) -> Result<Vec<ServiceInfo>, AppError> {
        let settings = Settings::load(settings)?;
        let literature = services()
            .into_iter()
            .filter(|service| service.kind() == EvidenceKind::Literature);
        let info = literature.map(|service| ServiceInfo {
            name: service.id().to_owned(),
            about: service.about().to_owned(),
            needs: lacks(service, &settings),
        });
        Ok(info.collect())
    }
}

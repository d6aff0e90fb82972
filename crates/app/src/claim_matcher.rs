use std::path::{Path, PathBuf};
use std::sync::Arc;

use precedent_engine::compare::one_claim::{ClaimMatch, ClaimQuery, ClaimSearch, search_services};
use precedent_engine::corpus::Corpus;
use precedent_engine::domain::{EvidenceKind, SentRecord, WorkId};
use precedent_engine::ledger::Ledger;
use precedent_engine::sources::Source;
use precedent_report::{RunSubject, put_sent_in_words, thousands};
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::runtime::runtime;
use crate::text::plain;
use crate::{AppError, ErrorKind, Observer, Settings, corpora, estimate, local_sources, services};

/// Finds the papers of local corpora, and of literature services if any are named, that state a claim.
pub struct ClaimMatcher {
    search: ClaimSearch,
    services: Option<OpenedServices>,
    limits: Vec<String>,
    /// The indexes of corpora that are files or folders of papers.
    _scratch: TempDir,
}

/// Services, and the record of what they answered to this matcher.
struct OpenedServices {
    sources: Vec<Arc<dyn Source>>,
    runtime: Runtime,
}

/// Which literature services to search for claims.
#[derive(Debug, Clone, Copy, Default)]
pub struct ServiceChoice<'c> {
    /// Their names, as in `--sources`.
    pub names: &'c [String],
    /// The settings file, if not the usual one.
    pub settings: Option<&'c Path>,
    /// Refuse services.
    pub local_only: bool,
    /// Ignore answers that other runs recorded on this machine.
    pub refresh: bool,
}

/// The papers for a claim.
#[derive(Debug)]
pub struct ClaimAnswer {
    /// Papers that most probably state the claim, best first.
    pub results: Vec<ClaimMatch>,
    /// The words that the services received; `None` without services, or if the claim has too few words that may be sent.
    pub sent: Option<String>,
    /// Why services failed.
    pub failures: Vec<String>,
}

impl ClaimMatcher {
    /// Opens corpora and services. Files of records and folders of papers are indexed first, in a temporary folder.
    ///
    /// # Errors
    /// If there is neither a corpus nor a service, or one cannot be opened.
    pub(crate) fn open(
        paths: &[PathBuf],
        choice: ServiceChoice<'_>,
        observer: &dyn Observer,
    ) -> Result<Self, AppError> {
        let kinds = [EvidenceKind::Literature];
        let names = services::selected(&kinds, choice.names, choice.settings, choice.local_only)?;
        if names.is_empty() {
            corpora::not_empty(paths)?;
        }
        let scratch = estimate::scratch()?;
        let mut opened = Vec::new();
        for (number, path) in paths.iter().enumerate() {
            let index = &scratch.path().join(number.to_string());
            opened.push(corpora::open(path, index, observer)?);
        }
        let limits = limits(paths, &opened, &names);
        let services = match names.is_empty() {
            true => None,
            false => Some(OpenedServices::open(&names, choice)?),
        };
        Ok(Self {
            search: ClaimSearch::new(opened),
            services,
            limits,
            _scratch: scratch,
        })
    }

    /// What is searched and what is not, in sentences.
    #[must_use]
    pub fn limits(&self) -> &[String] {
        &self.limits
    }

    /// Those of `ids` that no corpus has. Empty with services, because they may have them.
    ///
    /// # Errors
    /// If a corpus cannot be read.
    pub fn unknown<'i>(&self, ids: &'i [WorkId]) -> Result<Vec<&'i WorkId>, AppError> {
        let mut unknown = Vec::new();
        for id in ids.iter().filter(|_| self.services.is_none()) {
            let is_there = self.search.contains(id);
            if !is_there.map_err(|error| AppError::new(ErrorKind::NothingSearched, error))? {
                unknown.push(id);
            }
        }
        Ok(unknown)
    }

    /// Whether claims are sent to services, one after the other.
    #[must_use]
    pub fn is_online(&self) -> bool {
        self.services.is_some()
    }

    /// The papers that most probably state the claim, best first. Blocks the calling thread.
    ///
    /// # Errors
    /// If the claim is blank, a corpus cannot be read, or there is no corpus and no service answered.
    pub fn matches(&self, query: &ClaimQuery) -> Result<ClaimAnswer, AppError> {
        if query.text.trim().is_empty() {
            return Err(AppError::with_message(ErrorKind::Usage, "the claim is empty"));
        }
        let found = match &self.services {
            None => None,
            Some(services) => {
                let searching = search_services(&query.text, &services.sources, query.as_of);
                let found = services.runtime.block_on(searching);
                if self.search.is_empty() && found.failures.len() >= services.sources.len() && found.works.is_empty() {
                    let message = format!("no service responded: {}", found.failures.join("; "));
                    return Err(AppError::with_message(ErrorKind::NothingSearched, message).hint(services::ALL_DOWN));
                }
                Some(found)
            }
        };
        let found = found.unwrap_or_default();
        let results = self.search.matches_among(query, &found.works);
        Ok(ClaimAnswer {
            results: results.map_err(|error| AppError::new(ErrorKind::NothingSearched, error))?,
            sent: found.query,
            failures: found.failures,
        })
    }

    /// What was sent to each service so far, in words.
    #[must_use]
    pub fn sent(&self) -> Vec<SentRecord> {
        let sources = self.services.iter().flat_map(|services| &services.sources);
        let mut sent: Vec<SentRecord> = sources.filter_map(|source| source.sent()).collect();
        put_sent_in_words(&mut sent, RunSubject::Idea);
        sent
    }
}

fn limits(paths: &[PathBuf], corpora: &[Corpus], services: &[String]) -> Vec<String> {
    let named = paths.iter().zip(corpora).map(|(path, corpus)| {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        match usize::try_from(corpus.len()).unwrap_or(usize::MAX) {
            1 => format!("{} (1 paper)", plain(&name)),
            papers => format!("{} ({} papers)", plain(&name), thousands(papers)),
        }
    });
    let named: Vec<String> = named.chain(services.iter().cloned()).collect();
    let verb = if named.len() == 1 { "was" } else { "were" };
    let mut limits = vec![format!(
        "Only {} {verb} searched. An absent match says nothing about other papers.",
        named.join(", ")
    )];
    if services.is_empty() && corpora.iter().all(|corpus| corpus.full_texts() == 0) {
        limits.push("No full text was available, so claims were compared with titles and abstracts only.".to_owned());
    }
    limits
}

impl OpenedServices {
    fn open(names: &[String], choice: ServiceChoice<'_>) -> Result<Self, AppError> {
        let settings = Settings::load(choice.settings)?;
        let runtime = runtime()?;
        // There is no run that could be replayed. The cache of this machine has the answers.
        let ledger = runtime.block_on(Ledger::in_memory());
        let ledger = ledger.map_err(|error| AppError::new(ErrorKind::Bug, error))?;
        let opened = services::opened_shared(names, &settings, &ledger, choice.refresh)?;
        let online = opened.into_iter().map(|source| Arc::new(source) as Arc<dyn Source>);
        Ok(Self {
            sources: online.chain(local_sources::open(names)?).collect(),
            runtime,
        })
    }
}

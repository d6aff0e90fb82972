//! Answers that all runs on a machine share.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use precedent_ledger::{Answer, AnswerCache, InputHash};
use tokio::sync::OnceCell;

/// The name of the file in its folder.
const FILE: &str = "answers.sqlite";

/// Answers that earlier runs on this machine received. Only requests marked with [`Request::shared`](crate::Request::shared) use them. A cache that
/// cannot be opened or read is the same as an empty one.
#[derive(Debug, Clone)]
pub struct SharedAnswers {
    folder: PathBuf,
    /// The time of the run, in seconds since 1970.
    now: u64,
    longest: Duration,
    is_read: bool,
    opened: Arc<OnceCell<Option<AnswerCache>>>,
}

impl SharedAnswers {
    /// The answers in `folder` that are not older than `longest` at the time `now`, in seconds since 1970. The folder is created if needed.
    #[must_use]
    pub fn new(folder: PathBuf, now: u64, longest: Duration) -> Self {
        Self {
            folder,
            now,
            longest,
            is_read: true,
            opened: Arc::default(),
        }
    }

    /// Uses no earlier answer, but keeps new ones.
    #[must_use]
    pub fn refreshed(mut self) -> Self {
        self.is_read = false;
        self
    }

    pub(crate) async fn find(&self, key: &InputHash) -> Option<Answer> {
        if !self.is_read {
            return None;
        }
        self.cache().await?.answer(key, self.oldest()).await.ok()?
    }

    pub(crate) async fn keep(&self, key: &InputHash, answer: &Answer) {
        if let Some(cache) = self.cache().await {
            // A full disk must not fail a run that has its answer.
            let _ = cache.keep(key, answer, self.now).await;
        }
    }

    fn oldest(&self) -> u64 {
        self.now.saturating_sub(self.longest.as_secs())
    }

    async fn cache(&self) -> Option<&AnswerCache> {
        let open = async {
            std::fs::create_dir_all(&self.folder).ok()?;
            AnswerCache::open(&self.folder.join(FILE), self.oldest()).await.ok()
        };
        self.opened.get_or_init(|| open).await.as_ref()
    }
}

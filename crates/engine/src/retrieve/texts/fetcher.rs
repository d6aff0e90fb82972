use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use futures_util::{StreamExt, stream};
use precedent_domain::{Document, Extent, NoTextReason, Paper, SentContent, SentRecord, Work};
use precedent_ledger::{Ledger, LedgerError};
use precedent_llm::HttpGateway;
use precedent_sources::{FetchLimits, Fetched, PaperName, PaperPlaces, SourceError, fetch, forms};
use tokio::time::Instant;

use super::outcome::FullTextOutcome;
use super::same::is_the_work;

/// Concurrent downloads. Each host is rate-limited separately.
const AT_ONCE: usize = 6;
/// Minimum number of words of a full text. Anything shorter is a page about the paper.
const FEWEST_WORDS: usize = 500;

/// Limits for fetching full texts.
#[derive(Debug, Clone)]
pub struct TextSettings {
    /// Archives to fetch from.
    pub places: PaperPlaces,
    /// Maximum number of works to fetch.
    pub most: usize,
    /// Time limit for all of them together.
    pub within: Duration,
    /// Whether to look up open copies by DOI in an index of open works and fetch them from the web.
    pub open_copies: bool,
}

impl Default for TextSettings {
    fn default() -> Self {
        Self {
            places: PaperPlaces::default(),
            most: 30,
            within: Duration::from_secs(240),
            open_copies: false,
        }
    }
}

/// Fetches full texts.
pub struct FullTextFetcher {
    gateway: Arc<HttpGateway>,
    settings: TextSettings,
}

impl FullTextFetcher {
    /// A fetcher that sends requests through `gateway`, which records the responses.
    #[must_use]
    pub fn new(gateway: Arc<HttpGateway>, settings: TextSettings) -> Self {
        Self { gateway, settings }
    }

    /// Maximum number of works to fetch.
    #[must_use]
    pub fn most(&self) -> usize {
        self.settings.most
    }

    /// The settings that affect which texts are fetched.
    pub(crate) fn key(&self) -> (usize, bool) {
        (self.settings.most, self.settings.open_copies)
    }

    /// The texts of these works, in order.
    pub(crate) async fn fetch_all(&self, works: &[Work]) -> Vec<FullTextOutcome> {
        let end = Instant::now() + self.settings.within;
        let fetched: Vec<BoxFuture<'_, FullTextOutcome>> = works
            .iter()
            .map(|work| -> BoxFuture<'_, _> { Box::pin(self.one(work, end)) })
            .collect();
        stream::iter(fetched).buffered(AT_ONCE).collect().await
    }

    /// What was sent to fetch texts so far, by host.
    ///
    /// # Errors
    /// If the log of sent requests cannot be read.
    pub(crate) async fn sent(ledger: &Ledger) -> Result<Vec<SentRecord>, LedgerError> {
        let mut by_host: BTreeMap<String, (BTreeSet<String>, u64)> = BTreeMap::new();
        for sent in ledger.everything_sent().await? {
            if sent.who != FetchLimits::TEXT {
                continue;
            }
            let (asked, bytes) = by_host.entry(sent.host).or_default();
            if asked.insert(sent.asked) {
                *bytes += sent.bytes_out;
            }
        }
        let record = |(host, (asked, bytes)): (String, (BTreeSet<String>, u64))| SentRecord {
            what: String::new(),
            host,
            requests: asked.len(),
            bytes,
            content: Some(SentContent::PapersFound),
        };
        Ok(by_host.into_iter().map(record).collect())
    }

    async fn one(&self, work: &Work, end: Instant) -> FullTextOutcome {
        let mut why = NoTextReason::NoIdentifier;
        for name in PaperName::of_work(work) {
            if matches!(name, PaperName::Doi(_)) && !self.settings.open_copies {
                continue;
            }
            match self.under(&name, work, end).await {
                Ok(document) => return FullTextOutcome::Text(Box::new(document)),
                Err(reason) => why = why.max(reason),
            }
        }
        FullTextOutcome::Not(why)
    }

    /// The text under one name, in the first form that can be fetched and read.
    async fn under(&self, name: &PaperName, work: &Work, end: Instant) -> Result<Document, NoTextReason> {
        let limits = || FetchLimits::text(end.saturating_duration_since(Instant::now()));
        let by_own_id = !matches!(name, PaperName::Doi(_) | PaperName::Address(_));
        let mut why = NoTextReason::NotOpen;
        let forms = forms(name, &self.settings.places, limits(), &self.gateway).await;
        for form in forms.map_err(|error| reason(&error))? {
            let fetched = match fetch(&form, limits(), &self.gateway).await {
                Ok(fetched) => fetched,
                Err(error) => {
                    why = why.max(reason(&error));
                    continue;
                }
            };
            match read(fetched).await {
                Some(paper) if is_the_work(&paper, work, by_own_id) => return Ok(paper.document),
                Some(_) => why = why.max(NoTextReason::AnotherWork),
                None => why = why.max(NoTextReason::Unreadable),
            }
        }
        Err(why)
    }
}

/// Reads the file as a paper. `None` if it has no full text.
async fn read(fetched: Fetched) -> Option<Paper> {
    let reading = tokio::task::spawn_blocking(move || {
        let name = format!("text.{}", fetched.ending);
        precedent_read::read_bytes(&fetched.bytes, &name).ok()
    });
    let paper = reading.await.ok().flatten()?;
    let words = paper.document.text.split_whitespace().take(FEWEST_WORDS).count();
    (paper.document.extent == Extent::FullText && words == FEWEST_WORDS).then_some(paper)
}

fn reason(error: &SourceError) -> NoTextReason {
    if error.may_pass() {
        return NoTextReason::NoAnswer;
    }
    match error {
        SourceError::Unreadable { .. } => NoTextReason::Unreadable,
        _ => NoTextReason::NotOpen,
    }
}

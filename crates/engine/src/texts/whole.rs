use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use precedent_domain::{Document, Extent, Paper, SentRecord, Work};
use precedent_ledger::{Ledger, LedgerError};
use precedent_llm::Door;
use precedent_sources::{Errand, Fetched, PaperName, PaperPlaces, SourceError, fetch, forms};
use tokio::time::Instant;

use super::had::{Had, Why};
use super::same::is_the_work;

/// Texts under way at the same time; each host keeps its own pace besides.
const AT_ONCE: usize = 6;
/// Fewest words that are a paper's text: less is a page about it.
const FEWEST_WORDS: usize = 500;

/// How far to go for full texts.
#[derive(Debug, Clone)]
pub struct TextSettings {
    /// Where they are fetched.
    pub places: PaperPlaces,
    /// Most works whose text is looked for.
    pub most: usize,
    /// The time for all of them together.
    pub within: Duration,
    /// Whether the index of open works is asked, by DOI, where on the web a copy lies, and the copy is fetched there.
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

/// Where full texts are had.
pub struct WholeTexts {
    door: Arc<Door>,
    settings: TextSettings,
}

impl WholeTexts {
    /// Fetches through `door`, which keeps what comes.
    #[must_use]
    pub fn new(door: Arc<Door>, settings: TextSettings) -> Self {
        Self { door, settings }
    }

    /// Most works whose text is looked for.
    #[must_use]
    pub fn most(&self) -> usize {
        self.settings.most
    }

    /// What of the settings decides which texts come.
    pub(crate) fn key(&self) -> (usize, bool) {
        (self.settings.most, self.settings.open_copies)
    }

    /// The texts of these works, in their order.
    pub(crate) async fn of(&self, works: &[Work]) -> Vec<Had> {
        let end = Instant::now() + self.settings.within;
        stream::iter(works)
            .map(|work| self.one(work, end))
            .buffered(AT_ONCE)
            .collect()
            .await
    }

    /// What was sent for texts so far, by host.
    ///
    /// # Errors
    /// When the record of it cannot be read.
    pub(crate) async fn sent(ledger: &Ledger) -> Result<Vec<SentRecord>, LedgerError> {
        let mut by_host: BTreeMap<String, (BTreeSet<String>, u64)> = BTreeMap::new();
        for sent in ledger.everything_sent().await? {
            if sent.who != Errand::TEXT {
                continue;
            }
            let (asked, bytes) = by_host.entry(sent.host).or_default();
            if asked.insert(sent.asked) {
                *bytes += sent.bytes_out;
            }
        }
        let record = |(host, (asked, bytes)): (String, (BTreeSet<String>, u64))| SentRecord {
            what: format!("the names of works found, {bytes} bytes, to fetch their texts"),
            host,
            requests: asked.len(),
            bytes,
        };
        Ok(by_host.into_iter().map(record).collect())
    }

    async fn one(&self, work: &Work, end: Instant) -> Had {
        let mut why = Why::Nameless;
        for name in PaperName::of_work(work) {
            if matches!(name, PaperName::Doi(_)) && !self.settings.open_copies {
                continue;
            }
            match self.under(&name, work, end).await {
                Ok(document) => return Had::Text(Box::new(document)),
                Err(reason) => why = why.max(reason),
            }
        }
        Had::Not(why)
    }

    /// The text under one name, in the first form that can be had and read.
    async fn under(&self, name: &PaperName, work: &Work, end: Instant) -> Result<Document, Why> {
        let errand = || Errand::text(end.saturating_duration_since(Instant::now()));
        let by_own_id = !matches!(name, PaperName::Doi(_) | PaperName::Address(_));
        let mut why = Why::NotGiven;
        let forms = forms(name, &self.settings.places, errand(), &self.door).await;
        for form in forms.map_err(|error| reason(&error))? {
            let fetched = match fetch(&form, errand(), &self.door).await {
                Ok(fetched) => fetched,
                Err(error) => {
                    why = why.max(reason(&error));
                    continue;
                }
            };
            match read(fetched).await {
                Some(paper) if is_the_work(&paper, work, by_own_id) => return Ok(paper.document),
                Some(_) => why = why.max(Why::Another),
                None => why = why.max(Why::Unreadable),
            }
        }
        Err(why)
    }
}

/// The file as a paper with a whole text.
async fn read(fetched: Fetched) -> Option<Paper> {
    let reading = tokio::task::spawn_blocking(move || {
        let name = format!("text.{}", fetched.ending);
        precedent_read::read_bytes(&fetched.bytes, &name).ok()
    });
    let paper = reading.await.ok().flatten()?;
    let words = paper.document.text.split_whitespace().take(FEWEST_WORDS).count();
    (paper.document.extent == Extent::FullText && words == FEWEST_WORDS).then_some(paper)
}

fn reason(error: &SourceError) -> Why {
    if error.may_pass() {
        return Why::Unanswered;
    }
    match error {
        SourceError::Unreadable { .. } => Why::Unreadable,
        _ => Why::NotGiven,
    }
}

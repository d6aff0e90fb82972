use std::sync::Arc;
use std::time::Instant;

use precedent_domain::{Document, ModelUse, Paper};
use precedent_ledger::{InputHash, Ledger, LedgerError};
use precedent_sources::Source;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::egress::GatedSource;
use crate::model::{Asked, ModelAnalyst};
use crate::{EgressGate, EngineError, FullTextFetcher, Progress, Result, StageEvent};

/// Everything a run depends on besides its input. The same world and input give the same result, byte for byte.
#[derive(Clone)]
pub struct World {
    /// Current time. Never part of a result.
    pub clock: Arc<dyn Clock>,
    /// Where stage outputs are stored.
    pub ledger: Ledger,
    /// Sources of prior work to search.
    pub sources: Vec<Arc<dyn Source>>,
    /// Fetches full texts of papers that a source has only as title and abstract. `None` if fetching is not allowed.
    pub texts: Option<Arc<FullTextFetcher>>,
    /// Makes the judgements that need a reader; `None` for offline analysis.
    pub model: Option<Arc<ModelAnalyst>>,
    /// Receives progress events.
    pub progress: Arc<dyn Progress>,
    /// Spending limit of the run.
    pub budget: Budget,
    /// Seed of all random sampling.
    pub seed: u64,
}

/// Spending limit of a run. Offline analysis spends nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Budget {
    /// In US dollars; `None` for no limit.
    pub dollars: Option<f64>,
}

/// Current time.
pub trait Clock: Send + Sync {
    /// Seconds since 1970-01-01, UTC.
    fn unix_seconds(&self) -> u64;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the only access to the machine's clock")]
    fn unix_seconds(&self) -> u64 {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map(|elapsed| elapsed.as_secs()).unwrap_or_default()
    }
}

/// A clock fixed at this many seconds since 1970-01-01, UTC.
#[derive(Debug, Clone, Copy, Default)]
pub struct FrozenClock(pub u64);

impl Clock for FrozenClock {
    fn unix_seconds(&self) -> u64 {
        self.0
    }
}

/// Part of every stage's cache key, so a new release recomputes every stage. Stages also depend on lower crates (reading, locating, noun forms), and
/// a change there does not raise any stage version. Within a release, the stage's own version separates builds.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// Name of offline analysis in reports.
const OFFLINE: &str = "offline";

/// A stage as identified in the ledger. Raise its version when its output changes. [`PROGRAM`] is also part of the key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stage {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its version.
    pub(crate) version: u32,
}

impl World {
    /// The same world with every remote source behind the egress gate of this paper. Each pipeline calls this, or one of the next two, first.
    pub(crate) fn for_paper(&self, paper: &Paper) -> Self {
        self.behind(EgressGate::of_paper(paper))
    }

    /// The same world with every remote source behind the egress gate of this idea, and of its own paper if it has one.
    pub(crate) fn for_idea(&self, document: &Document, own: Option<&Paper>) -> Self {
        self.behind(EgressGate::of_idea(document, own))
    }

    /// The same world with every remote source behind this gate.
    pub(crate) fn behind(&self, gate: EgressGate) -> Self {
        let gate = Arc::new(gate);
        let mut world = self.clone();
        for source in world.sources.iter_mut().filter(|source| !source.is_local()) {
            *source = Arc::new(GatedSource::new(Arc::clone(source), Arc::clone(&gate)));
        }
        world
    }

    /// Begins the model calls of a run on this input. Each pipeline calls this before its first stage.
    pub(crate) fn begin_calls<'t>(&self, input: impl IntoIterator<Item = &'t str>) {
        if let Some(model) = &self.model {
            model.begin(input);
        }
    }

    /// The same world for steps that do not use a model.
    pub(crate) fn without_model(&self) -> Self {
        Self {
            model: None,
            ..self.clone()
        }
    }

    /// Who makes the judgements, as reports name it: `offline`, `provider:name`.
    pub(crate) fn analyst(&self) -> String {
        self.model
            .as_ref()
            .map_or_else(|| OFFLINE.to_owned(), |model| model.name().to_owned())
    }

    /// Model calls of the run by prompt, with their cost.
    pub(crate) fn model_uses(&self) -> Vec<ModelUse> {
        self.model.as_ref().map(|model| model.uses()).unwrap_or_default()
    }

    /// What the output of a stage depends on besides the stage and its input.
    fn stage_key(&self, input: &[u8]) -> InputHash {
        let analyst = self
            .model
            .as_ref()
            .map_or_else(|| OFFLINE.to_owned(), |model| model.key());
        let seed = self.seed.to_le_bytes();
        InputHash::of([input, analyst.as_bytes(), &seed, PROGRAM.as_bytes()])
    }

    /// The output of `stage` for `input`: read from the ledger if present, otherwise computed by `work` and stored.
    ///
    /// Always returns the value decoded from the stored bytes, so a resumed run cannot differ from a fresh one.
    pub(crate) async fn stage<I, O>(&self, stage: Stage, input: &I, work: impl Future<Output = Result<O>>) -> Result<O>
    where
        I: Serialize + ?Sized,
        O: Serialize + DeserializeOwned,
    {
        self.stage_where(stage, input, |_| true, work).await
    }

    /// Like [`World::stage`], but stores the output only if `lasts` returns true for it. Otherwise a later run computes it again.
    pub(crate) async fn stage_where<I, O>(
        &self,
        stage: Stage,
        input: &I,
        lasts: impl FnOnce(&O) -> bool,
        work: impl Future<Output = Result<O>>,
    ) -> Result<O>
    where
        I: Serialize + ?Sized,
        O: Serialize + DeserializeOwned,
    {
        let Stage { name, version } = stage;
        let started = Instant::now();
        let encode_error = |source| EngineError::Encode { stage: name, source };
        let ledger_error = |source| EngineError::Ledger { stage: name, source };
        let input = serde_json::to_vec(input).map_err(encode_error)?;
        let hash = self.stage_key(&input);
        let mut damaged = None;
        if !self.model.as_ref().is_some_and(|model| model.is_replay())
            && let Some(kept) = self.ledger.artifact(name, version, &hash).await.map_err(ledger_error)?
        {
            match serde_json::from_slice(&kept) {
                Ok(output) => match self.restore_model_log(stage, &hash).await.map_err(ledger_error)? {
                    None => {
                        self.progress.stage(name, StageEvent::Reused);
                        log_stage(name, "reused", started);
                        return Ok(output);
                    }
                    fault => damaged = fault,
                },
                Err(error) => damaged = Some(error.to_string()),
            }
        }
        if let Some(why) = &damaged {
            self.progress.warning(&format!(
                "the stored output of stage {name} is damaged ({why}); computing it again"
            ));
        }
        self.progress.stage(name, StageEvent::Started);
        let worked = work.await;
        log_stage(name, if worked.is_ok() { "computed" } else { "failed" }, started);
        let output = worked?;
        let lasts = lasts(&output);
        let output = serde_json::to_vec(&output).map_err(encode_error)?;
        if !self.save_model_log(stage, &hash).await? || !lasts {
            // Not stored, because a later run may complete it with a larger budget or a recovered service.
            self.progress.stage(name, StageEvent::Finished);
            return serde_json::from_slice(&output).map_err(encode_error);
        }
        let earlier = if damaged.is_some() {
            let mended = self.ledger.mend_artifact(name, version, &hash, &output).await;
            mended.map(|()| None)
        } else {
            self.ledger.keep_artifact(name, version, &hash, &output).await
        };
        // Another process in the same folder may have finished the stage first.
        let output = earlier.map_err(ledger_error)?.unwrap_or(output);
        self.progress.stage(name, StageEvent::Finished);
        serde_json::from_slice(&output).map_err(encode_error)
    }

    /// Restores the log of model requests of a stage found in the ledger. Returns what is wrong if the log cannot be read. Such a stage is computed
    /// again, because a report must not omit what was sent.
    async fn restore_model_log(
        &self,
        stage: Stage,
        hash: &InputHash,
    ) -> std::result::Result<Option<String>, LedgerError> {
        let Some(model) = &self.model else {
            return Ok(None);
        };
        let Some(kept) = self.ledger.artifact(&asked_by(stage), stage.version, hash).await? else {
            return Ok(Some("its log of model requests is missing".to_owned()));
        };
        let asked: Asked = match serde_json::from_slice(&kept) {
            Ok(asked) => asked,
            Err(error) => return Ok(Some(error.to_string())),
        };
        model.reused(asked.uses.values());
        model.log().put(stage.name, asked);
        Ok(None)
    }

    /// Stores the stage's log of model requests before its output, so no output exists without a log. Returns false if the output is not final.
    async fn save_model_log(&self, stage: Stage, hash: &InputHash) -> Result<bool> {
        let Some(model) = &self.model else {
            return Ok(true);
        };
        let asked = model.log().close(stage.name);
        if !asked.is_final() {
            return Ok(false);
        }
        let bytes = serde_json::to_vec(&asked).map_err(|source| EngineError::Encode {
            stage: stage.name,
            source,
        })?;
        let kept = self
            .ledger
            .mend_artifact(&asked_by(stage), stage.version, hash, &bytes)
            .await;
        kept.map_err(|source| EngineError::Ledger {
            stage: stage.name,
            source,
        })?;
        Ok(true)
    }
}

/// Logs the end of a stage. Its input and output can contain a paper's text and are not logged.
fn log_stage(stage: &'static str, outcome: &'static str, started: Instant) {
    let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    tracing::info!(target: "precedent::engine", stage, outcome, ms, "stage");
}

/// Ledger name of a stage's log of model requests.
fn asked_by(stage: Stage) -> String {
    format!("{}.asked", stage.name)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::sample::world_of;

    #[derive(Default)]
    struct RecordedEvents(Mutex<Vec<String>>);

    impl Progress for RecordedEvents {
        fn stage(&self, stage: &'static str, event: StageEvent) {
            self.0.lock().unwrap().push(format!("{stage} {event:?}"));
        }
        fn note(&self, _message: &str) {}
        fn warning(&self, message: &str) {
            self.0.lock().unwrap().push(message.to_owned());
        }
    }

    #[tokio::test]
    async fn a_stage_with_a_damaged_request_log_is_computed_again() {
        let mut world = world_of(vec![]).await;
        let settings = crate::model::ModelSettings::default();
        world.model = Some(Arc::new(ModelAnalyst::counting("scripted:model", settings)));
        let recorded = Arc::new(RecordedEvents::default());
        world.progress = recorded.clone();
        let events = || std::mem::take(&mut *recorded.0.lock().unwrap());
        let stage = Stage {
            name: "count",
            version: 1,
        };
        for wanted in ["count Started", "count Reused"] {
            assert_eq!(world.stage(stage, "input", async { Ok(5_u32) }).await.unwrap(), 5);
            assert_eq!(events()[0], wanted);
        }
        let input = serde_json::to_vec("input").unwrap();
        let hash = world.stage_key(&input);
        let asked = world.ledger.artifact("count.asked", 1, &hash).await.unwrap();
        assert!(asked.is_some());
        world.ledger.mend_artifact("count.asked", 1, &hash, b"{").await.unwrap();
        assert_eq!(world.stage(stage, "input", async { Ok(6_u32) }).await.unwrap(), 6);
        assert!(events()[0].contains("the stored output of stage count is damaged"));
        assert_eq!(world.stage(stage, "input", async { Ok(7_u32) }).await.unwrap(), 6);
        assert_eq!(events(), ["count Reused"]);
    }

    #[tokio::test]
    async fn a_damaged_ledger_entry_is_reported_recomputed_and_repaired() {
        let mut world = world_of(vec![]).await;
        let recorded = Arc::new(RecordedEvents::default());
        world.progress = recorded.clone();
        let events = || std::mem::take(&mut *recorded.0.lock().unwrap());
        let stage = Stage {
            name: "count",
            version: 1,
        };
        assert_eq!(world.stage(stage, "input", async { Ok(5_u32) }).await.unwrap(), 5);
        assert_eq!(events(), ["count Started", "count Finished"]);
        // The stored number does not decode as a list.
        let work = async { Ok(vec!["five".to_owned()]) };
        assert_eq!(world.stage(stage, "input", work).await.unwrap(), ["five"]);
        let recorded = events();
        assert!(
            recorded[0].contains("the stored output of stage count is damaged"),
            "{recorded:?}"
        );
        assert_eq!(recorded[1..], ["count Started", "count Finished"]);
        let not_done = async { Ok(Vec::<String>::new()) };
        assert_eq!(world.stage(stage, "input", not_done).await.unwrap(), ["five"]);
        assert_eq!(events(), ["count Reused"]);
    }
}

use std::sync::Arc;

use precedent_ledger::{InputHash, Ledger, LedgerError};
use precedent_sources::Source;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::analyst::model::Asked;
use crate::egress::GatedSource;
use crate::{Analyst, EgressGate, EngineError, Progress, Result, StageEvent, WholeTexts};

/// Everything a run depends on besides its input. The same world and input give the same result, byte for byte.
pub struct World {
    /// What time it is. No result holds it.
    pub clock: Arc<dyn Clock>,
    /// Where stage outputs are kept.
    pub ledger: Ledger,
    /// Where prior work is looked for.
    pub sources: Vec<Arc<dyn Source>>,
    /// Where full texts of works are had that a source knows by title and abstract alone; `None` where nothing may be fetched.
    pub texts: Option<Arc<WholeTexts>>,
    /// Who judges.
    pub analyst: Arc<dyn Analyst>,
    /// Who hears how far the run is.
    pub progress: Arc<dyn Progress>,
    /// What the run may cost.
    pub budget: Budget,
    /// Seed of everything drawn by lot.
    pub seed: u64,
}

/// What a run may cost. The offline analyst spends nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Budget {
    /// In US dollars; `None` for no limit.
    pub dollars: Option<f64>,
}

/// What time it is.
pub trait Clock: Send + Sync {
    /// Seconds since 1970-01-01, UTC.
    fn unix_seconds(&self) -> u64;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the one door to the machine's clock")]
    fn unix_seconds(&self) -> u64 {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map(|elapsed| elapsed.as_secs()).unwrap_or_default()
    }
}

/// A clock that stands at these seconds since 1970-01-01, UTC.
#[derive(Debug, Clone, Copy, Default)]
pub struct FrozenClock(pub u64);

impl Clock for FrozenClock {
    fn unix_seconds(&self) -> u64 {
        self.0
    }
}

/// Part of every stage's key. A stage's own version tells builds between two releases apart; but what it computes also rests on the rooms below
/// (reading, locating, the shape of the nouns), and no stage would notice a change there. So a new release works everything out anew.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// A stage as the ledger knows it. A change of what a stage computes raises its version; see [`PROGRAM`] for what else is in the key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stage {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its version.
    pub(crate) version: u32,
}

impl World {
    /// The same world with every source that is not on this machine behind the gate. Each pipeline calls this before anything else.
    pub(crate) fn behind(&self, gate: EgressGate) -> Self {
        let gate = Arc::new(gate);
        let mut world = self.judged_by(Arc::clone(&self.analyst));
        for source in world.sources.iter_mut().filter(|source| !source.is_local()) {
            *source = Arc::new(GatedSource::new(Arc::clone(source), Arc::clone(&gate)));
        }
        world
    }

    /// The same world with another analyst: for what a model is not asked.
    pub(crate) fn judged_by(&self, analyst: Arc<dyn Analyst>) -> Self {
        Self {
            clock: Arc::clone(&self.clock),
            ledger: self.ledger.clone(),
            sources: self.sources.clone(),
            texts: self.texts.clone(),
            analyst,
            progress: Arc::clone(&self.progress),
            budget: self.budget,
            seed: self.seed,
        }
    }

    /// The output of `stage` for `input`: from the ledger where it is there, else worked out by `work` and written down.
    ///
    /// What is returned is always what was decoded from the written bytes, so that a resumed run cannot differ from a fresh one.
    pub(crate) async fn stage<I, O>(&self, stage: Stage, input: &I, work: impl Future<Output = Result<O>>) -> Result<O>
    where
        I: Serialize + ?Sized,
        O: Serialize + DeserializeOwned,
    {
        self.stage_where(stage, input, |_| true, work).await
    }

    /// As [`World::stage`]; an output that `lasts` says no of is not kept, so that a later run works it out anew.
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
        let encode_error = |source| EngineError::Encode { stage: name, source };
        let ledger_error = |source| EngineError::Ledger { stage: name, source };
        let input = serde_json::to_vec(input).map_err(encode_error)?;
        let analyst = self.analyst.key();
        let hash = InputHash::of([
            input.as_slice(),
            analyst.as_bytes(),
            &self.seed.to_le_bytes(),
            PROGRAM.as_bytes(),
        ]);
        let mut damaged = None;
        if !self.analyst.is_replay()
            && let Some(kept) = self.ledger.artifact(name, version, &hash).await.map_err(ledger_error)?
        {
            match serde_json::from_slice(&kept) {
                Ok(output) => match self.hear_again(stage, &hash).await.map_err(ledger_error)? {
                    None => {
                        self.progress.stage(name, StageEvent::Reused);
                        return Ok(output);
                    }
                    fault => damaged = fault,
                },
                Err(error) => damaged = Some(error.to_string()),
            }
        }
        if let Some(why) = &damaged {
            self.progress.warning(&format!(
                "what was kept of the stage {name} is damaged ({why}); it is worked out again"
            ));
        }
        self.progress.stage(name, StageEvent::Started);
        let output = work.await?;
        let lasts = lasts(&output);
        let output = serde_json::to_vec(&output).map_err(encode_error)?;
        if !self.note_asked(stage, &hash).await? || !lasts {
            // With more money, or on a better day, the rest can be asked: what was cut short is not kept.
            self.progress.stage(name, StageEvent::Finished);
            return serde_json::from_slice(&output).map_err(encode_error);
        }
        let kept = if damaged.is_some() {
            self.ledger.mend_artifact(name, version, &hash, &output).await
        } else {
            self.ledger.keep_artifact(name, version, &hash, &output).await
        };
        kept.map_err(ledger_error)?;
        self.progress.stage(name, StageEvent::Finished);
        serde_json::from_slice(&output).map_err(encode_error)
    }

    /// Takes up what a stage that is looked up had asked of models. Gives what is wrong where that cannot be read: a report that leaves out what was sent
    /// would be false, so such a stage is not looked up.
    async fn hear_again(&self, stage: Stage, hash: &InputHash) -> std::result::Result<Option<String>, LedgerError> {
        let Some(log) = self.analyst.asked() else {
            return Ok(None);
        };
        let Some(kept) = self.ledger.artifact(&asked_by(stage), stage.version, hash).await? else {
            return Ok(Some("what it asked is not on record".to_owned()));
        };
        let asked: Asked = match serde_json::from_slice(&kept) {
            Ok(asked) => asked,
            Err(error) => return Ok(Some(error.to_string())),
        };
        self.analyst.reused(&asked.uses.values().cloned().collect::<Vec<_>>());
        log.put(stage.name, asked);
        Ok(None)
    }

    /// Writes down what the stage asked of models, before its output, so that no output is without. False where the output is not final.
    async fn note_asked(&self, stage: Stage, hash: &InputHash) -> Result<bool> {
        let Some(log) = self.analyst.asked() else {
            return Ok(true);
        };
        let asked = log.close(stage.name);
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

/// The name under which the ledger keeps what a stage asked of models.
fn asked_by(stage: Stage) -> String {
    format!("{}.asked", stage.name)
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::sample::world_of;

    #[derive(Default)]
    struct Heard(Mutex<Vec<String>>);

    impl Progress for Heard {
        fn stage(&self, stage: &'static str, event: StageEvent) {
            self.0.lock().unwrap().push(format!("{stage} {event:?}"));
        }
        fn note(&self, _message: &str) {}
        fn warning(&self, message: &str) {
            self.0.lock().unwrap().push(message.to_owned());
        }
    }

    #[tokio::test]
    async fn a_stage_whose_record_of_questions_is_damaged_is_worked_out_again() {
        let mut world = world_of(vec![]).await;
        world.analyst = Arc::new(crate::model::ModelAnalyst::counting(
            "scripted:model",
            crate::model::ModelSettings::default(),
        ));
        let heard = Arc::new(Heard::default());
        world.progress = heard.clone();
        let said = || std::mem::take(&mut *heard.0.lock().unwrap());
        let stage = Stage {
            name: "count",
            version: 1,
        };
        for wanted in ["count Started", "count Reused"] {
            assert_eq!(world.stage(stage, "input", async { Ok(5_u32) }).await.unwrap(), 5);
            assert_eq!(said()[0], wanted);
        }
        let input = serde_json::to_vec("input").unwrap();
        let analyst = world.analyst.key();
        let hash = InputHash::of([
            input.as_slice(),
            analyst.as_bytes(),
            &world.seed.to_le_bytes(),
            PROGRAM.as_bytes(),
        ]);
        let asked = world.ledger.artifact("count.asked", 1, &hash).await.unwrap();
        assert!(asked.is_some());
        world.ledger.mend_artifact("count.asked", 1, &hash, b"{").await.unwrap();
        assert_eq!(world.stage(stage, "input", async { Ok(6_u32) }).await.unwrap(), 6);
        assert!(said()[0].contains("what was kept of the stage count is damaged"));
        assert_eq!(world.stage(stage, "input", async { Ok(7_u32) }).await.unwrap(), 6);
        assert_eq!(said(), ["count Reused"]);
    }

    #[tokio::test]
    async fn what_is_damaged_in_the_ledger_is_said_worked_out_again_and_mended() {
        let mut world = world_of(vec![]).await;
        let heard = Arc::new(Heard::default());
        world.progress = heard.clone();
        let said = || std::mem::take(&mut *heard.0.lock().unwrap());
        let stage = Stage {
            name: "count",
            version: 1,
        };
        assert_eq!(world.stage(stage, "input", async { Ok(5_u32) }).await.unwrap(), 5);
        assert_eq!(said(), ["count Started", "count Finished"]);
        // A number is no list: what was kept cannot be read as what is wanted.
        let work = async { Ok(vec!["five".to_owned()]) };
        assert_eq!(world.stage(stage, "input", work).await.unwrap(), ["five"]);
        let heard = said();
        assert!(
            heard[0].contains("what was kept of the stage count is damaged"),
            "{heard:?}"
        );
        assert_eq!(heard[1..], ["count Started", "count Finished"]);
        let not_done = async { Ok(Vec::<String>::new()) };
        assert_eq!(world.stage(stage, "input", not_done).await.unwrap(), ["five"]);
        assert_eq!(said(), ["count Reused"]);
    }
}

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use precedent_domain::ModelUse;
use precedent_ledger::InputHash;
use precedent_llm::{Checks, Fence, Meter, Typed, Usage};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;

use super::asker::{AskOutcome, AskTarget, Asker, Parts, Task, all};
use super::prompts::digest;
use super::{EstimatedStage, ModelLog, ModelSettings, StageModels};
use crate::{ModelProgress, Progress, Result, SilentProgress};

/// Asks a model, checks its answers, and keeps a log of its calls. A caller without an answer uses the program's own.
pub struct ModelAnalyst {
    asker: Asker,
    pub(crate) settings: ModelSettings,
    name: String,
    /// The user's options for the models.
    options: String,
    meter: Arc<Meter>,
    replay: bool,
    progress: Arc<dyn Progress>,
    /// Items finished and items in all, by name.
    running: Mutex<BTreeMap<&'static str, (usize, usize)>>,
    shared: Mutex<SharedText>,
}

/// What the requests of a run have in common.
struct SharedText {
    fence: Fence,
    /// The paper and its claims, fenced; empty until they are known.
    paper: String,
}

impl ModelAnalyst {
    /// An analyst that calls `models`. `meter` counts the cost.
    #[must_use]
    pub fn new(models: StageModels, settings: ModelSettings, meter: Arc<Meter>) -> Self {
        let (name, options) = (models.name(), models.options());
        Self {
            options,
            ..Self::with(AskTarget::Models(models), name, settings, meter)
        }
    }

    /// An analyst that sends nothing and counts the requests to the model `name`.
    #[must_use]
    pub fn counting(name: &str, settings: ModelSettings) -> Self {
        let target = AskTarget::Counter(Mutex::default());
        Self::with(target, name.to_owned(), settings, Arc::new(Meter::default()))
    }

    /// An analyst that calls a test double.
    #[cfg(test)]
    pub(crate) fn scripted(model: Arc<dyn precedent_llm::Answerer>, settings: ModelSettings) -> Self {
        Self::with(
            AskTarget::Scripted(model),
            "scripted:model".to_owned(),
            settings,
            Arc::new(Meter::default()),
        )
    }

    fn with(target: AskTarget, name: String, settings: ModelSettings, meter: Arc<Meter>) -> Self {
        Self {
            asker: Asker {
                target,
                log: ModelLog::default(),
                missing_is_budget: false,
                progress: Arc::new(SilentProgress),
                reported: Mutex::default(),
                turns: Semaphore::new(settings.at_once.max(1)),
            },
            settings,
            name,
            options: String::new(),
            meter,
            replay: false,
            progress: Arc::new(SilentProgress),
            running: Mutex::default(),
            shared: Mutex::new(SharedText {
                fence: Fence::of_run(settings.seed, []),
                paper: String::new(),
            }),
        }
    }

    /// Reports finished items to `progress`.
    #[must_use]
    pub fn watched_by(mut self, progress: Arc<dyn Progress>) -> Self {
        self.asker.progress = Arc::clone(&progress);
        self.progress = progress;
        self
    }

    /// Computes everything again from recorded responses. If the budget ended the run, requests that are not on record were not sent then.
    #[must_use]
    pub fn replaying(mut self, budget_had_ended: bool) -> Self {
        self.replay = true;
        self.asker.missing_is_budget = budget_had_ended;
        self
    }

    /// The counted requests, by prompt.
    #[must_use]
    pub fn counted(&self) -> Vec<EstimatedStage> {
        let AskTarget::Counter(counted) = &self.asker.target else {
            return Vec::new();
        };
        counted
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .values()
            .cloned()
            .collect()
    }

    /// Asks the prompt `id` with these inputs. `None` if this one item failed; the failure is recorded, and the caller must use another answer.
    pub(crate) async fn ask<T>(
        &self,
        id: &'static str,
        inputs: &impl Serialize,
        checks: Checks<'_, T>,
    ) -> Result<Option<Typed<T>>>
    where
        T: DeserializeOwned + JsonSchema,
    {
        match self.asker.ask(id, inputs, checks, false).await? {
            AskOutcome::Answered(typed) => Ok(Some(typed)),
            AskOutcome::Split | AskOutcome::Failed => Ok(None),
        }
    }

    /// The same about a list of items, `part`. If the answer is cut off at the output limit even with more room, the list is divided: `parts` then
    /// contains both halves.
    pub(crate) async fn ask_part<'i, T, I: Sync>(
        &self,
        id: &'static str,
        inputs: &impl Serialize,
        checks: Checks<'_, T>,
        part: &'i [I],
        parts: &mut Parts<'i, I>,
    ) -> Result<Option<Typed<T>>>
    where
        T: DeserializeOwned + JsonSchema,
    {
        match self.asker.ask(id, inputs, checks, part.len() > 1).await? {
            AskOutcome::Answered(typed) => Ok(Some(typed)),
            AskOutcome::Failed => Ok(None),
            AskOutcome::Split => {
                parts.split(part);
                Ok(None)
            }
        }
    }

    /// Reports the items that an answer leaves out: those of `asked` that are not in `answered`. An answer to none of them has failed, which is reported
    /// already.
    pub(crate) fn report_left_out(&self, id: &str, answered: impl IntoIterator<Item = u32>, asked: &[u32]) {
        let answered: Vec<u32> = answered.into_iter().collect();
        let left_out = asked.iter().filter(|number| !answered.contains(number)).count();
        if left_out > 0 {
            self.asker.log.left_out(id, left_out as u64);
        }
    }

    /// Runs all of `work` on the items called `what`, as many at once as the settings allow, and reports each finished one. Items of one name that run
    /// at the same time are counted together. Results are in input order. The first failure ends the rest.
    pub(crate) async fn all<'a, T: Send + 'a>(
        &self,
        what: &'static str,
        work: Vec<Task<'a, Result<T>>>,
    ) -> Result<Vec<T>> {
        self.running(|running| running.entry(what).or_default().1 += work.len());
        let finished = |_| {
            let (done, of) = self.running(|running| {
                let (done, of) = running.entry(what).or_default();
                *done += 1;
                let counted = (*done, *of);
                // The next items of this name start anew.
                if done == of {
                    running.remove(what);
                }
                counted
            });
            let uses = self.uses_so_far();
            self.progress.model(&ModelProgress {
                what,
                done,
                of,
                calls: uses.iter().map(|one| one.questions).sum(),
                tokens: uses.iter().map(|one| one.input_tokens + one.output_tokens).sum(),
                dollars: uses.iter().map(|one| one.dollars).sum(),
            });
        };
        all(self.settings.at_once, work, &finished).await
    }

    fn running<T>(&self, of: impl FnOnce(&mut BTreeMap<&'static str, (usize, usize)>) -> T) -> T {
        of(&mut self.running.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether requests are only counted, not sent.
    pub(crate) fn only_counts(&self) -> bool {
        matches!(self.asker.target, AskTarget::Counter(_))
    }

    /// Begins a run on this input. All its requests have one fence, so that they begin with the same text.
    pub(crate) fn begin<'t>(&self, input: impl IntoIterator<Item = &'t str>) {
        *self.shared() = SharedText {
            fence: Fence::of_run(self.settings.seed, input),
            paper: String::new(),
        };
    }

    /// The fence of the run.
    pub(crate) fn fence(&self) -> Fence {
        self.shared().fence.clone()
    }

    /// Sets the fenced text on the paper with which requests about other papers begin.
    pub(crate) fn show_paper(&self, paper: String) {
        self.shared().paper = paper;
    }

    /// The fenced text on the paper with which requests about other papers begin; empty if there is none.
    pub(crate) fn shown_paper(&self) -> String {
        self.shared().paper.clone()
    }

    fn shared(&self) -> MutexGuard<'_, SharedText> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The tokens that count: those that the provider reports, and the most that lost tries may have used.
fn usages(one: &ModelUse) -> [Usage; 2] {
    [
        Usage {
            input: one.input_tokens,
            cached: one.cached_tokens,
            written: one.cache_written_tokens,
            output: one.output_tokens,
        },
        Usage {
            input: one.lost_input_tokens,
            cached: 0,
            written: one.lost_input_tokens,
            output: one.lost_output_tokens,
        },
    ]
}

impl ModelAnalyst {
    /// The models' names, as reports show them.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What the answers depend on besides the questions. Part of the key of every stage output.
    pub(crate) fn key(&self) -> String {
        let shared = self.shared();
        format!(
            "{} {:?} {:?} {}{} {} {}",
            self.name,
            self.settings.depth,
            self.settings.policy,
            digest(),
            self.options,
            shared.fence.mark(),
            InputHash::of([shared.paper.as_bytes()]).as_str()
        )
    }

    /// Log of the model calls so far.
    #[must_use]
    pub fn log(&self) -> &ModelLog {
        &self.asker.log
    }

    /// Model calls of the run by prompt, with their cost.
    pub(crate) fn uses(&self) -> Vec<ModelUse> {
        self.priced(self.asker.log.uses())
    }

    /// The same, including the calls of the current stage. A pipeline that failed or was cancelled in a stage has made calls that are in no result.
    #[must_use]
    pub fn uses_so_far(&self) -> Vec<ModelUse> {
        self.priced(self.asker.log.uses_so_far())
    }

    fn priced(&self, mut uses: Vec<ModelUse>) -> Vec<ModelUse> {
        for one in &mut uses {
            let [used, lost] = usages(one);
            let price = |usage| self.meter.price(&one.model, usage);
            one.dollars = price(used).zip(price(lost)).map(|(used, lost)| used + lost);
        }
        uses
    }

    /// Counts the model calls of a stage whose output is reused now towards the budget.
    pub(crate) fn reused<'u>(&self, uses: impl IntoIterator<Item = &'u ModelUse>) {
        for one in uses {
            for usage in usages(one) {
                self.meter.spent_before(&one.model, usage);
            }
        }
    }

    /// Whether every stage is computed again from recorded responses.
    pub(crate) fn is_replay(&self) -> bool {
        self.replay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Seen(Mutex<Vec<(usize, usize)>>);

    impl Progress for Seen {
        fn stage(&self, _stage: &'static str, _event: crate::StageEvent) {}

        fn note(&self, _message: &str) {}

        fn model(&self, model: &ModelProgress) {
            self.0.lock().unwrap().push((model.done, model.of));
        }
    }

    #[tokio::test]
    async fn items_that_run_at_the_same_time_are_counted_together() {
        let seen = Arc::new(Seen::default());
        let progress = Arc::clone(&seen) as Arc<dyn Progress>;
        let model = ModelAnalyst::counting("scripted:model", ModelSettings::default()).watched_by(progress);
        let one = |at: usize| -> Task<'_, Result<usize>> {
            Box::pin(async move {
                // Both groups have begun before an item ends.
                tokio::task::yield_now().await;
                Ok(at)
            })
        };
        let work = |count: usize| (0..count).map(one).collect();
        let (two, three) = tokio::join!(model.all("items", work(2)), model.all("items", work(3)));
        assert_eq!((two.unwrap(), three.unwrap()), (vec![0, 1], vec![0, 1, 2]));
        assert_eq!(model.all("items", work(1)).await.unwrap(), [0]);
        let seen = seen.0.lock().unwrap();
        assert_eq!(*seen, [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5), (1, 1)]);
    }
}

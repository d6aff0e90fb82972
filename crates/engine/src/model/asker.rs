use std::collections::{BTreeMap, BTreeSet};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use futures_util::{StreamExt, TryStreamExt, stream};
use precedent_domain::ModelUse;
use precedent_llm::{Answerer, Ask, AskUsage, Checks, Completion, LlmError, Model, Typed, answer_schema, ask_within};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Semaphore;

use super::estimate::EstimatedStage;
use super::log::ModelLog;
use super::prompts::prompt;
use crate::{EngineError, Progress, Result};

/// The model of each stage: a default, and overrides for single stages by the first part of a prompt's id.
#[derive(Debug, Clone)]
pub struct StageModels {
    /// For every stage without an override.
    pub default: Arc<Model>,
    /// Overrides by stage, one of [`StageModels::STAGES`].
    pub by_stage: BTreeMap<String, Arc<Model>>,
}

impl StageModels {
    /// Every stage that can have a model of its own.
    pub const STAGES: [&str; 13] = [
        "extract",
        "queries",
        "relevance",
        "compare",
        "taxonomy",
        "survey",
        "position",
        "assess",
        "idea",
        "points",
        "audit",
        "rank",
        "review",
    ];

    fn of(&self, prompt: &str) -> &Arc<Model> {
        let stage = prompt.split('.').next().unwrap_or_default();
        self.by_stage.get(stage).unwrap_or(&self.default)
    }

    /// What the answers depend on besides the models' names: the user's options. Empty if none are set.
    pub(crate) fn options(&self) -> String {
        let of_stages = self.by_stage.iter().filter_map(|(stage, model)| {
            let key = model.options().key();
            (!key.is_empty()).then(|| format!("{stage} {key}"))
        });
        std::iter::once(self.default.options().key()).chain(of_stages).collect()
    }

    /// The names of all models, for reports.
    #[must_use]
    pub fn name(&self) -> String {
        let mut name = self.default.name().to_string();
        let others = self.by_stage.iter();
        for (stage, model) in others.filter(|(_, model)| model.name().to_string() != self.default.name().to_string()) {
            name.push_str(&format!(", {stage} by {}", model.name()));
        }
        name
    }
}

/// Where requests go: to models, a test double, or a counter.
pub(crate) enum AskTarget {
    /// Models.
    Models(StageModels),
    /// A test double of a model.
    #[cfg(test)]
    Scripted(Arc<dyn precedent_llm::Answerer>),
    /// No model: requests are only counted, for an estimate.
    Counter(Mutex<BTreeMap<String, EstimatedStage>>),
}

/// Sends typed requests, records their outcome, and separates failures of one item from failures that end the run.
pub(crate) struct Asker {
    pub(crate) target: AskTarget,
    pub(crate) log: ModelLog,
    /// Set in a replay of a run that the budget ended: a request that is not on record was not sent then.
    pub(crate) missing_is_budget: bool,
    /// Receives the first failure of each kind.
    pub(crate) progress: Arc<dyn Progress>,
    /// The kinds of failures that were reported.
    pub(crate) reported: Mutex<BTreeSet<&'static str>>,
    /// Limits concurrent requests over all tasks that run in parallel.
    pub(crate) turns: Semaphore,
}

impl Asker {
    /// Returns the answer, or `None` if this one item failed. The failure is recorded, and the caller must use another answer.
    /// If the caller `splits` a request whose answer was cut off, that is neither an answer nor a failure.
    pub(crate) async fn ask<T>(
        &self,
        id: &'static str,
        inputs: &impl Serialize,
        checks: Checks<'_, T>,
        splits: bool,
    ) -> Result<AskOutcome<T>>
    where
        T: DeserializeOwned + JsonSchema,
    {
        let model_error = |source| EngineError::Model { source };
        let ask = prompt(id)?.fill(inputs).map_err(|error| model_error(error.into()))?;
        let (model, name, host): (&dyn Answerer, String, String) = match &self.target {
            AskTarget::Models(models) => {
                let model = models.of(id);
                (model.as_ref(), model.name().to_string(), model.host())
            }
            #[cfg(test)]
            AskTarget::Scripted(model) => (model.as_ref(), "scripted:model".to_owned(), "nowhere".to_owned()),
            AskTarget::Counter(counted) => {
                count(counted, &ask, answer_schema::<T>().to_string().len());
                return Ok(AskOutcome::Failed);
            }
        };
        let ask_id = ask.id.clone();
        let no_budget = LlmError::budget_ended(&ask);
        // The semaphore is never closed. If it were, it would be right to continue without a permit.
        let _turn = self.turns.acquire().await.ok();
        let mut taken = AskUsage::default();
        let outcome = if self.missing_is_budget {
            // Calls in flight when the budget ended are on record, so the replay looks up every call.
            ask_within(&CutOffByBudget(model), ask, checks, &mut taken).await
        } else if self.log.is_over_budget() {
            ask_within(&RecordedOnly(model), ask, checks, &mut taken).await
        } else {
            ask_within(model, ask, checks, &mut taken).await
        };
        let was_cut = taken.cut_off > 0 || matches!(outcome, Err(LlmError::CutOff { .. }));
        // The rest of the budget made the answer short, not the model. A larger budget asks again.
        let is_starved = was_cut && taken.limited > 0;
        let outcome = if is_starved { Err(no_budget) } else { outcome };
        // A model that fills its limit with thoughts alone would do the same for half of the items.
        let is_split = splits && was_cut && taken.cut_with_text && !is_starved;
        let repaired = outcome.as_ref().is_ok_and(|typed| typed.repaired);
        let mut failed = BTreeMap::new();
        // The complete part of an answer that broke off is used now, and a later run asks for the rest.
        let mut retryable = u64::from(taken.cut_off > 0 && taken.unfinished > 0 && !is_split);
        let outcome = match outcome {
            _ if is_split => None,
            Ok(typed) => Some(typed),
            Err(error) => {
                let is_budget = error.is_over_budget();
                if is_budget {
                    self.log.end_budget();
                } else if ends(&error) {
                    return Err(model_error(error));
                }
                let kind = if is_budget { "budget" } else { error.kind() };
                self.report(&ask_id, kind, &error);
                // A short prompt that is refused as too long met a limit that the user may raise.
                let is_limit = matches!(error, LlmError::TooLong { .. }) && taken.shortened == 0;
                retryable = u64::from(!is_budget && (error.is_asked_again() || is_limit || taken.unfinished > 0));
                failed.insert(kind.to_owned(), 1);
                None
            }
        };
        if taken.shortened > 0 && outcome.is_some() {
            self.log.shortened(&ask_id);
        }
        if taken.cut_off > 0 && outcome.is_some() {
            self.log.cut_off(&ask_id);
        }
        self.log.add(ModelUse {
            prompt: ask_id,
            model: name,
            host,
            // The halves are the items.
            items: u64::from(!is_split),
            failed,
            retryable,
            repaired: u64::from(repaired && !is_split),
            questions: taken.questions,
            answers: taken.answers,
            bytes: taken.bytes,
            input_tokens: taken.usage.input,
            cached_tokens: taken.usage.cached,
            cache_written_tokens: taken.usage.written,
            output_tokens: taken.usage.output,
            lost_tries: taken.lost,
            lost_input_tokens: taken.assumed.input,
            lost_output_tokens: taken.assumed.output,
            dollars: None,
        });
        Ok(match outcome {
            _ if is_split => AskOutcome::Split,
            Some(typed) => AskOutcome::Answered(typed),
            None => AskOutcome::Failed,
        })
    }
}

impl Asker {
    /// Reports the first failure of each kind, with the reason that the service gave. The end of a budget is reported elsewhere.
    fn report(&self, ask: &str, kind: &'static str, error: &LlmError) {
        let mut reported = self.reported.lock().unwrap_or_else(PoisonError::into_inner);
        if !error.is_over_budget() && reported.insert(kind) {
            let prompt = ask.split('@').next().unwrap_or_default();
            let message = format!("no usable answer to {prompt}: failed to {error}");
            self.progress.warning(&message);
        }
    }
}

/// The outcome of one request.
pub(crate) enum AskOutcome<T> {
    Answered(Typed<T>),
    /// The answer did not fit into the output limit. Both halves of the items should be asked.
    Split,
    /// The failure is recorded.
    Failed,
}

/// The items of a request, and the halves into which they are divided if the answer is cut off at the output limit.
pub(crate) struct Parts<'i, I> {
    waiting: Vec<&'i [I]>,
}

impl<'i, I> Parts<'i, I> {
    pub(crate) fn of(items: &'i [I]) -> Self {
        Self { waiting: vec![items] }
    }

    /// The next items to ask about, in order.
    pub(crate) fn next(&mut self) -> Option<&'i [I]> {
        self.waiting.pop()
    }

    /// Divides items whose answer was cut off. A single item cannot be divided.
    pub(super) fn split(&mut self, part: &'i [I]) {
        let (first, second) = part.split_at(part.len().div_ceil(2));
        self.waiting.extend([second, first]);
    }
}

/// A model in the replay of a run that the budget ended. Every call that is not on record counts as stopped by the budget.
struct CutOffByBudget<'m>(&'m dyn Answerer);

#[async_trait]
impl Answerer for CutOffByBudget<'_> {
    async fn complete(&self, ask: &Ask, taken: &mut AskUsage) -> std::result::Result<Completion, LlmError> {
        let outcome = self.0.complete(ask, taken).await;
        outcome.map_err(|error| match error.is_missing() {
            true => LlmError::budget_ended(ask),
            false => error,
        })
    }

    fn takes_more(&self, ask: &Ask) -> bool {
        self.0.takes_more(ask)
    }
}

/// A model after the end of the budget. What earlier runs recorded is paid for, and a replay finds it too.
struct RecordedOnly<'m>(&'m dyn Answerer);

#[async_trait]
impl Answerer for RecordedOnly<'_> {
    async fn complete(&self, ask: &Ask, taken: &mut AskUsage) -> std::result::Result<Completion, LlmError> {
        self.0.complete_from_record(ask, taken).await
    }

    fn takes_more(&self, ask: &Ask) -> bool {
        self.0.takes_more(ask)
    }
}

/// Whether an error ends the run: every other request would fail as well, or the request is not allowed.
fn ends(error: &LlmError) -> bool {
    use precedent_llm::HttpError;
    let is_not_answered = matches!(
        error,
        LlmError::Http(
            HttpError::NotRecorded { .. }
                | HttpError::NotAllowed { .. }
                | HttpError::TlsFailed { .. }
                | HttpError::Ledger(_)
                | HttpError::BadHeader { .. }
        )
    );
    is_not_answered || matches!(error, LlmError::Prompt(_)) || error.ends_the_run()
}

/// A usual answer takes this fraction of its output limit; `docs/benchmarks.md` has the measurement.
const USUAL: u32 = 10;

fn count(counted: &Mutex<BTreeMap<String, EstimatedStage>>, ask: &Ask, schema: usize) {
    let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
    let stage = counted.entry(ask.id.clone()).or_insert_with(|| EstimatedStage {
        prompt: ask.id.clone(),
        ..EstimatedStage::default()
    });
    stage.asks += 1;
    stage.bytes += ask.text_bytes();
    stage.input_tokens += (ask.text_bytes() + schema as u64).div_ceil(4);
    stage.likely_output_tokens += u64::from(ask.most_output / USUAL);
    stage.most_output_tokens += u64::from(ask.most_output);
}

/// A task that can wait.
pub(crate) type Task<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Runs all of `work`, at most `at_once` tasks at a time, and calls `finished` with the number of finished tasks after each one. A finished task makes
/// room at once, so that one long task does not delay the others. Results are in input order. The first failure ends the rest.
pub(crate) async fn all<'a, T: Send + 'a>(
    at_once: usize,
    work: Vec<Task<'a, Result<T>>>,
    finished: &(dyn Fn(usize) + Sync),
) -> Result<Vec<T>> {
    let mut numbered: Vec<Task<'a, Result<(usize, T)>>> = Vec::with_capacity(work.len());
    for (at, one) in work.into_iter().enumerate() {
        numbered.push(Box::pin(async move { one.await.map(|done| (at, done)) }));
    }
    let mut running = stream::iter(numbered).buffer_unordered(at_once.max(1));
    let mut done: Vec<(usize, T)> = Vec::new();
    while let Some(one) = running.try_next().await? {
        done.push(one);
        finished(done.len());
    }
    done.sort_unstable_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, one)| one).collect())
}

//! A model at a provider: its name, and requests to it.
//!
//! Long because retries, the budget and the record of an answer are decided together, try by try.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use futures_util::future::BoxFuture;
use precedent_http::{Effort, HttpGateway, Lost, Pace, Request, Secret};

use crate::bill::{Bill, RecordedBill};
use crate::log::{self, CallTrace};
use crate::provider::{SUCCESS, is_success, read_body};
use crate::{
    Ask, AskUsage, BatchQueue, Completion, Endpoint, Features, Finish, LlmError, Meter, ModelOptions, Provider, Usage,
    provider, providers,
};

/// Default timeout of one answer.
const TIMEOUT: Duration = Duration::from_secs(300);
/// Time limit for all attempts of one request; six answer timeouts if that is longer.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1800);
/// Maximum response size in bytes: many times the largest expected answer, with room for the provider's envelope.
const LONGEST: u64 = 8 << 20;
/// Default time to wait for a server that is down. Twice the longest outage that a run must survive (20 s), and short enough that a server that was
/// never started is noticed within a minute.
const OUTAGE: Duration = Duration::from_secs(45);
/// A model that rejected the schemas of this many prompts takes none. One alone may have had an unusual schema.
const MOST_REFUSED: usize = 2;
/// Attempts of one request while the server answers others, not counting waits that the server asked for.
const TRIES: u32 = 5;

/// At the end of the budget, an answer gets at least this fraction of its output limit.
const LEAST: u32 = 16;

/// A model name of the form `provider:name`.
#[derive(Clone)]
pub struct ModelName {
    /// The provider with the form of the requests.
    provider: &'static dyn Provider,
    /// The provider's id, or the user's name for another server with the same form.
    id: String,
    name: String,
}

impl ModelName {
    /// Parses `provider:name`. Only the first colon separates.
    ///
    /// # Errors
    /// If it has another form or the provider is unknown.
    pub fn parse(given: &str) -> Result<Self, LlmError> {
        Self::parse_with(given, |_| None)
    }

    /// The same with servers that the user named: `named` returns the provider whose form a server has.
    ///
    /// # Errors
    /// If it has another form, or neither a server nor a provider has the name.
    pub fn parse_with(given: &str, named: impl Fn(&str) -> Option<&'static dyn Provider>) -> Result<Self, LlmError> {
        let bad = || LlmError::BadModelName {
            given: given.chars().take(100).collect(),
            example: providers()
                .first()
                .map(|provider| provider.example())
                .unwrap_or_default()
                .to_owned(),
        };
        let (id, name) = given.trim().split_once(':').ok_or_else(bad)?;
        // Some providers use the name as part of the URL.
        let plain = |c: char| c.is_ascii_alphanumeric() || "-._:/@+".contains(c);
        if name.is_empty() || !name.chars().all(plain) || name.contains("..") {
            return Err(bad());
        }
        let provider = provider(id)
            .or_else(|| named(id))
            .ok_or_else(|| LlmError::NoSuchProvider {
                name: id.chars().take(100).collect(),
                known: providers()
                    .iter()
                    .map(|provider| provider.id())
                    .collect::<Vec<_>>()
                    .join(", "),
            })?;
        Ok(Self {
            provider,
            id: id.to_owned(),
            name: name.to_owned(),
        })
    }

    /// The provider.
    #[must_use]
    pub fn provider(&self) -> &'static dyn Provider {
        self.provider
    }

    /// The part before the colon: the provider's id, or the user's name for a server.
    #[must_use]
    pub fn provider_id(&self) -> &str {
        &self.id
    }

    /// Whether the user named the server. It then has no address and no key of the provider.
    #[must_use]
    pub fn is_named(&self) -> bool {
        self.id != self.provider.id()
    }

    /// The provider's own address; none for a server that the user named.
    #[must_use]
    pub fn base(&self) -> Option<&'static str> {
        self.provider.base().filter(|_| !self.is_named())
    }

    /// The environment variable of the provider's key; none for a server that the user named, which must not get it.
    #[must_use]
    pub fn key_variable(&self) -> Option<&'static str> {
        self.provider.key_variable().filter(|_| !self.is_named())
    }

    /// Checks that the provider has a batch endpoint.
    ///
    /// # Errors
    /// If it has none.
    pub fn check_batch(&self) -> Result<(), LlmError> {
        match self.provider.batch() {
            Some(_) => Ok(()),
            None => Err(LlmError::NoBatch {
                provider: self.provider.id().to_owned(),
            }),
        }
    }

    /// Checks that `base` contains nothing but a location. Addresses are recorded and shown, and so would be a key inside one.
    ///
    /// # Errors
    /// If it contains a user name, a password, a query or a fragment.
    pub fn check_address(&self, base: &str) -> Result<(), LlmError> {
        let after = base.split_once("://").map_or(base, |(_, rest)| rest);
        let authority = after.split(['/', '\\']).next().unwrap_or_default();
        if authority.contains('@') || base.contains(['?', '#']) {
            return Err(LlmError::SecretAddress {
                provider: self.id.clone(),
            });
        }
        Ok(())
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.id, self.name)
    }
}

impl fmt::Debug for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ModelName({self})")
    }
}

/// Anything that answers requests: a [`Model`], a wrapper around one, or a test double.
#[async_trait]
pub trait Answerer: Send + Sync {
    /// The answer. `taken` counts the usage even if there is no answer.
    ///
    /// # Errors
    /// If there is no answer, or the request could exceed the budget.
    async fn complete(&self, ask: &Ask, taken: &mut AskUsage) -> Result<Completion, LlmError>;

    /// The same after the end of the budget: only recorded answers, which are paid for.
    ///
    /// # Errors
    /// If no answer is recorded. The error is then that of the budget.
    async fn complete_from_record(&self, ask: &Ask, _taken: &mut AskUsage) -> Result<Completion, LlmError> {
        Err(LlmError::budget_ended(ask))
    }

    /// Whether a higher output limit than that of the request would change what is sent.
    fn takes_more(&self, _ask: &Ask) -> bool {
        true
    }
}

#[async_trait]
impl Answerer for Model {
    async fn complete(&self, ask: &Ask, taken: &mut AskUsage) -> Result<Completion, LlmError> {
        self.complete_with(ask, taken, Sending::Allowed).await
    }

    async fn complete_from_record(&self, ask: &Ask, taken: &mut AskUsage) -> Result<Completion, LlmError> {
        self.complete_with(ask, taken, Sending::Refused).await
    }

    fn takes_more(&self, ask: &Ask) -> bool {
        let limit = self.endpoint.options.output_tokens;
        limit.is_none_or(|limit| self.adjusted(ask).most_output < limit)
    }
}

/// Whether a request may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sending {
    /// If no answer is recorded.
    Allowed,
    /// The budget has ended.
    Refused,
}

/// A model that can be called.
#[derive(Debug)]
pub struct Model {
    name: ModelName,
    endpoint: Endpoint,
    gateway: Arc<HttpGateway>,
    meter: Arc<Meter>,
    at_once: usize,
    /// The most requests in a minute, if the user limits them.
    per_minute: Option<u32>,
    /// Requests go to its batches, if set.
    queue: Option<BatchQueue>,
    /// Timeout of one answer.
    timeout: Duration,
    /// How long to wait for a server that is down.
    outage: Duration,
    /// The time limit for all attempts of one request, if not the default.
    patience: Option<Duration>,
    /// The features that it has not rejected yet.
    features: Mutex<Features>,
    /// Prompts whose schema it rejected. The schemas of other prompts are still sent.
    refused_schemas: Mutex<BTreeSet<String>>,
}

impl Model {
    /// The model `name`, at `base` or else at its provider's own address. Runs at most `at_once` requests concurrently.
    ///
    /// # Errors
    /// If a required key or address is missing.
    pub fn new(
        name: ModelName,
        base: Option<&str>,
        key: Option<Secret>,
        at_once: usize,
        gateway: Arc<HttpGateway>,
        meter: Arc<Meter>,
    ) -> Result<Self, LlmError> {
        let provider = name.provider;
        let base = base.or(name.base()).ok_or_else(|| LlmError::NoAddress {
            provider: name.id.clone(),
        })?;
        name.check_address(base)?;
        let key = key.filter(|key| !key.is_empty());
        if let (Some(variable), None) = (name.key_variable(), &key) {
            return Err(LlmError::NoKey {
                provider: name.id.clone(),
                variable: variable.to_owned(),
            });
        }
        Ok(Self {
            endpoint: Endpoint {
                base: base.trim_end_matches('/').to_owned(),
                key,
                model: name.name.clone(),
                options: ModelOptions::default(),
            },
            features: Mutex::new(provider.features()),
            refused_schemas: Mutex::default(),
            queue: None,
            timeout: TIMEOUT,
            outage: OUTAGE,
            patience: None,
            name,
            gateway,
            meter,
            at_once,
            per_minute: None,
        })
    }

    /// Sends at most this many requests in a minute, together with all processes that share the ledger.
    #[must_use]
    pub fn at_most_per_minute(mut self, requests: Option<u32>) -> Self {
        self.per_minute = requests;
        self
    }

    fn pace(&self) -> Pace {
        match self.per_minute {
            Some(requests) => Pace::per_minute(requests, self.at_once),
            None => Pace::at_once(self.at_once),
        }
    }

    /// Sets the timeout of one answer, for models on slow machines. Default: five minutes.
    #[must_use]
    pub fn answering_within(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets what the user wants of each request.
    #[must_use]
    pub fn with_options(mut self, options: ModelOptions) -> Self {
        self.endpoint.options = options;
        self
    }

    /// Sends requests in batches instead of directly.
    ///
    /// # Errors
    /// If the provider has no batch endpoint.
    pub fn in_batches(mut self, queue: BatchQueue) -> Result<Self, LlmError> {
        self.name.check_batch()?;
        self.queue = Some(queue);
        Ok(self)
    }

    /// Sets how long to wait for a server that is down. Default: 45 s; zero fails at once.
    #[must_use]
    pub fn waiting_for(mut self, outage: Duration) -> Self {
        self.outage = outage;
        self
    }

    /// Sets the time limit for all attempts of one request. Default: half an hour, or six answer timeouts.
    #[must_use]
    pub fn patient_for(mut self, patience: Duration) -> Self {
        self.patience = Some(patience);
        self
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &ModelName {
        &self.name
    }

    /// What the user sets for each request.
    #[must_use]
    pub fn options(&self) -> &ModelOptions {
        &self.endpoint.options
    }

    /// The host that receives the requests, and the proxy that forwards them, if any.
    #[must_use]
    pub fn host(&self) -> String {
        self.gateway.host_of(&self.endpoint.base)
    }

    /// Sends a request within the budget. A feature that the model rejects (a schema, a temperature) is omitted from then on.
    ///
    /// `taken` counts the request if it was sent, and everything that may have been billed.
    ///
    /// # Errors
    /// If there is no answer, or the request could exceed the budget.
    pub fn complete<'a>(
        &'a self,
        ask: &'a Ask,
        taken: &'a mut AskUsage,
    ) -> BoxFuture<'a, Result<Completion, LlmError>> {
        self.complete_with(ask, taken, Sending::Allowed)
    }

    fn complete_with<'a>(
        &'a self,
        ask: &'a Ask,
        taken: &'a mut AskUsage,
        sending: Sending,
    ) -> BoxFuture<'a, Result<Completion, LlmError>> {
        Box::pin(async move {
            let (started, before) = (Instant::now(), *taken);
            let mut trace = CallTrace::default();
            let outcome = self.put(ask, taken, &mut trace, sending).await;
            let outcome = outcome.map_err(|error| error.of_provider(&self.name.id));
            let usage = log::usage_since(&before, taken);
            let (name, answered) = (&self.name, outcome.is_ok());
            log::called(name, &ask.id, &self.meter, usage, &trace, answered, started.elapsed());
            if trace.went_out {
                taken.questions += 1;
                taken.bytes += ask.text_bytes();
            }
            taken.answers += u64::from(outcome.is_ok());
            taken.unfinished += u32::from(outcome.as_ref().is_ok_and(Completion::is_unfinished));
            outcome
        })
    }

    async fn put(
        &self,
        ask: &Ask,
        taken: &mut AskUsage,
        trace: &mut CallTrace,
        mut sending: Sending,
    ) -> Result<Completion, LlmError> {
        let ask = &self.adjusted(ask);
        let mut alternatives: Option<Vec<Features>> = None;
        let mut missing = None;
        let mut features = *self.features.lock().unwrap_or_else(PoisonError::into_inner);
        features.schema &= !self.refuses_schema_of(&ask.id);
        loop {
            let provider = self.name.provider;
            let request = provider
                .request(ask, &self.endpoint, features)?
                .pace(self.pace())
                .limit_group(&self.endpoint.model)
                .timeout(self.timeout)
                .patience(self.patience.unwrap_or_else(|| PATIENCE.max(self.timeout * 6)))
                .tries(TRIES)
                .outage(self.outage)
                .at_most(LONGEST)
                .billed()
                // A redirect would send the texts, or the next request, to a host that the user did not name.
                .from_this_host()
                .with_bill({
                    let (model, most) = (self.name.to_string(), ask.at_most());
                    move |outcome| RecordedBill::new(&model, Bill::of(provider, outcome).at_most(most)).to_json()
                })
                // Not settled either: the user may mend the service, and the same command then gets an answer.
                .fruitless_when(move |status, body| match read_body(provider, status, body) {
                    Err(LlmError::NotTaken { message, .. }) => provider.without(features, &message).is_none(),
                    // A limit of a proxy or a context window that the user may raise.
                    Err(LlmError::TooLong { .. }) => true,
                    Ok(completion) => completion.is_unfinished(),
                    outcome => outcome.is_err_and(|error| error.ends_the_run()),
                })
                .passing_when(move |status, body| {
                    is_success(status) && matches!(read_body(provider, status, body), Err(LlmError::RateLimited { .. }))
                })
                .broken_when(move |status, body| {
                    is_success(status)
                        && matches!(
                            read_body(provider, status, body),
                            Err(LlmError::Unreadable { .. } | LlmError::Overloaded { .. })
                        )
                });
            let outcome = self.put_request(ask, &request, features, taken, trace, sending).await;
            if outcome.as_ref().is_err_and(LlmError::is_over_budget) {
                sending = Sending::Refused;
            }
            // In the recorded run, another request may have been the first to be rejected, so this one was sent with fewer features at once.
            if outcome
                .as_ref()
                .is_err_and(|error| error.is_missing() || error.is_over_budget())
            {
                match alternatives.get_or_insert_with(|| features.alternatives()).pop() {
                    Some(other) => {
                        missing.get_or_insert(outcome);
                        features = other;
                        continue;
                    }
                    None => return missing.unwrap_or(outcome),
                }
            }
            let Err(LlmError::NotTaken { message, .. }) = &outcome else {
                return outcome;
            };
            let Some(fewer) = provider.without(features, message) else {
                return outcome;
            };
            self.learn(&ask.id, features, fewer);
            features = fewer;
        }
    }

    /// Remembers what the model rejected.
    fn learn(&self, prompt: &str, before: Features, after: Features) {
        if before.schema && !after.schema {
            let mut refused = self.refused_schemas.lock().unwrap_or_else(PoisonError::into_inner);
            refused.insert(prompt.to_owned());
        }
        let mut known = self.features.lock().unwrap_or_else(PoisonError::into_inner);
        known.temperature &= after.temperature;
        known.completion_limit |= after.completion_limit;
    }

    /// Whether it rejected the schema of this prompt, or those of several others. The schema is then part of the prompt text.
    #[must_use]
    pub fn refuses_schema_of(&self, prompt: &str) -> bool {
        let refused = self.refused_schemas.lock().unwrap_or_else(PoisonError::into_inner);
        refused.contains(prompt) || refused.len() >= MOST_REFUSED
    }

    /// The request with the user's options: with room for thinking, and at the user's temperature.
    fn adjusted(&self, ask: &Ask) -> Ask {
        let options = &self.endpoint.options;
        let room = options.room_for_thinking(&self.endpoint.model);
        Ask {
            most_output: ask
                .most_output
                .saturating_add(room)
                .min(options.output_tokens.unwrap_or(u32::MAX)),
            temperature: options.temperature.unwrap_or(ask.temperature),
            ..ask.clone()
        }
    }

    /// Reserves the cost of every attempt that may be billed before sending it.
    async fn put_request(
        &self,
        ask: &Ask,
        request: &Request,
        features: Features,
        taken: &mut AskUsage,
        trace: &mut CallTrace,
        sending: Sending,
    ) -> Result<Completion, LlmError> {
        let (name, key) = (self.name.to_string(), request.key());
        let key = key.as_str();
        let mut effort = Effort::default();
        let mut earlier = true;
        let mut last = None;
        // Requests in parallel must not take what earlier runs paid for recorded answers that are reached later.
        self.meter.load_earlier(&self.gateway).await?;
        // A recorded answer was already paid for. It needs no room in the budget, in whatever order a replay reaches it.
        let is_recorded = self.gateway.is_settled(request).await?;
        trace.recorded = is_recorded;
        let earlier_retries = trace.retries;
        // What an earlier run paid for an answer that is requested again counts before anything is reserved.
        let paid = match is_recorded {
            true => Vec::new(),
            false => self.gateway.lost_before(request).await?,
        };
        let charge = |lost: &[Lost], taken: &mut AskUsage| {
            let mut usage = Usage::default();
            for one in lost {
                let bill = match one {
                    Lost::Unheard => Bill::Unknown,
                    Lost::Answer(body) => Bill::of_body(self.name.provider, SUCCESS, body.as_bytes()),
                };
                usage += bill.count(ask.at_most(), taken);
            }
            let live = if is_recorded { Usage::default() } else { usage };
            self.meter.charge(&name, &ask.id, usage, live, Some(key));
        };
        if !is_recorded {
            charge(&paid, taken);
        }
        loop {
            let reserved = match is_recorded {
                true => Ok(self.meter.reserve_nothing(&name, key)),
                false if sending == Sending::Refused => Err(LlmError::budget_ended(ask)),
                false => self.meter.reserve(&name, ask, self.least_output(ask)).await,
            };
            let reserved = match (reserved, last.take()) {
                (Ok(reserved), _) => reserved,
                // The outcome of the last attempt is recorded, so that a replay finds it there.
                (Err(_), Some(last)) => return last,
                (Err(error), None) => {
                    if error.is_over_budget() {
                        self.gateway.refuse(request).await?;
                        trace.went_out |= !paid.is_empty();
                    }
                    return Err(error);
                }
            };
            let most_output = reserved.most_output.min(ask.most_output);
            let sent = &Ask {
                most_output,
                ..ask.clone()
            };
            let shorter = match most_output < ask.most_output {
                true => Some(self.shorter(sent, request, features)?),
                false => None,
            };
            let request = shorter.as_ref().unwrap_or(request);
            let attempt = match &self.queue {
                Some(queue) if !is_recorded => {
                    let provider = self.name.provider;
                    queue.attempt(&self.gateway, provider, &self.endpoint, request).await?
                }
                _ => self.gateway.attempt(request, &mut effort).await,
            };
            trace.went_out |= attempt.went_out || !attempt.lost.is_empty();
            trace.retries = earlier_retries + effort.retries();
            if std::mem::take(&mut earlier) {
                let more = attempt.lost.get(paid.len()..).unwrap_or_default();
                charge(more, taken);
            }
            if attempt.took_over {
                self.meter.may_have_cost(&name, ask.at_most());
            }
            let bill = Bill::of(self.name.provider, &attempt.outcome);
            let outcome = match attempt.outcome {
                Ok(response) => self.name.provider.read(&response),
                Err(error) => Err(error.into()),
            };
            match (bill, &outcome) {
                (Bill::Unknown, _) => self.meter.lost(),
                (Bill::Known(usage), Ok(completion)) if completion.finish == Finish::Whole => {
                    self.meter.learn(&name, sent, usage);
                }
                _ => {}
            }
            let most = reserved.most.unwrap_or_else(|| sent.at_most());
            let usage = bill.count(
                Usage {
                    output: u64::from(sent.most_output).min(most.output),
                    ..most
                },
                taken,
            );
            self.meter.settle(reserved, &ask.id, usage, outcome.is_ok());
            let is_cut = outcome.as_ref().is_ok_and(|one| one.finish == Finish::CutOff);
            taken.limited += u32::from(attempt.is_limited && is_cut);
            let outcome = outcome.map(|completion| Completion {
                usage: completion.usage.believable(),
                ..completion
            });
            if !attempt.again {
                return outcome;
            }
            last = Some(outcome);
        }
    }

    /// The request with the output limit that the budget allows. Its answer is recorded as that of the whole request, unless it was cut off.
    fn shorter(&self, ask: &Ask, request: &Request, features: Features) -> Result<Request, LlmError> {
        let provider = self.name.provider;
        let shorter = provider.request(ask, &self.endpoint, features)?;
        Ok(request.clone().sending(&shorter, move |status, body| {
            read_body(provider, status, body).is_ok_and(|completion| completion.finish == Finish::CutOff)
        }))
    }

    /// The smallest output limit worth a request at the end of the budget. Services refuse a limit below the tokens reserved for thinking.
    fn least_output(&self, ask: &Ask) -> u32 {
        match self.endpoint.options.thinking_tokens {
            Some(_) => ask.most_output,
            None => ask.most_output.div_ceil(LEAST),
        }
    }
}

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use precedent_http::{Door, Effort, HttpError, Lost, Pace, Request, Response, Secret};

use crate::{Ask, Completion, Endpoint, Features, LlmError, Meter, Provider, Taken, Usage, provider, providers};

/// How long one answer may take, unless told.
const TIMEOUT: Duration = Duration::from_secs(300);
/// How long all tries of one ask may take, or six answers, whichever is longer.
const PATIENCE: Duration = Duration::from_secs(1800);
/// The longest answer that is taken, in bytes: many times what is asked for, with room for what a provider sends along.
const LONGEST: u64 = 8 << 20;
/// How long one ask waits for a server that is down, unless told. Twice the longest hiccup that a run must survive (20 s), and short enough that a
/// server which was never started is noticed within a minute.
const OUTAGE: Duration = Duration::from_secs(45);
/// Tries of one ask where the server answers others, being told to wait not counted.
const TRIES: u32 = 5;

/// A model by name: `provider:name`.
#[derive(Clone)]
pub struct ModelName {
    provider: &'static dyn Provider,
    name: String,
}

impl ModelName {
    /// Reads `provider:name`; only the first colon counts.
    ///
    /// # Errors
    /// When it has another form, or no such provider is known.
    pub fn parse(given: &str) -> Result<Self, LlmError> {
        let bad = || LlmError::BadModelName {
            given: given.chars().take(100).collect(),
            example: providers()
                .first()
                .map(|provider| provider.example())
                .unwrap_or_default()
                .to_owned(),
        };
        let (id, name) = given.trim().split_once(':').ok_or_else(bad)?;
        // The name becomes part of an address with some providers.
        let plain = |c: char| c.is_ascii_alphanumeric() || "-._:/@+".contains(c);
        if name.is_empty() || !name.chars().all(plain) || name.contains("..") {
            return Err(bad());
        }
        let provider = provider(id).ok_or_else(|| LlmError::NoSuchProvider {
            name: id.chars().take(100).collect(),
            known: providers()
                .iter()
                .map(|provider| provider.id())
                .collect::<Vec<_>>()
                .join(", "),
        })?;
        Ok(Self {
            provider,
            name: name.to_owned(),
        })
    }

    /// The provider.
    #[must_use]
    pub fn provider(&self) -> &'static dyn Provider {
        self.provider
    }

    /// Whether `base` is a place and nothing more. Addresses are written down and shown; a key inside one would be too.
    ///
    /// # Errors
    /// When it holds a user name, a password, a query or a fragment.
    pub fn check_address(&self, base: &str) -> Result<(), LlmError> {
        let after = base.split_once("://").map_or(base, |(_, rest)| rest);
        let authority = after.split(['/', '\\']).next().unwrap_or_default();
        if authority.contains('@') || base.contains(['?', '#']) {
            return Err(LlmError::SecretAddress {
                provider: self.provider.id().to_owned(),
            });
        }
        Ok(())
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.provider.id(), self.name)
    }
}

impl fmt::Debug for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ModelName({self})")
    }
}

/// Whatever answers a question: a [`Model`], or something that stands in for one.
#[async_trait]
pub trait Answerer: Send + Sync {
    /// What it says; `taken` counts what it took even where no answer came.
    ///
    /// # Errors
    /// When there is no answer, or asking could cost more than is left.
    async fn complete(&self, ask: &Ask, taken: &mut Taken) -> Result<Completion, LlmError>;
}

#[async_trait]
impl Answerer for Model {
    async fn complete(&self, ask: &Ask, taken: &mut Taken) -> Result<Completion, LlmError> {
        Self::complete(self, ask, taken).await
    }
}

/// A model that can be asked.
#[derive(Debug)]
pub struct Model {
    name: ModelName,
    endpoint: Endpoint,
    door: Arc<Door>,
    meter: Arc<Meter>,
    at_once: usize,
    /// How long one answer may take.
    timeout: Duration,
    /// How long to wait for a server that is down.
    outage: Duration,
    /// What it takes along, as far as it has not said otherwise.
    features: Mutex<Features>,
}

impl Model {
    /// The model `name`, at `base` if it is not at its provider's own address. At most `at_once` asks run at the same time.
    ///
    /// # Errors
    /// When a key or an address is needed and was not given.
    pub fn new(
        name: ModelName,
        base: Option<&str>,
        key: Option<Secret>,
        at_once: usize,
        door: Arc<Door>,
        meter: Arc<Meter>,
    ) -> Result<Self, LlmError> {
        let provider = name.provider;
        let base = base.or(provider.base()).ok_or_else(|| LlmError::NoAddress {
            provider: provider.id().to_owned(),
        })?;
        name.check_address(base)?;
        let key = key.filter(|key| !key.is_empty());
        if let (Some(variable), None) = (provider.key_variable(), &key) {
            return Err(LlmError::NoKey {
                provider: provider.id().to_owned(),
                variable: variable.to_owned(),
            });
        }
        Ok(Self {
            endpoint: Endpoint {
                base: base.trim_end_matches('/').to_owned(),
                key,
                model: name.name.clone(),
            },
            features: Mutex::new(provider.features()),
            timeout: TIMEOUT,
            outage: OUTAGE,
            name,
            door,
            meter,
            at_once,
        })
    }

    /// How long one answer may take, for those that run on slow machines. Five minutes unless told.
    #[must_use]
    pub fn answering_within(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How long to wait for a server that is down. 45 s unless told; zero fails at once.
    #[must_use]
    pub fn waiting_for(mut self, outage: Duration) -> Self {
        self.outage = outage;
        self
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &ModelName {
        &self.name
    }

    /// The host that is asked.
    #[must_use]
    pub fn host(&self) -> String {
        let after = self
            .endpoint
            .base
            .split_once("://")
            .map_or(self.endpoint.base.as_str(), |(_, rest)| rest);
        let host = after.split(['/', '?', '#']).next().unwrap_or_default();
        host.rsplit('@').next().unwrap_or_default().to_owned()
    }

    /// Asks, within the budget. What the model says it does not take (a schema, a temperature) is left out from then on.
    ///
    /// `taken` counts the question where it went out, and everything that may have been billed.
    ///
    /// # Errors
    /// When there is no answer, or asking could cost more than is left.
    pub async fn complete(&self, ask: &Ask, taken: &mut Taken) -> Result<Completion, LlmError> {
        let mut went_out = false;
        let outcome = self.put(ask, taken, &mut went_out).await;
        if went_out {
            taken.questions += 1;
            taken.bytes += ask.text_bytes();
        }
        taken.answers += u64::from(outcome.is_ok());
        outcome
    }

    async fn put(&self, ask: &Ask, taken: &mut Taken, went_out: &mut bool) -> Result<Completion, LlmError> {
        let mut features = *self.features.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let provider = self.name.provider;
            let request = provider
                .request(ask, &self.endpoint, features)?
                .pace(Pace::at_once(self.at_once))
                .timeout(self.timeout)
                .patience(PATIENCE.max(self.timeout * 6))
                .tries(TRIES)
                .outage(self.outage)
                .at_most(LONGEST)
                .billed()
                .fruitless_when(move |status, body| {
                    read_body(provider, status, body).is_err_and(|error| error.ends_the_run())
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
            let outcome = self.put_request(ask, &request, taken, went_out).await;
            let Err(LlmError::NotTaken { said, .. }) = &outcome else {
                return outcome;
            };
            let Some(fewer) = provider.without(features, said) else {
                return outcome;
            };
            features = fewer;
            *self.features.lock().unwrap_or_else(PoisonError::into_inner) = fewer;
        }
    }

    /// Every try that may be billed is reserved before it goes out.
    async fn put_request(
        &self,
        ask: &Ask,
        request: &Request,
        taken: &mut Taken,
        went_out: &mut bool,
    ) -> Result<Completion, LlmError> {
        let name = self.name.to_string();
        let mut effort = Effort::default();
        let mut earlier = true;
        let mut last = None;
        // An answer on record is paid for: it needs no room in the budget, in whatever order a replay comes to it.
        let is_recorded = self.door.is_settled(request).await?;
        loop {
            let reserved = match is_recorded {
                true => Ok(self.meter.reserve_nothing(&name)),
                false => self.meter.reserve(&name, ask).await,
            };
            let reserved = match (reserved, last.take()) {
                (Ok(reserved), _) => reserved,
                // What the last try met is on record, and a replay finds it there.
                (Err(_), Some(last)) => return last,
                (Err(error), None) => return Err(error),
            };
            let attempt = self.door.attempt(request, &mut effort).await;
            *went_out |= attempt.went_out || !attempt.lost.is_empty();
            if std::mem::take(&mut earlier) {
                for lost in &attempt.lost {
                    let bill = match lost {
                        Lost::Unheard => Bill::Unknown,
                        Lost::Answer(body) => self.bill(SUCCESS, body.as_bytes()),
                    };
                    self.meter.charge(&name, &ask.id, bill.count(ask, taken));
                }
            }
            let bill = match &attempt.outcome {
                Ok(response) => self.bill(response.status, &response.body),
                Err(
                    HttpError::Unreachable { sent: true, .. } | HttpError::TimedOut { .. } | HttpError::TooLarge { .. },
                ) => Bill::Unknown,
                Err(_) => Bill::Known(Usage::default()),
            };
            let outcome = match attempt.outcome {
                Ok(response) => self.name.provider.read(&response),
                Err(error) => Err(error.into()),
            };
            self.meter
                .settle(reserved, &ask.id, bill.count(ask, taken), outcome.is_ok());
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

    /// What a try with this answer is billed.
    fn bill(&self, status: u16, body: &[u8]) -> Bill {
        let provider = self.name.provider;
        if let Some(usage) = provider.usage(body) {
            return Bill::Known(usage);
        }
        let is_unreadable = || matches!(read_body(provider, status, body), Err(LlmError::Unreadable { .. }));
        match is_success(status) && is_unreadable() {
            true => Bill::Unknown,
            false => Bill::Known(Usage::default()),
        }
    }
}

/// What a try is billed.
#[derive(Debug, Clone, Copy)]
enum Bill {
    /// As the provider says.
    Known(Usage),
    /// It may be billed, and nobody says for how much: the most that it may have taken counts.
    Unknown,
}

impl Bill {
    /// Counts it in `taken`, and gives the tokens that count towards the budget.
    fn count(self, ask: &Ask, taken: &mut Taken) -> Usage {
        match self {
            Self::Known(usage) => {
                taken.usage += usage;
                usage
            }
            Self::Unknown => {
                taken.lost += 1;
                taken.assumed += ask.at_most();
                ask.at_most()
            }
        }
    }
}

/// The status of answers.
const SUCCESS: u16 = 200;

fn is_success(status: u16) -> bool {
    (200..300).contains(&status)
}

/// What a provider reads in a body under this status.
fn read_body(provider: &dyn Provider, status: u16, body: &[u8]) -> Result<Completion, LlmError> {
    provider.read(&Response {
        status,
        headers: Vec::new(),
        body: body.to_vec(),
        address: String::new(),
        recorded: false,
    })
}

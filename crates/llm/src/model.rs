use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use precedent_http::{Door, Pace, Response, Secret};

use crate::{Ask, Completion, Endpoint, Features, LlmError, Meter, Provider, provider, providers};

/// How long one answer may take, unless told.
const TIMEOUT: Duration = Duration::from_secs(300);
/// How long all tries of one ask may take, or six answers, whichever is longer.
const PATIENCE: Duration = Duration::from_secs(1800);
/// The longest answer that is taken, in bytes: many times what is asked for, with room for what a provider sends along.
const LONGEST: u64 = 8 << 20;
/// Tries of one ask, being told to wait not counted.
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
    /// What it says.
    ///
    /// # Errors
    /// When there is no answer, or asking could cost more than is left.
    async fn complete(&self, ask: &Ask) -> Result<Completion, LlmError>;
}

#[async_trait]
impl Answerer for Model {
    async fn complete(&self, ask: &Ask) -> Result<Completion, LlmError> {
        Self::complete(self, ask).await
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
    /// # Errors
    /// When there is no answer, or asking could cost more than is left.
    pub async fn complete(&self, ask: &Ask) -> Result<Completion, LlmError> {
        let reserved = self.meter.reserve(&self.name.to_string(), ask)?;
        let outcome = self.put(ask).await;
        let usage = outcome.as_ref().map(|completion| completion.usage).unwrap_or_default();
        self.meter.settle(reserved, &ask.id, usage, outcome.is_ok());
        outcome
    }

    async fn put(&self, ask: &Ask) -> Result<Completion, LlmError> {
        let mut features = *self.features.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let provider = self.name.provider;
            let request = provider
                .request(ask, &self.endpoint, features)?
                .pace(Pace::at_once(self.at_once))
                .timeout(self.timeout)
                .patience(PATIENCE.max(self.timeout * 6))
                .tries(TRIES)
                .at_most(LONGEST)
                .fruitless_when(move |status, body| is_fruitless(provider, status, body));
            let outcome = provider.read(&self.door.send(&request).await?);
            let Err(LlmError::NotTaken { said, .. }) = &outcome else {
                return outcome.map(|completion| Completion {
                    usage: completion.usage.believable(),
                    ..completion
                });
            };
            let Some(fewer) = provider.without(features, said) else {
                return outcome;
            };
            features = fewer;
            *self.features.lock().unwrap_or_else(PoisonError::into_inner) = fewer;
        }
    }
}

/// Whether asking again at once is no use and asking in a later run is: what the user can mend (the key, the account, a model that was not fetched yet), and what
/// a router passes on under the status of success.
fn is_fruitless(provider: &dyn Provider, status: u16, body: &[u8]) -> bool {
    let response = Response {
        status,
        headers: Vec::new(),
        body: body.to_vec(),
        address: String::new(),
        recorded: false,
    };
    match provider.read(&response) {
        Err(error) if error.ends_the_run() => true,
        Err(LlmError::RateLimited { .. } | LlmError::Overloaded { .. }) => response.is_success(),
        _ => false,
    }
}

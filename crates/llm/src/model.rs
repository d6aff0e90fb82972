use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use precedent_http::{Door, Pace, Secret};

use crate::{Ask, Completion, Endpoint, Features, LlmError, Meter, Provider, provider, providers};

/// How long one answer may take.
const TIMEOUT: Duration = Duration::from_secs(300);
/// How long all tries of one ask may take.
const PATIENCE: Duration = Duration::from_secs(1800);
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
            name,
            door,
            meter,
            at_once,
        })
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
                .timeout(TIMEOUT)
                .patience(PATIENCE)
                .tries(TRIES)
                .settled_when(move |status, body| provider.is_settled(status, body));
            let outcome = provider.read(&self.door.send(&request).await?);
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
}

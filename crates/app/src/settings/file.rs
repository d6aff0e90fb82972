//! The settings file. Command-line flags override the environment. The environment overrides the file, except for `mailto` and the URLs of services.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use precedent_engine::llm::{LlmError, ModelName, ModelOptions, Prices, Secret, provider, providers};
use precedent_engine::sources::{PaperPlaces, Service, service};
use serde::Deserialize;

use super::provider::{ProviderSettings, RequestForm};
use super::stage::{self, StageSettings};
use crate::{AppError, ErrorKind};

/// Contents of the file. Every key is optional. Unknown keys are errors, so that a misspelled setting is not silently ignored.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// `offline` or `provider:name`.
    pub model: Option<String>,
    /// URL of the model API, if not the provider's default.
    pub model_url: Option<String>,
    /// Embedder for the candidates of a search.
    pub embedder: Option<String>,
    /// URL of the embedder's server.
    pub embedder_url: Option<String>,
    /// Reranker for the candidates of a search.
    pub reranker: Option<String>,
    /// URL of the reranker's server.
    pub reranker_url: Option<String>,
    /// Maximum concurrent model requests.
    pub at_once: Option<usize>,
    /// Refuse connections to all hosts except this machine and the private hosts.
    #[serde(default)]
    pub local_only: bool,
    /// Hosts on the user's network that `local_only` allows.
    #[serde(default)]
    pub private_hosts: Vec<String>,
    /// Models and other settings for single stages.
    #[serde(default, deserialize_with = "stage::deserialize")]
    pub(crate) stages: BTreeMap<String, StageSettings>,
    /// Settings by provider.
    #[serde(default)]
    pub providers: BTreeMap<String, ProviderSettings>,
    /// Model prices.
    #[serde(default)]
    pub prices: Prices,
    /// Contact e-mail address for literature services. Some respond faster to requests that include one.
    pub mailto: Option<String>,
    /// `env` for the proxies of the environment, or the address of a proxy.
    pub proxy: Option<String>,
    /// File with additional certificate authorities, in PEM format.
    pub ca_file: Option<PathBuf>,
    /// Days for which all runs on this machine share an answer of a literature service; 0 for never.
    pub cache_days: Option<u16>,
    /// URL of the PostgreSQL database that batches share, without a password.
    pub database: Option<String>,
    /// Settings by literature service.
    #[serde(default)]
    pub sources: BTreeMap<String, SourceSettings>,
    /// Where papers given by name are downloaded from.
    #[serde(default)]
    pub papers: PaperSettings,
}

/// Alternative URLs, such as mirrors, for papers given by name.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PaperSettings {
    /// Replaces arXiv.
    pub arxiv: Option<String>,
    /// Replaces the ACL Anthology.
    pub acl: Option<String>,
    /// Replaces OpenReview.
    pub openreview: Option<String>,
    /// Replaces Europe PMC.
    pub pmc: Option<String>,
    /// Replaces the index of open works.
    pub works: Option<String>,
    /// Replaces Unpaywall.
    pub unpaywall: Option<String>,
    /// Replaces Semantic Scholar, for papers given by its ids.
    pub semantic_scholar: Option<String>,
    /// Minimum time between two requests to arXiv or its replacement, in milliseconds.
    pub arxiv_between_ms: Option<u64>,
}

impl PaperSettings {
    /// Where papers are downloaded from.
    fn places(&self, mailto: Option<Secret>, works_key: Option<Secret>) -> PaperPlaces {
        let usual = PaperPlaces::default();
        let or = |own: &Option<String>, usual: String| own.clone().unwrap_or(usual);
        PaperPlaces {
            arxiv: or(&self.arxiv, usual.arxiv),
            acl: or(&self.acl, usual.acl),
            openreview: or(&self.openreview, usual.openreview),
            pmc: or(&self.pmc, usual.pmc),
            works: or(&self.works, usual.works),
            works_key,
            unpaywall: or(&self.unpaywall, usual.unpaywall),
            mailto,
            semantic_scholar: or(&self.semantic_scholar, usual.semantic_scholar),
            arxiv_pace: self.arxiv_between_ms.map_or(usual.arxiv_pace, Duration::from_millis),
        }
    }
}

/// Settings of one service.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceSettings {
    /// Alternative URL, such as a mirror.
    pub url: Option<String>,
    /// Alternative URL for the texts that it links to: a page reader or an archive mirror.
    pub texts: Option<String>,
    /// Environment variable that holds its key. Keys are never stored in the file.
    pub key_variable: Option<String>,
    /// Time limit for all queries of a run together, in seconds.
    pub seconds: Option<u64>,
    /// Minimum time between two requests, in milliseconds.
    pub between_ms: Option<u64>,
    /// Maximum spend per run, in US dollars.
    pub budget: Option<f64>,
    /// The corpus of a source that is searched locally.
    pub corpus: Option<PathBuf>,
}

impl Settings {
    /// Share of the price that a provider charges for calls in batches.
    pub(crate) fn batch_share(&self, provider: &str) -> Result<f64, AppError> {
        let own = self.providers.get(provider);
        // OpenAI and Anthropic, 2026-11.
        let share = own.and_then(|own| own.batch_price_share).unwrap_or(0.5);
        if !(0.0..=1.0).contains(&share) {
            return Err(AppError::with_message(
                ErrorKind::Usage,
                "invalid batch_price_share in the settings: expected a share of the price, 0 to 1",
            ));
        }
        Ok(share)
    }

    /// Parses `provider:name`, where the provider may be one of the settings file.
    ///
    /// # Errors
    /// If it has another form, or the provider is unknown.
    pub fn model_name(&self, given: &str) -> Result<ModelName, LlmError> {
        ModelName::parse_with(given, |id| {
            let form = self.providers.get(id).and_then(|own| own.form);
            form.and_then(RequestForm::provider)
        })
    }

    /// Checks the tables of providers: a misspelled name would leave its settings unused.
    ///
    /// # Errors
    /// If a known provider has a form, or another one has none or an unusable name.
    fn check_providers(&self) -> Result<(), String> {
        for (name, own) in &self.providers {
            let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
            match (provider(name), own.form) {
                (Some(_), Some(_)) => {
                    return Err(format!(
                        "[providers.{name}] is a known provider and takes no `form`; use another name"
                    ));
                }
                (Some(_), None) => {}
                (None, None) => {
                    let known: Vec<&str> = providers().iter().map(|one| one.id()).collect();
                    return Err(format!(
                        "unknown provider {name} in [providers.{name}]; for a server of your own set `form` to \"openai\", \"anthropic\" or \"gemini\"; known providers: {}",
                        known.join(", ")
                    ));
                }
                (None, Some(_)) if !name.chars().all(is_plain) || name == "offline" => {
                    return Err(format!(
                        "[providers.{name}]: the name may contain lower-case letters, digits, `-` and `_`, and is not `offline`"
                    ));
                }
                (None, Some(_)) => {}
            }
        }
        Ok(())
    }

    /// Where papers are downloaded from.
    pub fn places(&self) -> PaperPlaces {
        // The index of open works is OpenAlex, so its key goes there too.
        let own = self.sources.get("openalex").and_then(|own| own.key_variable.as_deref());
        let usual = service("openalex").ok().and_then(Service::key_variable);
        let key = own.or(usual).and_then(|variable| std::env::var(variable).ok());
        let key = key.map(|key| Secret::new(&key)).filter(|key| !key.is_empty());
        self.papers.places(self.mailto(), key)
    }

    /// The user's e-mail address, from the file or else the environment.
    pub fn mailto(&self) -> Option<Secret> {
        let held = || std::env::var("PRECEDENT_MAILTO").ok();
        let mailto = self.mailto.clone().or_else(held);
        mailto
            .map(|mailto| Secret::new(&mailto))
            .filter(|mailto| !mailto.is_empty())
    }

    /// The settings for requests of `stage` to this model: those of the stage replace those of the provider.
    pub(crate) fn request_settings(&self, model: &ModelName, stage: Option<&str>) -> Option<ProviderSettings> {
        let own = self.providers.get(model.provider_id());
        match stage.and_then(|stage| self.stage_settings(stage, model)) {
            Some(stage) => Some(stage.replacing(own.cloned().unwrap_or_default())),
            None => own.cloned(),
        }
    }

    /// The settings of a stage other than its model. They apply to the model that the table of the stage names; without one, to any.
    pub(crate) fn stage_settings(&self, stage: &str, model: &ModelName) -> Option<&StageSettings> {
        let own = self.stages.get(stage)?;
        let is_meant = own
            .model
            .as_deref()
            .is_none_or(|named| named.trim() == model.to_string());
        Some(own).filter(|own| is_meant && own.has_options())
    }

    /// Tokens that are added to the output limit of the model `provider:name` in `stage`, for thinking.
    pub fn room_for_thinking(&self, model: &str, stage: &str) -> u32 {
        let Ok(model) = self.model_name(model) else {
            return 0;
        };
        let own = self.request_settings(&model, Some(stage));
        let options = ModelOptions {
            thinking_tokens: own.and_then(|own| own.thinking_tokens),
            ..ModelOptions::default()
        };
        let name = model.to_string();
        options.room_for_thinking(name.split_once(':').map_or("", |(_, name)| name))
    }

    /// Loads the named file, or the default file if it exists.
    ///
    /// # Errors
    /// If the named file does not exist, or a file is not valid. The message names the file, the line and the key.
    pub fn load(named: Option<&Path>) -> Result<Self, AppError> {
        match settings_file(named) {
            Some(path) => Self::read(&path),
            None => Ok(Self::default()),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it does not exist or is not valid.
    pub fn read(path: &Path) -> Result<Self, AppError> {
        let failed = |position: &str, why: &str| {
            let message = format!("failed to read the settings {}{position}: {why}", path.display());
            AppError::with_message(ErrorKind::Usage, message)
                .hint("`precedent init --settings example.toml` writes an example with every setting")
        };
        let text = std::fs::read_to_string(path).map_err(|error| failed("", &error.to_string()))?;
        let settings: Self = toml::from_str(&text).map_err(|error| {
            let start = error.span().map(|span| span.start);
            let position = start.map(|start| position(&text, start)).unwrap_or_default();
            failed(&position, error.message())
        })?;
        settings.check_providers().map_err(|why| failed("", &why))?;
        stage::check(&settings.stages).map_err(|why| failed("", &why))?;
        settings.prices.check().map_err(|why| failed("", &why))?;
        Ok(settings)
    }
}

/// The file that [`Settings::load`] reads.
pub fn settings_file(named: Option<&Path>) -> Option<PathBuf> {
    match named {
        Some(path) => Some(path.to_owned()),
        None => usual_settings_file().filter(|path| path.is_file()),
    }
}

/// Line and key of a byte offset in a settings file: `, line 3, key papers.arxiv`.
fn position(text: &str, offset: usize) -> String {
    let number = text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1;
    let (mut table, mut key) = (String::new(), String::new());
    for line in text.lines().map(str::trim).take(number) {
        if let Some(name) = line.strip_prefix('[') {
            let name = name.trim_start_matches('[').split(']').next();
            table = name.unwrap_or_default().trim().to_owned();
            key.clear();
        } else if let Some((name, _)) = line.split_once('=').filter(|_| !line.starts_with('#')) {
            key = name.trim().to_owned();
        }
    }
    let dot = if table.is_empty() || key.is_empty() { "" } else { "." };
    match table.is_empty() && key.is_empty() {
        true => format!(", line {number}"),
        false => format!(", line {number}, key {table}{dot}{key}"),
    }
}

/// `$XDG_CONFIG_HOME/precedent/settings.toml`, or in `~/.config`. The current folder is not searched, so that a paper's folder cannot change
/// settings.
pub fn usual_settings_file() -> Option<PathBuf> {
    let config = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".config"));
    let config = config.filter(|path| path.is_absolute()).or_else(home)?;
    Some(config.join("precedent/settings.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_and_unknown_keys_are_rejected() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.toml");
        let text = "model = 'ollama:m'\nprivate_hosts = ['models.lab']\n[stages]\ncompare = 'openai:x'\n[providers.openai]\nkey_variable = 'MY_KEY'\n\
            [prices]\nas_of = '2026-11-01'\n[[prices.price]]\nmodel = 'openai:x'\ninput = 1.0\noutput = 2.0\n";
        std::fs::write(&path, text).unwrap();
        let settings = Settings::load(Some(&path)).unwrap();
        assert_eq!(settings.model.as_deref(), Some("ollama:m"));
        assert_eq!(settings.stages["compare"].model.as_deref(), Some("openai:x"));
        assert!(settings.prices.of("openai:x").is_some());
        std::fs::write(
            &path,
            "model = 'ollama:m'\n[stages]\nrank = 'ollama:n'\nlines = 'ollama:n'",
        )
        .unwrap();
        let message = Settings::load(Some(&path)).unwrap_err().to_string();
        assert!(
            message.contains(", line 4, key stages.lines: unknown model stage lines; available stages: extract, "),
            "{message}"
        );
        std::fs::write(&path, "modell = 'x'").unwrap();
        assert!(Settings::load(Some(&path)).is_err());
        assert!(Settings::load(Some(&dir.path().join("none.toml"))).is_err());
    }
}

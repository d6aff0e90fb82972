//! The settings file: what a user does not want to type each time. What is typed wins over the environment, and that over the file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use precedent_engine::llm::{Prices, Secret};
use precedent_engine::sources::PaperPlaces;
use serde::Deserialize;

use crate::ExitCode;
use crate::exit::Failure;

/// The file's contents. Every key is optional; an unknown one is an error, so that a slip of the pen is not a setting that does nothing.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// `offline` or `provider:name`.
    pub(crate) model: Option<String>,
    /// Where the model is served, if not at its provider's own address.
    pub(crate) model_url: Option<String>,
    /// Embedder set over the candidates of a search, and where it is served if not on this machine.
    pub(crate) embedder: Option<String>,
    pub(crate) embedder_url: Option<String>,
    /// Reranker set over the candidates of a search, and where it is served.
    pub(crate) reranker: Option<String>,
    pub(crate) reranker_url: Option<String>,
    /// Most questions at the same time.
    pub(crate) at_once: Option<usize>,
    /// Refuse every host but this machine and the private hosts.
    #[serde(default)]
    pub(crate) local_only: bool,
    /// Hosts of one's own network that `local_only` lets through.
    #[serde(default)]
    pub(crate) private_hosts: Vec<String>,
    /// Other models for single stages.
    #[serde(default)]
    pub(crate) stages: BTreeMap<String, String>,
    /// By provider.
    #[serde(default)]
    pub(crate) providers: BTreeMap<String, ProviderSettings>,
    /// What models cost.
    #[serde(default)]
    pub(crate) prices: Prices,
    /// An e-mail address that literature services may write to; some answer faster to who gives one.
    pub(crate) mailto: Option<String>,
    /// By literature service.
    #[serde(default)]
    pub(crate) sources: BTreeMap<String, SourceSettings>,
    /// Where papers that are named are fetched from.
    #[serde(default)]
    pub(crate) papers: PaperSettings,
}

/// Other addresses, such as mirrors', for papers that are named.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PaperSettings {
    /// In place of arXiv's.
    pub(crate) arxiv: Option<String>,
    /// In place of the ACL Anthology's.
    pub(crate) acl: Option<String>,
    /// In place of OpenReview's.
    pub(crate) openreview: Option<String>,
    /// In place of Europe PMC's.
    pub(crate) pmc: Option<String>,
    /// In place of the index of open works.
    pub(crate) works: Option<String>,
    /// In place of Unpaywall's.
    pub(crate) unpaywall: Option<String>,
    /// In place of Semantic Scholar's, where papers are named by its records.
    pub(crate) semantic_scholar: Option<String>,
    /// The least time between two requests to arXiv or what stands in its place, in milliseconds.
    pub(crate) arxiv_between_ms: Option<u64>,
}

impl PaperSettings {
    /// Where papers are fetched.
    fn places(&self, mailto: Option<Secret>) -> PaperPlaces {
        let usual = PaperPlaces::default();
        let or = |own: &Option<String>, usual: String| own.clone().unwrap_or(usual);
        PaperPlaces {
            arxiv: or(&self.arxiv, usual.arxiv),
            acl: or(&self.acl, usual.acl),
            openreview: or(&self.openreview, usual.openreview),
            pmc: or(&self.pmc, usual.pmc),
            works: or(&self.works, usual.works),
            unpaywall: or(&self.unpaywall, usual.unpaywall),
            mailto,
            semantic_scholar: or(&self.semantic_scholar, usual.semantic_scholar),
            arxiv_pace: self.arxiv_between_ms.map_or(usual.arxiv_pace, Duration::from_millis),
        }
    }
}

/// How one service is asked.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SourceSettings {
    /// Another address, such as a mirror's.
    pub(crate) url: Option<String>,
    /// Where texts that it leads to are fetched in place of where they lie: a reader of pages, a mirror of archives.
    pub(crate) texts: Option<String>,
    /// The environment variable that holds its key. Keys themselves never stand in the file.
    pub(crate) key_variable: Option<String>,
    /// How long all queries of a run may take together, in seconds.
    pub(crate) seconds: Option<u64>,
    /// The least time between two questions, in milliseconds.
    pub(crate) between_ms: Option<u64>,
    /// Most that a run may spend on it, in US dollars.
    pub(crate) budget: Option<f64>,
    /// The corpus that holds it, for a source that is searched on this machine.
    pub(crate) corpus: Option<PathBuf>,
}

/// How one provider is reached.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProviderSettings {
    /// Its address.
    pub(crate) url: Option<String>,
    /// The environment variable that holds its key. Keys themselves never stand in the file.
    pub(crate) key_variable: Option<String>,
    /// How long one answer may take, in seconds, where five minutes are too short.
    pub(crate) answer_seconds: Option<u32>,
    /// How long to wait for it while it is down, in seconds, where 45 s do not fit.
    pub(crate) outage_seconds: Option<u32>,
}

impl Settings {
    /// Where papers are fetched.
    pub(crate) fn places(&self) -> PaperPlaces {
        self.papers.places(self.mailto())
    }

    /// How the user may be written to: as the file says, else the environment.
    pub(crate) fn mailto(&self) -> Option<Secret> {
        let held = || std::env::var("PRECEDENT_MAILTO").ok();
        let mailto = self.mailto.clone().or_else(held);
        mailto
            .map(|mailto| Secret::new(&mailto))
            .filter(|mailto| !mailto.is_empty())
    }

    /// The file named, or the one at its usual place if there is one.
    ///
    /// # Errors
    /// When the named file is not there, or a file cannot be read as settings.
    pub(crate) fn load(named: Option<&Path>) -> Result<Self, Failure> {
        let path = match named {
            Some(path) => path.to_owned(),
            None => match usual_place().filter(|path| path.is_file()) {
                Some(path) => path,
                None => return Ok(Self::default()),
            },
        };
        let wrong = |why: String| {
            let message = format!("failed to read the settings {}: {why}", path.display());
            Failure::said(ExitCode::Usage, message).hint("docs/models.md and docs/sources.md list every setting")
        };
        let text = std::fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
        toml::from_str(&text).map_err(|error| wrong(error.message().to_owned()))
    }
}

/// `$XDG_CONFIG_HOME/precedent/settings.toml`, or under `~/.config`. Never the current folder: a paper's own folder sets nothing.
fn usual_place() -> Option<PathBuf> {
    let config = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".config"));
    let config = config.filter(|path| path.is_absolute()).or_else(home)?;
    Some(config.join("precedent/settings.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_and_slips_are_told() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.toml");
        let text = "model = 'ollama:m'\nprivate_hosts = ['models.lab']\n[stages]\ncompare = 'openai:x'\n[providers.openai]\nkey_variable = 'MY_KEY'\n\
            [prices]\nas_of = '2026-11-01'\n[[prices.price]]\nmodel = 'openai:x'\ninput = 1.0\noutput = 2.0\n";
        std::fs::write(&path, text).unwrap();
        let settings = Settings::load(Some(&path)).unwrap();
        assert_eq!(settings.model.as_deref(), Some("ollama:m"));
        assert_eq!(settings.stages["compare"], "openai:x");
        assert!(settings.prices.of("openai:x").is_some());
        std::fs::write(&path, "modell = 'x'").unwrap();
        assert!(Settings::load(Some(&path)).is_err());
        assert!(Settings::load(Some(&dir.path().join("none.toml"))).is_err());
    }
}

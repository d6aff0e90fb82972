//! What a client may ask for: job, input by hash, corpora, services and models by name. Nothing in it is a path or a host.

use std::collections::BTreeMap;

use axum::http::StatusCode;
use precedent_app::domain::Facet;
use precedent_app::{EncoderChoice, IdeaJob, Input, Job, ModelChoice, PointsJob, Request, ReviewJob, review_defaults};
use precedent_report::default_formats;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::Problem;
use crate::inputs::Inputs;
use crate::state::Offer;

/// Maximum length of a text in a request, in bytes. An idea has a few thousand, a long paper 200,000.
pub(crate) const LONGEST_TEXT: usize = 500_000;

/// A job to run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct JobRequest {
    /// What to do.
    pub(crate) job: JobName,
    /// SHA-256 of an uploaded file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) input: Option<String>,
    /// A text instead of a file, for `idea` and `review`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// Corpora of the server to search, by name.
    #[serde(default)]
    pub(crate) corpora: Vec<String>,
    /// Literature services to search, by name, such as `openalex`; `default` for the usual ones.
    #[serde(default)]
    pub(crate) sources: Vec<String>,
    /// A model that the server offers. Without it, nothing is sent to a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
    /// Maximum spend, in US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(exclusive_minimum = 0.0)]
    pub(crate) budget: Option<f64>,
    /// Cutoff date: later papers are not counted as prior work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) as_of: Option<String>,
    /// Seed of all random sampling.
    #[serde(default)]
    pub(crate) seed: u64,
    /// Formats to write: `json`, `md`, `html`, `pdf`. Empty for the usual ones.
    #[serde(default)]
    pub(crate) formats: Vec<String>,
    /// What the idea states on a facet, for `idea`, instead of what would be found in its text.
    #[serde(default, skip_serializing_if = "Facets::is_empty")]
    pub(crate) facets: Facets,
}

/// What an idea states on its facets.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Facets {
    /// The problem it works on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) purpose: Option<String>,
    /// The means it would use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) mechanism: Option<String>,
    /// How it would be shown to work.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) evaluation: Option<String>,
    /// Where it would be used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) application_domain: Option<String>,
}

impl Facets {
    /// Those that are stated, in the order in which reports list them.
    pub(crate) fn stated(&self) -> BTreeMap<Facet, String> {
        let all = [
            (Facet::Purpose, &self.purpose),
            (Facet::Mechanism, &self.mechanism),
            (Facet::Evaluation, &self.evaluation),
            (Facet::ApplicationDomain, &self.application_domain),
        ];
        let given = all
            .into_iter()
            .filter_map(|(facet, words)| Some((facet, words.clone()?)));
        given.filter(|(_, words)| !words.trim().is_empty()).collect()
    }

    fn is_empty(&self) -> bool {
        self.stated().is_empty()
    }
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum JobName {
    /// Check the claims of a paper.
    Assess,
    /// Compare a paper point by point.
    Points,
    /// Check an idea.
    Idea,
    /// Review an idea or a paper.
    Review,
}

impl JobName {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Assess => "assess",
            Self::Points => "points",
            Self::Idea => "idea",
            Self::Review => "review",
        }
    }

    /// What it is about.
    pub(crate) fn subject(self) -> &'static str {
        match self {
            Self::Assess | Self::Points => "paper",
            Self::Idea | Self::Review => "idea",
        }
    }

    pub(crate) fn named(word: &str) -> Option<Self> {
        let all = [Self::Assess, Self::Points, Self::Idea, Self::Review];
        all.into_iter().find(|one| one.word() == word)
    }

    fn job(self, facets: BTreeMap<Facet, String>) -> Job {
        match self {
            Self::Assess => Job::Assess,
            // The defaults of the command line.
            Self::Points => Job::Points(PointsJob {
                capacity: 200,
                encoders: EncoderChoice::default(),
            }),
            Self::Idea => Job::Idea(IdeaJob {
                facets,
                ..IdeaJob::default()
            }),
            Self::Review => Job::Review(ReviewJob {
                dimensions: None,
                personas: None,
                required_personas: Vec::new(),
                board: review_defaults::BOARD,
                rounds: review_defaults::ROUNDS,
                keep: review_defaults::KEEP,
                oversample: review_defaults::OVERSAMPLE,
                alpha_percent: review_defaults::ALPHA,
                as_published: false,
                embedder: None,
                reranker: None,
                reranker_url: None,
            }),
        }
    }
}

/// Refuses a name that the service layer could read as `kind:place`, where a place is a path.
fn is_service_name(name: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || matches!(letter, '-' | '_');
    !name.is_empty() && name.len() <= 40 && name.chars().all(is_plain)
}

impl JobRequest {
    /// The request for the service layer.
    pub(crate) fn resolve(&self, inputs: &Inputs, offer: &Offer) -> Result<Request, Problem> {
        let input = match (&self.input, &self.text) {
            (Some(sha256), None) => Input::File(inputs.path(sha256)?),
            (None, Some(text)) => Input::Text(checked_text(text)?),
            _ => {
                return Err(Problem::usage("give either an input or a text")
                    .hint("an input is the SHA-256 of an uploaded file"));
            }
        };
        if let Some(name) = self.sources.iter().find(|name| !is_service_name(name)) {
            return Err(Problem::usage(format!(
                "{name} is not the name of a literature service"
            )));
        }
        self.budget(offer)?;
        let facets = self.facets.stated();
        if self.job != JobName::Idea && !facets.is_empty() {
            return Err(
                Problem::usage("only a check of an idea takes facets").hint("choose the job idea, or give none")
            );
        }
        for words in facets.values() {
            checked_text(words)?;
        }
        let as_of = self.as_of.as_deref().map(str::parse).transpose();
        let as_of = as_of.map_err(|error| Problem::usage(format!("the cutoff date is not valid: {error}")))?;
        let formats = match self.formats.is_empty() {
            true => default_formats().into_iter().map(str::to_owned).collect(),
            false => self.formats.clone(),
        };
        Ok(Request {
            corpora: offer.corpora.paths(&self.corpora)?,
            sources: self.sources.clone(),
            as_of,
            formats,
            seed: self.seed,
            model: self.model(offer)?,
            send_nothing: true,
            ..Request::new(self.job.job(facets), input)
        })
    }

    fn model(&self, offer: &Offer) -> Result<ModelChoice, Problem> {
        let offline = ModelChoice {
            local_only: offer.local_only,
            settings: offer.settings.clone(),
            ..ModelChoice::offline()
        };
        let Some(model) = self.model.as_deref().filter(|model| *model != "offline") else {
            return Ok(offline);
        };
        if !offer.models.iter().any(|one| one == model) {
            let hint = match offer.models.is_empty() {
                true => "no model can be used here: give none, or ask whoever runs the server".to_owned(),
                false => format!("models that can be used: {}", offer.models.join(", ")),
            };
            let detail = format!("the server does not offer the model {model}");
            return Err(Problem::new(StatusCode::FORBIDDEN, "refused", detail).hint(hint));
        }
        Ok(ModelChoice {
            model: Some(model.to_owned()),
            budget: self.budget(offer)?,
            ..offline
        })
    }

    /// The budget: never more than the server allows.
    pub(crate) fn budget(&self, offer: &Offer) -> Result<Option<f64>, Problem> {
        if self.budget.is_some_and(|budget| !budget.is_finite() || budget <= 0.0) {
            return Err(Problem::usage("a budget is a number above 0"));
        }
        Ok(match (self.budget, offer.budget) {
            (Some(own), Some(most)) => Some(own.min(most)),
            (own, most) => own.or(most),
        })
    }
}

/// A text that is neither blank nor too long.
pub(crate) fn checked_text(text: &str) -> Result<String, Problem> {
    if text.trim().is_empty() {
        return Err(Problem::usage("the text is empty"));
    }
    if text.len() > LONGEST_TEXT {
        return Err(Problem::too_large(format!(
            "the text has more than {LONGEST_TEXT} bytes"
        )));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_is_never_a_path() {
        assert!(is_service_name("openalex"));
        assert!(is_service_name("default"));
        for name in [
            "papers:/etc",
            "",
            "../x",
            "a/b",
            "https://example.org",
            "a b",
            &"x".repeat(41),
        ] {
            assert!(!is_service_name(name), "{name}");
        }
    }

    #[test]
    fn unknown_fields_are_errors() {
        let json = r#"{"job": "assess", "input": "x", "settings": "/etc/passwd"}"#;
        assert!(
            serde_json::from_str::<JobRequest>(json)
                .unwrap_err()
                .to_string()
                .contains("settings")
        );
    }
}

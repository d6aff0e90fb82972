//! What a run would send and cost, for the page of a run that is not started.

use serde::Deserialize;
use serde_json::Value;

/// What a run would send and cost.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Plan {
    /// In a sentence.
    pub(super) cost: String,
    pub(super) model: String,
    /// Where its requests go, if not to the provider's own address.
    pub(super) model_url: Option<String>,
    /// Prompt, requests and input tokens.
    pub(super) prompts: Vec<(String, u64, u64)>,
    pub(super) services: Vec<PlannedService>,
    /// Addresses of embedders and rerankers.
    pub(super) encoders: Vec<String>,
    /// Where full texts come from, in a sentence.
    pub(super) texts: Option<String>,
}

/// Requests to a literature service.
#[derive(Debug, Default, PartialEq, Deserialize)]
pub(super) struct PlannedService {
    #[serde(rename = "source")]
    pub(super) name: String,
    pub(super) asked: Vec<String>,
    pub(super) perhaps: Vec<String>,
    at_most_dollars: f64,
}

#[derive(Deserialize)]
struct EstimateJson {
    model: String,
    stages: Vec<StageJson>,
    asks: u64,
    bytes: u64,
    likely_dollars: Option<f64>,
    at_most_dollars: Option<f64>,
}

#[derive(Deserialize)]
struct StageJson {
    prompt: String,
    asks: u64,
    input_tokens: u64,
}

#[derive(Deserialize)]
struct EgressJson {
    egress: Vec<PlannedService>,
    full_texts: Option<TextsJson>,
    #[serde(default)]
    encoders: Vec<String>,
}

#[derive(Deserialize)]
struct TextsJson {
    works: usize,
    archives: Vec<String>,
    open_copies_by: Vec<String>,
}

impl Plan {
    /// The plan in the answer to an estimate.
    pub(super) fn of(answer: &Value) -> Result<Self, serde_json::Error> {
        let part = |name: &str| answer.get(name).cloned().unwrap_or_default();
        let estimate: Option<EstimateJson> = serde_json::from_value(part("estimate"))?;
        let egress: EgressJson = serde_json::from_value(part("egress"))?;
        let services: f64 = egress.egress.iter().map(|one| one.at_most_dollars).sum();
        let mut plan = Self {
            cost: match &estimate {
                Some(estimate) if estimate.asks > 0 => estimate.cost(services),
                _ if services > 0.0 => format!("Services: at most ${services:.2}."),
                _ => "The run costs nothing.".to_owned(),
            },
            texts: egress.full_texts.filter(|texts| texts.works > 0).map(|texts| {
                let from = [texts.archives, texts.open_copies_by].concat().join(", ");
                format!(
                    "Identifiers of up to {} papers, to {from}, and downloads from the hosts that have open copies.",
                    texts.works
                )
            }),
            services: egress.egress,
            encoders: egress.encoders,
            model_url: serde_json::from_value(part("model_url"))?,
            ..Self::default()
        };
        if let Some(estimate) = estimate {
            let prompts = estimate
                .stages
                .into_iter()
                .map(|one| (one.prompt, one.asks, one.input_tokens));
            plan.prompts = prompts.collect();
            plan.model = estimate.model;
        }
        Ok(plan)
    }

    pub(super) fn sends_nothing(&self) -> bool {
        self.prompts.is_empty() && self.services.is_empty() && self.encoders.is_empty() && self.texts.is_none()
    }
}

impl EstimateJson {
    fn cost(&self, services: f64) -> String {
        let requests = format!("{} model requests with {} bytes of text", self.asks, self.bytes);
        match (self.likely_dollars, self.at_most_dollars) {
            (Some(likely), Some(most)) => {
                format!(
                    "{requests}: about ${:.2}, at most ${:.2}.",
                    likely + services,
                    most + services
                )
            }
            _ => format!("{requests}. The price of the model is not known."),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_plan_says_what_is_sent_and_what_it_costs() {
        let nothing = Plan::of(&json!({ "estimate": null, "egress": { "egress": [], "full_texts": null } })).unwrap();
        assert!(nothing.sends_nothing());
        assert_eq!(nothing.cost, "The run costs nothing.");
        let encoder = json!({ "egress": { "egress": [], "full_texts": null, "encoders": ["http://10.0.0.1/v1"] } });
        assert!(!Plan::of(&encoder).unwrap().sends_nothing());
        let plan = Plan::of(&json!({
            "estimate": {
                "model": "openai:gpt-5-mini", "asks": 3, "bytes": 900, "likely_dollars": 0.5, "at_most_dollars": 2.0,
                "stages": [{ "prompt": "claims@1", "asks": 3, "input_tokens": 300 }],
            },
            "egress": {
                "egress": [{ "source": "openalex", "asked": ["https://a"], "perhaps": [], "at_most_dollars": 0.25 }],
                "full_texts": { "works": 30, "archives": ["arxiv.org"], "open_copies_by": [] },
            },
        }))
        .unwrap();
        assert_eq!(
            plan.cost,
            "3 model requests with 900 bytes of text: about $0.75, at most $2.25."
        );
        assert_eq!(plan.prompts, [("claims@1".to_owned(), 3, 300)]);
        assert!(!plan.sends_nothing() && plan.texts.unwrap().contains("up to 30 papers, to arxiv.org"));
    }
}

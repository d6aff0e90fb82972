use serde_json::Value;

use crate::{Usage, fence};

/// One request to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// Prompt id and version, used in errors, counts and costs.
    pub id: String,
    /// System text of the exchange. Providers cache the longest common prefix of requests, so the stable part comes first.
    pub system: String,
    /// The messages so far, oldest first. The last one is ours.
    pub turns: Vec<Turn>,
    /// Sampling temperature; 0 for the likeliest answer.
    pub temperature: f32,
    /// Maximum number of output tokens.
    pub most_output: u32,
    /// JSON Schema of the answer.
    pub schema: Option<Schema>,
    /// Marker of the fences around untrusted text in the turns; empty if nothing is fenced.
    pub mark: String,
    /// Length in bytes of the prefix of the first turn that other requests of the run have too. Providers that need explicit cache markers get one
    /// there. 0 if no other request begins like this one: writing to a cache costs more than reading without one.
    pub stable: usize,
}

/// One message of the exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Who wrote it.
    pub speaker: Speaker,
    /// The text.
    pub text: String,
}

/// The two sides of the exchange.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// This program.
    User,
    /// The model.
    Model,
}

/// A JSON Schema with the name that providers require.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// Name: letters, digits and underscores.
    pub name: String,
    /// The schema, with `additionalProperties: false` on every object.
    pub schema: Value,
}

impl Ask {
    /// The system text; with the schema appended as text if the request does not carry it separately.
    pub(crate) fn system_text(&self, schema_goes_along: bool) -> String {
        match &self.schema {
            Some(schema) if !schema_goes_along => schema.in_words(&self.system),
            _ => self.system.clone(),
        }
    }

    /// The same request with every long fenced text cut to its first half; `None` if no text is long enough to cut.
    #[must_use]
    pub fn shortened(&self) -> Option<Self> {
        let mut shorter = Self {
            stable: 0,
            ..self.clone()
        };
        let mut cut = false;
        for turn in &mut shorter.turns {
            if let Some(text) = fence::halved(&turn.text, &self.mark) {
                turn.text = text;
                cut = true;
            }
        }
        cut.then_some(shorter)
    }

    /// The temperature as a short decimal number: 0.1, not 0.10000000149011612.
    pub(crate) fn wire_temperature(&self) -> f64 {
        (f64::from(self.temperature) * 1_000.0).round() / 1_000.0
    }

    /// Size of the request's texts in bytes, as sent.
    #[must_use]
    pub fn text_bytes(&self) -> u64 {
        let turns: usize = self.turns.iter().map(|turn| turn.text.len()).sum();
        (self.system.len() + turns) as u64
    }

    /// Upper bound on the tokens of one attempt: the whole request, written to the provider's cache where that is charged, and the longest answer.
    pub(crate) fn at_most(&self) -> Usage {
        Usage {
            input: self.estimated_tokens(),
            cached: 0,
            written: self.estimated_tokens(),
            output: u64::from(self.most_output),
        }
    }

    /// Estimated tokens of the request, rounded up. English prose has about four bytes per token; dividing by three leaves a margin.
    #[must_use]
    pub fn estimated_tokens(&self) -> u64 {
        self.counted_bytes().div_ceil(3)
    }

    /// Size in bytes of everything that a provider charges as input. Characters outside ASCII count twice: Chinese takes up to two tokens a character.
    pub(crate) fn counted_bytes(&self) -> u64 {
        let size = |text: &str| text.len() + text.bytes().filter(|byte| !byte.is_ascii()).count();
        let turns: usize = self.turns.iter().map(|turn| size(&turn.text)).sum();
        let schema = self.schema.as_ref().map_or(0, |schema| schema.schema.to_string().len());
        (size(&self.system) + turns + schema) as u64
    }
}

impl Speaker {
    /// The provider's name for this side; `model` is its word for the model.
    pub(crate) const fn role(self, model: &'static str) -> &'static str {
        match self {
            Self::User => "user",
            Self::Model => model,
        }
    }
}

impl Schema {
    /// The system text followed by this schema, for requests that do not carry it separately.
    fn in_words(&self, system: &str) -> String {
        format!(
            "{system}\n\nReturn only one JSON value that matches this JSON Schema:\n{}",
            self.schema
        )
    }
}

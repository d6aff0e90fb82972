use serde_json::Value;

use crate::{Usage, fence};

/// One question to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// Which prompt at which version asks: names the ask in errors, counts and costs.
    pub id: String,
    /// What holds for the whole exchange. Providers cache the longest common beginning of questions, so what stays the same stands first.
    pub system: String,
    /// What was said so far, oldest first; the last one is ours.
    pub turns: Vec<Turn>,
    /// 0 for the likeliest answer.
    pub temperature: f32,
    /// The most tokens that the answer may have.
    pub most_output: u32,
    /// The shape that the answer must have.
    pub schema: Option<Schema>,
    /// The mark of the fences around foreign text in the turns; empty where nothing is fenced.
    pub mark: String,
    /// So many bytes of the first turn are the same in every question of its kind: a provider that must be told what to keep for the next one keeps them.
    pub stable: usize,
}

/// What one side said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// Who said it.
    pub speaker: Speaker,
    /// What was said.
    pub text: String,
}

/// The two sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// We.
    User,
    /// The model.
    Model,
}

/// A JSON Schema with the name that providers want to hear.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// Letters, digits and underscores.
    pub name: String,
    /// The schema, with `additionalProperties: false` at every object.
    pub schema: Value,
}

impl Ask {
    /// The system text: with the schema in words where it does not go along whole.
    pub(crate) fn system_text(&self, schema_goes_along: bool) -> String {
        match &self.schema {
            Some(schema) if !schema_goes_along => schema.in_words(&self.system),
            _ => self.system.clone(),
        }
    }

    /// The same question with every long fenced text cut to its first half; `None` where no text is long enough to be cut.
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

    /// Bytes of the texts that the question holds, as they are sent.
    #[must_use]
    pub fn text_bytes(&self) -> u64 {
        let turns: usize = self.turns.iter().map(|turn| turn.text.len()).sum();
        (self.system.len() + turns) as u64
    }

    /// The most tokens that one try may take: all of the question, put into the provider's cache where it charges for that, and the longest answer.
    pub(crate) fn at_most(&self) -> Usage {
        Usage {
            input: self.estimated_tokens(),
            cached: 0,
            written: self.estimated_tokens(),
            output: u64::from(self.most_output),
        }
    }

    /// A guess at the tokens of the question, on the high side: four bytes a token is usual for English prose, three leaves room.
    #[must_use]
    pub fn estimated_tokens(&self) -> u64 {
        let turns: usize = self.turns.iter().map(|turn| turn.text.len()).sum();
        let schema = self.schema.as_ref().map_or(0, |schema| schema.schema.to_string().len());
        ((self.system.len() + turns + schema) as u64).div_ceil(3)
    }
}

impl Speaker {
    /// How a provider calls this side; `model` is its word for the model.
    pub(crate) const fn role(self, model: &'static str) -> &'static str {
        match self {
            Self::User => "user",
            Self::Model => model,
        }
    }
}

impl Schema {
    /// A system text that asks for this schema in words, for those that take none along.
    fn in_words(&self, system: &str) -> String {
        format!(
            "{system}\n\nAnswer with one JSON value that follows this JSON Schema, and with nothing else:\n{}",
            self.schema
        )
    }
}

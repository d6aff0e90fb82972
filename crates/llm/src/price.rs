use serde::Deserialize;

use crate::Usage;

/// What models cost, as far as somebody said so.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// The day on which they were looked up, `YYYY-MM-DD`.
    #[serde(default)]
    pub as_of: String,
    /// One entry a model.
    #[serde(default, rename = "price")]
    entries: Vec<Price>,
}

/// What one model costs, in US dollars for a million tokens.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// `provider:name`.
    pub model: String,
    /// Of the question.
    pub input: f64,
    /// Of the question, where the provider had it in its cache; the same as `input` where not said.
    pub cached: Option<f64>,
    /// Of the answer.
    pub output: f64,
}

impl Prices {
    /// Reads a price table.
    ///
    /// # Errors
    /// When it is no such table.
    pub fn from_toml(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// What `model` costs, where it is known. Only a whole name counts: a price that is nearly right is wrong.
    #[must_use]
    pub fn of(&self, model: &str) -> Option<&Price> {
        self.entries.iter().find(|price| price.model == model)
    }
}

impl Price {
    /// What this usage costs, in US dollars.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
    pub fn dollars(&self, usage: Usage) -> f64 {
        let cached = usage.cached.min(usage.input);
        let fresh = (usage.input - cached) as f64 * self.input;
        let kept = cached as f64 * self.cached.unwrap_or(self.input);
        (fresh + kept + usage.output as f64 * self.output) / 1e6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cached_tokens_cost_what_cached_tokens_cost() {
        let table = "as_of = '2026-01-01'\n[[price]]\nmodel = 'a:b'\ninput = 2.0\ncached = 0.2\noutput = 10.0";
        let prices = Prices::from_toml(table).unwrap();
        let usage = Usage {
            input: 1_000_000,
            cached: 500_000,
            output: 100_000,
        };
        let dollars = prices.of("a:b").unwrap().dollars(usage);
        assert!((dollars - (1.0 + 0.1 + 1.0)).abs() < 1e-9, "{dollars}");
        assert_eq!(prices.of("a:b-mini"), None);
        assert!(Prices::from_toml("[[price]]\nmodel = 'a:b'").is_err());
    }
}

use serde::Deserialize;

use crate::Usage;

/// The known prices of models.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// The day of the look-up, `YYYY-MM-DD`.
    #[serde(default)]
    pub as_of: String,
    /// One entry per model.
    #[serde(default, rename = "price")]
    entries: Vec<Price>,
}

/// Price of one model in US dollars per million tokens.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    /// `provider:name`.
    pub model: String,
    /// Input tokens.
    pub input: f64,
    /// Input tokens read from the provider's cache; defaults to `input`.
    pub cached: Option<f64>,
    /// Input tokens written to the provider's cache; defaults to `input`.
    pub written: Option<f64>,
    /// Output tokens.
    pub output: f64,
    /// The day of the look-up, `YYYY-MM-DD`; empty if unknown.
    #[serde(skip)]
    pub as_of: String,
}

/// The built-in price table.
const BUILT_IN: &str = include_str!("prices.toml");

impl Prices {
    /// Parses a price table.
    ///
    /// # Errors
    /// If the text is not a valid table.
    pub fn from_toml(text: &str) -> Result<Self, toml::de::Error> {
        let table: Self = toml::from_str(text)?;
        Ok(table.dated())
    }

    /// Checks that a budget can count on them.
    ///
    /// # Errors
    /// If one is negative or no number.
    pub fn check(&self) -> Result<(), String> {
        let is_wrong = |one: &&Price| {
            let all = [Some(one.input), Some(one.output), one.cached, one.written];
            all.into_iter().flatten().any(|price| !price.is_finite() || price < 0.0)
        };
        match self.entries.iter().find(is_wrong) {
            Some(one) => Err(format!(
                "the prices of {} must be 0 or more US dollars per million tokens",
                one.model
            )),
            None => Ok(()),
        }
    }

    /// These prices, completed with the built-in prices of models that they omit.
    #[must_use]
    pub fn with_built_in(self) -> Self {
        let mut all = self.dated();
        // A test parses the table. If it were broken, its models would have no known price.
        let built_in = Self::from_toml(BUILT_IN).unwrap_or_default();
        let missing = built_in.entries.into_iter().filter(|one| all.of(&one.model).is_none());
        let missing: Vec<Price> = missing.collect();
        all.entries.extend(missing);
        all
    }

    /// These prices, with the models of `provider` at this share of them.
    #[must_use]
    pub fn at_share(mut self, provider: &str, share: f64) -> Self {
        let of_provider = |one: &&mut Price| one.model.split(':').next() == Some(provider);
        for one in self.entries.iter_mut().filter(of_provider) {
            one.input *= share;
            one.output *= share;
            one.cached = one.cached.map(|price| price * share);
            one.written = one.written.map(|price| price * share);
        }
        self
    }

    /// Copies the table's date to every entry.
    fn dated(mut self) -> Self {
        for one in &mut self.entries {
            one.as_of.clone_from(&self.as_of);
        }
        self
    }

    /// The price of `model`, if known. The whole name must match: the price of a similar model would be wrong.
    #[must_use]
    pub fn of(&self, model: &str) -> Option<&Price> {
        self.entries.iter().find(|price| price.model == model)
    }
}

impl Price {
    /// Output tokens that `dollars` pay for besides the input of `usage`, at most its output.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a positive count, rounded down"
    )]
    pub fn output_within(&self, dollars: f64, usage: Usage) -> u64 {
        if self.dollars(usage) <= dollars {
            return usage.output;
        }
        let left = dollars - self.dollars(Usage { output: 0, ..usage });
        // One token less, because divisions round.
        let tokens = (left / self.output * 1e6 - 1.0).max(0.0) as u64;
        tokens.min(usage.output)
    }

    /// Cost of this usage in US dollars.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
    pub fn dollars(&self, usage: Usage) -> f64 {
        let cached = usage.cached.min(usage.input);
        let written = usage.written.min(usage.input - cached);
        let fresh = (usage.input - cached - written) as f64 * self.input;
        let kept = cached as f64 * self.cached.unwrap_or(self.input);
        let put = written as f64 * self.written.unwrap_or(self.input);
        (fresh + kept + put + usage.output as f64 * self.output) / 1e6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_override_the_built_in_prices() {
        let built_in = Prices::from_toml(BUILT_IN).unwrap();
        assert!(built_in.entries.len() > 5 && built_in.as_of.len() == 10);
        for one in &built_in.entries {
            crate::ModelName::parse(&one.model).unwrap();
            let cached = one.cached.unwrap();
            assert!(0.0 < cached && cached < one.input && one.input < one.output, "{one:?}");
            // Only the provider with explicit cache markers charges for cache writes.
            assert_eq!(one.model.starts_with("anthropic:"), one.written.is_some(), "{one:?}");
            assert!(one.written.is_none_or(|written| written > one.input), "{one:?}");
        }
        let own = "as_of = '2027-01-01'\n[[price]]\nmodel = 'openai:gpt-5-mini'\ninput = 9.0\noutput = 9.5";
        let all = Prices::from_toml(own).unwrap().with_built_in();
        let mini = all.of("openai:gpt-5-mini").unwrap();
        assert_eq!((mini.output, mini.as_of.as_str()), (9.5, "2027-01-01"));
        assert_eq!(all.of("openai:gpt-5").unwrap().as_of, built_in.as_of);
        assert_eq!(all.of("openai:gpt-5-maxi"), None);
        assert_eq!(all.of("ollama:qwen3:8b"), None);
    }

    #[test]
    fn a_share_of_the_price_applies_to_one_provider() {
        let table = "[[price]]\nmodel = 'a:b'\ninput = 2.0\ncached = 1.0\noutput = 4.0\n\
            [[price]]\nmodel = 'c:b'\ninput = 2.0\noutput = 4.0";
        let prices = Prices::from_toml(table).unwrap().at_share("a", 0.5);
        let figures = |model: &str| {
            let price = prices.of(model).unwrap();
            (price.input, price.cached, price.written, price.output)
        };
        assert_eq!(figures("a:b"), (1.0, Some(0.5), None, 2.0));
        assert_eq!(figures("c:b"), (2.0, None, None, 4.0));
    }

    #[test]
    fn cached_tokens_are_charged_at_their_own_price() {
        let table =
            "as_of = '2026-01-01'\n[[price]]\nmodel = 'a:b'\ninput = 2.0\ncached = 0.2\nwritten = 2.5\noutput = 10.0";
        let prices = Prices::from_toml(table).unwrap();
        let mut usage = Usage {
            input: 1_000_000,
            cached: 500_000,
            written: 0,
            output: 100_000,
        };
        let dollars = |usage| prices.of("a:b").unwrap().dollars(usage);
        assert!((dollars(usage) - (1.0 + 0.1 + 1.0)).abs() < 1e-9);
        usage.written = 200_000;
        assert!((dollars(usage) - (0.6 + 0.5 + 0.1 + 1.0)).abs() < 1e-9);
        // Tokens beyond the input are not charged.
        usage.written = u64::MAX;
        assert!((dollars(usage) - (1.25 + 0.1 + 1.0)).abs() < 1e-9);
        assert_eq!(prices.of("a:b-mini"), None);
        assert!(Prices::from_toml("[[price]]\nmodel = 'a:b'").is_err());
    }
}

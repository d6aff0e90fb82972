use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use crate::{Ask, LlmError, Prices, Usage};

/// Counts what asks take, and stops them before the budget is passed.
#[derive(Debug, Default)]
pub struct Meter {
    prices: Prices,
    budget: Option<f64>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// US dollars that running asks may still cost.
    reserved: f64,
    spent: f64,
    by_ask: BTreeMap<String, Spending>,
}

/// What all asks of one prompt took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Spending {
    /// How many.
    pub asks: u64,
    /// How many of them failed.
    pub failed: u64,
    /// Tokens.
    pub usage: Usage,
    /// US dollars; 0 where the price is not known.
    pub dollars: f64,
}

/// What was set aside for one running ask.
#[derive(Debug)]
pub(crate) struct Reserved {
    model: String,
    dollars: f64,
}

impl Meter {
    /// A meter with a price table and, if wanted, the most that may be spent, in US dollars.
    #[must_use]
    pub fn new(prices: Prices, budget: Option<f64>) -> Self {
        Self {
            prices,
            budget,
            state: Mutex::default(),
        }
    }

    /// Sets aside the most that an ask may cost.
    pub(crate) fn reserve(&self, model: &str, ask: &Ask) -> Result<Reserved, LlmError> {
        let may_take = Usage {
            input: ask.estimated_tokens(),
            cached: 0,
            // All of it, if the provider keeps it for later and charges for that.
            written: ask.estimated_tokens(),
            output: u64::from(ask.most_output),
        };
        let price = self.prices.of(model);
        let dollars = price.map(|price| price.dollars(may_take)).unwrap_or_default();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(budget) = self.budget {
            if price.is_none() {
                return Err(LlmError::NoPrice {
                    model: model.to_owned(),
                });
            }
            let left = budget - state.spent - state.reserved;
            if dollars > left {
                return Err(LlmError::OverBudget {
                    ask: ask.id.clone(),
                    may_cost: dollars,
                    left: left.max(0.0),
                });
            }
        }
        state.reserved += dollars;
        Ok(Reserved {
            model: model.to_owned(),
            dollars,
        })
    }

    /// Puts what an ask really took in the place of what was set aside.
    pub(crate) fn settle(&self, reserved: Reserved, ask: &str, usage: Usage, answered: bool) {
        let price = self.prices.of(&reserved.model);
        let dollars = price.map(|price| price.dollars(usage)).unwrap_or_default();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.reserved = (state.reserved - reserved.dollars).max(0.0);
        state.spent += dollars;
        let spending = state.by_ask.entry(ask.to_owned()).or_default();
        spending.asks += 1;
        spending.failed += u64::from(!answered);
        spending.usage += usage;
        spending.dollars += dollars;
    }

    /// What `usage` of `model` costs in US dollars, where its price is known.
    #[must_use]
    pub fn price(&self, model: &str, usage: Usage) -> Option<f64> {
        self.prices.of(model).map(|price| price.dollars(usage))
    }

    /// Counts what an earlier process of the same run spent.
    pub fn spent_before(&self, model: &str, usage: Usage) {
        let dollars = self.price(model, usage).unwrap_or_default();
        self.state.lock().unwrap_or_else(PoisonError::into_inner).spent += dollars;
    }

    /// What was taken so far, by prompt.
    #[must_use]
    pub fn spending(&self) -> BTreeMap<String, Spending> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).by_ask.clone()
    }

    /// US dollars spent so far, as far as prices are known.
    #[must_use]
    pub fn dollars(&self) -> f64 {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(most_output: u32) -> Ask {
        Ask {
            id: "claims@1".to_owned(),
            system: "x".repeat(3000),
            turns: Vec::new(),
            temperature: 0.0,
            most_output,
            schema: None,
            mark: String::new(),
            stable: 0,
        }
    }

    #[test]
    fn an_ask_that_could_pass_the_budget_is_not_sent() {
        let table = "[[price]]\nmodel = 'a:b'\ninput = 1000.0\noutput = 1000.0";
        let meter = Meter::new(Prices::from_toml(table).unwrap(), Some(5.0));
        let first = meter.reserve("a:b", &ask(1000)).unwrap();
        let second = meter.reserve("a:b", &ask(1000)).unwrap();
        let third = meter.reserve("a:b", &ask(1000));
        assert!(
            matches!(third, Err(LlmError::OverBudget { .. })),
            "two run and may take four of the five dollars"
        );
        let usage = Usage {
            input: 500,
            cached: 0,
            written: 0,
            output: 100,
        };
        meter.settle(first, "claims@1", usage, true);
        meter.settle(second, "claims@1", Usage::default(), false);
        assert!((meter.dollars() - 0.6).abs() < 1e-9);
        assert!(
            meter.reserve("a:b", &ask(1000)).is_ok(),
            "what was set aside and not taken is free again"
        );
        let spending = meter.spending()["claims@1"];
        assert_eq!((spending.asks, spending.failed, spending.usage), (2, 1, usage));
    }

    #[test]
    fn a_budget_needs_a_price() {
        let meter = Meter::new(Prices::default(), Some(5.0));
        assert!(matches!(meter.reserve("a:b", &ask(1)), Err(LlmError::NoPrice { .. })));
        assert!(Meter::default().reserve("a:b", &ask(1)).is_ok());
    }
}

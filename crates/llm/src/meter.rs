use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex as FairMutex, Notify};

use crate::{Ask, LlmError, Prices, Usage};

/// Counts the cost of requests and stops them before the budget is exceeded.
#[derive(Debug, Default)]
pub struct Meter {
    prices: Prices,
    budget: Option<f64>,
    state: Mutex<MeterState>,
    /// Held by the reservation whose turn it is. First come, first served, so that small requests do not overtake a large one until nothing is left for it.
    turn: FairMutex<()>,
    /// Wakes the reservation that waits for others to be settled.
    settled: Notify,
}

#[derive(Debug, Default)]
struct MeterState {
    /// Requests in flight.
    running: usize,
    /// Maximum cost in US dollars of the requests in flight.
    reserved: f64,
    spent: f64,
    by_ask: BTreeMap<String, Spending>,
}

/// Total cost of all requests of one prompt.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Spending {
    /// Number of requests.
    pub asks: u64,
    /// Number of failed requests.
    pub failed: u64,
    /// Tokens.
    pub usage: Usage,
    /// US dollars; 0 if the price is unknown.
    pub dollars: f64,
}

/// The budget reserved for one request in flight. Dropping it releases the reservation.
#[derive(Debug)]
pub(crate) struct Reserved<'m> {
    meter: &'m Meter,
    model: String,
    dollars: f64,
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        let mut state = self.meter.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.reserved = (state.reserved - self.dollars).max(0.0);
        state.running = state.running.saturating_sub(1);
        drop(state);
        self.meter.settled.notify_waiters();
    }
}

impl Meter {
    /// A meter with a price table and an optional budget in US dollars.
    #[must_use]
    pub fn new(prices: Prices, budget: Option<f64>) -> Self {
        Self {
            prices,
            budget,
            state: Mutex::default(),
            turn: FairMutex::default(),
            settled: Notify::new(),
        }
    }

    /// Reserves the maximum cost of a request. If it does not fit beside the requests in flight, waits until those are settled. Requests are served in
    /// the order in which they came.
    ///
    /// # Errors
    /// If it does not fit with nothing in flight, or a budget is set and the price is unknown.
    pub(crate) async fn reserve(&self, model: &str, ask: &Ask) -> Result<Reserved<'_>, LlmError> {
        let _turn = self.turn.lock().await;
        loop {
            let settled = self.settled.notified();
            if let Some(reserved) = self.try_reserve(model, ask)? {
                return Ok(reserved);
            }
            settled.await;
        }
    }

    /// For a recorded answer: its usage counts, but nothing is reserved.
    pub(crate) fn reserve_nothing(&self, model: &str) -> Reserved<'_> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.running += 1;
        Reserved {
            meter: self,
            model: model.to_owned(),
            dollars: 0.0,
        }
    }

    /// Like [`Meter::reserve`], but returns `None` where that would wait.
    fn try_reserve(&self, model: &str, ask: &Ask) -> Result<Option<Reserved<'_>>, LlmError> {
        let price = self.prices.of(model);
        let dollars = price.map(|price| price.dollars(ask.at_most())).unwrap_or_default();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(budget) = self.budget {
            if price.is_none() {
                return Err(LlmError::NoPrice {
                    model: model.to_owned(),
                });
            }
            let left = budget - state.spent - state.reserved;
            if dollars > left && state.running > 0 {
                return Ok(None);
            }
            if dollars > left {
                return Err(LlmError::OverBudget {
                    ask: ask.id.clone(),
                    may_cost: dollars,
                    left: left.max(0.0),
                });
            }
        }
        state.reserved += dollars;
        state.running += 1;
        Ok(Some(Reserved {
            meter: self,
            model: model.to_owned(),
            dollars,
        }))
    }

    /// Counts the actual usage of a request and releases its reservation.
    pub(crate) fn settle(&self, reserved: Reserved<'_>, ask: &str, usage: Usage, answered: bool) {
        let model = reserved.model.clone();
        {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let spending = state.by_ask.entry(ask.to_owned()).or_default();
            spending.asks += 1;
            spending.failed += u64::from(!answered);
        }
        // Charge before releasing, so that no other request can take the budget in between.
        self.charge(&model, ask, usage);
        drop(reserved);
    }

    /// Counts usage that was billed without a reservation, such as an answer that an earlier process lost.
    pub(crate) fn charge(&self, model: &str, ask: &str, usage: Usage) {
        let price = self.prices.of(model);
        let dollars = price.map(|price| price.dollars(usage)).unwrap_or_default();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.spent += dollars;
        let spending = state.by_ask.entry(ask.to_owned()).or_default();
        spending.usage += usage;
        spending.dollars += dollars;
    }

    /// Cost of `usage` of `model` in US dollars, if its price is known.
    #[must_use]
    pub fn price(&self, model: &str, usage: Usage) -> Option<f64> {
        self.prices.of(model).map(|price| price.dollars(usage))
    }

    /// Counts the spending of an earlier process of the same run.
    pub fn spent_before(&self, model: &str, usage: Usage) {
        let dollars = self.price(model, usage).unwrap_or_default();
        self.state.lock().unwrap_or_else(PoisonError::into_inner).spent += dollars;
    }

    /// Spending so far, by prompt.
    #[must_use]
    pub fn spending(&self) -> BTreeMap<String, Spending> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).by_ask.clone()
    }

    /// US dollars spent so far, for models with a known price.
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

    const TABLE: &str = "[[price]]\nmodel = 'a:b'\ninput = 1000.0\noutput = 1000.0";

    #[tokio::test(start_paused = true)]
    async fn a_request_over_the_budget_waits_for_others_and_fails_when_nothing_is_in_flight() {
        let meter = Meter::new(Prices::from_toml(TABLE).unwrap(), Some(5.0));
        let first = meter.reserve("a:b", &ask(1000)).await.unwrap();
        let second = meter.reserve("a:b", &ask(1000)).await.unwrap();
        // Two are in flight and may cost four of the five dollars.
        assert!(meter.try_reserve("a:b", &ask(1000)).unwrap().is_none());
        let usage = Usage {
            input: 500,
            cached: 0,
            written: 0,
            output: 100,
        };
        let waiting = async { meter.reserve("a:b", &ask(1000)).await.is_ok() };
        let settling = async {
            tokio::time::sleep(std::time::Duration::from_secs(9)).await;
            meter.settle(first, "claims@1", usage, true);
        };
        let (fits, ()) = tokio::join!(waiting, settling);
        assert!(fits, "the unused part of a reservation is released");
        meter.settle(second, "claims@1", Usage::default(), false);
        assert!((meter.dollars() - 0.6).abs() < 1e-9);
        let spending = meter.spending()["claims@1"];
        assert_eq!((spending.asks, spending.failed, spending.usage), (2, 1, usage));
        let error = meter.reserve("a:b", &ask(4000)).await.unwrap_err();
        assert!(matches!(error, LlmError::OverBudget { .. }), "{error}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_large_request_that_waits_is_not_overtaken_by_small_ones() {
        let meter = Meter::new(Prices::from_toml(TABLE).unwrap(), Some(6.0));
        let small = Usage {
            output: 500,
            ..Usage::default()
        };
        let first = meter.reserve("a:b", &ask(1000)).await.unwrap();
        // The large one may cost five of the six dollars, and does not fit beside the first.
        let large = async {
            let reserved = meter.reserve("a:b", &ask(3500)).await;
            reserved.map(|reserved| meter.settle(reserved, "claims@1", small, true))
        };
        // Six small ones come after it. Together with the first they leave too little for it.
        let others = async {
            for _ in 0..6 {
                let reserved = meter.reserve("a:b", &ask(500)).await.unwrap();
                meter.settle(reserved, "claims@1", small, true);
            }
        };
        let settling = async {
            tokio::time::sleep(std::time::Duration::from_secs(9)).await;
            meter.settle(first, "claims@1", small, true);
        };
        let (large, (), ()) = tokio::join!(large, others, settling);
        assert!(large.is_ok(), "{large:?}");
    }

    #[tokio::test]
    async fn a_budget_needs_a_price() {
        let meter = Meter::new(Prices::default(), Some(5.0));
        let error = meter.reserve("a:b", &ask(1)).await.unwrap_err();
        assert!(matches!(error, LlmError::NoPrice { .. }));
        assert!(Meter::default().reserve("a:b", &ask(1)).await.is_ok());
    }
}

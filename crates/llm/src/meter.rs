use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use precedent_http::HttpGateway;
use precedent_ledger::RunCost;
use serde::{Deserialize, Serialize};
use tokio::sync::{Mutex as FairMutex, Notify, OnceCell};

use crate::bill::{Paid, RecordedBill};
use crate::{Ask, LlmError, Prices, SharedBudget, Usage};

/// Counts the cost of requests and stops them before the budget is exceeded.
#[derive(Debug, Default)]
pub struct Meter {
    prices: Prices,
    budget: Option<f64>,
    most_tokens: Option<u64>,
    /// The budget of all runs, in addition to that of this one.
    shared: Option<Arc<dyn SharedBudget>>,
    state: Mutex<MeterState>,
    /// Held by the reservation whose turn it is. First come, first served, so that small requests do not overtake a large one until nothing is left for it.
    turn: FairMutex<()>,
    /// Wakes the reservation that waits for others to be settled.
    settled: Notify,
    /// Set when the bills of earlier processes are loaded.
    has_earlier: OnceCell<()>,
}

#[derive(Debug, Default)]
struct MeterState {
    /// Requests in flight.
    running: usize,
    /// Maximum cost in US dollars of the requests in flight.
    reserved: f64,
    spent: f64,
    /// Maximum tokens of the requests in flight.
    reserved_tokens: u64,
    spent_tokens: u64,
    /// What earlier processes of the run paid for requests that this one has not reached yet, by the key of the request.
    to_reach: HashMap<String, Paid>,
    /// The sum of it.
    to_reach_all: Paid,
    /// What earlier processes paid for stages whose output is reused. Their requests are not reached one by one.
    reused: Paid,
    /// What calls of this process cost or may have cost; `spent` has recorded answers too.
    live: f64,
    /// What calls of this process may cost, as reserved in the shared budget.
    granted: f64,
    /// What calls without an answer may have cost, which only counts towards the shared budget.
    unknown: f64,
    /// Whether an answer was lost after it may have been billed.
    has_lost: bool,
    /// The most input tokens for each byte that a model has charged so far.
    density: BTreeMap<String, f64>,
    /// The longest answer to each prompt so far, in tokens.
    longest: BTreeMap<String, u64>,
    by_ask: BTreeMap<String, Spending>,
}

/// Later text may have this many times as many tokens for each byte as the densest before. Most of the margin is in the schema: it is left out of the
/// bytes when the density is learned, and counted when it is applied, a tenth to a third more.
const MARGIN: f64 = 1.02;
/// English prose has at least this many tokens for each byte. A text in another script may have fewer before English comes.
const SPARSEST: f64 = 0.25;

/// A chunk is larger than its request by this share, and this amount in US dollars, so that rounding errors never make it too small. Far below a cent.
const ROUNDING: f64 = 1e-9;
/// How often a run looks whether others gave back a part of a shared budget. Chosen by hand.
const LOOK_EVERY: Duration = Duration::from_secs(1);

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
    tokens: u64,
    is_settled: bool,
    /// The key of a recorded answer.
    recorded: Option<String>,
    /// The reserved tokens; `None` if nothing is reserved.
    pub(crate) most: Option<Usage>,
    /// Output limit that the budget allows.
    pub(crate) most_output: u32,
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        let mut state = self.meter.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.reserved = (state.reserved - self.dollars).max(0.0);
        if state.running == 1 {
            // Sums of amounts have rounding errors. A run that waits must hold nothing, so that runs never wait for each other.
            state.reserved = 0.0;
        }
        state.reserved_tokens = state.reserved_tokens.saturating_sub(self.tokens);
        state.running = state.running.saturating_sub(1);
        if !self.is_settled && self.meter.shared.is_some() {
            // The run was stopped while the request may have been in flight.
            state.live += self.dollars;
            state.unknown += self.dollars;
            self.meter.report(&state);
        }
        drop(state);
        self.meter.settled.notify_waiters();
    }
}

impl MeterState {
    /// What earlier processes paid and `spent` does not contain yet.
    fn earlier(&self) -> Paid {
        Paid {
            dollars: (self.to_reach_all.dollars - self.reused.dollars).max(0.0),
            tokens: self.to_reach_all.tokens.saturating_sub(self.reused.tokens),
        }
    }

    /// Notes that a part of what earlier processes paid for a request is in `spent` now. The rest is what they may have paid when they were stopped.
    fn reached(&mut self, key: &str, dollars: f64, tokens: u64) {
        if let Some(paid) = self.to_reach.get_mut(key) {
            let (dollars, tokens) = (dollars.min(paid.dollars), tokens.min(paid.tokens));
            paid.dollars -= dollars;
            paid.tokens -= tokens;
            self.to_reach_all.dollars -= dollars;
            self.to_reach_all.tokens -= tokens;
        }
    }

    /// What is paid, and what the requests in flight may cost.
    fn committed(&self) -> f64 {
        self.spent + self.earlier().dollars + self.reserved
    }

    /// What is reserved in the shared budget and not taken by a request.
    fn shared_left(&self) -> f64 {
        self.granted - self.live - self.reserved
    }

    /// The smallest output limit worth sending the request: the longest answer to its prompt so far, if that is less than `least`.
    fn enough(&self, ask: &Ask, least: u32) -> u64 {
        let known = self.longest.get(&ask.id).copied();
        let least = u64::from(least);
        match known {
            // A model that thinks needs its whole limit.
            Some(known) if least < u64::from(ask.most_output) => least.min(known.max(1)),
            _ => least,
        }
    }

    /// The bound with the input that the request takes if it has as many tokens for each byte as earlier ones. After a lost try the wide bound stays,
    /// because such a try counts at it.
    fn closer(&self, model: &str, ask: &Ask, most: Usage) -> Usage {
        let Some(density) = self.density.get(model).filter(|_| !self.has_lost) else {
            return most;
        };
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "tokens and bytes of one request"
        )]
        let input = (ask.counted_bytes() as f64 * density * MARGIN).ceil() as u64;
        Usage {
            input: most.input.min(input),
            written: most.written.min(input),
            ..most
        }
    }
}

impl Meter {
    /// A meter with a price table and an optional budget in US dollars.
    #[must_use]
    pub fn new(prices: Prices, budget: Option<f64>) -> Self {
        Self {
            prices,
            budget,
            most_tokens: None,
            shared: None,
            state: Mutex::default(),
            turn: FairMutex::default(),
            settled: Notify::new(),
            has_earlier: OnceCell::new(),
        }
    }

    /// The same, and at most this many tokens of input and output. A model needs no price for that.
    #[must_use]
    pub fn within_tokens(mut self, most: Option<u64>) -> Self {
        self.most_tokens = most;
        self
    }

    /// The same, within a budget that other runs share.
    #[must_use]
    pub fn sharing(mut self, shared: Option<Arc<dyn SharedBudget>>) -> Self {
        self.shared = shared;
        self
    }

    /// Reserves the maximum cost of a request. If it does not fit beside the requests in flight, waits until those are settled. Requests are served in
    /// the order in which they came. If it does not fit with nothing in flight either, the end of the budget goes to the same request with less
    /// output, of `least_output` tokens or more. Usual answers are far shorter than their limit. Its input is then bounded by what earlier requests took
    /// for each byte, which is closer than the bound for any text.
    ///
    /// # Errors
    /// If it does not fit with nothing in flight, or a budget is set and the price is unknown.
    pub(crate) async fn reserve(&self, model: &str, ask: &Ask, least_output: u32) -> Result<Reserved<'_>, LlmError> {
        let _turn = self.turn.lock().await;
        loop {
            let settled = self.settled.notified();
            if let Some(shared) = &self.shared
                && !self.grow(shared.as_ref(), model, ask).await?
            {
                settled.await;
                continue;
            }
            match self.try_reserve(model, ask, least_output) {
                Ok(Some(reserved)) => return Ok(reserved),
                Ok(None) => settled.await,
                Err(error) => {
                    if let (Some(shared), LlmError::OverBudget { .. }) = (&self.shared, &error)
                        && self.is_shared_short()
                    {
                        shared.use_up().await?;
                    }
                    return Err(error);
                }
            }
        }
    }

    /// Reserves more of the shared budget if a request does not fit into what is reserved. If too little is left, waits until other runs give something
    /// back, or until none can. Returns false if a request of this run in flight may give something back.
    async fn grow(&self, shared: &dyn SharedBudget, model: &str, ask: &Ask) -> Result<bool, LlmError> {
        // Without a price, the request fails later if the budget has a limit.
        let price = self.prices.of(model);
        let wanted = price.map_or(0.0, |price| price.dollars(ask.at_most()) * (1.0 + ROUNDING) + ROUNDING);
        loop {
            let (live, held, running) = {
                let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
                if state.shared_left() >= wanted && shared.is_fresh() {
                    return Ok(true);
                }
                (state.live, state.reserved, state.running)
            };
            let chunk = shared.reserve(live, held, wanted).await?;
            // Requests that were settled meanwhile moved from `held` to `live`, which changes nothing here.
            self.state.lock().unwrap_or_else(PoisonError::into_inner).granted = live + held + chunk.dollars;
            if chunk.dollars >= wanted {
                return Ok(true);
            }
            if running > 0 || !chunk.may_grow {
                return Ok(running == 0);
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Whether the shared budget has less left than the run's own.
    fn is_shared_short(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let own = self.budget.map_or(f64::INFINITY, |budget| budget - state.committed());
        state.shared_left() < own
    }

    /// What is left for a request, if anything limits it.
    fn left(&self, state: &MeterState) -> Option<f64> {
        let own = self.budget.map(|budget| budget - state.committed());
        let shared = self.shared.is_some().then(|| state.shared_left());
        let shared = shared.filter(|left| left.is_finite());
        own.into_iter().chain(shared).reduce(f64::min)
    }

    /// Reports to the shared budget what was paid.
    fn report(&self, state: &MeterState) {
        if let Some(shared) = &self.shared {
            shared.costs(RunCost {
                used: state.spent,
                unknown: state.unknown,
                live: state.live,
            });
        }
    }

    /// Loads what earlier processes of the run paid, before the first request of this one. Otherwise requests in parallel could take the part of the budget
    /// that pays for recorded answers which are reached later.
    pub(crate) async fn load_earlier(&self, gateway: &HttpGateway) -> Result<(), LlmError> {
        if self.budget.is_none() && self.most_tokens.is_none() {
            return Ok(());
        }
        let load = || async {
            let recorded = gateway.bills().await?;
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            for (key, bill) in recorded {
                let Some(RecordedBill { model, usage }) = RecordedBill::from_json(bill) else {
                    continue;
                };
                let (dollars, tokens) = (self.price(&model, usage).unwrap_or_default(), usage.total());
                let paid = state.to_reach.entry(key).or_default();
                paid.dollars += dollars;
                paid.tokens += tokens;
                state.to_reach_all.dollars += dollars;
                state.to_reach_all.tokens += tokens;
            }
            Ok(())
        };
        self.has_earlier.get_or_try_init(load).await.copied()
    }

    /// Counts what a request may have cost that another process sent before it ended.
    pub(crate) fn may_have_cost(&self, model: &str, most: Usage) {
        let dollars = self.price(model, most).unwrap_or_default();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if self.shared.is_some() {
            state.live += dollars;
            state.unknown += dollars;
            self.report(&state);
        }
    }

    /// For the recorded answer to the request `key`: its usage counts, but nothing is reserved.
    pub(crate) fn reserve_nothing(&self, model: &str, key: &str) -> Reserved<'_> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.running += 1;
        Reserved {
            meter: self,
            model: model.to_owned(),
            dollars: 0.0,
            tokens: 0,
            is_settled: false,
            recorded: Some(key.to_owned()),
            most: None,
            most_output: u32::MAX,
        }
    }

    /// Like [`Meter::reserve`], but returns `None` where that would wait.
    fn try_reserve(&self, model: &str, ask: &Ask, least_output: u32) -> Result<Option<Reserved<'_>>, LlmError> {
        let price = self.prices.of(model);
        let mut most = ask.at_most();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let least_output = state.enough(ask, least_output);
        if let Some(left) = self.left(&state) {
            if price.is_none() {
                return Err(LlmError::NoPrice {
                    model: model.to_owned(),
                });
            }
            let dollars = price.map(|price| price.dollars(most)).unwrap_or_default();
            if dollars > left && state.running > 0 {
                return Ok(None);
            }
            if dollars > left {
                most = state.closer(model, ask, most);
            }
            most.output = price.map_or(0, |price| price.output_within(left, most));
            if most.output < least_output || (state.has_lost && dollars > left) {
                return Err(LlmError::OverBudget {
                    ask: ask.id.clone(),
                    may_cost: dollars,
                    left: left.max(0.0),
                });
            }
        }
        if let Some(limit) = self.most_tokens {
            let left = limit.saturating_sub(state.spent_tokens + state.earlier().tokens + state.reserved_tokens);
            let tokens = most.total();
            if tokens > left && state.running > 0 {
                return Ok(None);
            }
            if tokens > left {
                most = state.closer(model, ask, most);
            }
            most.output = most.output.min(left.saturating_sub(most.input));
            if most.output < least_output || (state.has_lost && tokens > left) {
                return Err(LlmError::OverTokens {
                    ask: ask.id.clone(),
                    may_take: tokens,
                    left,
                });
            }
        }
        let dollars = price.map(|price| price.dollars(most)).unwrap_or_default();
        let tokens = most.total();
        state.reserved += dollars;
        state.reserved_tokens += tokens;
        state.running += 1;
        Ok(Some(Reserved {
            meter: self,
            model: model.to_owned(),
            dollars,
            tokens,
            is_settled: false,
            recorded: None,
            most: Some(most),
            most_output: u32::try_from(most.output).unwrap_or(u32::MAX),
        }))
    }

    /// Remembers how many tokens a request took, as a closer bound for later ones.
    pub(crate) fn learn(&self, model: &str, ask: &Ask, usage: Usage) {
        #[expect(clippy::cast_precision_loss, reason = "tokens and bytes of one request")]
        // Not every service charges for the schema. Without it, the density is the highest that the answer allows.
        let density = (usage.input as f64 / ask.text_bytes().max(1) as f64).max(SPARSEST);
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let known = state.density.entry(model.to_owned()).or_default();
        *known = known.max(density);
        let longest = state.longest.entry(ask.id.clone()).or_default();
        *longest = usage.output.max(*longest);
    }

    /// Counts the actual usage of a request and releases its reservation.
    pub(crate) fn settle(&self, mut reserved: Reserved<'_>, ask: &str, usage: Usage, answered: bool) {
        let model = reserved.model.clone();
        {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            let spending = state.by_ask.entry(ask.to_owned()).or_default();
            spending.asks += 1;
            spending.failed += u64::from(!answered);
        }
        // Charge before releasing, so that no other request can take the budget in between.
        let live = match reserved.recorded {
            Some(_) => Usage::default(),
            None => usage,
        };
        self.charge(&model, ask, usage, live, reserved.recorded.as_deref());
        reserved.is_settled = true;
        drop(reserved);
    }

    /// Remembers that an answer was lost. From then on no request gets less output than it asks for: a replay counts a lost try at its full limit.
    pub(crate) fn lost(&self) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).has_lost = true;
    }

    /// Counts usage that was billed, of which this process may have paid `live`. `recorded` is the key of the request if an earlier process recorded it.
    pub(crate) fn charge(&self, model: &str, ask: &str, usage: Usage, live: Usage, recorded: Option<&str>) {
        let dollars = |usage| self.price(model, usage).unwrap_or_default();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(key) = recorded {
            state.reached(key, dollars(usage), usage.total());
        }
        state.spent += dollars(usage);
        state.live += dollars(live);
        state.spent_tokens += usage.total();
        self.report(&state);
        let spending = state.by_ask.entry(ask.to_owned()).or_default();
        spending.usage += usage;
        spending.dollars += dollars(usage);
    }

    /// Cost of `usage` of `model` in US dollars, if its price is known.
    #[must_use]
    pub fn price(&self, model: &str, usage: Usage) -> Option<f64> {
        self.prices.of(model).map(|price| price.dollars(usage))
    }

    /// Counts the spending of an earlier process of the same run, for a stage whose output is reused.
    pub fn spent_before(&self, model: &str, usage: Usage) {
        let dollars = self.price(model, usage).unwrap_or_default();
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.spent += dollars;
        state.spent_tokens += usage.total();
        state.reused.dollars += dollars;
        state.reused.tokens += usage.total();
        self.report(&state);
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
        let first = meter.reserve("a:b", &ask(1000), 1000).await.unwrap();
        let second = meter.reserve("a:b", &ask(1000), 1000).await.unwrap();
        // Two are in flight and may cost four of the five dollars.
        assert!(meter.try_reserve("a:b", &ask(1000), 1000).unwrap().is_none());
        let usage = Usage {
            input: 500,
            cached: 0,
            written: 0,
            output: 100,
        };
        let waiting = async { meter.reserve("a:b", &ask(1000), 1000).await.is_ok() };
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
        let error = meter.reserve("a:b", &ask(4000), 4000).await.unwrap_err();
        assert!(matches!(error, LlmError::OverBudget { .. }), "{error}");
        let shorter = meter.reserve("a:b", &ask(4000), 3000).await.unwrap();
        assert!((3398..=3400).contains(&shorter.most_output), "{}", shorter.most_output);
        drop(shorter);
        meter.lost();
        assert!(meter.reserve("a:b", &ask(4000), 3000).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn a_large_request_that_waits_is_not_overtaken_by_small_ones() {
        let meter = Meter::new(Prices::from_toml(TABLE).unwrap(), Some(6.0));
        let small = Usage {
            output: 500,
            ..Usage::default()
        };
        let first = meter.reserve("a:b", &ask(1000), 1000).await.unwrap();
        // The large one may cost five of the six dollars, and does not fit beside the first.
        let large = async {
            let reserved = meter.reserve("a:b", &ask(3500), 3500).await;
            reserved.map(|reserved| meter.settle(reserved, "claims@1", small, true))
        };
        // Six small ones come after it. Together with the first they leave too little for it.
        let others = async {
            for _ in 0..6 {
                let reserved = meter.reserve("a:b", &ask(500), 500).await.unwrap();
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

    #[tokio::test(start_paused = true)]
    async fn a_token_budget_needs_no_price_and_is_a_bound() {
        let meter = Meter::default().within_tokens(Some(3_300));
        // The request may take 1,000 tokens of input and 1,000 of output.
        let first = meter.reserve("a:b", &ask(1000), 1000).await.unwrap();
        assert!(meter.try_reserve("a:b", &ask(1000), 1000).unwrap().is_none());
        let usage = Usage {
            input: 900,
            output: 100,
            ..Usage::default()
        };
        meter.settle(first, "claims@1", usage, true);
        let second = meter.reserve("a:b", &ask(1000), 1000).await.unwrap();
        meter.settle(second, "claims@1", usage, true);
        let error = meter.reserve("a:b", &ask(1000), 400).await.unwrap_err();
        assert!(
            matches!(
                error,
                LlmError::OverTokens {
                    may_take: 2_000,
                    left: 1_300,
                    ..
                }
            ),
            "{error}"
        );
        // The end of the budget goes to a request with less output.
        assert_eq!(meter.reserve("a:b", &ask(1000), 200).await.unwrap().most_output, 300);
    }

    #[tokio::test]
    async fn the_end_of_a_budget_is_reserved_by_what_earlier_requests_took() {
        // Three bytes a token would reserve a third more than the service charges.
        let meter = Meter::new(Prices::from_toml(TABLE).unwrap(), Some(1.7));
        let usage = Usage {
            input: 750,
            output: 10,
            ..Usage::default()
        };
        let first = meter.reserve("a:b", &ask(100), 100).await.unwrap();
        meter.learn("a:b", &ask(100), usage);
        meter.settle(first, "claims@1", usage, true);
        // 0.94 dollars are left. The wide bound of the input alone is a dollar.
        let second = meter.reserve("a:b", &ask(100), 100).await.unwrap();
        assert_eq!(second.most_output, 100);
        assert!(second.dollars <= 0.94, "{}", second.dollars);
        drop(second);
        meter.lost();
        assert!(meter.reserve("a:b", &ask(100), 100).await.is_err());
    }

    #[tokio::test]
    async fn a_budget_needs_a_price() {
        let meter = Meter::new(Prices::default(), Some(5.0));
        let error = meter.reserve("a:b", &ask(1), 1).await.unwrap_err();
        assert!(matches!(error, LlmError::NoPrice { .. }));
        assert!(Meter::default().reserve("a:b", &ask(1), 1).await.is_ok());
    }

    /// A budget of two runs, of which the other has 3 dollars until it gives back 2.
    #[derive(Debug, Default)]
    struct OfTwo {
        asked: Mutex<Vec<(f64, f64)>>,
        paid: Mutex<f64>,
        is_used_up: Mutex<bool>,
    }

    impl SharedBudget for OfTwo {
        fn reserve(&self, spent: f64, held: f64, wanted: f64) -> crate::BudgetAnswer<'_, crate::Chunk> {
            let mut asked = self.asked.lock().unwrap();
            asked.push((spent, held));
            let other = if asked.len() < 4 { 3.0 } else { 1.0 };
            let left = 6.0 - other - spent - held;
            let may_grow = asked.len() < 4;
            let dollars = match left >= wanted {
                true => wanted,
                false if may_grow => 0.0,
                false => left,
            };
            Box::pin(async move { Ok(crate::Chunk { dollars, may_grow }) })
        }

        fn is_fresh(&self) -> bool {
            true
        }

        fn use_up(&self) -> crate::BudgetAnswer<'_, ()> {
            *self.is_used_up.lock().unwrap() = true;
            Box::pin(async { Ok(()) })
        }

        fn costs(&self, so_far: RunCost) {
            *self.paid.lock().unwrap() = so_far.used + so_far.unknown;
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_run_waits_for_what_others_give_back_and_counts_what_it_may_have_paid() {
        let shared = Arc::new(OfTwo::default());
        let meter = Meter::new(Prices::from_toml(TABLE).unwrap(), None);
        let meter = meter.sharing(Some(Arc::clone(&shared) as Arc<dyn SharedBudget>));
        let usage = Usage {
            input: 900,
            output: 600,
            ..Usage::default()
        };
        let first = meter.reserve("a:b", &ask(1000), 1000).await.unwrap();
        meter.settle(first, "claims@1", usage, true);
        // 1.5 dollars are spent and 1.5 are left, until the other run gives 2 back.
        let second = meter.reserve("a:b", &ask(1000), 1000).await.unwrap();
        let asked = shared.asked.lock().unwrap().clone();
        assert_eq!(asked, [(0.0, 0.0), (1.5, 0.0), (1.5, 0.0), (1.5, 0.0)]);
        // A request that was stopped may have been billed.
        drop(second);
        assert!((*shared.paid.lock().unwrap() - 3.5).abs() < 1e-9);
        assert!((meter.dollars() - 1.5).abs() < 1e-9);
        // So may one that another process sent.
        meter.may_have_cost("a:b", usage);
        assert!(!*shared.is_used_up.lock().unwrap());
        let error = meter.reserve("a:b", &ask(1000), 1000).await.unwrap_err();
        assert!(matches!(error, LlmError::OverBudget { .. }), "{error}");
        assert!(*shared.is_used_up.lock().unwrap());
    }

    /// A budget that is set after the first look.
    #[derive(Debug, Default)]
    struct SetLater {
        looks: Mutex<u32>,
    }

    impl SharedBudget for SetLater {
        fn reserve(&self, spent: f64, held: f64, wanted: f64) -> crate::BudgetAnswer<'_, crate::Chunk> {
            let mut looks = self.looks.lock().unwrap();
            *looks += 1;
            let left = if *looks == 1 { f64::INFINITY } else { 3.0 - spent - held };
            let dollars = if left >= wanted && *looks > 1 { wanted } else { left };
            Box::pin(async move {
                Ok(crate::Chunk {
                    dollars,
                    may_grow: false,
                })
            })
        }

        /// For the second request.
        fn is_fresh(&self) -> bool {
            *self.looks.lock().unwrap() == 1
        }

        fn use_up(&self) -> crate::BudgetAnswer<'_, ()> {
            Box::pin(async { Ok(()) })
        }

        fn costs(&self, _so_far: RunCost) {}
    }

    #[tokio::test]
    async fn a_budget_that_is_set_during_a_run_limits_it_from_the_next_look() {
        let shared = Arc::new(SetLater::default());
        let meter = Meter::new(Prices::from_toml(TABLE).unwrap(), None);
        let meter = meter.sharing(Some(Arc::clone(&shared) as Arc<dyn SharedBudget>));
        // Without a limit, no price is needed.
        let free = meter.reserve("a:free", &ask(1000), 1000).await.unwrap();
        meter.settle(free, "claims@1", Usage::default(), true);
        let usage = Usage {
            input: 900,
            output: 600,
            ..Usage::default()
        };
        let first = meter.reserve("a:b", &ask(1000), 1000).await.unwrap();
        *shared.looks.lock().unwrap() += 1;
        meter.settle(first, "claims@1", usage, true);
        // 1.5 of 3 dollars are left, and the request may cost 2.
        let error = meter.reserve("a:b", &ask(1000), 1000).await.unwrap_err();
        assert!(matches!(error, LlmError::OverBudget { .. }), "{error}");
        let error = meter.reserve("a:free", &ask(1000), 1000).await.unwrap_err();
        assert!(matches!(error, LlmError::NoPrice { .. }), "{error}");
    }
}

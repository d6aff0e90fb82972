//! The HTTP client: one request through recording, waiting, retries and redirects.
//!
//! Long because the loop over tries and the rules for each outcome are read together.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use precedent_ledger::{Answer, InputHash, Ledger, Sent};
use reqwest::Url;
use serde_json::Value;
use tokio::time::Instant;

use crate::attempt::went_out;
use crate::breaker::Admission;
use crate::claims::{Claims, Turn};
use crate::clients::{Hop, HttpClients, ReceivedBody};
use crate::hosts::{Host, HostLimits, Hosts};
use crate::key::key;
use crate::notice::Notices;
use crate::record::Earlier;
use crate::redirect::{redirected, stays};
use crate::request::server;
use crate::requested_wait::{is_wait_requested, requested_in_body, requested_wait, wait_in_words};
use crate::waits::Waits;
use crate::{
    Attempt, Connection, Effort, HttpError, Lost, Method, NetworkPolicy, Request, Response, SharedAnswers, failure,
    log, record, response, retry,
};

/// Maximum number of redirects.
const REDIRECTS: usize = 5;

/// Whether the network may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// Requests without a recorded answer are sent.
    #[default]
    Live,
    /// Requests without a recorded answer fail; no socket is opened.
    Replay,
}

/// Network settings of a run.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Which hosts may be reached.
    pub reach: NetworkPolicy,
    /// Whether the network may be used at all.
    pub mode: Mode,
    /// The user agent. Services ask for a name and a contact address.
    pub user_agent: String,
    /// The pace of each host. Give all runs of a program clones of one, so that they share it.
    pub limits: HostLimits,
    /// Proxies and additional certificate authorities.
    pub connection: Connection,
}

/// The HTTP client. All requests of a run go through one.
#[derive(Debug)]
pub struct HttpGateway {
    settings: Settings,
    ledger: Ledger,
    dial: HttpClients,
    hosts: Hosts,
    notices: Notices,
    waits: Waits,
    shared: Option<SharedAnswers>,
    claims: Claims,
    /// Requests in flight, so that the same request is not sent twice.
    asking: Mutex<HashMap<InputHash, Arc<tokio::sync::Mutex<()>>>>,
}

impl HttpGateway {
    /// Creates a client that stores its answers in `ledger`.
    ///
    /// # Errors
    /// Returns an error if the client cannot be created, for example if the machine has no root certificates.
    pub fn new(settings: Settings, ledger: Ledger) -> Result<Self, HttpError> {
        Ok(Self {
            dial: HttpClients::new(&settings.reach, settings.connection.clone(), &settings.user_agent)?,
            hosts: Hosts::new(settings.limits.clone()),
            settings,
            ledger,
            notices: Notices::default(),
            waits: Waits::default(),
            shared: None,
            claims: Claims::default(),
            asking: Mutex::default(),
        })
    }

    /// Sets a receiver for notices to the user while requests are in flight.
    #[must_use]
    pub fn noting(mut self, receive: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.notices = Notices::to(receive);
        self
    }

    /// Sets a receiver for the number of requests that wait because their host is down, asks to slow down, or failed and is asked again.
    #[must_use]
    pub fn counting_waits(mut self, receive: impl Fn(usize) + Send + Sync + 'static) -> Self {
        self.waits = Waits::to(receive);
        self
    }

    /// Uses answers that earlier runs on this machine received, for requests that allow it.
    #[must_use]
    pub fn sharing(mut self, shared: Option<SharedAnswers>) -> Self {
        self.shared = shared;
        self
    }

    /// Sets how long other processes that share the ledger wait for a request of this one after it was killed, instead of a minute.
    #[must_use]
    pub fn leasing(mut self, lease: Duration) -> Self {
        self.claims = Claims::lasting(lease);
        self
    }

    /// Sends the request, or returns its recorded answer. A response is returned whatever its status, once tries and patience are used up.
    ///
    /// A settled recorded answer is returned as it is. A temporary one is requested again, except in replay.
    ///
    /// # Errors
    /// Returns an error if the address must not be reached, there is no response, or the record cannot be used.
    pub fn send<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Response, HttpError>> {
        Box::pin(async move {
            let mut effort = Effort::default();
            loop {
                let attempt = self.attempt(request, &mut effort).await;
                if !attempt.again {
                    return attempt.outcome;
                }
            }
        })
    }

    /// Like [`HttpGateway::send`], for callers that account for every try: if tries may be [billed](Request::billed), a try whose answer was lost ends the
    /// attempt. `effort` carries over from one attempt to the next.
    pub fn attempt<'a>(&'a self, request: &'a Request, effort: &'a mut Effort) -> BoxFuture<'a, Attempt> {
        Box::pin(async move {
            if let Err(error) = self.settings.reach.check(&request.url, request.origin) {
                return Attempt::failed(error);
            }
            if let Some(pause) = effort.pause.take() {
                let _waiting = self.waits.begin();
                tokio::time::sleep(pause).await;
            }
            let key = key(request);
            let turn = self.turn(&key);
            let attempt = {
                let _alone = turn.lock().await;
                self.recorded_or_asked(request, &key, effort).await
            };
            drop(turn);
            self.forget(&key);
            attempt.unwrap_or_else(Attempt::failed)
        })
    }

    /// The host of an address as records and reports name it: with its port, and with the proxy that forwards the requests.
    #[must_use]
    pub fn host_of(&self, address: &str) -> String {
        let after = address.split_once("://").map_or(address, |(_, rest)| rest);
        let host = after.split(['/', '?', '#']).next().unwrap_or_default();
        let host = host.rsplit('@').next().unwrap_or_default();
        match Url::parse(address) {
            Ok(url) => self.with_proxy(host, &url),
            Err(_) => host.to_owned(),
        }
    }

    fn with_proxy(&self, host: &str, url: &Url) -> String {
        match self.dial.proxy_of(url) {
            Some(proxy) => format!("{host} (through the proxy {proxy})"),
            None => host.to_owned(),
        }
    }

    /// Everything sent so far, in order.
    ///
    /// # Errors
    /// Returns an error if the record cannot be read.
    pub fn everything_sent<'a>(&'a self) -> BoxFuture<'a, Result<Vec<Sent>, HttpError>> {
        Box::pin(async move { Ok(self.ledger.everything_sent().await?) })
    }

    /// Whether no request is needed: a settled answer is recorded, or the client is in replay mode.
    ///
    /// # Errors
    /// Returns an error if the record cannot be read.
    pub fn is_settled<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<bool, HttpError>> {
        Box::pin(async move {
            if self.settings.mode == Mode::Replay {
                return Ok(true);
            }
            let key = key(request);
            let answer = self.ledger.answer(&key).await?;
            Ok(answer.is_some_and(|answer| answer.settled) || self.shared_answer(request, &key).await.is_some())
        })
    }

    /// What a recorded answer that is not final cost, and the tries before it. The next attempt returns the same first.
    ///
    /// # Errors
    /// Returns an error if the record cannot be read.
    pub fn lost_before<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<Vec<Lost>, HttpError>> {
        Box::pin(async move {
            let earlier = self.ledger.answer(&key(request)).await?;
            Ok(earlier.map_or_else(Vec::new, |answer| record::not_final(request, answer).lost))
        })
    }

    /// The [bills](Request::with_bill) of all recorded tries, by the [key](Request::key) of their request.
    ///
    /// # Errors
    /// Returns an error if the record cannot be read.
    pub fn bills(&self) -> BoxFuture<'_, Result<Vec<(String, Value)>, HttpError>> {
        Box::pin(async move {
            let heads = self.ledger.answer_heads().await?.into_iter();
            let bills = heads.flat_map(|(key, head)| {
                let bills = record::bills(&head).into_iter();
                bills.map(move |bill| (key.clone(), bill))
            });
            Ok(bills.collect())
        })
    }

    /// Records that a request could not be paid for. If an answer is recorded that is not final, a replay of this run does not use it either.
    ///
    /// # Errors
    /// Returns an error if the record cannot be used.
    pub fn refuse<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Result<(), HttpError>> {
        Box::pin(async move {
            let key = key(request);
            if let Some(answer) = self.ledger.answer(&key).await?.filter(|answer| !answer.settled) {
                self.ledger.keep_answer(&key, &record::refused(answer)).await?;
            }
            Ok(())
        })
    }

    pub(crate) fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    async fn recorded_or_asked(
        &self,
        request: &Request,
        key: &InputHash,
        effort: &mut Effort,
    ) -> Result<Attempt, HttpError> {
        if !request.is_kept && self.settings.mode != Mode::Replay {
            let (outcome, again) = self.ask(request, key, effort).await;
            return Ok(Attempt::of(outcome, Vec::new(), effort.went_out, again));
        }
        // Answers that came after another process had taken the request over.
        let mut discarded = Vec::new();
        loop {
            let attempt = self.recorded_or_claimed(request, key, effort, &mut discarded).await?;
            if let Some(mut attempt) = attempt {
                attempt.lost.append(&mut discarded);
                return Ok(attempt);
            }
        }
    }

    /// `None` if another process has the request, so that its answer may be on record soon.
    async fn recorded_or_claimed(
        &self,
        request: &Request,
        key: &InputHash,
        effort: &mut Effort,
        discarded: &mut Vec<Lost>,
    ) -> Result<Option<Attempt>, HttpError> {
        let replaying = self.settings.mode == Mode::Replay;
        let known = self.ledger.answer(key).await?;
        let mut earlier = Earlier::default();
        if let Some(answer) = known {
            if replaying && record::is_refused(&answer) {
                let lost = record::not_final(request, answer).lost;
                let error = HttpError::NotRecorded { asked: request.asked() };
                return Ok(Some(Attempt::of(Err(error), lost, false, false)));
            }
            earlier = record::earlier(&answer);
            let is_used = answer.settled || replaying;
            let went_out = record::went_out(&answer);
            let is_limited = record::is_limited(&answer);
            let outcome = match failure::from_answer(&answer) {
                Some(error) => Some(Err(error)),
                None => response::from_answer(answer).map(Ok),
            };
            match outcome {
                Some(outcome) if is_used => {
                    log::recorded(request, &outcome);
                    return Ok(Some(Attempt {
                        is_limited,
                        ..Attempt::of(outcome, earlier.lost, went_out, false)
                    }));
                }
                // A later answer replaces it, but it was billed too.
                Some(outcome) => earlier.lost.extend(Lost::of_discarded(request, &outcome)),
                None => {}
            }
        }
        if replaying {
            return Err(HttpError::NotRecorded { asked: request.asked() });
        }
        if let Some(response) = self.shared_answer(request, key).await {
            let answer = response::to_answer(&response, request.asked(), true).ok();
            if let Some(answer) = answer {
                self.ledger
                    .keep_answer(key, &record::with(answer, request, &earlier, None, false))
                    .await?;
            }
            let outcome = Ok(response);
            log::recorded(request, &outcome);
            return Ok(Some(Attempt::of(outcome, earlier.lost, false, false)));
        }
        let turn = match request.billed {
            true => self.claims.turn(&self.ledger, key).await?,
            false => Turn::Free,
        };
        let lease = match turn {
            Turn::Free => None,
            Turn::Ours(lease) => Some(lease),
            Turn::Passed => return Ok(None),
        };
        let asking = self.ask(request, key, effort);
        let (outcome, again) = self.claims.holding(&self.ledger, lease.as_ref(), asking).await;
        let answer = match &outcome {
            Ok(response) => {
                let settled = request.is_settled(response.status, &response.body);
                response::to_answer(response, request.asked(), settled).ok()
            }
            Err(error) => failure::to_answer(error, request.asked()),
        };
        if let Some(answer) = answer {
            let is_found = (200..300).contains(&answer.status) && answer.settled;
            if let Some(shared) = self.shared.as_ref().filter(|_| request.is_shared && is_found) {
                shared.keep(key, &response::without_address(&answer)).await;
            }
            let answer = record::with(answer, request, &earlier, request.bill(&outcome), effort.went_out);
            match &lease {
                None => self.ledger.keep_answer(key, &answer).await?,
                Some(lease) if self.ledger.settle(lease, &answer).await? => {}
                Some(_) => {
                    self.notices.say(&format!(
                        "another process took over a request to {} because this one did not run; both may be billed",
                        request.server()
                    ));
                    discarded.extend(Lost::of_discarded(request, &outcome));
                    return Ok(None);
                }
            }
        } else if let Some(lease) = &lease {
            self.ledger.release(lease).await?;
        }
        Ok(Some(Attempt {
            took_over: lease.is_some_and(|lease| lease.was_held()),
            is_limited: request.is_limited(),
            ..Attempt::of(outcome, earlier.lost, effort.went_out, again)
        }))
    }

    /// The answer to the request that an earlier run on this machine received.
    async fn shared_answer(&self, request: &Request, key: &InputHash) -> Option<Response> {
        let shared = self.shared.as_ref().filter(|_| request.is_shared)?;
        let response = response::from_answer(shared.find(key).await?)?;
        Some(response.into_cached(request.address()))
    }

    /// Tries until there is a final answer, or until tries, patience or the time to wait for a host that is down are used up. The second value says
    /// that an answer was lost and that another attempt may bring one.
    async fn ask(
        &self,
        request: &Request,
        key: &InputHash,
        effort: &mut Effort,
    ) -> (Result<Response, HttpError>, bool) {
        let host = self.hosts.host(&request.url, request.pace, request.outage);
        let start = *effort.start.get_or_insert_with(Instant::now);
        // Only waits and exchanges are ever cancelled, never the recording of what was sent.
        let end = request.within.map(|whole| start + whole);
        let mut last: Option<Result<Response, HttpError>> = None;
        loop {
            if let Err(error) = self.admitted(&host, request, end).await {
                // The failure of this request is more informative than that others failed too.
                let outcome = match error {
                    HttpError::Resting { .. } => last.unwrap_or(Err(error)),
                    _ => Err(error),
                };
                return (outcome, false);
            }
            let (outcome, started) = match self.one_try(&host, request, key, end).await {
                Ok(tried) => tried,
                Err(why) => {
                    host.breaker(crate::breaker::Breaker::not_sent);
                    let why = host.given_up(&request.limit_group).unwrap_or_else(|| why.to_owned());
                    return (last.unwrap_or(Err(given_up(request, why))), false);
                }
            };
            effort.went_out |= went_out(&outcome);
            effort.sent += 1;
            if let Ok(received) = &outcome
                && let Some(between) = retry::stated_pace(&received.headers)
            {
                host.limits.turns.slow_to(between).await;
            }
            let now = Instant::now();
            let left = end.map_or(Duration::MAX, |end| end.saturating_duration_since(now));
            let patience = request.patience.saturating_sub(start.elapsed()).min(left);
            let wait = match &outcome {
                Ok(received) if request.is_final(received.status, &received.body) => {
                    host.limits.at_once.answered();
                    self.note_answer(&host, request, started);
                    return (outcome, false);
                }
                Ok(received) if is_busy(request, received) => {
                    self.note_answer(&host, request, started);
                    // A host that names a time, or only says "too many", is obeyed while there is patience: many such responses slow a run but do not
                    // fail it.
                    effort.put_off += 1;
                    let wish = requested_wait(&received.headers, &received.body);
                    let tries = effort.tries.max(effort.put_off);
                    let wait = wish.unwrap_or_else(|| retry::pause(tries, random(key, effort.tries)));
                    let wait = wait.max(Duration::from_millis(200));
                    let busy_for = host.limits.at_once.busy(started, wait);
                    // With a time limit, a request knows at once that the pause is too long; without one it would wait for hours.
                    let is_long_pause = wish.is_some() && request.within.is_some();
                    if wait <= patience || is_long_pause {
                        host.limits.turns.hold(wait, self.pace_of(request)).await;
                    }
                    if wish.is_some() && wait > request.patience && request.within.is_none() {
                        host.give_up(
                            &request.limit_group,
                            &format!("it asks to wait {}", wait_in_words(wait)),
                        );
                    }
                    // A host that asks every request to wait is given up after the time that one request waits, not after that time for each.
                    if busy_for > request.patience {
                        return (outcome, false);
                    }
                    if wait <= patience {
                        self.note_pause(
                            &host,
                            request,
                            &format!("to slow down (status {})", received.status),
                            wait,
                        );
                    }
                    wait
                }
                Err(error) if !is_line_trouble(error) => {
                    // This may have been the probe that checks whether the host is up again.
                    host.breaker(crate::breaker::Breaker::not_sent);
                    return (outcome, false);
                }
                _ => {
                    host.limits.at_once.not_busy();
                    self.note_failure(&host, request, &outcome, started);
                    effort.failed(now, |then| host.breaker(|breaker| breaker.answered_since(then)));
                    let pause = match request.outage.is_zero() {
                        true => retry::pause,
                        false => retry::short_pause,
                    };
                    pause(effort.tries.max(effort.put_off), random(key, effort.tries))
                }
            };
            let is_given_up = host.breaker(|breaker| breaker.is_over(now));
            if effort.is_spent(request, now, is_given_up) || wait > patience {
                return (outcome, false);
            }
            log::retrying(request, wait);
            if Lost::of(request, &outcome).is_some() {
                effort.pause = Some(wait);
                return (outcome, true);
            }
            last = Some(outcome);
            let _waiting = self.waits.begin();
            tokio::time::sleep(wait).await;
        }
    }

    /// Waits until a request may be sent to its host. If callers wait for a host that is down: until it is up, or until they have waited long enough.
    async fn admitted(&self, host: &Host, request: &Request, end: Option<Instant>) -> Result<(), HttpError> {
        let mut over_since = None;
        let mut waiting = None;
        loop {
            if let Some(why) = host.given_up(&request.limit_group) {
                return Err(given_up(request, why));
            }
            let now = Instant::now();
            let back = host.back.notified();
            let (until, failures, over) = match host.breaker(|breaker| breaker.admit(now)) {
                Admission::Go => return Ok(()),
                Admission::Rests { until, failures, over } => (until, failures, over),
            };
            let last = *over_since.get_or_insert(now) + LAST_WAIT;
            if over && (request.outage.is_zero() || now >= last) {
                return Err(HttpError::Resting {
                    host: request.server(),
                    failures,
                });
            }
            if !over {
                over_since = None;
            }
            waiting.get_or_insert_with(|| self.waits.begin());
            // Either the host is up, or it is time to check again.
            let _ = tokio::time::timeout_at(until.min(now + LAST_WAIT), back).await;
            if end.is_some_and(|end| Instant::now() >= end) {
                return Err(timed_out(request));
            }
        }
    }

    /// One try in its turn, and when it started. An error says why it has no turn before `end`.
    async fn one_try(
        &self,
        host: &Host,
        request: &Request,
        key: &InputHash,
        end: Option<Instant>,
    ) -> Result<(Result<Response, HttpError>, Instant), &'static str> {
        let turn = async {
            let permit = host.limits.at_once.acquire().await;
            let (turns, ledger) = (&host.limits.turns, self.pace_of(request));
            let held = turns.held_for(ledger).await;
            let _waiting = held.map(|held| {
                // Without a shared pace, the answer that asked for the pause was reported.
                if ledger.is_some() {
                    self.note_pause(host, request, "to slow down", held);
                }
                self.waits.begin()
            });
            let turn = turns.wait(end, ledger).await;
            if let Some(why) = turns.shared.newly_failed() {
                self.notices.say(&format!(
                    "the shared pace of {} could not be read, so this process keeps only its own: {why}",
                    request.server()
                ));
            }
            turn.map(|()| permit)
        };
        let Some(in_turn) = before(end, turn).await else {
            // This may have been the probe that checks whether the host is up again.
            let now = Instant::now();
            host.breaker(|breaker| breaker.failed(now, now));
            return Ok((Err(timed_out(request)), now));
        };
        let _permit = in_turn?;
        let started = Instant::now();
        // The host may have been given up during the wait.
        if let Some(why) = host.given_up(&request.limit_group).or_else(|| request.unless.check()) {
            host.give_up(&request.limit_group, &why);
            return Ok((Err(given_up(request, why)), started));
        }
        let outcome = match self.in_flight(request, key).await {
            Err(error) => Err(error),
            Ok(stored) => {
                let outcome = self.follow(request, end).await;
                self.landed(request, key, stored, &outcome).await.and(outcome)
            }
        };
        // Before the next request has its turn.
        if let Ok(received) = &outcome
            && let Some(why) = request.last.check(received)
        {
            host.give_up(&request.limit_group, &why);
        }
        Ok((outcome, started))
    }

    /// Records that a request which may be billed is about to be sent, and returns what is stored now.
    async fn in_flight(&self, request: &Request, key: &InputHash) -> Result<Option<Answer>, HttpError> {
        let lost = Err(HttpError::Unreachable {
            host: String::new(),
            why: String::new(),
            sent: true,
        });
        let Some(bill) = request.bill(&lost).filter(|_| request.is_kept) else {
            return Ok(None);
        };
        let stored = self.ledger.answer(key).await?;
        let in_flight = record::in_flight(stored.as_ref(), request.asked(), bill);
        self.ledger.keep_answer(key, &in_flight).await?;
        Ok(stored.or_else(|| Some(record::nothing(request.asked()))))
    }

    /// Restores the record if the outcome costs nothing. Otherwise the outcome is recorded with its bill.
    async fn landed(
        &self,
        request: &Request,
        key: &InputHash,
        stored: Option<Answer>,
        outcome: &Result<Response, HttpError>,
    ) -> Result<(), HttpError> {
        match stored {
            Some(stored) if request.bill(outcome).is_none() => Ok(self.ledger.keep_answer(key, &stored).await?),
            _ => Ok(()),
        }
    }

    /// The ledger with the pace that other processes keep too. Services that bill nothing limit each machine for itself.
    fn pace_of(&self, request: &Request) -> Option<&Ledger> {
        Some(&self.ledger).filter(|ledger| request.billed && ledger.is_shared())
    }

    /// Says once in a while that requests wait because the host asks to slow down.
    fn note_pause(&self, host: &Host, request: &Request, what: &str, wait: Duration) {
        if !request.outage.is_zero() && host.is_notice_due(Instant::now()) {
            let (name, seconds) = (request.server(), wait.as_secs_f64().ceil());
            self.notices.say(&format!("{name} asks {what}; waiting {seconds:.0} s"));
        }
    }

    fn note_answer(&self, host: &Host, request: &Request, started: Instant) {
        let was_down = host.breaker(|breaker| breaker.answered(Instant::now(), started));
        if let Some(down) = was_down {
            host.back.notify_waiters();
            if !request.outage.is_zero() {
                let notice = format!(
                    "{} answers again after {:.0} s",
                    request.server(),
                    down.as_secs_f64().ceil()
                );
                self.notices.say(&notice);
            }
        }
    }

    fn note_failure(&self, host: &Host, request: &Request, outcome: &Result<Response, HttpError>, started: Instant) {
        let closes = host.breaker(|breaker| breaker.failed(Instant::now(), started));
        // The next request may probe.
        host.back.notify_waiters();
        if closes && !request.outage.is_zero() {
            let why = match outcome {
                Ok(received) if received.is_success() => "its answers cannot be read".to_owned(),
                Ok(received) => format!("status {}", received.status),
                Err(HttpError::Unreachable { why, .. }) => why.clone(),
                Err(_) => "no answer in time".to_owned(),
            };
            let longest = request.outage.as_secs_f64().ceil();
            self.notices.say(&format!(
                "{} is down ({why}); waiting up to {longest:.0} s for it, Ctrl-C stops the run",
                request.server()
            ));
        }
    }

    /// One try, following redirects.
    async fn follow(&self, request: &Request, end: Option<Instant>) -> Result<Response, HttpError> {
        let mut hop = Hop {
            url: request.url.clone(),
            method: request.method,
            origin: request.origin,
            with_secrets: true,
        };
        for _ in 0..=REDIRECTS {
            let received = self.noted(request, &hop, end).await?;
            let Some(next) = redirected(&hop, &received) else {
                return Ok(Response {
                    status: received.status,
                    headers: received.headers,
                    body: received.body,
                    address: hop.url.to_string(),
                    recorded: false,
                });
            };
            if request.stays && !stays(&hop.url, &next.url) {
                return Err(HttpError::NotAllowed {
                    host: server(&next.url),
                    why: format!(
                        "{} redirected to it, but only its own answer is accepted",
                        request.server()
                    ),
                });
            }
            self.settings.reach.check(&next.url, next.origin)?;
            let moved = next.url.host_str() != hop.url.host_str();
            if moved && next.method == Method::Post {
                return Err(HttpError::NotAllowed {
                    host: next.url.host_str().unwrap_or_default().to_owned(),
                    why: format!(
                        "{} redirected a request with a body to it, which is not followed",
                        request.server()
                    ),
                });
            }
            hop = next;
        }
        Err(HttpError::TooManyRedirects {
            host: request.server(),
            limit: REDIRECTS,
        })
    }

    /// One exchange, recorded before and after.
    async fn noted(&self, request: &Request, hop: &Hop, end: Option<Instant>) -> Result<ReceivedBody, HttpError> {
        let body = match hop.method {
            Method::Get => 0,
            Method::Post => request.whole_body().len(),
        };
        let mut sent = Sent {
            who: request.who.clone(),
            host: self.with_proxy(hop.url.host_str().unwrap_or_default(), &hop.url),
            asked: format!("{} {}", hop.method.name(), hop.url),
            bytes_out: (hop.url.as_str().len() + body) as u64,
            bytes_in: 0,
            outcome: "no answer yet".to_owned(),
        };
        let number = self.ledger.note_sent(&sent).await?;
        let started = Instant::now();
        let exchange = before(end, self.dial.exchange(request, hop)).await;
        let received = exchange.unwrap_or_else(|| Err(timed_out(request)));
        log::exchanged(hop, &received, started.elapsed());
        sent.outcome = match &received {
            Ok(received) => received.status.to_string(),
            Err(error) => error.to_string(),
        };
        let bytes_in = received
            .as_ref()
            .map(|received| received.body.len())
            .unwrap_or_default() as u64;
        self.ledger.note_received(number, bytes_in, &sent.outcome).await?;
        received
    }

    fn turn(&self, key: &InputHash) -> Arc<tokio::sync::Mutex<()>> {
        let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(asking.entry(key.clone()).or_default())
    }

    fn forget(&self, key: &InputHash) {
        let mut asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        if asking.get(key).is_some_and(|turn| Arc::strong_count(turn) == 1) {
            asking.remove(key);
        }
    }
}

/// How long a call waits for its try at a host that was down longer than callers wait.
const LAST_WAIT: Duration = Duration::from_secs(5);

/// Whether the host is up and asks to wait.
fn is_busy(request: &Request, received: &Response) -> bool {
    let (headers, body) = (&received.headers, &received.body);
    let is_asked = || match received.is_success() {
        false => is_wait_requested(headers, body),
        // An error despite its status.
        true => request.is_broken(received.status, body) && requested_in_body(headers, body).is_some(),
    };
    received.status == 429 || is_asked() || request.passing.check(received.status, &received.body)
}

/// The result, unless `end` comes first.
async fn before<T>(end: Option<Instant>, what: impl Future<Output = T>) -> Option<T> {
    match end {
        Some(end) => tokio::time::timeout_at(end, what).await.ok(),
        None => Some(what.await),
    }
}

fn timed_out(request: &Request) -> HttpError {
    HttpError::TimedOut {
        host: request.server(),
        after: request.within.unwrap_or(request.timeout),
    }
}

fn given_up(request: &Request, why: String) -> HttpError {
    HttpError::GivenUp {
        host: request.server(),
        why,
    }
}

/// Whether the connection failed, so that the next try may succeed.
fn is_line_trouble(error: &HttpError) -> bool {
    matches!(error, HttpError::Unreachable { .. } | HttpError::TimedOut { .. })
}

/// A pseudo-random number for a request and a try, the same on every run.
fn random(key: &InputHash, tries: u32) -> u64 {
    let sum: u64 = key.as_str().bytes().map(u64::from).sum();
    sum.wrapping_mul(2_654_435_761).rotate_left(tries % 64) >> 7
}

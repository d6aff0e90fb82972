use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use precedent_ledger::{InputHash, Ledger, Sent};
use reqwest::Url;
use tokio::time::Instant;

use crate::dial::{Dial, Heard, Hop};
use crate::hosts::Hosts;
use crate::key::key;
use crate::{HttpError, Method, Origin, Reach, Request, Response, failure, response, retry};

/// Why a request was not sent: the host asked for a pause that ends after the time allowed for the request.
const PAUSED: &str = "it asks for a pause that is longer than the time left for this search";
/// Redirects that are followed.
const REDIRECTS: usize = 5;

/// Whether the network may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// What is not on record is asked for.
    #[default]
    Live,
    /// What is not on record is an error; no socket is opened.
    Replay,
}

/// How a run uses the network.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// How far requests may go.
    pub reach: Reach,
    /// Whether the network may be used at all.
    pub mode: Mode,
    /// What servers are told about us. Services ask for a name and a way to write to its user.
    pub user_agent: String,
}

/// The door. All requests of a run go through one.
#[derive(Debug)]
pub struct Door {
    settings: Settings,
    ledger: Ledger,
    dial: Dial,
    hosts: Hosts,
    /// Questions being asked at this moment, so that the same one is not asked twice.
    asking: Mutex<HashMap<InputHash, Arc<tokio::sync::Mutex<()>>>>,
}

impl Door {
    /// A door whose answers are kept in `ledger`.
    ///
    /// # Errors
    /// When the client cannot be made, such as where the machine has no root certificates.
    pub fn new(settings: Settings, ledger: Ledger) -> Result<Self, HttpError> {
        Ok(Self {
            dial: Dial::new(&settings.reach, &settings.user_agent)?,
            settings,
            ledger,
            hosts: Hosts::default(),
            asking: Mutex::default(),
        })
    }

    /// Asks, or looks up what was answered before. What a server says is returned whatever its status, once tries and patience are used up.
    ///
    /// A settled answer on record is returned as it is; one that may pass is asked for again, except in replay.
    ///
    /// # Errors
    /// When the address may not be reached, nothing was said, or the record cannot be used.
    pub async fn send(&self, request: &Request) -> Result<Response, HttpError> {
        self.settings.reach.check(&request.url, request.origin)?;
        let key = key(request);
        let turn = self.turn(&key);
        let outcome = {
            let _alone = turn.lock().await;
            self.recorded_or_asked(request, &key).await
        };
        drop(turn);
        self.forget(&key);
        outcome
    }

    /// Everything that was sent so far, in order.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub async fn everything_sent(&self) -> Result<Vec<Sent>, HttpError> {
        Ok(self.ledger.everything_sent().await?)
    }

    /// Whether the question needs nobody any more: a settled answer is on record, or nobody is asked at all.
    ///
    /// # Errors
    /// When the record cannot be read.
    pub async fn is_settled(&self, request: &Request) -> Result<bool, HttpError> {
        if self.settings.mode == Mode::Replay {
            return Ok(true);
        }
        let answer = self.ledger.answer(&key(request)).await?;
        Ok(answer.is_some_and(|answer| answer.settled))
    }

    async fn recorded_or_asked(&self, request: &Request, key: &InputHash) -> Result<Response, HttpError> {
        let replaying = self.settings.mode == Mode::Replay;
        if !request.is_kept && !replaying {
            return self.ask(request, key).await;
        }
        if let Some(answer) = self.ledger.answer(key).await?
            && (answer.settled || replaying)
        {
            if let Some(error) = failure::from_answer(&answer) {
                return Err(error);
            }
            if let Some(response) = response::from_answer(answer) {
                return Ok(response);
            }
        }
        if replaying {
            return Err(HttpError::NotRecorded { asked: request.asked() });
        }
        let outcome = self.ask(request, key).await;
        let (answer, settled) = match &outcome {
            Ok(response) => {
                let fruitless = request.fruitless.tells(response.status, &response.body);
                let settled = !fruitless
                    && !request.damaged.tells(response.status, &response.body)
                    && (!request.passes(response.status, &response.body)
                        || request.settled.tells(response.status, &response.body));
                let answer = response::to_answer(response, request.asked(), settled);
                (answer.ok(), settled)
            }
            Err(error) => (failure::to_answer(error, request.asked()), false),
        };
        if let Some(answer) = answer {
            debug_assert_eq!(answer.settled, settled);
            self.ledger.keep_answer(key, &answer).await?;
        }
        outcome
    }

    /// Tries until there is an answer that will not pass, or tries or patience are used up.
    async fn ask(&self, request: &Request, key: &InputHash) -> Result<Response, HttpError> {
        let host = self.hosts.host(&request.url, request.pace);
        let start = Instant::now();
        // Only waits and exchanges are ever broken off, never the writing of what was sent.
        let end = request.within.map(|whole| start + whole);
        let mut tries = 0;
        let mut put_off = 0;
        let mut last: Option<Result<Response, HttpError>> = None;
        loop {
            if let Some(why) = host.given_up() {
                return Err(given_up(request, why));
            }
            if let Err(failures) = host.breaker(|breaker| breaker.admit(Instant::now())) {
                // What this question met itself says more than that others met it too.
                return last.unwrap_or(Err(HttpError::Resting {
                    host: request.host().to_owned(),
                    failures,
                }));
            }
            let outcome = {
                let turn = async {
                    // The semaphore is never closed; if it were, going on without a permit would be right.
                    let permit = host.at_once.acquire().await.ok();
                    host.turns.wait(end).await.then_some(permit)
                };
                match before(end, turn).await {
                    // Who waited for a turn may have waited for nothing.
                    Some(Some(_permit)) => {
                        if let Some(why) = host.given_up().or_else(|| request.unless.tells()) {
                            host.give_up(&why);
                            return Err(given_up(request, why));
                        }
                        let outcome = self.follow(request, end).await;
                        // Before the next has its turn.
                        if let Ok(said) = &outcome
                            && let Some(why) = request.last.tells(said)
                        {
                            host.give_up(&why);
                        }
                        outcome
                    }
                    Some(None) => {
                        host.breaker(crate::breaker::Breaker::not_sent);
                        let why = host.given_up().unwrap_or_else(|| PAUSED.to_owned());
                        return last.unwrap_or(Err(given_up(request, why)));
                    }
                    None => {
                        // It may have been the one that was let through to see whether the host is back.
                        host.breaker(|breaker| breaker.failed(Instant::now()));
                        return Err(timed_out(request));
                    }
                }
            };
            if let Ok(said) = &outcome
                && let Some(between) = retry::told_pace(&said.headers)
            {
                host.turns.slow_to(between).await;
            }
            let left = end.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
            let patience = request.patience.saturating_sub(start.elapsed()).min(left);
            let wait = match &outcome {
                // A body that ends early is tried again like a broken connection.
                Ok(said) if request.damaged.tells(said.status, &said.body) => {
                    host.breaker(|breaker| breaker.failed(Instant::now()));
                    tries += 1;
                    retry::pause(tries, lot(key, tries))
                }
                Ok(said)
                    if !request.passes(said.status, &said.body)
                        || request.settled.tells(said.status, &said.body)
                        || request.fruitless.tells(said.status, &said.body) =>
                {
                    host.breaker(crate::breaker::Breaker::answered);
                    return outcome;
                }
                Ok(said) => {
                    let wish = retry::asked_to_wait(&said.headers);
                    let busy = said.status == 429 || wish.is_some() || request.passing.tells(said.status, &said.body);
                    if busy {
                        host.breaker(crate::breaker::Breaker::answered);
                    } else {
                        host.breaker(|breaker| breaker.failed(Instant::now()));
                    }
                    // A host that names a time, or only says "too many", is obeyed for as long as there is patience: a storm slows a run, it
                    // does not fail it.
                    tries += u32::from(!busy);
                    put_off += u32::from(busy);
                    let wait = wish.unwrap_or_else(|| retry::pause(tries.max(put_off), lot(key, tries)));
                    let wait = if busy {
                        wait.max(Duration::from_millis(200))
                    } else {
                        wait
                    };
                    // With a time limit a request knows at once that it cannot outwait the pause; without one it would wait for hours.
                    let is_long_pause = wish.is_some() && request.within.is_some();
                    if busy && (wait <= patience || is_long_pause) {
                        host.turns.hold(wait).await;
                    }
                    wait
                }
                Err(error) if is_line_trouble(error) => {
                    host.breaker(|breaker| breaker.failed(Instant::now()));
                    tries += 1;
                    retry::pause(tries, lot(key, tries))
                }
                Err(_) => return outcome,
            };
            if tries >= request.tries || wait > patience {
                return outcome;
            }
            last = Some(outcome);
            tokio::time::sleep(wait).await;
        }
    }

    /// One try, through redirects.
    async fn follow(&self, request: &Request, end: Option<Instant>) -> Result<Response, HttpError> {
        let mut hop = Hop {
            url: request.url.clone(),
            method: request.method,
            origin: request.origin,
            with_secrets: true,
        };
        for _ in 0..=REDIRECTS {
            let heard = self.noted(request, &hop, end).await?;
            let Some(next) = redirected(&hop, &heard) else {
                return Ok(Response {
                    status: heard.status,
                    headers: heard.headers,
                    body: heard.body,
                    address: hop.url.to_string(),
                    recorded: false,
                });
            };
            if request.stays && next.url.authority() != hop.url.authority() {
                return Err(HttpError::NotAllowed {
                    host: next.url.host_str().unwrap_or_default().to_owned(),
                    why: format!("{} passed us on to it, and only its own answer counts", request.host()),
                });
            }
            self.settings.reach.check(&next.url, next.origin)?;
            let moved = next.url.host_str() != hop.url.host_str();
            if moved && next.method == Method::Post {
                return Err(HttpError::NotAllowed {
                    host: next.url.host_str().unwrap_or_default().to_owned(),
                    why: format!("{} would pass our question on to it", request.host()),
                });
            }
            hop = next;
        }
        Err(HttpError::TooManyRedirects {
            host: request.host().to_owned(),
            limit: REDIRECTS,
        })
    }

    /// One exchange, written down before and after.
    async fn noted(&self, request: &Request, hop: &Hop, end: Option<Instant>) -> Result<Heard, HttpError> {
        let body = match hop.method {
            Method::Get => 0,
            Method::Post => request.whole_body().len(),
        };
        let mut sent = Sent {
            who: request.who.clone(),
            host: hop.url.host_str().unwrap_or_default().to_owned(),
            asked: format!("{} {}", hop.method.name(), hop.url),
            bytes_out: (hop.url.as_str().len() + body) as u64,
            bytes_in: 0,
            outcome: "no answer yet".to_owned(),
        };
        let number = self.ledger.note_sent(&sent).await?;
        let exchange = before(end, self.dial.exchange(request, hop)).await;
        let heard = exchange.unwrap_or_else(|| Err(timed_out(request)));
        sent.outcome = match &heard {
            Ok(heard) => heard.status.to_string(),
            Err(error) => error.to_string(),
        };
        let bytes_in = heard.as_ref().map(|heard| heard.body.len()).unwrap_or_default() as u64;
        self.ledger.note_received(number, bytes_in, &sent.outcome).await?;
        heard
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

/// What comes of it, unless `end` comes first.
async fn before<T>(end: Option<Instant>, what: impl Future<Output = T>) -> Option<T> {
    match end {
        Some(end) => tokio::time::timeout_at(end, what).await.ok(),
        None => Some(what.await),
    }
}

fn timed_out(request: &Request) -> HttpError {
    HttpError::TimedOut {
        host: request.host().to_owned(),
        after: request.within.unwrap_or(request.timeout),
    }
}

fn given_up(request: &Request, why: String) -> HttpError {
    HttpError::GivenUp {
        host: request.host().to_owned(),
        why,
    }
}

/// Trouble that may be gone with the next try.
fn is_line_trouble(error: &HttpError) -> bool {
    matches!(error, HttpError::Unreachable { .. } | HttpError::TimedOut { .. })
}

/// A number drawn for a question and a try: the same on every run.
fn lot(key: &InputHash, tries: u32) -> u64 {
    let sum: u64 = key.as_str().bytes().map(u64::from).sum();
    sum.wrapping_mul(2_654_435_761).rotate_left(tries % 64) >> 7
}

/// Where an answer sends us on, if it does. To another host nothing secret goes along, and that host counts as found: it was the server's choice.
fn redirected(hop: &Hop, heard: &Heard) -> Option<Hop> {
    if !matches!(heard.status, 301 | 302 | 303 | 307 | 308) {
        return None;
    }
    let url: Url = hop.url.join(heard.location.as_deref()?).ok()?;
    let same_host =
        url.host_str() == hop.url.host_str() && url.port_or_known_default() == hop.url.port_or_known_default();
    let same_server = same_host && url.scheme() == hop.url.scheme();
    let upgraded = url.host_str() == hop.url.host_str() && hop.url.scheme() == "http" && url.scheme() == "https";
    let keeps_method = matches!(heard.status, 307 | 308);
    Some(Hop {
        url,
        method: if keeps_method { hop.method } else { Method::Get },
        origin: if same_server || upgraded {
            hop.origin
        } else {
            Origin::Found
        },
        with_secrets: hop.with_secrets && (same_server || upgraded),
    })
}

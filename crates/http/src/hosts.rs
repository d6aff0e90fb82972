use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::Url;
use tokio::sync::{Notify, Semaphore};

use crate::Pace;
use crate::breaker::Breaker;
use crate::pace::Turns;

/// The state of every host called so far.
#[derive(Debug, Default)]
pub(crate) struct Hosts(Mutex<HashMap<String, Arc<Host>>>);

/// One host: its concurrency limit, the queue of requests, and whether it is up.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) at_once: Semaphore,
    pub(crate) turns: Turns,
    breaker: Mutex<Breaker>,
    given_up: Mutex<Option<String>>,
    /// Wakes the requests that wait for a host that was down.
    pub(crate) back: Notify,
}

impl Hosts {
    pub(crate) fn host(&self, url: &Url, pace: Pace, outage: Duration) -> Arc<Host> {
        let name = format!(
            "{}:{}",
            url.host_str().unwrap_or_default(),
            url.port_or_known_default().unwrap_or_default()
        );
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let host = hosts.entry(name).or_insert_with(|| {
            Arc::new(Host {
                at_once: Semaphore::new(pace.at_once.max(1)),
                turns: Turns::new(pace.between),
                breaker: Mutex::new(Breaker::new(outage)),
                given_up: Mutex::default(),
                back: Notify::new(),
            })
        });
        Arc::clone(host)
    }
}

impl Host {
    /// The first reason is kept.
    pub(crate) fn give_up(&self, why: &str) {
        let mut given_up = self.given_up.lock().unwrap_or_else(PoisonError::into_inner);
        given_up.get_or_insert_with(|| why.to_owned());
    }

    pub(crate) fn given_up(&self) -> Option<String> {
        self.given_up.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn breaker<T>(&self, with: impl FnOnce(&mut Breaker) -> T) -> T {
        with(&mut self.breaker.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

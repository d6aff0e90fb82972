use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use reqwest::Url;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::Pace;
use crate::breaker::Breaker;
use crate::concurrency::Concurrency;
use crate::machine::MachineTurns;
use crate::pace::Turns;

/// The pace of every host, shared by clients that get clones of it: several runs at the same time then ask a host no faster than one run would.
#[derive(Debug, Clone, Default)]
pub struct HostLimits {
    known: Arc<Mutex<HashMap<String, Arc<Limits>>>>,
    folder: Option<Arc<PathBuf>>,
}

/// The concurrency limit of one host and its queue of requests.
#[derive(Debug)]
pub(crate) struct Limits {
    pub(crate) at_once: Concurrency,
    pub(crate) turns: Turns,
}

impl HostLimits {
    /// Limits whose pace other processes share that use the same folder. It is created if needed.
    #[must_use]
    pub fn in_folder(folder: PathBuf) -> Self {
        Self {
            folder: Some(Arc::new(folder)),
            ..Self::default()
        }
    }

    /// The limits of a host. The first request to it sets them.
    fn of(&self, name: &str, pace: Pace) -> Arc<Limits> {
        // Hosts without a pace, such as model servers, need no queue.
        let folder = self.folder.as_deref().filter(|_| !pace.between.is_zero());
        let machine = || folder.map(|folder| MachineTurns::new(folder, name));
        let mut limits = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let of_host = limits.entry(name.to_owned()).or_insert_with(|| {
            Arc::new(Limits {
                at_once: Concurrency::new(pace.at_once),
                turns: Turns::new(name, pace.between).with(machine()),
            })
        });
        Arc::clone(of_host)
    }
}

/// The state of every host called so far.
#[derive(Debug, Default)]
pub(crate) struct Hosts {
    limits: HostLimits,
    known: Mutex<HashMap<String, Arc<Host>>>,
}

/// One host: its limits, and whether it is up.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) limits: Arc<Limits>,
    breaker: Mutex<Breaker>,
    /// Why no more requests are sent, by the group that shares rate limits.
    given_up: Mutex<HashMap<String, String>>,
    /// When the user was last told that the host asks to slow down.
    last_notice: Mutex<Option<Instant>>,
    /// Wakes the requests that wait for a host that was down.
    pub(crate) back: Notify,
}

impl Hosts {
    pub(crate) fn new(limits: HostLimits) -> Self {
        Self {
            limits,
            known: Mutex::default(),
        }
    }

    pub(crate) fn host(&self, url: &Url, pace: Pace, outage: Duration) -> Arc<Host> {
        let name = format!(
            "{}:{}",
            url.host_str().unwrap_or_default(),
            url.port_or_known_default().unwrap_or_default()
        );
        let mut hosts = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let host = hosts.entry(name).or_insert_with_key(|name| {
            Arc::new(Host {
                limits: self.limits.of(name, pace),
                breaker: Mutex::new(Breaker::new(outage)),
                given_up: Mutex::default(),
                last_notice: Mutex::default(),
                back: Notify::new(),
            })
        });
        Arc::clone(host)
    }
}

impl Host {
    /// Whether to tell the user that the host asks to slow down: at most once in a while.
    pub(crate) fn is_notice_due(&self, now: Instant) -> bool {
        const BETWEEN: Duration = Duration::from_secs(30);
        let mut last = self.last_notice.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = last.is_none_or(|last| now.saturating_duration_since(last) >= BETWEEN);
        if is_due {
            *last = Some(now);
        }
        is_due
    }

    /// Sends no more requests of a group. The first reason is kept.
    pub(crate) fn give_up(&self, group: &str, why: &str) {
        let mut given_up = self.given_up.lock().unwrap_or_else(PoisonError::into_inner);
        given_up.entry(group.to_owned()).or_insert_with(|| why.to_owned());
    }

    pub(crate) fn given_up(&self, group: &str) -> Option<String> {
        let given_up = self.given_up.lock().unwrap_or_else(PoisonError::into_inner);
        given_up.get(group).cloned()
    }

    pub(crate) fn breaker<T>(&self, with: impl FnOnce(&mut Breaker) -> T) -> T {
        with(&mut self.breaker.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

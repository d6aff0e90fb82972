//! What all runs on this machine share: answers of services, and the pace of each host.

use std::path::PathBuf;
use std::time::Duration;

use precedent_engine::llm::SharedAnswers;
use precedent_engine::{Clock, SystemClock};

use crate::Settings;

/// Days for which an answer is used, unless the settings say otherwise.
const DAYS: u16 = 7;

/// The folder for the data of this program. `None` if no data folder is set on this machine.
pub(crate) fn data_folder() -> Option<PathBuf> {
    let data = set("XDG_DATA_HOME")
        .or_else(|| set("HOME").map(|home| home.join(".local/share")))
        .or_else(|| set("LOCALAPPDATA"))?;
    Some(data.join("precedent"))
}

/// The folder that all runs on this machine share. `None` if there is none, or `PRECEDENT_CACHE` is `off`.
pub(crate) fn shared_folder() -> Option<PathBuf> {
    match set("PRECEDENT_CACHE") {
        Some(folder) if folder.as_os_str() == "off" => None,
        Some(folder) => Some(folder),
        None => Some(data_folder()?.join("cache")),
    }
}

/// Answers that earlier runs on this machine received. With `refresh`, they are only added to.
pub(crate) fn shared_answers(settings: &Settings, refresh: bool) -> Option<SharedAnswers> {
    let days = settings.cache_days.unwrap_or(DAYS);
    let folder = shared_folder().filter(|_| days > 0)?;
    let longest = Duration::from_secs(u64::from(days) * 24 * 60 * 60);
    let shared = SharedAnswers::new(folder, SystemClock.unix_seconds(), longest);
    Some(if refresh { shared.refreshed() } else { shared })
}

/// The value of an environment variable, if it is not empty.
pub(crate) fn set(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

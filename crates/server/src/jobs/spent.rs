use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use precedent_app::runs::write_whole;
use serde::{Deserialize, Serialize};

/// What the deleted runs of a user spent on models, so that nobody gets a new budget by deleting runs.
#[derive(Debug)]
pub(super) struct Spent {
    path: PathBuf,
    dollars: Mutex<f64>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Stored {
    deleted_runs_dollars: f64,
}

impl Spent {
    pub(super) fn of(data: &Path) -> std::io::Result<Self> {
        let path = data.join("spent.json");
        let stored: Stored = match fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text)?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Stored::default(),
            Err(error) => return Err(error),
        };
        Ok(Self {
            dollars: Mutex::new(stored.deleted_runs_dollars),
            path,
        })
    }

    pub(super) fn dollars(&self) -> f64 {
        *self.dollars.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds what a run spent that will be deleted.
    pub(super) fn add(&self, dollars: f64) -> std::io::Result<()> {
        if dollars <= 0.0 {
            return Ok(());
        }
        let mut sum = self.dollars.lock().unwrap_or_else(PoisonError::into_inner);
        let stored = Stored {
            deleted_runs_dollars: *sum + dollars,
        };
        write_whole(&self.path, &serde_json::to_vec(&stored)?)?;
        *sum = stored.deleted_runs_dollars;
        Ok(())
    }
}

use std::fmt;

use serde::{Deserialize, Serialize};

/// A record that could not be imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub struct BadRecord {
    /// The line where it starts, from 1; in a CSL-JSON list the item's number; 0 if the input itself failed.
    pub position: u64,
    /// Its id, title or key, if known.
    pub name: Option<String>,
    /// What is wrong.
    pub reason: String,
}

impl BadRecord {
    pub(crate) fn new(position: u64, name: Option<&str>, reason: impl Into<String>) -> Self {
        Self {
            position,
            name: name.map(|name| name.chars().take(80).collect()),
            reason: reason.into(),
        }
    }

    /// A paper of this name that could not be read.
    #[must_use]
    pub fn unread(name: &str, reason: String) -> Self {
        Self::new(0, Some(name), reason)
    }

    /// The input ended with an error.
    pub(crate) fn broken_off(error: &std::io::Error) -> Self {
        Self::new(0, None, format!("the input ends early: {error}"))
    }
}

impl fmt::Display for BadRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            0 => write!(f, "continue reading")?,
            position => write!(f, "use record {position}")?,
        }
        if let Some(name) = &self.name {
            write!(f, " ({name})")?;
        }
        write!(f, ": {}", self.reason)
    }
}

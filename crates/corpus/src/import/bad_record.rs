use std::fmt;

use serde::{Deserialize, Serialize};

/// Maximum characters of a reason: a parser may repeat the whole record in it. Chosen by hand.
const LONGEST_REASON: usize = 300;

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
            reason: reason.into().chars().take(LONGEST_REASON).collect(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_never_repeats_a_long_record() {
        let bad = BadRecord::new(1, None, "x".repeat(100_000));
        assert_eq!(bad.reason.chars().count(), LONGEST_REASON);
    }
}

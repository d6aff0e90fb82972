use std::fmt;

use super::said;

/// Why a service that was reached gave no answer. The four kinds of "too many requests" stand apart: only the first passes by waiting a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trouble {
    /// Too many within a moment, and still after waiting.
    TooFast,
    /// The allowance that everybody without a key shares is used up for now.
    SharedPool,
    /// The day's own allowance or budget is used up.
    Spent {
        /// What the service said.
        said: String,
    },
    /// It asks for a pause that is longer than a run waits.
    LockedOut {
        /// Length of the pause, in seconds.
        seconds: u64,
    },
    /// The key is not taken, or one is needed.
    Key {
        /// What the service said.
        said: String,
    },
    /// It asks for proof of being human.
    Challenge {
        /// What the service said.
        said: String,
    },
    /// The question was not taken.
    Refused {
        /// The status.
        status: u16,
        /// What the service said.
        said: String,
    },
    /// The service itself is in trouble.
    Down {
        /// The status.
        status: u16,
        /// What the service said.
        said: String,
    },
}

impl Trouble {
    /// What a status usually means.
    #[must_use]
    pub fn usual(status: u16, body: &str) -> Self {
        let said = said(body);
        match status {
            429 => Self::TooFast,
            401 | 403 => Self::Key { said },
            500.. => Self::Down { status, said },
            _ => Self::Refused { status, said },
        }
    }

    /// Whether asking anything else in this run is no use either.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(
            self,
            Self::Spent { .. } | Self::LockedOut { .. } | Self::Key { .. } | Self::Challenge { .. }
        )
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let and = |said: &str| {
            if said.is_empty() {
                String::new()
            } else {
                format!(": “{said}”")
            }
        };
        match self {
            Self::TooFast => {
                f.write_str("it answers “too many requests”, and still did when the time for this search was up")
            }
            Self::SharedPool => f.write_str("what all users without a key share is used up for the moment"),
            Self::Spent { said } => write!(f, "the day's allowance is used up{}", and(said)),
            Self::LockedOut { seconds } => {
                write!(
                    f,
                    "it asks for a pause of {} min, so this run sends it nothing more; run the same command again after that",
                    seconds.div_ceil(60)
                )
            }
            Self::Key { said } => write!(f, "it does not let us in{}", and(said)),
            Self::Challenge { said } => write!(
                f,
                "it does not let us in: it asks for proof of being human, which is not given{}",
                and(said)
            ),
            Self::Refused { status, said } => write!(f, "it did not take the question ({status}{})", and(said)),
            Self::Down { status, said } => write!(f, "it is in trouble itself ({status}{})", and(said)),
        }
    }
}

use std::fmt;

use super::message_of;

/// Why a service that was reached did not answer the request. The four kinds of "too many requests" are distinguished because only the first one
/// passes after a short wait.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ServiceError {
    /// Too many requests in a short time, even after waiting.
    TooFast,
    /// The allowance shared by all users without a key is used up for now.
    SharedPool,
    /// The user's own daily allowance or budget is used up.
    Spent {
        /// The service's message.
        message: String,
    },
    /// It requires a pause longer than a run waits.
    LockedOut {
        /// Length of the pause, in seconds.
        seconds: u64,
    },
    /// The key is not accepted, or one is required.
    Key {
        /// The service's message.
        message: String,
    },
    /// It requires proof of being human.
    Challenge {
        /// The service's message.
        message: String,
    },
    /// The request was rejected.
    Refused {
        /// The status.
        status: u16,
        /// The service's message.
        message: String,
    },
    /// The service itself is unavailable.
    Down {
        /// The status.
        status: u16,
        /// The service's message.
        message: String,
    },
}

impl ServiceError {
    /// The usual meaning of a status.
    #[must_use]
    pub fn usual(status: u16, body: &str) -> Self {
        let message = message_of(body);
        match status {
            429 => Self::TooFast,
            401 | 403 => Self::Key { message },
            500.. => Self::Down { status, message },
            _ => Self::Refused { status, message },
        }
    }

    /// Whether all other requests in this run would fail too.
    #[must_use]
    pub fn is_final(&self) -> bool {
        matches!(
            self,
            Self::Spent { .. } | Self::LockedOut { .. } | Self::Key { .. } | Self::Challenge { .. }
        )
    }
}

impl fmt::Display for ServiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let and = |message: &str| {
            if message.is_empty() {
                String::new()
            } else {
                format!(": “{message}”")
            }
        };
        match self {
            Self::TooFast => f.write_str("it still answered “too many requests” when the time for this search was up"),
            Self::SharedPool => f.write_str("the allowance shared by all users without a key is used up for now"),
            Self::Spent { message } => write!(f, "the day's allowance is used up{}", and(message)),
            Self::LockedOut { seconds } => {
                write!(
                    f,
                    "it requires a pause of {} min, so this run sends it no more requests; repeat the command after that",
                    seconds.div_ceil(60)
                )
            }
            Self::Key { message } => write!(f, "it denied access{}", and(message)),
            Self::Challenge { message } => {
                write!(f, "it denied access: it requires proof of being human{}", and(message))
            }
            Self::Refused { status, message } => write!(f, "it rejected the request ({status}{})", and(message)),
            Self::Down { status, message } => write!(f, "it is unavailable ({status}{})", and(message)),
        }
    }
}

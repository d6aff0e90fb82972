use precedent_http::{HttpError, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::provider::{is_success, read_body};
use crate::{AskUsage, LlmError, Provider, Usage};

/// The cost of one attempt.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bill {
    /// The usage that the provider reported.
    Known(Usage),
    /// It may have been billed, but the usage is unknown. The upper bound counts.
    Unknown,
}

impl Bill {
    /// What a try with this outcome costs.
    pub(crate) fn of(provider: &dyn Provider, outcome: &Result<Response, HttpError>) -> Self {
        match outcome {
            Ok(response) => Self::of_body(provider, response.status, &response.body),
            Err(
                HttpError::Unreachable { sent: true, .. } | HttpError::TimedOut { .. } | HttpError::TooLarge { .. },
            ) => Self::Unknown,
            Err(_) => Self::Known(Usage::default()),
        }
    }

    pub(crate) fn of_body(provider: &dyn Provider, status: u16, body: &[u8]) -> Self {
        if let Some(usage) = provider.usage(body) {
            return Self::Known(usage);
        }
        // An answer or a refusal without usage was billed too.
        let may_be_billed = || {
            matches!(
                read_body(provider, status, body),
                Ok(_) | Err(LlmError::Unreadable { .. } | LlmError::Refused { .. })
            )
        };
        match is_success(status) && may_be_billed() {
            true => Self::Unknown,
            false => Self::Known(Usage::default()),
        }
    }

    /// The tokens that count towards the budget: those reported, or the bound `most`.
    pub(crate) fn at_most(self, most: Usage) -> Usage {
        match self {
            Self::Known(usage) => usage,
            Self::Unknown => most,
        }
    }

    /// Adds the usage to `taken` and returns the tokens that count towards the budget.
    pub(crate) fn count(self, most: Usage, taken: &mut AskUsage) -> Usage {
        match self {
            Self::Known(usage) => taken.usage += usage,
            Self::Unknown => {
                taken.lost += 1;
                taken.assumed += most;
            }
        }
        self.at_most(most)
    }
}

/// An amount in US dollars and tokens.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Paid {
    pub(crate) dollars: f64,
    pub(crate) tokens: u64,
}

/// What a recorded try cost, so that later processes of the run know it before they reach the record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RecordedBill {
    /// The model that was called.
    pub(crate) model: String,
    /// The tokens that count towards the budget.
    pub(crate) usage: Usage,
}

impl RecordedBill {
    pub(crate) fn new(model: &str, usage: Usage) -> Self {
        Self {
            model: model.to_owned(),
            usage,
        }
    }

    /// `None` if nothing was billed.
    pub(crate) fn to_json(&self) -> Option<Value> {
        match self.usage == Usage::default() {
            true => None,
            false => serde_json::to_value(self).ok(),
        }
    }

    pub(crate) fn from_json(recorded: Value) -> Option<Self> {
        serde_json::from_value(recorded).ok()
    }
}

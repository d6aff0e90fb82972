use std::time::Duration;

use precedent_http::Response;

use super::source::text_of;
use super::{Login, Service, Trouble};
use crate::SourceError;

/// Interprets unsuccessful responses of one service: the meaning of status, body and `Retry-After` header for this run.
#[derive(Clone, Copy)]
pub(super) struct Refusals {
    pub(super) service: &'static dyn Service,
    /// Whether requests carry a key.
    pub(super) has_key: bool,
    /// The longest pause that a run waits for: the time limit of all queries to the service.
    pub(super) longest_wait: Duration,
}

impl Refusals {
    /// The meaning of an unsuccessful response.
    pub(super) fn trouble(self, response: &Response) -> Trouble {
        let trouble = self.service.trouble(response.status, &text_of(response));
        let may_pass = matches!(trouble, Trouble::TooFast | Trouble::SharedPool | Trouble::Down { .. });
        match response.retry_after() {
            Some(wait) if may_pass && wait > self.longest_wait => Trouble::LockedOut {
                seconds: wait.as_secs(),
            },
            // Users with their own key do not share a pool.
            _ if trouble == Trouble::SharedPool && self.has_key => Trouble::TooFast,
            _ => trouble,
        }
    }

    /// The error for an unsuccessful response.
    pub(super) fn error(self, response: &Response) -> SourceError {
        let trouble = self.trouble(response);
        SourceError::Trouble {
            name: self.service.id().to_owned(),
            hint: self.hint(&trouble),
            trouble,
        }
    }

    /// Why this run sends no more requests to the service after the response; `None` if it does.
    pub(super) fn last_word(self, response: &Response) -> Option<String> {
        let is_final = !response.is_success() && self.trouble(response).is_final();
        is_final.then(|| self.error(response).reason())
    }

    fn hint(self, trouble: &Trouble) -> String {
        let account = self
            .service
            .login()
            .map(Login::user_variable)
            .zip(self.service.key_variable());
        match (trouble, self.service.key_variable(), self.has_key) {
            (Trouble::Key { .. } | Trouble::Challenge { .. }, Some(_), false) if account.is_some() => {
                let (user, password) = account.unwrap_or_default();
                format!("; if you have an account, set {user} and {password}")
            }
            (Trouble::Key { .. }, Some(variable), true) => format!("; check {variable}"),
            (Trouble::Key { .. } | Trouble::SharedPool | Trouble::Spent { .. }, Some(variable), false) => {
                format!("; if you have a key, set {variable}")
            }
            _ => String::new(),
        }
    }
}

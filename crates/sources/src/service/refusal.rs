use std::time::Duration;

use precedent_http::Response;

use super::body_text::text_of;
use super::{Login, Service, ServiceError};
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
    pub(super) fn trouble(self, response: &Response) -> ServiceError {
        let trouble = self.service.trouble(response.status, &text_of(response));
        let may_pass = matches!(
            trouble,
            ServiceError::TooFast | ServiceError::SharedPool | ServiceError::Down { .. }
        );
        match response.retry_after() {
            Some(wait) if may_pass && wait > self.longest_wait => ServiceError::LockedOut {
                seconds: wait.as_secs(),
            },
            // Users with their own key do not share a pool.
            _ if trouble == ServiceError::SharedPool && self.has_key => ServiceError::TooFast,
            _ => trouble,
        }
    }

    /// The error for an unsuccessful response.
    pub(super) fn error(self, response: &Response) -> SourceError {
        let trouble = self.trouble(response);
        SourceError::ServiceError {
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

    fn hint(self, trouble: &ServiceError) -> String {
        let account = self
            .service
            .login()
            .map(Login::user_variable)
            .zip(self.service.key_variable());
        match (trouble, self.service.key_variable(), self.has_key) {
            (ServiceError::Key { .. } | ServiceError::Challenge { .. }, Some(_), false) if account.is_some() => {
                let (user, password) = account.unwrap_or_default();
                format!("; if you have an account, set {user} and {password}")
            }
            (ServiceError::Key { .. }, Some(variable), true) => format!("; check {variable}"),
            (
                ServiceError::Key { .. } | ServiceError::SharedPool | ServiceError::Spent { .. },
                Some(variable),
                false,
            ) => {
                format!("; if you have a key, set {variable}")
            }
            _ => String::new(),
        }
    }
}

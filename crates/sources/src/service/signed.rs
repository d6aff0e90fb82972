//! Requests of a logged-in user.

use precedent_http::{HttpError, Request, Secret};
use tokio::time::Instant;

use super::body_text::text_of;
use super::source::ServiceSource;
use super::{Endpoint, Login, ServiceError, Unreadable};
use crate::SourceError;

impl ServiceSource {
    /// The request with the token of the user, if the service has a login, an account was given and the answer is not recorded. If the login fails,
    /// the request is replaced by one that fails with the reason, so that the reason is recorded.
    pub(super) async fn signed(
        &self,
        start: Instant,
        question: impl Fn(&Endpoint) -> Result<Request, HttpError>,
    ) -> Result<Request, SourceError> {
        let request = question(&self.endpoint).map_err(|error| self.unreached(error))?;
        let (Some(login), Some(user), Some(password)) = (self.service.login(), &self.user, &self.endpoint.key) else {
            return Ok(request);
        };
        if self
            .gateway
            .is_settled(&request)
            .await
            .map_err(|error| self.unreached(error))?
        {
            return Ok(request);
        }
        let token = self
            .token
            .get_or_init(|| self.logged_in(login, user.clone(), password.clone(), start))
            .await;
        match token {
            Ok(token) => {
                let endpoint = Endpoint {
                    token: Some(token.clone()),
                    ..self.endpoint.clone()
                };
                question(&endpoint).map_err(|error| self.unreached(error))
            }
            Err(why) => {
                let why = why.clone();
                Ok(request.unless(move || Some(why.clone())))
            }
        }
    }

    /// Logs in, at most once per run: repeated attempts with a wrong password lock the account.
    async fn logged_in(
        &self,
        login: &dyn Login,
        user: Secret,
        password: Secret,
        start: Instant,
    ) -> std::result::Result<Secret, String> {
        let failed = |why: &str| {
            let (user, password) = (login.user_variable(), self.service.key_variable().unwrap_or_default());
            format!("login failed: {why}; check {user} and {password}")
        };
        let request = login.request(&self.endpoint, user, password);
        let request = request.map_err(|error| failed(&error.to_string()))?;
        let request = self.mannered(request, start);
        let response = self.gateway.send(&request).await.map_err(|error| match error {
            HttpError::GivenUp { why, .. } => why,
            other => format!("login failed: {other}"),
        })?;
        let body = text_of(&response);
        if !response.is_success() {
            return Err(match self.refusals().trouble(&response) {
                ServiceError::Key { message } | ServiceError::Refused { message, .. } => {
                    failed(&format!("“{message}”"))
                }
                other => format!("login failed: {other}"),
            });
        }
        login.token(&body).map_err(|Unreadable(why)| failed(&why))
    }
}

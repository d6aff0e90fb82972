use precedent_http::Response;

use super::plain;

/// The answer of a service to a trial request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HealthCheck {
    /// Rate limits from its headers, as `name value`; empty if there are none.
    pub limits: Vec<String>,
}

impl HealthCheck {
    pub(super) fn of(response: &Response) -> Self {
        let tells = |name: &str| {
            ["ratelimit", "rate-limit", "concurrency-limit", "api-pool"]
                .iter()
                .any(|part| name.contains(part))
        };
        let limits = response.headers.iter().filter(|(name, _)| tells(name));
        Self {
            limits: limits
                .take(12)
                .map(|(name, value)| format!("{} {}", plain(name, 60), plain(value, 60)))
                .collect(),
        }
    }
}

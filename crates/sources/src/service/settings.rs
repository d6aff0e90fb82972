use std::time::Duration;

use precedent_http::Secret;

/// Settings of one service that differ from its defaults.
#[derive(Debug, Clone, Default)]
pub struct ServiceSettings {
    /// Another address, such as a mirror.
    pub url: Option<String>,
    /// An alternative server for fetching linked texts. The address of a page, or the path of an archive, is appended after a slash.
    pub texts: Option<String>,
    /// The key.
    pub key: Option<Secret>,
    /// The account name, for services with a login. The key is then its password.
    pub user: Option<Secret>,
    /// The user's contact address.
    pub mailto: Option<Secret>,
    /// Time limit for all queries of a run together.
    pub deadline: Option<Duration>,
    /// The minimum time between two requests.
    pub between: Option<Duration>,
    /// Works per request.
    pub page: Option<usize>,
    /// Maximum amount that a run may spend on it, in millionths of a US dollar. The default is a third of the free daily allowance.
    pub budget: Option<u64>,
}

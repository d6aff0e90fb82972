use std::time::Duration;

use precedent_http::Secret;

/// How one service is asked, where it differs from what is usual.
#[derive(Debug, Clone, Default)]
pub struct ServiceSettings {
    /// Another address, such as a mirror's.
    pub url: Option<String>,
    /// Where texts that it leads to are fetched in place of where they lie. Of a page, the address follows behind a slash; of an archive, its path.
    pub texts: Option<String>,
    /// The key.
    pub key: Option<Secret>,
    /// The name of an account, where one logs in: the key is then its password.
    pub user: Option<Secret>,
    /// How the user may be written to.
    pub mailto: Option<Secret>,
    /// How long all queries of a run may take together.
    pub deadline: Option<Duration>,
    /// The least time between two questions.
    pub between: Option<Duration>,
    /// Works asked for at a time.
    pub page: Option<usize>,
    /// The most that a run may spend on it, in millionths of a US dollar. A third of what a day is worth for nothing, unless told.
    pub budget: Option<u64>,
}

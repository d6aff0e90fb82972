use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::policy::is_localhost;
use crate::{Connection, NetworkPolicy, Origin};

/// Resolves names and returns only allowed addresses. The client connects only to these, so a name that changes its address between the check and the
/// connection gains nothing.
#[derive(Debug, Clone)]
pub(crate) struct CheckedResolver {
    pub(crate) reach: NetworkPolicy,
    pub(crate) origin: Origin,
    /// Its proxies may be reached wherever they are: the user chose them.
    pub(crate) connection: Arc<Connection>,
}

/// All addresses of a name are out of reach.
#[derive(Debug, thiserror::Error)]
#[error("{why}")]
pub(crate) struct OutOfReach {
    pub(crate) why: &'static str,
}

impl Resolve for CheckedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let Self {
            reach,
            origin,
            connection,
        } = self.clone();
        Box::pin(async move {
            let host = name.as_str();
            // No link found in a document leads to a proxy itself.
            let origin = match connection.is_proxy(host) {
                true => Origin::Configured,
                false => origin,
            };
            // Not boxed here: inside a second box, the error type would not be recognised.
            let refused = || OutOfReach {
                why: reach.why_not(origin),
            };
            if !reach.may_look_up(host, origin) {
                return Err(refused().into());
            }
            let found: Vec<IpAddr> = if is_localhost(host) {
                vec![IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)]
            } else {
                tokio::net::lookup_host((host, 0))
                    .await?
                    .map(|address| address.ip())
                    .collect()
            };
            let admitted: Vec<SocketAddr> = found
                .into_iter()
                .filter(|address| reach.admits(host, *address, origin))
                .map(|address| SocketAddr::new(address, 0))
                .collect();
            if admitted.is_empty() {
                return Err(refused().into());
            }
            Ok(Box::new(admitted.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_name_out_of_reach_is_distinguished_from_a_missing_one() {
        for (reach, origin) in [
            (NetworkPolicy::Local { named: Vec::new() }, Origin::Configured),
            (NetworkPolicy::Anywhere, Origin::Found),
        ] {
            let resolver = CheckedResolver {
                reach,
                origin,
                connection: Arc::default(),
            };
            let name = if origin == Origin::Found {
                "localhost"
            } else {
                "models.example"
            };
            let Err(error) = resolver.resolve(name.parse().unwrap()).await else {
                panic!("{name} is out of reach");
            };
            assert!(error.downcast_ref::<OutOfReach>().is_some(), "{error:?}");
        }
    }
}

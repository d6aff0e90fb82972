use std::net::IpAddr;

use reqwest::Url;

use crate::HttpError;
use crate::address::{is_own_network, is_public, is_this_machine};

/// Which hosts requests may reach.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum NetworkPolicy {
    /// This machine, and hosts of the user's own network that the user named. No name of another host is even resolved.
    Local {
        /// The named hosts, as written in addresses.
        named: Vec<String>,
    },
    /// Any host for addresses from the user or from a source's own file, public hosts for addresses found in documents.
    #[default]
    Anywhere,
}

/// The origin of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// From the program or its settings.
    Configured,
    /// From a document, a record or another server. A third party chose it, so it may only lead to the public internet.
    Found,
}

/// The rule of [`NetworkPolicy::Local`].
const LOCAL_ONLY: &str =
    "the run is local only: it reaches this machine and the hosts of your own network that you named";

impl HttpError {
    /// Whether the host was refused because the run is local only.
    #[must_use]
    pub fn is_local_only(&self) -> bool {
        matches!(self, Self::NotAllowed { why, .. } if why == LOCAL_ONLY)
    }
}

impl NetworkPolicy {
    /// Checks without a look-up whether a configured address is allowed. A name that passes here but resolves to a forbidden address is still refused
    /// when it is resolved.
    ///
    /// # Errors
    /// Returns an error if the address is invalid or not allowed.
    pub fn permits(&self, address: &str) -> Result<(), HttpError> {
        let url = Url::parse(address).map_err(|_| HttpError::BadAddress {
            address: address.chars().take(200).collect(),
        })?;
        self.check(&url, Origin::Configured)
    }

    /// Checks an address without resolving its host.
    pub(crate) fn check(&self, url: &Url, origin: Origin) -> Result<(), HttpError> {
        let refuse = |why: &'static str| {
            Err(HttpError::NotAllowed {
                host: url.host_str().unwrap_or_default().to_owned(),
                why: why.to_owned(),
            })
        };
        if !matches!(url.scheme(), "http" | "https") {
            return refuse("only http and https addresses are followed");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return refuse("an address must not hold a user name or password");
        }
        let Some(host) = url.host_str() else {
            return refuse("the address has no host");
        };
        match literal(host) {
            Some(address) => match self.admits(host, address, origin) {
                true => Ok(()),
                false => refuse(self.why_not(origin)),
            },
            None if self.may_look_up(host, origin) => Ok(()),
            None => refuse(self.why_not(origin)),
        }
    }

    /// Whether the name `host` may be resolved at all.
    pub(crate) fn may_look_up(&self, host: &str, origin: Origin) -> bool {
        match (self, origin) {
            (Self::Local { named }, Origin::Configured) => is_localhost(host) || is_named(named, host),
            (Self::Local { .. }, Origin::Found) => false,
            (Self::Anywhere, Origin::Configured) => true,
            (Self::Anywhere, Origin::Found) => !is_localhost(host),
        }
    }

    /// Whether `host` may be reached at `address`.
    pub(crate) fn admits(&self, host: &str, address: IpAddr, origin: Origin) -> bool {
        match (self, origin) {
            (Self::Local { named }, Origin::Configured) => {
                is_this_machine(address) || (is_own_network(address) && is_named(named, host))
            }
            (Self::Local { .. }, Origin::Found) => false,
            (Self::Anywhere, Origin::Configured) => true,
            (Self::Anywhere, Origin::Found) => is_public(address),
        }
    }

    pub(crate) fn why_not(&self, origin: Origin) -> &'static str {
        match (self, origin) {
            (Self::Local { .. }, _) => LOCAL_ONLY,
            (Self::Anywhere, _) => "an address that a document or a user gives must lead to the public internet",
        }
    }
}

/// The IP address in `host`, if it is not a name. IPv6 addresses are in brackets.
pub(crate) fn literal(host: &str) -> Option<IpAddr> {
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

pub(crate) fn is_localhost(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    host == "localhost" || host.ends_with(".localhost")
}

fn is_named(named: &[String], host: &str) -> bool {
    let host = host.trim_end_matches('.');
    named
        .iter()
        .any(|name| name.trim_end_matches('.').eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(reach: &NetworkPolicy, url: &str, origin: Origin) -> bool {
        reach.check(&Url::parse(url).unwrap(), origin).is_ok()
    }

    #[test]
    fn a_found_address_only_leads_to_the_public_internet() {
        let found = |url| allowed(&NetworkPolicy::Anywhere, url, Origin::Found);
        for fine in [
            "https://example.org/a.pdf",
            "http://8.8.8.8/x",
            "https://[2606:4700::1111]/",
        ] {
            assert!(found(fine), "{fine}");
        }
        for bad in [
            "file:///etc/passwd",
            "ftp://example.org/x",
            "data:text/plain,x",
            "http://localhost/",
            "http://LOCALHOST./",
            "http://a.localhost/",
            "http://127.0.0.1/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://0177.0.0.1/",
            "http://[::1]/",
            "http://[::ffff:169.254.169.254]/",
            "http://169.254.169.254/latest/meta-data",
            "http://10.0.0.1/",
            "http://user:pw@example.org/",
        ] {
            assert!(!found(bad), "{bad}");
        }
    }

    #[test]
    fn local_only_reaches_this_machine_and_named_hosts_of_the_own_network() {
        let reach = NetworkPolicy::Local {
            named: vec!["Models.lab".to_owned(), "10.0.0.7".to_owned()],
        };
        let typed = |url| allowed(&reach, url, Origin::Configured);
        for fine in [
            "http://localhost:11434/v1",
            "http://127.0.0.1/",
            "http://[::1]:8080/",
            "http://models.lab/v1",
            "http://10.0.0.7/",
        ] {
            assert!(typed(fine), "{fine}");
        }
        for bad in [
            "https://api.example.com/",
            "http://10.0.0.8/",
            "http://8.8.8.8/",
            "http://evil-models.lab/",
            "http://models.lab.evil.com/",
        ] {
            assert!(!typed(bad), "{bad}");
        }
        assert!(
            !allowed(&reach, "http://127.0.0.1/", Origin::Found),
            "a document never opens a local port"
        );
        assert!(reach.permits("http://models.lab/v1").is_ok());
        for bad in ["https://api.example.com/v1", "models.lab/v1", "file:///etc/passwd"] {
            assert!(reach.permits(bad).is_err(), "{bad}");
        }
        let models: IpAddr = "192.168.3.4".parse().unwrap();
        assert!(reach.admits("models.lab", models, Origin::Configured));
        assert!(
            !reach.admits("models.lab", "8.8.8.8".parse().unwrap(), Origin::Configured),
            "a named host that leads outside"
        );
        assert!(!reach.admits("other.lab", models, Origin::Configured));
    }
}

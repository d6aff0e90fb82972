use std::fmt;
use std::net::IpAddr;

use reqwest::{Certificate, Url};

use crate::HttpError;
use crate::address::is_this_machine;
use crate::policy::{is_localhost, literal};

/// How connections are made. By default: directly, and with the system's certificate authorities.
#[derive(Debug, Clone, Default)]
pub struct Connection {
    proxies: Proxies,
    authorities: Vec<Certificate>,
}

/// The proxies for `http` and `https` addresses, and the hosts that are reached without one.
#[derive(Clone, Default)]
struct Proxies {
    http: Option<Url>,
    https: Option<Url>,
    direct: Vec<String>,
}

impl Connection {
    /// Uses the proxy at `address` for every host except this machine.
    ///
    /// # Errors
    /// Returns an error if the address is not an `http` or `https` address, or contains a user name or password.
    pub fn through(mut self, address: &str) -> Result<Self, HttpError> {
        let proxy = proxy("the proxy address", address)?;
        if !proxy.username().is_empty() || proxy.password().is_some() {
            return Err(HttpError::BadProxy {
                name: "the proxy address".to_owned(),
                why: "it contains a user name or password, which would be stored; set HTTPS_PROXY and use `env`"
                    .to_owned(),
            });
        }
        self.proxies = Proxies {
            http: Some(proxy.clone()),
            https: Some(proxy),
            direct: Vec::new(),
        };
        Ok(self)
    }

    /// Uses the proxies of the environment variables `HTTPS_PROXY`, `HTTP_PROXY` and `ALL_PROXY`, except for the hosts in `NO_PROXY`. Lower-case names
    /// count too. `variable` returns the value of one.
    ///
    /// # Errors
    /// Returns an error if a value is not an `http` or `https` address.
    pub fn through_environment(mut self, variable: impl Fn(&str) -> Option<String>) -> Result<Self, HttpError> {
        let value = |name: &str| {
            let found = variable(name).or_else(|| variable(&name.to_ascii_lowercase()));
            found.filter(|value| !value.trim().is_empty())
        };
        let of = |name: &'static str| match value(name).map(|value| (name, value)) {
            Some((name, address)) => proxy(name, &address).map(Some),
            None => value("ALL_PROXY")
                .map(|address| proxy("ALL_PROXY", &address))
                .transpose(),
        };
        let direct = value("NO_PROXY").unwrap_or_default();
        let direct = direct
            .split([',', ' '])
            .map(str::trim)
            .filter(|entry| !entry.is_empty());
        self.proxies = Proxies {
            http: of("HTTP_PROXY")?,
            https: of("HTTPS_PROXY")?,
            direct: direct.map(str::to_ascii_lowercase).collect(),
        };
        Ok(self)
    }

    /// Also trusts the certificate authorities in `pem`, a file with one or more certificates.
    ///
    /// # Errors
    /// Returns an error if it contains no certificate.
    pub fn trusting(mut self, pem: &[u8]) -> Result<Self, HttpError> {
        let found = Certificate::from_pem_bundle(pem).unwrap_or_default();
        if found.is_empty() {
            return Err(HttpError::NoCertificate);
        }
        self.authorities.extend(found);
        Ok(self)
    }

    /// The same without proxies.
    pub(crate) fn direct(self) -> Self {
        Self {
            proxies: Proxies::default(),
            ..self
        }
    }

    /// The proxy for an address. This machine is always reached directly.
    pub(crate) fn proxy_of(&self, url: &Url) -> Option<&Url> {
        let host = url.host_str()?;
        if is_localhost(host) || literal(host).is_some_and(is_this_machine) || self.proxies.is_direct(url, host) {
            return None;
        }
        match url.scheme() {
            "https" => self.proxies.https.as_ref(),
            _ => self.proxies.http.as_ref(),
        }
    }

    /// Whether `host` is the host of a proxy.
    pub(crate) fn is_proxy(&self, host: &str) -> bool {
        let proxies = [&self.proxies.http, &self.proxies.https];
        proxies
            .into_iter()
            .flatten()
            .any(|proxy| proxy.host_str() == Some(host))
    }

    pub(crate) fn has_proxy(&self) -> bool {
        self.proxies.http.is_some() || self.proxies.https.is_some()
    }

    pub(crate) fn authorities(&self) -> &[Certificate] {
        &self.authorities
    }
}

impl Proxies {
    /// Whether `NO_PROXY` lists the host: `*`, a name with all names below it, an IP address or a range of them, each perhaps with a port.
    fn is_direct(&self, url: &Url, host: &str) -> bool {
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        self.direct.iter().any(|entry| {
            let (entry, port) = match entry.rsplit_once(':') {
                Some((name, port)) if !name.contains(':') && port.parse::<u16>().is_ok() => (name, port.parse().ok()),
                _ => (entry.as_str(), None),
            };
            if port.is_some() && port != url.port_or_known_default() {
                return false;
            }
            match literal(&host) {
                Some(address) => entry == "*" || is_in_range(address, entry),
                None => {
                    let name = entry.trim_start_matches("*.").trim_start_matches('.');
                    let below = host.strip_suffix(name);
                    entry == "*" || below.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
                }
            }
        })
    }
}

impl fmt::Debug for Proxies {
    /// Without user names and passwords.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |proxy: &Option<Url>| proxy.as_ref().map(authority);
        f.debug_struct("Proxies")
            .field("http", &shown(&self.http))
            .field("https", &shown(&self.https))
            .field("direct", &self.direct)
            .finish()
    }
}

/// Host and port of an address.
pub(crate) fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port_or_known_default() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    }
}

/// Parses a proxy's address. Without a scheme it is `http`. An error does not repeat the address, because it may contain a password.
fn proxy(name: &str, address: &str) -> Result<Url, HttpError> {
    let bad = |why: &str| HttpError::BadProxy {
        name: name.to_owned(),
        why: why.to_owned(),
    };
    let address = address.trim();
    let whole = match address.contains("://") {
        true => address.to_owned(),
        false => format!("http://{address}"),
    };
    let url = Url::parse(&whole).map_err(|_| bad("it is not an address such as http://proxy.example:3128"))?;
    match (url.scheme(), url.host_str()) {
        ("http" | "https", Some(_)) => Ok(url),
        _ => Err(bad("only http and https proxies are supported")),
    }
}

/// Whether `range` is this address, or a range such as `10.0.0.0/8` that contains it.
fn is_in_range(address: IpAddr, range: &str) -> bool {
    let (base, bits) = match range.split_once('/') {
        Some((base, bits)) => (base, bits.parse::<u32>().ok()),
        None => (range, Some(128)),
    };
    let bits_of = |address: IpAddr| match address {
        IpAddr::V4(four) => (u128::from(four.to_bits()) << 96, 32),
        IpAddr::V6(six) => (six.to_bits(), 128),
    };
    let (Some(base), Some(bits)) = (literal(base), bits) else {
        return false;
    };
    let ((one, width), (other, other_width)) = (bits_of(address), bits_of(base));
    let differing = (one ^ other).leading_zeros();
    width == other_width && differing >= bits.min(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_environment(pairs: &[(&str, &str)]) -> Result<Connection, HttpError> {
        Connection::default().through_environment(|name| {
            let found = pairs.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    fn proxy_of(connection: &Connection, url: &str) -> Option<String> {
        connection.proxy_of(&Url::parse(url).unwrap()).map(authority)
    }

    #[test]
    fn environment_variables_choose_the_proxy_by_scheme() {
        let connection = of_environment(&[
            ("https_proxy", "http://me:word@secure.lab:3128"),
            ("HTTP_PROXY", "plain.lab:8080"),
        ])
        .unwrap();
        assert_eq!(
            proxy_of(&connection, "https://api.example/v1").as_deref(),
            Some("secure.lab:3128")
        );
        assert_eq!(
            proxy_of(&connection, "http://api.example/v1").as_deref(),
            Some("plain.lab:8080")
        );
        assert!(!format!("{connection:?}").contains("word"), "a password is not printed");
        let all = of_environment(&[("ALL_PROXY", "http://all.lab")]).unwrap();
        assert_eq!(proxy_of(&all, "https://api.example/").as_deref(), Some("all.lab:80"));
        let none = of_environment(&[("HTTPS_PROXY", " ")]).unwrap();
        assert_eq!(proxy_of(&none, "https://api.example/"), None);
    }

    #[test]
    fn this_machine_and_the_hosts_of_no_proxy_are_reached_directly() {
        let connection = of_environment(&[
            ("ALL_PROXY", "http://p.lab:1"),
            ("NO_PROXY", ".lab, example.org:8443,10.0.0.0/8, 192.168.1.7"),
        ])
        .unwrap();
        for direct in [
            "http://localhost:11434/v1",
            "http://127.0.0.1:80/",
            "http://[::1]/",
            "https://models.lab/",
            "https://lab/",
            "https://example.org:8443/",
            "https://api.example.org:8443/",
            "http://10.9.8.7/",
            "http://192.168.1.7/",
        ] {
            assert_eq!(proxy_of(&connection, direct), None, "{direct}");
        }
        for proxied in [
            "https://example.org/",
            "https://collab/",
            "http://11.0.0.1/",
            "http://192.168.1.8/",
            "https://[2001:db8::1]/",
        ] {
            assert!(proxy_of(&connection, proxied).is_some(), "{proxied}");
        }
        let all = of_environment(&[("ALL_PROXY", "p.lab"), ("NO_PROXY", "*")]).unwrap();
        assert_eq!(proxy_of(&all, "https://example.org/"), None);
        let fixed = Connection::default().through("http://p.lab:3128").unwrap();
        assert_eq!(proxy_of(&fixed, "http://127.0.0.1:9/"), None);
        assert!(proxy_of(&fixed, "https://example.org/").is_some());
    }

    #[test]
    fn bad_proxies_and_certificates_are_errors_without_the_value() {
        for (address, why) in [
            ("socks5://p.lab:1080", "only http and https"),
            ("http://", "not an address"),
            ("http://me:word@p.lab:3128", "user name or password"),
        ] {
            let error = Connection::default().through(address).unwrap_err().to_string();
            assert!(error.contains(why) && !error.contains("word@"), "{error}");
        }
        assert!(of_environment(&[("HTTPS_PROXY", "ftp://p.lab")]).is_err());
        assert!(matches!(
            Connection::default().trusting(b"no certificate"),
            Err(HttpError::NoCertificate)
        ));
    }
}

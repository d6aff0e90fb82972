use std::error::Error;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use reqwest::header::{HeaderName, HeaderValue};
use reqwest::{Client, Proxy, Url, redirect};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::connection::authority;
use crate::policy::literal;
use crate::request::server;
use crate::resolve::{CheckedResolver, OutOfReach};
use crate::response::kept_headers;
use crate::{Connection, HttpError, Method, NetworkPolicy, Origin, Request};

/// Time limit for establishing a connection.
const CONNECT: Duration = Duration::from_secs(15);

/// The HTTP clients: one for configured addresses, one for addresses chosen by third parties.
#[derive(Debug)]
pub(crate) struct HttpClients {
    configured: Client,
    found: Client,
    reach: NetworkPolicy,
    connection: Arc<Connection>,
}

/// One hop: its address, and whether it is still the requested server.
#[derive(Debug, Clone)]
pub(crate) struct Hop {
    pub(crate) url: Url,
    pub(crate) method: Method,
    pub(crate) origin: Origin,
    /// Whether secrets may be sent.
    pub(crate) with_secrets: bool,
}

/// The response of one hop.
#[derive(Debug)]
pub(crate) struct ReceivedBody {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) location: Option<String>,
    pub(crate) body: Vec<u8>,
}

impl HttpClients {
    pub(crate) fn new(reach: &NetworkPolicy, connection: Connection, user_agent: &str) -> Result<Self, HttpError> {
        // A proxy could forward a request to any host.
        let connection = Arc::new(match reach {
            NetworkPolicy::Local { .. } => connection.direct(),
            NetworkPolicy::Anywhere => connection,
        });
        let tls = tls_config()?;
        let client = |origin| {
            let mut builder = Client::builder()
                .user_agent(user_agent)
                .redirect(redirect::Policy::none())
                .connect_timeout(CONNECT)
                .no_proxy()
                .dns_resolver(Arc::new(CheckedResolver {
                    reach: reach.clone(),
                    origin,
                    connection: Arc::clone(&connection),
                }));
            if connection.has_proxy() {
                let connection = Arc::clone(&connection);
                builder = builder.proxy(Proxy::custom(move |url| connection.proxy_of(url).cloned()));
            }
            builder = match connection.authorities() {
                [] => builder.tls_backend_preconfigured(tls.clone()),
                more => builder.tls_certs_merge(more.to_vec()),
            };
            builder
                .build()
                .map_err(|error| HttpError::Client { why: innermost(&error) })
        };
        Ok(Self {
            configured: client(Origin::Configured)?,
            found: client(Origin::Found)?,
            reach: reach.clone(),
            connection,
        })
    }

    /// Host and port of the proxy for an address, if it is not reached directly.
    pub(crate) fn proxy_of(&self, url: &Url) -> Option<String> {
        self.connection.proxy_of(url).map(authority)
    }

    /// Checks a found address whose name the proxy would resolve, as far as that can be known here.
    async fn check_found(&self, hop: &Hop) -> Result<(), HttpError> {
        let host = hop.url.host_str().unwrap_or_default();
        if hop.origin == Origin::Configured || !self.connection.has_proxy() {
            return Ok(());
        }
        let refused = self.connection.is_proxy(host)
            || self.connection.proxy_of(&hop.url).is_some()
                && literal(host).is_none()
                // Without an answer here, only the proxy knows the name.
                && tokio::net::lookup_host((host, 0))
                    .await
                    .is_ok_and(|mut found| found.any(|address| !self.reach.admits(host, address.ip(), hop.origin)));
        match refused {
            true => Err(HttpError::NotAllowed {
                host: host.to_owned(),
                why: self.reach.why_not(hop.origin).to_owned(),
            }),
            false => Ok(()),
        }
    }

    /// Sends the request to one address and reads the response, within the time and size limits of the request.
    pub(crate) async fn exchange(&self, request: &Request, hop: &Hop) -> Result<ReceivedBody, HttpError> {
        match tokio::time::timeout(request.timeout, self.talk(request, hop)).await {
            Ok(received) => received,
            Err(_) => Err(HttpError::TimedOut {
                host: server(&hop.url),
                after: request.timeout,
            }),
        }
    }

    async fn talk(&self, request: &Request, hop: &Hop) -> Result<ReceivedBody, HttpError> {
        let host = server(&hop.url);
        let call = self.prepare(request, hop)?;
        self.check_found(hop).await?;
        let proxy = self.proxy_of(&hop.url);
        let mut response = call
            .send()
            .await
            .map_err(|error| match (trouble(&host, &error), proxy) {
                (HttpError::Unreachable { host, why, sent: false }, Some(proxy)) => HttpError::Unreachable {
                    host,
                    why: format!("{why}, through the proxy {proxy}"),
                    sent: false,
                },
                (HttpError::TlsFailed { host, why }, Some(proxy)) => HttpError::TlsFailed {
                    host,
                    why: format!("{why}, through the proxy {proxy}"),
                },
                (error, _) => error,
            })?;
        let too_large = || HttpError::TooLarge {
            host: host.clone(),
            limit: request.limit,
        };
        if response.content_length().is_some_and(|length| length > request.limit) {
            return Err(too_large());
        }
        let status = response.status().as_u16();
        let location = response.headers().get("location");
        let location = location.and_then(|value| value.to_str().ok());
        // A server may echo what it received, and both are recorded.
        let location = location.map(|value| request.scrubbed(value));
        let headers = kept_headers(
            response
                .headers()
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_bytes())),
        );
        let headers = headers
            .into_iter()
            .map(|(name, value)| (name, request.scrubbed(&value)));
        let headers = headers.collect();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| trouble(&host, &error))? {
            if (body.len() + chunk.len()) as u64 > request.limit {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
        }
        Ok(ReceivedBody {
            status,
            headers,
            location,
            body: request.scrub(body),
        })
    }

    fn prepare(&self, request: &Request, hop: &Hop) -> Result<reqwest::RequestBuilder, HttpError> {
        let client = match hop.origin {
            Origin::Configured => &self.configured,
            Origin::Found => &self.found,
        };
        let mut url = hop.url.clone();
        if hop.with_secrets && !request.secret_parameters.is_empty() {
            let mut pairs = url.query_pairs_mut();
            for (name, secret) in &request.secret_parameters {
                pairs.append_pair(name, secret.reveal());
            }
        }
        let mut call = match hop.method {
            Method::Get => client.get(url),
            Method::Post => client.post(url).body(match hop.with_secrets {
                true => request.whole_body(),
                false => request.body().to_vec(),
            }),
        };
        for (name, value) in &request.headers {
            let (name, value) = header(request, name, value, false)?;
            call = call.header(name, value);
        }
        if hop.with_secrets {
            for (name, prefix, secret) in &request.secret_headers {
                let (name, value) = header(request, name, &format!("{prefix}{}", secret.reveal()), true)?;
                call = call.header(name, value);
            }
        }
        Ok(call)
    }
}

/// The TLS settings of all clients of a process. Reading the system's certificates takes longer than all else that a client needs, so it happens once.
fn tls_config() -> Result<rustls::ClientConfig, HttpError> {
    static CONFIG: OnceLock<Result<rustls::ClientConfig, rustls::Error>> = OnceLock::new();
    let config = CONFIG.get_or_init(|| {
        // A provider may already be installed, and any will do.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let builder = rustls::ClientConfig::builder().with_platform_verifier()?;
        let mut config = builder.with_no_client_auth();
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(config)
    });
    config
        .clone()
        .map_err(|error| HttpError::Client { why: error.to_string() })
}

fn header(request: &Request, name: &str, value: &str, secret: bool) -> Result<(HeaderName, HeaderValue), HttpError> {
    let bad = || HttpError::BadHeader {
        host: request.host().to_owned(),
        name: name.to_owned(),
    };
    let key = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad())?;
    let mut value = HeaderValue::from_str(value).map_err(|_| bad())?;
    value.set_sensitive(secret);
    Ok((key, value))
}

/// The connection error in a few words without an address, because an address may contain a key.
fn trouble(host: &str, error: &reqwest::Error) -> HttpError {
    let host = host.to_owned();
    if error.is_timeout() && !error.is_connect() {
        return HttpError::TimedOut { host, after: CONNECT };
    }
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(refused) = error.downcast_ref::<OutOfReach>() {
            return HttpError::NotAllowed {
                host,
                why: refused.why.to_owned(),
            };
        }
        if let Some(why) = tls_failure(error) {
            return HttpError::TlsFailed { host, why };
        }
        cause = error.source();
    }
    let why = match error {
        error if error.is_timeout() => format!("no connection within {} s", CONNECT.as_secs()),
        error if error.is_connect() => format!("no connection ({})", innermost(error)),
        error if error.is_body() || error.is_decode() => format!("the answer broke off ({})", innermost(error)),
        error => innermost(error),
    };
    let sent = !error.is_connect();
    HttpError::Unreachable { host, why, sent }
}

/// Why there is no secure connection, if that is the error.
fn tls_failure(error: &(dyn Error + 'static)) -> Option<String> {
    match (error.downcast_ref(), error.downcast_ref::<std::io::Error>()) {
        (Some(rustls::Error::InvalidCertificate(why)), _) => Some(match why.to_string() {
            // What people make who want a certificate of their own.
            why if why.contains("CaUsedAsEndEntity") => {
                "its certificate is that of an authority; it needs one that an authority signed".to_owned()
            }
            why => format!("its certificate is not accepted ({why})"),
        }),
        (Some(rustls::Error::InvalidMessage(_)), _) => {
            Some("it does not use TLS; its address may begin with http://".to_owned())
        }
        // The source of an I/O error is that of the error inside it.
        (_, Some(outer)) => tls_failure(outer.get_ref()?),
        _ => None,
    }
}

fn innermost(error: &(dyn Error + 'static)) -> String {
    let mut last = error;
    while let Some(next) = last.source() {
        last = next;
    }
    // The outermost error of the client prints the address; the inner ones do not.
    match last.downcast_ref::<reqwest::Error>() {
        Some(_) => "the exchange failed".to_owned(),
        None => last.to_string(),
    }
}

use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::Uri;
use axum::middleware::{Next, from_fn};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use precedent_app::runtime::server_runtime;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower_http::csrf::CsrfLayer;

use crate::guard::{self, Hosts};
use crate::jobs::Jobs;
use crate::metrics::Metrics;
use crate::state::{Base, State};
use crate::users::{Gate, users_router};
use crate::watches::check_when_due;
use crate::{ServerError, ServerOptions, Users, api, pages};

/// Connections at the same time. Each browser tab on a running job holds one.
const MOST_CONNECTIONS: usize = 1_000;
/// Headers of one request. Browsers send fewer than 30.
const MOST_HEADERS: usize = 100;
/// Size of the head of a request.
const LONGEST_HEAD: usize = 64 << 10;
/// How long a server that ends waits for responses. Streams of events never end by themselves.
const LAST_RESPONSES: Duration = Duration::from_secs(2);
/// How long to wait after an error of the system, such as too many open files.
const AFTER_ERROR: Duration = Duration::from_millis(100);

/// Serves until the process is asked to end (Ctrl-C, or SIGTERM on Unix). `ready` is called with the address once the server accepts connections.
/// Runs in progress are interrupted; the next server with the same data folder continues them.
///
/// # Errors
/// If other machines can reach the address and there are no users, if the address is in use, or if the data folder cannot be used.
pub fn serve(options: &ServerOptions, ready: impl FnOnce(SocketAddr)) -> Result<(), ServerError> {
    let url = options.url.as_deref().map(server_url).transpose()?;
    let has_users = !Users::of(&options.data).list().map_err(ServerError::Users)?.is_empty();
    let address = options.bind;
    // With an address for browsers, a proxy passes requests of other machines on.
    if (!address.ip().is_loopback() || url.is_some()) && !has_users {
        return Err(ServerError::NoUsers { address });
    }
    if address.ip().is_unspecified() && url.is_none() {
        return Err(ServerError::NoUrl { address });
    }
    let runtime = server_runtime().map_err(ServerError::App)?;
    let served = runtime.block_on(async {
        let failed = |source| ServerError::Bind {
            address: options.bind,
            source,
        };
        // Before the data folder is opened, which starts the runs that were interrupted.
        let listener = TcpListener::bind(options.bind).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let base = Base::open(options)?;
        let metrics = Arc::clone(&base.metrics);
        let secure = url.as_ref().and_then(Uri::scheme_str) == Some("https");
        let (routes, runs) = match has_users {
            true => {
                let gate = Gate::open(base, secure)?;
                (users_router(Arc::clone(&gate)), Runs::OfUsers(gate))
            }
            false => {
                let state = State::open(&base, base.data(), base.offer())?;
                let routes = api::router().split_for_parts().0.merge(pages::router());
                let jobs = Arc::clone(&state.jobs);
                tokio::spawn(check_when_due(Arc::downgrade(&state)));
                (routes.with_state(state), Runs::OfThisMachine(jobs, Box::new(base)))
            }
        };
        ready(address);
        let router = guarded(routes, Hosts::of(address, url.as_ref()), metrics);
        accept(&listener, router, options.header_limit).await;
        Ok(runs)
    });
    served?.close();
    // Streams of events may still be open.
    runtime.shutdown_background();
    Ok(())
}

/// The runs of a server.
enum Runs {
    /// Without users. The data folder stays locked.
    OfThisMachine(Arc<Jobs>, Box<Base>),
    OfUsers(Arc<Gate>),
}

impl Runs {
    /// Interrupts the runs. The next server continues them.
    fn close(self) {
        match self {
            Self::OfThisMachine(jobs, _base) => drop(jobs.close()),
            Self::OfUsers(gate) => gate.close(),
        }
    }
}

/// The address of a server, with `http` or `https`, a host and no path.
fn server_url(text: &str) -> Result<Uri, ServerError> {
    let wrong = || ServerError::BadUrl { url: text.to_owned() };
    let url: Uri = text.parse().map_err(|_| wrong())?;
    let is_web = matches!(url.scheme_str(), Some("http" | "https"));
    let is_whole = url.path() == "/" && url.query().is_none() && !text.contains('@');
    match is_web && is_whole && url.host().is_some_and(|host| !host.is_empty()) {
        true => Ok(url),
        false => Err(wrong()),
    }
}

/// The routes, behind everything that a request must pass.
fn guarded(routes: Router, hosts: Hosts, metrics: Arc<Metrics>) -> Router {
    let csrf = CsrfLayer::new().with_rejection_response(|_| guard::cross_site());
    routes
        .layer(from_fn(guard::limit_body))
        .layer(csrf)
        .layer(from_fn(move |request: Request, next: Next| {
            guard::check_host(hosts.clone(), request, next)
        }))
        .layer(from_fn(move |request: Request, next: Next| {
            guard::finish(Arc::clone(&metrics), request, next)
        }))
}

async fn accept(listener: &TcpListener, router: Router, header_limit: Duration) {
    let graceful = GracefulShutdown::new();
    let free = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut ending = pin!(ending());
    loop {
        let permit = Arc::clone(&free).acquire_owned();
        let accepted = tokio::select! {
            () = &mut ending => break,
            accepted = async { (permit.await, listener.accept().await) } => accepted,
        };
        let (permit, stream) = match accepted {
            (permit, Ok((stream, _))) => (permit, stream),
            (_, Err(error)) => {
                tracing::warn!("failed to accept a connection: {error}");
                tokio::time::sleep(AFTER_ERROR).await;
                continue;
            }
        };
        // Events are small and must not wait for more.
        let _ = stream.set_nodelay(true);
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(header_limit)
            .max_headers(MOST_HEADERS)
            .max_buf_size(LONGEST_HEAD)
            .serve_connection(TokioIo::new(stream), TowerToHyperService::new(router.clone()));
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            let _permit = permit;
            if let Err(error) = connection.await {
                tracing::debug!("a connection ended: {error}");
            }
        });
    }
    let _ = tokio::time::timeout(LAST_RESPONSES, graceful.shutdown()).await;
}

/// Waits until the process is asked to end.
async fn ending() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = interrupted => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    let _ = interrupted.await;
}

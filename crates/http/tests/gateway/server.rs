use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use precedent_http::{HostLimits, HttpGateway, Mode, NetworkPolicy, Pace, Request, Settings};
use precedent_ledger::Ledger;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// How the server treats one request.
pub(crate) enum Act {
    /// Sends these bytes and closes.
    Say(Vec<u8>),
    /// Waits, then sends.
    SayLate(Duration, Vec<u8>),
    /// Sends nothing and keeps the connection open.
    Hang,
}

/// A server that answers its `n`th request (from 0) by a script.
pub(crate) struct Server {
    pub(crate) address: String,
    requests: Arc<Mutex<Vec<String>>>,
    most_at_once: Arc<AtomicUsize>,
}

impl Server {
    pub(crate) async fn start(script: impl Fn(usize, &str) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let script = Arc::new(script);
        let server = Self {
            address,
            requests: Arc::clone(&requests),
            most_at_once: Arc::clone(&most),
        };
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (requests, script, now, most) = (requests.clone(), script.clone(), now.clone(), most.clone());
                tokio::spawn(async move {
                    let running = now.fetch_add(1, Ordering::SeqCst) + 1;
                    most.fetch_max(running, Ordering::SeqCst);
                    serve(stream, &requests, script.as_ref()).await;
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        server
    }

    /// A server that always gives the same answer.
    pub(crate) async fn saying(bytes: Vec<u8>) -> Self {
        Self::start(move |_, _| Act::Say(bytes.clone())).await
    }

    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    pub(crate) fn most_at_once(&self) -> usize {
        self.most_at_once.load(Ordering::SeqCst)
    }

    /// A request to `path` that is paced for a test.
    pub(crate) fn get(&self, path: &str) -> Request {
        quick(Request::get("test", &format!("{}{path}", self.address)).unwrap())
    }
}

pub(crate) fn quick(request: Request) -> Request {
    request.pace(Pace::at_once(32)).timeout(Duration::from_secs(5))
}

async fn serve(
    mut stream: TcpStream,
    requests: &Mutex<Vec<String>>,
    script: &(dyn Fn(usize, &str) -> Act + Send + Sync),
) {
    let Some(request) = read_request(&mut stream).await else {
        return;
    };
    let number = {
        let mut requests = requests.lock().unwrap();
        requests.push(request.clone());
        requests.len() - 1
    };
    match script(number, &request) {
        Act::Say(bytes) => drop(stream.write_all(&bytes).await),
        Act::SayLate(wait, bytes) => {
            tokio::time::sleep(wait).await;
            drop(stream.write_all(&bytes).await);
        }
        Act::Hang => tokio::time::sleep(Duration::from_secs(60)).await,
    }
    drop(stream.shutdown().await);
}

async fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let read = stream.read(&mut buffer).await.ok()?;
        if read == 0 {
            return None;
        }
        bytes.extend_from_slice(&buffer[..read]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head
            .lines()
            .find_map(|line| {
                line.to_ascii_lowercase()
                    .strip_prefix("content-length: ")
                    .map(str::to_owned)
            })
            .map_or(0, |length| length.parse().unwrap());
        if body.len() >= length {
            return Some(text);
        }
    }
}

/// A complete answer.
pub(crate) fn answer(status: u16, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}").into_bytes()
}

pub(crate) async fn gateway(ledger: &Ledger) -> HttpGateway {
    gateway_with(ledger, Mode::Live, NetworkPolicy::Anywhere).await
}

pub(crate) async fn gateway_with(ledger: &Ledger, mode: Mode, reach: NetworkPolicy) -> HttpGateway {
    let settings = Settings {
        reach,
        mode,
        user_agent: "precedent-tests".to_owned(),
        ..Settings::default()
    };
    HttpGateway::new(settings, ledger.clone()).unwrap()
}

/// Two clients of two runs that share the pace of each host.
pub(crate) async fn two_gateways() -> [HttpGateway; 2] {
    let limits = HostLimits::default();
    let mut gateways = Vec::new();
    for _ in 0..2 {
        let settings = Settings {
            reach: NetworkPolicy::Anywhere,
            limits: limits.clone(),
            ..Settings::default()
        };
        gateways.push(HttpGateway::new(settings, ledger().await).unwrap());
    }
    gateways.try_into().unwrap()
}

pub(crate) async fn ledger() -> Ledger {
    Ledger::in_memory().await.unwrap()
}

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::listen::{Serve, listen};

use super::errors::trouble;
use super::record::{Asked, Library, LibraryRecord};
use super::{
    Act, Answer, HeldText, Play, TEXTS, arxiv, brave, crossref, dblp, europe_pmc, github, google_scholar, kaggle,
    openalex, openreview, opensearch, searxng, semantic_scholar, serper, tavily, texts,
};

/// The emulated services by name.
const PLAYS: &[(&str, Play)] = &[
    ("openalex", openalex::play),
    ("semantic-scholar", semantic_scholar::play),
    ("arxiv", arxiv::play),
    ("crossref", crossref::play),
    ("europe-pmc", europe_pmc::play),
    ("dblp", dblp::play),
    ("openreview", openreview::play),
    ("openreview-v1", openreview::play_v1),
    ("google-scholar", google_scholar::play),
    ("opensearch", opensearch::play),
    ("brave", brave::play),
    ("serper", serper::play),
    ("tavily", tavily::play),
    ("searxng", searxng::play),
    ("github", github::play),
    ("kaggle", kaggle::play),
    ("kaggle-notebooks", kaggle::play_notebooks),
    (TEXTS, texts::play),
];

/// Services that find pages and repositories, and Google Scholar, which `all` only includes for users with a key.
pub const FINDERS: &[&str] = &[
    "google-scholar",
    "brave",
    "serper",
    "tavily",
    "searxng",
    "github",
    "kaggle",
    "kaggle-notebooks",
];

/// Services that find papers and need no key.
pub const SERVICES: &[&str] = &[
    "openalex",
    "semantic-scholar",
    "arxiv",
    "crossref",
    "europe-pmc",
    "dblp",
    "openreview",
    "openreview-v1",
];

/// Services that find papers on a server of the user's own.
pub const HOSTED: &[&str] = &["opensearch"];

/// Maximum delay of a test by a connection that is never answered.
const LONGEST: Duration = Duration::from_secs(30);
const HUGE: usize = 50_000_000;

/// A received request.
#[derive(Debug, Clone)]
pub struct ReceivedRequest {
    /// The service.
    pub service: String,
    /// Path and parameters, as sent.
    pub target: String,
    /// The request head.
    pub head: String,
    /// The body; empty if there is none.
    pub body: String,
    /// Time since the server started.
    pub at: Duration,
}

/// All services on one local port. Stops when dropped.
pub struct LiteratureServer {
    address: SocketAddr,
    state: Arc<State>,
}

struct State {
    works: Vec<LibraryRecord>,
    acts: Mutex<BTreeMap<String, Act>>,
    texts: Mutex<Vec<HeldText>>,
    latency: Duration,
    requests: Mutex<Vec<ReceivedRequest>>,
    start: Instant,
    ends: AtomicBool,
}

impl LiteratureServer {
    /// Starts on a free port with these works; every service behaves normally.
    ///
    /// # Errors
    /// If no port is available.
    pub fn start(library: Vec<LibraryRecord>) -> std::io::Result<Self> {
        Self::start_with(library, Duration::ZERO)
    }

    /// Like `start`, with a delay of `latency` for every response.
    ///
    /// # Errors
    /// If no port is available.
    pub fn start_with(library: Vec<LibraryRecord>, latency: Duration) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let state = Arc::new(State {
            works: library,
            acts: Mutex::default(),
            texts: Mutex::default(),
            latency,
            requests: Mutex::default(),
            start: Instant::now(),
            ends: AtomicBool::new(false),
        });
        listen(listener, &state);
        Ok(Self { address, state })
    }

    /// Sets the behavior of a service.
    pub fn set(&self, service: &str, act: Act) {
        let mut acts = self.state.acts.lock().unwrap_or_else(PoisonError::into_inner);
        acts.insert(service.to_owned(), act);
    }

    /// Adds a page, a file or an archive to the web.
    pub fn hold(&self, text: HeldText) {
        self.state
            .texts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(text);
    }

    /// The base address of a service.
    #[must_use]
    pub fn base(&self, service: &str) -> String {
        format!("http://{}/{service}", self.address)
    }

    /// Every request so far.
    #[must_use]
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        self.state
            .requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Drop for LiteratureServer {
    fn drop(&mut self) {
        self.state.ends.store(true, Ordering::SeqCst);
        // Wakes the listener so that it notices the stop.
        drop(TcpStream::connect(self.address));
    }
}

impl Serve for State {
    fn has_ended(&self) -> bool {
        self.ends.load(Ordering::SeqCst)
    }

    fn serve(&self, mut stream: TcpStream) {
        let Some((head, body)) = read_question(&mut stream) else {
            return;
        };
        let target = head.split(' ').nth(1).unwrap_or_default();
        let (service, rest) = target.trim_start_matches('/').split_once('/').unwrap_or((target, ""));
        let target = format!("/{rest}");
        let (times, is_first) = {
            let mut received = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
            received.push(ReceivedRequest {
                service: service.to_owned(),
                target: target.clone(),
                head: head.clone(),
                body: body.clone(),
                at: self.start.elapsed(),
            });
            let is_it = |one: &&ReceivedRequest| one.target == target && one.body == body;
            let mut own = received.iter().filter(|one| one.service == service);
            let is_first = own.next().is_some_and(|one| is_it(&one));
            let all = received.iter().filter(|one| one.service == service);
            (all.filter(is_it).count(), is_first)
        };
        thread::sleep(self.latency);
        let acts = self.acts.lock().unwrap_or_else(PoisonError::into_inner);
        let act = match acts.get(service).copied().unwrap_or(Act::Well) {
            Act::FirstAlone if is_first => Act::Well,
            Act::DamagedOnce if times > 1 => Act::Well,
            act => act,
        };
        drop(acts);
        // The client may have closed the connection; tests do so on purpose.
        drop(self.act(&mut stream, (service, &target, &body, &head), act, times));
    }
}

impl State {
    fn act(
        &self,
        stream: &mut TcpStream,
        (service, target, body, head): (&str, &str, &str, &str),
        act: Act,
        times: usize,
    ) -> std::io::Result<()> {
        let passes = matches!(act, Act::TooFast | Act::Stumbles) && times > 1;
        if let Some(answer) = trouble(service, act).filter(|_| !passes) {
            return send(stream, &answer, answer.body.len());
        }
        let mut asked = Asked::read(target, body);
        asked.head = head.to_owned();
        let play = PLAYS.iter().find(|(name, _)| *name == service).map(|(_, play)| play);
        let answered = play.and_then(|play| play(&asked, &self.fixed_source(act)));
        let mut answer =
            answered.unwrap_or_else(|| Answer::text(404, "text/html", "<!doctype html><title>404 Not Found</title>"));
        match act {
            Act::Truncated => {
                let whole = answer.body.len();
                answer.body.truncate(whole / 2);
                send(stream, &answer, whole)
            }
            Act::DamagedOnce if service == "arxiv" => {
                let empty = String::from_utf8_lossy(&answer.body).replace("totalResults>0<", "totalResults>7<");
                answer.body = empty.into_bytes();
                send(stream, &answer, answer.body.len())
            }
            // Half of an error response would be a different error.
            Act::DamagedOnce if answer.status != 200 => send(stream, &answer, answer.body.len()),
            Act::CutShort | Act::DamagedOnce => {
                answer.body.truncate(answer.body.len() / 2);
                send(stream, &answer, answer.body.len())
            }
            Act::Drip => self.drip(stream, &answer),
            Act::Hang => {
                self.wait(LONGEST);
                Ok(())
            }
            Act::Hangup => Ok(()),
            Act::RedirectInside => stream.write_all(b"HTTP/1.1 302 Found\r\nlocation: http://10.0.0.1/latest/meta-data\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"),
            Act::RedirectFile => stream.write_all(b"HTTP/1.1 302 Found\r\nlocation: file:///etc/passwd\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"),
            Act::Huge => {
                answer.body = vec![b' '; HUGE];
                send(stream, &answer, HUGE)
            }
            Act::Bomb => {
                answer.body = bomb();
                send(stream, &answer.with_head("content-encoding: gzip"), bomb().len())
            }
            Act::Latin1 => {
                let text = String::from_utf8_lossy(&answer.body).into_owned();
                answer.body = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?')).collect();
                answer.kind = "application/json; charset=ISO-8859-1";
                send(stream, &answer, answer.body.len())
            }
            Act::NotText => {
                answer.body = (0..4000_u32).map(|n| u8::try_from(128 + n * 7 % 128).unwrap_or(255)).collect();
                send(stream, &answer, answer.body.len())
            }
            Act::LastOne => {
                let head = answer.head.replace("Remaining-USD: 0.099", "Remaining-USD: 0");
                answer.head = head.replace("X-RateLimit-Remaining: 0, 14999", "X-RateLimit-Remaining: 0, 0");
                send(stream, &answer, answer.body.len())
            }
            Act::Unfolding => {
                answer.body = unfolding(service).into_bytes();
                send(stream, &answer, answer.body.len())
            }
            _ => send(stream, &answer, answer.body.len()),
        }
    }

    fn fixed_source(&self, act: Act) -> Library {
        let records = match act {
            Act::Empty | Act::DamagedOnce => Vec::new(),
            Act::Hostile => self.works.iter().map(hostile).collect(),
            _ => self.works.clone(),
        };
        Library {
            records,
            nulls: act == Act::Nulls,
            texts: self.texts.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }

    /// Sends a byte every 50 milliseconds.
    fn drip(&self, stream: &mut TcpStream, answer: &Answer) -> std::io::Result<()> {
        stream.write_all(b"HTTP/1.1 200 X\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n")?;
        for byte in answer.body.iter().take(600) {
            stream.write_all(&[*byte])?;
            self.wait(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Waits, or returns early if the server stops.
    fn wait(&self, long: Duration) {
        let start = Instant::now();
        while start.elapsed() < long && !self.ends.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(20).min(long));
        }
    }
}

/// The same work with malicious field values.
fn hostile(record: &LibraryRecord) -> LibraryRecord {
    LibraryRecord {
        title: format!(
            "{}<script>alert(1)</script>\u{202e}../../etc/passwd\u{0}\r\nX-Evil: 1",
            record.title
        ),
        summary: format!(
            "{} {} <img src=x onerror=alert(1)>",
            record.summary,
            "long ".repeat(4_000)
        ),
        authors: vec![("<b>Ann</b>\u{1b}[31m".to_owned(), "Lee".to_owned()); 1_000],
        venue: "javascript:alert(1)".to_owned(),
        doi: format!("{}\"><script>", record.doi),
        ..record.clone()
    }
}

/// 50 MB of spaces as about 80 kB of gzip, written by hand: one block of matches that each repeat 258 bytes.
fn bomb() -> Vec<u8> {
    // Fixed Huffman codes: a literal space (8 bits), then matches of length 258 at distance 1 (8 + 5 bits), then the end (7 bits).
    let mut bits = Bits::default();
    bits.put(0b011, 3);
    bits.code(0x30 + u32::from(b' '), 8);
    for _ in 0..HUGE / 258 {
        bits.code(0b1100_0101, 8);
        bits.code(0, 5);
    }
    bits.code(0, 7);
    let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    bytes.extend(bits.bytes());
    // A client that stops in time never reaches the checksum and length.
    bytes.extend([0; 8]);
    bytes
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    held: u32,
    count: u32,
}

impl Bits {
    /// Lowest bit first.
    fn put(&mut self, value: u32, width: u32) {
        for at in 0..width {
            self.held |= ((value >> at) & 1) << self.count;
            self.count += 1;
            if self.count == 8 {
                self.bytes.push(u8::try_from(self.held).unwrap_or_default());
                (self.held, self.count) = (0, 0);
            }
        }
    }

    /// A Huffman code: highest bit first.
    fn code(&mut self, value: u32, width: u32) {
        for at in (0..width).rev() {
            self.put(value >> at, 1);
        }
    }

    fn bytes(mut self) -> Vec<u8> {
        self.bytes.push(u8::try_from(self.held).unwrap_or_default());
        self.bytes
    }
}

fn unfolding(service: &str) -> String {
    if service != "arxiv" {
        return "[".repeat(100_000);
    }
    let mut text = String::from(
        "<?xml version=\"1.0\"?><!DOCTYPE feed [<!ENTITY a0 \"ha\"><!ENTITY file SYSTEM \"file:///etc/passwd\">",
    );
    for n in 1..30 {
        text.push_str(&format!("<!ENTITY a{n} \"{}\">", format!("&a{};", n - 1).repeat(10)));
    }
    text.push_str("]><feed xmlns=\"http://www.w3.org/2005/Atom\"><entry><title>&a29;&file;</title></entry></feed>");
    text
}

fn send(stream: &mut TcpStream, answer: &Answer, length: usize) -> std::io::Result<()> {
    let Answer {
        status,
        head,
        kind,
        body,
    } = answer;
    let start = format!(
        "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n{head}\r\n"
    );
    stream.write_all(start.as_bytes())?;
    stream.write_all(body)?;
    stream.flush()
}

/// The head and the body of a request.
fn read_question(stream: &mut TcpStream) -> Option<(String, String)> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        let read = stream.read(&mut buffer).ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(buffer.get(..read)?);
        let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
            continue;
        };
        let head = String::from_utf8_lossy(bytes.get(..at)?).into_owned();
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.trim().parse::<usize>().ok())?
        });
        let body = bytes.get(at + 4..)?;
        if body.len() >= length.unwrap_or_default() {
            return Some((head, String::from_utf8_lossy(body).into_owned()));
        }
    }
}

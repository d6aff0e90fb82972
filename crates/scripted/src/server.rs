use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use crate::batch::{BatchReply, Batches};
use crate::listen::{Serve, listen};
use crate::question::tokens;
use crate::say::wire;
use crate::{BatchBehaviour, Faults, Question, Say, Shape, SubmittedCalls};

/// Maps a request to a response.
pub type Script = dyn Fn(&Question) -> Say + Send + Sync;

/// A server on loopback that answers according to a script. Stops when dropped.
pub struct ModelServer {
    address: SocketAddr,
    state: Arc<State>,
}

struct State {
    script: Box<Script>,
    latency: Duration,
    faults: Option<Faults>,
    batches: Mutex<Batches>,
    behaviour: BatchBehaviour,
    asked: Mutex<Vec<Question>>,
    running: AtomicUsize,
    most_at_once: AtomicUsize,
    ends: AtomicBool,
}

impl ModelServer {
    /// Starts on a free port.
    ///
    /// # Errors
    /// If no port is available.
    pub fn start(script: impl Fn(&Question) -> Say + Send + Sync + 'static) -> std::io::Result<Self> {
        Self::start_with(script, Duration::ZERO, None, 0)
    }

    /// Starts on a free port and treats batches in this way. A call whose script closes the connection expires.
    ///
    /// # Errors
    /// If no port is available.
    pub fn start_with_batches(
        script: impl Fn(&Question) -> Say + Send + Sync + 'static,
        behaviour: BatchBehaviour,
    ) -> std::io::Result<Self> {
        Self::bind(script, Duration::ZERO, None, behaviour, 0)
    }

    /// Starts on `port` (0 for a free one) with a delay of `latency` for every response, and `faults` in some attempts.
    ///
    /// # Errors
    /// If the port is not available.
    pub fn start_with(
        script: impl Fn(&Question) -> Say + Send + Sync + 'static,
        latency: Duration,
        faults: Option<Faults>,
        port: u16,
    ) -> std::io::Result<Self> {
        Self::bind(script, latency, faults, BatchBehaviour::default(), port)
    }

    fn bind(
        script: impl Fn(&Question) -> Say + Send + Sync + 'static,
        latency: Duration,
        faults: Option<Faults>,
        behaviour: BatchBehaviour,
        port: u16,
    ) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", port))?;
        let address = listener.local_addr()?;
        let state = Arc::new(State {
            script: Box::new(script),
            latency,
            faults,
            batches: Mutex::default(),
            behaviour,
            asked: Mutex::default(),
            running: AtomicUsize::new(0),
            most_at_once: AtomicUsize::new(0),
            ends: AtomicBool::new(false),
        });
        listen(listener, &state);
        Ok(Self { address, state })
    }

    /// Starts with an outage: from the first request of `prompt` on, the given number of requests gets the response `outage`. All others go to the
    /// script.
    ///
    /// # Errors
    /// If no port is available.
    pub fn start_with_outage(
        script: impl Fn(&Question) -> Say + Send + Sync + 'static,
        prompt: &'static str,
        requests: usize,
        outage: Say,
    ) -> std::io::Result<Self> {
        let begins: OnceLock<usize> = OnceLock::new();
        Self::start(move |question| {
            let begins = match question.prompt == prompt {
                true => Some(*begins.get_or_init(|| question.number)),
                false => begins.get().copied(),
            };
            match begins.is_some_and(|begins| (begins..begins + requests).contains(&question.number)) {
                true => outage.clone(),
                false => script(question),
            }
        })
    }

    /// The base address, for both API formats.
    #[must_use]
    pub fn base(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request so far, in order of arrival.
    #[must_use]
    pub fn asked(&self) -> Vec<Question> {
        self.state.asked.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Every submitted batch so far, in order.
    #[must_use]
    pub fn batches(&self) -> Vec<SubmittedCalls> {
        let batches = self.state.batches.lock().unwrap_or_else(PoisonError::into_inner);
        batches.submitted.clone()
    }

    /// Repetitions of identical requests, by prompt.
    #[must_use]
    pub fn asked_again(&self) -> BTreeMap<String, usize> {
        let mut times: BTreeMap<String, (String, usize)> = BTreeMap::new();
        for question in self.asked() {
            times.entry(question.body).or_insert((question.prompt, 0)).1 += 1;
        }
        let again = times.into_values().filter(|(_, times)| *times > 1);
        let mut by_prompt = BTreeMap::new();
        for (prompt, times) in again {
            *by_prompt.entry(prompt).or_default() += times - 1;
        }
        by_prompt
    }

    /// Maximum number of concurrent requests.
    #[must_use]
    pub fn most_at_once(&self) -> usize {
        self.state.most_at_once.load(Ordering::SeqCst)
    }
}

impl Drop for ModelServer {
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
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_at_once.fetch_max(running, Ordering::SeqCst);
        if let Some((path, headers, body)) = read_request(&mut stream) {
            self.answer(&mut stream, &path, headers, &body);
        }
        self.running.fetch_sub(1, Ordering::SeqCst);
    }
}

impl State {
    fn answer(&self, stream: &mut TcpStream, path: &str, headers: Vec<(String, String)>, body: &str) {
        match self.batched(path, &headers, body) {
            Some(BatchReply::Say(status, reply)) => return send(stream, status, "", reply.as_bytes()),
            Some(BatchReply::Hangup) => return,
            None => {}
        }
        let Some((question, tries)) = self.note(path, headers, body) else {
            send(stream, 404, "", br#"{"error":{"message":"no such address"}}"#);
            return;
        };
        let mut say = (self.script)(&question);
        if let Some(trouble) = self.faults.and_then(|faults| faults.meet(&question, tries, &say)) {
            say = trouble;
        }
        thread::sleep(self.latency);
        match &say {
            // The client may be gone.
            Say::Bytes(bytes) => drop(stream.write_all(bytes)),
            Say::Silence(milliseconds) => thread::sleep(Duration::from_millis(*milliseconds)),
            _ => {}
        }
        if let Some((status, head, body)) = wire(&say, &question) {
            send(stream, status, &head, &body);
        }
    }

    /// The response to a request to a batch endpoint.
    fn batched(&self, path: &str, headers: &[(String, String)], body: &str) -> Option<BatchReply> {
        let mut direct = |shape: Shape, body: &str| {
            let path = match shape {
                Shape::OpenAi | Shape::Gemini => "/v1/chat/completions",
                Shape::Anthropic => "/v1/messages",
            };
            let (question, _) = self.note(path, headers.to_vec(), body)?;
            let (status, _, body) = wire(&(self.script)(&question), &question)?;
            Some((status, body))
        };
        let mut batches = self.batches.lock().unwrap_or_else(PoisonError::into_inner);
        batches.answer(path, body, self.behaviour, &mut direct)
    }

    /// Records a request and returns how often it was received before.
    fn note(&self, path: &str, headers: Vec<(String, String)>, body: &str) -> Option<(Question, u64)> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let mut question = Question::read(asked.len(), path, headers, body)?;
        let tries = asked.iter().filter(|other| other.body == body).count() as u64;
        let whole = question.whole();
        // Requests of other prompts have another schema, which is a part of the prefix. Anthropic writes and reads only what is marked.
        let marked = |one: &Question| one.marked.unwrap_or(usize::MAX);
        let same = asked
            .iter()
            .filter(|other| other.prompt == question.prompt)
            .map(|other| {
                shared_beginning(&other.whole(), &whole)
                    .min(marked(other))
                    .min(marked(&question))
            })
            .max();
        let kept = |end: usize| tokens(whole.get(..end).unwrap_or(&whole));
        // Providers cache prefixes of about a thousand tokens or more. The schema comes before the text.
        let schema = question.schema.as_ref().map_or(0, |schema| tokens(&schema.to_string()));
        let long = |tokens: u64| if schema + tokens >= 1024 { tokens } else { 0 };
        question.cached = long(same.map(kept).unwrap_or_default());
        let marked = question.marked.map(kept).unwrap_or_default();
        question.written = long(marked).saturating_sub(question.cached);
        asked.push(question.clone());
        Some((question, tries))
    }
}

fn shared_beginning(a: &str, b: &str) -> usize {
    b.floor_char_boundary(a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count())
}

type Request = (String, Vec<(String, String)>, String);

fn read_request(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut buffer = [0; 65536];
    let (head_end, length) = loop {
        let read = stream.read(&mut buffer).ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(buffer.get(..read)?);
        let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
            continue;
        };
        let head = String::from_utf8_lossy(bytes.get(..at)?).to_ascii_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: ").map(str::to_owned));
        break (
            at + 4,
            length
                .and_then(|length| length.trim().parse::<usize>().ok())
                .unwrap_or_default(),
        );
    };
    while bytes.len() < head_end + length {
        let read = stream.read(&mut buffer).ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(buffer.get(..read)?);
    }
    let head = String::from_utf8_lossy(bytes.get(..head_end)?).into_owned();
    let mut lines = head.lines();
    let path = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers = lines.filter_map(|line| line.split_once(": "));
    let headers = headers
        .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
        .collect();
    let body = String::from_utf8_lossy(bytes.get(head_end..)?).into_owned();
    Some((path, headers, body))
}

fn send(stream: &mut TcpStream, status: u16, head: &str, body: &[u8]) {
    let length = body.len();
    let start = format!(
        "HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{head}\r\n"
    );
    // The client may be gone; tests kill runs on purpose.
    drop(
        stream
            .write_all(start.as_bytes())
            .and_then(|()| stream.write_all(body))
            .and_then(|()| stream.flush()),
    );
}

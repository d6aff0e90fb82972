//! A server for a test, and a small HTTP client that sends exactly what it is given.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A run of the example takes a few seconds in a debug build; a loaded machine is ten times slower.
pub(crate) const PATIENCE: Duration = Duration::from_secs(180);

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// A path that no other call gets. Nothing exists there yet.
pub(crate) fn fresh_folder(name: &str) -> PathBuf {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("server-{name}-{}-{call}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// The program, without the caller's settings.
pub(crate) fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_precedent"));
    for name in [
        "PRECEDENT_CORPUS",
        "PRECEDENT_DATABASE",
        "PRECEDENT_MODEL",
        "PRECEDENT_MODEL_URL",
        "PRECEDENT_SETTINGS",
        "PRECEDENT_PROGRAM",
        "PRECEDENT_PROXY",
        "PRECEDENT_CA_FILE",
        "RUST_LOG",
    ] {
        command.env_remove(name);
    }
    command
        .current_dir(root())
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("PRECEDENT_MODELS", "/nonexistent")
        .env("PRECEDENT_BROWSER", "/nonexistent/browser")
        .env("PRECEDENT_CACHE", "off");
    command
}

/// A running server. It is killed when dropped.
pub(crate) struct Server {
    child: Child,
    pub(crate) address: String,
    pub(crate) data: PathBuf,
}

impl Server {
    pub(crate) fn start(name: &str) -> Self {
        Self::start_in(&fresh_folder(name), &[])
    }

    /// With the example's corpus and further arguments, on a port that the system chooses.
    pub(crate) fn start_in(data: &Path, arguments: &[&str]) -> Self {
        Self::start_with(data, arguments, program())
    }

    /// With a command that has variables of its own.
    pub(crate) fn start_with(data: &Path, arguments: &[&str], mut command: Command) -> Self {
        let mut child = command
            .args(["serve", "--bind", "127.0.0.1:0", "--corpus", "examples/works", "--data"])
            .arg(data)
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .trim()
            .strip_prefix("http://")
            .unwrap_or_else(|| panic!("no address: {line:?}"))
            .to_owned();
        Self {
            child,
            address,
            data: data.to_owned(),
        }
    }

    /// Ends the server as `kill -9` does.
    pub(crate) fn kill(mut self) -> PathBuf {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.data.clone()
    }

    /// Asks the server to end, and waits until it has.
    #[cfg(unix)]
    pub(crate) fn terminate(&mut self) -> PathBuf {
        let asked = Command::new("kill")
            .args(["-TERM", &self.child.id().to_string()])
            .status()
            .unwrap();
        assert!(asked.success());
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}");
        self.data.clone()
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], b"")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send(
            "POST",
            path,
            &[("Content-Type", "application/json")],
            body.to_string().as_bytes(),
        )
    }

    /// A form, as a browser without JavaScript sends it.
    pub(crate) fn form(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let encode = |text: &str| -> String {
            let byte = |byte: u8| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
                byte => format!("%{byte:02X}"),
            };
            text.bytes().map(byte).collect()
        };
        let body: Vec<String> = fields
            .iter()
            .map(|(name, value)| format!("{name}={}", encode(value)))
            .collect();
        let headers = [
            ("Content-Type", "application/x-www-form-urlencoded"),
            ("Sec-Fetch-Site", "same-origin"),
        ];
        self.send("POST", path, &headers, body.join("&").as_bytes())
    }

    /// A form with files: name of the field, name of the file (empty for a plain field), content.
    pub(crate) fn multipart(&self, path: &str, fields: &[(&str, &str, &[u8])]) -> Answer {
        let mut body = Vec::new();
        for (name, file, content) in fields {
            let file = if file.is_empty() {
                String::new()
            } else {
                format!("; filename=\"{file}\"")
            };
            body.extend(format!("--border\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n").bytes());
            body.extend(*content);
            body.extend(b"\r\n");
        }
        body.extend(b"--border--\r\n");
        self.send(
            "POST",
            path,
            &[("Content-Type", "multipart/form-data; boundary=border")],
            &body,
        )
    }

    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut head = format!(
            "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n",
            body.len()
        );
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head.push_str(&format!("Host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        let mut stream = self.connect();
        stream.write_all(head.as_bytes()).unwrap();
        // The server may answer and close before it has read everything.
        let _ = stream.write_all(body);
        Answer::read(stream)
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Uploads the example paper and returns its hash.
    pub(crate) fn upload_example(&self) -> String {
        let bytes = fs::read(root().join("examples/paper.pdf")).unwrap();
        let answer = self.send("POST", "/api/v1/inputs?name=paper.pdf", &[], &bytes);
        assert_eq!(answer.status, 201, "{}", answer.text());
        answer.json()["sha256"].as_str().unwrap().to_owned()
    }

    /// Starts an assessment of the example and returns its id.
    pub(crate) fn assess_example(&self) -> String {
        let answer = self.post(
            "/api/v1/runs",
            &json!({ "job": "assess", "input": self.upload_example(), "corpora": ["works"] }),
        );
        assert_eq!(answer.status, 202, "{}", answer.text());
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    pub(crate) fn run(&self, id: &str) -> Value {
        self.get(&format!("/api/v1/runs/{id}")).json()
    }

    /// Waits until the run has this state.
    pub(crate) fn wait_for(&self, id: &str, state: &str) -> Value {
        let start = Instant::now();
        loop {
            let run = self.run(id);
            if run["state"] == state {
                return run;
            }
            assert!(run["state"] != "failed", "{run:#}");
            assert!(start.elapsed() < PATIENCE, "not {state}: {run:#}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        // The processes of runs end when the server's pipes close.
    }
}

/// A response.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn read(stream: TcpStream) -> Self {
        let mut stream = BufReader::new(stream);
        let mut head = String::new();
        loop {
            let mut line = String::new();
            let read = stream.read_line(&mut line).unwrap_or(0);
            if read == 0 || line == "\r\n" {
                break;
            }
            head.push_str(&line);
        }
        let mut body = Vec::new();
        let _ = stream.read_to_end(&mut body);
        if head.to_lowercase().contains("transfer-encoding: chunked") {
            body = unchunked(&body);
        }
        let status = head
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok())
            .unwrap_or(0);
        Self { status, head, body }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let named = |line: &&str| {
            line.split_once(':')
                .is_some_and(|(one, _)| one.eq_ignore_ascii_case(name))
        };
        self.head
            .lines()
            .find(named)
            .and_then(|line| line.split_once(": "))
            .map(|(_, value)| value.trim())
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{} {error}: {}", self.status, self.text()))
    }
}

fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = body.windows(2).position(|two| two == b"\r\n") {
        let length = usize::from_str_radix(std::str::from_utf8(&body[..end]).unwrap(), 16).unwrap();
        if length == 0 || body.len() < end + 2 + length {
            break;
        }
        whole.extend(&body[end + 2..end + 2 + length]);
        body = &body[(end + 4 + length).min(body.len())..];
    }
    whole
}

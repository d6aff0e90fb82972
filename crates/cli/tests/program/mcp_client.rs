//! A client of `precedent mcp` that writes lines of JSON-RPC, so that the tests see what any client sees.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::command;

/// How long a test waits for a line of the server. Builds without optimization on a busy machine are slow.
const PATIENCE: Duration = Duration::from_secs(180);

/// Characters of an answer at most.
pub(crate) const LIMIT: usize = 20_000;

/// A server over stdin and stdout, initialized.
pub(crate) struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Value>,
    next: u64,
    /// Answers that came while another was awaited.
    early: BTreeMap<u64, Value>,
    /// Notifications so far.
    pub(crate) received: Vec<Value>,
    outputs: BTreeMap<String, Value>,
}

impl Client {
    /// Starts `precedent mcp` with these options in a folder.
    pub(crate) fn start(folder: &Path, options: &[&str]) -> Self {
        let mut arguments = vec!["mcp"];
        arguments.extend(options);
        let mut child = command(folder, &arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let (send, lines) = mpsc::channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                // Anything else on stdout would break clients.
                let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("not a message: {line}"));
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        let stdin = child.stdin.take();
        let mut client = Self {
            child,
            stdin,
            lines,
            next: 0,
            early: BTreeMap::new(),
            received: Vec::new(),
            outputs: BTreeMap::new(),
        };
        let hello = client.request(
            "initialize",
            &json!({
                "protocolVersion": "2025-11-25",
                "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"},
            }),
        );
        assert_eq!(hello["result"]["serverInfo"]["name"], "precedent", "{hello}");
        assert!(
            hello["result"]["instructions"]
                .as_str()
                .unwrap()
                .contains("list_corpora")
        );
        client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        client
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{message}").unwrap();
        stdin.flush().unwrap();
    }

    /// Sends a request and returns its number.
    pub(crate) fn begin(&mut self, method: &str, params: &Value) -> u64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Waits for the answer to a request.
    pub(crate) fn end(&mut self, id: u64) -> Value {
        loop {
            if let Some(answer) = self.early.remove(&id) {
                return answer;
            }
            let message = self.lines.recv_timeout(PATIENCE).expect("an answer");
            match message["id"].as_u64() {
                Some(other) => {
                    self.early.insert(other, message);
                }
                None => self.received.push(message),
            }
        }
    }

    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.begin(method, params);
        self.end(id)
    }

    /// The tools by name.
    pub(crate) fn tools(&mut self) -> BTreeMap<String, Value> {
        let listed = self.request("tools/list", &json!({}));
        let tools = listed["result"]["tools"].as_array().unwrap().clone();
        tools
            .into_iter()
            .map(|tool| (tool["name"].as_str().unwrap().to_owned(), tool))
            .collect()
    }

    /// Calls a tool, checks the answer against the tool's schema and its limit, and returns it.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        if self.outputs.is_empty() {
            let tools = self.tools();
            self.outputs = tools
                .into_iter()
                .map(|(name, tool)| (name, tool["outputSchema"].clone()))
                .collect();
        }
        let answer = self.request("tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        assert_eq!(result["isError"], false, "{tool} {arguments}: {answer}");
        let structured = result["structuredContent"].clone();
        let text = result["content"][0]["text"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), structured);
        assert!(
            text.chars().count() <= LIMIT,
            "{tool}: {} characters",
            text.chars().count()
        );
        let schema = &self.outputs[tool];
        let checked = jsonschema::validate(schema, &structured);
        assert!(checked.is_ok(), "{tool}: {checked:?}\n{structured:#}");
        assert!(structured["notice"].as_str().unwrap().contains("data"));
        structured
    }

    /// All pages of an answer.
    pub(crate) fn pages(&mut self, tool: &str, arguments: &Value) -> Vec<Value> {
        let mut arguments = arguments.clone();
        let mut pages = Vec::new();
        loop {
            let page = self.call(tool, &arguments);
            let next = page["next_cursor"].clone();
            pages.push(page);
            if next.is_null() {
                return pages;
            }
            arguments["cursor"] = next;
        }
    }

    /// Calls a tool that must fail, and returns the failure.
    pub(crate) fn failure(&mut self, tool: &str, arguments: &Value) -> Value {
        let answer = self.request("tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        assert_eq!(result["isError"], true, "{tool} {arguments}: {answer}");
        let failure: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert!(!failure["message"].as_str().unwrap().is_empty(), "{failure}");
        failure
    }

    /// Closes stdin, which ends the server, and returns whether it succeeded.
    pub(crate) fn close(mut self) -> bool {
        drop(self.stdin.take());
        self.child.wait().unwrap().success()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server over HTTP.
pub(crate) struct HttpServer {
    child: Child,
    pub(crate) address: SocketAddr,
}

impl HttpServer {
    pub(crate) fn start(folder: &Path, options: &[&str]) -> Self {
        let mut arguments = vec!["mcp", "--http", "127.0.0.1:0"];
        arguments.extend(options);
        let mut child = command(folder, &arguments).stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line.split("http://").nth(1).and_then(|rest| rest.split("/mcp").next());
        let address = address.unwrap_or_else(|| panic!("no address: {line}")).parse().unwrap();
        Self { child, address }
    }

    /// Posts a message with these headers, and returns the status and the messages of the answer.
    pub(crate) fn post(&self, path: &str, headers: &[(&str, &str)], message: &Value) -> (u16, Vec<Value>) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let body = message.to_string();
        let mut head = format!(
            "POST {path} HTTP/1.1\r\nContent-Length: {}\r\nConnection: close\r\n",
            body.len()
        );
        let own = self.address.to_string();
        let usual = [
            ("Host", own.as_str()),
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        let given = |name: &str| headers.iter().any(|(own, _)| *own == name);
        for (name, value) in usual.iter().filter(|(name, _)| !given(name)).chain(headers) {
            head += &format!("{name}: {value}\r\n");
        }
        stream.write_all(format!("{head}\r\n{body}").as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let status = answer.split(' ').nth(1).unwrap().parse().unwrap();
        // Chunk sizes are on lines of their own.
        let data = answer
            .lines()
            .filter_map(|line| line.strip_prefix("data: ").or(line.starts_with('{').then_some(line)));
        (
            status,
            data.filter_map(|line| serde_json::from_str(line).ok()).collect(),
        )
    }

    /// Calls a tool without a session.
    pub(crate) fn call(&self, tool: &str, arguments: &Value) -> Value {
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
        let (status, messages) = self.post("/mcp", &[("MCP-Protocol-Version", "2025-11-25")], &message);
        let answer = messages.into_iter().find(|one| one["id"] == 1);
        let answer = answer.unwrap_or_else(|| panic!("no answer, status {status}"));
        answer["result"]["structuredContent"].clone()
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

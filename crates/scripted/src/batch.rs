//! The batch endpoints of `OpenAI` and Anthropic, in the shapes of their API references.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::Shape;

/// How the server treats batches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BatchBehaviour {
    /// Status requests of a batch that are answered with "in progress" before it ends.
    pub polls: usize,
    /// Whether the response to the first submission is lost.
    pub lose_first: bool,
    /// Whether the first batch is rejected as a whole.
    pub reject_first: bool,
    /// How many later batches of other programs the account has that are as large as the first one.
    pub foreign: usize,
}

/// A submitted batch.
#[derive(Debug, Clone, PartialEq)]
pub struct SubmittedCalls {
    /// Its id.
    pub id: String,
    /// The API format.
    pub shape: Shape,
    /// The `custom_id` and body of each call.
    pub calls: Vec<(String, String)>,
    metadata: Value,
    polls: usize,
    results: Option<Results>,
}

#[derive(Debug, Clone, PartialEq, Default)]
struct Results {
    /// Lines of successful calls; for Anthropic, of all calls.
    output: Vec<String>,
    /// Lines of failed calls, which `OpenAI` has in a file of their own.
    errors: Vec<String>,
}

#[derive(Debug, Default)]
pub(crate) struct Batches {
    files: BTreeMap<String, String>,
    pub(crate) submitted: Vec<SubmittedCalls>,
    /// Batches of another program.
    foreign: Vec<SubmittedCalls>,
    submissions: usize,
}

/// What to send back.
pub(crate) enum BatchReply {
    /// This status and body.
    Say(u16, String),
    /// Closes the connection.
    Hangup,
}

/// Status and body of a direct response; `None` if the connection would be closed.
type Direct = Option<(u16, Vec<u8>)>;

impl Batches {
    /// Answers a request to a batch endpoint; `None` if it is none. `direct` answers one call, given its format and body.
    pub(crate) fn answer(
        &mut self,
        path: &str,
        body: &str,
        behaviour: BatchBehaviour,
        direct: &mut dyn FnMut(Shape, &str) -> Direct,
    ) -> Option<BatchReply> {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let say = |value: Value| Some(BatchReply::Say(200, value.to_string()));
        if let Some((_, rest)) = path.split_once("/messages/batches") {
            let rest = rest.trim_start_matches('/');
            return match rest.strip_suffix("/results") {
                Some(id) => self.download(id, false),
                None if rest.is_empty() && !body.is_empty() => self.submit_messages(body, behaviour),
                None if rest.is_empty() => say(self.listed(Shape::Anthropic, query)),
                None => self.status(rest, behaviour, direct),
            };
        }
        if let Some((_, rest)) = path.split_once("/batches") {
            let rest = rest.trim_start_matches('/');
            return match rest {
                "" if !body.is_empty() => self.submit_file(body, behaviour),
                "" => say(self.listed(Shape::OpenAi, query)),
                id => self.status(id, behaviour, direct),
            };
        }
        let (_, rest) = path.split_once("/files")?;
        match rest.trim_start_matches('/').strip_suffix("/content") {
            Some(id) => self.download(id.trim_start_matches("file-"), id.starts_with("file-errors-")),
            None => {
                let id = format!("file-{}", self.files.len());
                self.files.insert(id.clone(), body.to_owned());
                say(
                    json!({"id": id, "object": "file", "bytes": body.len(), "filename": "calls.jsonl", "purpose": "batch"}),
                )
            }
        }
    }

    fn submit_file(&mut self, body: &str, behaviour: BatchBehaviour) -> Option<BatchReply> {
        let value: Value = serde_json::from_str(body).ok()?;
        let file = self.files.get(value.get("input_file_id")?.as_str()?)?;
        let lines = file.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let calls = lines.filter(|line| {
            line.get("method") == Some(&json!("POST")) && line.get("url") == Some(&json!("/v1/chat/completions"))
        });
        let calls = calls.filter_map(|line| call(&line, "body")).collect();
        let metadata = value.get("metadata").cloned().unwrap_or_default();
        self.submit(Shape::OpenAi, calls, metadata, behaviour)
    }

    fn submit_messages(&mut self, body: &str, behaviour: BatchBehaviour) -> Option<BatchReply> {
        let value: Value = serde_json::from_str(body).ok()?;
        let calls = value.get("requests")?.as_array()?;
        let calls = calls.iter().filter_map(|one| call(one, "params")).collect();
        self.submit(Shape::Anthropic, calls, Value::Null, behaviour)
    }

    fn submit(
        &mut self,
        shape: Shape,
        calls: Vec<(String, String)>,
        metadata: Value,
        behaviour: BatchBehaviour,
    ) -> Option<BatchReply> {
        self.submissions += 1;
        let id = match shape {
            Shape::OpenAi | Shape::Gemini => format!("batch_{}", self.submissions),
            Shape::Anthropic => format!("msgbatch_{}", self.submissions),
        };
        let batch = SubmittedCalls {
            id,
            shape,
            calls,
            metadata,
            polls: 0,
            results: None,
        };
        let description = batch.described(behaviour, self.submissions == 1);
        let foreign = if self.submissions == 1 { behaviour.foreign } else { 0 };
        for number in 0..foreign {
            let other = |(at, (_, body)): (usize, &(String, String))| (format!("other-{at}"), body.clone());
            self.foreign.push(SubmittedCalls {
                id: format!("{}_foreign_{number}", batch.id),
                calls: batch.calls.iter().enumerate().map(other).collect(),
                metadata: Value::Null,
                ..batch.clone()
            });
        }
        self.submitted.push(batch);
        if self.submissions == 1 && behaviour.lose_first {
            return Some(BatchReply::Hangup);
        }
        Some(BatchReply::Say(200, description.to_string()))
    }

    fn status(
        &mut self,
        id: &str,
        behaviour: BatchBehaviour,
        direct: &mut dyn FnMut(Shape, &str) -> Direct,
    ) -> Option<BatchReply> {
        let is_first = self.submitted.first().is_some_and(|first| first.id == id);
        let mut all = self.submitted.iter_mut().chain(&mut self.foreign);
        let Some(batch) = all.find(|one| one.id == id) else {
            return Some(BatchReply::Say(
                404,
                json!({"error": {"message": "no such batch"}}).to_string(),
            ));
        };
        batch.polls += 1;
        if batch.polls > behaviour.polls && batch.results.is_none() && !(is_first && behaviour.reject_first) {
            let mut results = Results::default();
            for (key, body) in &batch.calls {
                let (line, is_error) = result(batch.shape, key, direct(batch.shape, body));
                match is_error {
                    true => results.errors.push(line),
                    false => results.output.push(line),
                }
            }
            batch.results = Some(results);
        }
        Some(BatchReply::Say(200, batch.described(behaviour, is_first).to_string()))
    }

    /// A page of the account's batches, the latest first.
    fn listed(&self, shape: Shape, query: &str) -> Value {
        let parameter = |name: &str| {
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs.find(|(one, _)| *one == name).map(|(_, value)| value)
        };
        let after = parameter(match shape {
            Shape::OpenAi | Shape::Gemini => "after",
            Shape::Anthropic => "after_id",
        });
        let limit = parameter("limit").and_then(|limit| limit.parse().ok()).unwrap_or(20);
        let all = self.foreign.iter().rev().chain(self.submitted.iter().rev());
        let all: Vec<&SubmittedCalls> = all.filter(|one| one.shape == shape).collect();
        let at = after.and_then(|id| all.iter().position(|one| one.id == id));
        let rest = all.get(at.map_or(0, |at| at + 1)..).unwrap_or_default();
        let page = rest.iter().take(limit);
        let data: Vec<Value> = page
            .map(|one| one.described(BatchBehaviour::default(), false))
            .collect();
        json!({"object": "list", "data": data, "has_more": rest.len() > limit})
    }

    fn download(&self, id: &str, errors: bool) -> Option<BatchReply> {
        let id = id.trim_start_matches("errors-").trim_start_matches("output-");
        let mut all = self.submitted.iter().chain(&self.foreign);
        let batch = all.find(|one| one.id == id)?;
        let results = batch.results.as_ref()?;
        let lines = match (batch.shape, errors) {
            (Shape::OpenAi | Shape::Gemini, true) => results.errors.clone(),
            (Shape::OpenAi | Shape::Gemini, false) => results.output.clone(),
            // Anthropic's results come in any order.
            (Shape::Anthropic, _) => results.errors.iter().chain(&results.output).cloned().collect(),
        };
        Some(BatchReply::Say(
            200,
            lines.iter().map(|line| format!("{line}\n")).collect(),
        ))
    }
}

impl SubmittedCalls {
    fn described(&self, behaviour: BatchBehaviour, is_first: bool) -> Value {
        let total = self.calls.len();
        let results = self.results.as_ref();
        let (good, bad) = results.map_or((0, 0), |results| (results.output.len(), results.errors.len()));
        match self.shape {
            Shape::OpenAi | Shape::Gemini if is_first && behaviour.reject_first => json!({
                "id": self.id, "object": "batch", "endpoint": "/v1/chat/completions", "status": "failed",
                "errors": {"object": "list", "data": [{"code": "token_limit_exceeded", "message": "too many enqueued tokens", "line": null}]},
                "request_counts": {"total": 0, "completed": 0, "failed": 0}, "metadata": self.metadata,
            }),
            Shape::OpenAi | Shape::Gemini => json!({
                "id": self.id, "object": "batch", "endpoint": "/v1/chat/completions", "errors": null,
                "completion_window": "24h", "status": if results.is_some() { "completed" } else { "in_progress" },
                "output_file_id": (good > 0).then(|| format!("file-output-{}", self.id)),
                "error_file_id": (bad > 0).then(|| format!("file-errors-{}", self.id)),
                "request_counts": {"total": total, "completed": good, "failed": bad}, "metadata": self.metadata,
            }),
            Shape::Anthropic => json!({
                "id": self.id, "type": "message_batch", "created_at": "9999-01-01T00:00:00Z",
                "processing_status": if results.is_some() { "ended" } else { "in_progress" },
                "request_counts": {"processing": total - good - bad, "succeeded": good, "errored": bad,
                    "canceled": 0, "expired": 0},
                "results_url": results.map(|_| "https://elsewhere.example/results"),
            }),
        }
    }
}

/// The `custom_id` and body of a call.
fn call(line: &Value, body: &str) -> Option<(String, String)> {
    let id = line.get("custom_id")?.as_str()?.to_owned();
    Some((id, line.get(body)?.to_string()))
}

/// The line of one call, and whether it is an error.
fn result(shape: Shape, key: &str, direct: Direct) -> (String, bool) {
    let body = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).unwrap_or_default();
    let is_error = !matches!(&direct, Some((200, _)));
    let line = match (shape, direct) {
        (Shape::OpenAi | Shape::Gemini, Some((status, bytes))) => json!({
            "id": format!("batch_req_{key}"), "custom_id": key, "error": null,
            "response": {"status_code": status, "request_id": "scripted", "body": body(&bytes)},
        }),
        (Shape::OpenAi | Shape::Gemini, None) => json!({
            "id": format!("batch_req_{key}"), "custom_id": key, "response": null,
            "error": {"code": "batch_expired",
                "message": "This request could not be executed before the completion window expired."},
        }),
        (Shape::Anthropic, Some((200, bytes))) => {
            json!({"custom_id": key, "result": {"type": "succeeded", "message": body(&bytes)}})
        }
        (Shape::Anthropic, Some((_, bytes))) => {
            json!({"custom_id": key, "result": {"type": "errored", "error": body(&bytes)}})
        }
        (Shape::Anthropic, None) => json!({"custom_id": key, "result": {"type": "expired"}}),
    };
    (line.to_string(), is_error)
}

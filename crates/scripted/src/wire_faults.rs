use serde_json::json;

use crate::{Question, Say, answer_body};

/// Gives the response to a request from the answer that it would have had.
pub type FaultScript = Box<dyn Fn(&Question, &str) -> Say + Send + Sync>;

/// A fault of a model service, from the status line to the text of the answer.
pub struct WireFault {
    /// What goes wrong.
    pub name: String,
    /// The response to a request whose answer would have been this text.
    pub say: FaultScript,
}

/// Statuses with an error in JSON.
const STATUSES: [u16; 32] = [
    400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 413, 415, 422, 425, 429, 431, 451, 500, 501, 502, 503, 504,
    505, 507, 511, 520, 522, 524, 529, 530, 599,
];

/// Bodies of a response with status 200.
const BODIES: [(&str, &str); 15] = [
    ("empty body", ""),
    ("`OK`", "OK"),
    ("HTML page", "<!doctype html><html><body><h1>Sign in</h1></body></html>"),
    ("`null`", "null"),
    ("`[]`", "[]"),
    ("`{}`", "{}"),
    (
        "error 429",
        r#"{"error":{"code":429,"message":"Provider returned error"}}"#,
    ),
    (
        "error 502",
        r#"{"error":{"code":502,"message":"Provider returned error"}}"#,
    ),
    ("error as text", r#"{"error":"overloaded"}"#),
    ("error without a code", r#"{"error":{"message":"internal"}}"#),
    ("no choices", r#"{"choices":[],"content":[],"candidates":[]}"#),
    (
        "an event stream",
        "data: {\"choices\":[{\"delta\":{\"content\":\"{\"}}]}\n\n",
    ),
    ("NUL bytes", "\0\0\0\0\0\0\0\0"),
    (
        "an unclosed string",
        "{\"choices\":[{\"message\":{\"content\":\"{\\\"phra",
    ),
    ("a number", "42"),
];

/// Heads of a response. The body of the answer follows.
const HEADS: [(&str, &str); 11] = [
    ("no status line", ""),
    ("broken status line", "HTTP/1.1 OKAY\r\n\r\n"),
    ("another protocol", "SSH-2.0-OpenSSH_9.6\r\n"),
    ("length too large", "HTTP/1.1 200 OK\r\ncontent-length: 9999999\r\n\r\n"),
    ("length too small", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n"),
    ("length of letters", "HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n"),
    (
        "two lengths",
        "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\n",
    ),
    ("negative length", "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n"),
    (
        "broken chunks",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n",
    ),
    (
        "cut chunk",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nfffff\r\n",
    ),
    (
        "not gzip",
        "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nconnection: close\r\n\r\n",
    ),
];

/// Whole responses without the answer.
const RESPONSES: [(&str, &str); 8] = [
    ("head alone", "HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n"),
    ("half a head", "HTTP/1.1 200 OK\r\ncontent-le"),
    ("204", "HTTP/1.1 204 No Content\r\n\r\n"),
    ("only 100 Continue", "HTTP/1.1 100 Continue\r\n\r\n"),
    (
        "redirect to itself",
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: /v1/chat/completions\r\ncontent-length: 0\r\n\r\n",
    ),
    (
        "redirect elsewhere",
        "HTTP/1.1 302 Found\r\nlocation: http://192.0.2.1/\r\ncontent-length: 0\r\n\r\n",
    ),
    (
        "429 with retry-after-ms",
        "HTTP/1.1 429 X\r\nretry-after-ms: 20\r\ncontent-length: 2\r\n\r\n{}",
    ),
    (
        "503 with a page",
        "HTTP/1.1 503 X\r\ncontent-type: text/html\r\ncontent-length: 15\r\n\r\n<h1>Sorry.</h1>",
    ),
];

/// All faults. The same name always has the same response.
#[must_use]
pub fn wire_faults() -> Vec<WireFault> {
    let mut all: Vec<WireFault> = Vec::new();
    let mut add = |name: String, say: FaultScript| all.push(WireFault { name, say });
    for status in STATUSES {
        let body = json!({"error": {"message": "something is wrong", "type": "scripted_error"}}).to_string();
        add(
            format!("status {status}"),
            Box::new(move |_, _| Say::Status(status, body.clone())),
        );
    }
    for (name, body) in BODIES {
        add(
            format!("200: {name}"),
            Box::new(move |_, _| Say::Raw(body.as_bytes().to_vec())),
        );
    }
    for (name, head) in HEADS {
        let bytes = move |question: &Question, text: &str| {
            let mut bytes = head.as_bytes().to_vec();
            bytes.extend(answer_body(question, text));
            Say::Bytes(bytes)
        };
        add(name.to_owned(), Box::new(bytes));
    }
    for (name, response) in RESPONSES {
        add(
            name.to_owned(),
            Box::new(move |_, _| Say::Bytes(response.as_bytes().to_vec())),
        );
    }
    add("connection closed".to_owned(), Box::new(|_, _| Say::Hangup));
    add("no answer in time".to_owned(), Box::new(|_, _| Say::Silence(1_500)));
    add(
        "200: first half".to_owned(),
        Box::new(|question, text| {
            let mut body = answer_body(question, text);
            body.truncate(body.len() / 2);
            Say::Raw(body)
        }),
    );
    add(
        "200: not UTF-8".to_owned(),
        Box::new(|_, _| Say::Raw(vec![0xff, 0xfe, 0x7b])),
    );
    add("200: 9 MB".to_owned(), Box::new(|_, _| Say::Raw(vec![b' '; 9 << 20])));
    add("429 with retry-after".to_owned(), Box::new(|_, _| Say::Wait(429, 0)));
    add("empty text".to_owned(), Box::new(|_, _| Say::Text(String::new())));
    add(
        "text without JSON".to_owned(),
        Box::new(|_, _| Say::Text("I am ready to help.".to_owned())),
    );
    add("refusal".to_owned(), Box::new(|_, _| Say::Refusal));
    add(
        "cut off at the limit".to_owned(),
        Box::new(|_, text| {
            Say::CutOff(
                text.get(..text.floor_char_boundary(text.len() / 2))
                    .unwrap_or_default()
                    .to_owned(),
            )
        }),
    );
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_at_least_74_faults_with_different_names() {
        let names: std::collections::BTreeSet<String> = wire_faults().into_iter().map(|one| one.name).collect();
        assert_eq!(names.len(), wire_faults().len());
        assert!(names.len() >= 74, "{}", names.len());
    }
}

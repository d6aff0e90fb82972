use serde_json::{Value, json};

use super::record::{Asked, Library, LibraryRecord};
use super::{Answer, page};

/// The only account, and the token that it receives. One id requires a second factor.
const PASSWORD: &str = "password-that-nobody-may-see";
const TOKEN: &str = "token-that-nobody-may-see";

pub(super) fn play(asked: &Asked, library: &Library) -> Option<Answer> {
    answered(asked, library, |note| note)
}

/// API version 1: values are bare.
pub(super) fn play_v1(asked: &Asked, library: &Library) -> Option<Answer> {
    answered(asked, library, bare)
}

fn bare(mut note: Value) -> Value {
    if let Some(content) = note.get_mut("content").and_then(Value::as_object_mut) {
        let unwrapped: Vec<(String, Value)> = content
            .iter()
            .map(|(name, value)| (name.clone(), value.get("value").cloned().unwrap_or(Value::Null)))
            .collect();
        *content = unwrapped.into_iter().collect();
    }
    if let Some(object) = note.as_object_mut() {
        object.remove("domain");
        object.insert(
            "invitation".to_owned(),
            json!("ICLR.cc/2019/Conference/-/Blind_Submission"),
        );
    }
    note
}

fn login(asked: &Asked) -> Answer {
    let question: Value = serde_json::from_str(&asked.body).unwrap_or_default();
    let field = |name: &str| question.get(name).and_then(Value::as_str).unwrap_or_default();
    match (field("id"), field("password")) {
        ("second-proof", PASSWORD) => Answer::json(
            200,
            &json!({"mfaPending": true, "mfaPendingToken": "half-a-token", "mfaMethods": ["totp"]}),
        ),
        (_, PASSWORD) => Answer::json(
            200,
            &json!({"token": TOKEN, "user": {"id": field("id"), "profile": {"id": "~Ann_Lee1"}}}),
        ),
        _ => Answer::json(
            400,
            &json!({"name": "Error", "message": "Invalid username or password", "status": 400, "details": {}}),
        ),
    }
}

fn answered(asked: &Asked, library: &Library, printed: fn(Value) -> Value) -> Option<Answer> {
    if asked.path == "/login" {
        return Some(login(asked));
    }
    if asked.path != "/notes/search" {
        return None;
    }
    let token = asked.head.lines().find_map(|line| {
        line.to_ascii_lowercase()
            .starts_with("authorization:")
            .then(|| line.to_owned())
    });
    if token.is_some_and(|line| !line.ends_with(&format!("Bearer {TOKEN}"))) {
        return Some(Answer::json(
            401,
            &json!({"name": "TokenExpiredError", "message": "Token has expired, please log in again", "status": 401}),
        ));
    }
    let found = library.search(asked.get("term")?, false, None);
    let (start, size) = (asked.number("offset", 0), asked.number("limit", 100));
    let notes: Vec<Value> = page(&found, start, size)
        .iter()
        .enumerate()
        .map(|(at, record)| printed(note(record, at, library.nulls)))
        .collect();
    Some(Answer::json(
        200,
        &json!({"notes": notes, "count": found.len() - start.min(found.len())}),
    ))
}

fn note(record: &LibraryRecord, at: usize, nulls: bool) -> Value {
    let id = format!("{:0>10}", record.key);
    if nulls {
        return json!({"id": id, "forum": id, "cdate": null, "tcdate": null, "pdate": null, "content": {"title": {"value": record.title}, "authors": {}}});
    }
    // Both author schemas occur.
    let authors: Vec<Value> = match at % 2 {
        0 => record.names().map(Value::from).collect(),
        _ => record
            .names()
            .map(|name| json!({"fullname": name, "username": "~A_B1"}))
            .collect(),
    };
    let made = record.preprint.as_deref().unwrap_or(&record.day);
    if record.imported {
        let (year, day) = (record.year(), record.day.get(4..).unwrap_or_default());
        let import = format!("{:04}{day}", year.parse::<u16>().unwrap_or_default() + 2);
        return json!({"id": id, "forum": id, "tcdate": epoch_ms(&import), "pdate": epoch_ms(&format!("{year}-01-01")), "domain": "DBLP.org",
            "invitations": ["DBLP.org/-/Record", "DBLP.org/-/Edit"], "readers": ["everyone"], "content": {"title": {"value": record.title},
            "abstract": {"value": record.summary}, "authors": {"value": authors}, "venueid": {"value": format!("dblp.org/conf/NIPS/{year}")},
            "html": {"value": format!("https://doi.org/{}", record.doi)}}});
    }
    json!({"id": id, "forum": id, "number": 17, "cdate": 4_000_000_000_000_i64, "tcdate": epoch_ms(made), "mdate": 4_000_000_000_000_i64,
        "domain": "ICLR.cc/2026/Conference", "readers": ["everyone"], "content": {"title": {"value": record.title}, "abstract": {"value": record.summary},
        "authors": {"value": authors}, "venue": {"value": record.venue}, "venueid": {"value": "ICLR.cc/2026/Conference"}, "pdf": {"value": "/pdf/x.pdf"}}})
}

/// Noon of a day, in milliseconds since 1970.
fn epoch_ms(day: &str) -> i64 {
    let mut parts = day.split('-').filter_map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (
        parts.next().unwrap_or(1970),
        parts.next().unwrap_or(1),
        parts.next().unwrap_or(1),
    );
    let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let lengths = [
        31,
        if leap(year) { 29 } else { 28 },
        31,
        30,
        31,
        30,
        31,
        31,
        30,
        31,
        30,
        31,
    ];
    let years: i64 = (1970..year).map(|year| if leap(year) { 366 } else { 365 }).sum();
    let months: i64 = lengths
        .iter()
        .take(usize::try_from(month - 1).unwrap_or_default())
        .sum();
    (years + months + day - 1) * 86_400_000 + 43_200_000
}

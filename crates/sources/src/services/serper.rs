use std::time::Duration;

use precedent_domain::{EvidenceKind, Work};
use precedent_http::{HttpError, Pace, Request};
use serde_json::{Map, Value, json};

use crate::service::{
    Draft, Endpoint, Found, Page, Service, ServiceError, Tariff, TextAt, Unreadable, Words, from_words, list,
    message_of, object, page, string, text_of_page,
};

const ID: &str = "serper";
/// What its searches share: address, key, pace, price and length of a page.
pub(super) const BASE: &str = "https://google.serper.dev";
pub(super) const KEY: &str = "SERPER_API_KEY";
pub(super) const PACE: Pace = Pace {
    between: Duration::from_millis(250),
    at_once: 2,
};
pub(super) const TARIFF: Tariff = Tariff {
    question: 1_000,
    day_without_key: 0,
    day_with_key: 300_000,
};
pub(super) const PAGE: usize = 10;

/// Google results through Serper. API: <https://serper.dev>.
pub(crate) struct SerperService;

impl Service for SerperService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "web pages from Google; needs a key, 2,500 free queries once"
    }

    fn kind(&self) -> EvidenceKind {
        EvidenceKind::Web
    }

    fn base(&self) -> &'static str {
        BASE
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some(KEY)
    }

    fn needs_key(&self) -> bool {
        true
    }

    fn pace(&self, _: &Endpoint) -> Pace {
        PACE
    }

    fn tariff(&self) -> Tariff {
        TARIFF
    }

    fn page(&self) -> usize {
        PAGE
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        vec![words.spaced()]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        let mut asked = words(wording, page);
        if let Some((year, month, day)) = page.until.map(precedent_domain::PartialDate::last_day) {
            asked.insert("tbs".to_owned(), json!(format!("cdr:1,cd_max:{month}/{day}/{year}")));
        }
        question(ID, "search", asked, endpoint)
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        organic(body, draft)
    }

    fn trouble(&self, status: u16, body: &str) -> ServiceError {
        what_is_wrong(status, body)
    }

    fn text(&self, work: &Work, _: &Endpoint) -> Option<TextAt> {
        text_of_page(work)
    }
}

/// The words and the page of a request.
pub(super) fn words(wording: &str, page: &Page) -> Map<String, Value> {
    let mut asked = Map::new();
    asked.insert("q".to_owned(), json!(wording));
    asked.insert("num".to_owned(), json!(page.size));
    asked.insert("page".to_owned(), json!(page.start / page.size.max(1) + 1));
    asked
}

/// A request to one of its searches.
pub(super) fn question(
    service: &'static str,
    search: &str,
    asked: Map<String, Value>,
    endpoint: &Endpoint,
) -> Result<Request, HttpError> {
    let request = Request::post_json(service, &format!("{}/{search}", endpoint.base), &asked)?;
    Ok(match &endpoint.key {
        Some(key) => request.secret_header("X-API-KEY", "", key.clone()),
        None => request,
    })
}

/// The results in an answer.
pub(super) fn organic(body: &str, draft: fn(&Value) -> Option<Draft>) -> Result<Found, Unreadable> {
    let answer = Value::Object(object(body)?);
    let organic = answer.get("organic").filter(|list| list.is_array() || list.is_null());
    if organic.is_none() && !answer.get("searchParameters").is_some_and(Value::is_object) {
        return Err(Unreadable("it is not a list of pages".to_owned()));
    }
    let works: Vec<Draft> = list(&answer, "/organic").iter().filter_map(draft).collect();
    // The answer contains the requested number of results, not the total.
    let asked = answer.pointer("/searchParameters/num").and_then(Value::as_u64);
    Ok(Found {
        more: works.len() as u64 >= asked.unwrap_or(1),
        works,
    })
}

/// The meaning of an unsuccessful response.
pub(super) fn what_is_wrong(status: u16, body: &str) -> ServiceError {
    let message = message_of(body);
    match status {
        400 | 402 | 403 if message.to_lowercase().contains("credit") => ServiceError::Spent { message },
        _ => ServiceError::usual(status, body),
    }
}

fn draft(result: &Value) -> Option<Draft> {
    let date = string(result, "/date").and_then(|message| from_words(&message));
    page(
        string(result, "/title"),
        string(result, "/link"),
        string(result, "/snippet"),
        date,
    )
}

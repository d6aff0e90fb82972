use std::time::Duration;

use precedent_domain::{EvidenceKind, Work};
use precedent_http::{HttpError, Pace, Request};
use serde_json::{Map, Value, json};

use crate::service::{
    Draft, Endpoint, Found, Page, Service, ServiceError, Tariff, TextAt, Unreadable, Words, from_words, list,
    message_of, object, page, string, text_of_page,
};

const ID: &str = "tavily";

/// Tavily, a search API for programs. API as of June 2026: <https://docs.tavily.com/documentation/api-reference/endpoint/search>.
pub(crate) struct TavilyService;

impl Service for TavilyService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "web pages, twenty per query and rarely dated; needs a key, a thousand free queries a month"
    }

    fn kind(&self) -> EvidenceKind {
        EvidenceKind::Web
    }

    fn base(&self) -> &'static str {
        "https://api.tavily.com"
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some("TAVILY_API_KEY")
    }

    fn needs_key(&self) -> bool {
        true
    }

    fn pace(&self, _: &Endpoint) -> Pace {
        Pace {
            between: Duration::from_millis(700),
            at_once: 2,
        }
    }

    fn tariff(&self) -> Tariff {
        Tariff {
            question: 8_000,
            day_without_key: 0,
            day_with_key: 960_000,
        }
    }

    fn page(&self) -> usize {
        20
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        vec![words.spaced()]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        let mut question = Map::new();
        question.insert("query".to_owned(), json!(wording));
        question.insert("max_results".to_owned(), json!(page.size));
        question.insert("search_depth".to_owned(), json!("basic"));
        if let Some(day) = page.last_day() {
            question.insert("end_date".to_owned(), json!(day));
        }
        let request = Request::post_json(ID, &format!("{}/search", endpoint.base), &question)?;
        Ok(match &endpoint.key {
            Some(key) => request.secret_header("Authorization", "Bearer ", key.clone()),
            None => request,
        })
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        let answer = Value::Object(object(body)?);
        if !answer.get("results").is_some_and(Value::is_array) {
            return Err(Unreadable("it contains no results".to_owned()));
        }
        Ok(Found {
            works: list(&answer, "/results").iter().filter_map(draft).collect(),
            // It has one page.
            more: false,
        })
    }

    fn trouble(&self, status: u16, body: &str) -> ServiceError {
        match status {
            // The plan's quota, and the limit beyond it.
            402 | 432 | 433 => ServiceError::Spent {
                message: message_of(body),
            },
            _ => ServiceError::usual(status, body),
        }
    }

    fn text(&self, work: &Work, _: &Endpoint) -> Option<TextAt> {
        text_of_page(work)
    }
}

fn draft(result: &Value) -> Option<Draft> {
    let date = string(result, "/published_date").and_then(|message| from_words(&message));
    page(
        string(result, "/title"),
        string(result, "/url"),
        string(result, "/content"),
        date,
    )
}

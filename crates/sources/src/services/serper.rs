use std::time::Duration;

use precedent_domain::{EvidenceKind, Work};
use precedent_http::{HttpError, Pace, Request};
use serde_json::{Map, Value, json};

use crate::service::{
    Draft, Endpoint, Found, Page, Service, ServiceError, Tariff, TextAt, Unreadable, Words, from_words, list, object,
    page, said, string, text_of_page,
};

const ID: &str = "serper";

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
        "https://google.serper.dev"
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some("SERPER_API_KEY")
    }

    fn needs_key(&self) -> bool {
        true
    }

    fn pace(&self, _: &Endpoint) -> Pace {
        Pace {
            between: Duration::from_millis(250),
            at_once: 2,
        }
    }

    fn tariff(&self) -> Tariff {
        Tariff {
            question: 1_000,
            day_without_key: 0,
            day_with_key: 300_000,
        }
    }

    fn page(&self) -> usize {
        10
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        vec![words.spaced()]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        let mut question = Map::new();
        question.insert("q".to_owned(), json!(wording));
        question.insert("num".to_owned(), json!(page.size));
        question.insert("page".to_owned(), json!(page.start / page.size.max(1) + 1));
        if let Some((year, month, day)) = page.until.map(precedent_domain::PartialDate::last_day) {
            question.insert("tbs".to_owned(), json!(format!("cdr:1,cd_max:{month}/{day}/{year}")));
        }
        let request = Request::post_json(ID, &format!("{}/search", endpoint.base), &question)?;
        Ok(match &endpoint.key {
            Some(key) => request.secret_header("X-API-KEY", "", key.clone()),
            None => request,
        })
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
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

    fn trouble(&self, status: u16, body: &str) -> ServiceError {
        let said = said(body);
        match status {
            400 | 402 | 403 if said.to_lowercase().contains("credit") => ServiceError::Spent { said },
            _ => ServiceError::usual(status, body),
        }
    }

    fn text(&self, work: &Work, _: &Endpoint) -> Option<TextAt> {
        text_of_page(work)
    }
}

fn draft(result: &Value) -> Option<Draft> {
    let date = string(result, "/date").and_then(|said| from_words(&said));
    page(
        string(result, "/title"),
        string(result, "/link"),
        string(result, "/snippet"),
        date,
    )
}

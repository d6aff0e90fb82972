use std::time::Duration;

use precedent_domain::{EvidenceKind, Work};
use precedent_http::{HttpError, Pace, Request};
use serde_json::Value;

use crate::service::{
    Draft, Endpoint, Found, Page, Service, TextAt, Trouble, Unreadable, Words, from_words, list, object, page, plain,
    said, string, text_of_page,
};

const ID: &str = "searxng";

/// SearXNG, which passes a question on to search engines; everybody runs it at an address of their own. API: <https://docs.searxng.org/dev/search_api.html>.
pub(crate) struct SearxngService;

impl Service for SearxngService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "pages of the web through a SearXNG of your own, which asks several engines; no key, JSON must be switched on there"
    }

    fn kind(&self) -> EvidenceKind {
        EvidenceKind::Web
    }

    fn base(&self) -> &'static str {
        ""
    }

    fn address_variable(&self) -> Option<&'static str> {
        Some("SEARXNG_URL")
    }

    fn pace(&self, _: &Endpoint) -> Pace {
        // The engines behind it shut out who asks faster than people do.
        Pace::one_every(Duration::from_millis(2_000))
    }

    fn deadline(&self) -> Duration {
        Duration::from_secs(120)
    }

    fn page(&self) -> usize {
        // Its pages are as long as the engines make them.
        30
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        vec![words.spaced()]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        // Of times it knows the last day, month and year alone, none of which serves here.
        let request = Request::get(ID, &format!("{}/search", endpoint.base))?
            .parameter("q", wording)
            .parameter("format", "json")
            .parameter("categories", "general")
            .parameter("pageno", &(page.start / page.size.max(1) + 1).to_string());
        Ok(match &endpoint.key {
            // Some stand behind a door of their owner's.
            Some(key) => request.secret_header("Authorization", "Bearer ", key.clone()),
            None => request,
        })
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        let answer = Value::Object(object(body)?);
        if !answer.get("results").is_some_and(Value::is_array) {
            return Err(Unreadable("it holds no results".to_owned()));
        }
        let works: Vec<Draft> = list(&answer, "/results").iter().filter_map(draft).collect();
        let silent: Vec<String> = list(&answer, "/unresponsive_engines")
            .iter()
            .filter_map(engine)
            .collect();
        // Nobody answered: that is not the same as nothing found.
        if works.is_empty() && !silent.is_empty() {
            let silent = plain(&silent.join(", "), 160);
            return Err(Unreadable(format!(
                "no page, and engines that did not answer: {silent}"
            )));
        }
        Ok(Found {
            more: !works.is_empty(),
            works,
        })
    }

    fn trouble(&self, status: u16, body: &str) -> Trouble {
        match status {
            403 => Trouble::Key {
                said: format!("{}; are JSON answers switched on there (search.formats)?", said(body)),
            },
            _ => Trouble::usual(status, body),
        }
    }

    fn text(&self, work: &Work, _: &Endpoint) -> Option<TextAt> {
        text_of_page(work)
    }
}

fn draft(result: &Value) -> Option<Draft> {
    let date = string(result, "/publishedDate").and_then(|said| from_words(&said));
    page(
        string(result, "/title"),
        string(result, "/url"),
        string(result, "/content"),
        date,
    )
}

/// `["google", "Suspended: CAPTCHA"]` in words.
fn engine(silent: &Value) -> Option<String> {
    let name = string(silent, "/0")?;
    Some(match string(silent, "/1") {
        Some(why) => format!("{name} ({why})"),
        None => name,
    })
}

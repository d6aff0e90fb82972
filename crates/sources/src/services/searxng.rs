use std::time::Duration;

use precedent_domain::{EvidenceKind, Work};
use precedent_http::{HttpError, Pace, Request};
use serde_json::Value;

use crate::service::{
    Draft, Endpoint, Found, Page, Service, ServiceError, TextAt, Unreadable, Words, from_words, list, message_of,
    object, page, plain, string, text_of_page,
};

const ID: &str = "searxng";

/// SearXNG, a self-hosted metasearch engine. API: <https://docs.searxng.org/dev/search_api.html>.
pub(crate) struct SearxngService;

impl Service for SearxngService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "web pages through your own SearXNG, which queries several engines; no key, JSON must be enabled there"
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
        // The engines behind it block clients that are faster than people.
        Pace::one_every(Duration::from_millis(2_000))
    }

    fn deadline(&self) -> Duration {
        Duration::from_secs(120)
    }

    fn page(&self) -> usize {
        // The length of its pages depends on the engines.
        30
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        vec![words.spaced()]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        // It can only filter by the last day, month or year, none of which is useful here.
        let request = Request::get(ID, &format!("{}/search", endpoint.base))?
            .parameter("q", wording)
            .parameter("format", "json")
            .parameter("categories", "general")
            .parameter("pageno", &(page.start / page.size.max(1) + 1).to_string());
        Ok(match &endpoint.key {
            // Some instances require authentication.
            Some(key) => request.secret_header("Authorization", "Bearer ", key.clone()),
            None => request,
        })
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        let answer = Value::Object(object(body)?);
        if !answer.get("results").is_some_and(Value::is_array) {
            return Err(Unreadable("it contains no results".to_owned()));
        }
        let works: Vec<Draft> = list(&answer, "/results").iter().filter_map(draft).collect();
        let silent: Vec<String> = list(&answer, "/unresponsive_engines")
            .iter()
            .filter_map(engine)
            .collect();
        // If no engine answered, that is different from no results.
        if works.is_empty() && !silent.is_empty() {
            let silent = plain(&silent.join(", "), 160);
            return Err(Unreadable(format!(
                "no pages, and these engines did not answer: {silent}"
            )));
        }
        Ok(Found {
            more: !works.is_empty(),
            works,
        })
    }

    fn trouble(&self, status: u16, body: &str) -> ServiceError {
        match status {
            403 => ServiceError::Key {
                message: format!(
                    "{}; check that JSON is enabled there (search.formats)",
                    message_of(body)
                ),
            },
            _ => ServiceError::usual(status, body),
        }
    }

    fn text(&self, work: &Work, _: &Endpoint) -> Option<TextAt> {
        text_of_page(work)
    }
}

fn draft(result: &Value) -> Option<Draft> {
    let date = string(result, "/publishedDate").and_then(|message| from_words(&message));
    page(
        string(result, "/title"),
        string(result, "/url"),
        string(result, "/content"),
        date,
    )
}

/// Formats `["google", "Suspended: CAPTCHA"]` as text.
fn engine(silent: &Value) -> Option<String> {
    let name = string(silent, "/0")?;
    Some(match string(silent, "/1") {
        Some(why) => format!("{name} ({why})"),
        None => name,
    })
}

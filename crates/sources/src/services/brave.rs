use std::time::Duration;

use precedent_domain::{EvidenceKind, Work};
use precedent_http::{HttpError, Pace, Request, Response};
use serde_json::Value;

use crate::service::{
    Draft, Endpoint, Found, Page, Service, ServiceError, Tariff, TextAt, Unreadable, Words, from_words, list,
    message_of, object, page, string, text_of_page,
};

const ID: &str = "brave";
/// The price of a request, in millionths of a dollar.
const QUESTION: u64 = 5_000;
/// Number of pages that may be requested after the first.
const LAST_PAGE: usize = 9;

/// Brave's own web index. API as of 2026: <https://api-dashboard.search.brave.com/app/documentation/web-search>.
pub(crate) struct BraveService;

impl Service for BraveService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "web pages from its own index; needs a key, a thousand free queries a month"
    }

    fn kind(&self) -> EvidenceKind {
        EvidenceKind::Web
    }

    fn base(&self) -> &'static str {
        "https://api.search.brave.com/res/v1"
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some("BRAVE_API_KEY")
    }

    fn needs_key(&self) -> bool {
        true
    }

    fn pace(&self, _: &Endpoint) -> Pace {
        // One per second with a free key. The response headers contain the limit of the plan.
        Pace::one_every(Duration::from_millis(1_100))
    }

    fn deadline(&self) -> Duration {
        Duration::from_secs(90)
    }

    fn tariff(&self) -> Tariff {
        // A monthly credit of $5 is enough for 25 reviews.
        Tariff {
            question: QUESTION,
            day_without_key: 0,
            day_with_key: 600_000,
        }
    }

    fn page(&self) -> usize {
        20
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        vec![words.spaced()]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        let offset = (page.start / page.size.max(1)).min(LAST_PAGE);
        let request = Request::get(ID, &format!("{}/web/search", endpoint.base))?
            .parameter("q", wording)
            .parameter("count", &page.size.to_string())
            .parameter("offset", &offset.to_string());
        let request = match page.last_day() {
            Some(day) => request.parameter("freshness", &format!("1990-01-01to{day}")),
            None => request,
        };
        Ok(match &endpoint.key {
            Some(key) => request.secret_header("X-Subscription-Token", "", key.clone()),
            None => request,
        })
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        let answer = Value::Object(object(body)?);
        if string(&answer, "/type").as_deref() != Some("search") {
            return Err(Unreadable("it is not a list of pages".to_owned()));
        }
        // The list is absent if nothing was found.
        Ok(Found {
            works: list(&answer, "/web/results").iter().filter_map(draft).collect(),
            more: answer.pointer("/query/more_results_available").and_then(Value::as_bool) == Some(true),
        })
    }

    fn trouble(&self, status: u16, body: &str) -> ServiceError {
        let answer: Value = serde_json::from_str(body).unwrap_or_default();
        let code = string(&answer, "/error/code").unwrap_or_default();
        let number = |path: &str| answer.pointer(path).and_then(Value::as_u64);
        let quota = number("/error/meta/quota_limit").zip(number("/error/meta/quota_current"));
        let is_used_up = code.starts_with("QUOTA") || quota.is_some_and(|(limit, used)| used >= limit);
        match status {
            402 => ServiceError::Spent {
                message: message_of(body),
            },
            429 if is_used_up => ServiceError::Spent {
                message: message_of(body),
            },
            422 if code.contains("TOKEN") => ServiceError::Key {
                message: message_of(body),
            },
            _ => ServiceError::usual(status, body),
        }
    }

    fn left(&self, response: &Response) -> Option<u64> {
        // The remaining requests of the second, then of the month.
        let left = response.header("x-ratelimit-remaining")?.split(',').next_back()?;
        left.trim().parse::<u64>().ok()?.checked_mul(QUESTION)
    }

    fn text(&self, work: &Work, _: &Endpoint) -> Option<TextAt> {
        text_of_page(work)
    }
}

fn draft(result: &Value) -> Option<Draft> {
    // `age` is the text shown to people, `page_age` the date it is derived from.
    let date = [string(result, "/page_age"), string(result, "/age")];
    let date = date.iter().flatten().find_map(|message| from_words(message));
    page(
        string(result, "/title"),
        string(result, "/url"),
        string(result, "/description"),
        date,
    )
}

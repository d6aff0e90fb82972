use std::time::Duration;

use precedent_http::{HttpError, Pace, Request};
use serde_json::Value;

use crate::service::{Draft, Endpoint, Found, Page, Service, Trouble, Unreadable, Words, list, object, string};

const ID: &str = "semantic-scholar";
const FIELDS: &str = "paperId,externalIds,title,abstract,year,publicationDate,venue,authors.name,openAccessPdf,url";

/// Semantic Scholar, search by relevance. API of 2026: <https://api.semanticscholar.org/api-docs>.
pub(crate) struct SemanticScholarService;

impl Service for SemanticScholarService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "works of all fields, with abstracts; without a key of your own often too busy to answer"
    }

    fn base(&self) -> &'static str {
        "https://api.semanticscholar.org"
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some("SEMANTIC_SCHOLAR_API_KEY")
    }

    fn pace(&self, _: &Endpoint) -> Pace {
        // One a second for a new key, over all its end points.
        Pace::one_every(Duration::from_millis(1_100))
    }

    fn deadline(&self) -> Duration {
        Duration::from_secs(90)
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        // It ranks by all words as a question; hyphens, which it takes amiss, are gone.
        vec![words.spaced()]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        let address = format!("{}/graph/v1/paper/search?fields={FIELDS}", endpoint.base);
        let mut request = Request::get(ID, &address)?
            .parameter("query", wording)
            .parameter("offset", &page.start.to_string())
            .parameter("limit", &page.size.to_string());
        if let Some(day) = page.last_day() {
            request = request.parameter("publicationDateOrYear", &format!(":{day}"));
        }
        Ok(match &endpoint.key {
            Some(key) => request.secret_header("x-api-key", "", key.clone()),
            None => request,
        })
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        let answer = Value::Object(object(body)?);
        // Where nothing is found there is a total of 0 and no list at all.
        if answer.get("data").is_none_or(Value::is_null) {
            return match answer.get("total").and_then(Value::as_u64) {
                Some(0) => Ok(Found::default()),
                _ => Err(Unreadable("it holds no list of works".to_owned())),
            };
        }
        Ok(Found {
            works: list(&answer, "/data").iter().filter_map(draft).collect(),
            more: answer.get("next").is_some_and(Value::is_u64),
        })
    }

    fn trouble(&self, status: u16, body: &str) -> Trouble {
        match status {
            429 => Trouble::SharedPool,
            _ => Trouble::usual(status, body),
        }
    }
}

fn draft(paper: &Value) -> Option<Draft> {
    let id =
        string(paper, "/paperId").or_else(|| Some(format!("corpus-{}", string(paper, "/externalIds/CorpusId")?)))?;
    let dates = [string(paper, "/publicationDate"), string(paper, "/year")];
    let addresses = [string(paper, "/url"), string(paper, "/openAccessPdf/url")];
    let names = list(paper, "/authors").iter();
    Some(Draft {
        id: format!("{ID}:{id}"),
        title: string(paper, "/title")?,
        summary: string(paper, "/abstract"),
        authors: names.filter_map(|author| string(author, "/name")).collect(),
        venue: string(paper, "/venue"),
        dates: dates.iter().flatten().filter_map(|date| date.parse().ok()).collect(),
        doi: string(paper, "/externalIds/DOI"),
        arxiv: string(paper, "/externalIds/ArXiv"),
        acl: string(paper, "/externalIds/ACL"),
        addresses: addresses.into_iter().flatten().collect(),
        ..Draft::default()
    })
}

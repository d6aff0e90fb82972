use std::time::Duration;

use precedent_domain::Doi;
use precedent_http::{HttpError, Pace, Request};
use serde_json::Value;

use crate::service::{
    Draft, Endpoint, Found, Page, Service, Tariff, Trouble, Unreadable, Words, list, object, said, string,
    year_where_padded,
};

const ID: &str = "openalex";
pub(crate) const BASE: &str = "https://api.openalex.org";
/// Words of a query: more than five operators cost more time, and every word more leaves out works.
const WORDS: usize = 6;
/// Words of an abstract.
const SUMMARY_WORDS: usize = 3000;
const FIELDS: &str = "id,doi,title,display_name,publication_year,publication_date,ids,primary_location,locations,authorships,abstract_inverted_index";

/// OpenAlex, keyword search. API of August 2026: <https://developers.openalex.org>.
pub(crate) struct OpenAlexService;

impl Service for OpenAlexService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "works of all fields, with abstracts; a free key makes ten times as many questions a day"
    }

    fn base(&self) -> &'static str {
        BASE
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some("OPENALEX_API_KEY")
    }

    fn pace(&self, endpoint: &Endpoint) -> Pace {
        // Ten a second without a key, but one a second with more than five operators; a query here has five at most.
        let between = if endpoint.key.is_some() { 50 } else { 150 };
        Pace {
            between: Duration::from_millis(between),
            at_once: 3,
        }
    }

    fn tariff(&self) -> Tariff {
        Tariff {
            question: 1_000,
            day_without_key: 100_000,
            day_with_key: 1_000_000,
        }
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        let words = words.telling(WORDS);
        match words.as_slice() {
            [_, _, ..] => vec![words.join(" "), words.join(" OR ")],
            _ => vec![words.join(" ")],
        }
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        // Commas between fields stand as they are: escaped they would be part of a name.
        let address = format!("{}/works?select={FIELDS}", endpoint.base);
        let mut request = Request::get(ID, &address)?
            .parameter("search", wording)
            .parameter("per_page", &page.size.to_string())
            .parameter("page", &(page.start / page.size.max(1) + 1).to_string());
        if let Some(day) = page.last_day() {
            request = request.parameter("filter", &format!("to_publication_date:{day}"));
        }
        Ok(with_key(request, endpoint))
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        let answer = Value::Object(object(body)?);
        let Some(results) = answer.get("results").and_then(Value::as_array) else {
            return Err(Unreadable("it holds no results".to_owned()));
        };
        let number = |path: &str| answer.pointer(path).and_then(Value::as_u64).unwrap_or_default();
        Ok(Found {
            works: results.iter().filter_map(draft).collect(),
            more: number("/meta/page") * number("/meta/per_page") < number("/meta/count"),
        })
    }

    fn trouble(&self, status: u16, body: &str) -> Trouble {
        let budget = body.contains("Insufficient budget") || body.contains("creditsRemaining");
        match status {
            429 if budget => Trouble::Spent { said: said(body) },
            // A filter that wants a plan is the question's fault, not the key's.
            403 => Trouble::Refused {
                status,
                said: said(body),
            },
            _ => Trouble::usual(status, body),
        }
    }

    fn trial(&self, endpoint: &Endpoint) -> Result<Request, HttpError> {
        // A list of one by a filter costs a tenth of a search, and shows the limits.
        let address = format!(
            "{}/works?select=id,title&per_page=1&filter=publication_year:2017",
            endpoint.base
        );
        Ok(with_key(Request::get(ID, &address)?, endpoint))
    }
}

fn with_key(request: Request, endpoint: &Endpoint) -> Request {
    let request = match &endpoint.mailto {
        Some(mailto) => request.secret_parameter("mailto", mailto.clone()),
        None => request,
    };
    match &endpoint.key {
        Some(key) => request.secret_header("Authorization", "Bearer ", key.clone()),
        None => request,
    }
}

fn draft(work: &Value) -> Option<Draft> {
    let id = string(work, "/id")?;
    let bare = id.rsplit('/').next()?.to_owned();
    let dates = [string(work, "/publication_date"), string(work, "/publication_year")];
    let dates = dates
        .iter()
        .flatten()
        .filter_map(|date| year_where_padded(date).parse().ok());
    let places = list(work, "/primary_location")
        .iter()
        .chain(list(work, "/locations"))
        .take(40);
    let doi = string(work, "/doi").or_else(|| string(work, "/ids/doi"));
    let names = list(work, "/authorships").iter();
    Some(Draft {
        id: format!("{ID}:{bare}"),
        title: string(work, "/title").or_else(|| string(work, "/display_name"))?,
        summary: work.get("abstract_inverted_index").and_then(summary),
        authors: names
            .filter_map(|one| string(one, "/author/display_name").or_else(|| string(one, "/raw_author_name")))
            .collect(),
        venue: string(work, "/primary_location/source/display_name"),
        dates: dates.collect(),
        doi,
        addresses: places.filter_map(|place| string(place, "/landing_page_url")).collect(),
        ..Draft::default()
    })
}

/// The abstract from its words with their places.
fn summary(index: &Value) -> Option<String> {
    let mut placed: Vec<(u64, &str)> = Vec::new();
    for (word, places) in index.as_object()? {
        let places = places.as_array().into_iter().flatten().filter_map(Value::as_u64);
        placed.extend(places.take(SUMMARY_WORDS).map(|place| (place, word.as_str())));
        if placed.len() > 4 * SUMMARY_WORDS {
            break;
        }
    }
    placed.sort_unstable();
    let words = placed.into_iter().take(SUMMARY_WORDS).map(|(_, word)| word);
    Some(words.collect::<Vec<_>>().join(" ")).filter(|text| !text.trim().is_empty())
}

/// Asks, for nothing, where the work of a DOI may be read by everybody.
pub(crate) fn open_copies_of(who: &str, base: &str, doi: &Doi) -> Result<Request, HttpError> {
    let plain = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'/' | b'(' | b')' | b':' | b';')
    };
    let escape = |byte: u8| {
        if plain(byte) {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    let doi: String = doi.as_str().replace("/../", "/%2E%2E/").bytes().map(escape).collect();
    Request::get(
        who,
        &format!("{base}/works/doi:{doi}?select=id,best_oa_location,locations"),
    )
}

/// The addresses of PDFs in the answer to that, best first.
pub(crate) fn open_copies(body: &str) -> Vec<String> {
    let work = object(body).map(Value::Object).unwrap_or_default();
    let places = list(&work, "/best_oa_location")
        .iter()
        .chain(list(&work, "/locations"))
        .take(40);
    let mut addresses: Vec<String> = Vec::new();
    for address in places.filter_map(|place| string(place, "/pdf_url")) {
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    addresses
}

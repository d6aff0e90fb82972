use std::time::Duration;

use precedent_domain::Doi;
use precedent_http::{HttpError, Pace, Request, Response};
use serde_json::Value;

use crate::service::{
    Ability, Called, Draft, Endpoint, Found, Page, RelationAnswer, RelationQuery, Relations, Service, ServiceError,
    Tariff, Unreadable, Words, WorkName, count, in_path, list, message_of, object, string, without_padding,
};

pub(crate) const ID: &str = "openalex";
pub(crate) const BASE: &str = "https://api.openalex.org";
/// Words per query: more than five operators slow the service down, and every additional word excludes works.
const WORDS: usize = 6;
/// Maximum number of words of an abstract.
const SUMMARY_WORDS: usize = 3000;
const FIELDS: &str = "id,doi,title,display_name,publication_year,publication_date,ids,primary_location,locations,authorships,abstract_inverted_index,is_retracted,cited_by_count";

/// The prices of a search and of a filtered list, in millionths of a dollar.
const SEARCH: u64 = 1_000;
const LIST: u64 = 100;
/// Works per look-up, maximum length in bytes of a whole text, and works returned by a semantic search.
const BATCH: usize = 100;
const WHOLE: usize = 1_400;
const BY_MEANING: usize = 50;

/// OpenAlex: keyword and semantic search, citations and records. API as of August 2026: <https://developers.openalex.org>.
pub(crate) struct OpenAlexService;

impl Service for OpenAlexService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "works of all fields, with abstracts; a free key allows ten times as many queries a day"
    }

    fn base(&self) -> &'static str {
        BASE
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some("OPENALEX_API_KEY")
    }

    fn pace(&self, endpoint: &Endpoint) -> Pace {
        // Ten per second without a key, but one per second with more than five operators. Queries here have at most five.
        let between = if endpoint.key.is_some() { 50 } else { 150 };
        Pace {
            between: Duration::from_millis(between),
            at_once: 3,
        }
    }

    fn tariff(&self) -> Tariff {
        Tariff {
            question: SEARCH,
            day_without_key: 100_000,
            day_with_key: 1_000_000,
        }
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        let words = words.meaningful(WORDS);
        match words.as_slice() {
            [_, _, ..] => vec![words.join(" "), words.join(" OR ")],
            _ => vec![words.join(" ")],
        }
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        // Commas between fields stay unescaped: escaped, they would be part of a name.
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
            return Err(Unreadable("it contains no results".to_owned()));
        };
        let number = |path: &str| answer.pointer(path).and_then(Value::as_u64).unwrap_or_default();
        Ok(Found {
            works: results.iter().filter_map(draft).collect(),
            more: number("/meta/page") * number("/meta/per_page") < number("/meta/count"),
        })
    }

    fn trouble(&self, status: u16, body: &str) -> ServiceError {
        match status {
            // A per-second rate limit also reports `creditsRemaining: 0`. Only the message distinguishes it.
            429 if body.contains("Insufficient budget") => ServiceError::Spent {
                message: message_of(body),
            },
            // A filter that requires a plan is the fault of the request, not of the key.
            403 => ServiceError::Refused {
                status,
                message: message_of(body),
            },
            _ => ServiceError::usual(status, body),
        }
    }

    fn relations(&self) -> Option<&'static dyn Relations> {
        Some(&OpenAlexService)
    }

    fn left(&self, response: &Response) -> Option<u64> {
        let dollars = |name: &str| response.header(name).and_then(|value| value.parse::<f64>().ok());
        let day = dollars("x-ratelimit-remaining-usd")?;
        let left = day + dollars("x-ratelimit-prepaid-remaining-usd").unwrap_or_default();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked to be a small positive sum"
        )]
        (0.0..=1e6).contains(&left).then(|| (left * 1e6).round() as u64)
    }

    fn trial(&self, endpoint: &Endpoint) -> Result<Request, HttpError> {
        // A filtered list of one costs a tenth of a search and shows the limits.
        let address = format!(
            "{}/works?select=id,title&per_page=1&filter=publication_year:2017",
            endpoint.base
        );
        Ok(with_key(Request::get(ID, &address)?, endpoint))
    }
}

impl Relations for OpenAlexService {
    fn can(&self, ability: Ability) -> bool {
        ability != Ability::Recommended
    }

    fn call(&self, name: &WorkName, ability: Ability) -> Option<Called> {
        if let Some(own) = name.record_at(ID) {
            let digits = own.strip_prefix('W').filter(|digits| !digits.is_empty())?;
            let is_own = digits.bytes().all(|byte| byte.is_ascii_digit());
            return is_own.then(|| Called {
                kind: 0,
                name: own.to_owned(),
            });
        }
        // Lists of citing works need OpenAlex's own id.
        let doi = match name {
            _ if ability == Ability::Citing => return None,
            WorkName::Doi(doi) => doi.to_string(),
            WorkName::Arxiv(id) => format!("10.48550/arxiv.{id}"),
            _ => return None,
        };
        // Characters that separate the values of a filter.
        let is_plain = !doi.contains([',', '|', '!', '"', '\\']);
        is_plain.then_some(Called { kind: 1, name: doi })
    }

    fn most_names(&self, _: Ability) -> usize {
        BATCH
    }

    fn price(&self, ability: Ability) -> u64 {
        match ability {
            Ability::Passages | Ability::Titled => SEARCH,
            _ => LIST,
        }
    }

    fn between(&self, ability: Ability) -> Duration {
        // Semantic search: one request per second, with or without a key.
        Duration::from_secs(u64::from(ability == Ability::Passages))
    }

    fn requests(
        &self,
        inquiry: &RelationQuery<'_>,
        page: &Page,
        endpoint: &Endpoint,
    ) -> Result<Vec<Request>, HttpError> {
        let works = |fields: &str| Request::get(ID, &format!("{}/works?select={fields}", endpoint.base));
        let number = (page.start / page.size.max(1) + 1).to_string();
        let request = match inquiry {
            RelationQuery::Text(Ability::Passages, text) => {
                let size = page.size.min(BY_MEANING).to_string();
                let request = works(FIELDS)?
                    .parameter("search.semantic", head(text, WHOLE))
                    .parameter("per_page", &size);
                // Its only date filter here is the year.
                match page.until {
                    Some(until) => {
                        let year = format!("publication_year:<{}", until.year().saturating_add(1));
                        request.parameter("filter", &year)
                    }
                    None => request,
                }
            }
            RelationQuery::Text(_, text) => works(FIELDS)?
                .parameter("filter", &format!("title.search:{text}"))
                .parameter("per_page", &page.size.min(10).to_string()),
            RelationQuery::One(_, work) => {
                let until = page.last_day().map(|day| format!(",to_publication_date:{day}"));
                works(FIELDS)?
                    .parameter("filter", &format!("cites:{}{}", work.name, until.unwrap_or_default()))
                    .parameter("per_page", &page.size.to_string())
                    .parameter("page", &number)
            }
            RelationQuery::Many(ability, names) => {
                let fields = match ability {
                    Ability::References => "id,doi,referenced_works",
                    _ => FIELDS,
                };
                let kind = match names.first() {
                    Some(Called { kind: 1, .. }) => "doi",
                    _ => "openalex",
                };
                let names: Vec<&str> = names.iter().map(|one| one.name.as_str()).collect();
                works(fields)?
                    .parameter("filter", &format!("{kind}:{}", names.join("|")))
                    .parameter("per_page", &BATCH.to_string())
            }
        };
        Ok(vec![with_key(request, endpoint)])
    }

    fn read(&self, ability: Ability, body: &str) -> Result<RelationAnswer, Unreadable> {
        if ability == Ability::References {
            let answer = Value::Object(object(body)?);
            let Some(results) = answer.get("results").and_then(Value::as_array) else {
                return Err(Unreadable("it contains no results".to_owned()));
            };
            return Ok(RelationAnswer {
                works: results.iter().map(named).collect(),
                cited: results.iter().map(cited).collect(),
                ..RelationAnswer::default()
            });
        }
        let found = Service::read(self, body)?;
        Ok(RelationAnswer {
            works: found.works.into_iter().map(Some).collect(),
            // A semantic search has one page.
            more: found.more && ability == Ability::Citing,
            ..RelationAnswer::default()
        })
    }

    fn is_miss(&self, _: Ability, _: u16, _: &str) -> bool {
        false
    }
}

/// A record with only its names.
fn named(work: &Value) -> Option<Draft> {
    Some(Draft {
        id: format!("{ID}:{}", string(work, "/id")?.rsplit('/').next()?),
        doi: string(work, "/doi"),
        ..Draft::default()
    })
}

/// The works it cites. An empty list means unknown.
fn cited(work: &Value) -> Option<Vec<String>> {
    let ids = list(work, "/referenced_works").iter().filter_map(Value::as_str);
    let ids: Vec<String> = ids.filter_map(|id| id.rsplit('/').next().map(str::to_owned)).collect();
    Some(ids).filter(|ids| !ids.is_empty())
}

/// The complete words within the first `most` bytes of `text`.
fn head(text: &str, most: usize) -> &str {
    if text.len() <= most {
        return text;
    }
    let end = text
        .char_indices()
        .map(|(at, _)| at)
        .take_while(|at| *at <= most)
        .last();
    let head = text.get(..end.unwrap_or_default()).unwrap_or_default();
    head.rsplit_once(' ').map_or(head, |(head, _)| head)
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
        .filter_map(|date| without_padding(date).parse().ok());
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
        pmc: string(work, "/ids/pmcid"),
        addresses: places.filter_map(|place| string(place, "/landing_page_url")).collect(),
        cited_by: count(work, "/cited_by_count"),
        retracted: work.get("is_retracted").and_then(Value::as_bool) == Some(true),
        ..Draft::default()
    })
}

/// The abstract, rebuilt from its words and their positions.
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

/// Requests, free of charge, the open copies of the work of a DOI.
pub(crate) fn open_copies_of(who: &str, endpoint: &Endpoint, doi: &Doi) -> Result<Request, HttpError> {
    let (base, doi) = (&endpoint.base, in_path(doi.as_str())?);
    let request = Request::get(
        who,
        &format!("{base}/works/doi:{doi}?select=id,best_oa_location,locations"),
    )?;
    Ok(with_key(request, endpoint))
}

/// The addresses of PDFs in the answer, best first.
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

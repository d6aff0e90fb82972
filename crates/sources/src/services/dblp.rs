use std::time::Duration;

use precedent_http::{HttpError, Pace, Request};
use serde_json::Value;

use crate::service::{Draft, Endpoint, Found, Page, Service, Unreadable, Words, list, object, string};

const ID: &str = "dblp";
/// Words per query: only titles are searched.
const WORDS: usize = 4;

/// The computer science bibliography dblp. API: <https://dblp.org/faq/How+to+use+the+dblp+search+API.html>.
pub(crate) struct DblpService;

impl Service for DblpService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "computer science, titles only, without abstracts, dates to the year; no key"
    }

    fn base(&self) -> &'static str {
        "https://dblp.org"
    }

    fn pace(&self, _: &Endpoint) -> Pace {
        // It documents no limit, and blocks users who ask more often.
        Pace::one_every(Duration::from_secs(5))
    }

    fn deadline(&self) -> Duration {
        Duration::from_secs(90)
    }

    fn page(&self) -> usize {
        300
    }

    fn pages(&self) -> usize {
        1
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        // Titles with all of the words come first. Asking for those alone found fewer than ten for 99 of 100 queries.
        vec![words.meaningful(WORDS).join("|")]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        let request = Request::get(ID, &format!("{}/search/publ/api", endpoint.base))?
            .parameter("q", wording)
            .parameter("format", "json")
            .parameter("h", &page.size.to_string())
            .parameter("f", &page.start.to_string())
            .parameter("c", "0");
        Ok(request)
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        let answer = Value::Object(object(body)?);
        let Some(hits) = answer.pointer("/result/hits").filter(|hits| hits.is_object()) else {
            return Err(Unreadable("it contains no hits".to_owned()));
        };
        let number = |path: &str| {
            string(hits, path)
                .and_then(|text| text.parse::<u64>().ok())
                .unwrap_or_default()
        };
        let works: Vec<Draft> = list(hits, "/hit").iter().filter_map(draft).collect();
        Ok(Found {
            works,
            more: number("/@first") + number("/@sent") < number("/@total"),
        })
    }
}

fn draft(hit: &Value) -> Option<Draft> {
    let key = string(hit, "/info/key")?;
    let year = string(hit, "/info/year").and_then(|year| year.parse().ok());
    let addresses = [string(hit, "/info/ee"), string(hit, "/info/url")];
    let names = list(hit, "/info/authors/author").iter();
    Some(Draft {
        id: format!("{ID}:{key}"),
        title: string(hit, "/info/title")?.trim_end_matches('.').to_owned(),
        authors: names.filter_map(name).collect(),
        venue: string(hit, "/info/venue"),
        dates: year.into_iter().collect(),
        doi: string(hit, "/info/doi"),
        addresses: addresses.into_iter().flatten().collect(),
        ..Draft::default()
    })
}

/// A name without the number that distinguishes namesakes: `Wei Wang 0001`.
fn name(author: &Value) -> Option<String> {
    let name = string(author, "/text").or_else(|| author.as_str().map(str::to_owned))?;
    match name.rsplit_once(' ') {
        Some((bare, number)) if number.len() == 4 && number.bytes().all(|b| b.is_ascii_digit()) => {
            Some(bare.to_owned())
        }
        _ => Some(name),
    }
}

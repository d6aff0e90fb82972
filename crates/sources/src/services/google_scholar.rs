use std::time::Duration;

use precedent_domain::PartialDate;
use precedent_http::{HttpError, Pace, Request};
use serde_json::Value;

use super::serper;
use crate::service::{
    Draft, Endpoint, Found, Page, Service, ServiceError, Tariff, Unreadable, Words, count, page, string,
};

const ID: &str = "google-scholar";

/// Google Scholar through Serper, with the key of its web search. API: <https://serper.dev>.
pub(crate) struct GoogleScholarService;

impl Service for GoogleScholarService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "papers from Google Scholar through Serper, with excerpts and years; needs a key, 2,500 free queries once"
    }

    fn base(&self) -> &'static str {
        serper::BASE
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some(serper::KEY)
    }

    fn needs_key(&self) -> bool {
        true
    }

    fn pace(&self, _: &Endpoint) -> Pace {
        serper::PACE
    }

    fn deadline(&self) -> Duration {
        Duration::from_secs(120)
    }

    fn tariff(&self) -> Tariff {
        serper::TARIFF
    }

    fn page(&self) -> usize {
        serper::PAGE
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        vec![words.spaced()]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        // No filter by date is documented. Every record is compared with the cut-off date in any case.
        serper::question(ID, "scholar", serper::words(wording, page), endpoint)
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        serper::organic(body, draft)
    }

    fn trouble(&self, status: u16, body: &str) -> ServiceError {
        serper::what_is_wrong(status, body)
    }
}

fn draft(result: &Value) -> Option<Draft> {
    let link = string(result, "/link");
    let page = page(None, link.clone(), None, None);
    // A record that Scholar only knows from citations has no link.
    let id = string(result, "/id").map(|id| format!("{ID}:{id}"));
    let (authors, venue) = printed(&string(result, "/publicationInfo").unwrap_or_default());
    Some(Draft {
        id: id.or_else(|| page.map(|page| page.id))?,
        title: string(result, "/title")?,
        // An excerpt, not the abstract.
        summary: string(result, "/snippet"),
        authors,
        venue,
        dates: year(result).into_iter().collect(),
        cited_by: count(result, "/citedBy"),
        addresses: link.into_iter().chain(string(result, "/pdfUrl")).collect(),
        ..Draft::default()
    })
}

/// The year, as a number or as text.
fn year(result: &Value) -> Option<PartialDate> {
    let year = string(result, "/year").filter(|year| is_year(year))?;
    year.parse().ok()
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit())
}

/// Authors and venue in `A Vaswani, N Shazeer… - Advances in neural …, 2017 - neurips.cc`. A shortened venue is no venue.
fn printed(info: &str) -> (Vec<String>, Option<String>) {
    let mut parts = info.split(" - ");
    let (Some(authors), Some(place)) = (parts.next(), parts.next()) else {
        return (Vec::new(), None);
    };
    let authors = authors.split(", ").map(|name| name.trim().trim_end_matches('…').trim());
    let authors = authors.filter(|name| !name.is_empty()).map(str::to_owned).collect();
    let venue = match place.trim().rsplit_once(", ") {
        Some((venue, last)) if is_year(last.trim()) => venue,
        _ => place.trim(),
    };
    let whole = !venue.is_empty() && !is_year(venue) && !venue.contains('…');
    (authors, whole.then(|| venue.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_year_is_a_date() {
        for (published, expected) in [
            (serde_json::json!({"year": 2017}), Some("2017")),
            (serde_json::json!({"year": "2017"}), Some("2017")),
            (serde_json::json!({"year": "2017 "}), None),
            (serde_json::json!({"year": 17}), None),
            (serde_json::json!({"year": null}), None),
        ] {
            let date = year(&published).map(|date| date.to_string());
            assert_eq!(date.as_deref(), expected, "{published}");
        }
    }

    #[test]
    fn authors_and_venue_are_read_from_the_line_below_the_title() {
        for (info, authors, venue) in [
            (
                "A Vaswani, N Shazeer, N Parmar… - Advances in neural information processing systems, 2017 - neurips.cc",
                vec!["A Vaswani", "N Shazeer", "N Parmar"],
                Some("Advances in neural information processing systems"),
            ),
            (
                "A Lee - arXiv preprint arXiv:1901.00001, 2019 - arxiv.org",
                vec!["A Lee"],
                Some("arXiv preprint arXiv:1901.00001"),
            ),
            ("A Lee - Proceedings of the …, 2019 - acm.org", vec!["A Lee"], None),
            ("A Lee - 2019 - books.google.com", vec!["A Lee"], None),
            ("NAACL-HLT 2019", vec![], None),
            ("", vec![], None),
        ] {
            let (names, at) = printed(info);
            assert_eq!(
                (names, at.as_deref()),
                (authors.into_iter().map(str::to_owned).collect(), venue),
                "{info}"
            );
        }
    }
}

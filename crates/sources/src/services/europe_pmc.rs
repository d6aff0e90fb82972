use std::time::Duration;

use precedent_domain::WorkId;
use precedent_http::{HttpError, Pace, Request};
use serde_json::Value;

use crate::PaperName;
use crate::service::{
    Draft, Endpoint, Found, Page, Service, Unreadable, Words, count, list, message_of, object, string, without_padding,
};

pub(crate) const ID: &str = "europe-pmc";
/// The base address, also for full texts of open articles.
pub(crate) const BASE: &str = "https://www.ebi.ac.uk/europepmc/webservices/rest";
/// Words per query: a work must contain all of them, or any.
const WORDS: usize = 6;

/// Europe PMC: life sciences and preprints. API: <https://europepmc.org/RestfulWebService>.
pub(crate) struct EuropePmcService;

impl Service for EuropePmcService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "life sciences and their preprints, with abstracts; no key"
    }

    fn base(&self) -> &'static str {
        BASE
    }

    fn pace(&self, _: &Endpoint) -> Pace {
        Pace {
            between: Duration::from_millis(250),
            at_once: 2,
        }
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        let words = words.meaningful(WORDS);
        match words.as_slice() {
            [_, _, ..] => vec![words.join(" AND "), words.join(" OR ")],
            _ => vec![words.join(" ")],
        }
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        let query = match page.last_day() {
            Some(day) => format!("({wording}) AND FIRST_PDATE:[1800-01-01 TO {day}]"),
            None => wording.to_owned(),
        };
        // Its pages need a cursor from the previous answer. The first page is long enough.
        let request = Request::get(ID, &format!("{}/search", endpoint.base))?
            .parameter("query", &query)
            .parameter("format", "json")
            .parameter("resultType", "core")
            .parameter("pageSize", &page.size.to_string());
        Ok(match &endpoint.mailto {
            Some(mailto) => request.secret_parameter("email", mailto.clone()),
            None => request,
        })
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        let answer = Value::Object(object(body)?);
        // Errors are returned with a success status.
        if answer.get("errCode").is_some() || answer.get("errMsg").is_some() {
            return Err(Unreadable(format!("it says: {}", message_of(body))));
        }
        if !answer.get("resultList").is_some_and(Value::is_object) {
            return match answer.get("hitCount").and_then(Value::as_u64) {
                Some(0) => Ok(Found::default()),
                _ => Err(Unreadable("it contains no list of results".to_owned())),
            };
        }
        Ok(Found {
            works: list(&answer, "/resultList/result").iter().filter_map(draft).collect(),
            more: false,
        })
    }
}

/// The id of the record with this number in PubMed.
pub(crate) fn pubmed_record(number: &str) -> Option<WorkId> {
    format!("{ID}:MED/{number}").parse().ok()
}

/// Requests the record with this id; `None` for the id of another service.
pub(crate) fn record_of(who: &str, base: &str, record: &WorkId) -> Option<Result<Request, HttpError>> {
    let number = record.as_str().strip_prefix(ID)?.strip_prefix(":MED/")?;
    let request = Request::get(who, &format!("{base}/search")).map(|request| {
        request
            .parameter("query", &format!("EXT_ID:{number} AND SRC:MED"))
            .parameter("format", "json")
            .parameter("resultType", "core")
            .parameter("pageSize", "1")
    });
    Some(request)
}

/// The names in the answer: the full text in PubMed Central, then the DOI. Empty if there is no such record.
pub(crate) fn names_in(body: &str) -> Result<Vec<PaperName>, Unreadable> {
    let found = EuropePmcService.read(body)?;
    let names = found.works.into_iter().take(1).map(|record| record.identifiers());
    Ok(names
        .flat_map(|ids| [ids.pmc.map(PaperName::Pmc), ids.doi.map(PaperName::Doi)])
        .flatten()
        .collect())
}

fn draft(result: &Value) -> Option<Draft> {
    let (source, id) = (string(result, "/source")?, string(result, "/id")?);
    let dates = [string(result, "/firstPublicationDate"), string(result, "/pubYear")];
    let dates = dates
        .iter()
        .flatten()
        .filter_map(|date| without_padding(date).parse().ok());
    let names = list(result, "/authorList/author").iter();
    Some(Draft {
        id: format!("{ID}:{source}/{id}"),
        title: string(result, "/title")?.trim_end_matches('.').to_owned(),
        summary: string(result, "/abstractText"),
        authors: names.filter_map(name).collect(),
        venue: string(result, "/journalInfo/journal/title"),
        dates: dates.collect(),
        doi: string(result, "/doi"),
        pmc: string(result, "/pmcid"),
        cited_by: count(result, "/citedByCount"),
        addresses: vec![format!("https://europepmc.org/article/{source}/{id}")],
        retracted: list(result, "/pubTypeList/pubType")
            .iter()
            .filter_map(Value::as_str)
            .any(|kind| kind.eq_ignore_ascii_case("retracted publication")),
        ..Draft::default()
    })
}

fn name(author: &Value) -> Option<String> {
    match (string(author, "/firstName"), string(author, "/lastName")) {
        (Some(first), Some(last)) => Some(format!("{first} {last}")),
        _ => string(author, "/fullName").or_else(|| string(author, "/collectiveName")),
    }
}

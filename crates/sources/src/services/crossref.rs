use std::collections::BTreeSet;
use std::time::Duration;

use precedent_domain::PartialDate;
use precedent_http::{HttpError, Pace, Request};
use serde_json::Value;

use crate::service::{
    Draft, Endpoint, Found, Page, Service, Unreadable, Words, count, from_parts, list, object, string,
};

const ID: &str = "crossref";
const FIELDS: &str = "DOI,title,subtitle,author,container-title,issued,posted,created,abstract,URL,type,update-to,updated-by,is-referenced-by-count";

/// Crossref's records of works with a DOI. API as of 2025: <https://www.crossref.org/documentation/retrieve-metadata/rest-api>.
pub(crate) struct CrossrefService;

impl Service for CrossrefService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "works with a DOI, in all fields, rarely with abstracts; no key, faster with a contact address"
    }

    fn base(&self) -> &'static str {
        "https://api.crossref.org"
    }

    fn pace(&self, endpoint: &Endpoint) -> Pace {
        // Limits since December 2025: one request per second and one at a time; three of both with a contact address.
        match endpoint.mailto {
            None => Pace::one_every(Duration::from_millis(1_050)),
            Some(_) => Pace {
                between: Duration::from_millis(350),
                at_once: 3,
            },
        }
    }

    fn deadline(&self) -> Duration {
        Duration::from_secs(90)
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        // It always finds something, ranked by how many of the words a record contains.
        vec![words.spaced()]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        let address = format!("{}/works?select={FIELDS}", endpoint.base);
        let mut request = Request::get(ID, &address)?
            .parameter("query.bibliographic", wording)
            .parameter("rows", &page.size.to_string())
            .parameter("offset", &page.start.to_string());
        if let Some(day) = page.last_day() {
            request = request.parameter("filter", &format!("until-pub-date:{day}"));
        }
        Ok(match &endpoint.mailto {
            Some(mailto) => request.secret_parameter("mailto", mailto.clone()),
            None => request,
        })
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        let answer = Value::Object(object(body)?);
        let Some(items) = answer.pointer("/message/items").and_then(Value::as_array) else {
            return Err(Unreadable("it contains no items".to_owned()));
        };
        let number = |path: &str| answer.pointer(path).and_then(Value::as_u64).unwrap_or_default();
        let seen = number("/message/query/start-index") + items.len() as u64;
        Ok(Found {
            works: works(items),
            more: seen < number("/message/total-results"),
        })
    }
}

/// The works among `items`. A retraction notice is not a work itself: it marks the work that it retracts.
fn works(items: &[Value]) -> Vec<Draft> {
    let retractions = items.iter().flat_map(|item| list(item, "/update-to"));
    let retracted: BTreeSet<String> = retractions
        .filter(|update| is_retraction(update))
        .filter_map(|update| Some(string(update, "/DOI")?.to_lowercase()))
        .collect();
    let is_notice = |item: &&Value| list(item, "/update-to").iter().any(is_taking_back);
    let works = items.iter().filter(|item| !is_notice(item)).filter_map(draft);
    works
        .map(|mut work| {
            work.retracted |= work
                .doi
                .as_ref()
                .is_some_and(|doi| retracted.contains(&doi.to_lowercase()));
            work
        })
        .collect()
}

/// Whether an update retracts a whole work. Corrections, expressions of concern and partial retractions do not.
fn is_retraction(update: &Value) -> bool {
    matches!(kind_of(update).as_str(), "retraction" | "removal" | "withdrawal")
}

/// Whether a record with this update is a notice that retracts a work or a part of one, and so is not a work itself.
fn is_taking_back(update: &Value) -> bool {
    is_retraction(update) || kind_of(update) == "partial_retraction"
}

fn kind_of(update: &Value) -> String {
    string(update, "/type").unwrap_or_default().to_lowercase()
}

fn draft(item: &Value) -> Option<Draft> {
    let doi = string(item, "/DOI")?;
    let title = string(item, "/title")?;
    let title = match string(item, "/subtitle") {
        Some(subtitle) if !title.contains(&subtitle) => format!("{title}: {subtitle}"),
        _ => title,
    };
    let parsed: precedent_domain::Doi = doi.parse().ok()?;
    // `created` is when the DOI was registered, for an old work long after publication, so it only counts if there is a publication date.
    let of = |name: &str| item.pointer(&format!("/{name}/date-parts/0")).and_then(from_parts);
    let issued = of("issued");
    let created =
        of("created").filter(|created| issued.is_some_and(|issued| created.year().abs_diff(issued.year()) <= 1));
    let dates: Vec<PartialDate> = [issued, of("posted"), created].into_iter().flatten().collect();
    Some(Draft {
        id: format!("doi:{parsed}"),
        title,
        summary: string(item, "/abstract"),
        authors: list(item, "/author").iter().filter_map(name).collect(),
        venue: string(item, "/container-title"),
        dates,
        addresses: vec![format!("https://doi.org/{parsed}")],
        doi: Some(doi),
        cited_by: count(item, "/is-referenced-by-count"),
        retracted: list(item, "/updated-by").iter().any(is_retraction),
        ..Draft::default()
    })
}

fn name(author: &Value) -> Option<String> {
    let family = string(author, "/family").or_else(|| string(author, "/name"))?;
    let parts = [string(author, "/given"), Some(family), string(author, "/suffix")];
    Some(parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn updates_mark_only_retracted_works() {
        let item = |doi: &str, more: Value| {
            let mut item = json!({"DOI": doi, "title": [format!("On {doi}")], "issued": {"date-parts": [[2019]]}});
            if let (Some(item), Some(more)) = (item.as_object_mut(), more.as_object()) {
                item.extend(more.clone());
            }
            item
        };
        let items = [
            item("10.1000/A", json!({})),
            item(
                "10.1000/b",
                json!({"updated-by": [{"DOI": "10.1000/x", "type": "retraction", "source": "retraction-watch"}]}),
            ),
            item(
                "10.1000/c",
                json!({"updated-by": [{"DOI": "10.1000/y", "type": "correction"}]}),
            ),
            item("10.1000/d", json!({"updated-by": null, "update-to": null})),
            // A notice on the first work, and a corrected edition, which is a work.
            item(
                "10.1000/n",
                json!({"update-to": [{"DOI": "10.1000/a", "type": "Retraction"}]}),
            ),
            item(
                "10.1000/e",
                json!({"update-to": [{"DOI": "10.1000/c", "type": "new_version"}]}),
            ),
        ];
        let works_read: Vec<(String, bool)> = works(&items)
            .into_iter()
            .map(|work| (work.id, work.retracted))
            .collect();
        let wanted = [("a", true), ("b", true), ("c", false), ("d", false), ("e", false)];
        let wanted: Vec<(String, bool)> = wanted
            .iter()
            .map(|(id, retracted)| (format!("doi:10.1000/{id}"), *retracted))
            .collect();
        assert_eq!(works_read, wanted);
    }
}

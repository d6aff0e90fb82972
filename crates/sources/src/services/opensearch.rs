use std::time::Duration;

use precedent_corpus::export::{VECTOR_PREFIX, vector_field};
use precedent_corpus::text_vector;
use precedent_http::{HttpError, Pace, Request};
use serde_json::{Map, Value, json};

use crate::service::{
    Ability, Called, Draft, Endpoint, Found, Page, RelationAnswer, RelationQuery, Relations, Service, Unreadable,
    Words, WorkName, count, list, object, plain, string, without_padding,
};

const ID: &str = "opensearch";
/// Weight of a match in the title relative to one in the abstract. Chosen by hand; not measured.
const TITLE: u8 = 2;
/// Names in one look-up, and records requested for each: an index may hold several records of a paper. Chosen by hand; not measured.
const BATCH: usize = 50;
const RECORDS: usize = 4;
/// The fields of the kinds of names in [`Called::kind`], as paths in a hit.
const NAMES: [&str; 4] = ["/_source/id", "/_source/doi", "/_source/arxiv", "/_source/acl"];

/// An index of OpenSearch that `precedent corpus export` filled, on the user's own server. API as documented for OpenSearch 2.11 to 3:
/// <https://docs.opensearch.org/latest/api-reference/search-apis/search/>.
///
/// Words go through a `bool` of `match` queries, which have no operators, never through a query string. A search by meaning is a request of its own
/// (k-NN), and the caller merges both by rank: OpenSearch's `hybrid` query needs a search pipeline on the cluster, and paging there 2.19.
pub(crate) struct OpenSearchService;

impl Service for OpenSearchService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "papers of your own OpenSearch index, by words, meaning and identifier; OPENSEARCH_URL ends with the name of the index"
    }

    fn base(&self) -> &'static str {
        ""
    }

    fn address_variable(&self) -> Option<&'static str> {
        Some("OPENSEARCH_URL")
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some("OPENSEARCH_KEY")
    }

    fn pace(&self, _: &Endpoint) -> Pace {
        // The server is the user's own. Chosen by hand; not measured.
        Pace {
            between: Duration::from_millis(50),
            at_once: 4,
        }
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        vec![words.spaced()]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        let matches = json!([
            {"match": {"title": {"query": wording, "boost": TITLE}}},
            {"match": {"abstract": {"query": wording}}},
        ]);
        let mut words = json!({"should": matches, "minimum_should_match": 1});
        if let (Some(words), Some(filter)) = (words.as_object_mut(), until(page)) {
            words.insert("filter".to_owned(), filter);
        }
        search(&json!({"bool": words}), page, endpoint)
    }

    fn relations(&self) -> Option<&'static dyn Relations> {
        Some(&OpenSearchService)
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        let answer = answer(body)?;
        let works: Vec<Draft> = list(&answer, "/hits/hits").iter().filter_map(draft).collect();
        let shown = list(&answer, "/hits/hits").len() as u64;
        let total = answer.pointer("/hits/total/value").and_then(Value::as_u64);
        Ok(Found {
            more: total.is_some_and(|total| total > shown),
            works,
        })
    }

    fn missing(&self, body: &str) -> Option<String> {
        let answer: Value = serde_json::from_str(body).ok()?;
        missing(&answer)
    }
}

/// What an answer lacks: works of shards that failed, or that were not searched in time. Both have a success status.
fn missing(answer: &Value) -> Option<String> {
    let failed = count(answer, "/_shards/failed").unwrap_or_default();
    if failed > 0 {
        let total = count(answer, "/_shards/total").unwrap_or_default();
        let reason = string(answer, "/_shards/failures/0/reason/reason");
        let reason = reason.map(|reason| format!(": “{}”", plain(&reason, 200)));
        return Some(format!(
            "the answer is incomplete, because {failed} of {total} shards failed{}",
            reason.unwrap_or_default()
        ));
    }
    let is_late = answer.get("timed_out").and_then(Value::as_bool) == Some(true);
    is_late.then(|| "the answer is incomplete, because the search exceeded a time limit of the server".to_owned())
}

/// Works dated up to the last day of the page, and those without a date; `None` without a limit.
fn until(page: &Page) -> Option<Value> {
    let day = page.last_day()?;
    let dated = json!({"range": {"date": {"lte": day, "format": "strict_date"}}});
    let undated = json!({"bool": {"must_not": {"exists": {"field": "date"}}}});
    Some(json!({"bool": {"should": [dated, undated], "minimum_should_match": 1}}))
}

/// One page of a search. Equal scores are ordered by id, so that no work is on two pages.
fn search(query: &Value, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
    let body = json!({
        "query": query, "from": page.start, "size": page.size, "_source": {"excludes": [format!("{VECTOR_PREFIX}*")]},
        "sort": [{"_score": {"order": "desc"}}, {"id": {"order": "asc", "unmapped_type": "keyword"}}],
    });
    // Without the name of an index, the search would be one of everything on the server.
    let place = endpoint.base.split_once("://").map_or("", |(_, place)| place);
    if place.split_once('/').is_none_or(|(_, index)| index.is_empty()) {
        return Err(HttpError::BadAddress {
            address: format!("{} without the name of an index", endpoint.base),
        });
    }
    let request = Request::post_json(ID, &format!("{}/_search", endpoint.base), &body)?;
    Ok(match &endpoint.key {
        None => request,
        Some(key) => match key.basic() {
            Some(basic) => request.secret_header("Authorization", "Basic ", basic),
            None => request.secret_header("Authorization", "ApiKey ", key.clone()),
        },
    })
}

fn answer(body: &str) -> Result<Value, Unreadable> {
    let answer = Value::Object(object(body)?);
    match answer.pointer("/hits/hits") {
        Some(Value::Array(_)) => Ok(answer),
        _ => Err(Unreadable("it contains no hits".to_owned())),
    }
}

impl Relations for OpenSearchService {
    fn can(&self, ability: Ability) -> bool {
        match ability {
            Ability::Passages => vector_field().is_some(),
            Ability::Titled | Ability::LookUp => true,
            _ => false,
        }
    }

    fn call(&self, name: &WorkName, _: Ability) -> Option<Called> {
        let (kind, name) = match name {
            WorkName::Record(_) => (0, name.record_at(ID)?.to_owned()),
            WorkName::Doi(id) => (1, id.to_string()),
            WorkName::Arxiv(id) => (2, id.to_string()),
            WorkName::Acl(id) => (3, id.to_string()),
        };
        Some(Called { kind, name })
    }

    fn most_names(&self, _: Ability) -> usize {
        BATCH
    }

    fn requests(
        &self,
        inquiry: &RelationQuery<'_>,
        page: &Page,
        endpoint: &Endpoint,
    ) -> Result<Vec<Request>, HttpError> {
        let query = match inquiry {
            RelationQuery::Text(Ability::Passages, text) => meaning(text, page),
            RelationQuery::Text(_, title) => Some(json!({"match": {"title": {"query": title, "operator": "and"}}})),
            RelationQuery::One(_, name) => named(std::slice::from_ref(*name)),
            RelationQuery::Many(_, names) => named(names),
        };
        let page = match inquiry {
            RelationQuery::One(..) | RelationQuery::Many(..) => Page {
                size: page.size.saturating_mul(RECORDS),
                ..*page
            },
            RelationQuery::Text(..) => *page,
        };
        query.map(|query| search(&query, &page, endpoint)).into_iter().collect()
    }

    fn read(&self, _: Ability, body: &str) -> Result<RelationAnswer, Unreadable> {
        let answer = answer(body)?;
        if let Some(why) = missing(&answer) {
            return Err(Unreadable(why));
        }
        Ok(RelationAnswer {
            works: list(&answer, "/hits/hits").iter().map(draft).collect(),
            ..RelationAnswer::default()
        })
    }

    fn is_miss(&self, _: Ability, _: u16, _: &str) -> bool {
        false
    }
}

/// The works whose vectors are closest to that of the text; `None` if no word of it has a vector. An index without such vectors has no such works.
fn meaning(text: &str, page: &Page) -> Option<Value> {
    let mut near = Map::new();
    near.insert("vector".to_owned(), json!(text_vector(text)?));
    near.insert("k".to_owned(), json!(page.size));
    near.insert("ignore_unmapped".to_owned(), json!(true));
    if let Some(filter) = until(page) {
        near.insert("filter".to_owned(), filter);
    }
    Some(json!({"knn": {vector_field()?: near}}))
}

/// The works with one of these names, which are all of one kind.
fn named(names: &[Called]) -> Option<Value> {
    let field = NAMES.get(usize::from(names.first()?.kind))?.rsplit('/').next()?;
    let values: Vec<&str> = names.iter().map(|one| one.name.as_str()).collect();
    Some(json!({"terms": {field: values}}))
}

fn draft(hit: &Value) -> Option<Draft> {
    let of = |name: &str| string(hit, &format!("/_source/{name}"));
    let dates = list(hit, "/_source/dates").iter().chain(list(hit, "/_source/date"));
    let dates = dates
        .filter_map(Value::as_str)
        .filter_map(|date| without_padding(date).parse().ok());
    let names = list(hit, "/_source/authors").iter();
    Some(Draft {
        id: format!("{ID}:{}", of("id").or_else(|| string(hit, "/_id"))?),
        title: of("title")?,
        summary: of("abstract"),
        authors: names.filter_map(Value::as_str).map(str::to_owned).collect(),
        venue: of("venue"),
        dates: dates.collect(),
        doi: of("doi"),
        arxiv: string(hit, "/_source/arxiv"),
        acl: string(hit, "/_source/acl"),
        openreview: string(hit, "/_source/openreview"),
        pmc: of("pmc"),
        cited_by: count(hit, "/_source/cited_by"),
        retracted: hit.pointer("/_source/retracted").and_then(Value::as_bool) == Some(true),
        addresses: of("url").into_iter().collect(),
        ..Draft::default()
    })
}

#[cfg(test)]
mod tests {
    use precedent_corpus::export::{Export, export_opensearch};
    use precedent_corpus::{Corpus, Record};
    use precedent_domain::Work;
    use precedent_http::Secret;

    use super::*;

    fn endpoint(base: &str, key: Option<&str>) -> Endpoint {
        Endpoint {
            base: base.to_owned(),
            key: key.map(Secret::new),
            mailto: None,
            token: None,
            texts: None,
        }
    }

    #[test]
    fn an_exported_paper_is_read_back() {
        let dir = tempfile::tempdir().unwrap();
        let corpus = Corpus::create_or_open(dir.path().join("corpus")).unwrap();
        let work: Work = serde_json::from_value(json!({
            "id": "openalex:W1", "title": "Ropes & creep", "abstract": "Ropes stretch.", "extent": "abstract",
            "authors": [{"name": "Ann Lee"}], "venue": "Journal of Ropes", "url": "https://ropes.example/1", "cited_by": 7,
            "dates": [{"date": "2019-06", "origin": "given"}, {"date": "2020-01-02", "origin": "given"}],
            "identifiers": {"doi": "10.5555/rope.1", "acl": "P19-1001", "openreview": "abcdefghij", "pmc": "PMC123"},
        }))
        .unwrap();
        let mut writer = corpus.writer().unwrap();
        writer.add(Record::new(work.clone(), None)).unwrap();
        writer.finish().unwrap();
        let out = dir.path().join("out");
        let export = Export {
            dir: &out,
            index: "papers",
            part_bytes: 1_000_000,
        };
        export_opensearch(&corpus, &export).unwrap();
        let part = std::fs::read_to_string(out.join("part-00001.ndjson")).unwrap();
        let source: Value = serde_json::from_str(part.lines().nth(1).unwrap()).unwrap();
        let draft = draft(&json!({"_id": "openalex:W1", "_source": source})).unwrap();
        let read = draft.work(ID).unwrap();
        assert_eq!(read.id.as_str(), "opensearch:openalex:W1");
        assert_eq!(
            (
                &read.title,
                &read.summary,
                &read.authors,
                &read.venue,
                &read.url,
                read.cited_by
            ),
            (
                &work.title,
                &work.summary,
                &work.authors,
                &work.venue,
                &work.url,
                work.cited_by
            )
        );
        assert_eq!(read.identifiers, work.identifiers);
        let dates = |work: &Work| work.dates.iter().map(|dated| dated.date).collect::<Vec<_>>();
        assert_eq!(dates(&read), dates(&work));
    }

    #[test]
    fn an_address_without_an_index_is_rejected() {
        let asked = |base: &str| {
            OpenSearchService
                .trial(&endpoint(base, None))
                .map(|request| request.asked())
        };
        assert_eq!(
            asked("http://here:9200/papers").unwrap(),
            "POST http://here:9200/papers/_search"
        );
        for base in ["http://here:9200", "http://here:9200/"] {
            let error = asked(base).unwrap_err().to_string();
            assert!(error.contains("without the name of an index"), "{error}");
        }
    }

    #[test]
    fn a_user_with_a_password_and_a_key_are_sent_as_authorization() {
        for key in ["me:secret words", "os_0123456789"] {
            let request = OpenSearchService
                .trial(&endpoint("http://here:9200/papers", Some(key)))
                .unwrap();
            let names: Vec<&str> = request.secret_header_names().collect();
            assert_eq!(names, ["authorization"]);
            assert!(!format!("{request:?}").contains(key));
        }
    }

    #[test]
    fn an_answer_of_some_shards_and_one_cut_by_time_are_incomplete() {
        let of = |answer: Value| OpenSearchService.missing(&answer.to_string());
        let shards = json!({"total": 5, "successful": 4, "skipped": 0, "failed": 1, "failures": [
            {"shard": 2, "index": "papers", "node": "n", "reason": {"type": "circuit_breaking_exception", "reason": "[parent] Data too large"}}]});
        let message = of(json!({"timed_out": false, "_shards": shards, "hits": {"hits": []}}));
        assert_eq!(
            message.as_deref(),
            Some("the answer is incomplete, because 1 of 5 shards failed: “[parent] Data too large”")
        );
        let whole = json!({"total": 5, "successful": 5, "skipped": 0, "failed": 0});
        assert!(of(json!({"timed_out": true, "_shards": whole, "hits": {"hits": []}})).is_some());
        assert_eq!(
            of(json!({"timed_out": false, "_shards": whole, "hits": {"hits": []}})),
            None
        );
    }

    #[test]
    fn a_missing_index_is_named() {
        let body = json!({"error": {"root_cause": [{"type": "index_not_found_exception", "reason": "no such index [papers]", "index": "papers"}],
            "type": "index_not_found_exception", "reason": "no such index [papers]"}, "status": 404});
        let message = OpenSearchService.trouble(404, &body.to_string()).to_string();
        assert!(message.contains("404: “no such index [papers]”"), "{message}");
    }
}

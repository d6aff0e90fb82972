use std::time::Duration;

use precedent_domain::WorkId;
use precedent_http::{HttpError, Pace, Request};
use serde_json::{Value, json};

use crate::PaperName;
use crate::service::{
    Ability, Called, Draft, Endpoint, Found, Page, RelationAnswer, RelationQuery, Relations, Service, ServiceError,
    Unreadable, Words, WorkName, array, count, in_path, list, object, string, without_padding,
};

pub(crate) const ID: &str = "semantic-scholar";
pub(crate) const BASE: &str = "https://api.semanticscholar.org";
const FIELDS: &str =
    "paperId,externalIds,title,abstract,year,publicationDate,venue,authors.name,openAccessPdf,url,citationCount";
/// Maximum number of works per look-up, and per request of references, whose answer contains at most 9,999 of them.
const BATCH: usize = 500;
const BATCH_OF_LISTS: usize = 100;
/// Maximum number of works to base recommendations on.
const BATCH_OF_EXAMPLES: usize = 100;
/// Maximum number of works in one list of references.
const LONGEST_LIST: usize = 1_000;

/// Semantic Scholar: search by relevance and by passages, recommendations, citations and records. API as of 2026:
/// <https://api.semanticscholar.org/api-docs>.
pub(crate) struct SemanticScholarService;

impl Service for SemanticScholarService {
    fn id(&self) -> &'static str {
        ID
    }

    fn about(&self) -> &'static str {
        "works of all fields, with abstracts; often too busy to answer without your own key"
    }

    fn base(&self) -> &'static str {
        BASE
    }

    fn key_variable(&self) -> Option<&'static str> {
        Some("SEMANTIC_SCHOLAR_API_KEY")
    }

    fn pace(&self, _: &Endpoint) -> Pace {
        // One per second for a new key, over all its endpoints.
        Pace::one_every(Duration::from_millis(1_100))
    }

    fn deadline(&self) -> Duration {
        Duration::from_secs(90)
    }

    fn wordings(&self, words: &Words) -> Vec<String> {
        // It ranks by all words. Hyphens, which it handles badly, are already removed.
        vec![words.spaced()]
    }

    fn request(&self, wording: &str, page: &Page, endpoint: &Endpoint) -> Result<Request, HttpError> {
        let address = format!("{}/graph/v1/paper/search?fields={FIELDS}", endpoint.base);
        let request = Request::get(ID, &address)?
            .parameter("query", wording)
            .parameter("offset", &page.start.to_string())
            .parameter("limit", &page.size.to_string());
        Ok(with_key(until(request, page), endpoint))
    }

    fn relations(&self) -> Option<&'static dyn Relations> {
        Some(&SemanticScholarService)
    }

    fn read(&self, body: &str) -> Result<Found, Unreadable> {
        let answer = Value::Object(object(body)?);
        // If nothing is found, there is a total of 0 and no list.
        if answer.get("data").is_none_or(Value::is_null) {
            return match answer.get("total").and_then(Value::as_u64) {
                Some(0) => Ok(Found::default()),
                _ => Err(Unreadable("it contains no list of works".to_owned())),
            };
        }
        Ok(Found {
            works: list(&answer, "/data").iter().filter_map(draft).collect(),
            more: answer.get("next").is_some_and(Value::is_u64),
        })
    }

    fn trouble(&self, status: u16, body: &str) -> ServiceError {
        match status {
            429 => ServiceError::SharedPool,
            _ => ServiceError::usual(status, body),
        }
    }
}

fn until(request: Request, page: &Page) -> Request {
    match page.last_day() {
        Some(day) => request.parameter("publicationDateOrYear", &format!(":{day}")),
        None => request,
    }
}

fn with_key(request: Request, endpoint: &Endpoint) -> Request {
    match &endpoint.key {
        Some(key) => request.secret_header("x-api-key", "", key.clone()),
        None => request,
    }
}

impl Relations for SemanticScholarService {
    fn can(&self, _: Ability) -> bool {
        true
    }

    fn call(&self, name: &WorkName, _: Ability) -> Option<Called> {
        let name = match name {
            WorkName::Record(_) => {
                let own = name.record_at(ID)?;
                match own.strip_prefix("corpus-") {
                    Some(number) => format!("CorpusId:{number}"),
                    None => own.to_owned(),
                }
            }
            WorkName::Arxiv(id) => format!("ARXIV:{id}"),
            WorkName::Doi(id) => format!("DOI:{id}"),
            WorkName::Acl(id) => format!("ACL:{id}"),
        };
        // Some names become part of a path. A name that leads out of it is invalid.
        in_path(&name).ok()?;
        Some(Called { kind: 0, name })
    }

    fn most_names(&self, ability: Ability) -> usize {
        match ability {
            Ability::References => BATCH_OF_LISTS,
            Ability::Recommended => BATCH_OF_EXAMPLES,
            _ => BATCH,
        }
    }

    fn answers_with_stubs(&self, ability: Ability) -> bool {
        ability == Ability::Passages
    }

    fn requests(
        &self,
        inquiry: &RelationQuery<'_>,
        page: &Page,
        endpoint: &Endpoint,
    ) -> Result<Vec<Request>, HttpError> {
        let get = |path: &str| Request::get(ID, &format!("{}{path}", endpoint.base));
        let post = |path: &str, question: Value| Request::post_json(ID, &format!("{}{path}", endpoint.base), &question);
        let ids = |names: &[Called]| -> Value { names.iter().map(|one| one.name.clone()).collect() };
        let size = page.size.to_string();
        let requests = match inquiry {
            RelationQuery::Text(Ability::Titled, text) => {
                vec![get(&format!("/graph/v1/paper/search/match?fields={FIELDS}"))?.parameter("query", text)]
            }
            RelationQuery::Text(_, text) => {
                let request = get("/graph/v1/snippet/search")?;
                vec![until(request.parameter("query", text).parameter("limit", &size), page)]
            }
            // Recommendations for one work cover recent works by default; the other pool covers only computer science. Recommendations for a list of
            // works cover everything, so that is the fallback.
            RelationQuery::One(Ability::Recommended, work) => {
                let path = in_path(&work.name)?;
                let near =
                    format!("/recommendations/v1/papers/forpaper/{path}?from=all-cs&limit={size}&fields={FIELDS}");
                let far = format!("/recommendations/v1/papers/?limit={size}&fields={FIELDS}");
                vec![get(&near)?, post(&far, json!({"positivePaperIds": [work.name]}))?]
            }
            RelationQuery::Many(Ability::Recommended, works) => {
                let far = format!("/recommendations/v1/papers/?limit={size}&fields={FIELDS}");
                vec![post(&far, json!({"positivePaperIds": ids(works)}))?]
            }
            RelationQuery::One(_, work) => {
                let path = in_path(&work.name)?;
                let request = get(&format!("/graph/v1/paper/{path}/citations?fields={FIELDS}"))?;
                vec![
                    request
                        .parameter("offset", &page.start.to_string())
                        .parameter("limit", &size),
                ]
            }
            RelationQuery::Many(Ability::References, [work]) => {
                let path = in_path(&work.name)?;
                vec![get(&format!(
                    "/graph/v1/paper/{path}/references?fields=paperId&limit={LONGEST_LIST}"
                ))?]
            }
            RelationQuery::Many(Ability::References, works) => {
                vec![post(
                    "/graph/v1/paper/batch?fields=references.paperId",
                    json!({"ids": ids(works)}),
                )?]
            }
            RelationQuery::Many(_, works) => vec![post(
                &format!("/graph/v1/paper/batch?fields={FIELDS}"),
                json!({"ids": ids(works)}),
            )?],
        };
        Ok(requests
            .into_iter()
            .map(|request| with_key(request, endpoint))
            .collect())
    }

    fn read(&self, ability: Ability, body: &str) -> Result<RelationAnswer, Unreadable> {
        match ability {
            Ability::References => cited(body),
            Ability::LookUp => records(body),
            Ability::Passages => {
                let answer = Value::Object(object(body)?);
                let snippets = items(&answer, "data")?;
                Ok(works(snippets.iter().map(stub).collect()))
            }
            Ability::Recommended => {
                let answer = Value::Object(object(body)?);
                let papers = items(&answer, "recommendedPapers")?;
                Ok(works(papers.iter().map(draft).collect()))
            }
            Ability::Citing => {
                let answer = Value::Object(object(body)?);
                let citing = items(&answer, "data")?;
                Ok(RelationAnswer {
                    more: answer.get("next").is_some_and(Value::is_u64),
                    ..works(citing.iter().map(|one| draft(one.get("citingPaper")?)).collect())
                })
            }
            Ability::Titled => {
                let answer = Value::Object(object(body)?);
                let found = items(&answer, "data")?;
                Ok(works(found.iter().map(draft).collect()))
            }
        }
    }

    fn is_miss(&self, _: Ability, status: u16, body: &str) -> bool {
        // An error page may come from another server.
        let own =
            serde_json::from_str::<Value>(body).is_ok_and(|answer| answer.get("error").is_some_and(Value::is_string));
        own && (status == 404 || status == 400 && body.contains("No valid paper ids"))
    }
}

fn works(works: Vec<Option<Draft>>) -> RelationAnswer {
    RelationAnswer {
        works,
        ..RelationAnswer::default()
    }
}

/// The list with this name; null counts as empty.
fn items<'v>(answer: &'v Value, name: &str) -> Result<&'v [Value], Unreadable> {
    match answer.get(name) {
        Some(Value::Array(items)) => Ok(items),
        Some(Value::Null) => Ok(&[]),
        _ => Err(Unreadable(format!("it contains no list of {name}"))),
    }
}

fn records(body: &str) -> Result<RelationAnswer, Unreadable> {
    Ok(RelationAnswer {
        in_order: true,
        ..works(array(body)?.iter().map(draft).collect())
    })
}

/// The references of one work, each with the cited work, or of many works, each with its list. Cited works without a record have no id.
fn cited(body: &str) -> Result<RelationAnswer, Unreadable> {
    let id = |work: &Value| string(work, "/paperId");
    let lists = if body.trim_start().starts_with('[') {
        let lists = array(body)?;
        let list = |work: &Value| match work.get("references") {
            Some(Value::Array(cited)) => Some(cited.iter().filter_map(id).collect::<Vec<_>>()),
            _ => None,
        };
        lists.iter().map(list).collect()
    } else {
        let answer = Value::Object(object(body)?);
        match answer.get("data") {
            Some(Value::Array(cited)) => {
                let ids = cited.iter().filter_map(|one| id(one.get("citedPaper")?));
                vec![Some(ids.collect::<Vec<_>>())]
            }
            // Some publishers do not allow the list to be given.
            Some(Value::Null) => vec![None],
            _ => return Err(Unreadable("it contains no list of references".to_owned())),
        }
    };
    Ok(RelationAnswer {
        cited: lists,
        in_order: true,
        ..RelationAnswer::default()
    })
}

/// Requests one record by its id as a work.
pub(crate) fn record_of(who: &str, base: &str, record: &WorkId) -> Result<Request, HttpError> {
    let called = SemanticScholarService.call(&WorkName::Record(record.clone()), Ability::LookUp);
    let path = in_path(&called.map(|one| one.name).unwrap_or_default())?;
    Request::get(who, &format!("{base}/graph/v1/paper/{path}?fields={FIELDS}"))
}

/// The names in the answer, the best for parsing first: archives, then the DOI, then the address of an open PDF.
pub(crate) fn names_in(body: &str) -> Result<Vec<PaperName>, Unreadable> {
    let paper = Value::Object(object(body)?);
    let Some(record) = draft(&paper) else {
        return Err(Unreadable("it contains no record".to_owned()));
    };
    let identifiers = record.identifiers();
    let open = string(&paper, "/openAccessPdf/url").and_then(|address| match PaperName::parse(&address)? {
        // An open PDF at a publisher is fetched where it is.
        PaperName::Doi(_) => Some(PaperName::Address(address)),
        name => Some(name),
    });
    let arxiv = identifiers.arxiv.map(|id| PaperName::Arxiv { id, version: None });
    let names = [
        arxiv,
        identifiers.acl.map(PaperName::Acl),
        open,
        identifiers.doi.map(PaperName::Doi),
    ];
    let mut found: Vec<PaperName> = Vec::new();
    for name in names.into_iter().flatten() {
        if !found.contains(&name) && !matches!(name, PaperName::Record(_)) {
            found.push(name);
        }
    }
    Ok(found)
}

/// The work that contains a passage. Its number is a string here, and there is no date.
fn stub(snippet: &Value) -> Option<Draft> {
    let paper = snippet.get("paper")?;
    let names = list(paper, "/authors").iter();
    Some(Draft {
        id: format!("{ID}:corpus-{}", string(paper, "/corpusId")?),
        title: string(paper, "/title")?,
        authors: names
            .filter_map(|author| author.as_str().map(str::to_owned).or_else(|| string(author, "/name")))
            .collect(),
        ..Draft::default()
    })
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
        dates: dates
            .iter()
            .flatten()
            .filter_map(|date| without_padding(date).parse().ok())
            .collect(),
        doi: string(paper, "/externalIds/DOI"),
        arxiv: string(paper, "/externalIds/ArXiv"),
        acl: string(paper, "/externalIds/ACL"),
        pmc: string(paper, "/externalIds/PubMedCentral")
            .map(|number| format!("PMC{}", number.trim_start_matches("PMC"))),
        addresses: addresses.into_iter().flatten().collect(),
        cited_by: count(paper, "/citationCount"),
        ..Draft::default()
    })
}

/// The record in `CorpusId:258059792`, in `S2:` and 40 hexadecimal digits, or in an address of Semantic Scholar that ends in those.
pub(crate) fn record_named(text: &str) -> Option<WorkId> {
    let plain = text.split('?').next().unwrap_or(text).trim_end_matches('/');
    let last = plain.rsplit('/').next().unwrap_or(plain);
    let (prefix, rest) = last.split_once(':').unwrap_or(("", last));
    let is_hash = rest.len() == 40 && rest.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_number = !rest.is_empty() && rest.len() <= 12 && rest.bytes().all(|byte| byte.is_ascii_digit());
    let prefix = prefix.to_ascii_lowercase();
    let id = match prefix.as_str() {
        "" | "s2" | ID | "semanticscholar" if is_hash => rest.to_ascii_lowercase(),
        "corpusid" if is_number => format!("corpus-{rest}"),
        _ => return None,
    };
    format!("{ID}:{id}").parse().ok()
}

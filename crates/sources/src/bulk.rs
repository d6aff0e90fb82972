//! Downloads of many records for a local corpus.

use std::time::Duration;

use precedent_http::{HttpGateway, Pace, Request, Secret};
use serde_json::Value;

use crate::SourceError;
use crate::services::openalex;

/// Works on a page: the most that OpenAlex gives.
const PER_PAGE: usize = 200;
/// What the importer reads, and the references for a citation graph.
const FIELDS: &str = "id,doi,title,display_name,publication_year,publication_date,ids,type,primary_location,locations,authorships,abstract_inverted_index,is_retracted,referenced_works,cited_by_count,primary_topic";
/// Time between two pages. OpenAlex allows ten requests a second; a page of two hundred works takes it longer to make.
const BETWEEN: Duration = Duration::from_millis(200);
/// Maximum size of the ACL Anthology's file, which has 30 MB in 2026.
const ANTHOLOGY_BYTES: u64 = 300 << 20;
/// How long the Anthology's file may take on a slow line.
const ANTHOLOGY_TIME: Duration = Duration::from_secs(1_800);

/// OpenAlex as a source of many records.
#[derive(Debug, Clone)]
pub struct OpenAlexBulk {
    /// The base address, without a trailing slash; `None` for the public one.
    pub base: Option<String>,
    /// The user's key.
    pub key: Option<Secret>,
    /// The user's contact address.
    pub mailto: Option<Secret>,
    /// A filter of OpenAlex, such as `primary_topic.field.id:17,publication_year:2020-2026`.
    pub filter: String,
}

/// One page of records.
#[derive(Debug, Clone, PartialEq)]
pub struct BulkPage {
    /// The records, as OpenAlex gives them.
    pub works: Vec<Value>,
    /// Where the next page starts; `None` after the last.
    pub next: Option<String>,
    /// Records that the filter selects in all.
    pub count: u64,
    /// Size of the page in bytes.
    pub bytes: usize,
    /// Whether it was recorded by an earlier call, so that nothing was sent.
    pub recorded: bool,
}

impl OpenAlexBulk {
    /// Where the first page starts.
    pub const START: &'static str = "*";
    /// Seconds for a page at the pace of this program.
    pub const SECONDS_PER_PAGE: f64 = 0.2;
    /// Most works on a page.
    pub const PER_PAGE: usize = PER_PAGE;

    /// The page that starts at `cursor`. A page that was fetched before is not fetched again.
    ///
    /// # Errors
    /// If the service does not answer, or refuses the filter.
    pub async fn page(&self, gateway: &HttpGateway, cursor: &str) -> Result<BulkPage, SourceError> {
        let unreached = |source| SourceError::Unreached {
            name: openalex::ID.to_owned(),
            source,
        };
        let base = self.base.as_deref().unwrap_or(openalex::BASE);
        // Commas between conditions stay unescaped, like those between fields.
        let address = format!("{base}/works?select={FIELDS}&filter={}", self.filter);
        let mut request = Request::get(openalex::ID, &address)
            .map_err(unreached)?
            .parameter("per_page", &PER_PAGE.to_string())
            .parameter("cursor", cursor);
        if let Some(mailto) = &self.mailto {
            request = request.secret_parameter("mailto", mailto.clone());
        }
        if let Some(key) = &self.key {
            request = request.secret_header("Authorization", "Bearer ", key.clone());
        }
        // A page that was cut off is asked for again, and a refusal by the next call.
        let request = request
            .pace(Pace::one_every(BETWEEN))
            .broken_when(|status, body| status == 200 && page(body).is_none())
            .fruitless_when(|status, _| (400..500).contains(&status) && status != 429);
        let answer = gateway.send(&request).await.map_err(unreached)?;
        let unreadable = |why: String| SourceError::Unreadable {
            name: openalex::ID.to_owned(),
            why,
        };
        let body = String::from_utf8_lossy(&answer.body);
        if !answer.is_success() {
            let message: String = body.chars().take(300).collect();
            return Err(unreadable(format!("status {}: {message}", answer.status)));
        }
        let found = page(&answer.body).ok_or_else(|| unreadable("it is not a page of works".to_owned()))?;
        Ok(BulkPage {
            recorded: answer.recorded,
            ..found
        })
    }
}

fn page(body: &[u8]) -> Option<BulkPage> {
    let mut answer: Value = serde_json::from_slice(body).ok()?;
    let Value::Array(works) = answer.get_mut("results")?.take() else {
        return None;
    };
    let next = answer.pointer("/meta/next_cursor").and_then(Value::as_str);
    Some(BulkPage {
        next: next.filter(|_| !works.is_empty()).map(str::to_owned),
        count: answer.pointer("/meta/count")?.as_u64()?,
        bytes: body.len(),
        recorded: false,
        works,
    })
}

/// The ACL Anthology with abstracts: a compressed BibTeX file. `base` is the address of the Anthology, without a trailing slash.
///
/// # Errors
/// If it cannot be downloaded.
pub async fn anthology(gateway: &HttpGateway, base: &str) -> Result<Vec<u8>, SourceError> {
    let name = || "the ACL Anthology".to_owned();
    let unreached = |source| SourceError::Unreached { name: name(), source };
    let request = Request::get("anthology", &format!("{base}/anthology+abstracts.bib.gz"))
        .map_err(unreached)?
        .at_most(ANTHOLOGY_BYTES)
        .timeout(ANTHOLOGY_TIME)
        .unrecorded();
    let answer = gateway.send(&request).await.map_err(unreached)?;
    match answer.is_success() {
        true => Ok(answer.body),
        false => Err(SourceError::Unreadable {
            name: name(),
            why: format!("status {}", answer.status),
        }),
    }
}

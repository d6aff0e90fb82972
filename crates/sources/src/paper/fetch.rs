use std::time::Duration;

use futures_util::future::BoxFuture;
use precedent_domain::Doi;
use precedent_http::{HttpError, HttpGateway, Pace, Request, Secret};

use super::{PaperName, unpaywall};
use crate::SourceError;
use crate::service::{Endpoint, message_of};
use crate::services::{europe_pmc, openalex, semantic_scholar};

/// Maximum number of open copies of a work to try.
const COPIES: usize = 4;

/// The purpose of fetching a text, and its limits.
#[derive(Debug, Clone, Copy)]
pub struct FetchLimits {
    who: &'static str,
    within: Duration,
    tries: u32,
    bytes: u64,
}

impl FetchLimits {
    /// A paper named by the user, with generous limits.
    pub const PAPER: Self = Self {
        who: "paper",
        within: Duration::from_secs(180),
        tries: 3,
        bytes: 80 << 20,
    };

    /// The text of a work that was found: one of many, with the remaining time `within`.
    #[must_use]
    pub fn text(within: Duration) -> Self {
        Self {
            who: Self::TEXT,
            within: within.min(Duration::from_secs(60)),
            tries: 2,
            bytes: 30 << 20,
        }
    }

    /// The name of fetched texts in the record of what was sent.
    pub const TEXT: &'static str = "text";
}

/// The servers that papers are fetched from, without trailing slashes.
#[derive(Debug, Clone)]
pub struct PaperPlaces {
    /// arXiv.
    pub arxiv: String,
    /// The ACL Anthology.
    pub acl: String,
    /// OpenReview.
    pub openreview: String,
    /// Europe PMC, which has the full texts of open articles in PubMed Central.
    pub pmc: String,
    /// The index of open copies of works with a DOI.
    pub works: String,
    /// The user's key for that index.
    pub works_key: Option<Secret>,
    /// Unpaywall, which is called if the index of open works knows no copy, and only if the user gave a contact address.
    pub unpaywall: String,
    /// The user's contact address.
    pub mailto: Option<Secret>,
    /// Semantic Scholar, which knows other names of its records.
    pub semantic_scholar: String,
    /// The minimum time between two requests to arXiv, which requires three seconds.
    pub arxiv_pace: Duration,
}

impl PaperPlaces {
    /// The index of open works as a service.
    pub(super) fn index(&self) -> Endpoint {
        Endpoint {
            base: self.works.clone(),
            key: self.works_key.clone(),
            mailto: None,
            token: None,
            texts: None,
        }
    }
}

impl Default for PaperPlaces {
    fn default() -> Self {
        Self {
            // Its host for programs. The rules of the main host allow one request in 15 seconds.
            arxiv: "https://export.arxiv.org".to_owned(),
            acl: "https://aclanthology.org".to_owned(),
            openreview: "https://openreview.net".to_owned(),
            pmc: europe_pmc::BASE.to_owned(),
            works: openalex::BASE.to_owned(),
            works_key: None,
            unpaywall: unpaywall::BASE.to_owned(),
            mailto: None,
            semantic_scholar: semantic_scholar::BASE.to_owned(),
            arxiv_pace: Duration::from_secs(3),
        }
    }
}

/// A form in which a paper is available.
#[derive(Debug, Clone)]
pub struct Form {
    /// A description for people: `LaTeX source`.
    pub what: &'static str,
    /// The file extension, without a dot.
    pub ending: &'static str,
    request: Request,
}

impl Form {
    /// The address to fetch.
    #[must_use]
    pub fn address(&self) -> &str {
        self.request.address()
    }
}

/// A fetched file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fetched {
    /// The content.
    pub bytes: Vec<u8>,
    /// The file extension that fits its content, without a dot.
    pub ending: &'static str,
}

/// The forms of a paper, the best for parsing first. For a DOI, the index of open works is searched.
///
/// # Errors
/// Returns an error if that index does not answer or knows no copy.
pub fn forms<'a>(
    name: &'a PaperName,
    places: &'a PaperPlaces,
    limits: FetchLimits,
    gateway: &'a HttpGateway,
) -> BoxFuture<'a, Result<Vec<Form>, SourceError>> {
    Box::pin(async move {
        let get = |address: &str| Request::get(limits.who, address);
        let form = |what, ending, request: Result<Request, HttpError>| {
            Ok(Form {
                what,
                ending,
                request: request.map_err(unreached)?,
            })
        };
        match name {
            PaperName::Arxiv { id, version } => {
                let id = version.map_or_else(|| id.to_string(), |version| format!("{id}v{version}"));
                let at = |kind: &str| {
                    get(&format!("{}/{kind}/{id}", places.arxiv))
                        .map(|request| request.pace(Pace::one_every(places.arxiv_pace)))
                };
                let mut forms = vec![form("HTML", "html", at("html"))?, form("PDF", "pdf", at("pdf"))?];
                if !has_html(name) {
                    forms.reverse();
                }
                // arXiv's rules for programs exclude sources, so only a paper that the user named is fetched as such.
                if limits.who == FetchLimits::PAPER.who {
                    forms.insert(0, form("LaTeX source", "tar.gz", at("e-print"))?);
                }
                Ok(forms)
            }
            PaperName::Acl(id) => Ok(vec![form("PDF", "pdf", get(&format!("{}/{id}.pdf", places.acl)))?]),
            PaperName::OpenReview(id) => {
                let request =
                    get(&format!("{}/pdf", places.openreview)).map(|request| request.parameter("id", id.as_str()));
                Ok(vec![form("PDF", "pdf", request)?])
            }
            PaperName::Pmc(id) => Ok(vec![form(
                "full text as XML",
                "xml",
                get(&format!("{}/{id}/fullTextXML", places.pmc)),
            )?]),
            PaperName::Record(_) => {
                let mut found = Vec::new();
                for other in other_names(name, places, limits, gateway).await? {
                    // One of several: a failure of the index must not drop the other forms.
                    found.extend(
                        Box::pin(forms(&other, places, limits, gateway))
                            .await
                            .unwrap_or_default(),
                    );
                }
                if found.is_empty() {
                    return Err(SourceError::Unusable {
                        name: name.file_stem(),
                        reason: "no open copy is known; download the PDF and pass the file".to_owned(),
                    });
                }
                Ok(found)
            }
            // These addresses come from third parties, so they may only lead to the public internet.
            PaperName::Address(address) => Ok(vec![form("page or PDF", "html", get(address).map(Request::found))?]),
            PaperName::Doi(doi) => {
                let addresses = open_copies(doi, places, limits, gateway).await?;
                if addresses.is_empty() {
                    return Err(SourceError::Unusable {
                        name: doi.to_string(),
                        reason: "no open copy is known; download the PDF and pass the file".to_owned(),
                    });
                }
                let mut found = Vec::new();
                for name in copies_by_name(&addresses, limits).into_iter().take(COPIES) {
                    match name {
                        PaperName::Address(address) => {
                            found.push(form("open copy", "pdf", get(&address).map(Request::found))?);
                        }
                        archived => found.extend(Box::pin(forms(&archived, places, limits, gateway)).await?),
                    }
                }
                Ok(found)
            }
        }
    })
}

/// Whether arXiv made a page of the paper when it was submitted, as it does since December 2023.
fn has_html(name: &PaperName) -> bool {
    let PaperName::Arxiv { id, .. } = name else {
        return false;
    };
    id.submitted()
        .is_some_and(|month| (month.year(), month.month()) >= (2023, Some(12)))
}

/// Copies in an archive are fetched by their names there, with the archive's own rules and pace and in the best form. For arXiv this is the first
/// version, unless the user named the paper or the address names a version.
fn copies_by_name(addresses: &[String], limits: FetchLimits) -> Vec<PaperName> {
    let mut names: Vec<PaperName> = Vec::new();
    for address in addresses {
        let name = match PaperName::parse(address) {
            Some(PaperName::Arxiv { id, version: None }) if limits.who == FetchLimits::TEXT => {
                PaperName::Arxiv { id, version: Some(1) }
            }
            // The DOI's own page is where the search started.
            Some(PaperName::Doi(_) | PaperName::Record(_)) | None => PaperName::Address(address.clone()),
            Some(name) => name,
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The addresses of open copies of a DOI: from the index of open works, otherwise from Unpaywall if it is enabled.
async fn open_copies(
    doi: &Doi,
    places: &PaperPlaces,
    limits: FetchLimits,
    gateway: &HttpGateway,
) -> Result<Vec<String>, SourceError> {
    let request = openalex::open_copies_of(limits.who, &places.index(), doi).map_err(unreached)?;
    let asked = gateway.send(&mannered(request, limits)).await.map_err(unreached);
    let first = asked.and_then(|response| match response.is_success() {
        true => Ok(openalex::open_copies(&response.text())),
        false => Err(not_given(response.status, &response.text())),
    });
    let Some(mailto) = &places.mailto else {
        return first;
    };
    if first.as_ref().is_ok_and(|addresses| !addresses.is_empty()) {
        return first;
    }
    let request = unpaywall::copies_of(limits.who, &places.unpaywall, doi, mailto).map_err(unreached)?;
    match gateway.send(&mannered(request, limits)).await {
        Ok(response) if response.is_success() => Ok(unpaywall::copies(&response.text())),
        // The message of the index is more useful.
        _ => first,
    }
}

/// The other names of a paper that was named by a record of a service, the best for parsing first. Empty for other names.
///
/// # Errors
/// Returns an error if the service does not answer or does not know the record.
pub fn other_names<'a>(
    name: &'a PaperName,
    places: &'a PaperPlaces,
    limits: FetchLimits,
    gateway: &'a HttpGateway,
) -> BoxFuture<'a, Result<Vec<PaperName>, SourceError>> {
    Box::pin(async move {
        let PaperName::Record(record) = name else {
            return Ok(Vec::new());
        };
        let at_europe_pmc = europe_pmc::record_of(limits.who, &places.pmc, record);
        let (service, names_in): (_, fn(&str) -> _) = match at_europe_pmc {
            Some(_) => (europe_pmc::ID, europe_pmc::names_in),
            None => (semantic_scholar::ID, semantic_scholar::names_in),
        };
        let request = at_europe_pmc
            .unwrap_or_else(|| semantic_scholar::record_of(limits.who, &places.semantic_scholar, record))
            .map_err(unreached)?;
        let response = gateway.send(&mannered(request, limits)).await.map_err(unreached)?;
        if !response.is_success() {
            return Err(not_given(response.status, &response.text()));
        }
        names_in(&response.text()).map_err(|why| SourceError::Unreadable {
            name: service.to_owned(),
            why: why.0,
        })
    })
}

/// Fetches one form.
///
/// # Errors
/// Returns an error if it cannot be fetched, or if the response is not a paper.
pub fn fetch<'a>(
    form: &'a Form,
    limits: FetchLimits,
    gateway: &'a HttpGateway,
) -> BoxFuture<'a, Result<Fetched, SourceError>> {
    Box::pin(async move {
        let wants_page = form.ending == "html";
        let fruitless = move |status: u16, body: &[u8]| status == 200 && !wants_page && is_page(body);
        let request = mannered(form.request.clone(), limits).fruitless_when(fruitless);
        let response = gateway.send(&request).await.map_err(unreached)?;
        if !response.is_success() {
            return Err(not_given(response.status, &response.text()));
        }
        let page = is_page(&response.body);
        if response.body.is_empty() || page && !wants_page {
            let what = if page { "a web page" } else { "nothing" };
            return Err(SourceError::Unreadable {
                name: form.what.to_owned(),
                why: format!("the server sent {what} instead"),
            });
        }
        let ending = match response.body.as_slice() {
            [b'%', b'P', b'D', b'F', ..] => "pdf",
            [0x1f, 0x8b, ..] => "tar.gz",
            _ if page => "html",
            _ if is_article(&response.body) => "xml",
            _ => form.ending,
        };
        Ok(Fetched {
            bytes: response.body,
            ending,
        })
    })
}

pub(super) fn mannered(request: Request, limits: FetchLimits) -> Request {
    request
        .timeout(limits.within)
        .patience(limits.within)
        .within(limits.within)
        .tries(limits.tries)
        .at_most(limits.bytes)
}

/// Whether this is an article in JATS XML, as life-science archives provide it.
fn is_article(body: &[u8]) -> bool {
    let head = head(body);
    head.starts_with('<') && (head.contains("<article") || head.contains("<!doctype article"))
}

fn head(body: &[u8]) -> String {
    let head = String::from_utf8_lossy(body.get(..body.len().min(400)).unwrap_or_default()).to_ascii_lowercase();
    head.trim_start_matches('\u{feff}').trim_start().to_owned()
}

fn is_page(body: &[u8]) -> bool {
    let head = head(body);
    head.starts_with("<!doctype html")
        || head.starts_with("<html")
        || (head.starts_with("<?xml") && head.contains("<html"))
}

pub(super) fn unreached(source: HttpError) -> SourceError {
    SourceError::Unreached {
        name: "for the paper".to_owned(),
        source,
    }
}

pub(super) fn not_given(status: u16, body: &str) -> SourceError {
    let message = message_of(body);
    let and = if message.is_empty() {
        message
    } else {
        format!(": “{message}”")
    };
    SourceError::NotGiven { status, and }
}

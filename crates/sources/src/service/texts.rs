//! Texts of pages and repositories found by a search.
//!
//! Takes a location and returns a document with its text, or the reason why there is none. Responses are untrusted data: the page parser removes
//! scripts, hidden text and markup, archives are read without being unpacked, and everything is limited in size.

use std::time::Duration;

use encoding_rs::Encoding;
use precedent_code::{Bounds, document, read_archive};
use precedent_domain::{Document, EvidenceKind};
use precedent_http::{HttpError, Pace, Request, Response};
use precedent_read::ReadError;

use super::source::{ServiceSource, host_of};
use super::unfolding::unfolds_too_far;
use super::{TextAt, message_of, plain};
use crate::source::cause_of;
use crate::{FetchLimits, SourceError};

/// Maximum sizes of a web file and an archive in transferred bytes, and of a page.
const FILE: u64 = 20 << 20;
const ARCHIVE: u64 = 32 << 20;
const LONGEST_PAGE: usize = 4 << 20;
/// Maximum length of an extracted text: several thousand pages.
const LONGEST_TEXT: usize = 4 << 20;
/// Time limits of one attempt and of all together.
const TRY: Duration = Duration::from_secs(30);
const WITHIN: Duration = Duration::from_secs(60);
/// The minimum time between two files from one host. arXiv requires more.
const BETWEEN: Duration = Duration::from_secs(1);
const BETWEEN_AT_ARXIV: Duration = Duration::from_secs(3);
/// Maximum number of functions in the text of a repository.
const FUNCTIONS: usize = 120;
const ACCEPT: &str = "text/html, application/xhtml+xml, application/pdf, text/plain;q=0.8, text/markdown;q=0.8";

impl ServiceSource {
    /// Where texts of its results are fetched from, for people; `None` if there are none.
    #[must_use]
    pub fn would_fetch(&self) -> Option<String> {
        let elsewhere = self.endpoint.texts.as_deref().map(host_of);
        match self.service.kind() {
            EvidenceKind::Literature => None,
            EvidenceKind::Web => Some(match elsewhere {
                Some(host) => format!("pages found by {}, through {host}", self.service.id()),
                None => format!("pages found by {}, from their own hosts", self.service.id()),
            }),
            EvidenceKind::Code => Some(format!("archives of repositories found by {}", self.service.id())),
        }
    }

    /// The text at this location.
    pub(super) async fn whole_text(&self, at: &TextAt) -> Result<Document, SourceError> {
        let place = match at {
            TextAt::Page(address) | TextAt::Archive(address) => plain(address, 160),
        };
        let unreached = |source| SourceError::TextUnreached {
            place: place.clone(),
            source,
        };
        let no_text = |why: String, status: Option<u16>| SourceError::NoText {
            place: place.clone(),
            why,
            status,
        };
        let request = self.text_request(at).map_err(unreached)?;
        let response = self.gateway.send(&request).await.map_err(unreached)?;
        if !response.is_success() {
            let message = message_of(&response.text());
            let and = if message.is_empty() {
                message
            } else {
                format!(": “{message}”")
            };
            let why = format!("the server refused it ({}{and})", response.status);
            return Err(no_text(why, Some(response.status)));
        }
        let is_page = matches!(at, TextAt::Page(_));
        let reading = tokio::task::spawn_blocking(move || match is_page {
            true => page(response),
            false => repository(&response.body),
        });
        let read = reading.await.unwrap_or_else(|error| Err(cause_of(error)));
        let read = read.map_err(|why| no_text(why, None))?;
        match read.text.len() {
            0..=LONGEST_TEXT => Ok(read),
            length => Err(no_text(format!("a text of {length} bytes exceeds the limit"), None)),
        }
    }

    fn text_request(&self, at: &TextAt) -> Result<Request, HttpError> {
        let get = |address: &str| Request::get(FetchLimits::TEXT, address);
        let request = match (at, &self.endpoint.texts) {
            (TextAt::Page(address), Some(reader)) => get(&format!("{reader}/{address}"))?.header("accept", ACCEPT),
            (TextAt::Page(address), None) => get(&for_programs(address))?.found().header("accept", ACCEPT),
            (TextAt::Archive(address), _) => get(address)?.from_this_host(),
        };
        let (most, usual) = match at {
            TextAt::Page(_) if request.host().ends_with("arxiv.org") => (FILE, BETWEEN_AT_ARXIV),
            TextAt::Page(_) => (FILE, BETWEEN),
            TextAt::Archive(_) => (ARCHIVE, BETWEEN),
        };
        Ok(request
            .pace(Pace::one_every(self.between.unwrap_or(usual)))
            .at_most(most)
            .timeout(TRY)
            .patience(WITHIN)
            .within(WITHIN)
            .tries(2))
    }
}

/// The address at arXiv's host for programs, for a page of arXiv. Its main host is for readers.
fn for_programs(address: &str) -> String {
    let rest = ["https://arxiv.org/", "http://arxiv.org/", "https://www.arxiv.org/"]
        .iter()
        .find_map(|start| address.strip_prefix(start));
    rest.map_or_else(|| address.to_owned(), |rest| format!("https://export.arxiv.org/{rest}"))
}

/// Converts a page or a PDF to a document, or returns the reason why this is impossible.
fn page(response: Response) -> Result<Document, String> {
    let kind = response.content_type().unwrap_or_default();
    let charset = response.header("content-type").and_then(charset);
    let body = response.body;
    let is_pdf = body.starts_with(b"%PDF-");
    let name = match kind.as_str() {
        "application/pdf" | "application/x-pdf" | "application/octet-stream" | "" if is_pdf => "page.pdf",
        "text/html" | "application/xhtml+xml" | "" if is_text(&body) => "page.html",
        "text/markdown" | "text/x-markdown" if is_text(&body) => "page.md",
        "text/plain" if is_text(&body) => "page.txt",
        "" => return Err("the response is neither a page nor a PDF".to_owned()),
        other => {
            return Err(format!(
                "the response is neither a page nor a PDF: {}",
                plain(other, 60)
            ));
        }
    };
    if !is_pdf && body.len() > LONGEST_PAGE {
        return Err(format!("a page of {} bytes exceeds the limit", body.len()));
    }
    if !is_pdf && unfolds_too_far(&body) {
        return Err("the page was not read because its elements would expand excessively".to_owned());
    }
    let body = match charset.filter(|_| !is_pdf && std::str::from_utf8(&body).is_err()) {
        Some(encoding) => encoding.decode(&body).0.into_owned().into_bytes(),
        None => body,
    };
    let paper = precedent_read::read_bytes(&body, name).map_err(|error| match error {
        ReadError::NotAPaper { what, .. } => plain(&format!("the response is {what}"), 200),
        other => plain(&format!("failed to {other}"), 200),
    })?;
    Ok(paper.document)
}

/// Whether the bytes may be text for people: not an archive, JSON or anything else that the parser would not treat as a page.
fn is_text(body: &[u8]) -> bool {
    let start = body.trim_ascii_start();
    !start.starts_with(b"\x1f\x8b") && !start.starts_with(b"{") && body.get(257..262) != Some(b"ustar")
}

/// The character set named in a content type.
fn charset(kind: &str) -> Option<&'static Encoding> {
    let (_, value) = kind.split_once("charset=")?;
    let label = value.split(';').next()?.trim().trim_matches(['"', '\'']);
    Encoding::for_label(label.as_bytes())
}

/// Converts a repository to a document, or returns the reason why this is impossible.
fn repository(archive: &[u8]) -> Result<Document, String> {
    let repository =
        read_archive(archive, &Bounds::default()).map_err(|error| plain(&format!("failed to {error}"), 200))?;
    let document = document(&repository, FUNCTIONS);
    match document.paragraphs.is_empty() {
        true => Err("it contains no README and no function in a supported language".to_owned()),
        false => Ok(document),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_arxiv_are_fetched_from_its_host_for_programs() {
        for (address, expected) in [
            (
                "https://arxiv.org/abs/2103.01002",
                "https://export.arxiv.org/abs/2103.01002",
            ),
            (
                "http://arxiv.org/pdf/2103.01002v1",
                "https://export.arxiv.org/pdf/2103.01002v1",
            ),
            (
                "https://arxiv.org.example.net/abs/2103.01002",
                "https://arxiv.org.example.net/abs/2103.01002",
            ),
        ] {
            assert_eq!(for_programs(address), expected);
        }
    }
}

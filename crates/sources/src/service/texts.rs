//! Texts of pages and repositories that a search leads to.
//!
//! In: where one lies. Out: a document of what stands there, or why there is none. What comes is data: scripts, hidden text and markup are left out by the reader of
//! pages, archives are read without being unpacked, and everything is bounded.

use std::time::Duration;

use encoding_rs::Encoding;
use precedent_code::{Bounds, document, read_archive};
use precedent_domain::{Document, EvidenceKind};
use precedent_http::{HttpError, Pace, Request, Response};
use precedent_read::ReadError;

use super::source::{ServiceSource, host_of};
use super::unfolding::unfolds_too_far;
use super::{TextAt, plain, said};
use crate::source::cause_of;
use crate::{Errand, SourceError};

/// Longest file of the web and longest archive that are taken, in bytes as they come, and longest page.
const FILE: u64 = 20 << 20;
const ARCHIVE: u64 = 32 << 20;
const LONGEST_PAGE: usize = 4 << 20;
/// Longest text that is handed on: some thousand pages.
const LONGEST_TEXT: usize = 4 << 20;
/// Longest time for one try, and for everything.
const TRY: Duration = Duration::from_secs(30);
const WITHIN: Duration = Duration::from_secs(60);
/// The least time between two files of one host; arXiv asks for more of everybody.
const BETWEEN: Duration = Duration::from_secs(1);
const BETWEEN_AT_ARXIV: Duration = Duration::from_secs(3);
/// Functions of a repository that its text has.
const FUNCTIONS: usize = 120;
const ACCEPT: &str = "text/html, application/xhtml+xml, application/pdf, text/plain;q=0.8, text/markdown;q=0.8";

impl ServiceSource {
    /// Where texts of what it finds are fetched, for people; `None` where none are.
    #[must_use]
    pub fn would_fetch(&self) -> Option<String> {
        let elsewhere = self.endpoint.texts.as_deref().map(host_of);
        match self.service.kind() {
            EvidenceKind::Literature => None,
            EvidenceKind::Web => Some(match elsewhere {
                Some(host) => format!("pages that {} leads to, through {host}", self.service.id()),
                None => format!("pages that {} leads to, from their own hosts", self.service.id()),
            }),
            EvidenceKind::Code => Some(format!("archives of repositories that {} finds", self.service.id())),
        }
    }

    /// The text that lies there.
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
        let response = self.door.send(&request).await.map_err(unreached)?;
        if !response.is_success() {
            let said = said(&response.text());
            let and = if said.is_empty() {
                said
            } else {
                format!(": “{said}”")
            };
            let why = format!("it is not given ({}{and})", response.status);
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
            length => Err(no_text(
                format!("a text of {length} bytes is longer than is taken"),
                None,
            )),
        }
    }

    fn text_request(&self, at: &TextAt) -> Result<Request, HttpError> {
        let get = |address: &str| Request::get(Errand::TEXT, address);
        let request = match (at, &self.endpoint.texts) {
            (TextAt::Page(address), Some(reader)) => get(&format!("{reader}/{address}"))?.header("accept", ACCEPT),
            (TextAt::Page(address), None) => get(address)?.found().header("accept", ACCEPT),
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

/// A page or a PDF as a document; else why it is none.
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
        "" => return Err("what came is neither a page nor a PDF".to_owned()),
        other => return Err(format!("what came is neither a page nor a PDF: {}", plain(other, 60))),
    };
    if !is_pdf && body.len() > LONGEST_PAGE {
        return Err(format!("a page of {} bytes is longer than is read", body.len()));
    }
    if !is_pdf && unfolds_too_far(&body) {
        return Err("a page whose elements would unfold without end is not read".to_owned());
    }
    let body = match charset.filter(|_| !is_pdf && std::str::from_utf8(&body).is_err()) {
        Some(encoding) => encoding.decode(&body).0.into_owned().into_bytes(),
        None => body,
    };
    let paper = precedent_read::read_bytes(&body, name).map_err(|error| match error {
        ReadError::NotAPaper { what, .. } => plain(&format!("what came is {what}"), 200),
        other => plain(&format!("failed to {other}"), 200),
    })?;
    Ok(paper.document)
}

/// Whether the bytes may be a text for people: no archive, no JSON, nothing that a reader would take for something else than a page.
fn is_text(body: &[u8]) -> bool {
    let start = body.trim_ascii_start();
    !start.starts_with(b"\x1f\x8b") && !start.starts_with(b"{") && body.get(257..262) != Some(b"ustar")
}

/// The character set that a type names.
fn charset(kind: &str) -> Option<&'static Encoding> {
    let (_, value) = kind.split_once("charset=")?;
    let label = value.split(';').next()?.trim().trim_matches(['"', '\'']);
    Encoding::for_label(label.as_bytes())
}

/// A repository as a document; else why it is none.
fn repository(archive: &[u8]) -> Result<Document, String> {
    let repository =
        read_archive(archive, &Bounds::default()).map_err(|error| plain(&format!("failed to {error}"), 200))?;
    let document = document(&repository, FUNCTIONS);
    match document.paragraphs.is_empty() {
        true => Err("it holds no README and no function in a language that is read".to_owned()),
        false => Ok(document),
    }
}

//! Papers that a front end downloads for somebody, who sees first what would be sent.

use std::path::{Path, PathBuf};

use precedent_engine::sources::{PaperName, PaperPlaces};
use serde::{Deserialize, Serialize};

use crate::fetch::{self, FetchPolicy};
use crate::runtime::outside_runtime;
use crate::{App, AppError, ErrorKind, Settings, SilentObserver};

/// A paper to download. It is never read as the path of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaperChoice {
    /// By identifier or address.
    Name(String),
    /// By title, whose words are sent to an index of papers.
    Title(String),
}

/// What downloading a paper would send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DownloadEgress {
    /// What is sent, in words.
    pub what: String,
    /// Addresses of the servers that receive it.
    pub to: Vec<String>,
    /// What may be sent after that, in words.
    pub perhaps: Option<&'static str>,
}

/// Where a downloaded paper is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Download {
    /// Its absolute path. A note beside it has its identifiers and what was sent; [`Download::move_to`] takes both along.
    pub path: PathBuf,
}

impl Download {
    /// Moves the file to `path`, with its note.
    ///
    /// # Errors
    /// If a file cannot be moved.
    pub fn move_to(&self, path: &Path) -> std::io::Result<()> {
        std::fs::rename(fetch::note_path(&self.path), fetch::note_path(path)).or_else(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Ok(()),
            _ => Err(error),
        })?;
        std::fs::rename(&self.path, path)
    }
}

impl PaperChoice {
    /// The text that names the paper.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Name(text) | Self::Title(text) => text.trim(),
        }
    }

    fn egress(&self, places: &PaperPlaces) -> Result<DownloadEgress, AppError> {
        let text = self.text();
        let at = |base: &String| vec![base.clone()];
        let copies = "the archive or host that has an open copy receives a request for the paper";
        // The identifiers that a record or title leads to may include a DOI.
        let of_doi = match places.mailto {
            None => {
                "OpenAlex receives its DOI, if it has one, and the archive or host that has an open copy a request for the paper"
            }
            Some(_) => {
                "OpenAlex and Unpaywall receive its DOI, if it has one, Unpaywall with your contact address, and the archive or host that has an open \
                 copy a request for the paper"
            }
        };
        let name = match self {
            Self::Title(_) => {
                fetch::checked_title(text)?;
                return Ok(DownloadEgress {
                    what: "up to 40 words of the title".to_owned(),
                    to: at(&places.works),
                    perhaps: Some(of_doi),
                });
            }
            Self::Name(_) => named(text)?,
        };
        let (to, perhaps) = match &name {
            PaperName::Arxiv { .. } => (at(&places.arxiv), None),
            PaperName::Acl(_) => (at(&places.acl), None),
            PaperName::OpenReview(_) => (at(&places.openreview), None),
            PaperName::Pmc(_) => (at(&places.pmc), None),
            // Unpaywall requires an e-mail address.
            PaperName::Doi(_) => {
                let unpaywall = places.mailto.iter().map(|_| places.unpaywall.clone());
                (
                    std::iter::once(places.works.clone()).chain(unpaywall).collect(),
                    Some(copies),
                )
            }
            PaperName::Record(record) if record.as_str().contains(":MED/") => (at(&places.pmc), Some(of_doi)),
            PaperName::Record(_) => (at(&places.semantic_scholar), Some(of_doi)),
            PaperName::Address(address) => (at(address), None),
            _ => {
                return Err(AppError::with_message(
                    ErrorKind::Usage,
                    "this kind of name cannot be downloaded",
                ));
            }
        };
        let what = match name {
            PaperName::Address(_) => "a request for this address".to_owned(),
            _ => format!("the identifier {text}"),
        };
        Ok(DownloadEgress { what, to, perhaps })
    }
}

/// The name in a text that must be one.
fn named(text: &str) -> Result<PaperName, AppError> {
    PaperName::parse(text).ok_or_else(|| {
        let message = match PaperName::misnamed(text) {
            Some(why) => format!("failed to {why}"),
            None => format!("{text:?} is not the identifier or the address of a paper"),
        };
        AppError::with_message(ErrorKind::Usage, message)
            .hint("use an arXiv id, a DOI or an address that begins with https://, or search for the title")
    })
}

impl App {
    /// What downloading this paper would send. Nothing is sent.
    ///
    /// # Errors
    /// If it is no name of a paper, or the settings cannot be read or allow no connections.
    pub fn download_egress(&self, paper: &PaperChoice, settings: Option<&Path>) -> Result<DownloadEgress, AppError> {
        let settings = Settings::load(settings)?;
        if settings.local_only {
            let message = "the settings allow no connections, so no paper can be downloaded";
            return Err(AppError::with_message(ErrorKind::Usage, message).hint("use a file"));
        }
        paper.egress(&settings.places())
    }

    /// Downloads a paper to the folder `dir`. Blocks the calling thread.
    ///
    /// # Errors
    /// If it is no name of a paper, the settings allow no connections, or no copy can be downloaded and read.
    pub fn download(&self, paper: &PaperChoice, settings: Option<&Path>, dir: &Path) -> Result<Download, AppError> {
        let policy = FetchPolicy {
            dir,
            settings,
            local_only: false,
            nothing: false,
        };
        let (text, observer) = (paper.text(), &SilentObserver);
        let found = outside_runtime(|| match paper {
            PaperChoice::Name(_) => fetch::named(&named(text)?, policy, observer),
            PaperChoice::Title(_) => fetch::searched(text, policy, observer),
        })?;
        Ok(Download { path: found.path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_never_a_path_and_says_who_receives_it() {
        let places = PaperPlaces::default();
        let name = |text: &str| PaperChoice::Name(text.to_owned()).egress(&places);
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        for text in [
            root,
            "Cargo.toml",
            "",
            "-",
            "Slack-Aware Coding",
            "file:///etc/passwd",
            "arXiv:9999.99999",
        ] {
            assert_eq!(name(text).unwrap_err().kind, ErrorKind::Usage, "{text}");
        }
        for (text, to, more) in [
            (" arXiv:2605.00001", "https://export.arxiv.org", false),
            ("10.1145/3292500.3330701", "https://api.openalex.org", true),
            ("PMID:17211417", "https://www.ebi.ac.uk/", true),
            ("CorpusId:258059792", "https://api.semanticscholar.org", true),
            ("https://example.org/a.pdf", "https://example.org/a.pdf", false),
        ] {
            let egress = name(text).unwrap();
            assert!(
                egress.to.len() == 1 && egress.to[0].starts_with(to),
                "{text}: {egress:?}"
            );
            assert_eq!(egress.perhaps.is_some(), more, "{text}");
        }
        let title = |text: &str| PaperChoice::Title(text.to_owned()).egress(&places);
        assert!(title("Slack-Aware Coding").unwrap().to[0].starts_with("https://api.openalex.org"));
        assert_eq!(title("Slack").unwrap_err().kind, ErrorKind::Usage);
    }
}

use precedent_corpus::CorpusError;
use precedent_http::HttpError;

use crate::service::{Ability, ServiceError};

/// Why a source did not answer. Messages fit "failed to {error}".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// The local corpus could not be searched.
    #[error("search the corpus {name}")]
    Corpus {
        /// Name of the source.
        name: String,
        /// Why.
        source: CorpusError,
    },
    /// The background task ended without a result.
    #[error("finish the search in {name}: {reason}")]
    BrokenOff {
        /// Name of the source.
        name: String,
        /// Why it ended.
        reason: String,
    },
    /// A service was not reached, or no request was sent.
    #[error("search {name}")]
    Unreached {
        /// Name of the source.
        name: String,
        /// Why.
        source: HttpError,
    },
    /// A service was reached but did not answer the request.
    #[error("search {name}: {trouble}{hint}")]
    ServiceError {
        /// Name of the source.
        name: String,
        /// Why.
        trouble: ServiceError,
        /// What to do, after a semicolon; may be empty.
        hint: String,
    },
    /// The source does not support this.
    #[error("search {name}: it cannot {what}")]
    Unable {
        /// Name of the source.
        name: String,
        /// The unsupported ability.
        what: &'static str,
    },
    /// The run sends no more requests to a service, for a reason that occurred earlier.
    #[error("search {name}: {why}")]
    GivenUp {
        /// Name of the source.
        name: String,
        /// Why.
        why: String,
    },
    /// The response is not a valid answer of the service.
    #[error("read the answer of {name}: {why}")]
    Unreadable {
        /// Name of the source.
        name: String,
        /// Why.
        why: String,
    },
    /// The service answered a search without a part of its works. The works in the answer are used.
    #[error("search all of {name}: {why}")]
    Incomplete {
        /// Name of the source.
        name: String,
        /// What is missing.
        why: String,
    },
    /// The text is too long to be a query; it was not sent.
    #[error("search {name}: a text of {words} words is too long for a query; only phrases are sent")]
    TooLong {
        /// Name of the source.
        name: String,
        /// The number of words.
        words: usize,
    },
    /// After removing what must not leave the machine, too little was left of a query. It was not sent.
    #[error(
        "search {name}: a query contained little besides author names, names coined by the manuscript or its own sentences, so it was not sent"
    )]
    Withheld {
        /// Name of the source.
        name: String,
    },
    /// The text of a page or repository was not reached.
    #[error("fetch the text of {place}")]
    TextUnreached {
        /// Its address.
        place: String,
        /// Why.
        source: HttpError,
    },
    /// The content at the address is not a usable text.
    #[error("read the text of {place}: {why}")]
    NoText {
        /// Its address.
        place: String,
        /// Why.
        why: String,
        /// The status of an unsuccessful response.
        status: Option<u16>,
    },
    /// A source of a kind that cannot be used here.
    #[error("use {name} here: it finds {what}, which only `precedent review` reads")]
    OtherKind {
        /// Name of the source.
        name: String,
        /// What it finds.
        what: &'static str,
    },
    /// The server did not return the paper.
    #[error("open the source of the paper: the server refused it ({status}{and})")]
    NotGiven {
        /// The status.
        status: u16,
        /// The server's message, after a colon; may be empty.
        and: String,
    },
    /// There is no source of this name.
    #[error("find a source named {name:?}; known sources: {known}")]
    Unknown {
        /// The requested name.
        name: String,
        /// The known names.
        known: String,
    },
    /// The source cannot be opened as named.
    #[error("open the source {name}: {reason}")]
    Unusable {
        /// Name of the source.
        name: String,
        /// Why.
        reason: String,
    },
}

impl SourceError {
    pub(crate) fn unable(name: &str, ability: Ability) -> Self {
        Self::Unable {
            name: name.to_owned(),
            what: ability.in_words(),
        }
    }

    /// Whether a later request may succeed: the service was not reached or was too busy. Refused requests, too long texts and responses that are not
    /// papers stay failed.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Unreached { source, .. } | Self::TextUnreached { source, .. } => !matches!(
                source,
                HttpError::NotAllowed { .. } | HttpError::TooLarge { .. } | HttpError::BadAddress { .. }
            ),
            Self::NotGiven { status, .. }
            | Self::NoText {
                status: Some(status), ..
            } => matches!(status, 408 | 425 | 429 | 500..),
            Self::BrokenOff { .. } | Self::GivenUp { .. } | Self::Incomplete { .. } => true,
            _ => false,
        }
    }

    /// The error without the name of the source.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::ServiceError { trouble, hint, .. } => format!("{trouble}{hint}"),
            other => other.to_string(),
        }
    }
}

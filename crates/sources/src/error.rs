use precedent_corpus::CorpusError;
use precedent_http::HttpError;

use crate::service::{Ability, Trouble};

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
    /// The work on a background thread was broken off.
    #[error("finish the search in {name}: {reason}")]
    BrokenOff {
        /// Name of the source.
        name: String,
        /// What broke it off.
        reason: String,
    },
    /// A service was not reached, or not asked.
    #[error("search {name}")]
    Unreached {
        /// Name of the source.
        name: String,
        /// Why.
        source: HttpError,
    },
    /// A service was reached and gave no answer.
    #[error("search {name}: {trouble}{hint}")]
    Trouble {
        /// Name of the source.
        name: String,
        /// Why.
        trouble: Trouble,
        /// What to do, after a semicolon; may be empty.
        hint: String,
    },
    /// It cannot be asked this.
    #[error("search {name}: it cannot {what}")]
    Unable {
        /// Name of the source.
        name: String,
        /// What it cannot do.
        what: &'static str,
    },
    /// A service is asked nothing more in this run, for a reason that came up earlier.
    #[error("search {name}: {why}")]
    GivenUp {
        /// Name of the source.
        name: String,
        /// Why.
        why: String,
    },
    /// What a service said is none of its answers.
    #[error("read the answer of {name}: {why}")]
    Unreadable {
        /// Name of the source.
        name: String,
        /// Why.
        why: String,
    },
    /// The text is too long to be a query; it was not sent.
    #[error("search {name}: a text of {words} words is no query, and nothing longer than a phrase is sent")]
    TooLong {
        /// Name of the source.
        name: String,
        /// Its length.
        words: usize,
    },
    /// Too little was left of a query without what must not leave the machine; it was not sent.
    #[error(
        "search {name}: a query contained little besides names of the authors, names that the manuscript coins or its own sentences, and was not sent"
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
    /// What stands there gives no text.
    #[error("read the text of {place}: {why}")]
    NoText {
        /// Its address.
        place: String,
        /// Why.
        why: String,
        /// The status, of an answer without success.
        status: Option<u16>,
    },
    /// A source of another kind than can be used here.
    #[error("use {name} here: it finds {what}, which only `precedent review` reads")]
    OtherKind {
        /// Name of the source.
        name: String,
        /// What it finds.
        what: &'static str,
    },
    /// The server does not give the paper.
    #[error("open the source of the paper: it is not given ({status}{and})")]
    NotGiven {
        /// The status.
        status: u16,
        /// What the server said, after a colon; may be empty.
        and: String,
    },
    /// A source of this name is not known.
    #[error("find a source named {name:?}; known are: {known}")]
    Unknown {
        /// The name asked for.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The source cannot be opened as it was named.
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

    /// Whether asking again another day may bring more: nobody was reached, or was too busy. What is refused, is too long or is no paper stays so.
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
            Self::BrokenOff { .. } | Self::GivenUp { .. } => true,
            _ => false,
        }
    }

    /// What is wrong, without the name of the source.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::Trouble { trouble, hint, .. } => format!("{trouble}{hint}"),
            other => other.to_string(),
        }
    }
}

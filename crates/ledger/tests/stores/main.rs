//! Every kind of ledger passes the same cases. `files` has what only SQLite files do, `databases` what only PostgreSQL does.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may stop")]

mod cases;
#[cfg(feature = "postgres")]
mod databases;
mod files;
#[cfg(feature = "postgres")]
mod large_queue;
#[cfg(feature = "postgres")]
mod queue;

use std::path::PathBuf;

use precedent_ledger::{Answer, InputHash, Ledger};

/// Where the ledgers of a case are.
pub(crate) enum Place {
    /// Files in this folder, one for each scope.
    Files(PathBuf),
    /// Files, each with a shared one.
    Mirrored(PathBuf),
    /// A database with this URL.
    #[cfg(feature = "postgres")]
    Database(String),
}

impl Place {
    /// Opens the ledger of `scope` as another process would.
    pub(crate) async fn open(&self, scope: &str) -> Ledger {
        match self {
            Self::Files(folder) => Ledger::open(&folder.join(format!("{scope}.sqlite"))).await.unwrap(),
            Self::Mirrored(folder) => {
                let shared = Ledger::open(&folder.join(format!("{scope}.shared.sqlite"))).await;
                let own = Ledger::in_memory().await.unwrap();
                own.sharing(shared.unwrap())
            }
            #[cfg(feature = "postgres")]
            Self::Database(url) => Ledger::connect(url, scope).await.unwrap(),
        }
    }

    /// Whether a ledger that is opened again sees what was sent before.
    pub(crate) fn keeps_sent(&self) -> bool {
        !matches!(self, Self::Mirrored(_))
    }
}

pub(crate) fn hash(text: &str) -> InputHash {
    InputHash::of([text.as_bytes()])
}

pub(crate) fn answer(status: u16, body: &str, settled: bool) -> Answer {
    Answer {
        asked: "GET https://example.org/works".to_owned(),
        status,
        head: "{}".to_owned(),
        body: body.as_bytes().to_vec(),
        settled,
    }
}

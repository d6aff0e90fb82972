use std::path::Path;

use precedent_ledger::{Ledger, LedgerError, Sent};
use sqlx::SqlitePool;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

use crate::{answer, hash};

async fn database(path: &Path) -> SqlitePool {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
    SqlitePoolOptions::new().connect_with(options).await.unwrap()
}

/// A file with the tables that an earlier version created.
async fn old_file(path: &Path, statements: &[&'static str]) {
    let old = database(path).await;
    for statement in statements {
        sqlx::query(*statement).execute(&old).await.unwrap();
    }
    sqlx::query("INSERT INTO artifacts VALUES ('extract', 1, ?1, x'6f6e65')")
        .bind(hash("paper").as_str())
        .execute(&old)
        .await
        .unwrap();
    old.close().await;
}

const ARTIFACTS: &str = "CREATE TABLE artifacts (stage TEXT NOT NULL, version INTEGER NOT NULL, input_hash TEXT NOT NULL, output BLOB NOT NULL,
    PRIMARY KEY (stage, version, input_hash)) WITHOUT ROWID";

#[tokio::test]
async fn files_of_all_earlier_formats_open_and_get_the_new_tables() {
    let formats: [&[&str]; 2] = [
        &[ARTIFACTS, "PRAGMA user_version = 1"],
        &[
            ARTIFACTS,
            "CREATE TABLE answers (key TEXT NOT NULL PRIMARY KEY, asked TEXT NOT NULL, status INTEGER NOT NULL, head TEXT NOT NULL,
             body BLOB NOT NULL, settled INTEGER NOT NULL) WITHOUT ROWID",
            "CREATE TABLE egress (number INTEGER PRIMARY KEY AUTOINCREMENT, who TEXT NOT NULL, host TEXT NOT NULL, asked TEXT NOT NULL,
             bytes_out INTEGER NOT NULL, bytes_in INTEGER NOT NULL, outcome TEXT NOT NULL)",
            "PRAGMA user_version = 2",
        ],
    ];
    for statements in formats {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ledger.sqlite");
        old_file(&path, statements).await;
        assert!(Ledger::sent_in(&path).await.unwrap().is_empty());
        let ledger = Ledger::open(&path).await.unwrap();
        let kept = ledger.artifact("extract", 1, &hash("paper")).await.unwrap();
        assert_eq!(kept.unwrap(), b"one");
        assert_eq!(ledger.answer(&hash("asked")).await.unwrap(), None);
        assert!(ledger.everything_sent().await.unwrap().is_empty());
        let second = std::time::Duration::from_secs(1);
        assert!(ledger.claim(&hash("asked"), second).await.is_ok());
    }
}

#[tokio::test]
async fn a_later_format_and_a_file_that_is_not_a_ledger_are_rejected() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("later.sqlite");
    let later = database(&path).await;
    sqlx::query("PRAGMA user_version = 99").execute(&later).await.unwrap();
    later.close().await;
    for opened in [
        Ledger::open(&path).await.map(|_| ()),
        Ledger::sent_in(&path).await.map(|_| ()),
    ] {
        assert!(
            matches!(&opened, Err(LedgerError::Newer { found: 99, known: 3 })),
            "{opened:?}"
        );
    }
    let other = dir.path().join("other.sqlite");
    std::fs::write(&other, "this is no database, it is a plain text file of some length").unwrap();
    assert!(Ledger::open(&other).await.is_err());
}

#[tokio::test]
async fn others_read_what_was_sent_while_the_file_is_open() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("ledger.sqlite");
    let ledger = Ledger::open(&path).await.unwrap();
    let sent = Sent {
        who: "source".to_owned(),
        host: "example.org".to_owned(),
        asked: "GET /works".to_owned(),
        bytes_out: 25,
        bytes_in: 0,
        outcome: "sending".to_owned(),
    };
    ledger.note_sent(&sent).await.unwrap();
    let log = dir.path().join("ledger.sqlite-wal");
    let before = std::fs::metadata(&log).unwrap().len();
    assert_eq!(Ledger::sent_in(&path).await.unwrap(), std::slice::from_ref(&sent));
    // The write-ahead log is left as it is.
    assert_eq!(std::fs::metadata(&log).unwrap().len(), before);
    ledger.close().await;
    assert_eq!(Ledger::sent_in(&path).await.unwrap(), [sent]);
}

#[tokio::test]
async fn a_mirrored_ledger_leaves_everything_it_used_in_its_own_file() {
    let dir = tempfile::tempdir().unwrap();
    let (shared, own) = (dir.path().join("shared.sqlite"), dir.path().join("own.sqlite"));
    let other = Ledger::open(&shared).await.unwrap();
    other
        .keep_artifact("extract", 1, &hash("paper"), b"theirs")
        .await
        .unwrap();
    other
        .keep_answer(&hash("q"), &answer(200, "other's", true))
        .await
        .unwrap();
    let open = async || {
        let shared = Ledger::open(&shared).await.unwrap();
        Ledger::open(&own).await.unwrap().sharing(shared)
    };
    let ledger = open().await;
    // It lacks the answers that the output of another process's stage was computed from.
    assert_eq!(ledger.artifact("extract", 1, &hash("paper")).await.unwrap(), None);
    ledger
        .keep_artifact("extract", 1, &hash("paper"), b"one")
        .await
        .unwrap();
    assert!(ledger.answer(&hash("q")).await.unwrap().is_some());
    ledger
        .keep_answer(&hash("mine"), &answer(200, "mine", true))
        .await
        .unwrap();
    ledger.close().await;
    assert_eq!(
        other.answer(&hash("mine")).await.unwrap(),
        Some(answer(200, "mine", true))
    );
    let alone = Ledger::open(&own).await.unwrap();
    assert_eq!(
        alone.artifact("extract", 1, &hash("paper")).await.unwrap().unwrap(),
        b"one"
    );
    assert_eq!(
        alone.answer(&hash("q")).await.unwrap(),
        Some(answer(200, "other's", true))
    );
    assert_eq!(
        alone.answer(&hash("mine")).await.unwrap(),
        Some(answer(200, "mine", true))
    );
    // What the run has used does not change when the shared ledger holds another response.
    alone
        .keep_answer(&hash("late"), &answer(200, "own", true))
        .await
        .unwrap();
    other
        .keep_answer(&hash("late"), &answer(200, "other's", true))
        .await
        .unwrap();
    alone.close().await;
    let again = open().await;
    assert_eq!(
        again.answer(&hash("late")).await.unwrap(),
        Some(answer(200, "own", true))
    );
}

#[cfg(not(feature = "postgres"))]
#[tokio::test]
async fn without_the_driver_the_error_says_how_to_build_it() {
    let error = Ledger::connect("postgres://chair:secret@host/venue", "run")
        .await
        .unwrap_err();
    assert!(error.to_string().contains("--features postgres"), "{error}");
    assert!(!format!("{error:?}").contains("secret"));
}

use crate::runs::{RunStatus, SentTotal};
use precedent_engine::World;
use precedent_engine::assess::{AssessOptions, assess};
use precedent_engine::domain::{Assessment, SentContent, SentRecord};
use precedent_report::{InWords, SENT_TO_DATABASE};

use crate::database::DATABASE;
use crate::run::{Run, status_of_paper};
use crate::{AppError, fetch};

/// Reads, searches, compares and writes the reports.
pub(super) fn work(run: &mut Run) -> Result<Assessment, AppError> {
    let paper = run.read_paper()?;
    let options = AssessOptions {
        as_of: run.manifest.request.as_of,
        ..AssessOptions::default()
    };
    let outcome = run.in_world(async |world: &World| assess(paper, options, world).await);
    // The download of the paper is recorded beside it, not in the run's ledger.
    let fetched = fetch::sent_for(&run.manifest.request.input);
    if outcome.is_ok() || !run.manifest.sent.is_empty() {
        run.manifest.sent.splice(0..0, fetched.iter().cloned());
    }
    let mut found = outcome?;
    let shared = run.manifest.sent.iter().filter(|total| total.who == DATABASE);
    found.metadata.sent.extend(shared.map(of_database));
    found.metadata.sent.extend(fetched.into_iter().map(of_fetching));
    found.put_in_words();
    run.write_reports(&found)?;
    run.manifest.models.clone_from(&found.metadata.models);
    Ok(found)
}

/// Report entry for what was sent to download the paper itself.
fn of_fetching(total: SentTotal) -> SentRecord {
    SentRecord {
        what: String::new(),
        host: total.host,
        requests: usize::try_from(total.requests).unwrap_or(usize::MAX),
        bytes: total.bytes_out,
        content: Some(SentContent::PaperName),
    }
}

/// Report entry for a database on another machine that has the run's records.
fn of_database(total: &SentTotal) -> SentRecord {
    SentRecord {
        what: SENT_TO_DATABASE.to_owned(),
        host: total.host.clone(),
        // A connection, whatever was written through it.
        requests: 1,
        bytes: 0,
        content: None,
    }
}

/// Status of a run with this outcome.
pub(super) fn status(found: &Assessment) -> RunStatus {
    status_of_paper(&found.metadata)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_named_once_however_often_the_run_was_continued() {
        let total = SentTotal {
            who: DATABASE.to_owned(),
            host: "db.lab:5433".to_owned(),
            requests: 3,
            ..SentTotal::default()
        };
        let record = of_database(&total);
        assert_eq!((record.host.as_str(), record.requests), ("db.lab:5433", 1));
        assert!(record.what.contains("database"), "{}", record.what);
    }
}

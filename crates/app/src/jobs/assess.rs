use precedent_engine::World;
use precedent_engine::assess::{AssessOptions, assess};
use precedent_engine::domain::{Assessment, SentContent, SentRecord};
use precedent_engine::runs::{RunStatus, SentTotal};
use precedent_report::InWords;

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

/// Status of a run with this outcome.
pub(super) fn status(found: &Assessment) -> RunStatus {
    status_of_paper(&found.metadata)
}

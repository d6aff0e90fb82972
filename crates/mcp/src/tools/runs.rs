use std::sync::Arc;
use std::time::Duration;

use precedent_app::domain::SentRecord;
use precedent_app::{
    ErrorKind, IdeaSummary, PaperSummary, Report, RunStatus, StoredRun, claim_evidence, idea_evidence,
};

use crate::answer::{Answer, Arguments};
use crate::arguments::{CancelArguments, EvidenceArguments, RunArguments, parsed};
use crate::call::Call;
use crate::error::Failure;
use crate::outputs::{EvidenceOutput, Output, RunOutput, TextPage};
use crate::runs::{ActiveRun, Phase};
use crate::server::Server;

/// Notes on progress in an answer.
const NOTES: usize = 5;
/// Seconds that `get_run` waits for the end of a run, if the call does not say.
const USUAL_WAIT: u64 = 20;

/// `get_run`.
pub(crate) fn get_run(server: &Arc<Server>, arguments: &Arguments, call: &Call) -> Result<Answer, Failure> {
    let arguments: RunArguments = parsed(arguments)?;
    if let Some(run) = server.runs.active(&arguments.run) {
        let wait = Duration::from_secs(arguments.wait_seconds.unwrap_or(USUAL_WAIT)).min(server.wait);
        run.wait_without_cancelling(wait, call)?;
    }
    if arguments.report != Some(true) {
        return server.run_answer(&arguments.run, call);
    }
    let stored = server.runs.stored(&arguments.run)?;
    let Some(name) = stored.report_file("md") else {
        return Err(Failure::new(ErrorKind::Input, "the run has no Markdown report yet")
            .hint("call get_run without `report` to see its status"));
    };
    let bytes = stored.file(name)?;
    let mut output = server.ended(&stored);
    (output.assessment, output.idea) = (None, None);
    output.report = Some(TextPage::default());
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Answer::with_text(&Output::new(output), "/report", text, 0, Some("/not_searched"))
}

/// `cancel_run`.
pub(crate) fn cancel_run(server: &Arc<Server>, arguments: &Arguments, call: &Call) -> Result<Answer, Failure> {
    let arguments: CancelArguments = parsed(arguments)?;
    let Some(run) = server.runs.active(&arguments.run) else {
        // An unknown id is an error, and a run of another process cannot be cancelled here.
        let stored = server.runs.stored(&arguments.run)?;
        if stored.manifest.status == RunStatus::Running {
            return Err(Failure::usage(
                "another process is running it",
                "cancel it where it was started",
            ));
        }
        return server.run_answer(&arguments.run, call);
    };
    run.cancel();
    // The job ends at its next step.
    run.wait_without_cancelling(Duration::from_secs(USUAL_WAIT).min(server.wait), call)?;
    server.run_answer(&arguments.run, call)
}

/// `get_evidence`.
pub(crate) fn get_evidence(server: &Arc<Server>, arguments: &Arguments, _: &Call) -> Result<Answer, Failure> {
    let arguments: EvidenceArguments = parsed(arguments)?;
    let stored = server.runs.stored(&arguments.run)?;
    let mut output = EvidenceOutput {
        run: arguments.run,
        claims: Vec::new(),
        idea: Vec::new(),
    };
    match stored.report()? {
        Report::Assess(report) => output.claims = claim_evidence(&report, arguments.claim, arguments.paper),
        Report::Idea(report) => output.idea = idea_evidence(&report, arguments.paper),
        _ => {}
    }
    if output.claims.is_empty() && output.idea.is_empty() && (arguments.claim.is_some() || arguments.paper.is_some()) {
        return Err(Failure::usage(
            "the report has no comparison of this claim and paper",
            "take the numbers from get_run, or leave them out",
        ));
    }
    Answer::with_lists(&Output::new(output), &["/claims", "/idea"])
}

impl ActiveRun {
    /// Waits like [`ActiveRun::wait`], but the run goes on whatever happens to the call.
    fn wait_without_cancelling(&self, most: Duration, call: &Call) -> Result<(), Failure> {
        self.detach();
        self.wait(most, call)
    }
}

impl Server {
    /// The status of a run, and its findings if it has ended.
    pub(crate) fn run_answer(&self, id: &str, call: &Call) -> Result<Answer, Failure> {
        let output = match self.runs.active(id).map(|run| (run.phase(), run)) {
            Some((Phase::Ended(Some(failure)), run)) => {
                // A run that could not start left no folder.
                match self.runs.stored(id) {
                    Ok(stored) if is_newer(&stored.manifest.status, failure.kind) => self.ended(&stored),
                    _ => {
                        run.warnings().into_iter().for_each(|warning| call.warn(warning));
                        return Err(failure);
                    }
                }
            }
            Some((Phase::Ended(None), run)) => {
                run.warnings().into_iter().for_each(|warning| call.warn(warning));
                self.ended(&self.runs.stored(id)?)
            }
            Some((phase, run)) => self.in_progress(id, &phase, &run),
            None => self.ended(&self.runs.stored(id)?),
        };
        Answer::with_lists(
            &Output::new(output),
            &["/assessment/claims", "/idea/papers", "/not_searched", "/sent"],
        )
    }

    fn in_progress(&self, id: &str, phase: &Phase, run: &ActiveRun) -> RunOutput {
        let stored = self.runs.stored(id).ok();
        let status = match phase {
            Phase::Queued => "queued",
            _ => "running",
        };
        RunOutput {
            status: status.to_owned(),
            next: "the run goes on; call get_run with its id until the status is neither queued nor running".to_owned(),
            title: stored.and_then(|stored| stored.manifest.title),
            progress: run.latest(NOTES),
            ..RunOutput::new(id, run.job, self.root.shown(&self.runs.folder().join(id)))
        }
    }

    /// A run as its folder describes it.
    fn ended(&self, stored: &StoredRun) -> RunOutput {
        let manifest = &stored.manifest;
        let report = match manifest.status {
            RunStatus::Running | RunStatus::Interrupted | RunStatus::Failed { .. } => None,
            _ => stored.report().ok(),
        };
        let (mut assessment, mut idea, mut not_searched) = (None, None, Vec::new());
        let mut sent: Vec<SentRecord> = Vec::new();
        if let Some(report) = &report {
            not_searched = report.not_searched().iter().map(|one| one.message.clone()).collect();
            match report {
                Report::Assess(found) => {
                    assessment = Some(PaperSummary::of(found));
                    sent.clone_from(&found.metadata.sent);
                }
                Report::Idea(found) => {
                    idea = Some(IdeaSummary::of(found));
                    sent.clone_from(&found.metadata.sent);
                }
                _ => {}
            }
        }
        let dollars = manifest
            .models
            .iter()
            .map(|one| one.dollars)
            .collect::<Option<Vec<f64>>>();
        let next = match &manifest.status {
            RunStatus::Running => "another process is running it; call get_run again later",
            RunStatus::Interrupted => "it was interrupted; repeat the call that started it to continue",
            RunStatus::Failed { .. } => "it failed; see `reason`",
            RunStatus::Incomplete => "model calls failed; repeat the call that started it to retry them",
            RunStatus::OverBudget => "the budget ended, so the report is partial; ask the user for a larger one",
            _ if idea.is_some() => {
                "check `facets`: if one is wrong, ask the user for the right words; get_evidence with a paper's number shows its passages; \
                 get_run with report: true shows the report"
            }
            _ => "get_evidence shows the passages of a claim and a paper; get_run with report: true shows the report",
        };
        RunOutput {
            status: manifest.status.word().to_owned(),
            next: next.to_owned(),
            title: manifest.title.clone(),
            files: manifest.files.iter().map(|file| file.name.clone()).collect(),
            reason: match &manifest.status {
                RunStatus::Failed { reason } => Some(reason.clone()),
                _ => None,
            },
            dollars: dollars.filter(|all| !all.is_empty()).map(|all| all.iter().sum()),
            assessment,
            idea,
            not_searched,
            sent,
            ..RunOutput::new(
                manifest.run.as_str(),
                manifest.request.job().command(),
                self.root.shown(&stored.dir),
            )
        }
    }
}

/// Whether the folder of a run says more than the failure that this server remembers.
fn is_newer(status: &RunStatus, failure: &str) -> bool {
    match status {
        // `usage`: another process had the folder, which shows what became of the run since.
        RunStatus::Failed { .. } => failure == "usage",
        // A cancelled run can be resumed, so it is an answer. Without a budget it cannot.
        RunStatus::Interrupted => !matches!(failure, "budget" | "bug"),
        // Another process is running it, or has ended it.
        _ => true,
    }
}

impl RunOutput {
    fn new(run: &str, job: &str, dir: String) -> Self {
        Self {
            run: run.to_owned(),
            job: job.to_owned(),
            status: String::new(),
            next: String::new(),
            title: None,
            dir,
            files: Vec::new(),
            progress: Vec::new(),
            reason: None,
            dollars: None,
            assessment: None,
            idea: None,
            not_searched: Vec::new(),
            sent: Vec::new(),
            report: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_succeeded_elsewhere_replaces_its_failure() {
        let failed = RunStatus::Failed { reason: "no".into() };
        for kind in [
            "input",
            "model",
            "nothing_searched",
            "budget",
            "bug",
            "interrupted",
            "usage",
        ] {
            for status in [
                RunStatus::Complete,
                RunStatus::Incomplete,
                RunStatus::OverBudget,
                RunStatus::Running,
            ] {
                assert!(is_newer(&status, kind), "{status:?} {kind}");
            }
            assert_eq!(is_newer(&failed, kind), kind == "usage", "{kind}");
        }
        assert!(is_newer(&RunStatus::Interrupted, "interrupted"));
        assert!(!is_newer(&RunStatus::Interrupted, "budget"));
    }
}

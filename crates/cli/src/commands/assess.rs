use precedent_app::{AppError, BatchPapers, Job};

use super::job::{self, ExecutionMode};
use super::paper_arguments::{AssessArguments, RunOptions};
use super::{batch, egress};
use crate::ExitCode;
use crate::printer::Printer;

/// `precedent assess`.
pub(super) fn run(typed: AssessArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let papers = BatchPapers::of(&typed.inputs);
    let paper = match (typed.inputs.as_slice(), papers.papers.as_slice()) {
        ([given], [paper]) if given == paper => paper.clone(),
        // A folder with one paper is a batch too.
        _ => {
            return batch::assess_all(
                papers,
                &typed.inputs,
                &typed.jobs,
                batch::Sharing::default(),
                &typed.run,
                printer,
            );
        }
    };
    let typed = typed.run;
    let request = job::validate(&typed.request(&paper, Job::Assess), printer)?;
    if typed.show_egress {
        return egress::show(&request, typed.json, printer);
    }
    let how = execution_mode(&typed);
    job::run(typed.out, request, how, printer)
}

/// How to run it.
pub(super) fn execution_mode(typed: &RunOptions) -> ExecutionMode {
    ExecutionMode {
        replay: typed.replay,
        json: typed.json,
        allow_fallback: typed.model.allow_fallback,
        open: typed.open,
    }
}

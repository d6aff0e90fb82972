use std::path::Path;

use precedent_app::{AppError, BatchPapers, Input, Job, Request};

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
    let request = job::validate(&request(&paper, &typed, Job::Assess), printer)?;
    if typed.show_egress {
        return egress::show(&request, typed.json, printer);
    }
    let how = execution_mode(&typed);
    job::run(typed.out, request, how, printer)
}

/// The request for a job about a paper.
pub(super) fn request(paper: &Path, typed: &RunOptions, job: Job) -> Request {
    let input = match typed.title {
        true => Input::Title(paper.to_string_lossy().into_owned()),
        false => Input::Paper(paper.to_owned()),
    };
    Request {
        corpora: typed.corpus.corpora.clone(),
        sources: typed.sources.names.clone(),
        refresh: typed.refresh,
        full_texts: typed.full_texts,
        as_of: typed.as_of,
        formats: typed.formats.clone(),
        seed: typed.seed,
        model: (&typed.model).into(),
        send_nothing: typed.show_egress || typed.replay,
        ..Request::new(job, input)
    }
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

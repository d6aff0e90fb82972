use precedent_app::{AppError, Input, Job, Request};

use super::egress;
use super::job::{self, ExecutionMode};
use crate::ExitCode;
use crate::args::AssessArguments;
use crate::printer::Printer;

/// `precedent assess`.
pub(super) fn run(typed: AssessArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let request = job::validate(&request(&typed, Job::Assess), printer)?;
    if typed.show_egress {
        return egress::show(&request, typed.json, printer);
    }
    let how = execution_mode(&typed);
    job::run(typed.out, request, how, printer)
}

/// The request for a job about a paper.
pub(super) fn request(typed: &AssessArguments, job: Job) -> Request {
    let input = match typed.title {
        true => Input::Title(typed.input.to_string_lossy().into_owned()),
        false => Input::Paper(typed.input.clone()),
    };
    Request {
        corpora: typed.corpus.corpora.clone(),
        sources: typed.sources.names.clone(),
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
pub(super) fn execution_mode(typed: &AssessArguments) -> ExecutionMode {
    ExecutionMode {
        replay: typed.replay,
        json: typed.json,
        allow_fallback: typed.model.allow_fallback,
    }
}

use std::path::{Path, PathBuf};

use precedent_app::{AppError, Input, Job, Request, ReviewJob};

use super::arguments::ReviewArguments;
use crate::ExitCode;
use crate::commands::idea::text_or_file;
use crate::commands::job::{self, ExecutionMode};
use crate::printer::Printer;

/// `precedent review`.
pub(in crate::commands) fn run(typed: ReviewArguments, printer: Printer) -> Result<ExitCode, AppError> {
    // A paper may be a folder of LaTeX.
    let input = match Path::new(&typed.idea).is_dir() {
        true => Input::File(PathBuf::from(&typed.idea)),
        false => text_or_file(&typed.idea)?,
    };
    let reviewing = typed.reviewing;
    let job = Job::Review(ReviewJob {
        dimensions: reviewing.dimensions,
        personas: reviewing.personas,
        board: reviewing.board,
        rounds: reviewing.rounds,
        keep: reviewing.keep,
        oversample: reviewing.oversample,
        alpha_percent: reviewing.alpha,
        embedder: reviewing.embedder,
    });
    let request = Request {
        corpora: typed.corpus.corpora,
        sources: typed.sources.names,
        refresh: typed.refresh,
        as_of: typed.as_of,
        formats: typed.formats,
        seed: typed.seed,
        model: (&typed.model).into(),
        send_nothing: typed.estimate || typed.replay,
        ..Request::new(job, input)
    };
    let how = ExecutionMode {
        replay: typed.replay,
        json: typed.json,
        allow_fallback: typed.model.allow_fallback,
        open: typed.open,
    };
    job::start(&request, typed.out, typed.estimate, how, printer)
}

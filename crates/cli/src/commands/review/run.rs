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
    let how = typed.reviewing;
    let request = Request {
        job: Job::Review(ReviewJob {
            dimensions: how.dimensions,
            personas: how.personas,
            board: how.board,
            rounds: how.rounds,
            keep: how.keep,
            oversample: how.oversample,
            alpha_percent: how.alpha,
            embedder: how.embedder,
        }),
        input,
        corpora: typed.corpus.corpora,
        sources: typed.sources.names,
        full_texts: None,
        as_of: typed.as_of,
        formats: typed.formats,
        seed: typed.seed,
        model: (&typed.model).into(),
        send_nothing: typed.estimate || typed.replay,
    };
    let request = job::validate(&request, printer)?;
    if typed.estimate {
        return job::estimate(&request, typed.json, printer);
    }
    let mode = ExecutionMode {
        replay: typed.replay,
        json: typed.json,
        allow_fallback: typed.model.allow_fallback,
    };
    job::run(typed.out, request, mode, printer)
}

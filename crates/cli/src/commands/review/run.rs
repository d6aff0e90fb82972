use std::path::{Path, PathBuf};

use precedent_app::{AppError, ErrorKind, Input, Job, Request, ReviewJob};

use super::arguments::ReviewArguments;
use crate::ExitCode;
use crate::commands::idea::{stdin, text_or_file};
use crate::commands::job::{self, ExecutionMode};
use crate::printer::Printer;

/// `precedent review`.
pub(in crate::commands) fn run(typed: ReviewArguments, printer: Printer) -> Result<ExitCode, AppError> {
    // A paper may be a folder of LaTeX.
    let input = match (&typed.batch, &typed.idea) {
        (Some(file), _) if file.as_os_str() == "-" => Input::Text(stdin()?),
        (Some(file), _) => Input::File(file.clone()),
        (None, Some(idea)) if Path::new(idea).is_dir() => Input::File(PathBuf::from(idea)),
        (None, Some(idea)) => text_or_file(idea)?,
        (None, None) => return Err(AppError::with_message(ErrorKind::Usage, "no idea was given")),
    };
    let reviewing = typed.reviewing;
    let job = ReviewJob {
        dimensions: reviewing.dimensions,
        personas: reviewing.personas,
        required_personas: reviewing.required_personas,
        board: reviewing.board,
        rounds: reviewing.rounds,
        keep: reviewing.keep,
        oversample: reviewing.oversample,
        alpha_percent: reviewing.alpha,
        as_published: reviewing.as_published,
        embedder: reviewing.embedder,
        reranker: reviewing.reranking.reranker,
        reranker_url: reviewing.reranking.reranker_url,
    };
    let job = match typed.batch {
        Some(_) => Job::Reviews(job),
        None => Job::Review(job),
    };
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

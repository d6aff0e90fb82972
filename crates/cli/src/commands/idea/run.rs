use std::io::Read;
use std::path::{Path, PathBuf};

use precedent_app::{AppError, ErrorKind, IdeaJob, Input, Job, Request};

use super::arguments::IdeaArguments;
use crate::ExitCode;
use crate::commands::job::{self, ExecutionMode};
use crate::printer::Printer;

/// Maximum length of the text on stdin, in bytes.
const LONGEST: u64 = 64 << 20;

/// `precedent idea`.
pub(in crate::commands) fn run(typed: IdeaArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let input = match (&typed.batch, &typed.idea) {
        (Some(file), _) if file.as_os_str() == "-" => Input::Text(stdin()?),
        (Some(file), _) => Input::File(file.clone()),
        (None, Some(idea)) => text_or_file(idea)?,
        (None, None) => return Err(AppError::with_message(ErrorKind::Usage, "no idea was given")),
    };
    let job = IdeaJob {
        facets: typed.facets(),
        examples: typed.examples,
        seeds: typed.seed_papers,
        own_paper: typed.own_paper,
        samples: typed.samples,
        full: typed.full,
        workers: typed.workers,
        embedder: typed.embedder,
    };
    let job = match typed.batch {
        Some(_) => Job::Ideas(job),
        None => Job::Idea(job),
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
    let request = job::validate(&request, printer)?;
    if typed.estimate {
        return job::estimate(&request, typed.json, printer);
    }
    if let Some(named) = request
        .idea
        .as_ref()
        .map(|idea| idea.whole_to.join(" and "))
        .filter(|named| !named.is_empty())
    {
        let message = format!(
            "up to 40 key words of the whole idea will be sent to {named}, because you named it; `--sources default` sends only short queries"
        );
        printer.note(&message);
    }
    let how = ExecutionMode {
        replay: typed.replay,
        json: typed.json,
        allow_fallback: typed.model.allow_fallback,
        open: typed.open,
    };
    job::run(typed.out, request, how, printer)
}

/// Resolves the idea argument to a file or a text.
pub(in crate::commands) fn text_or_file(idea: &str) -> Result<Input, AppError> {
    match Path::new(idea).is_file() {
        _ if idea == "-" => Ok(Input::Text(stdin()?)),
        true => Ok(Input::File(PathBuf::from(idea))),
        false if looks_like_a_path(idea) => {
            let message = format!("failed to read {idea}: file not found");
            Err(AppError::with_message(ErrorKind::Input, message)
                .hint("check the path, or give the idea as a few sentences"))
        }
        false => Ok(Input::Text(idea.to_owned())),
    }
}

/// Whether a text is a mistyped path: a single word with a slash or a file extension.
fn looks_like_a_path(text: &str) -> bool {
    let ending = |text: &str| Path::new(text).extension().is_some_and(|ending| ending.len() <= 8);
    !text.trim().contains(char::is_whitespace) && (text.contains('/') || ending(text))
}

/// The text on stdin.
pub(in crate::commands) fn stdin() -> Result<String, AppError> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().take(LONGEST).read_to_end(&mut bytes);
    read.map_err(|error| AppError::with_message(ErrorKind::Input, format!("failed to read stdin: {error}")))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

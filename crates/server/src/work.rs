//! The child process of a run.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use precedent_app::runs::{RunError, RunFolder, RunRequest, RunStatus};
use precedent_app::{
    App, AppError, CancelToken, Clock, ErrorKind, EventLine, Observer, RunEvent, RunResult, SystemClock, Watches,
};
use serde::{Deserialize, Serialize};

use crate::error::Problem;

/// The request of a run, in its folder.
pub(crate) const REQUEST_FILE: &str = "request.json";

/// The last line of a run's process.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// It ended with a report. The problem says why a requested format was not written.
    Done(Option<Problem>),
    /// It ended with an error.
    Failed(Problem),
}

/// Prints events as JSON lines, numbered as in `events.jsonl`.
struct LinePrinter(Mutex<u64>);

impl Observer for LinePrinter {
    fn event(&self, event: &RunEvent) {
        let mut number = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *number += 1;
        print_line(&EventLine {
            number: *number,
            time: SystemClock.unix_seconds(),
            event: event.clone(),
        });
    }
}

fn print_line(line: &impl Serialize) {
    if let Ok(mut text) = serde_json::to_vec(line) {
        text.push(b'\n');
        // If nobody reads any more, stdin is closed too, and the run is cancelled.
        let mut stdout = std::io::stdout().lock();
        let _ = stdout.write_all(&text).and_then(|()| stdout.flush());
    }
}

/// Runs the request in the folder `dir`: that of its `request.json`, or else of the run that is there. Prints events as JSON lines on stdout, and how
/// it ended as the last one. Closing stdin cancels the run. If it is the check of a `watch`, its result is recorded in the folder of the watch.
///
/// # Errors
/// As [`App::run`]. The error is also in the last line.
pub fn work(dir: &Path, watch: Option<&Path>) -> Result<RunStatus, AppError> {
    let cancel = CancelToken::new();
    let on_end = cancel.clone();
    std::thread::Builder::new()
        .name("stdin".to_owned())
        .spawn(move || {
            // Ends when the server closes the pipe, or is gone.
            let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
            on_end.cancel();
        })
        .map_err(|error| AppError::with_message(ErrorKind::Bug, format!("failed to start: {error}")))?;
    let observer = Arc::new(LinePrinter(Mutex::new(0)));
    let result = wait_for_folder(dir, &cancel).and_then(|folder| {
        let request = request(dir)?;
        match watch {
            None => App::default().run_in_folder(request, folder, false, observer, &cancel),
            Some(watch) => check(request, folder, watch, observer, &cancel),
        }
    });
    match &result {
        Ok(result) => print_line(&Outcome::Done(result.unwritten.as_ref().map(Problem::from))),
        Err(error) => print_line(&Outcome::Failed(error.into())),
    }
    result.map(|result| result.manifest.status)
}

/// Runs the check of a watch, and records what it found.
fn check(
    request: RunRequest,
    folder: RunFolder,
    watch: &Path,
    observer: Arc<dyn Observer>,
    cancel: &CancelToken,
) -> Result<RunResult, AppError> {
    let (Some(all), Some(name), Some(run), Some(date)) = (
        watch.parent(),
        watch.file_name(),
        folder.dir().file_name(),
        request.as_of,
    ) else {
        return Err(AppError::with_message(
            ErrorKind::Usage,
            "a check of a watch has a folder, a run and a date",
        ));
    };
    let (watches, name, run) = (
        Watches::at(all.to_owned()),
        name.to_string_lossy(),
        run.to_string_lossy().into_owned(),
    );
    // As `Watch::check_request` says; it is not part of the stored request.
    let request = RunRequest {
        refresh: true,
        ..request
    };
    let result = App::default().run_in_folder(request, folder, false, observer, cancel)?;
    App::default().record_check(&watches, &name, date, &result.report, Some(&run))?;
    Ok(result)
}

/// How long to wait for the process of a killed server to release a run's folder. It was cancelled when the server's end of its pipe closed, and ends
/// at its next request or stage.
const RELEASE: Duration = Duration::from_secs(30);
const BETWEEN: Duration = Duration::from_millis(100);

/// Opens the folder of the run as soon as no other process uses it.
fn wait_for_folder(dir: &Path, cancel: &CancelToken) -> Result<RunFolder, AppError> {
    let start = Instant::now();
    loop {
        match RunFolder::create(dir) {
            Err(RunError::InUse { .. }) if !cancel.is_cancelled() && start.elapsed() < RELEASE => {
                std::thread::sleep(BETWEEN);
            }
            folder => return Ok(folder?),
        }
    }
}

fn request(dir: &Path) -> Result<RunRequest, AppError> {
    let path = dir.join(REQUEST_FILE);
    if !path.is_file() {
        return Ok(App::default().stored_run(dir)?.manifest.request);
    }
    let mut text = Vec::new();
    fs::File::open(&path)
        .and_then(|mut file| file.read_to_end(&mut text))
        .map_err(|error| AppError::with_message(ErrorKind::Input, format!("failed to read {REQUEST_FILE}: {error}")))?;
    serde_json::from_slice(&text)
        .map_err(|error| AppError::with_message(ErrorKind::Input, format!("{REQUEST_FILE} is not a request: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_read_as_it_was_printed() {
        let error = AppError::with_message(ErrorKind::Input, "no browser").hint("install one");
        let text = serde_json::to_string(&Outcome::Done(Some(Problem::from(&error)))).unwrap();
        match serde_json::from_str(&text).unwrap() {
            Outcome::Done(Some(problem)) => assert_eq!(
                (problem.status, problem.kind.as_str(), problem.hint.as_deref()),
                (422, "input", Some("install one"))
            ),
            other => panic!("{other:?}"),
        }
        let text = serde_json::to_string(&Outcome::Done(None)).unwrap();
        assert!(matches!(serde_json::from_str(&text).unwrap(), Outcome::Done(None)));
        // An event is no outcome.
        assert!(serde_json::from_str::<Outcome>(r#"{"number":1,"event":"done"}"#).is_err());
    }
}

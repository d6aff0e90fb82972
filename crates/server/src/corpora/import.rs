//! The process that imports files into a corpus.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use precedent_app::{
    AddProgress, App, AppError, CorpusAddition, CorpusImport, ErrorKind, Password, end_with_stdin, without_keys,
};
use serde::{Deserialize, Serialize};

use super::entry::ImportTask;
use super::files::size_of;
use super::own::lock;
use super::record::ImportProgress;
use crate::error::Problem;
use crate::isolation::restrict_writing;
use crate::options::PDF_PASSWORD;

/// Time that an import may take; chosen by hand. Reading a paper takes about a second, and a thousand records less.
const LIMIT: Duration = Duration::from_secs(60 * 60);
/// How often the process is looked after, and how often its files are measured.
const BETWEEN: Duration = Duration::from_millis(50);
const MEASURED: Duration = Duration::from_secs(1);
/// Maximum length of what it prints: a thousand reasons and names.
const LONGEST: u64 = 64 << 20;

/// A line of the process.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ImportLine {
    Progress(ImportProgress),
    /// The last one.
    Done(CorpusAddition),
    /// The last one.
    Failed(Problem),
}

/// What is to be imported, as the process gets it.
#[derive(Debug, Serialize, Deserialize)]
struct Order {
    import: CorpusImport,
    /// The only folder that the process may write to.
    folder: std::path::PathBuf,
}

fn print_line(line: &ImportLine) {
    if let Ok(mut text) = serde_json::to_vec(line) {
        text.push(b'\n');
        let mut stdout = std::io::stdout().lock();
        let _ = stdout.write_all(&text).and_then(|()| stdout.flush());
    }
}

/// Reads from stdin what to import, imports it and prints its progress as JSON lines on stdout, and how it ended as the last one. The process ends when
/// stdin is closed.
///
/// # Errors
/// If the order cannot be read or the process cannot be limited. An error of the import itself is the last line.
pub fn import() -> Result<(), AppError> {
    let wrong = |what: &str, error: &dyn std::fmt::Display| {
        AppError::with_message(ErrorKind::Bug, format!("failed to {what}: {error}"))
    };
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    read.map_err(|error| wrong("read the import", &error))?;
    let order: Order = serde_json::from_str(&line).map_err(|error| wrong("read the import", &error))?;
    restrict_writing(&order.folder).map_err(|error| wrong("limit the process", &error))?;
    // The next server repeats the import.
    end_with_stdin().map_err(|error| wrong("start", &error))?;
    let on_progress = |progress: &AddProgress| {
        print_line(&ImportLine::Progress(ImportProgress {
            papers: progress.items,
            bytes: progress.bytes,
            all_bytes: progress.all_bytes,
        }));
    };
    print_line(&match App::default().import_into_corpus(&order.import, &on_progress) {
        Ok(done) => ImportLine::Done(done),
        Err(error) => ImportLine::Failed(error.into()),
    });
    Ok(())
}

/// Starts the processes of imports.
#[derive(Debug)]
pub(crate) struct ImportProcess<'p> {
    pub(crate) program: &'p std::path::Path,
    pub(crate) arguments: &'p [String],
    pub(crate) pdf_password: Option<&'p Password>,
}

impl ImportProcess<'_> {
    /// Imports. `None` if `ended` or the task's own flag asked for the end.
    pub(crate) fn run(&self, task: &ImportTask, ended: impl Fn() -> bool) -> Option<Result<CorpusAddition, Problem>> {
        let failed = |error: std::io::Error| Problem::io("start the process of the import", &error);
        let (mut child, _stdin) = match self.start(task) {
            Ok(started) => started,
            Err(error) => return Some(Err(failed(error))),
        };
        let last = Arc::new(Mutex::new(None));
        let reading = child.stdout.take().map(|stdout| {
            let (progress, last) = (Arc::clone(&task.progress), Arc::clone(&last));
            std::thread::spawn(move || {
                for line in BufReader::new(stdout.take(LONGEST)).lines().map_while(Result::ok) {
                    match serde_json::from_str(&line) {
                        Ok(ImportLine::Progress(now)) => *lock(&progress) = now,
                        Ok(end) => *lock(&last) = Some(end),
                        Err(_) => {}
                    }
                }
            })
        });
        let limited = self.look_after(&mut child, task, ended);
        let _ = child.kill();
        let status = child.wait();
        if let Some(reading) = reading.filter(|_| limited.is_none()) {
            let _ = reading.join();
        }
        match limited {
            Some(None) => return None,
            Some(Some(problem)) => return Some(Err(problem)),
            None => {}
        }
        let last = lock(&last).take();
        Some(match last {
            Some(ImportLine::Done(done)) => Ok(done),
            Some(ImportLine::Failed(problem)) => Err(problem),
            _ => {
                let status = status.map_or_else(|error| error.to_string(), |status| status.to_string());
                let detail = format!("the process of the import ended without a result ({status})");
                Err(Problem::of(ErrorKind::Input, detail).hint("a file may be too large; upload fewer files at a time"))
            }
        })
    }

    fn start(&self, task: &ImportTask) -> std::io::Result<(Child, ChildStdin)> {
        std::fs::create_dir_all(task.state.join("tmp"))?;
        let mut command = Command::new(self.program);
        command.args(self.arguments).args(["work", "--import"]);
        without_keys(&mut command);
        command.envs(self.pdf_password.map(|password| (PDF_PASSWORD, &**password)));
        // It starts the readers of papers.
        command.env("PRECEDENT_PROGRAM", self.program);
        for name in ["TMPDIR", "TMP", "TEMP"] {
            command.env(name, task.state.join("tmp"));
        }
        // Ctrl-C in a terminal goes to every process of its group. The server ends its imports itself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn()?;
        let order = Order {
            import: task.import.clone(),
            folder: task.state.clone(),
        };
        let mut line = serde_json::to_vec(&order)?;
        line.push(b'\n');
        let mut stdin = child.stdin.take().ok_or(std::io::ErrorKind::BrokenPipe)?;
        // A process that has ended already says nothing, which is reported.
        let _ = stdin.write_all(&line);
        Ok((child, stdin))
    }

    /// Waits until the process has ended. `Some` if it must be ended: with a problem, or without one if somebody asked for it.
    fn look_after(&self, child: &mut Child, task: &ImportTask, ended: impl Fn() -> bool) -> Option<Option<Problem>> {
        let start = Instant::now();
        let mut measured = start;
        loop {
            if task.stop.load(std::sync::atomic::Ordering::Relaxed) || ended() {
                return Some(None);
            }
            if !matches!(child.try_wait(), Ok(None)) {
                return None;
            }
            if start.elapsed() > LIMIT {
                let detail = format!(
                    "the import took more than {} minutes and was ended",
                    LIMIT.as_secs() / 60
                );
                return Some(Some(Problem::timeout(detail).hint("upload fewer files at a time")));
            }
            if measured.elapsed() > MEASURED {
                measured = Instant::now();
                if size_of(&task.state) > task.most_bytes {
                    let megabytes = task.most_bytes / 1_000_000;
                    let detail =
                        format!("the corpus would have more than {megabytes} MB, which is what is left of the limit");
                    return Some(Some(
                        Problem::too_large(detail).hint("delete corpora that you no longer need"),
                    ));
                }
            }
            std::thread::sleep(BETWEEN);
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::super::own::tests::{corpora, received};
    use super::*;

    /// What a task ends with whose process is a script.
    fn outcome(test: &str, script: &str, stop: bool) -> Option<Result<CorpusAddition, Problem>> {
        let (own, folder) = corpora(test);
        own.add("ropes", &[received(&own, "a.txt", 10)], 1).unwrap();
        let task = own.begin("ropes").unwrap();
        task.stop.store(stop, Ordering::Relaxed);
        let process = ImportProcess {
            program: std::path::Path::new("/bin/sh"),
            arguments: &["-c".to_owned(), script.to_owned()],
            pdf_password: None,
        };
        let outcome = process.run(&task, || false);
        own.end(&task, outcome.clone(), 2);
        let (view, number) = own.view("ropes").unwrap();
        // One that was interrupted is repeated with the same files.
        assert_eq!((view.files.len(), number), if stop { (1, Some(2)) } else { (0, None) });
        assert!(!task.state.exists());
        std::fs::remove_dir_all(folder).unwrap();
        outcome
    }

    #[test]
    fn an_import_that_cannot_begin_has_failed_and_does_not_wait() {
        let (own, folder) = corpora("begin");
        own.add("ropes", &[received(&own, "a.txt", 1)], 1).unwrap();
        // As on a disk that cannot be written to.
        std::fs::write(folder.join("corpora/ropes/states"), "").unwrap();
        let task = own.begin("ropes").unwrap();
        let process = ImportProcess {
            program: std::path::Path::new("/bin/true"),
            arguments: &[],
            pdf_password: None,
        };
        own.end(&task, process.run(&task, || false), 2);
        assert_eq!(own.next(), []);
        let (view, _) = own.view("ropes").unwrap();
        assert!(view.files.is_empty() && view.imports[0].problem.is_some(), "{view:?}");
        assert_eq!(view.imports[0].files, ["a.txt"]);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_progress_is_known_while_the_process_runs() {
        let (own, folder) = corpora("progress");
        own.add("ropes", &[received(&own, "a.txt", 10)], 1).unwrap();
        let task = own.begin("ropes").unwrap();
        let script = r#"echo '{"progress":{"papers":3,"bytes":5,"all_bytes":10}}'; exec sleep 600"#;
        let process = ImportProcess {
            program: std::path::Path::new("/bin/sh"),
            arguments: &["-c".to_owned(), script.to_owned()],
            pdf_password: None,
        };
        let seen = || own.view("ropes").unwrap().0.progress.unwrap();
        assert_eq!(process.run(&task, || seen().papers == 3), None);
        assert_eq!(seen().percent(), 50);
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn an_import_that_becomes_too_large_is_ended() {
        let script = "head -c 5000 /dev/zero > \"$TMPDIR/../index\"; exec sleep 600";
        let problem = outcome("large", script, false).unwrap().unwrap_err();
        assert_eq!(problem.status, 413, "{problem:?}");
    }

    #[test]
    fn an_import_that_is_interrupted_has_no_outcome() {
        assert_eq!(outcome("interrupted", "exec sleep 600", true), None);
        let problem = outcome("ended", "exit 3", false).unwrap().unwrap_err();
        assert!(problem.detail.contains("exit status: 3"), "{problem:?}");
    }
}

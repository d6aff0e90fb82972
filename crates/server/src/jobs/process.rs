use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use precedent_app::Password;

use super::feed::Feed;
use crate::error::Problem;
use crate::options::PDF_PASSWORD;
use crate::work::Outcome;

/// A line with the answer of a batch of ideas has up to some hundred kilobytes.
const LONGEST_LINE: usize = 16 << 20;

/// How a run's process ended.
#[derive(Debug)]
pub(super) enum Ended {
    /// With a report. The problem says why a requested format was not written.
    Done(Option<Problem>),
    /// Not started: the server does not offer what it asks for.
    Refused(Problem),
    /// With an error.
    Failed(Problem),
}

/// The program, and the arguments of every process.
#[derive(Debug, Clone)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    pub(super) arguments: Vec<String>,
    pub(super) pdf_password: Option<Password>,
}

/// Starts the process of a run, which may be the check of a watch. Closing the returned pipe cancels it.
pub(super) fn start(program: &Program, folder: &Path, watch: Option<&Path>) -> std::io::Result<(Child, ChildStdin)> {
    let mut command = Command::new(&program.path);
    command.args(&program.arguments).arg("work").arg(folder);
    command.envs(program.pdf_password.as_deref().map(|password| (PDF_PASSWORD, password)));
    if let Some(watch) = watch {
        command.arg("--watch").arg(watch);
    }
    // Ctrl-C in a terminal goes to every process of its group. Runs are ended by the server, so that they record it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let stdin = child.stdin.take();
    stdin
        .map(|stdin| (child, stdin))
        .ok_or_else(|| std::io::ErrorKind::BrokenPipe.into())
}

/// Passes the events of a process to `feed` until it ends.
pub(super) fn follow(child: &mut Child, feed: &Feed) -> Ended {
    let mut outcome = None;
    if let Some(stdout) = child.stdout.take() {
        let mut lines = BufReader::new(stdout);
        let mut line = String::new();
        loop {
            line.clear();
            match lines.read_line(&mut line) {
                Ok(read) if read > 0 && line.len() <= LONGEST_LINE => {}
                _ => break,
            }
            let text = line.trim_end();
            match serde_json::from_str::<Outcome>(text) {
                Ok(found) => outcome = Some(found),
                Err(_) => feed.push(text),
            }
        }
    }
    let status = child.wait();
    match outcome {
        Some(Outcome::Done(problem)) => Ended::Done(problem),
        Some(Outcome::Failed(problem)) => Ended::Failed(problem),
        None => {
            let status = status.map_or_else(|error| error.to_string(), |status| status.to_string());
            let detail = format!("the process of the run ended without a result ({status})");
            Ended::Failed(Problem::bug(detail).hint("resume the run; what it finished is kept"))
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn processes_get_the_password_in_their_environment() {
        let program = Program {
            path: "/bin/sh".into(),
            arguments: vec!["-c".to_owned(), r#"printf %s "$PRECEDENT_PDF_PASSWORD""#.to_owned()],
            pdf_password: Some("kelp".to_owned().into()),
        };
        let (mut child, _stdin) = start(&program, Path::new("run"), None).unwrap();
        let mut printed = String::new();
        child.stdout.take().unwrap().read_to_string(&mut printed).unwrap();
        child.wait().unwrap();
        assert_eq!(printed, "kelp");
    }
}

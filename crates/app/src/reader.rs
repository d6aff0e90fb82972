//! Papers that are read in a process of their own, so that a file that takes over its reader gets nothing else.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use precedent_engine::domain::Paper;
use precedent_engine::read::OCR_TIME;
use serde::{Deserialize, Serialize};

use crate::answering_process::{ProcessAnswer, answer_of};
use crate::{AppError, ErrorKind, input};

/// Time for reading one file, after which its process is ended. The readers' own limits end after about 20 s on a fast machine. Optical character
/// recognition has an hour of its own.
const LIMIT: Duration = Duration::from_secs(120);
/// Maximum length of an answer, in bytes: the text at the limit of the readers, with escapes and structure.
const LONGEST_ANSWER: u64 = 128 << 20;
/// Maximum number of threads that read pages, and of the parts of memory that threads allocate from. Chosen by hand.
const THREADS: &str = "4";
/// Variables that a reader gets. Others may hold keys of services. `TESSDATA_PREFIX` is for optical character recognition; those after it are for Windows.
const VARIABLES: [&str; 15] = [
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "LD_LIBRARY_PATH",
    "PRECEDENT_PDF_PASSWORD",
    "TESSDATA_PREFIX",
    "TMP",
    "TEMP",
    "SystemRoot",
    "SystemDrive",
    "PATHEXT",
    "USERPROFILE",
    "LOCALAPPDATA",
];

/// A program that reads a file and prints what [`answer_reading`] returns.
#[derive(Debug)]
struct ReaderProgram {
    path: PathBuf,
    /// What comes before the path of the file.
    arguments: Vec<String>,
    limit: Duration,
}

static READER: OnceLock<ReaderProgram> = OnceLock::new();

/// What a reader prints.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    /// The paper, and the bits of its score, which JSON may round.
    Paper(Box<Paper>, u64),
    Failed {
        message: String,
        hint: Option<String>,
    },
}

/// Keeps the keys of services out of the environment of a process that reads files of somebody else. Variables that are set later are kept.
pub fn without_keys(command: &mut Command) {
    let kept = VARIABLES
        .iter()
        .filter_map(|name| Some((name, std::env::var_os(name)?)));
    command.env_clear().envs(kept);
}

/// From now on, this process reads no paper itself. It starts `program` with `arguments` and the path of the file, and expects what
/// [`answer_reading`] returns on stdout. Returns whether this is the first call.
/// `recognizes` adds the time of optical character recognition.
pub fn read_in_processes(program: PathBuf, arguments: Vec<String>, recognizes: bool) -> bool {
    let reader = ReaderProgram {
        path: program,
        arguments,
        limit: if recognizes { LIMIT + OCR_TIME } else { LIMIT },
    };
    READER.set(reader).is_ok()
}

/// Reads a paper for another process.
///
/// # Errors
/// If the answer cannot be written. A file that cannot be read is an answer.
pub fn answer_reading(path: &Path) -> Result<Vec<u8>, AppError> {
    let answer = match input::paper_here(path) {
        Ok(paper) => {
            let score = paper.quality.score.to_bits();
            Answer::Paper(Box::new(paper), score)
        }
        Err(error) => Answer::Failed {
            message: format!("{:#}", error.error),
            hint: error.hint,
        },
    };
    serde_json::to_vec(&answer).map_err(|error| AppError::with_message(ErrorKind::Bug, error))
}

/// The paper in a file, read by another process; `None` if this process reads itself.
pub(crate) fn elsewhere(path: &Path) -> Option<Result<Paper, AppError>> {
    READER.get().map(|reader| reader.read(path, reader.limit))
}

impl ReaderProgram {
    fn read(&self, path: &Path, limit: Duration) -> Result<Paper, AppError> {
        let mut command = Command::new(&self.path);
        command.args(&self.arguments).arg(path);
        without_keys(&mut command);
        // Each thread reserves address space, of which the reader has little: with one thread for each of 64 cores, it cannot start them.
        command
            .env("RAYON_NUM_THREADS", THREADS)
            .env("MALLOC_ARENA_MAX", THREADS);
        let ProcessAnswer { text, ended } = answer_of(&mut command, Vec::new(), limit, LONGEST_ANSWER)
            .map_err(|error| AppError::with_message(ErrorKind::Bug, format!("failed to start the reader: {error}")))?;
        let Some(text) = text else {
            let message = format!("failed to read the file within {} s", limit.as_secs());
            return Err(AppError::with_message(ErrorKind::Input, message).hint("the file may be too large"));
        };
        match serde_json::from_slice(&text) {
            Ok(Answer::Paper(mut paper, score)) => {
                paper.quality.score = f64::from_bits(score);
                Ok(*paper)
            }
            Ok(Answer::Failed { message, hint }) => {
                let error = AppError::with_message(ErrorKind::Input, message);
                Err(match hint {
                    Some(hint) => error.hint(hint),
                    None => error,
                })
            }
            Err(_) => {
                let message = format!("failed to read the file: its reader ended without an answer ({ended})");
                Err(AppError::with_message(ErrorKind::Input, message).hint("the file may be damaged or too large"))
            }
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn shell(script: &str) -> ReaderProgram {
        ReaderProgram {
            path: "/bin/sh".into(),
            arguments: vec!["-c".to_owned(), script.to_owned(), "sh".to_owned()],
            limit: LIMIT,
        }
    }

    #[test]
    fn a_paper_arrives_as_it_was_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/paper.pdf"));
        let answer = dir.path().join("answer");
        std::fs::write(&answer, answer_reading(&path).unwrap()).unwrap();
        let read = shell(&format!("test -f \"$1\" && cat '{}'", answer.display())).read(&path, LIMIT);
        assert_eq!(read.unwrap(), input::paper_here(&path).unwrap());
        // So does an error, with its hint.
        let gone = dir.path().join("gone.pdf");
        std::fs::write(&answer, answer_reading(&gone).unwrap()).unwrap();
        let error = shell(&format!("cat '{}'", answer.display()))
            .read(&gone, LIMIT)
            .unwrap_err();
        let here = input::paper_here(&gone).unwrap_err();
        assert_eq!((error.kind, error.to_string()), (here.kind, here.to_string()));
    }

    #[test]
    fn a_reader_that_ends_or_hangs_is_an_error_of_the_file() {
        let path = Path::new("paper.pdf");
        let killed = shell("kill -KILL $$").read(path, LIMIT).unwrap_err();
        assert!(
            killed.kind == ErrorKind::Input && killed.to_string().contains("signal: 9"),
            "{killed}"
        );
        let hangs = shell("exec sleep 600")
            .read(path, Duration::from_millis(100))
            .unwrap_err();
        assert!(
            hangs.kind == ErrorKind::Input && hangs.to_string().contains("within 0 s"),
            "{hangs}"
        );
        // Nothing but the named variables.
        let leaks =
            shell("env | grep -qE '^(CARGO|RUST)' && kill -KILL $$; test \"$RAYON_NUM_THREADS\" = 4 && echo none")
                .read(path, LIMIT)
                .unwrap_err();
        assert!(leaks.to_string().contains("exit status: 0"), "{leaks}");
    }
}

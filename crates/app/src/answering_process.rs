//! Processes that print one answer: a reader of uploads, a call of the server.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Time for ending after the answer. Chosen by hand: a process has nothing left to do then.
const END: Duration = Duration::from_secs(5);

/// What a process printed until its end.
#[derive(Debug)]
pub struct ProcessAnswer {
    /// What it printed; `None` if that took too long.
    pub text: Option<Vec<u8>>,
    /// How it ended, in words.
    pub ended: String,
}

/// Ends this process when its stdin closes: whoever waits for its answer is gone.
///
/// # Errors
/// If no thread can be started.
pub fn end_with_stdin() -> std::io::Result<()> {
    let wait = || {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(1);
    };
    std::thread::Builder::new()
        .name("stdin".to_owned())
        .spawn(wait)
        .map(drop)
}

/// Starts a process, writes `input` and a line feed to its stdin and waits for what it prints. It is ended after `limit`, and what is longer than
/// `longest` bytes is cut. Its stdin is open until it has ended, see [`end_with_stdin`].
///
/// # Errors
/// If it cannot be started.
pub fn answer_of(
    command: &mut Command,
    mut input: Vec<u8>,
    limit: Duration,
    longest: u64,
) -> std::io::Result<ProcessAnswer> {
    input.push(b'\n');
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn()?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let (sender, answered) = mpsc::channel();
    // It ends when nobody can write to the pipe any more, which may be long after the process.
    std::thread::spawn(move || {
        let mut text = Vec::new();
        let read = stdout.map(|stdout| stdout.take(longest).read_to_end(&mut text));
        // A receiver that is gone has waited long enough.
        let _ = sender.send(match read {
            Some(Ok(_)) => text,
            _ => Vec::new(),
        });
    });
    // On a thread too, because a process that does not read must not outlast the limit.
    let (open, end) = mpsc::channel::<()>();
    std::thread::spawn(move || {
        // A process that has ended answers nothing, which is reported below.
        let held = stdin.map(|mut stdin| stdin.write_all(&input).map(|()| stdin));
        let _ = end.recv();
        drop(held);
    });
    let text = answered.recv_timeout(limit).ok();
    if text.is_none() {
        // It may have ended by now.
        let _ = child.kill();
    }
    let ended = ended(&mut child).map_or_else(|error| error.to_string(), |status| status.to_string());
    drop(open);
    Ok(ProcessAnswer { text, ended })
}

/// How a process ended that has answered or was killed. One that goes on after its answer is killed.
fn ended(child: &mut Child) -> std::io::Result<ExitStatus> {
    let start = Instant::now();
    while start.elapsed() < END {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    child.wait()
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn of(script: &str, limit: Duration) -> ProcessAnswer {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        answer_of(&mut command, b"kelp".to_vec(), limit, 6).unwrap()
    }

    #[test]
    fn an_answer_has_a_limit_of_time_and_length() {
        let long = Duration::from_secs(60);
        assert_eq!(of("read word; echo \"$word and more\"", long).text.unwrap(), b"kelp a");
        let failed = of("exit 3", long);
        assert_eq!(
            (failed.text.unwrap(), failed.ended.as_str()),
            (Vec::new(), "exit status: 3")
        );
        let short = Duration::from_millis(100);
        // The second one leaves a child that keeps the answer open.
        for script in ["exec sleep 600", "sleep 9 & exec sleep 600"] {
            let late = of(script, short);
            assert!(late.text.is_none() && late.ended.contains("signal: 9"), "{late:?}");
        }
        // Its answer is closed, but it goes on.
        let lingers = of("exec >&-; exec sleep 600", long);
        assert!(lingers.text.unwrap().is_empty() && lingers.ended.contains("signal: 9"));
    }
}

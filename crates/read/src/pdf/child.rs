//! Runs a program on a confidential file, so that neither the program nor the file outlives this process.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How often a running program is checked.
const POLL: Duration = Duration::from_millis(50);
/// How much of the program's messages is read, from their end, in bytes.
const MESSAGE_BYTES: u64 = 4_096;
/// Variables that the program gets. Others may hold keys of services. Those after `TESSDATA_PREFIX` are for Windows.
const VARIABLES: [&str; 11] = [
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "TESSDATA_PREFIX",
    "SystemRoot",
    "SystemDrive",
    "PATHEXT",
    "USERPROFILE",
    "LOCALAPPDATA",
];

/// Runs a program to its end, without input. Its messages are kept, its output is not. `folder` holds its temporary files.
///
/// # Errors
/// If it fails, or runs until the deadline; says why. The folder may be gone then.
pub(super) fn run(mut command: Command, folder: &Path, deadline: Instant) -> Result<(), String> {
    let messages = folder.join("messages.txt");
    let sink = File::create(&messages).map_err(|error| error.to_string())?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(sink);
    command.env_clear();
    for name in VARIABLES {
        command.envs(std::env::var_os(name).map(|value| (name, value)));
    }
    for name in ["TMPDIR", "TMP", "TEMP"] {
        command.env(name, folder);
    }
    // With a group of its own, the programs that it starts can be ended with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let guard = match Guard::start(&child, folder) {
        Ok(guard) => guard,
        Err(error) => {
            end(&mut child);
            return Err(error.to_string());
        }
    };
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Ok(status),
            Ok(None) if Instant::now() < deadline => sleep(POLL),
            Ok(None) => break Err("it took too long".to_owned()),
            Err(error) => break Err(error.to_string()),
        }
    };
    match ended {
        Ok(status) => {
            guard.dismiss();
            match status.success() {
                true => Ok(()),
                false => Err(format!("{status}: {}", last_line(&messages))),
            }
        }
        Err(reason) => {
            guard.end_all();
            end(&mut child);
            Err(reason)
        }
    }
}

fn end(child: &mut Child) {
    // It may have ended by now.
    let _ = child.kill();
    let _ = child.wait();
}

fn last_line(messages: &Path) -> String {
    let read = || {
        let mut file = File::open(messages)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(MESSAGE_BYTES)))?;
        let mut bytes = Vec::new();
        file.take(MESSAGE_BYTES).read_to_end(&mut bytes)?;
        Ok::<_, std::io::Error>(bytes)
    };
    let bytes = read().unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    text.trim().lines().last().unwrap_or_default().to_owned()
}

/// Ends the program and deletes its folder when this process ends, even if it is killed. On Windows, only the program itself is ended, at the deadline.
struct Guard {
    #[cfg(unix)]
    shell: Child,
}

#[cfg(unix)]
impl Guard {
    /// `read` returns when the other end of the pipe is closed, whatever closed it.
    const SCRIPT: &str = r#"trap '' INT HUP TERM; read -r _; kill -s KILL -- "-$1"; rm -rf -- "$2""#;

    fn start(child: &Child, folder: &Path) -> std::io::Result<Self> {
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", Self::SCRIPT, "sh", &child.id().to_string()])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn().map(|shell| Self { shell })
    }

    /// The program has ended, and its files are still needed.
    fn dismiss(mut self) {
        end(&mut self.shell);
    }

    fn end_all(mut self) {
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}

#[cfg(not(unix))]
impl Guard {
    fn start(_child: &Child, _folder: &Path) -> std::io::Result<Self> {
        Ok(Self {})
    }

    fn dismiss(self) {}

    fn end_all(self) {}
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    #[test]
    fn programs_end_with_all_that_they_started() {
        let outside = tempfile::tempdir().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let marker = outside.path().join("marker");
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", r#"(sleep 1; : > "$1") & sleep 60"#, "sh"])
            .arg(&marker);
        let deadline = Instant::now() + Duration::from_millis(200);
        let reason = run(command, folder.path(), deadline).unwrap_err();
        assert!(reason.contains("too long"), "{reason}");
        assert!(!folder.path().exists());
        sleep(Duration::from_millis(1_500));
        assert!(!marker.exists());
    }

    #[test]
    fn programs_get_no_keys_and_the_end_of_their_messages_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let script = "i=0; while [ $i -lt 2000 ]; do echo working $i >&2; i=$((i+1)); done; \
             echo \"${CARGO_MANIFEST_DIR-no variable} in $TMPDIR\" >&2; exit 3";
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        let reason = run(command, folder.path(), Instant::now() + Duration::from_secs(60)).unwrap_err();
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
        let own = format!("no variable in {}", folder.path().display());
        assert!(reason.contains("3") && reason.ends_with(&own), "{reason}");
    }
}

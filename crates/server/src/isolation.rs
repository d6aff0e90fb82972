//! What the process that reads a file may do: read this file, within limits, and print the result.

use std::io::{self, Write};
use std::path::Path;

use precedent_app::{AppError, ErrorKind, end_with_stdin};

/// How the processes that read files are isolated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Isolation {
    /// Limits, and by Landlock no other file and no TCP.
    FilesAndNetwork,
    /// Limits, and by Landlock no other file. The kernel is older than Linux 6.7.
    Files,
    /// Limits of time, memory and files that are written.
    Limits,
    /// None: on this system nothing limits a process.
    None,
}

impl Isolation {
    /// What this system can do.
    #[must_use]
    pub fn here() -> Self {
        #[cfg(target_os = "linux")]
        if landlocked::has_files() {
            return match landlocked::has_network() {
                true => Self::FilesAndNetwork,
                false => Self::Files,
            };
        }
        match cfg!(unix) {
            true => Self::Limits,
            false => Self::None,
        }
    }

    /// In words.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::FilesAndNetwork => {
                "a process that reads an upload can open no other file and no TCP connection (Landlock)"
            }
            Self::Files => {
                "a process that reads an upload can open no other file (Landlock), but it can open connections; Linux 6.7 can refuse them"
            }
            Self::Limits if cfg!(target_os = "linux") => {
                "a process that reads an upload has limits of time and memory, but no Landlock, which needs Linux 5.13"
            }
            Self::Limits => "a process that reads an upload has limits of time and open files",
            Self::None => "a process that reads an upload has no limits on this system",
        }
    }
}

/// What a process may use while it reads a file.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(unix), expect(dead_code, reason = "nothing limits a process there"))]
struct ReadingLimits {
    /// Processor time of all threads.
    cpu_seconds: u64,
    /// Address space, in bytes.
    memory: u64,
    /// Open files at the same time.
    files: u64,
}

/// Chosen by hand: three times what the readers' own limits allow in time, and twice what they allow in memory. A reader opens one file, and the
/// runtime some pipes.
const READING: ReadingLimits = ReadingLimits {
    cpu_seconds: 60,
    memory: 2 << 30,
    files: 32,
};

impl ReadingLimits {
    #[cfg(unix)]
    fn set(self) -> io::Result<()> {
        use rlimit::Resource;
        let limits = [
            (Resource::CPU, self.cpu_seconds),
            (Resource::AS, self.memory),
            (Resource::NOFILE, self.files),
            // No file is written, nor a dump that would have the text of a paper.
            (Resource::FSIZE, 0),
            (Resource::CORE, 0),
        ];
        for (resource, limit) in limits {
            let set = resource.get().and_then(|(_, most)| {
                let limit = limit.min(most);
                resource.set(limit, limit)
            });
            // Other systems lack some of them; macOS refuses one of the address space.
            if cfg!(target_os = "linux") {
                set?;
            }
        }
        Ok(())
    }

    #[cfg(not(unix))]
    fn set(self) -> io::Result<()> {
        Ok(())
    }
}

/// Limits this process to reading `file`. Landlock holds for this thread and those that it starts.
fn restrict(file: &Path, limits: ReadingLimits) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    landlocked::restrict(file)?;
    #[cfg(not(target_os = "linux"))]
    let _ = file;
    limits.set()
}

/// Limits this process, and those that it starts, to writing in `folder`, without connections over TCP. Does nothing where there is no Landlock.
pub(crate) fn restrict_writing(folder: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    landlocked::restrict_writing(folder)?;
    #[cfg(not(target_os = "linux"))]
    let _ = folder;
    Ok(())
}

#[cfg(target_os = "linux")]
mod landlocked {
    use std::io;
    use std::path::Path;

    use landlock::{
        ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
        RulesetCreatedAttr, Scope,
    };

    /// The newest rules that the tests have seen at work. An older kernel applies those that it knows.
    const RULES: ABI = ABI::V6;

    fn required() -> Ruleset {
        Ruleset::default().set_compatibility(CompatLevel::HardRequirement)
    }

    pub(super) fn has_files() -> bool {
        let rules = required().handle_access(AccessFs::from_all(ABI::V1));
        rules.and_then(Ruleset::create).is_ok()
    }

    pub(super) fn has_network() -> bool {
        let rules = required().handle_access(AccessNet::from_all(ABI::V4));
        rules.and_then(Ruleset::create).is_ok()
    }

    pub(super) fn restrict_writing(folder: &Path) -> io::Result<()> {
        let open = |path: &Path| PathFd::new(path).map_err(io::Error::other);
        // Processes get it as their stdin or stderr.
        let null = open(Path::new("/dev/null"))?;
        let writing = AccessFs::from_write(RULES);
        let restricted = Ruleset::default()
            .handle_access(writing)
            .and_then(|rules| rules.handle_access(AccessNet::from_all(RULES)))
            .and_then(|rules| rules.scope(Scope::from_all(RULES)))
            .and_then(Ruleset::create)
            .map_err(io::Error::other)?
            .add_rule(PathBeneath::new(open(folder)?, writing))
            .and_then(|rules| rules.add_rule(PathBeneath::new(null, AccessFs::WriteFile)))
            .and_then(|rules| rules.restrict_self());
        restricted.map(|_| ()).map_err(io::Error::other)
    }

    pub(super) fn restrict(file: &Path) -> io::Result<()> {
        // A file that cannot be opened here cannot be read either, and the reader says why.
        let opened = PathFd::new(file).ok();
        let access = match file.is_dir() {
            true => AccessFs::ReadFile | AccessFs::ReadDir,
            false => AccessFs::ReadFile.into(),
        };
        let restricted = Ruleset::default()
            .handle_access(AccessFs::from_all(RULES))
            .and_then(|rules| rules.handle_access(AccessNet::from_all(RULES)))
            .and_then(|rules| rules.scope(Scope::from_all(RULES)))
            .and_then(Ruleset::create)
            .and_then(|rules| match opened {
                Some(opened) => rules.add_rule(PathBeneath::new(opened, access)),
                None => Ok(rules),
            })
            .and_then(|rules| rules.restrict_self());
        restricted.map(|_| ()).map_err(io::Error::other)
    }
}

/// Reads a file for another process and prints the result. Ends when stdin closes. With `ocr`, other programs recognize text in temporary files, so nothing is limited.
///
/// # Errors
/// If this process cannot be limited, or the result cannot be printed. A file that cannot be read is a result.
pub fn answer_reading(file: &Path, ocr: bool) -> Result<(), AppError> {
    let failed =
        |what: &str, error: io::Error| AppError::with_message(ErrorKind::Bug, format!("failed to {what}: {error}"));
    if !ocr {
        restrict(file, READING).map_err(|error| failed("limit the process", error))?;
    }
    end_with_stdin().map_err(|error| failed("watch the process that waits for the paper", error))?;
    let answer = precedent_app::answer_reading(file)?;
    let printed = io::stdout().lock().write_all(&answer);
    printed.map_err(|error| failed("print the paper", error))
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use std::fs::{self, File};
    use std::net::{TcpListener, TcpStream};
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Output};

    use super::*;

    const WHAT: &str = "PRECEDENT_TEST_INSIDE";
    const PLACE: &str = "PRECEDENT_TEST_PLACE";

    /// What a limited process can do.
    #[test]
    #[ignore = "limits its process, so the other tests start it in one of its own"]
    fn inside() {
        let Ok(what) = std::env::var(WHAT) else { return };
        let place = std::env::var(PLACE).unwrap();
        let (folder, port) = place.rsplit_once(' ').unwrap();
        let folder = Path::new(folder);
        let say = |name: &str, result: io::Result<()>| {
            let result = result.map_or_else(|error| format!("{:?}", error.kind()), |()| "done".to_owned());
            writeln!(io::stdout(), "[{name} {result}]").unwrap();
        };
        if what == "write" {
            fs::create_dir(folder.join("own")).unwrap();
            restrict_writing(&folder.join("own")).unwrap();
            say("own", File::create(folder.join("own/new.txt")).map(drop));
            say("read", fs::read(folder.join("paper.txt")).map(drop));
            say("created", File::create(folder.join("new.txt")).map(drop));
            say("changed", fs::write(folder.join("other.txt"), "changed"));
            say("deleted", fs::remove_file(folder.join("other.txt")));
            say("connected", TcpStream::connect(format!("127.0.0.1:{port}")).map(drop));
            let mut program = Command::new("/bin/true");
            program
                .stdin(std::process::Stdio::null())
                .stderr(std::process::Stdio::null());
            say("program", program.status().map(drop));
            return;
        }
        let limits = ReadingLimits {
            cpu_seconds: 1,
            ..READING
        };
        restrict(&folder.join("paper.txt"), limits).unwrap();
        if what == "spin" {
            let mut number = 1_u64;
            loop {
                number = std::hint::black_box(number.wrapping_mul(3));
            }
        }
        say("own", fs::read(folder.join("paper.txt")).map(drop));
        say("beside", fs::read(folder.join("other.txt")).map(drop));
        say("passwd", fs::read("/etc/passwd").map(drop));
        say("listed", fs::read_dir(folder).map(drop));
        say("created", File::create(folder.join("new.txt")).map(drop));
        say("connected", TcpStream::connect(format!("127.0.0.1:{port}")).map(drop));
        let thread = std::thread::spawn(|| fs::read("/etc/passwd").map(drop));
        say("thread", thread.join().unwrap());
        say("program", Command::new("/bin/true").status().map(drop));
        let memory = Vec::<u8>::new().try_reserve_exact(3 << 30);
        say("memory", memory.map_err(|_| io::ErrorKind::OutOfMemory.into()));
    }

    fn process(what: &str) -> Output {
        let folder = std::env::temp_dir().join(format!("precedent-isolation-{what}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("paper.txt"), "a paper").unwrap();
        fs::write(folder.join("other.txt"), "another").unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let output = Command::new(std::env::current_exe().unwrap())
            .args([
                "--ignored",
                "--exact",
                "isolation::tests::inside",
                "--nocapture",
                "--test-threads=1",
            ])
            .env(WHAT, what)
            .env(PLACE, format!("{} {port}", folder.display()))
            .output()
            .unwrap();
        assert!(!folder.join("new.txt").exists());
        fs::remove_dir_all(&folder).unwrap();
        output
    }

    #[test]
    fn a_reader_reaches_its_file_and_nothing_else() {
        let output = process("reach");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && printed.contains("[own done]"), "{output:?}");
        assert!(printed.contains("[memory OutOfMemory]"), "{printed}");
        let isolation = Isolation::here();
        if isolation == Isolation::Limits {
            // The kernel has no Landlock, which `doctor` and the server report.
            return;
        }
        for name in ["beside", "passwd", "listed", "created", "thread", "program"] {
            assert!(
                printed.contains(&format!("[{name} PermissionDenied]")),
                "{name}: {printed}"
            );
        }
        if isolation == Isolation::FilesAndNetwork {
            assert!(printed.contains("[connected PermissionDenied]"), "{printed}");
        }
    }

    #[test]
    fn an_import_writes_to_its_folder_and_nowhere_else() {
        let output = process("write");
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        for name in ["own", "read", "program"] {
            assert!(printed.contains(&format!("[{name} done]")), "{name}: {output:?}");
        }
        let isolation = Isolation::here();
        if isolation == Isolation::Limits {
            return;
        }
        for name in ["created", "changed", "deleted"] {
            assert!(
                printed.contains(&format!("[{name} PermissionDenied]")),
                "{name}: {printed}"
            );
        }
        if isolation == Isolation::FilesAndNetwork {
            assert!(printed.contains("[connected PermissionDenied]"), "{printed}");
        }
    }

    #[test]
    fn a_reader_that_never_ends_is_ended() {
        let output = process("spin");
        // The signals of the two limits of processor time.
        assert!(matches!(output.status.signal(), Some(9 | 24)), "{output:?}");
    }
}

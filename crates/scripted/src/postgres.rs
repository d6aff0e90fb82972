use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A PostgreSQL server of its own in a temporary folder, on a free port of loopback. It stops when dropped.
pub struct PostgresServer {
    folder: PathBuf,
    programs: PathBuf,
    port: u16,
}

impl PostgresServer {
    /// The user, who may do everything.
    pub const USER: &str = "organizer";
    /// The password of the user.
    pub const PASSWORD: &str = "rope-and-garden";
    /// The database that exists.
    pub const DATABASE: &str = "postgres";

    /// Creates and starts a server. The programs `initdb` and `pg_ctl` are looked for on `PATH` and where Debian installs them.
    ///
    /// # Errors
    /// If the programs are missing or fail.
    pub fn start() -> io::Result<Self> {
        static STARTED: AtomicUsize = AtomicUsize::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("precedent-postgres-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder)?;
        let server = Self {
            programs: programs()?,
            port: TcpListener::bind("127.0.0.1:0")?.local_addr()?.port(),
            folder,
        };
        std::fs::write(server.folder.join("password"), Self::PASSWORD)?;
        if is_root()? {
            // The server refuses to run as root.
            succeed(Command::new("chown").args(["-R", "postgres"]).arg(&server.folder))?;
        }
        let data = server.folder.join("data");
        let mut create = server.program("initdb")?;
        create.arg("--pgdata").arg(&data);
        create.args([
            "--username",
            Self::USER,
            "--auth",
            "scram-sha-256",
            "--no-sync",
            "--encoding",
            "UTF8",
        ]);
        succeed(create.arg("--pwfile").arg(server.folder.join("password")))?;
        server.resume()?;
        Ok(server)
    }

    /// The URL of the database, with the password.
    #[must_use]
    pub fn url(&self) -> String {
        self.url_of(Self::USER, Self::PASSWORD, Self::DATABASE)
    }

    /// The URL of a database for a user.
    #[must_use]
    pub fn url_of(&self, user: &str, password: &str, database: &str) -> String {
        format!("postgres://{user}:{password}@127.0.0.1:{}/{database}", self.port)
    }

    /// Stops the server as if its machine had lost power.
    ///
    /// # Errors
    /// If it does not stop.
    pub fn crash(&self) -> io::Result<()> {
        let mut stop = self.program("pg_ctl")?;
        stop.arg("stop").arg("--pgdata").arg(self.folder.join("data"));
        succeed(stop.args(["--mode", "immediate", "--wait"]))
    }

    /// Starts the server again after [`PostgresServer::crash`].
    ///
    /// # Errors
    /// If it does not start.
    pub fn resume(&self) -> io::Result<()> {
        let options = format!(
            "-p {} -k {} -c listen_addresses=127.0.0.1",
            self.port,
            self.folder.display()
        );
        let mut start = self.program("pg_ctl")?;
        start.arg("start").arg("--pgdata").arg(self.folder.join("data"));
        start.arg("--log").arg(self.folder.join("log"));
        succeed(start.args(["--wait", "--options", &options]))
    }

    fn program(&self, name: &str) -> io::Result<Command> {
        let path = self.programs.join(name);
        let mut command = match is_root()? {
            false => Command::new(path),
            true => {
                let mut command = Command::new("runuser");
                command.args(["-u", "postgres", "--"]).arg(path);
                command
            }
        };
        command.current_dir(&self.folder);
        Ok(command)
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        let _ = self.crash();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn is_root() -> io::Result<bool> {
    let id = Command::new("id").arg("-u").output()?;
    Ok(id.stdout == b"0\n")
}

/// Runs a command that says why it fails.
fn succeed(command: &mut Command) -> io::Result<()> {
    // The server keeps what it inherits, so it gets no pipe.
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).status()?;
    match status.success() {
        true => Ok(()),
        false => Err(io::Error::other(format!("{command:?} failed: {status}"))),
    }
}

/// The folder of the server's programs.
fn programs() -> io::Result<PathBuf> {
    let on_path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&on_path).collect();
    if let Ok(versions) = Path::new("/usr/lib/postgresql").read_dir() {
        folders.extend(versions.flatten().map(|version| version.path().join("bin")));
    }
    let found = folders.into_iter().find(|folder| folder.join("initdb").is_file());
    found.ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::NotFound,
            "initdb, a program of PostgreSQL, is not installed",
        )
    })
}

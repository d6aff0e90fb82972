use std::fmt;
use std::path::Path;

use precedent_engine::domain::RunId;
#[cfg(feature = "postgres")]
use precedent_engine::ledger::JobQueue;
use precedent_engine::ledger::{Ledger, LedgerError, Sent};

use crate::runtime::{outside_runtime, runtime_here};
use crate::{AppError, ErrorKind, Settings, encoders};

/// Who sent what a database on another machine received.
pub(crate) const DATABASE: &str = "database";

/// A PostgreSQL database that the runs of a batch share, also between machines.
#[derive(Clone)]
pub struct Database {
    /// May contain a password.
    url: String,
    /// Whose connections the runs of this process use; else each opens its own.
    #[cfg(feature = "postgres")]
    queue: Option<JobQueue>,
}

impl PartialEq for Database {
    fn eq(&self, other: &Self) -> bool {
        self.url == other.url
    }
}

impl Eq for Database {}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Database([secret])")
    }
}

impl Database {
    /// The database at the URL that a user gave, or else that of the settings file.
    ///
    /// # Errors
    /// If the settings file is not valid or contains a password, or the host is not one that `local_only` allows.
    pub fn chosen(
        given: Option<&str>,
        settings: Option<&Path>,
        local_only: bool,
        private_hosts: &[String],
    ) -> Result<Option<Self>, AppError> {
        let settings = Settings::load(settings)?;
        if settings.database.as_deref().is_some_and(has_password) {
            return Err(
                AppError::with_message(ErrorKind::Usage, "the setting `database` contains a password")
                    .hint("remove it there, and set PGPASSWORD, or PRECEDENT_DATABASE to the whole URL"),
            );
        }
        let given = given.map(str::to_owned).filter(|url| !url.is_empty());
        let Some(url) = given.or(settings.database) else {
            return Ok(None);
        };
        let host = host_of(&url);
        // A socket of this machine has a path as its host.
        if !host.to_ascii_lowercase().starts_with("%2f") {
            let mut private = settings.private_hosts;
            private.extend_from_slice(private_hosts);
            let reach = encoders::reach(local_only || settings.local_only, private);
            // The message does not name the host, because a malformed URL may have a part of the password in its place.
            reach.permits(&format!("http://{host}/")).map_err(|_| {
                let message = "the database is not on this machine or a private host, or its URL is not valid";
                AppError::with_message(ErrorKind::Usage, message)
                    .hint("add its host to `private_hosts` in the settings, or write the URL as postgres://USER@HOST/DATABASE")
            })?;
        }
        Ok(Some(Self {
            url,
            #[cfg(feature = "postgres")]
            queue: None,
        }))
    }

    /// Whether the URL contains a password.
    #[must_use]
    pub fn has_password(&self) -> bool {
        has_password(&self.url)
    }

    /// Connects once, and creates the tables if they are missing. Blocks the calling thread.
    ///
    /// # Errors
    /// If the database cannot be used.
    pub fn check(&self) -> Result<(), AppError> {
        outside_runtime(|| {
            runtime_here()?.block_on(async {
                let ledger = Ledger::connect(&self.url, "check").await.map_err(unusable)?;
                ledger.close().await;
                Ok(())
            })
        })
    }

    /// The queue of shared batches. A worker without a sign of life loses its papers after `lease`.
    #[cfg(feature = "postgres")]
    pub(crate) async fn queue(&self, lease: std::time::Duration) -> Result<JobQueue, AppError> {
        JobQueue::connect(&self.url, lease).await.map_err(unusable)
    }

    /// The same database, through the connections of `queue`.
    #[cfg(feature = "postgres")]
    pub(crate) fn through(&self, queue: &JobQueue) -> Self {
        Self {
            queue: Some(queue.clone()),
            ..self.clone()
        }
    }

    async fn ledger(&self, run: &RunId) -> Result<Ledger, AppError> {
        #[cfg(feature = "postgres")]
        if let Some(queue) = &self.queue {
            return Ok(queue.ledger(run.as_str()));
        }
        Ledger::connect(&self.url, run.as_str()).await.map_err(unusable)
    }

    /// The run's own ledger, shared with all processes of the same run. It records that its content goes to the database, if that is on another
    /// machine.
    pub(crate) async fn shared(&self, own: Ledger, run: &RunId) -> Result<Ledger, AppError> {
        let shared = self.ledger(run).await?;
        if let Some(sent) = self.sent_elsewhere() {
            own.note_sent(&sent).await.map_err(unusable)?;
        }
        Ok(own.sharing(shared))
    }

    fn sent_elsewhere(&self) -> Option<Sent> {
        let host = host_of(&self.url);
        let is_here = host.to_ascii_lowercase().starts_with("%2f")
            || encoders::reach(true, Vec::new())
                .permits(&format!("http://{host}/"))
                .is_ok();
        (!is_here).then(|| Sent {
            who: DATABASE.to_owned(),
            host: host.to_owned(),
            asked: "everything that the run records: answers and this list".to_owned(),
            bytes_out: 0,
            bytes_in: 0,
            outcome: "shared, size not counted".to_owned(),
        })
    }
}

pub(crate) fn unusable(error: LedgerError) -> AppError {
    let kind = match error {
        LedgerError::DatabaseUrl { .. } | LedgerError::NoPostgres => ErrorKind::Usage,
        _ => ErrorKind::Input,
    };
    AppError::new(kind, error)
}

/// Host and port of a URL.
fn host_of(url: &str) -> &str {
    authority(url).rsplit('@').next().unwrap_or_default()
}

fn has_password(url: &str) -> bool {
    let user = authority(url).rsplit_once('@').map_or("", |(user, _)| user);
    user.contains(':') || url.contains("password=")
}

fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(given: &str, local_only: bool, private: &[String]) -> Result<Option<Database>, AppError> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.toml");
        std::fs::write(&path, "").unwrap();
        Database::chosen(Some(given), Some(&path), local_only, private)
    }

    #[test]
    fn a_local_only_batch_uses_a_database_on_this_machine_or_a_private_host() {
        let private = ["db.lab".to_owned()];
        for url in [
            "postgres://chair@127.0.0.1:5433/venue",
            "postgres://chair@localhost/venue",
            "postgres://chair@%2Frun%2Fpostgresql/venue",
            "postgres://chair:p@db.lab:5432/venue",
        ] {
            assert!(chosen(url, true, &private).unwrap().is_some(), "{url}");
        }
        for url in ["postgres://chair@db.example.com/venue", "postgres:///venue"] {
            let error = chosen(url, true, &private).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Usage, "{url}");
        }
        assert!(
            chosen("postgres://chair@db.example.com/venue", false, &[])
                .unwrap()
                .is_some()
        );
    }

    #[test]
    fn a_database_on_another_machine_is_listed_as_a_receiver() {
        let receiver = |url: &str| {
            let database = chosen(url, false, &[]).unwrap().unwrap();
            database.sent_elsewhere().map(|sent| (sent.who, sent.host))
        };
        assert_eq!(
            receiver("postgres://chair:rope-key@db.lab:5433/venue"),
            Some(("database".to_owned(), "db.lab:5433".to_owned()))
        );
        for url in [
            "postgres://chair@127.0.0.1:5433/venue",
            "postgres://chair@localhost/venue",
            "postgres://chair@%2Frun%2Fpostgresql/venue",
        ] {
            assert_eq!(receiver(url), None, "{url}");
        }
    }

    #[test]
    fn a_password_is_not_printed_and_not_read_from_the_settings_file() {
        let database = chosen("postgres://chair:rope-key@db.lab/venue", false, &[])
            .unwrap()
            .unwrap();
        assert!(database.has_password());
        assert!(!format!("{database:?}").contains("rope-key"));
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("settings.toml");
        std::fs::write(&path, "database = 'postgres://chair:rope-key@db.lab/venue'").unwrap();
        let error = Database::chosen(None, Some(&path), false, &[]).unwrap_err();
        assert!(!error.to_string().contains("rope-key"), "{error}");
        std::fs::write(&path, "database = 'postgres://chair@db.lab/venue'").unwrap();
        let database = Database::chosen(None, Some(&path), false, &[]).unwrap().unwrap();
        assert!(!database.has_password());
    }

    #[cfg(not(feature = "postgres"))]
    #[test]
    fn a_program_without_the_driver_says_how_to_build_it() {
        let database = chosen("postgres://chair:secret@127.0.0.1/venue", false, &[])
            .unwrap()
            .unwrap();
        let error = database.check().unwrap_err();
        assert_eq!(error.kind, ErrorKind::Usage);
        let text = format!("{error} {error:?}");
        assert!(
            text.contains("--features postgres") && !text.contains("secret"),
            "{text}"
        );
    }
}

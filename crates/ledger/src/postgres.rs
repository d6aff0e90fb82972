use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions, PgRow, PgSslMode};
use sqlx::{Connection, PgConnection, PgExecutor, PgPool, Row};

use crate::store::{ArtifactKey, Store, saturating};
use crate::{Answer, Claim, DatabaseProblem, InputHash, Lease, LedgerError, Sent};

/// The tables that each format added, from the first. A database of an earlier format gets those of the later ones.
const FORMATS: &[&[&str]] = &[&[
    "CREATE TABLE precedent.format (version BIGINT NOT NULL)",
    "INSERT INTO precedent.format VALUES (0)",
    "CREATE TABLE precedent.artifacts (
        scope      TEXT   NOT NULL,
        stage      TEXT   NOT NULL,
        version    BIGINT NOT NULL,
        input_hash TEXT   NOT NULL,
        output     BYTEA  NOT NULL,
        PRIMARY KEY (scope, stage, version, input_hash)
    )",
    "CREATE TABLE precedent.answers (
        scope   TEXT    NOT NULL,
        key     TEXT    NOT NULL,
        asked   TEXT    NOT NULL,
        status  BIGINT  NOT NULL,
        head    TEXT    NOT NULL,
        body    BYTEA   NOT NULL,
        settled BOOLEAN NOT NULL,
        PRIMARY KEY (scope, key)
    )",
    "CREATE TABLE precedent.egress (
        number    BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        scope     TEXT   NOT NULL,
        who       TEXT   NOT NULL,
        host      TEXT   NOT NULL,
        asked     TEXT   NOT NULL,
        bytes_out BIGINT NOT NULL,
        bytes_in  BIGINT NOT NULL,
        outcome   TEXT   NOT NULL
    )",
    "CREATE INDEX egress_of_scope ON precedent.egress (scope, number)",
    // A number is never used again, so that it can be the token of a lease.
    "CREATE SEQUENCE precedent.tokens",
    "CREATE TABLE precedent.claims (
        scope      TEXT        NOT NULL,
        key        TEXT        NOT NULL,
        token      BIGINT      NOT NULL,
        held_until TIMESTAMPTZ NOT NULL,
        PRIMARY KEY (scope, key)
    )",
]];

/// The lock under which tables are created. The number is the ASCII text `preceden`.
const SETUP_LOCK: i64 = 0x7072_6563_6564_656e;

/// How long a query waits for a connection to a server that is restarting. Chosen by hand.
const PATIENCE: Duration = Duration::from_secs(30);

/// Parameters that a URL may have. The driver logs others with their values, which may be secret.
const PARAMETERS: [&str; 5] = ["sslmode", "sslrootcert", "sslcert", "sslkey", "application_name"];

/// A ledger in a PostgreSQL database. Several processes and machines may use it at the same time. Each scope has its own rows.
pub(crate) struct PostgresStore {
    pool: PgPool,
    scope: String,
    /// The database as messages name it, without the user and the password.
    place: String,
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore")
            .field("place", &self.place)
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}

impl PostgresStore {
    pub(crate) async fn connect(url: &str, scope: &str) -> Result<Self, LedgerError> {
        let options = options_of(url)?;
        let place = place_of(&options);
        // Without the pool, which would try again for a while when nothing answers.
        let connecting = tokio::time::timeout(PATIENCE, PgConnection::connect_with(&options));
        let mut first = match connecting.await {
            Ok(connected) => connected.map_err(|error| failed(&place, error))?,
            Err(_) => return Err(failed(&place, sqlx::Error::PoolTimedOut)),
        };
        prepare(&mut first, &place).await?;
        first.close().await.map_err(|error| failed(&place, error))?;
        // A batch has a ledger for each paper that is assessed, and a server usually allows 100 connections.
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .acquire_timeout(PATIENCE)
            .connect_lazy_with(options);
        Ok(Self {
            pool,
            scope: scope.to_owned(),
            place,
        })
    }

    fn failed(&self, error: sqlx::Error) -> LedgerError {
        failed(&self.place, error)
    }

    async fn keep_answer(
        &self,
        database: impl PgExecutor<'_>,
        key: &InputHash,
        answer: &Answer,
    ) -> Result<(), sqlx::Error> {
        sqlx::query(
            "INSERT INTO precedent.answers (scope, key, asked, status, head, body, settled) VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (scope, key) DO UPDATE SET asked = excluded.asked, status = excluded.status, head = excluded.head,
                 body = excluded.body, settled = excluded.settled
             WHERE NOT answers.settled",
        )
        .bind(&self.scope)
        .bind(key.as_str())
        .bind(storable(&answer.asked))
        .bind(i64::from(answer.status))
        .bind(storable(&answer.head))
        .bind(&answer.body)
        .bind(answer.settled)
        .execute(database)
        .await?;
        Ok(())
    }

    async fn try_claim(&self, key: &InputHash, lease: Duration) -> Result<Claim, sqlx::Error> {
        let token: Option<i64> = sqlx::query_scalar(
            "INSERT INTO precedent.claims AS held (scope, key, token, held_until)
             VALUES ($1, $2, nextval('precedent.tokens'), clock_timestamp() + make_interval(secs => $3))
             ON CONFLICT (scope, key) DO UPDATE SET token = excluded.token, held_until = excluded.held_until
             WHERE held.held_until < clock_timestamp()
             RETURNING token",
        )
        .bind(&self.scope)
        .bind(key.as_str())
        .bind(lease.as_secs_f64())
        .fetch_optional(&self.pool)
        .await?;
        let Some(token) = token else {
            return Ok(Claim::Held);
        };
        // An earlier holder records its response before its claim ends, so this sees it.
        let is_settled: Option<bool> =
            sqlx::query_scalar("SELECT settled FROM precedent.answers WHERE scope = $1 AND key = $2")
                .bind(&self.scope)
                .bind(key.as_str())
                .fetch_optional(&self.pool)
                .await?;
        if is_settled == Some(true) {
            self.remove_claim(&self.pool, key, token).await?;
            return Ok(Claim::Answered);
        }
        Ok(Claim::Ours(Lease {
            key: key.clone(),
            token,
        }))
    }

    /// Whether the claim was held with `token`.
    async fn remove_claim(
        &self,
        database: impl PgExecutor<'_>,
        key: &InputHash,
        token: i64,
    ) -> Result<bool, sqlx::Error> {
        let done = sqlx::query("DELETE FROM precedent.claims WHERE scope = $1 AND key = $2 AND token = $3")
            .bind(&self.scope)
            .bind(key.as_str())
            .bind(token)
            .execute(database)
            .await?;
        Ok(done.rows_affected() > 0)
    }

    async fn try_settle(&self, lease: &Lease, answer: &Answer) -> Result<bool, sqlx::Error> {
        let mut transaction = self.pool.begin().await?;
        if !self.remove_claim(&mut *transaction, &lease.key, lease.token).await? {
            return Ok(false);
        }
        self.keep_answer(&mut *transaction, &lease.key, answer).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn artifact(&self, key: ArtifactKey<'_>) -> Result<Option<Vec<u8>>, LedgerError> {
        sqlx::query_scalar(
            "SELECT output FROM precedent.artifacts WHERE scope = $1 AND stage = $2 AND version = $3 AND input_hash = $4",
        )
        .bind(&self.scope)
        .bind(key.stage)
        .bind(i64::from(key.version))
        .bind(key.input.as_str())
        .fetch_optional(&self.pool)
        .await
        .map_err(|error| self.failed(error))
    }

    async fn keep_artifact(&self, key: ArtifactKey<'_>, output: &[u8]) -> Result<Option<Vec<u8>>, LedgerError> {
        let done = sqlx::query(
            "INSERT INTO precedent.artifacts (scope, stage, version, input_hash, output) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT DO NOTHING",
        )
        .bind(&self.scope)
        .bind(key.stage)
        .bind(i64::from(key.version))
        .bind(key.input.as_str())
        .bind(output)
        .execute(&self.pool)
        .await
        .map_err(|error| self.failed(error))?;
        match done.rows_affected() {
            0 => self.artifact(key).await,
            _ => Ok(None),
        }
    }

    async fn mend_artifact(&self, key: ArtifactKey<'_>, output: &[u8]) -> Result<(), LedgerError> {
        sqlx::query(
            "INSERT INTO precedent.artifacts (scope, stage, version, input_hash, output) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (scope, stage, version, input_hash) DO UPDATE SET output = excluded.output",
        )
        .bind(&self.scope)
        .bind(key.stage)
        .bind(i64::from(key.version))
        .bind(key.input.as_str())
        .bind(output)
        .execute(&self.pool)
        .await
        .map_err(|error| self.failed(error))?;
        Ok(())
    }

    async fn artifact_count(&self) -> Result<u64, LedgerError> {
        let count: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM precedent.artifacts WHERE scope = $1")
            .bind(&self.scope)
            .fetch_one(&self.pool)
            .await
            .map_err(|error| self.failed(error))?;
        Ok(u64::try_from(count).unwrap_or_default())
    }

    async fn answer(&self, key: &InputHash) -> Result<Option<Answer>, LedgerError> {
        let row = sqlx::query(
            "SELECT asked, status, head, body, settled FROM precedent.answers WHERE scope = $1 AND key = $2",
        )
        .bind(&self.scope)
        .bind(key.as_str())
        .fetch_optional(&self.pool)
        .await
        .map_err(|error| self.failed(error))?;
        row.map(|row| read_answer(&row)).transpose()
    }

    async fn keep_answer(&self, key: &InputHash, answer: &Answer) -> Result<(), LedgerError> {
        let kept = self.keep_answer(&self.pool, key, answer).await;
        kept.map_err(|error| self.failed(error))
    }

    async fn note_sent(&self, sent: &Sent) -> Result<i64, LedgerError> {
        sqlx::query_scalar(
            "INSERT INTO precedent.egress (scope, who, host, asked, bytes_out, bytes_in, outcome) VALUES ($1, $2, $3, $4, $5, $6, $7)
             RETURNING number",
        )
        .bind(&self.scope)
        .bind(storable(&sent.who))
        .bind(storable(&sent.host))
        .bind(storable(&sent.asked))
        .bind(saturating(sent.bytes_out))
        .bind(saturating(sent.bytes_in))
        .bind(storable(&sent.outcome))
        .fetch_one(&self.pool)
        .await
        .map_err(|error| self.failed(error))
    }

    async fn note_received(&self, number: i64, bytes_in: u64, outcome: &str) -> Result<(), LedgerError> {
        sqlx::query("UPDATE precedent.egress SET bytes_in = $3, outcome = $4 WHERE scope = $1 AND number = $2")
            .bind(&self.scope)
            .bind(number)
            .bind(saturating(bytes_in))
            .bind(storable(outcome))
            .execute(&self.pool)
            .await
            .map_err(|error| self.failed(error))?;
        Ok(())
    }

    async fn everything_sent(&self) -> Result<Vec<Sent>, LedgerError> {
        let rows = sqlx::query(
            "SELECT who, host, asked, bytes_out, bytes_in, outcome FROM precedent.egress WHERE scope = $1 ORDER BY number",
        )
        .bind(&self.scope)
        .fetch_all(&self.pool)
        .await
        .map_err(|error| self.failed(error))?;
        rows.iter().map(read_sent).collect()
    }

    fn is_shared(&self) -> bool {
        true
    }

    async fn claim(&self, key: &InputHash, lease: Duration) -> Result<Claim, LedgerError> {
        let claimed = self.try_claim(key, lease).await;
        claimed.map_err(|error| self.failed(error))
    }

    async fn renew(&self, lease: &Lease, length: Duration) -> Result<bool, LedgerError> {
        let done = sqlx::query(
            "UPDATE precedent.claims SET held_until = clock_timestamp() + make_interval(secs => $4)
             WHERE scope = $1 AND key = $2 AND token = $3",
        )
        .bind(&self.scope)
        .bind(lease.key.as_str())
        .bind(lease.token)
        .bind(length.as_secs_f64())
        .execute(&self.pool)
        .await
        .map_err(|error| self.failed(error))?;
        Ok(done.rows_affected() > 0)
    }

    async fn settle(&self, lease: &Lease, answer: &Answer) -> Result<bool, LedgerError> {
        let settled = self.try_settle(lease, answer).await;
        settled.map_err(|error| self.failed(error))
    }

    async fn release(&self, lease: &Lease) -> Result<(), LedgerError> {
        let removed = self.remove_claim(&self.pool, &lease.key, lease.token).await;
        removed.map(|_| ()).map_err(|error| self.failed(error))
    }

    async fn close(&self) {
        self.pool.close().await;
    }
}

/// Creates the tables, or those that an earlier version did not know. Only one process at a time does.
async fn prepare(connection: &mut PgConnection, place: &str) -> Result<(), LedgerError> {
    let known = i64::try_from(FORMATS.len()).unwrap_or(i64::MAX);
    let failed = |error| failed(place, error);
    if format_of(connection).await.map_err(failed)? == known {
        return Ok(());
    }
    let mut transaction = connection.begin().await.map_err(failed)?;
    let locked = sqlx::query("SELECT pg_advisory_xact_lock($1)").bind(SETUP_LOCK);
    locked.execute(&mut *transaction).await.map_err(failed)?;
    let found = format_of(&mut transaction).await.map_err(failed)?;
    if found > known {
        return Err(LedgerError::Newer { found, known });
    }
    // Users that may not create schemas can be given an empty one.
    let has_schema: bool = sqlx::query_scalar("SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'precedent')")
        .fetch_one(&mut *transaction)
        .await
        .map_err(failed)?;
    let schema: &[&str] = if has_schema { &[] } else { &["CREATE SCHEMA precedent"] };
    let missing = FORMATS.iter().skip(usize::try_from(found).unwrap_or_default());
    for statement in schema.iter().chain(missing.flat_map(|statements| statements.iter())) {
        sqlx::query(*statement)
            .execute(&mut *transaction)
            .await
            .map_err(failed)?;
    }
    let noted = sqlx::query("UPDATE precedent.format SET version = $1").bind(known);
    noted.execute(&mut *transaction).await.map_err(failed)?;
    transaction.commit().await.map_err(failed)
}

/// The format of the tables, 0 if there are none. Reads the catalog, because `to_regclass` may miss a table that another process created a moment ago.
async fn format_of(connection: &mut PgConnection) -> Result<i64, sqlx::Error> {
    let exists: bool = sqlx::query_scalar(
        "SELECT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'precedent' AND tablename = 'format')",
    )
    .fetch_one(&mut *connection)
    .await?;
    match exists {
        false => Ok(0),
        true => {
            sqlx::query_scalar("SELECT version FROM precedent.format")
                .fetch_one(connection)
                .await
        }
    }
}

/// The options in a URL. Encryption with a checked certificate is the default unless the server is on this machine.
fn options_of(url: &str) -> Result<PgConnectOptions, LedgerError> {
    let unusable = |why: &str| LedgerError::DatabaseUrl { why: why.to_owned() };
    if !["postgres://", "postgresql://"]
        .iter()
        .any(|scheme| url.starts_with(scheme))
    {
        return Err(unusable("it does not start with postgres://"));
    }
    let host = url.split("://").nth(1).and_then(|rest| rest.split(['/', '?']).next());
    if host.is_none_or(|host| host.is_empty() || host.ends_with('@')) {
        return Err(unusable("it names no host"));
    }
    let query = url.split_once('?').map_or("", |(_, query)| query);
    let mut chooses_encryption = std::env::var_os("PGSSLMODE").is_some();
    for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
        let name = parameter.split('=').next().unwrap_or_default();
        if !PARAMETERS.contains(&name) {
            return Err(unusable(&format!(
                "it has an unknown parameter; known are {}",
                PARAMETERS.join(", ")
            )));
        }
        chooses_encryption |= name == "sslmode";
    }
    // The error of the parser may repeat a part of the URL.
    let options: PgConnectOptions = url
        .parse()
        .map_err(|_| unusable("it is no valid URL; special characters of a password are written as %40 for @"))?;
    if options.get_database().is_none() {
        return Err(unusable("it names no database"));
    }
    match chooses_encryption || is_on_this_machine(&options) {
        true => Ok(options),
        false => Ok(options.ssl_mode(PgSslMode::VerifyFull)),
    }
}

fn is_on_this_machine(options: &PgConnectOptions) -> bool {
    let host = options.get_host();
    let address = host.trim_matches(['[', ']']).parse::<std::net::IpAddr>();
    options.get_socket().is_some()
        || host.starts_with('/')
        || host == "localhost"
        || address.is_ok_and(|address| address.is_loopback())
}

/// The database as messages name it.
fn place_of(options: &PgConnectOptions) -> String {
    let database = options.get_database().unwrap_or_default();
    match options.get_socket() {
        Some(socket) => format!("{database} at {}", socket.display()),
        None => format!("{database} at {}:{}", options.get_host(), options.get_port()),
    }
}

/// Classified by SQLSTATE (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).
fn failed(place: &str, source: sqlx::Error) -> LedgerError {
    let code = source.as_database_error().and_then(|error| error.code());
    let problem = match (code.as_deref(), &source) {
        (Some("28P01" | "28000"), _) => DatabaseProblem::Refused,
        (Some("3D000"), _) => DatabaseProblem::NoSuchDatabase,
        (Some("42501"), _) => DatabaseProblem::NotAllowed,
        (Some("53300"), _) => DatabaseProblem::TooManyConnections,
        (Some("53100" | "25006"), _) => DatabaseProblem::NoRoom,
        // The server is starting or stopping, or an administrator ended the connection.
        (Some("57P01" | "57P02" | "57P03"), _)
        | (_, sqlx::Error::Io(_) | sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed) => DatabaseProblem::Away,
        (_, sqlx::Error::Tls(_)) => DatabaseProblem::NotEncrypted,
        _ => DatabaseProblem::Other,
    };
    LedgerError::Database {
        place: place.to_owned(),
        problem,
        source,
    }
}

/// PostgreSQL stores every character but this one.
fn storable(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

fn read_answer(row: &PgRow) -> Result<Answer, LedgerError> {
    Ok(Answer {
        asked: row.try_get("asked")?,
        status: u16::try_from(row.try_get::<i64, _>("status")?).unwrap_or_default(),
        head: row.try_get("head")?,
        body: row.try_get("body")?,
        settled: row.try_get("settled")?,
    })
}

fn read_sent(row: &PgRow) -> Result<Sent, LedgerError> {
    Ok(Sent {
        who: row.try_get("who")?,
        host: row.try_get("host")?,
        asked: row.try_get("asked")?,
        bytes_out: u64::try_from(row.try_get::<i64, _>("bytes_out")?).unwrap_or_default(),
        bytes_in: u64::try_from(row.try_get::<i64, _>("bytes_in")?).unwrap_or_default(),
        outcome: row.try_get("outcome")?,
    })
}

use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions, PgSslMode};
use sqlx::{Connection, PgConnection, PgPool};

use crate::{DatabaseProblem, LedgerError};

/// The tables that each format added, from the first. A database of an earlier format gets those of the later ones.
const FORMATS: &[&[&str]] = &[
    &[
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
    ],
    // Batches whose papers several machines share.
    &[
        "CREATE TABLE precedent.batches (
            id      TEXT        PRIMARY KEY,
            name    TEXT        NOT NULL,
            request TEXT        NOT NULL,
            state   TEXT        NOT NULL DEFAULT 'open',
            created TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
        )",
        "CREATE TABLE precedent.papers (
            batch    TEXT   NOT NULL REFERENCES precedent.batches (id) ON DELETE CASCADE,
            folder   TEXT   NOT NULL,
            number   BIGINT NOT NULL,
            name     TEXT   NOT NULL,
            input    TEXT   NOT NULL,
            state    TEXT   NOT NULL DEFAULT 'waiting',
            round    BIGINT NOT NULL DEFAULT 1,
            attempts BIGINT NOT NULL DEFAULT 0,
            task     TEXT,
            token    BIGINT,
            worker   TEXT,
            status   TEXT,
            kind     TEXT,
            error    TEXT,
            dollars  DOUBLE PRECISION NOT NULL DEFAULT 0,
            started  TIMESTAMPTZ,
            ended    TIMESTAMPTZ,
            PRIMARY KEY (batch, folder)
        )",
        "CREATE INDEX papers_by_state ON precedent.papers (batch, state)",
    ],
    // The pace of hosts for all processes that use the database.
    &["CREATE TABLE precedent.hosts (
        host        TEXT        PRIMARY KEY,
        rests_until TIMESTAMPTZ NOT NULL DEFAULT '-infinity',
        next_turn   TIMESTAMPTZ NOT NULL DEFAULT '-infinity'
    )"],
    // Budgets of batches, in US dollars. What a paper takes of one is `earlier` (its runs before this one), `spent` and `reserved` (this run).
    &[
        "ALTER TABLE precedent.batches ADD COLUMN budget DOUBLE PRECISION, ADD COLUMN is_used_up BOOLEAN NOT NULL DEFAULT false",
        "ALTER TABLE precedent.papers
            ADD COLUMN paid     DOUBLE PRECISION NOT NULL DEFAULT 0,
            ADD COLUMN earlier  DOUBLE PRECISION NOT NULL DEFAULT 0,
            ADD COLUMN spent    DOUBLE PRECISION NOT NULL DEFAULT 0,
            ADD COLUMN reserved DOUBLE PRECISION NOT NULL DEFAULT 0",
        "UPDATE precedent.papers SET paid = dollars, earlier = dollars",
    ],
    // Which batch comes first, and how often a paper was run again by itself.
    &[
        "ALTER TABLE precedent.batches ADD COLUMN priority BIGINT NOT NULL DEFAULT 0",
        // The round of an incomplete result, which counts if no later one has a result.
        "ALTER TABLE precedent.papers ADD COLUMN retries BIGINT NOT NULL DEFAULT 0, ADD COLUMN result_round BIGINT",
    ],
    // Budgets of users, in US dollars, and which budget a batch has used up.
    &[
        "CREATE TABLE precedent.users (
            name   TEXT             PRIMARY KEY,
            budget DOUBLE PRECISION NOT NULL
        )",
        "ALTER TABLE precedent.batches ADD COLUMN user_name TEXT, ADD COLUMN used_up TEXT",
        "CREATE INDEX batches_by_user ON precedent.batches (user_name)",
    ],
];

/// The lock under which tables are created. The number is the ASCII text `preceden`.
const SETUP_LOCK: i64 = 0x7072_6563_6564_656e;

/// How long a query waits for a connection to a server that is restarting. Chosen by hand.
const PATIENCE: Duration = Duration::from_secs(30);

/// Parameters that a URL may have. The driver logs others with their values, which may be secret.
const PARAMETERS: [&str; 5] = ["sslmode", "sslrootcert", "sslcert", "sslkey", "application_name"];

/// Connects to the database at `url`, creates the tables that are missing, and returns connections and the name of the database for messages.
pub(crate) async fn open(url: &str, connections: u32) -> Result<(PgPool, String), LedgerError> {
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
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(PATIENCE)
        .connect_lazy_with(options);
    Ok((pool, place))
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
pub(crate) fn failed(place: &str, source: sqlx::Error) -> LedgerError {
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
pub(crate) fn storable(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

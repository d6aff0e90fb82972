use std::sync::Arc;
use std::time::Duration;

use precedent_domain::{Query, Scope};
use precedent_http::{HttpGateway, Mode, NetworkPolicy, Secret, Settings};
use precedent_ledger::Ledger;
use precedent_scripted::literature::{LibraryRecord, LiteratureServer};
use precedent_sources::{ServiceSettings, ServiceSource, service};

pub(crate) const KEY: &str = "key-that-nobody-may-see";

pub(crate) fn record(key: &str, title: &str, day: &str) -> LibraryRecord {
    LibraryRecord {
        key: key.into(),
        title: title.into(),
        summary: format!("We treat {title} as a spring, naïve & stiff, whose stiffness drifts."),
        authors: vec![("Ann".into(), "Lee".into()), ("José".into(), "Núñez".into())],
        day: day.into(),
        preprint: None,
        doi: format!("10.5555/rope.{key}"),
        arxiv: format!("{}{}.0{key}", &day[2..4], &day[5..7]),
        venue: "Journal of Ropes".into(),
        ..LibraryRecord::default()
    }
}

/// Seven works on ropes, two of them later.
pub(crate) fn library() -> Vec<LibraryRecord> {
    let mut preprinted = record("1006", "Rope creep decoding for decoders", "2023-02-03");
    preprinted.preprint = Some("2022-03-04".into());
    preprinted.arxiv = "2203.01006".into();
    vec![
        record("1001", "Rope creep decoding", "2018-05-17"),
        record("1002", "Decoding of rope creep in harbours", "2019-06-02"),
        record("1003", "Rope creep under load", "2020-02-29"),
        record("1004", "Slow rope creep decoding", "2021-11-30"),
        record("1005", "Rope creep decoding at sea", "2022-12-31"),
        preprinted,
        record("1007", "Rope creep decoding revisited", "2025-07-01"),
    ]
}

pub(crate) fn query(text: &str) -> Query {
    Query {
        text: text.into(),
        scope: Scope::CoreTask,
        variant: 0,
    }
}

pub(crate) fn gateway(ledger: &Ledger, mode: Mode) -> Arc<HttpGateway> {
    let settings = Settings {
        reach: NetworkPolicy::Anywhere,
        mode,
        user_agent: "precedent-tests".to_owned(),
        ..Settings::default()
    };
    Arc::new(HttpGateway::new(settings, ledger.clone()).unwrap())
}

pub(crate) fn settings(server: &LiteratureServer, id: &str) -> ServiceSettings {
    ServiceSettings {
        url: Some(server.base(id)),
        key: Some(Secret::new(KEY)),
        deadline: Some(Duration::from_secs(10)),
        between: Some(Duration::ZERO),
        ..ServiceSettings::default()
    }
}

pub(crate) fn source(server: &LiteratureServer, id: &str, ledger: &Ledger, mode: Mode) -> ServiceSource {
    let replay = mode == Mode::Replay;
    ServiceSource::new(
        service(id).unwrap(),
        settings(server, id),
        gateway(ledger, mode),
        replay,
    )
}

/// The same with another deadline.
pub(crate) fn source_within(
    server: &LiteratureServer,
    id: &str,
    ledger: &Ledger,
    mode: Mode,
    deadline: Duration,
) -> ServiceSource {
    let settings = ServiceSettings {
        deadline: Some(deadline),
        ..settings(server, id)
    };
    let replay = mode == Mode::Replay;
    ServiceSource::new(service(id).unwrap(), settings, gateway(ledger, mode), replay)
}

//! Login to services, and proof that no credentials are ever recorded.

use precedent_http::{Mode, Secret};
use precedent_ledger::Ledger;
use precedent_scripted::literature::{Act, LiteratureServer};
use precedent_sources::{ServiceSettings, ServiceSource, Source, SourceError, service};

use crate::support::{gateway, library, query, settings};

const USER: &str = "ann.lee@example.org";
const PASSWORD: &str = "password-that-nobody-may-see";
const TOKEN: &str = "token-that-nobody-may-see";

fn source(
    server: &LiteratureServer,
    id: &str,
    ledger: &Ledger,
    mode: Mode,
    user: &str,
    password: &str,
) -> ServiceSource {
    let settings = ServiceSettings {
        user: Some(Secret::new(user)),
        key: Some(Secret::new(password)),
        ..settings(server, id)
    };
    ServiceSource::new(
        service(id).unwrap(),
        settings,
        gateway(ledger, mode),
        mode == Mode::Replay,
    )
}

fn targets(server: &LiteratureServer) -> Vec<String> {
    server.requests().into_iter().map(|one| one.target).collect()
}

#[tokio::test]
async fn a_run_logs_in_once_and_records_no_credentials() {
    for id in ["openreview", "openreview-v1"] {
        let server = LiteratureServer::start(library()).unwrap();
        let ledger = Ledger::in_memory().await.unwrap();
        let live = source(&server, id, &ledger, Mode::Live, USER, PASSWORD);
        let (one, two) = (query("rope creep decoding"), query("slow creep"));
        let (one, two) = tokio::join!(live.search(&one, None, 5), live.search(&two, None, 5));
        let (one, two) = (one.unwrap().hits, two.unwrap().hits);
        assert!(!one.is_empty() && !two.is_empty());
        let received = server.requests();
        assert_eq!(received.iter().filter(|one| one.target == "/login").count(), 1, "{id}");
        let searches: Vec<_> = received
            .iter()
            .filter(|one| one.target.starts_with("/notes/search"))
            .collect();
        assert_eq!(searches.len(), 2, "{id}");
        assert!(
            searches.iter().all(|one| one.head.contains(&format!("Bearer {TOKEN}"))),
            "{id}"
        );
        // A second run sends no request and does not log in; a replay without a server gives the same.
        let again = source(&server, id, &ledger, Mode::Live, USER, PASSWORD);
        assert_eq!(
            again.search(&query("slow creep"), None, 5).await.unwrap().hits,
            two,
            "{id}"
        );
        assert_eq!(server.requests().len(), received.len(), "{id}");
        drop(server);
        let nobody = LiteratureServer::start(Vec::new()).unwrap();
        drop(nobody);
        let settings = ServiceSettings {
            url: Some(live_base(&received, id)),
            ..ServiceSettings::default()
        };
        let replay = ServiceSource::new(service(id).unwrap(), settings, gateway(&ledger, Mode::Replay), true);
        assert_eq!(
            replay
                .search(&query("rope creep decoding"), None, 5)
                .await
                .unwrap()
                .hits,
            one,
            "{id}"
        );
        let sent = ledger.everything_sent().await.unwrap();
        let login = sent.iter().find(|one| one.asked.ends_with("/login")).unwrap();
        assert!(login.bytes_out > 20, "the record says that something was sent");
        for secret in [USER, PASSWORD, TOKEN] {
            assert!(!format!("{sent:?} {:?}", live.sent()).contains(secret), "{id}");
        }
    }
}

/// The base address of the received requests.
fn live_base(received: &[precedent_scripted::literature::ReceivedRequest], id: &str) -> String {
    let head = &received.first().unwrap().head;
    let host = head
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("host: ").map(str::to_owned));
    format!("http://{}/{id}", host.unwrap())
}

#[tokio::test]
async fn a_failed_login_is_tried_once_and_reported_and_replays_the_same() {
    for (user, password, why) in [
        (USER, "wrong-password", "“Invalid username or password”"),
        ("second-proof", PASSWORD, "a second factor at every login"),
    ] {
        let server = LiteratureServer::start(library()).unwrap();
        let ledger = Ledger::in_memory().await.unwrap();
        let live = source(&server, "openreview", &ledger, Mode::Live, user, password);
        let mut errors = Vec::new();
        for text in ["rope creep", "rope decoding", "slow creep"] {
            let error = live.search(&query(text), None, 5).await.unwrap_err();
            assert!(matches!(error, SourceError::GivenUp { .. }), "{error}");
            errors.push(error.to_string());
        }
        assert_eq!(targets(&server), ["/login"], "a second attempt could lock the account");
        let output = &errors[0];
        assert!(output.contains(why), "{output}");
        assert!(
            output.contains("check OPENREVIEW_USERNAME and OPENREVIEW_PASSWORD"),
            "{output}"
        );
        assert!(!output.contains(password) && !output.contains(user), "{output}");
        let replay = source(&server, "openreview", &ledger, Mode::Replay, user, password);
        let again = replay.search(&query("rope creep"), None, 5).await.unwrap_err();
        assert_eq!(again.to_string(), *output);
        assert_eq!(targets(&server).len(), 1);
    }
}

#[tokio::test]
async fn a_denied_user_without_an_account_is_advised_to_use_one() {
    let server = LiteratureServer::start(library()).unwrap();
    for id in ["openreview", "openreview-v1"] {
        server.set(id, Act::BadKey);
        let ledger = Ledger::in_memory().await.unwrap();
        let settings = ServiceSettings {
            key: None,
            ..settings(&server, id)
        };
        let source = ServiceSource::new(service(id).unwrap(), settings, gateway(&ledger, Mode::Live), false);
        let error = source
            .search(&query("rope creep"), None, 5)
            .await
            .unwrap_err()
            .to_string();
        assert!(error.contains("proof of being human"), "{error}");
        assert!(
            error.contains("set OPENREVIEW_USERNAME and OPENREVIEW_PASSWORD"),
            "{error}"
        );
    }
}

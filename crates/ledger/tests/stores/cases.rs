use std::time::Duration;

use precedent_ledger::{Claim, Sent};

use crate::{Place, answer, hash};

/// Longer than any test.
const LONG: Duration = Duration::from_secs(3600);

macro_rules! cases {
    (of one ledger: $($own:ident),*; of a mirrored one too: $($case:ident),* $(,)?) => {
        mod in_files {
            $(#[tokio::test]
            async fn $own() {
                let folder = tempfile::tempdir().unwrap();
                super::$own(&crate::Place::Files(folder.path().to_owned())).await;
            })*

            $(#[tokio::test]
            async fn $case() {
                let folder = tempfile::tempdir().unwrap();
                super::$case(&crate::Place::Files(folder.path().to_owned())).await;
            })*
        }

        mod mirrored {
            $(#[tokio::test]
            async fn $case() {
                let folder = tempfile::tempdir().unwrap();
                super::$case(&crate::Place::Mirrored(folder.path().to_owned())).await;
            })*
        }

        /// All cases, in a database that keeps what earlier ones left.
        #[cfg(feature = "postgres")]
        pub(crate) async fn all(place: &crate::Place) {
            $($own(place).await;)*
            $($case(place).await;)*
        }
    };
}

cases![
    // Two mirrored ledgers share no outputs of stages.
    of one ledger: the_first_artifact_is_final_and_survives_a_restart, concurrent_writers_all_succeed;
    of a mirrored one too:
    an_artifact_that_cannot_be_parsed_is_replaced,
    an_unsettled_response_is_replaced_and_a_settled_one_is_final,
    any_text_and_bytes_come_back,
    a_request_is_recorded_before_its_response_arrives,
    a_claim_has_one_holder_until_it_is_settled,
    a_released_claim_is_free,
    a_lease_that_ended_goes_to_another_and_its_old_holder_changes_nothing,
    a_renewed_lease_does_not_end,
    a_lease_that_ended_but_was_not_taken_still_settles,
    one_of_many_claims_wins,
];

fn ours(claim: Claim) -> precedent_ledger::Lease {
    match claim {
        Claim::Ours(lease) => lease,
        other => panic!("{other:?}"),
    }
}

async fn the_first_artifact_is_final_and_survives_a_restart(place: &Place) {
    let ledger = place.open("first").await;
    let paper = hash("paper");
    let kept = ledger.keep_artifact("extract", 1, &paper, b"one").await.unwrap();
    assert_eq!(kept, None);
    // Another process has the same stage, which ended a moment later.
    let other = place.open("first").await;
    let kept = other.keep_artifact("extract", 1, &paper, b"two").await.unwrap();
    assert_eq!(kept.unwrap(), b"one");
    other.close().await;
    ledger.close().await;
    let again = place.open("first").await;
    assert_eq!(again.artifact("extract", 1, &paper).await.unwrap().unwrap(), b"one");
    assert_eq!(again.artifact("extract", 2, &paper).await.unwrap(), None);
    assert_eq!(again.artifact("search", 1, &paper).await.unwrap(), None);
    assert_eq!(again.artifact_count().await.unwrap(), 1);
    let elsewhere = place.open("elsewhere").await;
    assert_eq!(elsewhere.artifact("extract", 1, &paper).await.unwrap(), None);
}

async fn an_artifact_that_cannot_be_parsed_is_replaced(place: &Place) {
    let ledger = place.open("mended").await;
    let paper = hash("paper");
    ledger.keep_artifact("extract", 1, &paper, b"one").await.unwrap();
    ledger.mend_artifact("extract", 1, &paper, b"mended").await.unwrap();
    let mended = ledger.artifact("extract", 1, &paper).await.unwrap();
    assert_eq!(mended.unwrap(), b"mended");
    assert_eq!(ledger.artifact_count().await.unwrap(), 1);
}

async fn an_unsettled_response_is_replaced_and_a_settled_one_is_final(place: &Place) {
    let ledger = place.open("responses").await;
    let key = hash("q");
    assert_eq!(ledger.answer(&key).await.unwrap(), None);
    let trouble = answer(503, "busy", false);
    ledger.keep_answer(&key, &trouble).await.unwrap();
    assert_eq!(ledger.answer(&key).await.unwrap(), Some(trouble));
    let first = answer(200, "one", true);
    ledger.keep_answer(&key, &first).await.unwrap();
    ledger.keep_answer(&key, &answer(200, "two", true)).await.unwrap();
    ledger.keep_answer(&key, &answer(503, "busy", false)).await.unwrap();
    assert_eq!(ledger.answer(&key).await.unwrap(), Some(first.clone()));
    assert_eq!(ledger.answer(&hash("other")).await.unwrap(), None);
    let again = place.open("responses").await;
    assert_eq!(again.answer(&key).await.unwrap(), Some(first));
}

async fn any_text_and_bytes_come_back(place: &Place) {
    let ledger = place.open("bytes").await;
    let mut odd = answer(200, "", true);
    odd.body = (0..=255).collect();
    odd.head = "{\"title\":\"\\u0000 ünï 😀 ' \\\" ; --\"}".to_owned();
    ledger.keep_answer(&hash("odd"), &odd).await.unwrap();
    assert_eq!(ledger.answer(&hash("odd")).await.unwrap(), Some(odd));
    let mut control = answer(200, "", true);
    control.asked = "GET /\0".to_owned();
    // Not every database stores this character, but all must accept it.
    ledger.keep_answer(&hash("control"), &control).await.unwrap();
    assert!(ledger.answer(&hash("control")).await.unwrap().is_some());
}

async fn a_request_is_recorded_before_its_response_arrives(place: &Place) {
    let ledger = place.open("sent").await;
    let mut sent = Sent {
        who: "source".to_owned(),
        host: "example.org".to_owned(),
        asked: "GET /works".to_owned(),
        bytes_out: 25,
        bytes_in: 0,
        outcome: "sending".to_owned(),
    };
    let number = ledger.note_sent(&sent).await.unwrap();
    assert_eq!(ledger.everything_sent().await.unwrap(), [sent.clone()]);
    ledger.note_received(number, 1000, "200").await.unwrap();
    sent.bytes_in = 1000;
    sent.outcome = "200".to_owned();
    assert_eq!(ledger.everything_sent().await.unwrap(), [sent.clone()]);
    ledger.close().await;
    if place.keeps_sent() {
        let again = place.open("sent").await;
        assert_eq!(again.everything_sent().await.unwrap(), [sent]);
    }
    let elsewhere = place.open("elsewhere").await;
    assert!(elsewhere.everything_sent().await.unwrap().is_empty());
}

async fn concurrent_writers_all_succeed(place: &Place) {
    let (a, b) = (place.open("writers").await, place.open("writers").await);
    let write = async |ledger: &precedent_ledger::Ledger, who: &'static str| {
        for n in 0..50 {
            let input = hash(&n.to_string());
            ledger.keep_artifact(who, 1, &input, &[7; 1000]).await.unwrap();
        }
    };
    tokio::join!(write(&a, "a"), write(&b, "b"));
    for n in 0..50 {
        let input = hash(&n.to_string());
        assert!(a.artifact("b", 1, &input).await.unwrap().is_some());
        assert!(b.artifact("a", 1, &input).await.unwrap().is_some());
    }
    assert_eq!(a.artifact_count().await.unwrap(), 100);
}

async fn a_claim_has_one_holder_until_it_is_settled(place: &Place) {
    let (a, b) = (place.open("claims").await, place.open("claims").await);
    let key = hash("q");
    let lease = ours(a.claim(&key, LONG).await.unwrap());
    assert_eq!(b.claim(&key, LONG).await.unwrap(), Claim::Held);
    assert!(matches!(b.claim(&hash("other"), LONG).await.unwrap(), Claim::Ours(_)));
    assert!(a.settle(&lease, &answer(200, "one", true)).await.unwrap());
    assert_eq!(b.claim(&key, LONG).await.unwrap(), Claim::Answered);
    assert_eq!(b.answer(&key).await.unwrap(), Some(answer(200, "one", true)));
    assert_eq!(a.answer(&key).await.unwrap(), Some(answer(200, "one", true)));
    // A second settlement changes nothing.
    assert!(!a.settle(&lease, &answer(200, "two", true)).await.unwrap());
}

async fn a_released_claim_is_free(place: &Place) {
    let (a, b) = (place.open("released").await, place.open("released").await);
    let key = hash("q");
    let lease = ours(a.claim(&key, LONG).await.unwrap());
    a.release(&lease).await.unwrap();
    let next = ours(b.claim(&key, LONG).await.unwrap());
    assert_ne!(next, lease);
    // The lease that was given back does not end the next one.
    a.release(&lease).await.unwrap();
    assert!(!a.renew(&lease, LONG).await.unwrap());
    // An unsettled response ends the claim too.
    assert!(b.settle(&next, &answer(503, "busy", false)).await.unwrap());
    ours(a.claim(&key, LONG).await.unwrap());
    // A run that is stopped gives back what it holds.
    a.close().await;
    ours(b.claim(&key, LONG).await.unwrap());
}

async fn a_lease_that_ended_goes_to_another_and_its_old_holder_changes_nothing(place: &Place) {
    let (a, b) = (place.open("ended").await, place.open("ended").await);
    let key = hash("q");
    let stopped = ours(a.claim(&key, Duration::ZERO).await.unwrap());
    let next = taken(&b, &key).await;
    assert!(!a.renew(&stopped, LONG).await.unwrap());
    assert!(!a.settle(&stopped, &answer(200, "late", true)).await.unwrap());
    a.release(&stopped).await.unwrap();
    assert_eq!(a.answer(&key).await.unwrap(), None);
    assert_eq!(a.claim(&key, LONG).await.unwrap(), Claim::Held);
    assert!(b.settle(&next, &answer(200, "next", true)).await.unwrap());
    assert_eq!(a.answer(&key).await.unwrap(), Some(answer(200, "next", true)));
}

async fn a_renewed_lease_does_not_end(place: &Place) {
    let (a, b) = (place.open("renewed").await, place.open("renewed").await);
    let key = hash("q");
    let lease = ours(a.claim(&key, Duration::ZERO).await.unwrap());
    assert!(a.renew(&lease, LONG).await.unwrap());
    assert_eq!(b.claim(&key, LONG).await.unwrap(), Claim::Held);
}

async fn a_lease_that_ended_but_was_not_taken_still_settles(place: &Place) {
    let (a, b) = (place.open("untaken").await, place.open("untaken").await);
    let key = hash("q");
    let lease = ours(a.claim(&key, Duration::ZERO).await.unwrap());
    assert!(a.settle(&lease, &answer(200, "one", true)).await.unwrap());
    assert_eq!(b.claim(&key, LONG).await.unwrap(), Claim::Answered);
}

async fn one_of_many_claims_wins(place: &Place) {
    let mut ledgers = Vec::new();
    for _ in 0..8 {
        ledgers.push(place.open("many").await);
    }
    let key = hash("q");
    let claims = ledgers.iter().map(|ledger| ledger.claim(&key, LONG));
    let claims = futures_util::future::join_all(claims).await;
    let won = claims
        .iter()
        .filter(|claim| matches!(claim, Ok(Claim::Ours(_))))
        .count();
    let held = claims.iter().filter(|claim| matches!(claim, Ok(Claim::Held))).count();
    assert_eq!((won, held), (1, 7), "{claims:?}");
}

/// The claim of a request whose lease ended, as soon as the clock of the database has moved.
async fn taken(ledger: &precedent_ledger::Ledger, key: &precedent_ledger::InputHash) -> precedent_ledger::Lease {
    loop {
        match ledger.claim(key, LONG).await.unwrap() {
            Claim::Ours(lease) => return lease,
            _ => tokio::task::yield_now().await,
        }
    }
}

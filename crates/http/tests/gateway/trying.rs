//! Retries: when, how often, and when not.

use std::time::{Duration, Instant};

use precedent_http::{Effort, HttpError, Lost, Pace, Request};

use crate::server::{Act, Server, answer, gateway, ledger, quick, two_gateways};

#[tokio::test]
async fn a_temporary_failure_is_retried_and_a_final_answer_is_not() {
    let server = Server::start(|n, _| match n {
        0 => Act::Say(answer(503, "", "busy")),
        1 => Act::Say(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbroken off".to_vec()),
        _ => Act::Say(answer(
            200,
            "content-type: text/plain; charset=utf-8\r\nset-cookie: a=b\r\n",
            "well",
        )),
    })
    .await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let printed = gateway.send(&server.get("/works")).await.unwrap();
    assert_eq!(
        (printed.status, printed.text().as_ref(), printed.recorded),
        (200, "well", false)
    );
    assert_eq!(printed.content_type().as_deref(), Some("text/plain"));
    assert_eq!(printed.header("set-cookie"), None, "cookies are not kept");
    assert_eq!(server.requests().len(), 3);
    let sent = gateway.everything_sent().await.unwrap();
    let outcomes: Vec<&str> = sent.iter().map(|sent| sent.outcome.as_str()).collect();
    assert_eq!(outcomes.len(), 3, "every try is recorded");
    assert_eq!((outcomes[0], outcomes[2]), ("503", "200"));
    assert!(outcomes[1].contains("broke off"), "{outcomes:?}");

    let refusing = Server::saying(answer(401, "", "who are you?")).await;
    let printed = gateway.send(&refusing.get("/")).await.unwrap();
    assert_eq!(printed.status, 401);
    assert_eq!(refusing.requests().len(), 1);
}

#[tokio::test]
async fn the_last_answer_is_returned_when_the_tries_are_used_up() {
    let server = Server::saying(answer(500, "", "still broken")).await;
    let ledger = ledger().await;
    let printed = gateway(&ledger).await.send(&server.get("/").tries(2)).await.unwrap();
    assert_eq!((printed.status, printed.text().as_ref()), (500, "still broken"));
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn many_rate_limit_responses_slow_a_run_but_do_not_fail_it() {
    let server = Server::start(|n, _| match n {
        0..12 => Act::Say(answer(429, "retry-after: 0.2\r\n", "Rate exceeded.")),
        _ => Act::Say(answer(200, "", "well")),
    })
    .await;
    let ledger = ledger().await;
    let start = Instant::now();
    let printed = gateway(&ledger).await.send(&server.get("/").tries(1)).await.unwrap();
    assert_eq!(printed.status, 200);
    assert!(
        start.elapsed() >= Duration::from_millis(2300),
        "each requested wait was respected: {:?}",
        start.elapsed()
    );
}

#[tokio::test]
async fn a_wait_beyond_the_patience_is_not_started() {
    let server = Server::saying(answer(429, "retry-after: 43200\r\n", "come back tomorrow")).await;
    let ledger = ledger().await;
    let printed = gateway(&ledger).await.send(&server.get("/")).await.unwrap();
    assert_eq!((printed.status, printed.text().as_ref()), (429, "come back tomorrow"));
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn after_such_a_wait_requests_with_the_same_limits_are_not_sent() {
    let server = Server::start(|n, _| match n {
        0 => Act::Say(answer(429, "retry-after: 7200\r\n", "come back later")),
        _ => Act::Say(answer(200, "", "well")),
    })
    .await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    assert_eq!(
        gateway.send(&server.get("/a").limit_group("one")).await.unwrap().status,
        429
    );
    let error = gateway.send(&server.get("/b").limit_group("one")).await.unwrap_err();
    assert!(
        matches!(&error, HttpError::GivenUp { why, .. } if why == "it asks to wait 120 minutes"),
        "{error}"
    );
    assert_eq!(server.requests().len(), 1);
    assert_eq!(
        gateway.send(&server.get("/c").limit_group("two")).await.unwrap().status,
        200
    );
}

#[tokio::test]
async fn an_error_under_a_success_status_that_names_a_pause_gets_it() {
    let body = r#"{"error":{"code":503,"details":[{"retryDelay":"0.5s"}]}}"#;
    let server = Server::start(move |n, _| match n {
        0 => Act::Say(answer(200, "", body)),
        _ => Act::Say(answer(200, "", "well")),
    })
    .await;
    let ledger = ledger().await;
    let start = Instant::now();
    let request = server.get("/").broken_when(|_, body| body.starts_with(b"{\"error\""));
    let printed = gateway(&ledger).await.send(&request).await.unwrap();
    assert_eq!(printed.text().as_ref(), "well");
    assert!(start.elapsed() >= Duration::from_millis(500), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_probe_that_ends_with_an_error_of_its_own_does_not_close_the_host() {
    const DOWN: usize = 3;
    let server = Server::start(|n, _| match n {
        0..DOWN => Act::Say(answer(503, "", "down")),
        DOWN => Act::Say(answer(302, "location: http://127.0.0.1:9/\r\n", "")),
        _ => Act::Say(answer(200, "", "well")),
    })
    .await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let request = |path: &str| {
        let request = server.get(path).from_this_host().tries(20);
        request.outage(Duration::from_secs(20))
    };
    let error = gateway.send(&request("/a")).await.unwrap_err();
    assert!(matches!(error, HttpError::NotAllowed { .. }), "{error}");
    let printed = tokio::time::timeout(Duration::from_secs(10), gateway.send(&request("/b"))).await;
    assert_eq!(printed.expect("the host takes requests").unwrap().status, 200);
}

#[tokio::test]
async fn the_caller_can_mark_too_many_requests_as_no_credit() {
    let server = Server::saying(answer(429, "retry-after: 1\r\n", "insufficient_quota")).await;
    let ledger = ledger().await;
    let request = server
        .get("/")
        .settled_when(|status, body| status == 429 && body.starts_with(b"insufficient_quota"));
    assert_eq!(gateway(&ledger).await.send(&request).await.unwrap().status, 429);
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_silent_server_times_out() {
    let server = Server::start(|_, _| Act::Hang).await;
    let ledger = ledger().await;
    let request = server.get("/").timeout(Duration::from_millis(200)).tries(2);
    let start = Instant::now();
    let error = gateway(&ledger).await.send(&request).await.unwrap_err();
    assert!(matches!(error, HttpError::TimedOut { .. }), "{error}");
    assert!(start.elapsed() < Duration::from_secs(4));
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_host_that_is_down_is_not_called() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = listener.local_addr().unwrap();
    drop(listener);
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let ask = |n: u32| quick(Request::get("test", &format!("http://{closed}/{n}")).unwrap()).tries(1);
    for n in 0..6 {
        let error = gateway.send(&ask(n)).await.unwrap_err();
        assert!(matches!(error, HttpError::Unreachable { .. }), "{error}");
    }
    let error = gateway.send(&ask(6)).await.unwrap_err();
    assert!(matches!(error, HttpError::Resting { failures: 6, .. }), "{error}");
    assert_eq!(
        gateway.everything_sent().await.unwrap().len(),
        6,
        "nothing is sent to a paused host"
    );
}

#[tokio::test]
async fn concurrent_requests_stay_within_the_limit() {
    let server = Server::start(|_, _| Act::SayLate(Duration::from_millis(40), answer(200, "", "well"))).await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let asks = (0..9).map(|n| {
        let request = server.get(&format!("/{n}")).pace(Pace::at_once(3));
        let gateway = &gateway;
        async move { gateway.send(&request).await.unwrap().status }
    });
    let statuses = join(asks.collect()).await;
    assert_eq!(statuses, [200; 9]);
    assert!(server.most_at_once() <= 3, "{}", server.most_at_once());
}

#[tokio::test]
async fn identical_concurrent_requests_are_sent_once() {
    let server = Server::start(|_, _| Act::SayLate(Duration::from_millis(50), answer(200, "", "well"))).await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let asks = (0..20).map(|_| {
        let request = server.get("/same");
        let gateway = &gateway;
        async move { gateway.send(&request).await.unwrap().recorded }
    });
    let recorded = join(asks.collect()).await;
    assert_eq!(recorded.iter().filter(|recorded| !**recorded).count(), 1);
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn the_total_time_limit_includes_waiting_for_a_turn_and_is_recorded() {
    let server = Server::start(|_, _| Act::SayLate(Duration::from_millis(400), answer(200, "", "well"))).await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let ask = |n: usize| {
        let request = server.get(&format!("/{n}")).pace(Pace::at_once(1));
        request.within(Duration::from_millis(600))
    };
    let (first, second) = (ask(1), ask(2));
    let outcomes = join(vec![gateway.send(&first), gateway.send(&second)]).await;
    assert!(outcomes[0].is_ok());
    assert!(
        matches!(outcomes[1], Err(HttpError::TimedOut { .. })),
        "{:?}",
        outcomes[1]
    );
    let replay = crate::server::gateway_with(
        &ledger,
        precedent_http::Mode::Replay,
        precedent_http::NetworkPolicy::Anywhere,
    )
    .await;
    assert!(matches!(replay.send(&second).await, Err(HttpError::TimedOut { .. })));
}

#[tokio::test]
async fn a_fruitless_answer_ends_the_tries_and_is_not_final() {
    let server = Server::start(|n, _| match n {
        0 => Act::Say(answer(429, "retry-after: 1\r\n", "no credit until tomorrow")),
        1 => Act::Say(answer(200, "", "<html>hello</html>")),
        _ => Act::Say(answer(200, "", "well")),
    })
    .await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let request = server.get("/a").fruitless_when(|_, body| body != b"well");
    let start = std::time::Instant::now();
    assert_eq!(gateway.send(&request).await.unwrap().status, 429);
    assert_eq!(gateway.send(&request).await.unwrap().status, 200);
    assert_eq!(gateway.send(&request).await.unwrap().body, b"well");
    assert!(gateway.send(&request).await.unwrap().recorded);
    assert!(start.elapsed() < Duration::from_millis(900));
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn a_host_that_was_given_up_gets_no_more_requests_and_the_record_says_why() {
    let server = Server::start(|n, _| match n {
        0 => Act::Say(answer(200, "", "well")),
        _ => Act::Say(answer(401, "", "no")),
    })
    .await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let one_by_one = |path: &str| server.get(path).pace(Pace::one_every(Duration::ZERO));
    let (known, other) = (one_by_one("/known"), one_by_one("/other"));
    gateway.send(&known).await.unwrap();
    // Many requests wait in the queue when the first is rejected: none of them is sent.
    let waiting: Vec<_> = (0..8)
        .map(|n| one_by_one(&format!("/{n}")))
        .map(|request| request.last_when(|printed| (printed.status == 401).then(|| "the key is wrong".to_owned())))
        .collect();
    let outcomes = join(waiting.iter().map(|request| gateway.send(request)).collect()).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
    assert!(gateway.send(&known).await.unwrap().recorded, "recorded answers stay");
    let error = gateway.send(&other).await.unwrap_err();
    assert!(error.to_string().contains("the key is wrong"), "{error}");
    assert_eq!(server.requests().len(), 2);
    let replay = crate::server::gateway_with(
        &ledger,
        precedent_http::Mode::Replay,
        precedent_http::NetworkPolicy::Anywhere,
    )
    .await;
    assert!(matches!(replay.send(&other).await, Err(HttpError::GivenUp { .. })));
}

#[tokio::test]
async fn a_request_refused_in_its_turn_is_not_sent() {
    let server = Server::saying(answer(200, "", "well")).await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let left = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(3));
    let take = || {
        let left = std::sync::Arc::clone(&left);
        let one = |left: u32| left.checked_sub(1);
        let order = std::sync::atomic::Ordering::Relaxed;
        move || {
            left.fetch_update(order, order, one)
                .is_err()
                .then(|| "it is spent".to_owned())
        }
    };
    let requests: Vec<_> = (0..9).map(|n| server.get(&format!("/{n}")).unless(take())).collect();
    let outcomes = join(requests.iter().map(|request| gateway.send(request)).collect()).await;
    assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 3);
    assert!(
        outcomes
            .iter()
            .flat_map(|outcome| outcome.as_ref().err())
            .all(|error| error.to_string().contains("it is spent"))
    );
    assert_eq!(server.requests().len(), 3);
    // Recorded answers need no permission.
    let answered = outcomes.iter().position(Result::is_ok).unwrap();
    assert!(gateway.send(&requests[answered]).await.unwrap().recorded);
}

#[tokio::test]
async fn parallel_requests_wait_for_a_host_that_is_down_and_none_is_lost() {
    let server = Server::start(|n, _| match n {
        0..13 => Act::Say(answer(503, "", "down")),
        _ => Act::Say(answer(200, "", "well")),
    })
    .await;
    let ledger = ledger().await;
    let notices = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let requests = std::sync::Arc::clone(&notices);
    let gateway = gateway(&ledger)
        .await
        .noting(move |notice| requests.lock().unwrap().push(notice.to_owned()));
    let requests: Vec<_> = (0..4)
        .map(|n| server.get(&format!("/{n}")).tries(2).outage(Duration::from_secs(45)))
        .collect();
    let outcomes = join(requests.iter().map(|request| gateway.send(request)).collect()).await;
    assert!(
        outcomes
            .iter()
            .all(|outcome| outcome.as_ref().is_ok_and(|printed| printed.status == 200))
    );
    let notices = notices.lock().unwrap();
    assert_eq!(notices.len(), 2, "{notices:?}");
    assert!(
        notices[0].contains("is down (status 503); waiting up to 45 s"),
        "{notices:?}"
    );
    assert!(notices[1].contains("answers again after"), "{notices:?}");
}

#[tokio::test]
async fn waiting_for_a_host_that_is_down_is_limited_and_unsent_requests_do_not_count_as_sent() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = listener.local_addr().unwrap();
    drop(listener);
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let request = |n: usize| {
        let request = Request::get("test", &format!("http://{closed}/{n}")).unwrap();
        quick(request).tries(9).outage(Duration::from_millis(300))
    };
    let requests: Vec<_> = (0..6).map(request).collect();
    let start = Instant::now();
    let outcomes = join(requests.iter().map(|request| gateway.send(request)).collect()).await;
    assert!(outcomes.iter().all(Result::is_err));
    assert!(start.elapsed() < Duration::from_secs(5));
    let attempt = gateway.attempt(&request(7), &mut Effort::default()).await;
    assert!(!attempt.went_out && !attempt.again, "{attempt:?}");
}

#[tokio::test]
async fn a_failing_request_is_given_up_while_the_host_answers_others() {
    let server = Server::start(|_, request| match request.starts_with("GET /bad") {
        true => Act::Say(answer(500, "", "no")),
        false => Act::Say(answer(200, "", "well")),
    })
    .await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let waiting = |path: &str| server.get(path).tries(3).outage(Duration::from_secs(600));
    let bad = waiting("/bad");
    let others = async {
        for n in 0.. {
            gateway.send(&waiting(&format!("/{n}"))).await.unwrap();
        }
    };
    tokio::select! {
        printed = gateway.send(&bad) => assert_eq!(printed.unwrap().status, 500),
        () = others => {}
    }
}

#[tokio::test]
async fn a_lost_answer_ends_an_attempt_and_stays_recorded() {
    let server = Server::start(|n, _| match n {
        0 => Act::Say(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbroken off".to_vec()),
        1 => Act::Say(answer(200, "", "half an ans")),
        _ => Act::Say(answer(200, "", "well")),
    })
    .await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let request = server
        .get("/")
        .outage(Duration::from_secs(45))
        .billed()
        .broken_when(|_, body| body != b"well");
    let mut effort = Effort::default();
    let first = gateway.attempt(&request, &mut effort).await;
    assert!(
        first.again && first.lost.is_empty() && first.outcome.is_err(),
        "{first:?}"
    );
    let second = gateway.attempt(&request, &mut effort).await;
    assert!(second.again && second.lost == [Lost::Unheard], "{second:?}");
    let third = gateway.attempt(&request, &mut effort).await;
    let lost = [Lost::Unheard, Lost::Answer("half an ans".to_owned())];
    assert!(!third.again && third.lost == lost, "{third:?}");
    assert_eq!(third.outcome.unwrap().body, b"well");
    let kept = gateway.attempt(&request, &mut Effort::default()).await;
    assert!(kept.outcome.unwrap().recorded && kept.lost == lost);
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn an_answer_that_reached_a_smaller_limit_is_requested_again_and_still_counts() {
    let server = Server::start(|n, _| match n {
        0 => Act::Say(answer(200, "", "cut")),
        _ => Act::Say(answer(200, "", "whole")),
    })
    .await;
    let ledger = ledger().await;
    let whole = server.get("/").billed();
    let shorter = whole.clone().sending(&whole, |_, body| body == b"cut");
    let first = gateway(&ledger).await.attempt(&shorter, &mut Effort::default()).await;
    assert_eq!(first.outcome.unwrap().body, b"cut");
    // A process that continues the run.
    let gateway = gateway(&ledger).await;
    for _ in 0..2 {
        let second = gateway.attempt(&whole, &mut Effort::default()).await;
        assert_eq!(second.outcome.unwrap().body, b"whole");
        assert_eq!(second.lost, [Lost::Answer("cut".to_owned())]);
    }
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_delivered_answer_that_reached_a_smaller_limit_still_counts() {
    let server = Server::saying(answer(200, "", "asked")).await;
    let ledger = ledger().await;
    let whole = server.get("/").billed();
    let shorter = whole.clone().sending(&whole, |_, body| body == b"cut");
    let first = gateway(&ledger)
        .await
        .deliver(&shorter, 200, b"cut".to_vec(), true)
        .await;
    assert!(first.unwrap().lost.is_empty());
    // A process that continues the run.
    let gateway = gateway(&ledger).await;
    assert!(!gateway.is_settled(&whole).await.unwrap());
    let second = gateway.deliver(&whole, 200, b"whole".to_vec(), true).await.unwrap();
    assert_eq!(second.lost, [Lost::Answer("cut".to_owned())]);
    let kept = gateway.attempt(&whole, &mut Effort::default()).await;
    assert_eq!(kept.lost, second.lost);
    assert_eq!(kept.outcome.unwrap().body, b"whole");
    assert!(server.requests().is_empty());
}

/// Polls all futures concurrently, on one task.
async fn join<F: Future>(futures: Vec<F>) -> Vec<F::Output> {
    let mut futures: Vec<_> = futures.into_iter().map(|future| (Box::pin(future), None)).collect();
    std::future::poll_fn(|context| {
        let mut waiting = false;
        for (future, output) in &mut futures {
            if output.is_none() {
                match future.as_mut().poll(context) {
                    std::task::Poll::Ready(value) => *output = Some(value),
                    std::task::Poll::Pending => waiting = true,
                }
            }
        }
        if waiting {
            return std::task::Poll::Pending;
        }
        std::task::Poll::Ready(futures.iter_mut().filter_map(|(_, output)| output.take()).collect())
    })
    .await
}

#[tokio::test]
async fn a_nonstandard_rate_limit_status_is_waited_for_and_never_final() {
    let server = Server::start(|number, _| match number {
        0 => Act::Say(answer(403, "retry-after: 0\r\n", "secondary rate limit")),
        _ => Act::Say(answer(200, "", "well")),
    })
    .await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let busy = |_: u16, body: &[u8]| body.starts_with(b"secondary");
    let printed = gateway.send(&server.get("/a").passing_when(busy)).await.unwrap();
    assert_eq!((printed.status, server.requests().len()), (200, 2));
    let server = Server::saying(answer(403, "", "secondary rate limit")).await;
    let request = || {
        server
            .get("/b")
            .passing_when(busy)
            .patience(std::time::Duration::from_millis(10))
    };
    assert_eq!(gateway.send(&request()).await.unwrap().status, 403);
    gateway.send(&request()).await.unwrap();
    assert_eq!(server.requests().len(), 2, "it was requested again");
}

#[tokio::test]
async fn a_truncated_body_is_retried_and_never_stored_as_final() {
    let cut = |_: u16, body: &[u8]| !body.ends_with(b"}");
    let server = Server::start(|number, _| match number {
        0 => Act::Say(answer(200, "", "{\"results\": [")),
        _ => Act::Say(answer(200, "", "{}")),
    })
    .await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let printed = gateway.send(&server.get("/a").broken_when(cut)).await.unwrap();
    assert_eq!(
        (printed.body.as_slice(), server.requests().len()),
        (b"{}".as_slice(), 2)
    );
    let broken = Server::saying(answer(200, "", "{\"results\": [")).await;
    let request = || broken.get("/b").broken_when(cut).tries(2);
    assert_eq!(gateway.send(&request()).await.unwrap().status, 200);
    assert_eq!(broken.requests().len(), 2);
    gateway.send(&request()).await.unwrap();
    assert_eq!(broken.requests().len(), 4, "a later run requests it again");
}

#[tokio::test]
async fn a_pause_longer_than_the_time_left_is_not_waited_for_and_no_more_requests_are_sent() {
    let server = Server::saying(answer(429, "retry-after: 50\r\n", "slow down")).await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let start = std::time::Instant::now();
    let requests: Vec<_> = (0..6)
        .map(|n| {
            let request = server.get(&format!("/{n}")).pace(Pace::one_every(Duration::ZERO));
            request
                .within(Duration::from_secs(20))
                .patience(Duration::from_secs(20))
        })
        .collect();
    let outcomes = join(requests.iter().map(|request| gateway.send(request)).collect()).await;
    assert_eq!(server.requests().len(), 1);
    assert!(start.elapsed() < Duration::from_secs(10), "no useless waiting");
    assert!(matches!(&outcomes[0], Ok(printed) if printed.retry_after() == Some(Duration::from_secs(50))));
    for outcome in &outcomes[1..] {
        let error = outcome.as_ref().unwrap_err();
        assert!(error.to_string().contains("pause longer than the time left"), "{error}");
    }
}

#[tokio::test]
async fn runs_at_the_same_time_share_the_pace_of_a_host() {
    let server = Server::start(|_, _| Act::SayLate(Duration::from_millis(30), answer(200, "", "well"))).await;
    let gateways = two_gateways().await;
    let requests: Vec<_> = (0..3)
        .map(|n| server.get(&format!("/{n}")).pace(Pace::one_every(Duration::ZERO)))
        .collect();
    let both = gateways
        .iter()
        .flat_map(|gateway| requests.iter().map(move |request| gateway.send(request)));
    for outcome in join(both.collect()).await {
        assert_eq!(outcome.unwrap().status, 200);
    }
    assert_eq!(server.requests().len(), 6);
    assert_eq!(
        server.most_at_once(),
        1,
        "one request at a time, whichever run it is from"
    );
}

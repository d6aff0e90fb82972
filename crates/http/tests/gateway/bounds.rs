//! Where a request must not go, and how much of an answer is read.

use std::io::Write;

use precedent_http::{HttpError, Mode, NetworkPolicy, Request, Secret};

use crate::server::{Act, Server, answer, gateway, gateway_with, ledger, quick};

#[tokio::test]
async fn a_found_address_never_reaches_this_machine() {
    let server = Server::saying(answer(200, "", "internal")).await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let port = server.address.rsplit(':').next().unwrap().to_owned();
    for host in [
        "127.0.0.1",
        "localhost",
        "2130706433",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",
    ] {
        let request = quick(Request::get("full text", &format!("http://{host}:{port}/paper.pdf")).unwrap()).found();
        let error = gateway.send(&request).await.unwrap_err();
        assert!(matches!(error, HttpError::NotAllowed { .. }), "{host}: {error}");
    }
    assert!(server.requests().is_empty());
    assert!(gateway.everything_sent().await.unwrap().is_empty());
}

#[tokio::test]
async fn a_redirect_to_another_host_counts_as_found_and_gets_no_key() {
    let inner = Server::saying(answer(200, "", "internal")).await;
    let target = inner.address.clone();
    let outer = Server::start(move |_, _| Act::Say(answer(302, &format!("location: {target}/admin\r\n"), ""))).await;
    let ledger = ledger().await;
    let request = outer
        .get("/")
        .secret_header("x-api-key", "", Secret::new("sk-12345678"));
    let error = gateway(&ledger).await.send(&request).await.unwrap_err();
    assert!(matches!(error, HttpError::NotAllowed { .. }), "{error}");
    assert!(inner.requests().is_empty());
    let error = gateway(&ledger)
        .await
        .send(&outer.get("/f").tries(1))
        .await
        .unwrap_err();
    assert!(matches!(error, HttpError::NotAllowed { .. }), "{error}");
}

#[tokio::test]
async fn an_answer_bound_to_one_host_is_not_accepted_from_another() {
    let inner = Server::saying(answer(200, "", "another")).await;
    let target = inner.address.clone();
    let server = Server::start(move |_, request| match request.split(' ').nth(1).unwrap() {
        "/moved" => Act::Say(answer(302, "location: /here\r\n", "")),
        "/here" => Act::Say(answer(200, "", "own")),
        _ => Act::Say(answer(302, &format!("location: {target}/x\r\n"), "")),
    })
    .await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let own = gateway.send(&server.get("/moved").from_this_host()).await.unwrap();
    assert_eq!(own.text(), "own");
    let error = gateway.send(&server.get("/away").from_this_host()).await.unwrap_err();
    assert!(matches!(error, HttpError::NotAllowed { .. }), "{error}");
    assert!(inner.requests().is_empty());
}

#[tokio::test]
async fn an_echoed_key_is_not_recorded() {
    let server = Server::start(|_, request| {
        let key = "sk-12345678";
        match request.split(' ').nth(1).unwrap() {
            "/one" => Act::Say(answer(302, &format!("location: /two?key={key}\r\n"), "")),
            _ => Act::Say(answer(
                200,
                &format!("link: <http://x/?k={key}>\r\netag: {key}\r\n"),
                key,
            )),
        }
    })
    .await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let request = server
        .get("/one")
        .secret_header("x-api-key", "", Secret::new("sk-12345678"));
    let output = gateway.send(&request).await.unwrap();
    let sent = gateway.everything_sent().await.unwrap();
    assert!(sent.len() == 2 && output.body == b"[secret]", "{sent:?}");
    assert!(
        !format!("{output:?}{sent:?}").contains("12345678"),
        "{output:?} {sent:?}"
    );
}

#[tokio::test]
async fn a_redirect_on_the_same_server_is_followed_and_a_loop_ends() {
    let server = Server::start(|_, request| match request.split(' ').nth(1).unwrap() {
        "/old" => Act::Say(answer(301, "location: /new\r\n", "")),
        "/new" => Act::Say(answer(200, "", "here")),
        _ => Act::Say(answer(302, "location: /circle\r\n", "")),
    })
    .await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    let output = gateway.send(&server.get("/old")).await.unwrap();
    assert_eq!(
        (output.text().as_ref(), output.address.clone()),
        ("here", format!("{}/new", server.address))
    );
    let error = gateway.send(&server.get("/circle")).await.unwrap_err();
    assert!(matches!(error, HttpError::TooManyRedirects { .. }), "{error}");
    let odd = Server::start(|_, _| Act::Say(answer(302, "location: file:///etc/passwd\r\n", ""))).await;
    let error = gateway.send(&odd.get("/")).await.unwrap_err();
    assert!(matches!(error, HttpError::NotAllowed { .. }), "{error}");
}

#[tokio::test]
async fn an_answer_is_read_only_up_to_its_limit() {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(&vec![0; 8 << 20]).unwrap();
    let packed = packed.finish().unwrap();
    assert!(packed.len() < 20_000);
    let server = Server::start(move |n, _| match n {
        0 => Act::Say(answer(200, "", &"x".repeat(1001))),
        1 => Act::Say(format!("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{}", "x".repeat(5000)).into_bytes()),
        2 => {
            let head = format!(
                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-encoding: gzip\r\ncontent-length: {}\r\n\r\n",
                packed.len()
            );
            Act::Say([head.as_bytes(), &packed].concat())
        }
        _ => Act::Say(answer(200, "", &"x".repeat(1000))),
    })
    .await;
    let ledger = ledger().await;
    let gateway = gateway(&ledger).await;
    for what in ["known length", "unknown length", "packed"] {
        let limit = if what == "packed" { 1 << 20 } else { 1000 };
        let error = gateway.send(&server.get("/").at_most(limit)).await.unwrap_err();
        assert!(matches!(error, HttpError::TooLarge { .. }), "{what}: {error}");
    }
    assert_eq!(
        gateway.send(&server.get("/").at_most(1000)).await.unwrap().body.len(),
        1000
    );
}

#[tokio::test]
async fn a_local_run_sends_nothing_to_other_hosts() {
    let server = Server::saying(answer(200, "", "well")).await;
    let ledger = ledger().await;
    let local = NetworkPolicy::Local {
        named: vec!["models.invalid".to_owned()],
    };
    let gateway = gateway_with(&ledger, Mode::Live, local).await;
    assert!(gateway.send(&server.get("/")).await.unwrap().is_success());
    for address in [
        "https://api.example.com/v1",
        "http://8.8.8.8/",
        "http://192.168.0.1/",
        "http://[2606:4700::1111]/",
    ] {
        let error = gateway
            .send(&quick(Request::get("model", address).unwrap()))
            .await
            .unwrap_err();
        assert!(matches!(error, HttpError::NotAllowed { .. }), "{address}: {error}");
    }
    assert_eq!(gateway.everything_sent().await.unwrap().len(), 1);
}

#[tokio::test]
async fn no_answer_causes_a_panic() {
    let odd: &[&[u8]] = &[
        b"",
        b"\r\n\r\n",
        b"HTTP/1.1\r\n\r\n",
        b"HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nx",
        b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nnope",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\nx",
        b"HTTP/1.1 302 Found\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nlocation: \xff\xfe\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nx: \xff\r\ncontent-length: 2\r\n\r\n\xff\xfe",
        b"HTTP/1.1 429 Slow\r\nretry-after: 99999999999999999999\r\ncontent-length: 0\r\n\r\n",
        b"HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n",
    ];
    let server = Server::start(move |_, request| {
        let number: usize = request
            .split(' ')
            .nth(1)
            .unwrap()
            .trim_start_matches('/')
            .parse()
            .unwrap();
        Act::Say(odd[number].to_vec())
    })
    .await;
    let ledger = ledger().await;
    for number in 0..odd.len() {
        let gateway = gateway(&ledger).await;
        let request = server
            .get(&format!("/{number}"))
            .tries(1)
            .patience(std::time::Duration::from_secs(1));
        let live = gateway.send(&request).await;
        let replay = gateway_with(&ledger, Mode::Replay, NetworkPolicy::Anywhere).await;
        let again = replay.send(&request).await;
        match (live, again) {
            (Ok(live), Ok(again)) => assert_eq!((live.status, live.body), (again.status, again.body)),
            (Err(live), Err(again)) => assert_eq!(live.to_string(), again.to_string()),
            other => panic!("{number}: {other:?}"),
        }
    }
}

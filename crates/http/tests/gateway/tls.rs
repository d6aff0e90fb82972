//! Certificate authorities: a TLS server on loopback is trusted only with the file that names its authority.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::thread;

use precedent_http::{Connection, HttpError, HttpGateway, Request, Settings};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::server::ledger;

/// An authority for this test, valid until 2126. Its private key was thrown away.
const AUTHORITY: &str = "\
-----BEGIN CERTIFICATE-----
MIIBmDCCAT+gAwIBAgIUek8LDd8j7v8UmoIha7YTLxvdkgIwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOVGVzdCBhdXRob3JpdHkwIBcNMjYxMTI1MDk1NDQ4WhgPMjEy
NjExMDEwOTU0NDhaMBkxFzAVBgNVBAMMDlRlc3QgYXV0aG9yaXR5MFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAE0fZcsbhDsbK2SZ2y+lQrW/NCwrevhiOAvsQfzxNR
r3p/RipQHf0GDSfvcHVN9uUIKi4I/sQTHbTYbzi6aARtOaNjMGEwHQYDVR0OBBYE
FLl29JZ4f9Yflo6U2EbCVHRM6dPzMB8GA1UdIwQYMBaAFLl29JZ4f9Yflo6U2EbC
VHRM6dPzMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMAoGCCqGSM49
BAMCA0cAMEQCIDpMy9aYzqWgSeHSThhnQvoj5gH/3qEISfk//z10bYxzAiA6Bro7
E63SGeuiSnC1W5rKArwMsRd5IKZ3Q1wfHexGTg==
-----END CERTIFICATE-----
";
/// A certificate of that authority for 127.0.0.1.
const CERTIFICATE: &str = "\
-----BEGIN CERTIFICATE-----
MIIBqTCCAVCgAwIBAgIURtx6NY6Yh72/WdtGOu+6EHEtC4YwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOVGVzdCBhdXRob3JpdHkwIBcNMjYxMTI1MDk1NDQ5WhgPMjEy
NjExMDEwOTU0NDlaMA8xDTALBgNVBAMMBGxlYWYwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAS2f/6v/Nf8hz5oKa6C6Z/hQdlZ2S/hViUREn93Ba9TNz8e0JlkEafm
Mx/XNGy+SxVjWNgK1Gnk3tfh5MPc7bV0o34wfDAaBgNVHREEEzARhwR/AAABggls
b2NhbGhvc3QwCQYDVR0TBAIwADATBgNVHSUEDDAKBggrBgEFBQcDATAdBgNVHQ4E
FgQUrMegFLqQsxAJ0bjVG5mIm6CiAakwHwYDVR0jBBgwFoAUuXb0lnh/1h+WjpTY
RsJUdEzp0/MwCgYIKoZIzj0EAwIDRwAwRAIgU8J2He0pXsfERZj9L1bfVgc0HM8I
4jm1tViAAa/zeXkCIEGipWZ1TDWkgS4DTs58Ppwz3u+g8bu3YZAvdaM6KLWe
-----END CERTIFICATE-----
";
/// The key of the certificate. It protects nothing.
const KEY: &str = "\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgEAGRlwXjzXMwISi2
kIqnEiGhXhYXrv+IsUDzYf2WgX2hRANCAAS2f/6v/Nf8hz5oKa6C6Z/hQdlZ2S/h
ViUREn93Ba9TNz8e0JlkEafmMx/XNGy+SxVjWNgK1Gnk3tfh5MPc7bV0
-----END PRIVATE KEY-----
";

/// A TLS server that answers every request with `ok`. It stops with the process.
fn serve() -> String {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let certificate = CertificateDer::from_pem_slice(CERTIFICATE.as_bytes()).unwrap();
    let key = PrivateKeyDer::from_pem_slice(KEY.as_bytes()).unwrap();
    let config = ServerConfig::builder().with_no_client_auth();
    let config = Arc::new(config.with_single_cert(vec![certificate], key).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("https://{}/", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = StreamOwned::new(connection, stream.unwrap());
            // A client that does not trust the certificate ends the handshake.
            if stream.read(&mut [0; 4096]).is_ok() {
                let output = b"HTTP/1.1 200 X\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok";
                drop(stream.write_all(output).and_then(|()| stream.flush()));
            }
        }
    });
    address
}

#[tokio::test]
async fn a_server_is_trusted_only_with_its_authority() {
    let address = serve();
    let gateway = |connection: Connection| async move {
        let settings = Settings {
            connection,
            ..Settings::default()
        };
        HttpGateway::new(settings, ledger().await).unwrap()
    };
    let request = Request::get("test", &address).unwrap().tries(3);
    let distrusted = gateway(Connection::default()).await.send(&request).await;
    assert!(matches!(distrusted, Err(HttpError::TlsFailed { .. })), "{distrusted:?}");
    let trusting = Connection::default().trusting(AUTHORITY.as_bytes()).unwrap();
    let answer = gateway(trusting).await.send(&request).await.unwrap();
    assert_eq!((answer.status, answer.body.as_slice()), (200, &b"ok"[..]));
}

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A key or token. It prints as `[secret]`, and no log, record or error shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Stores a key as typed, without surrounding blanks.
    #[must_use]
    pub fn new(key: &str) -> Self {
        Self(key.trim().to_owned())
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The credentials of basic authentication (RFC 7617, without the word `Basic`), if this is `user:password`.
    #[must_use]
    pub fn basic(&self) -> Option<Self> {
        self.0.contains(':').then(|| Self(STANDARD.encode(&self.0)))
    }

    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// `bytes` with every occurrence of the secret replaced, because servers repeat keys in their errors.
    pub(crate) fn scrub(&self, bytes: Vec<u8>) -> Vec<u8> {
        let secret = self.0.as_bytes();
        // Anything shorter is not a key, and replacing it would only damage the answer.
        if secret.len() < 6 || bytes.len() < secret.len() {
            return bytes;
        }
        let mut clean = Vec::with_capacity(bytes.len());
        let mut rest = bytes.as_slice();
        while let Some(at) = rest.windows(secret.len()).position(|window| window == secret) {
            let (before, after) = rest.split_at(at);
            clean.extend_from_slice(before);
            clean.extend_from_slice(b"[secret]");
            rest = after.get(secret.len()..).unwrap_or_default();
        }
        clean.extend_from_slice(rest);
        clean
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_neither_printed_nor_kept_in_an_answer() {
        let secret = Secret::new(" sk-12345678\n");
        assert_eq!(format!("{secret:?}"), "[secret]");
        let answer = b"Incorrect key sk-12345678, again sk-12345678".to_vec();
        assert_eq!(secret.scrub(answer), b"Incorrect key [secret], again [secret]");
        assert_eq!(secret.scrub(b"fine".to_vec()), b"fine");
        assert_eq!(Secret::new("a").scrub(b"banana".to_vec()), b"banana");
        assert!(Secret::new("  ").is_empty());
    }

    #[test]
    fn a_user_and_a_password_become_basic_credentials() {
        // The example of RFC 7617.
        let basic = Secret::new("Aladdin:open sesame").basic();
        assert_eq!(basic.as_ref().map(Secret::reveal), Some("QWxhZGRpbjpvcGVuIHNlc2FtZQ=="));
        assert_eq!(Secret::new("os_12345678").basic(), None);
    }
}

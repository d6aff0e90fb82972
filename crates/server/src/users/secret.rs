use sha2::{Digest, Sha256};

/// Bytes of a secret: as hard to guess as a key of AES-256.
const BYTES: usize = 32;

/// A new secret, in hex.
pub(crate) fn new_secret() -> std::io::Result<String> {
    let mut bytes = [0_u8; BYTES];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(hex(&bytes))
}

/// What is kept of a token or a session. Who reads the file or measures how long a comparison takes learns nothing about the secret.
pub(crate) fn hash_of(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

/// Bytes as lower-case hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_long_and_differ() {
        let (one, other) = (new_secret().unwrap(), new_secret().unwrap());
        assert_eq!((one.len(), other.len()), (64, 64));
        assert_ne!(one, other);
        assert_eq!(
            hash_of("abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}

use sha2::{Digest, Sha256};

/// SHA-256 of all inputs of a stage.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct InputHash(String);

impl InputHash {
    /// The hash of `parts`, in order. Each part is prefixed with its length, so that moving a boundary changes the hash.
    #[must_use]
    pub fn of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> Self {
        let mut digest = Sha256::new();
        for part in parts {
            digest.update((part.len() as u64).to_le_bytes());
            digest.update(part);
        }
        Self(digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// The hash in lower-case hex.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boundaries_between_parts_change_the_hash() {
        let hash = |parts: &[&str]| InputHash::of(parts.iter().map(|part| part.as_bytes()));
        assert_eq!(hash(&["ab", "c"]), hash(&["ab", "c"]));
        assert_ne!(hash(&["ab", "c"]), hash(&["a", "bc"]));
        assert_ne!(hash(&["abc"]), hash(&["abc", ""]));
    }
}

//! Files of the development data, for tests that need them.
#![expect(clippy::expect_used, clippy::panic, reason = "a test may panic")]

/// A file as text, by its path in the folder that `PRECEDENT_DEV_DATA` names.
pub(crate) fn needed(file: &str) -> String {
    let folder = std::env::var_os("PRECEDENT_DEV_DATA").expect("set PRECEDENT_DEV_DATA");
    let path = std::path::Path::new(&folder).join(file);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

//! Helpers that run the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A path that no other call gets, in the build's folder for tests. Nothing exists there yet.
///
/// `cargo test` runs all tests of one binary in one process, so a name with the process id is not unique:
/// two tests that share a folder delete each other's ledger. The number of the call makes it unique.
pub(crate) fn fresh_folder(name: &str) -> PathBuf {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let call = CALLS.fetch_add(1, Ordering::Relaxed);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{call}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn the_same_name_gives_different_folders() {
    let (one, two) = (fresh_folder("same"), fresh_folder("same"));
    assert_ne!(one, two);
    assert!(!one.exists() && !two.exists());
}

/// Runs the program in the repository root, without the caller's settings.
pub(crate) fn precedent(arguments: &[&str]) -> Output {
    precedent_in(&root(), arguments)
}

/// The same in another folder.
pub(crate) fn precedent_in(folder: &Path, arguments: &[&str]) -> Output {
    run(folder, arguments, &[])
}

/// The same in the repository root, with these environment variables.
pub(crate) fn precedent_with(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    run(&root(), arguments, variables)
}

fn run(folder: &Path, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    command(folder, arguments)
        .envs(variables.iter().copied())
        .output()
        .expect("the program starts")
}

/// The program with these arguments in a folder, without the caller's settings.
pub(crate) fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_precedent"));
    command
        .args(arguments)
        .current_dir(folder)
        .env_remove("PRECEDENT_CORPUS")
        .env_remove("PRECEDENT_MODEL")
        .env_remove("PRECEDENT_MODEL_URL")
        .env_remove("PRECEDENT_MODEL_KEY")
        .env_remove("PRECEDENT_SETTINGS")
        .env_remove("PRECEDENT_DATABASE")
        .env_remove("PRECEDENT_PROXY")
        .env_remove("PRECEDENT_CA_FILE")
        .env_remove("PRECEDENT_EMBEDDER")
        .env_remove("PRECEDENT_EMBEDDER_URL")
        .env_remove("PRECEDENT_RERANKER")
        .env_remove("PRECEDENT_RERANKER_URL")
        .env_remove("BRAVE_API_KEY")
        .env_remove("SERPER_API_KEY")
        .env_remove("TAVILY_API_KEY")
        .env_remove("SEARXNG_URL")
        .env_remove("OPENSEARCH_URL")
        .env_remove("OPENSEARCH_KEY")
        .env_remove("GITHUB_TOKEN")
        .env_remove("KAGGLE_API_TOKEN")
        .env_remove("RUST_LOG")
        .env("XDG_CONFIG_HOME", "/nonexistent")
        .env("PRECEDENT_MODELS", "/nonexistent")
        .env("PRECEDENT_CACHE", "off")
        .env("NO_COLOR", "1");
    command
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace is there")
}

/// The text on stdout.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("stdout is UTF-8")
}

/// The text on stderr.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// stdout as one JSON document.
pub(crate) fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("stdout is JSON: {error}\n{}\n{}", stdout(output), stderr(output)))
}

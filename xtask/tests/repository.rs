//! The checks of `cargo xtask tidy` and `cargo xtask generate --check`, run by `cargo test`, so that a contributor sees them before CI does.
#![expect(clippy::unwrap_used, reason = "a test that cannot start the program has failed")]

use std::process::Command;

fn passes(arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(arguments)
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "cargo xtask {}:\n{printed}",
        arguments.join(" ")
    );
}

#[test]
fn the_repository_is_tidy() {
    passes(&["tidy"]);
}

#[test]
fn generated_pages_are_up_to_date() {
    passes(&["generate", "--check"]);
}

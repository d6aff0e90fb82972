//! Long runs of the tests that set made and mangled inputs against the laws of `locate` and `overlap`. They need no nightly compiler.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Fuzzes `name` for some minutes; inputs that break a law are left, made small, in `target/fuzz`.
pub(crate) fn run(root: &Path, name: &str, arguments: &[&str]) -> Result<()> {
    if !matches!(name, "locate" | "overlap") {
        bail!("there is no fuzz target {name}; there are: locate, overlap");
    }
    let (mut minutes, mut seed) = ("10", "1");
    for option in arguments.chunks(2) {
        match option {
            ["--minutes", value] => minutes = value,
            ["--seed", value] => seed = value,
            _ => bail!("usage: cargo xtask fuzz {name} [--minutes N] [--seed S]"),
        }
        if option.iter().skip(1).any(|value| value.parse::<f64>().is_err()) {
            bail!("{} wants a number", option.join(" "));
        }
    }
    let status = Command::new("cargo")
        .current_dir(root)
        .args([
            "test",
            "--release",
            "-p",
            "precedent-text",
            "--test",
            "fuzz",
            "--",
            "--exact",
            name,
            "--nocapture",
        ])
        .env("FUZZ_MINUTES", minutes)
        .env("FUZZ_SEED", seed)
        .env("FUZZ_FINDINGS", root.join("target/fuzz"))
        .status()
        .context("start cargo")?;
    if !status.success() {
        bail!("a law was broken; what broke it stands in target/fuzz");
    }
    Ok(())
}

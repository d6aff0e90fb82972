//! Long runs of the property tests of `locate` and `overlap` with generated and mutated inputs. They need no nightly compiler.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Fuzzes `name` for some minutes. Minimised failing inputs are saved in `target/fuzz`.
pub(crate) fn run(root: &Path, name: &str, arguments: &[&str]) -> Result<()> {
    if !matches!(name, "locate" | "overlap") {
        bail!("unknown fuzz target {name}; available: locate, overlap");
    }
    let (mut minutes, mut seed) = ("10", "1");
    for option in arguments.chunks(2) {
        match option {
            ["--minutes", value] => minutes = value,
            ["--seed", value] => seed = value,
            _ => bail!("usage: cargo xtask fuzz {name} [--minutes N] [--seed S]"),
        }
        if option.iter().skip(1).any(|value| value.parse::<f64>().is_err()) {
            bail!("{}: expected a number", option.join(" "));
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
        bail!("a property failed; the failing input is in target/fuzz");
    }
    Ok(())
}

//! Long runs of the property tests of `locate` and `overlap` with generated and mutated inputs, and of reading with damaged files. They need no
//! nightly compiler.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Fuzzes `name` for some minutes. Failing inputs are saved in `target/fuzz`, those of `locate` and `overlap` minimised.
pub(crate) fn run(root: &Path, name: &str, arguments: &[&str]) -> Result<()> {
    let (package, test, exact) = match name {
        "locate" | "overlap" => ("precedent-text", "fuzz", name),
        "read" => (
            "precedent-read",
            "hostile",
            "damaged::damaged_files_are_read_or_refused",
        ),
        _ => bail!("unknown fuzz target {name}; available: locate, overlap, read"),
    };
    let (mut minutes, mut seed, mut files) = ("10", "1", None);
    for option in arguments.chunks(2) {
        match option {
            ["--minutes", value] => minutes = value,
            ["--seed", value] => seed = value,
            ["--files", folder] if name == "read" => files = Some(root.join(folder)),
            _ => bail!("usage: cargo xtask fuzz {name} [--minutes N] [--seed S] (read: --files FOLDER)"),
        }
        if option.first() != Some(&"--files") && option.iter().skip(1).any(|value| value.parse::<f64>().is_err()) {
            bail!("{}: expected a number", option.join(" "));
        }
    }
    if name == "read" && files.is_none() {
        bail!("`fuzz read` damages copies of real files: name a folder with --files");
    }
    let status = Command::new("cargo")
        .current_dir(root)
        .args([
            "test",
            "--release",
            "-p",
            package,
            "--test",
            test,
            "--",
            "--exact",
            exact,
            "--include-ignored",
            "--nocapture",
        ])
        .envs(files.map(|files| ("FUZZ_FILES", files)))
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

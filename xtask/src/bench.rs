//! Measurements that `docs/benchmarks.md` states, each as one command.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// Each measurement with the package and the example program that makes it.
const BENCHES: &[(&str, &str, &str)] = &[("read", "precedent-read", "measure_read")];

/// Runs the measurement called `name`, built for speed, with `arguments` handed through.
pub(crate) fn run(root: &Path, name: &str, arguments: &[&str]) -> Result<()> {
    let Some((_, package, example)) = BENCHES.iter().find(|(known, _, _)| *known == name) else {
        let known: Vec<&str> = BENCHES.iter().map(|(name, _, _)| *name).collect();
        bail!("there is no measurement {name}; there are: {}", known.join(", "));
    };
    let status = Command::new("cargo")
        .current_dir(root)
        .args(["run", "--release", "--quiet", "-p", package, "--example", example, "--"])
        .args(arguments)
        .status()
        .context("start cargo")?;
    if status.success() {
        Ok(())
    } else {
        bail!("the measurement {name} failed: {status}")
    }
}

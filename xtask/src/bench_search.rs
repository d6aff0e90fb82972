//! The search beside another one, and in corpora that grow.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::say;

/// Sizes that growth is shown at: works.
const SIZES: [&str; 4] = ["10000", "100000", "333361", "3000000"];

/// `bench bm25s SCRATCH SET FILE…`: precedent and bm25s over the same files and queries, in one run.
pub(crate) fn beside_bm25s(root: &Path, arguments: &[&str]) -> Result<()> {
    let [scratch, set, files @ ..] = arguments else {
        bail!("usage: cargo xtask bench bm25s SCRATCH SET FILE…")
    };
    let there = Command::new("python3")
        .args(["-c", "import bm25s, Stemmer, zstandard"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !there {
        say("skipped: no bm25s here; `pip install bm25s PyStemmer zstandard` brings it");
        return Ok(());
    }
    let (program, measure) = built(root)?;
    let script = root.join("xtask/side_by_side.py");
    let first: [&OsStr; 5] = [
        script.as_os_str(),
        program.as_os_str(),
        measure.as_os_str(),
        scratch.as_ref(),
        set.as_ref(),
    ];
    let status = Command::new("python3")
        .args(first)
        .args(files)
        .status()
        .context("start python3")?;
    ensure!(status.success(), "the comparison failed: {status}");
    Ok(())
}

/// `bench growth SCRATCH SET FILE…`: corpora of rising size, made, asked and removed one after the other.
pub(crate) fn growth(root: &Path, arguments: &[&str]) -> Result<()> {
    let [scratch, set, files @ ..] = arguments else {
        bail!("usage: cargo xtask bench growth SCRATCH SET FILE…")
    };
    let (_, measure) = built(root)?;
    let run = |arguments: &[&str]| -> Result<()> {
        let started = Instant::now();
        let status = Command::new(&measure)
            .args(arguments)
            .status()
            .context("start measure")?;
        ensure!(status.success(), "measure {arguments:?} failed: {status}");
        say(&format!("  {:.1} s", started.elapsed().as_secs_f64()));
        Ok(())
    };
    for size in SIZES {
        let place = Path::new(scratch).join(format!("growth-{size}"));
        let dir = place.to_str().context("the path is no text")?;
        if place.exists() {
            std::fs::remove_dir_all(&place).with_context(|| format!("empty {dir}"))?;
        }
        say(&format!("{size} works"));
        run(&[&["grow", dir, size], files].concat())?;
        run(&["vectors", dir, "exact"])?;
        run(&["queries", dir, set])?;
        run(&["vectors", dir, "near"])?;
        run(&["near", dir, set])?;
        std::fs::remove_dir_all(&place).with_context(|| format!("remove {dir}"))?;
    }
    Ok(())
}

/// The program and the example that measures, built for speed.
fn built(root: &Path) -> Result<(PathBuf, PathBuf)> {
    for selection in [
        &["-p", "precedent-cli"][..],
        &["-p", "precedent-corpus", "--example", "measure"][..],
    ] {
        let status = Command::new("cargo")
            .current_dir(root)
            .args(["build", "--release", "--quiet"])
            .args(selection)
            .status()
            .context("start cargo")?;
        ensure!(status.success(), "the program could not be built");
    }
    let release = root.join("target/release");
    Ok((release.join("precedent"), release.join("examples/measure")))
}

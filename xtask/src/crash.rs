//! Crash test: kills an import repeatedly and checks that no committed record is lost and that the final corpus is the same as without kills.
#![expect(clippy::indexing_slicing, reason = "a member that JSON lacks is null")]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::say;

/// Records per commit: many, so that kills happen both during and between commits.
const COMMIT_EVERY: &str = "4000";

/// `crash PROGRAM FOLDER FILE [ROUNDS] [SEED]`: imports FILE into corpora in FOLDER, which must not exist.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let [program, folder, file, rest @ ..] = arguments else {
        bail!("usage: cargo xtask crash PROGRAM FOLDER FILE [ROUNDS] [SEED]")
    };
    let number = |at: usize, otherwise: u64| rest.get(at).map_or(Ok(otherwise), |text| text.parse());
    let (rounds, mut seed) = (number(0, 20)?, number(1, 1)?);
    let folder = PathBuf::from(folder);
    std::fs::create_dir(&folder).with_context(|| format!("create {}", folder.display()))?;
    let import = Import { program, file };
    let started = Instant::now();
    let whole = folder.join("whole");
    ensure!(
        import.add(&whole, &folder.join("whole.log"), None)?,
        "the import failed without being killed"
    );
    let took = started.elapsed();
    let expected = import.ask("stats", &whole)?;
    say(&format!(
        "not killed: {:.1} s, {} papers",
        took.as_secs_f64(),
        expected["works"]
    ));
    let (mut killed, mut corpus) = (0, 0);
    while killed < rounds {
        let dir = folder.join(format!("corpus-{corpus}"));
        let (mut items, mut works) = (0, 0);
        loop {
            let log = folder.join("add.log");
            // The range of kill times includes the start-up, which can take a second.
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let moment = took.mul_f64((seed >> 33) as f64 / f64::from(1_u32 << 31) * 0.5);
            let limit = (killed < rounds).then_some(moment);
            if import.add(&dir, &log, limit)? {
                break;
            }
            killed += 1;
            if !dir.join("manifest.json").exists() {
                say(&format!(
                    "kill {killed} after {:.2} s: before the corpus was created",
                    moment.as_secs_f64()
                ));
                continue;
            }
            let check = import.ask("check", &dir)?;
            ensure!(check["problem_count"] == 0, "kill {killed}: {check}");
            let stats = import.ask("stats", &dir)?;
            let now = stats["imports"].as_array().map_or(0, |imports| {
                imports.iter().filter_map(|import| import["items"].as_u64()).sum()
            });
            let committed = last_committed(&log)?;
            let now_works = stats["works"].as_u64().unwrap_or(0);
            ensure!(
                now >= items.max(committed),
                "kill {killed}: {now} items, but {committed} were committed"
            );
            ensure!(
                now_works >= works,
                "kill {killed}: {now_works} papers, but there were {works}"
            );
            if stats["imports"][0]["complete"] == true {
                // Killed after the last commit, while the index merged its segments: the import was complete.
                break;
            }
            (items, works) = (now, now_works);
            say(&format!(
                "kill {killed} after {:.2} s: corpus opens and is undamaged, {now} items committed",
                moment.as_secs_f64()
            ));
        }
        let stats = import.ask("stats", &dir)?;
        ensure!(
            comparable(stats.clone()) == comparable(expected.clone()),
            "different result: {stats} instead of {expected}"
        );
        say(&format!("corpus {corpus}: same result as without kills"));
        corpus += 1;
    }
    say(&format!("{killed} kills, {corpus} corpora completed, nothing lost"));
    Ok(())
}

struct Import<'a> {
    program: &'a str,
    file: &'a str,
}

impl Import<'_> {
    /// Imports and kills the process after `limit`. Returns whether it completed by itself.
    fn add(&self, dir: &Path, log: &Path, limit: Option<Duration>) -> Result<bool> {
        let mut child = Command::new(self.program)
            .args(["corpus", "add", "--commit-every", COMMIT_EVERY])
            .arg(dir)
            .arg(self.file)
            .stdout(Stdio::null())
            .stderr(File::create(log)?)
            .spawn()
            .with_context(|| format!("start {}", self.program))?;
        let started = Instant::now();
        while limit.is_none_or(|limit| started.elapsed() < limit) {
            if let Some(status) = child.try_wait()? {
                ensure!(status.success(), "the import failed: {}", std::fs::read_to_string(log)?);
                return Ok(true);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill()?;
        child.wait()?;
        Ok(false)
    }

    fn ask(&self, what: &str, dir: &Path) -> Result<Value> {
        let asked = Command::new(self.program)
            .args(["corpus", what, "--json"])
            .arg(dir)
            .output()?;
        ensure!(
            asked.status.success(),
            "{what}: {}",
            String::from_utf8_lossy(&asked.stderr)
        );
        Ok(serde_json::from_slice(&asked.stdout)?)
    }
}

/// Number of items that the program reported as committed.
fn last_committed(log: &Path) -> Result<u64> {
    let text = std::fs::read_to_string(log)?;
    let lines = text.lines().filter(|line| line.ends_with("committed"));
    Ok(lines
        .filter_map(|line| line.split_whitespace().next()?.parse().ok())
        .next_back()
        .unwrap_or(0))
}

/// Stats without the fields that differ between two corpora of the same papers.
fn comparable(mut stats: Value) -> Value {
    for name in ["bytes", "revision"] {
        stats[name] = Value::Null;
    }
    stats
}

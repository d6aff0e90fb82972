//! Fuzzes `locate` and `overlap` with generated and mangled inputs against their laws.
//!
//! The tests run briefly, plus every regression in `tests/regressions`. `cargo xtask fuzz locate|overlap` runs one for minutes: `FUZZ_MINUTES`,
//! `FUZZ_SEED`, `FUZZ_FINDINGS` (a folder for inputs that break a law). If the development data is present, some texts of the long run contain
//! stretches of real papers.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may panic and print"
)]

#[path = "fuzz/laws.rs"]
mod laws;
#[path = "fuzz/made.rs"]
mod made;
mod papers;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use made::Maker;

/// Separates the parts of a saved input.
const BORDER: &str = "\n=====\n";
/// Maximum time per input. Generous, because it is wall-clock time and runs at the lowest priority wait for other processes.
const LONGEST: Duration = Duration::from_secs(120);

type Law = fn(&[String]) -> Result<(), String>;
type Make = fn(&mut Maker) -> Vec<String>;

/// Whether `law` holds for `parts`: it does not fail, does not panic, and ends in time.
fn holds(law: Law, parts: &[String]) -> Result<(), String> {
    let clock = Instant::now();
    let kept = catch_unwind(AssertUnwindSafe(|| law(parts))).unwrap_or_else(|_| Err("it panicked".to_owned()));
    kept?;
    let took = clock.elapsed();
    if took > LONGEST {
        return Err(format!("it took {took:?}"));
    }
    Ok(())
}

fn fuzz(name: &str, law: Law, make: Make) {
    replay(name, law);
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<f64>().ok());
    let minutes = number("FUZZ_MINUTES");
    let seed = number("FUZZ_SEED").unwrap_or(1.0) as u64;
    let real = if minutes.is_some() { real_texts() } else { Vec::new() };
    let clock = Instant::now();
    let (mut inputs, mut findings) = (0_u64, 0);
    let mut last_printed = 0;
    loop {
        let ended = match minutes {
            Some(minutes) => clock.elapsed().as_secs_f64() > minutes * 60.0,
            None => inputs == 300,
        };
        if ended {
            break;
        }
        let mut maker = Maker::new(seed.wrapping_mul(1_000_003).wrapping_add(inputs), &real);
        let parts = make(&mut maker);
        if let Err(why) = holds(law, &parts) {
            findings += 1;
            let parts = shrink(law, parts);
            let why = holds(law, &parts).err().unwrap_or(why);
            println!("{name}, seed {seed}, input {inputs}: {why}\n{}\n", parts.join(BORDER));
            if let Some(folder) = std::env::var_os("FUZZ_FINDINGS").map(PathBuf::from) {
                std::fs::create_dir_all(&folder).unwrap();
                std::fs::write(folder.join(format!("{name}-{seed}-{inputs}.txt")), parts.join(BORDER)).unwrap();
            }
        }
        inputs += 1;
        let minute = clock.elapsed().as_secs() / 60;
        if minutes.is_some() && minute > last_printed {
            last_printed = minute;
            println!("{name}, seed {seed}: {minute} min, {inputs} inputs, {findings} findings");
        }
    }
    println!(
        "{name}, seed {seed}: {:.0?}, {inputs} inputs, {findings} findings",
        clock.elapsed()
    );
    assert_eq!(findings, 0);
}

/// Every input that once broke a law.
fn replay(name: &str, law: Law) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/regressions");
    let Ok(files) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        if file.starts_with(name) {
            let parts: Vec<String> = std::fs::read_to_string(&path)
                .unwrap()
                .split(BORDER)
                .map(str::to_owned)
                .collect();
            if let Err(why) = holds(law, &parts) {
                panic!("{file}: {why}");
            }
        }
    }
}

/// Shrinks an input that breaks a law by removing pieces from each part while it still breaks the law.
fn shrink(law: Law, mut parts: Vec<String>) -> Vec<String> {
    let clock = Instant::now();
    for at in 0..parts.len() {
        let mut size = parts[at].chars().count().div_ceil(2);
        while size > 0 && clock.elapsed().as_secs() < 30 {
            let mut from = 0;
            while from < parts[at].chars().count() && clock.elapsed().as_secs() < 30 {
                let shorter: String = parts[at]
                    .chars()
                    .take(from)
                    .chain(parts[at].chars().skip(from + size))
                    .collect();
                let mut tried = parts.clone();
                tried[at] = shorter;
                if holds(law, &tried).is_err() {
                    parts = tried;
                } else {
                    from += size;
                }
            }
            size /= 2;
        }
    }
    parts
}

fn real_texts() -> Vec<String> {
    ["acl", "plos_elife", "neurips2025"]
        .iter()
        .flat_map(|set| papers::full_texts(set, 30))
        .collect()
}

#[test]
fn locate() {
    fuzz("locate", laws::locate_keeps_its_laws, made::source_and_quote);
}

#[test]
fn overlap() {
    fuzz("overlap", laws::overlap_keeps_its_laws, made::two_texts);
}

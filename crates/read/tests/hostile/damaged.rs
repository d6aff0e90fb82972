//! Files with random damage. Each is read or refused, without a panic and in time.

use std::fs;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use lopdf::Document;
use precedent_read::{ReadError, read_bytes};
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

/// Maximum time of one file (`crates/read/src/budget.rs` counts steps, this is wall-clock time).
const LONGEST: Duration = Duration::from_secs(20);
/// Minimum time between two lines of progress.
const PROGRESS: Duration = Duration::from_secs(60);

/// Panics so far, also those that reading catches itself.
static PANICS: AtomicU64 = AtomicU64::new(0);

/// A random number below `limit`.
fn below(random: &mut TestRng, limit: usize) -> usize {
    usize::try_from(random.next_u64()).unwrap() % limit.max(1)
}

/// A file with one to eight random changes: bytes replaced, cut out, repeated, inserted or taken from another file, numbers enlarged, the end cut off.
fn damaged(file: &[u8], other: &[u8], random: &mut TestRng) -> Vec<u8> {
    let mut bytes = file.to_vec();
    for _ in 0..=below(random, 8) {
        let at = below(random, bytes.len());
        let most = below(random, 2000);
        let end = (at + 1 + below(random, most)).min(bytes.len());
        match below(random, 8) {
            0 => (at..end.min(at + 4)).for_each(|place| bytes[place] = random.next_u64().to_le_bytes()[0]),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let part = bytes[at..end].to_vec();
                let many = 1 + below(random, 50);
                bytes.splice(at..at, part.repeat(many));
            }
            3 => drop(bytes.splice(at..at, random.next_u64().to_le_bytes())),
            4 => {
                let from = below(random, other.len());
                let to = (from + most).min(other.len());
                bytes.splice(at..end, other[from..to].iter().copied());
            }
            5 => {
                let digit = bytes.iter().skip(at).position(u8::is_ascii_digit);
                let huge = ["9", "99999999", "4294967296", "-1", "18446744073709551616"][below(random, 5)];
                digit.inspect(|digit| drop(bytes.splice(at + digit..at + digit + 1, huge.bytes())));
            }
            6 => {
                let bracket = bytes.iter().skip(at).position(|byte| b"<>[]{}()\\/&".contains(byte));
                bracket.inspect(|bracket| bytes[at + bracket] = b"<>[]{}()\\/&"[below(random, 11)]);
            }
            _ => bytes.truncate(if below(random, 4) == 0 { at } else { bytes.len() }),
        }
    }
    bytes
}

/// A PDF whose streams are not compressed, so that damage reaches what they contain.
fn taken_apart(file: &[u8]) -> Option<Vec<u8>> {
    let mut document = Document::load_mem(file).ok()?;
    document.decompress();
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).ok()?;
    Some(bytes)
}

/// Maximum memory of this process so far, where the system says so.
fn peak_memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or_else(|| "unknown".to_owned(), |peak| peak.trim().to_owned())
}

#[test]
#[ignore = "runs for minutes on files of a folder: cargo xtask fuzz read --files FOLDER"]
fn damaged_files_are_read_or_refused() {
    let number = |name: &str| std::env::var(name).ok().and_then(|value| value.parse::<f64>().ok());
    let limit = Duration::from_secs_f64(number("FUZZ_MINUTES").unwrap_or(1.0) * 60.0);
    let seed = number("FUZZ_SEED").unwrap_or(1.0);
    let folder = std::env::var_os("FUZZ_FILES").expect("FUZZ_FILES names a folder");
    let findings = std::env::var_os("FUZZ_FINDINGS").map_or_else(|| PathBuf::from("."), PathBuf::from);
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    for path in paths.iter().filter(|path| path.is_file()) {
        let (name, bytes) = (
            path.file_name().unwrap().to_string_lossy().into_owned(),
            fs::read(path).unwrap(),
        );
        if name.ends_with(".pdf") {
            files.extend(taken_apart(&bytes).map(|apart| (name.clone(), apart)));
        }
        files.push((name, bytes));
    }
    assert!(!files.is_empty(), "FUZZ_FILES has no files");
    let mut random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed.to_le_bytes().repeat(4));
    panic::set_hook(Box::new(|panic| {
        PANICS.fetch_add(1, Ordering::Relaxed);
        println!("{panic}");
    }));
    fs::create_dir_all(&findings).unwrap();
    let (clock, mut printed) = (Instant::now(), Duration::ZERO);
    let (mut read, mut refused, mut failed, mut slowest) = (0_u64, 0_u64, 0_u64, Duration::ZERO);
    while clock.elapsed() < limit {
        let (name, file) = &files[below(&mut random, files.len())];
        let (_, other) = &files[below(&mut random, files.len())];
        let bytes = damaged(file, other, &mut random);
        // If reading never returns, this file stays.
        let current = findings.join(format!("read-{seed}-{read}-{name}"));
        fs::write(&current, &bytes).unwrap();
        let panics = PANICS.load(Ordering::Relaxed);
        let began = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            read_bytes(&bytes, name).map(|paper| paper.document.check())
        }));
        let took = began.elapsed();
        slowest = slowest.max(took);
        let wrong = match outcome {
            Ok(Ok(Ok(()))) => None,
            Ok(Ok(Err(error))) => Some(format!("the document contradicts itself: {error}")),
            Ok(Err(ReadError::Unreadable { .. })) => Some("an error of a disk".to_owned()),
            Ok(Err(_)) => {
                refused += 1;
                None
            }
            Err(_) => Some("a panic".to_owned()),
        };
        let wrong = wrong
            .or_else(|| (PANICS.load(Ordering::Relaxed) > panics).then(|| "a panic that reading caught".to_owned()));
        let wrong = wrong.or_else(|| (took > LONGEST).then(|| format!("it took {took:?}")));
        read += 1;
        match wrong {
            Some(wrong) => {
                failed += 1;
                println!("{}: {wrong}", current.display());
            }
            None => fs::remove_file(&current).unwrap(),
        }
        if clock.elapsed() - printed > PROGRESS {
            printed = clock.elapsed();
            println!(
                "{read} files, {refused} refused, {failed} failed, slowest {slowest:?}, {}",
                peak_memory()
            );
        }
    }
    println!(
        "{read} files, {refused} refused, {failed} failed, slowest {slowest:?}, {}",
        peak_memory()
    );
    assert!(refused < read, "no file was read");
    assert_eq!(failed, 0, "the files are in {}", findings.display());
}

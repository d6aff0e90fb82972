/// How many random cases a test runs: `base`, times the whole number in `PRECEDENT_TEST_ROUNDS` if it is set, to look for more.
#[must_use]
pub fn rounds(base: u64) -> u64 {
    let times = std::env::var("PRECEDENT_TEST_ROUNDS").ok();
    base * times.and_then(|times| times.parse::<u64>().ok()).unwrap_or(1).max(1)
}

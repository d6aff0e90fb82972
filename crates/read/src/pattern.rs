use regex::Regex;

/// Compiles a pattern that is a constant of this crate.
#[expect(
    clippy::expect_used,
    reason = "patterns are constants of this crate and each is compiled by a test of its module"
)]
pub(crate) fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern compiles")
}

/// A regular expression compiled once, at first use.
macro_rules! pattern {
    ($pattern:expr) => {{
        static PATTERN: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| $crate::pattern::compile($pattern));
        &*PATTERN
    }};
}

pub(crate) use pattern;

use regex::Regex;

/// Compiles a constant pattern of this crate.
#[expect(
    clippy::expect_used,
    reason = "patterns are constants of this crate, and a test of its module compiles each one"
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

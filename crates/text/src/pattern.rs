use regex::Regex;

/// Compiles a constant pattern. [`pattern!`](crate::pattern!) does this once; use this function for patterns put together from constants.
///
/// # Panics
///
/// If the pattern is not a valid regular expression. For patterns from users or documents, use [`Regex::new`] and handle the error.
#[must_use]
#[expect(
    clippy::expect_used,
    reason = "a constant pattern that does not compile is a programming error"
)]
pub fn compile_pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern compiles")
}

/// A constant regular expression as a `&'static Regex`, compiled at first use.
///
/// # Panics
///
/// If the pattern is not a valid regular expression. `cargo xtask tidy` checks every pattern given as a raw string.
#[macro_export]
macro_rules! pattern {
    ($pattern:expr $(,)?) => {{
        static PATTERN: ::std::sync::LazyLock<$crate::Regex> =
            ::std::sync::LazyLock::new(|| $crate::compile_pattern($pattern));
        &*PATTERN
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_compiles_its_pattern_once() {
        let digits = || pattern!(r"^\d+$");
        assert!(digits().is_match("42"));
        assert!(!digits().is_match("x42"));
        assert!(std::ptr::eq(digits(), digits()));
    }

    #[test]
    #[should_panic(expected = "a constant pattern compiles")]
    fn an_invalid_pattern_panics() {
        let _ = compile_pattern("(");
    }
}

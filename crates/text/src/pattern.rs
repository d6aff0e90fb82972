use regex::Regex;

/// Compiles a constant pattern. [`pattern!`](crate::pattern!) does this once; use this function for patterns put together from constants.
///
/// `\d` is a digit from 0 to 9: years and numbers are parsed from these only, and a class of all digits of Unicode takes longer to compile.
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
    Regex::new(&with_ascii_digits(pattern)).expect("a constant pattern compiles")
}

fn with_ascii_digits(pattern: &str) -> String {
    let mut written = String::with_capacity(pattern.len());
    let mut rest = pattern.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some('d') => written.push_str("[0-9]"),
                Some('D') => written.push_str("[^0-9]"),
                escaped => written.extend([c].into_iter().chain(escaped)),
            },
            _ => written.push(c),
        }
    }
    written
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
    fn digits_are_those_of_ascii() {
        let found = |pattern: &str, text: &str| {
            compile_pattern(pattern)
                .find(text)
                .map(|found| found.as_str().to_owned())
        };
        assert_eq!(found(r"\d+", "٣ 42"), Some("42".to_owned()));
        assert_eq!(found(r"[\d.]+", "v1.5"), Some("1.5".to_owned()));
        assert_eq!(found(r"[^\d\s-]+", "1-٣"), Some("٣".to_owned()));
        assert_eq!(found(r"\D+", "1٣"), Some("٣".to_owned()));
        assert_eq!(found(r"\\d", r"1 \d"), Some(r"\d".to_owned()));
    }

    #[test]
    #[should_panic(expected = "a constant pattern compiles")]
    fn an_invalid_pattern_panics() {
        let _ = compile_pattern("(");
    }
}

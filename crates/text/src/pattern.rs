use regex::Regex;

/// Compiles a constant pattern. [`pattern!`](crate::pattern!) does this once; use this function for patterns put together from constants.
///
/// `\d` is a digit from 0 to 9: years and numbers are parsed from these only. `\p{L}` is a letter or a mark of any script that papers are written in, and
/// `\p{Lu}` and `\p{Ll}` are those of the Latin, Greek and Cyrillic scripts; additional Latin
/// letters (`ặ`, `Ḥ`) count as both. The classes of Unicode take longer to compile.
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
    Regex::new(&with_smaller_classes(pattern)).expect("a constant pattern compiles")
}

/// Classes of all scripts, each with a smaller one. The whole ones have hundreds of ranges, and compiling them took a third of the time of all patterns.
const SMALLER: [(&str, &str); 5] = [
    (r"\d", "[0-9]"),
    (r"\D", "[^0-9]"),
    (
        r"\p{L}",
        concat!(
            r"[A-Za-z\u{AA}\u{B5}\u{BA}\u{C0}-\u{D6}\u{D8}-\u{F6}\u{F8}-\u{1FFF}\u{2C00}-\u{2DFF}\u{3005}\u{3006}\u{3040}-\u{D7FF}\u{F900}-\u{FD3D}",
            r"\u{FD50}-\u{FDFB}\u{FE70}-\u{FEFC}\u{FF21}-\u{FF3A}\u{FF41}-\u{FF5A}\u{FF66}-\u{FFDC}\u{1D400}-\u{1D7FF}\u{20000}-\u{323AF}]",
        ),
    ),
    (
        r"\p{Lu}",
        r"[[\p{Lu}&&[\u{0}-\u{24F}\u{370}-\u{52F}]]\u{1E00}-\u{1EFF}]",
    ),
    (
        r"\p{Ll}",
        r"[[\p{Ll}&&[\u{0}-\u{24F}\u{370}-\u{52F}]]\u{1E00}-\u{1EFF}]",
    ),
];

fn with_smaller_classes(pattern: &str) -> String {
    let mut written = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        written.push_str(before);
        let known = SMALLER.iter().find(|(class, _)| escape.starts_with(class));
        let length = known.map_or_else(
            || 1 + escape.chars().nth(1).map_or(0, char::len_utf8),
            |(class, _)| class.len(),
        );
        let (class, after) = escape.split_at(length);
        written.push_str(known.map_or(class, |(_, smaller)| smaller));
        rest = after;
    }
    written + rest
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
    fn letters_are_those_of_the_scripts_of_papers() {
        let whole = |pattern: &str, text: &str| compile_pattern(&format!("^{pattern}+$")).is_match(text);
        for name in [
            "Müller",
            "Łukasz",
            "Đặng",
            "Иванов",
            "Παπαδόπουλος",
            "田中",
            "김민수",
            "محمد",
            "ﬁnal",
        ] {
            assert!(whole(r"\p{L}", name), "{name}");
        }
        for other in ["“", "–", "。", "€", "’", "•", "7", " ", "（"] {
            assert!(!whole(r"\p{L}", other), "{other}");
            assert!(whole(r"[^\p{L}]", other), "{other}");
        }
        assert!(whole(r"\p{Lu}\p{Ll}+", "Đặng") && whole(r"\p{Lu}\p{Ll}+", "Ḥasan"));
        assert!(whole(r"\p{Lu}", "AÉŁŽΩЯҐ") && !compile_pattern(r"\p{Lu}").is_match("aéłžωяґ"));
        assert!(whole(r"[\p{Ll}'-]", "aéłžω-я'ґ") && !compile_pattern(r"\p{Ll}").is_match("AÉŁŽΩЯҐ"));
    }

    #[test]
    #[should_panic(expected = "a constant pattern compiles")]
    fn an_invalid_pattern_panics() {
        let _ = compile_pattern("(");
    }
}

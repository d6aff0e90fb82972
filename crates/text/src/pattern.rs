use regex::Regex;

/// Compiles a constant pattern. [`pattern!`](crate::pattern!) does this once; use this function for patterns put together from constants.
///
/// `\d` is a digit from 0 to 9: years and numbers are parsed from these only. `\p{L}`, `\p{Lu}` and `\p{Ll}` are `LETTERS`, `CAPITALS` and
/// `SMALL_LETTERS`, whose classes take less time to compile.
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

/// Classes with a smaller one each. That of all letters has hundreds of ranges, and many patterns repeat it.
const SMALLER: [(&str, &str); 5] = [
    (r"\d", "[0-9]"),
    (r"\D", "[^0-9]"),
    (r"\p{L}", LETTERS),
    (r"\p{Lu}", CAPITALS),
    (r"\p{Ll}", SMALL_LETTERS),
];

/// Capitals up to U+1FFF (Latin, Greek, Cyrillic, Armenian, Georgian, Cherokee), and capitals that are symbols. The others, of phonetic and historic
/// alphabets, are nearly a third of the ranges.
const CAPITALS: &str = r"[\p{Lu}&&[\u{0}-\u{1FFF}\u{2071}-\u{2184}\u{FF21}-\u{FF3A}\u{1D400}-\u{1D7CB}]]";

/// The small letters of these scripts.
const SMALL_LETTERS: &str =
    r"[\p{Ll}&&[\u{0}-\u{1FFF}\u{2071}-\u{2184}\u{FB00}-\u{FB06}\u{FF41}-\u{FF5A}\u{1D400}-\u{1D7CB}]]";

/// Exactly the letters of the Latin, Greek, Cyrillic, Armenian and Hebrew scripts, and letters that are symbols (`ℓ`, `Å`). Of other scripts whole
/// blocks without their punctuation, so that marks, and some digits, count as well.
const LETTERS: &str = concat!(
    r"[[\p{L}&&[\u{0}-\u{5FF}\u{2071}-\u{2184}]]\u{620}-\u{65F}\u{66E}-\u{6D3}\u{6D5}-\u{6EF}\u{6FA}-\u{963}\u{970}-\u{167F}\u{1681}-\u{1FFF}",
    r"\u{2C00}-\u{2DFF}\u{3005}\u{3006}\u{3041}-\u{3096}\u{309D}-\u{309F}\u{30A1}-\u{30FA}\u{30FC}-\u{318F}\u{31A0}-\u{31FF}\u{3400}-\u{A4CF}",
    r"\u{A4D0}-\u{D7FF}\u{F900}-\u{FD3D}\u{FD50}-\u{FDFB}\u{FE70}-\u{FEFC}\u{FF21}-\u{FF3A}\u{FF41}-\u{FF5A}\u{FF66}-\u{FFDC}",
    r"\u{1D400}-\u{1D7CB}\u{20000}-\u{323AF}]",
);

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
    fn capitals_and_small_letters_are_told_apart() {
        let name = compile_pattern(r"^\p{Lu}\p{Ll}+$");
        for word in ["Müller", "Łukasz", "Żak", "Șerban", "Ωmega", "Жуков", "Қазақ", "Ấn"] {
            assert!(name.is_match(word), "{word}");
        }
        for word in ["že", "șerban", "года", "ĂÂ", "3a", "李明"] {
            assert!(!name.is_match(word), "{word}");
        }
    }

    #[test]
    fn letters_are_those_of_the_scripts_of_papers() {
        let letters = compile_pattern(r"^\p{L}+$");
        for name in [
            "Müller",
            "Łukasz",
            "Đặng",
            "Məmmədov",
            "Иванов",
            "Παπαδόπουλος",
            "Հակոբյան",
            "田中",
            "時々",
            "김민수",
            "محمد",
            "अनीता",
            "ﬁnal",
            "ℓ",
            "Å",
        ] {
            assert!(letters.is_match(name), "{name}");
        }
        let other = compile_pattern(r"^[^\p{L}]$");
        for sign in ["“", "–", "。", "€", "’", "•", "7", " ", "（", "،", "।", "・", "㎞", "٣"] {
            assert!(!letters.is_match(sign) && other.is_match(sign), "{sign}");
        }
    }

    #[test]
    #[should_panic(expected = "a constant pattern compiles")]
    fn an_invalid_pattern_panics() {
        let _ = compile_pattern("(");
    }
}

use std::collections::BTreeSet;

/// Longest name, in characters.
const LONGEST: usize = 60;

/// A name for a file or folder made of the letters and digits of `name`: `Jörg O. Berg` becomes `jörg-o-berg`. A name that is already `taken` gets a
/// number.
pub fn slug(name: &str, taken: &mut BTreeSet<String>) -> String {
    let mut words = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            words.push(c);
        } else if !words.is_empty() && !words.ends_with('-') {
            words.push('-');
        }
    }
    let short: String = words.chars().take(LONGEST).collect();
    let stem = match short.trim_end_matches('-') {
        "" => "unnamed",
        stem => stem,
    };
    let mut unique = stem.to_owned();
    let mut number = 1;
    while !taken.insert(unique.clone()) {
        number += 1;
        unique = format!("{stem}-{number}");
    }
    unique
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_unique() {
        let mut taken = BTreeSet::new();
        for (name, expected) in [
            ("Jörg O. Berg", "jörg-o-berg"),
            ("jörg o berg", "jörg-o-berg-2"),
            ("../../etc/passwd", "etc-passwd"),
            ("<b>\u{202e}", "b"),
            ("…", "unnamed"),
            ("", "unnamed-2"),
        ] {
            assert_eq!(slug(name, &mut taken), expected);
        }
        assert_eq!(slug(&"long ".repeat(50), &mut taken).chars().count(), 59);
    }
}

use std::collections::HashMap;
use std::sync::LazyLock;

use super::tables::rows;

/// Output of a command without arguments, in text and in maths.
pub(crate) fn symbol(name: &str) -> Option<&'static str> {
    if matches!(name, " " | "\n" | "\t") {
        return Some(" ");
    }
    SYMBOLS.signs.get(name).map(|(_, sign)| *sign)
}

pub(crate) fn greek(name: &str) -> Option<&'static str> {
    let (class, sign) = SYMBOLS.signs.get(name)?;
    (*class == "greek").then_some(*sign)
}

/// Operators and relations, and whether they are surrounded by spaces.
pub(crate) fn operator(name: &str) -> Option<(&'static str, bool)> {
    let (class, sign) = SYMBOLS.signs.get(name)?;
    matches!(*class, "operator" | "arrow").then_some((*sign, *class == "operator"))
}

/// The combining character of an accent command.
pub(crate) fn accent(name: &str) -> Option<char> {
    SYMBOLS.accents.get(name).copied()
}

static SYMBOLS: LazyLock<Symbols> = LazyLock::new(|| {
    let mut symbols = Symbols::default();
    for (class, sign, name) in rows(include_str!("tables/symbols.tsv")) {
        if class == "accent" {
            symbols.accents.extend(sign.chars().last().map(|mark| (name, mark)));
        } else {
            let sign = if sign == "space" { " " } else { sign };
            symbols.signs.insert(name, (class, sign));
        }
    }
    symbols
});

/// The table of symbols: each sign with its class, and each combining character, by the name of the command.
#[derive(Default)]
struct Symbols {
    signs: HashMap<&'static str, (&'static str, &'static str)>,
    accents: HashMap<&'static str, char>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_known_class_and_no_name_has_two_signs() {
        let classes = ["letter", "punctuation", "greek", "operator", "arrow", "accent"];
        let table: Vec<_> = rows(include_str!("tables/symbols.tsv")).collect();
        assert!(table.iter().all(|(class, _, _)| classes.contains(class)));
        assert_eq!(SYMBOLS.signs.len() + SYMBOLS.accents.len(), table.len());
        assert_eq!(accent("'"), Some('\u{301}'));
        assert_eq!((symbol("quad"), symbol("%"), greek("%")), (Some(" "), Some("%"), None));
        assert_eq!(
            (operator("le"), operator("uparrow")),
            (Some(("≤", true)), Some(("↑", false)))
        );
    }
}

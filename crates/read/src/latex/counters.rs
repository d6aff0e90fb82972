use std::collections::BTreeMap;

/// Heading numbering of a document class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Numbering {
    /// `3.1`
    #[default]
    Arabic,
    /// `III`, `A`
    Roman,
}

/// LaTeX's counters, as needed for headings and cross references.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    sections: [u32; 3],
    others: BTreeMap<String, u32>,
    /// What the next `\label` refers to: a word and a number.
    pub(crate) current: (String, String),
    /// Whether headings are lettered.
    pub(crate) appendix: bool,
    /// Numbering style.
    pub(crate) numbering: Numbering,
}

impl Counters {
    /// The number of the next heading of this level (1 to 3).
    pub(crate) fn next_section(&mut self, level: u8) -> String {
        let level = usize::from(level.clamp(1, 3));
        for (at, count) in self.sections.iter_mut().enumerate() {
            if at + 1 == level {
                *count += 1;
            } else if at + 1 > level {
                *count = 0;
            }
        }
        let [first, second, third] = self.sections;
        let top = if self.appendix {
            letter(first)
        } else {
            first.to_string()
        };
        let number = match (self.numbering, level) {
            (Numbering::Roman, 1) if !self.appendix => roman(first),
            (Numbering::Roman, 2) if !self.appendix => letter(second),
            (Numbering::Roman, 3) if !self.appendix => third.to_string(),
            (_, 1) => top,
            (_, 2) => format!("{top}.{second}"),
            _ => format!("{top}.{second}.{third}"),
        };
        let word = if self.appendix { "Appendix" } else { "Section" };
        self.current = (word.to_owned(), number.clone());
        number
    }

    /// Starts the appendix.
    pub(crate) fn start_appendix(&mut self) {
        if !self.appendix {
            self.appendix = true;
            self.sections = [0; 3];
        }
    }

    /// Steps another counter: `Figure`, `Table`, `Equation`, a theorem.
    pub(crate) fn next(&mut self, counter: &str, word: &str) -> String {
        let count = self.others.entry(counter.to_owned()).or_default();
        *count += 1;
        let number = count.to_string();
        self.current = (word.to_owned(), number.clone());
        number
    }
}

fn letter(number: u32) -> String {
    let at = number.saturating_sub(1).min(25);
    char::from_u32(u32::from('A') + at).map_or_else(String::new, String::from)
}

fn roman(number: u32) -> String {
    let mut rest = number.min(50);
    let mut text = String::new();
    for (value, sign) in [
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ] {
        while rest >= value {
            text.push_str(sign);
            rest -= value;
        }
    }
    text
}

//! Styled terminal text, wrapped at 80 columns.

use crate::printer::{Printer, Style, plain};

/// Line width, in columns.
const WIDTH: usize = 80;

/// An unbreakable unit: a word, or one character of a script without spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) text: String,
    /// Whether there is no space before it.
    pub(super) glued: bool,
}

/// Units in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) units: Vec<Unit>,
    pub(super) style: Style,
}

impl Run {
    /// Text without a style.
    pub(super) fn plain(text: &str) -> Self {
        Self {
            units: units(text),
            style: Style::Plain,
        }
    }
}

/// Splits a text into units that are safe for a terminal.
pub(super) fn units(text: &str) -> Vec<Unit> {
    let mut found: Vec<Unit> = Vec::new();
    let mut glued = false;
    let mut open = false;
    for character in plain(text).chars() {
        if character.is_whitespace() {
            (glued, open) = (false, false);
            continue;
        }
        let alone = is_unspaced(character);
        match found.last_mut().filter(|_| open && !alone) {
            Some(unit) => unit.text.push(character),
            None => found.push(Unit {
                text: character.to_string(),
                glued: glued && !found.is_empty(),
            }),
        }
        (glued, open) = (true, !alone);
    }
    found
}

/// Whether a character belongs to a script without spaces between words.
fn is_unspaced(character: char) -> bool {
    matches!(character as u32, 0x2e80..=0x2fff | 0x3005..=0x30ff | 0x3400..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x3_fffd)
}

/// Wraps `runs` at 80 columns, with `head` before the first line and the same indentation for the others.
pub(super) fn wrapped(head: &str, runs: &[Run], printer: Printer) -> String {
    let indent = columns(head);
    let room = WIDTH.saturating_sub(indent).max(20);
    let mut lines: Vec<Vec<(String, Style)>> = vec![Vec::new()];
    let mut used = 0;
    for run in runs {
        let (open, close) = brackets(run.style);
        let last = run.units.len().saturating_sub(1);
        for (number, unit) in run.units.iter().enumerate() {
            let start = if number == 0 { open } else { "" };
            let end = if number == last { close } else { "" };
            let blank = usize::from(!unit.glued && used > 0);
            for (piece_number, piece) in pieces(&format!("{start}{}{end}", unit.text), room)
                .into_iter()
                .enumerate()
            {
                let blank = if piece_number == 0 { blank } else { 0 };
                if used > 0 && used + blank + columns(&piece) > room {
                    lines.push(Vec::new());
                    used = 0;
                }
                let blank = if used > 0 { blank } else { 0 };
                used += blank + columns(&piece);
                if let Some(line) = lines.last_mut() {
                    put(line, &piece, run.style, blank > 0);
                }
            }
        }
    }
    let mut text = String::new();
    for (number, line) in lines.iter().enumerate() {
        if number == 0 {
            text.push_str(head);
        } else {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
        }
        for (part, style) in line {
            text.push_str(&printer.paint(part, *style));
        }
    }
    text.trim_end().to_owned()
}

fn put(line: &mut Vec<(String, Style)>, piece: &str, style: Style, blank: bool) {
    let space = if blank { " " } else { "" };
    match line.last_mut() {
        Some((text, last)) if *last == style => {
            text.push_str(space);
            text.push_str(piece);
        }
        _ => {
            // The space before a marked run is not marked.
            if blank {
                line.push((space.to_owned(), Style::Plain));
            }
            line.push((piece.to_owned(), style));
        }
    }
}

fn brackets(style: Style) -> (&'static str, &'static str) {
    match style {
        Style::Removed => ("[-", "-]"),
        Style::Added => ("{+", "+}"),
        _ => ("", ""),
    }
}

/// Splits a unit into pieces that fit on a line.
fn pieces(text: &str, room: usize) -> Vec<String> {
    if columns(text) <= room {
        return vec![text.to_owned()];
    }
    let mut found = vec![String::new()];
    let mut used = 0;
    for character in text.chars() {
        let wide = width(character);
        if used + wide > room {
            found.push(String::new());
            used = 0;
        }
        used += wide;
        if let Some(piece) = found.last_mut() {
            piece.push(character);
        }
    }
    found
}

/// Display width of a text, in columns.
fn columns(text: &str) -> usize {
    text.chars().map(width).sum()
}

fn width(character: char) -> usize {
    match character as u32 {
        0x300..=0x36f | 0x200b..=0x200f | 0x2060 | 0xfe00..=0xfe0f | 0xfeff => 0,
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1_f300..=0x1_faff
        | 0x2_0000..=0x3_fffd => 2,
        _ => 1,
    }
}

/// The first words of a text, with an ellipsis if there are more.
pub(super) fn beginning(text: &str, most: usize) -> String {
    let units = units(text);
    let mut shown = joined(units.get(..most.min(units.len())).unwrap_or_default());
    if units.len() > most {
        shown.push_str(" …");
    }
    shown
}

/// Joins units to one line.
pub(super) fn joined(units: &[Unit]) -> String {
    let mut text = String::new();
    for unit in units {
        if !unit.glued && !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&unit.text);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_wrap_at_80_columns_and_markers_stay_with_their_words() {
        let printer = Printer::new(true);
        let removed = Run {
            units: units("two words"),
            style: Style::Removed,
        };
        let text = wrapped(
            "  a  ",
            &[Run::plain(&"seven ".repeat(30)), removed, Run::plain("end")],
            printer,
        );
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.lines().skip(1).all(|line| line.starts_with("     ")), "{text}");
        assert!(
            text.split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
                .ends_with("seven [-two words-] end"),
            "{text}"
        );
    }

    #[test]
    fn scripts_without_spaces_and_very_long_words_are_wrapped() {
        let printer = Printer::new(true);
        let text = wrapped("", &[Run::plain(&"潮".repeat(100))], printer);
        assert_eq!(
            text.lines().map(|line| line.chars().count()).collect::<Vec<_>>(),
            [40, 40, 20]
        );
        let text = wrapped("  ", &[Run::plain(&"x".repeat(200))], printer);
        assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        assert_eq!(joined(&units("係留索の tension 3 本")), "係留索の tension 3 本");
    }
}

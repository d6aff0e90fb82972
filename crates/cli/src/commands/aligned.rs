//! Two texts set side by side, word by word, with what differs marked.

use precedent_engine::text::terms;

use super::shown::{Run, Unit, units};
use crate::printer::Style;

/// Two texts with the words that the other lacks marked.
#[derive(Debug)]
pub(super) struct Aligned {
    pub(super) a: Vec<Run>,
    pub(super) b: Vec<Run>,
    /// Whether nothing is marked.
    pub(super) alike: bool,
}

/// Of a stretch that is alike and longer than this, only the ends are shown.
const LONGEST_ALIKE: usize = 40;
/// So many words of either end.
const SHOWN_ALIKE: usize = 15;

/// Both texts with the words that the other lacks marked. Case, punctuation, accents and the division into lines are no difference. With
/// `brief`, the middle of long stretches that are alike is left out, and said to be.
pub(super) fn aligned(a: &str, b: &str, brief: bool) -> Aligned {
    let (left, right) = (units(a), units(b));
    let keys = |units: &[Unit]| {
        units
            .iter()
            .map(|unit| format!("{}\n", fold(&unit.text)))
            .collect::<String>()
    };
    // Compared as lines, each line the compared form of one word.
    let (left_lines, right_lines) = (keys(&left), keys(&right));
    let diff = similar::TextDiff::from_lines(&left_lines, &right_lines);
    let slice = |units: &[Unit], range: std::ops::Range<usize>| units.get(range).unwrap_or_default().to_vec();
    let mut found = Aligned {
        a: Vec::new(),
        b: Vec::new(),
        alike: true,
    };
    for step in diff.ops() {
        let (here, there) = (slice(&left, step.old_range()), slice(&right, step.new_range()));
        if step.tag() == similar::DiffTag::Equal {
            found.a.extend(shortened(here, brief));
            found.b.extend(shortened(there, brief));
            continue;
        }
        found.alike = false;
        let marked = |units: Vec<Unit>, style| (!units.is_empty()).then_some(Run { units, style });
        found.a.extend(marked(here, Style::Removed));
        found.b.extend(marked(there, Style::Added));
    }
    if brief {
        (found.a, found.b) = (cut(found.a), cut(found.b));
    }
    found
}

/// Of a side with more words than this, the rest is left out.
const LONGEST_SIDE: usize = 240;

/// The beginning of a side that is too long to be read here.
fn cut(runs: Vec<Run>) -> Vec<Run> {
    let all: usize = runs.iter().map(|run| run.units.len()).sum();
    if all <= LONGEST_SIDE + SHOWN_ALIKE {
        return runs;
    }
    let mut shown = Vec::new();
    let mut left = LONGEST_SIDE;
    for mut run in runs {
        run.units.truncate(left);
        left -= run.units.len();
        if !run.units.is_empty() {
            shown.push(run);
        }
    }
    shown.push(Run {
        units: super::shown::units(&format!("[… {} words more, in --json …]", all - LONGEST_SIDE)),
        style: Style::Faint,
    });
    shown
}

/// A stretch that both have, without its middle where it is long.
fn shortened(units: Vec<Unit>, brief: bool) -> Vec<Run> {
    let whole = |units: &[Unit]| Run {
        units: units.to_vec(),
        style: Style::Plain,
    };
    let ends = (
        units.get(..SHOWN_ALIKE),
        units.len().checked_sub(SHOWN_ALIKE).and_then(|from| units.get(from..)),
    );
    match ends {
        (Some(first), Some(last)) if brief && units.len() > LONGEST_ALIKE => {
            let between = format!("[… {} words alike …]", units.len() - 2 * SHOWN_ALIKE);
            let between = Run {
                units: super::shown::units(&between),
                style: Style::Faint,
            };
            vec![whole(first), between, whole(last)]
        }
        _ => vec![whole(&units)],
    }
}

/// The compared form of a word: its tokens, or itself where it has none or where a sign in it says something.
fn fold(word: &str) -> String {
    let tokens = terms::words(word);
    let signs = word.contains(['%', '<', '>', '=', '+', '±', '≤', '≥', '≠', '−', '°', '×', '^']);
    let dash = |c: char| matches!(c, '-' | '–' | '−');
    let negative = word
        .trim_start_matches(['(', '[', '$'])
        .strip_prefix(dash)
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    if tokens.is_empty() || signs || negative {
        let bare = word.trim_end_matches(['.', ',', ';', ':']).to_lowercase();
        return bare.replace(dash, "-");
    }
    tokens.into_iter().map(|(token, _)| token).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::shown::wrapped;
    use crate::printer::Printer;

    fn said(a: &str, b: &str) -> (String, String) {
        let found = aligned(a, b, true);
        let text = |runs: &[Run]| wrapped("", runs, Printer::new(true));
        (text(&found.a), text(&found.b))
    }

    #[test]
    fn only_words_that_differ_are_marked() {
        let (a, b) = said(
            "The rope (\u{fb01}rst) does not slip,\nby 5%.",
            "the rope first does slip by 6%",
        );
        assert_eq!(a, "The rope (\u{fb01}rst) does [-not-] slip, by [-5%.-]");
        assert_eq!(b, "the rope first does slip by {+6%+}");
        assert_eq!(said("at -20 degrees", "at 20 degrees").0, "at [--20-] degrees");
        assert_eq!(said("潮の力は強い", "潮の力は弱い").1, "潮の力は{+弱+}い");
    }

    #[test]
    fn the_middle_of_what_is_alike_is_left_out() {
        let long: Vec<String> = (0..90).map(|n| format!("w{n}")).collect();
        let text = long.join(" ");
        let found = aligned(&text, &text, true);
        assert!(found.alike);
        assert!(
            wrapped("", &found.a, Printer::new(true))
                .replace('\n', " ")
                .contains("w14 [… 60 words alike …] w75")
        );
        assert_eq!(aligned(&text, &text, false).a.len(), 1);
        // A long side that differs all along is cut.
        let every_other: Vec<String> = (0..600)
            .map(|n| if n % 2 == 0 { "x".to_owned() } else { format!("y{n}") })
            .collect();
        let found = aligned(&every_other.join(" "), &"x ".repeat(600), true);
        let shown = wrapped("", &found.a, Printer::new(true)).replace('\n', " ");
        assert!(
            shown.ends_with("words more, in --json …]") && shown.len() < 3000,
            "{shown}"
        );
    }
}

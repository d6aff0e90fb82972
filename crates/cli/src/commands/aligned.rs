//! Word-by-word alignment of two texts with marked differences.

use precedent_engine::text::terms;

use super::shown::{Run, Unit, units};
use crate::printer::Style;

/// Two texts with marked differences.
#[derive(Debug)]
pub(super) struct Aligned {
    pub(super) a: Vec<Run>,
    pub(super) b: Vec<Run>,
    /// Whether there are no differences.
    pub(super) alike: bool,
}

/// Equal runs longer than this number of words are shortened.
const LONGEST_ALIKE: usize = 40;
/// Number of words shown at each end of a shortened run.
const SHOWN_ALIKE: usize = 15;

/// Marks the words that are missing in the other text. Case, punctuation, accents and line breaks are ignored. `brief` replaces the middle of long
/// equal runs with a note.
pub(super) fn aligned(a: &str, b: &str, brief: bool) -> Aligned {
    let (left, right) = (units(a), units(b));
    let keys = |units: &[Unit]| {
        units
            .iter()
            .map(|unit| format!("{}\n", fold(&unit.text)))
            .collect::<String>()
    };
    // The texts are compared as lines, with the folded form of one word per line.
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

/// Maximum number of words shown per side.
const LONGEST_SIDE: usize = 240;

/// Shortens a side that is too long.
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
        units: super::shown::units(&format!("[… {} more words, see --json …]", all - LONGEST_SIDE)),
        style: Style::Faint,
    });
    shown
}

/// An equal run, without its middle if it is long.
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
            let between = format!("[… {} equal words …]", units.len() - 2 * SHOWN_ALIKE);
            let between = Run {
                units: super::shown::units(&between),
                style: Style::Faint,
            };
            vec![whole(first), between, whole(last)]
        }
        _ => vec![whole(&units)],
    }
}

/// The folded form of a word: its tokens, or the word itself if it has none or contains a meaningful sign.
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

    fn both(a: &str, b: &str) -> (String, String) {
        let found = aligned(a, b, true);
        let text = |runs: &[Run]| wrapped("", runs, Printer::new(true));
        (text(&found.a), text(&found.b))
    }

    #[test]
    fn only_different_words_are_marked() {
        let (a, b) = both(
            "The rope (\u{fb01}rst) does not slip,\nby 5%.",
            "the rope first does slip by 6%",
        );
        assert_eq!(a, "The rope (\u{fb01}rst) does [-not-] slip, by [-5%.-]");
        assert_eq!(b, "the rope first does slip by {+6%+}");
        assert_eq!(both("at -20 degrees", "at 20 degrees").0, "at [--20-] degrees");
        assert_eq!(both("潮の力は強い", "潮の力は弱い").1, "潮の力は{+弱+}い");
    }

    #[test]
    fn the_middle_of_long_equal_runs_is_omitted() {
        let long: Vec<String> = (0..90).map(|n| format!("w{n}")).collect();
        let text = long.join(" ");
        let found = aligned(&text, &text, true);
        assert!(found.alike);
        assert!(
            wrapped("", &found.a, Printer::new(true))
                .replace('\n', " ")
                .contains("w14 [… 60 equal words …] w75")
        );
        assert_eq!(aligned(&text, &text, false).a.len(), 1);
        // A long side without equal runs is also shortened.
        let every_other: Vec<String> = (0..600)
            .map(|n| if n % 2 == 0 { "x".to_owned() } else { format!("y{n}") })
            .collect();
        let found = aligned(&every_other.join(" "), &"x ".repeat(600), true);
        let shown = wrapped("", &found.a, Printer::new(true)).replace('\n', " ");
        assert!(
            shown.ends_with("more words, see --json …]") && shown.len() < 3000,
            "{shown}"
        );
    }
}

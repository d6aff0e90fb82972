//! Decides which punctuation carries meaning in its context: signs and operators at digits, at the single letters of formulas and at brackets.
//!
//! A dash between two words is meaningless, while a minus before a number changes it. So a mark is weighed only by its neighbours, never by a list
//! of formulas. Long because each mark is weighed together with the others.

use crate::neighbours::{Atom, PAIR_REACH, Place, is_apostrophe, is_dash, is_lowered, is_raised};

/// Role of a mark in a formula or in prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum SignRole {
    /// `-`, `−`, `–`, and the superscript and subscript minus.
    Minus,
    /// `*`, `·` between two factors.
    Times,
    /// A star at a letter: `x*`.
    Star,
    Slash,
    Bar,
    /// `~` for "about" or "distributed as".
    About,
    Prime,
    /// `!` at a letter, or before `=`.
    Bang,
    Colon,
    Question,
    At,
    Hash,
    Round,
    Square,
    /// Superscript: `^`, superscript characters.
    Up,
    /// Subscript: `_`, subscript characters.
    Down,
}

/// How certain it is that a mark carries meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    /// No meaning, like the hyphen of a word.
    Nothing,
    /// It may be only typography.
    Doubtful,
    /// It carries meaning.
    Sure,
}

/// The marks of a range of text, in order, with their weights.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Marks(Vec<(SignRole, Weight)>);

/// Result of comparing the marks of two ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// They are equivalent.
    Same,
    /// Something is a superscript or subscript on one side only.
    Layout,
    /// A mark that may be only typography was added or removed.
    Doubtful,
    /// A mark that carries meaning was added or removed.
    Changed,
}

/// The marks between byte `from` and byte `to` of `text`. Letters and digits in between are skipped.
pub(crate) fn marks(text: &str, from: usize, to: usize) -> Marks {
    let mut found = Marks::default();
    let Some(stretch) = text.get(from..to) else {
        return found;
    };
    let mut characters = stretch.char_indices().peekable();
    while let Some((offset, character)) = characters.next() {
        if character.is_ascii_alphanumeric() || character.is_ascii_whitespace() || matches!(character, ',' | '"' | ';')
        {
            continue;
        }
        let start = from + offset;
        let mut end = start + character.len_utf8();
        if is_dash(character) {
            while let Some((_, next)) = characters.next_if(|(_, next)| is_dash(*next)) {
                end += next.len_utf8();
            }
        }
        if let Some((mark, weight)) = weigh(text, start, end, character) {
            if matches!(mark, SignRole::Up | SignRole::Down) {
                if character == '\u{207b}' || character == '\u{208b}' {
                    found.push(mark, weight);
                    found.0.push((SignRole::Minus, Weight::Sure));
                    continue;
                }
                found.push(mark, weight);
            } else {
                found.0.push((mark, weight));
            }
        }
    }
    found
}

impl Marks {
    /// Adds a mark that is counted only once.
    fn push(&mut self, mark: SignRole, weight: Weight) {
        match self.0.iter_mut().find(|(held, _)| *held == mark) {
            Some((_, held)) => *held = weight.max(*held),
            None => self.0.push((mark, weight)),
        }
    }

    /// Whether these marks include a sign that changes what follows, a minus or `about`, that `others` do not have at any weight.
    pub(crate) fn turns_beyond(&self, others: &Self) -> bool {
        let held = self.lacking_in(others);
        held.iter()
            .any(|(mark, weight)| *weight == Weight::Sure && matches!(mark, SignRole::Minus | SignRole::About))
    }

    /// Compares these marks with those of another range.
    pub(crate) fn compare(&self, other: &Self) -> Verdict {
        if self == other {
            return Verdict::Same;
        }
        let (here, there) = (self.lacking_in(other), other.lacking_in(self));
        let lost = here.iter().chain(&there);
        let turned = |one: &[(SignRole, Weight)], two: &[(SignRole, Weight)]| {
            let has = |list: &[(SignRole, Weight)], wanted: SignRole| list.contains(&(wanted, Weight::Doubtful));
            has(one, SignRole::Up) && has(two, SignRole::Down)
        };
        if turned(&here, &there) || turned(&there, &here) || lost.clone().any(|(_, weight)| *weight == Weight::Sure) {
            return Verdict::Changed;
        }
        let mut verdict = Verdict::Same;
        for (mark, weight) in lost {
            if matches!(mark, SignRole::Up | SignRole::Down) && *weight == Weight::Doubtful {
                if verdict == Verdict::Same {
                    verdict = Verdict::Layout;
                }
            } else if *weight == Weight::Doubtful {
                verdict = Verdict::Doubtful;
            }
        }
        verdict
    }

    /// Like [`Self::compare`], for words divided differently, where a mark may have moved. A mark that surely carries meaning must not be matched
    /// by one that carries none.
    pub(crate) fn compare_moved(&self, other: &Self) -> Verdict {
        let sure = |marks: &Self| {
            let mut sure: Vec<SignRole> = marks
                .0
                .iter()
                .filter(|(_, weight)| *weight == Weight::Sure)
                .map(|(mark, _)| *mark)
                .collect();
            sure.sort_unstable();
            sure
        };
        match self.compare(other) {
            Verdict::Same if sure(self) != sure(other) => Verdict::Doubtful,
            verdict => verdict,
        }
    }

    /// The marks that `other` does not have at any weight.
    fn lacking_in(&self, other: &Self) -> Vec<(SignRole, Weight)> {
        let mut left = other.0.clone();
        let mut lacking = Vec::new();
        for (mark, weight) in &self.0 {
            match left.iter().position(|(held, _)| held == mark) {
                Some(at) => {
                    left.swap_remove(at);
                }
                None => lacking.push((*mark, *weight)),
            }
        }
        lacking
    }
}

/// Classifies one character, or a run of dashes, at `start..end`.
fn weigh(text: &str, start: usize, end: usize, character: char) -> Option<(SignRole, Weight)> {
    let place = || Place::new(text, start, end);
    let weighed = match character {
        _ if is_dash(character) => (SignRole::Minus, minus(&place(), character)),
        '\u{207b}' => (SignRole::Up, Weight::Doubtful),
        '\u{208b}' => (SignRole::Down, Weight::Doubtful),
        '^' => (SignRole::Up, Weight::Doubtful),
        '_' => (SignRole::Down, lowered(&place())),
        _ if is_raised(character) => (SignRole::Up, raised(&place())),
        _ if is_lowered(character) => (SignRole::Down, Weight::Doubtful),
        '*' | '\u{2217}' | '·' | '\u{22c5}' | '\u{2219}' => times(&place(), character),
        '/' | '\u{2215}' => (SignRole::Slash, slash(&place())),
        '|' | '\u{2223}' | '\u{2016}' | '\u{2225}' => (SignRole::Bar, bar(&place())),
        '~' | '\u{223c}' => (SignRole::About, about(&place(), character)),
        _ if is_apostrophe(character) => (SignRole::Prime, prime(&place(), character)),
        ':' | '\u{2236}' => (SignRole::Colon, colon(&place())),
        '!' => (SignRole::Bang, bang(&place())),
        '?' => (SignRole::Question, question(&place())),
        '@' => (SignRole::At, Weight::Doubtful),
        '#' => (SignRole::Hash, Weight::Doubtful),
        '(' => (SignRole::Round, bracket(&place(), false)),
        '[' => (SignRole::Square, bracket(&place(), true)),
        _ => return None,
    };
    Some(weighed)
}

fn minus(place: &Place<'_>, character: char) -> Weight {
    use Atom::{Close, Letter, Name, Number, Open, Operator, Word};
    let true_minus = character == '\u{2212}';
    let could_be = if true_minus { Weight::Doubtful } else { Weight::Nothing };
    let short = matches!(
        character,
        '-' | '\u{2010}' | '\u{2011}' | '\u{fe63}' | '\u{ff0d}' | '\u{2013}' | '\u{2212}'
    );
    if !short || !matches!(place.right, Number | Letter | Open | Operator) {
        // `−log p`, or a dash.
        let leads = place.left_gap && !place.right_gap && place.right == Word && matches!(place.left, Operator | Open);
        return if leads { Weight::Sure } else { could_be };
    }
    match place.left {
        Number | Close | Operator if place.right != Operator => Weight::Sure,
        // `B-12` is a name, `n-1` is arithmetic.
        Letter if place.right == Number && !place.left_gap && !place.right_gap => {
            let capital = place.before().is_some_and(char::is_uppercase);
            if capital && !true_minus {
                Weight::Doubtful
            } else {
                Weight::Sure
            }
        }
        Letter if place.right != Operator => Weight::Sure,
        Open if place.right != Operator => Weight::Sure,
        Name => Weight::Doubtful,
        _ if place.left_gap && !place.right_gap && character != '\u{2013}' => Weight::Sure,
        _ if place.left == Atom::Nothing && !place.right_gap => Weight::Sure,
        _ if place.left_gap && place.right_gap && place.right == Number => {
            if true_minus {
                Weight::Sure
            } else {
                Weight::Doubtful
            }
        }
        _ if place.left_gap => Weight::Doubtful,
        _ => could_be,
    }
}

/// A subscript as in `x_1`, but not the underscore in `snake_case` or the emphasis in `_so_`.
fn lowered(place: &Place<'_>) -> Weight {
    let touches = |atom: Atom, gap: bool| atom.of_formula() && !gap;
    let both = place.left.of_formula() && place.right.of_formula();
    let lowers = both
        || touches(place.left, place.left_gap) && place.right != Atom::Nothing && !place.right_gap
        || place.left == Atom::Word && !place.left_gap && touches(place.right, place.right_gap);
    if lowers { Weight::Doubtful } else { Weight::Nothing }
}

/// A superscript digit after a letter, a digit or a unit. After a word it is a footnote.
fn raised(place: &Place<'_>) -> Weight {
    if !place.left_gap && place.left != Atom::Nothing {
        Weight::Doubtful
    } else {
        Weight::Nothing
    }
}

fn times(place: &Place<'_>, character: char) -> (SignRole, Weight) {
    if place.between() {
        return (SignRole::Times, Weight::Sure);
    }
    if !matches!(character, '*' | '\u{2217}') {
        return (SignRole::Times, Weight::Nothing);
    }
    let beside = |c: Option<char>| c == Some('*');
    if beside(place.before()) || beside(place.after()) || place.closes(|c| c == '*') {
        return (SignRole::Star, Weight::Nothing);
    }
    let inside = place.before().is_some_and(char::is_alphanumeric) && place.after().is_some_and(char::is_alphanumeric);
    let weight = match place.left {
        Atom::Letter if !place.left_gap => Weight::Sure,
        Atom::Number if !place.left_gap => Weight::Doubtful,
        _ if inside || place.left == Atom::Operator && place.right.of_formula() => Weight::Doubtful,
        Atom::Close | Atom::Number if place.right == Atom::Operator => Weight::Doubtful,
        _ => Weight::Nothing,
    };
    (SignRole::Star, weight)
}

fn slash(place: &Place<'_>) -> Weight {
    if place.between() {
        Weight::Sure
    } else if (place.left_gap || place.right_gap) && !place.among_members() {
        Weight::Nothing
    } else {
        Weight::Doubtful
    }
}

fn bar(place: &Place<'_>) -> Weight {
    let floor = place
        .text
        .floor_char_boundary(place.start.saturating_sub(PAIR_REACH * 4));
    let line = place.text.get(floor..place.start).unwrap_or_default();
    let whole = floor == 0 || line.contains('\n');
    let line = line.rsplit('\n').next().unwrap_or_default();
    if whole && line.trim_start().starts_with('|') || place.left == Atom::Nothing {
        // A table.
        return if place.right.of_formula() && !place.right_gap {
            Weight::Doubtful
        } else {
            Weight::Nothing
        };
    }
    let touches = place.right.of_formula() && !place.right_gap || place.left.of_formula() && !place.left_gap;
    let between = place.left.of_formula() && place.right.of_formula();
    if touches || between {
        Weight::Sure
    } else {
        Weight::Nothing
    }
}

fn about(place: &Place<'_>, character: char) -> Weight {
    let member = place.right.of_formula();
    match (member, place.left_gap, place.right_gap) {
        // A non-breaking space in LaTeX: `Table~1`.
        _ if !member => Weight::Nothing,
        (_, false, _) if character == '~' && !matches!(place.left, Atom::Open | Atom::Nothing | Atom::Operator) => {
            Weight::Nothing
        }
        _ => Weight::Sure,
    }
}

fn prime(place: &Place<'_>, character: char) -> Weight {
    if place.left_gap || !place.left.of_formula() || place.after().is_some_and(char::is_alphanumeric) {
        Weight::Nothing
    } else if matches!(character, '\u{2032}'..='\u{2034}' | '\u{2b9}') {
        Weight::Sure
    } else if place.closes(|c| matches!(c, '\'' | '‘' | '`')) {
        Weight::Nothing
    } else if place.left == Atom::Letter {
        Weight::Sure
    } else {
        Weight::Doubtful
    }
}

fn colon(place: &Place<'_>) -> Weight {
    if place.left_gap || place.right_gap {
        return Weight::Nothing;
    }
    match (place.left, place.right) {
        (Atom::Number, Atom::Number) => Weight::Sure,
        (Atom::Number | Atom::Letter, Atom::Number | Atom::Letter) => Weight::Doubtful,
        _ => Weight::Nothing,
    }
}

fn bang(place: &Place<'_>) -> Weight {
    if place.after() == Some('=') || place.left == Atom::Letter && !place.left_gap {
        Weight::Sure
    } else {
        Weight::Doubtful
    }
}

/// A question mark, unless it replaces a letter lost in extraction.
fn question(place: &Place<'_>) -> Weight {
    let ends = place.after().is_none_or(|c| c.is_whitespace() || !c.is_alphanumeric());
    if ends && !place.left_gap {
        Weight::Sure
    } else {
        Weight::Doubtful
    }
}

fn bracket(place: &Place<'_>, square: bool) -> Weight {
    let right = place.right.of_formula();
    let left = place.left.of_formula();
    if left && !place.left_gap && right && !square {
        Weight::Sure
    } else if right && (left || square || matches!(place.left, Atom::Operator)) {
        Weight::Doubtful
    } else {
        Weight::Nothing
    }
}

#[cfg(test)]
#[path = "signs_tests.rs"]
mod tests;

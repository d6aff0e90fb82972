//! Which punctuation carries meaning where it stands: signs and operators at figures, at the single letters of formulas and at brackets.
//!
//! A dash between two words says nothing and a minus before a figure turns it; so a mark is weighed by its neighbours alone, never by a list of
//! formulas. Long because each mark is weighed beside the others.

/// What a mark does in a formula, or in prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// `-`, `−`, `–`, and the raised and lowered minus.
    Minus,
    /// `*`, `·` between two factors.
    Times,
    /// A star at a letter: `x*`.
    Star,
    Slash,
    Bar,
    /// `~` for about, or for distributed as.
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
    /// Raised: `^`, superscripts.
    Up,
    /// Lowered: `_`, subscripts.
    Down,
}

/// How surely a mark carries meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    /// It carries none: a hyphen of a word.
    Nothing,
    /// It could be print.
    Doubtful,
    /// It does.
    Sure,
}

/// The marks of a stretch of text, in order, with their weights.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Marks(Vec<(Mark, Weight)>);

/// What the marks of two stretches have to do with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// They say the same.
    Same,
    /// Something is raised or lowered on one side only.
    Layout,
    /// A mark that could be print came or went.
    Doubtful,
    /// A mark that carries meaning came or went.
    Changed,
}

/// What stands beside a mark, white space apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Atom {
    /// Starts (or ends) with a figure that no name owns.
    Number,
    /// A single letter, or one with figures: a symbol of a formula.
    Letter,
    /// Letters and figures: `GPT2`.
    Name,
    Word,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
    /// `=`, `<`, `×`, another mark.
    Operator,
    /// The border of the text, or of a line, or other punctuation.
    Nothing,
}

impl Atom {
    fn of_formula(self) -> bool {
        matches!(self, Self::Number | Self::Letter)
    }
}

/// Where a mark stands: its neighbours, and whether white space parts it from them.
struct Place<'a> {
    text: &'a str,
    start: usize,
    end: usize,
    left: Atom,
    right: Atom,
    left_gap: bool,
    right_gap: bool,
}

const fn is_layout(character: char) -> bool {
    matches!(character, '{' | '}' | '^' | '_' | '\\' | '$')
}

pub(crate) const fn is_dash(character: char) -> bool {
    matches!(
        character,
        '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}' | '\u{ad}' | '\u{2}'
    )
}

const fn is_raised(character: char) -> bool {
    matches!(character, '²' | '³' | '¹' | '\u{2070}'..='\u{207f}')
}

const fn is_lowered(character: char) -> bool {
    matches!(character, '\u{2080}'..='\u{209c}')
}

const fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '’' | '‘' | '\u{2b9}' | '\u{2032}'..='\u{2034}')
}

/// Signs that are compared as tokens of their own.
fn is_operator(character: char) -> bool {
    matches!(character, '=' | '<' | '>' | '+' | '±' | '×' | '÷' | '¬' | '\u{2190}'..='\u{22ff}' | '\u{2a00}'..='\u{2aff}')
}

impl<'a> Place<'a> {
    fn new(text: &'a str, start: usize, end: usize) -> Self {
        let (left, left_gap) = left_of(text, start);
        let (right, right_gap) = right_of(text, end);
        Self {
            text,
            start,
            end,
            left,
            right,
            left_gap,
            right_gap,
        }
    }

    fn before(&self) -> Option<char> {
        self.text.get(..self.start)?.chars().next_back()
    }

    fn after(&self) -> Option<char> {
        self.text.get(self.end..)?.chars().next()
    }

    /// Between two members of a formula, with as much space on the one side as on the other.
    fn between(&self) -> bool {
        let left = self.left.of_formula() || self.left == Atom::Close;
        let right = self.right.of_formula() || self.right == Atom::Open;
        left && right && (self.left.of_formula() || self.right.of_formula()) && self.left_gap == self.right_gap
    }

    /// Whether a pair of `mark`s is open here: one stands before, at the head of a word. Then this one closes it, and is no sign.
    fn closes(&self, mark: impl Fn(char) -> bool) -> bool {
        let floor = self.text.floor_char_boundary(self.start.saturating_sub(PAIR_REACH));
        let before = self.text.get(floor..self.start).unwrap_or_default();
        let mut previous: Option<char> = None;
        let mut open = false;
        let mut characters = before.chars().peekable();
        while let Some(character) = characters.next() {
            if mark(character) {
                let heads = previous.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, ')' | ']' | '}'));
                let follows = characters
                    .peek()
                    .copied()
                    .or(self.text.get(self.start..).and_then(|rest| rest.chars().next()));
                let leads = follows.is_some_and(|c| !c.is_whitespace());
                open = heads && leads;
            }
            previous = Some(character);
        }
        open
    }
}

/// How far the other of a pair of quotation or emphasis marks is looked for, in bytes.
const PAIR_REACH: usize = 160;

fn left_of(text: &str, at: usize) -> (Atom, bool) {
    let before = text.get(..at).unwrap_or_default();
    let mut gap = false;
    let mut characters = before.char_indices().rev();
    for (offset, character) in characters.by_ref() {
        if character.is_whitespace() {
            gap = true;
            continue;
        }
        if character == '{' {
            return (Atom::Open, gap);
        }
        if is_layout(character) || is_dash(character) && !gap {
            continue;
        }
        return (left_atom(before, offset, character), gap);
    }
    (Atom::Nothing, gap)
}

fn left_atom(before: &str, offset: usize, character: char) -> Atom {
    match character {
        '(' | '[' => return Atom::Open,
        ')' | ']' => return Atom::Close,
        _ if is_apostrophe(character) || character == '*' => {
            // A primed or starred letter is still a letter.
            let (atom, gap) = left_of(before, offset);
            return if gap || !atom.of_formula() { Atom::Nothing } else { atom };
        }
        _ if is_operator(character) || matches!(character, '|' | '/' | ',' | '~' | '∼') => return Atom::Operator,
        _ if !character.is_alphanumeric() => return Atom::Nothing,
        _ => {}
    }
    let word = before.get(..offset + character.len_utf8()).unwrap_or_default();
    let run: Vec<char> = word
        .chars()
        .rev()
        .take(MOST_OF_A_WORD)
        .take_while(|c| c.is_alphanumeric())
        .collect();
    atom_of(run.iter().rev().copied())
}

fn right_of(text: &str, at: usize) -> (Atom, bool) {
    let after = text.get(at..).unwrap_or_default();
    let mut gap = false;
    for (offset, character) in after.char_indices() {
        if character.is_whitespace() {
            gap = true;
            continue;
        }
        if character == '{' {
            return (Atom::Open, gap);
        }
        if is_layout(character) {
            continue;
        }
        let atom = match character {
            '(' | '[' => Atom::Open,
            ')' | ']' => Atom::Close,
            _ if is_operator(character) || matches!(character, '|' | '/' | '~' | '∼') || is_dash(character) => {
                Atom::Operator
            }
            '.' if after
                .get(offset + 1..)
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) =>
            {
                Atom::Number
            }
            _ if !character.is_alphanumeric() => Atom::Nothing,
            _ => atom_of(
                after
                    .get(offset..)
                    .unwrap_or_default()
                    .chars()
                    .take(MOST_OF_A_WORD)
                    .take_while(|c| c.is_alphanumeric()),
            ),
        };
        return (atom, gap);
    }
    (Atom::Nothing, gap)
}

/// So much of a word tells what it is.
const MOST_OF_A_WORD: usize = 12;

fn atom_of(mut run: impl Iterator<Item = char>) -> Atom {
    let Some(first) = run.next() else { return Atom::Nothing };
    if first.is_numeric() {
        // `3-fold` has a figure there too, and it ends in none.
        return Atom::Number;
    }
    let (mut letters, mut figures) = (1, 0);
    for character in run {
        if character.is_numeric() {
            figures += 1;
        } else {
            letters += 1;
        }
    }
    match (letters, figures) {
        (1, _) => Atom::Letter,
        (_, 0) => Atom::Word,
        _ => Atom::Name,
    }
}

/// The marks between byte `from` and byte `to` of `text`; letters and figures in between are passed over.
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
            if matches!(mark, Mark::Up | Mark::Down) {
                if character == '\u{207b}' || character == '\u{208b}' {
                    found.push(mark, weight);
                    found.0.push((Mark::Minus, Weight::Sure));
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
    /// Adds a mark that counts once.
    fn push(&mut self, mark: Mark, weight: Weight) {
        match self.0.iter_mut().find(|(held, _)| *held == mark) {
            Some((_, held)) => *held = weight.max(*held),
            None => self.0.push((mark, weight)),
        }
    }

    /// Whether a sign that turns what follows it, a minus or `about`, stands here and in no way among `others`.
    pub(crate) fn turns_beyond(&self, others: &Self) -> bool {
        let held = self.lacking_in(others);
        held.iter()
            .any(|(mark, weight)| *weight == Weight::Sure && matches!(mark, Mark::Minus | Mark::About))
    }

    /// What differs between these marks and those of another stretch.
    pub(crate) fn compare(&self, other: &Self) -> Verdict {
        if self == other {
            return Verdict::Same;
        }
        let (here, there) = (self.lacking_in(other), other.lacking_in(self));
        let lost = here.iter().chain(&there);
        let turned = |one: &[(Mark, Weight)], two: &[(Mark, Weight)]| {
            let has = |list: &[(Mark, Weight)], wanted: Mark| list.contains(&(wanted, Weight::Doubtful));
            has(one, Mark::Up) && has(two, Mark::Down)
        };
        if turned(&here, &there) || turned(&there, &here) || lost.clone().any(|(_, weight)| *weight == Weight::Sure) {
            return Verdict::Changed;
        }
        let mut verdict = Verdict::Same;
        for (mark, weight) in lost {
            if matches!(mark, Mark::Up | Mark::Down) && *weight == Weight::Doubtful {
                if verdict == Verdict::Same {
                    verdict = Verdict::Layout;
                }
            } else if *weight == Weight::Doubtful {
                verdict = Verdict::Doubtful;
            }
        }
        verdict
    }

    /// The marks that `other` does not have, at any weight.
    fn lacking_in(&self, other: &Self) -> Vec<(Mark, Weight)> {
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

/// What one character, or a run of dashes, at `start..end` is.
fn weigh(text: &str, start: usize, end: usize, character: char) -> Option<(Mark, Weight)> {
    let place = || Place::new(text, start, end);
    let weighed = match character {
        _ if is_dash(character) => (Mark::Minus, minus(&place(), character)),
        '\u{207b}' => (Mark::Up, Weight::Doubtful),
        '\u{208b}' => (Mark::Down, Weight::Doubtful),
        '^' => (Mark::Up, Weight::Doubtful),
        '_' => (Mark::Down, lowered(&place())),
        _ if is_raised(character) => (Mark::Up, raised(&place())),
        _ if is_lowered(character) => (Mark::Down, Weight::Doubtful),
        '*' | '\u{2217}' | '·' | '\u{22c5}' | '\u{2219}' => times(&place(), character),
        '/' | '\u{2215}' => (Mark::Slash, slash(&place())),
        '|' | '\u{2223}' | '\u{2016}' | '\u{2225}' => (Mark::Bar, bar(&place())),
        '~' | '\u{223c}' => (Mark::About, about(&place(), character)),
        _ if is_apostrophe(character) => (Mark::Prime, prime(&place(), character)),
        ':' | '\u{2236}' => (Mark::Colon, colon(&place())),
        '!' => (Mark::Bang, bang(&place())),
        '?' => (Mark::Question, question(&place())),
        '@' => (Mark::At, Weight::Doubtful),
        '#' => (Mark::Hash, Weight::Doubtful),
        '(' => (Mark::Round, bracket(&place(), false)),
        '[' => (Mark::Square, bracket(&place(), true)),
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
        // `B-12` is a name, `n-1` a number.
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

/// `x_1` lowers, `snake_case` does not, `_so_` says it louder.
fn lowered(place: &Place<'_>) -> Weight {
    let touches = |atom: Atom, gap: bool| atom.of_formula() && !gap;
    let both = place.left.of_formula() && place.right.of_formula();
    let lowers = both
        || touches(place.left, place.left_gap) && place.right != Atom::Nothing && !place.right_gap
        || place.left == Atom::Word && !place.left_gap && touches(place.right, place.right_gap);
    if lowers { Weight::Doubtful } else { Weight::Nothing }
}

/// A raised figure after a letter, a figure, a unit; after a word it is a footnote.
fn raised(place: &Place<'_>) -> Weight {
    if !place.left_gap && place.left != Atom::Nothing {
        Weight::Doubtful
    } else {
        Weight::Nothing
    }
}

fn times(place: &Place<'_>, character: char) -> (Mark, Weight) {
    if place.between() {
        return (Mark::Times, Weight::Sure);
    }
    if !matches!(character, '*' | '\u{2217}') {
        return (Mark::Times, Weight::Nothing);
    }
    let beside = |c: Option<char>| c == Some('*');
    if beside(place.before()) || beside(place.after()) || place.closes(|c| c == '*') {
        return (Mark::Star, Weight::Nothing);
    }
    let inside = place.before().is_some_and(char::is_alphanumeric) && place.after().is_some_and(char::is_alphanumeric);
    let weight = match place.left {
        Atom::Letter if !place.left_gap => Weight::Sure,
        Atom::Number if !place.left_gap => Weight::Doubtful,
        _ if inside => Weight::Doubtful,
        _ => Weight::Nothing,
    };
    (Mark::Star, weight)
}

fn slash(place: &Place<'_>) -> Weight {
    if place.between() {
        Weight::Sure
    } else if place.left_gap || place.right_gap {
        Weight::Nothing
    } else {
        Weight::Doubtful
    }
}

fn bar(place: &Place<'_>) -> Weight {
    let line = place.text.get(..place.start).unwrap_or_default();
    let line = line.rsplit('\n').next().unwrap_or_default();
    if line.len() < PAIR_REACH * 4 && line.trim_start().starts_with('|') || place.left == Atom::Nothing {
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
        // LaTeX binds words with it: `Table~1`.
        _ if !member => Weight::Nothing,
        (_, false, _) if character == '~' && !matches!(place.left, Atom::Open | Atom::Nothing | Atom::Operator) => {
            Weight::Nothing
        }
        (_, _, false) => Weight::Sure,
        _ if place.left.of_formula() => Weight::Sure,
        _ => Weight::Doubtful,
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

/// A question, where it is no letter that extraction lost.
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

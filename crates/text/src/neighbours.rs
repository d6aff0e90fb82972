//! Classifies what is next to a mark: a number, the letter of a formula, a word, a bracket.

/// What is next to a mark, ignoring white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Atom {
    /// Starts (or ends) with digits that are not part of a name.
    Number,
    /// A single letter, or one with digits: a symbol of a formula.
    Letter,
    /// Letters and digits: `GPT2`.
    Name,
    Word,
    /// An opening bracket.
    Open,
    /// A closing bracket.
    Close,
    /// `=`, `<`, `×`, or another mark.
    Operator,
    /// The border of the text, or of a line, or other punctuation.
    Nothing,
}

impl Atom {
    pub(crate) fn of_formula(self) -> bool {
        matches!(self, Self::Number | Self::Letter)
    }
}

/// The context of a mark: its neighbours, and whether white space separates it from them.
pub(crate) struct Place<'a> {
    pub(crate) text: &'a str,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) left: Atom,
    pub(crate) right: Atom,
    pub(crate) left_gap: bool,
    pub(crate) right_gap: bool,
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

pub(crate) const fn is_raised(character: char) -> bool {
    matches!(character, '²' | '³' | '¹' | '\u{2070}'..='\u{207f}')
}

pub(crate) const fn is_lowered(character: char) -> bool {
    matches!(character, '\u{2080}'..='\u{209c}')
}

pub(crate) const fn is_apostrophe(character: char) -> bool {
    matches!(character, '\'' | '’' | '‘' | '\u{2b9}' | '\u{2032}'..='\u{2034}')
}

/// Signs that are compared as tokens of their own.
fn is_operator(character: char) -> bool {
    matches!(character, '=' | '<' | '>' | '+' | '±' | '×' | '÷' | '¬' | '\u{2190}'..='\u{22ff}' | '\u{2a00}'..='\u{2aff}')
}

impl<'a> Place<'a> {
    pub(crate) fn new(text: &'a str, start: usize, end: usize) -> Self {
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

    pub(crate) fn before(&self) -> Option<char> {
        self.text.get(..self.start)?.chars().next_back()
    }

    pub(crate) fn after(&self) -> Option<char> {
        self.text.get(self.end..)?.chars().next()
    }

    /// Between two operands of a formula, one of which may be in brackets.
    pub(crate) fn among_members(&self) -> bool {
        let (left, right) = (self.left.of_formula(), self.right.of_formula());
        left && (right || self.right == Atom::Open) || right && self.left == Atom::Close
    }

    /// Between two operands of a formula, with the same spacing on both sides.
    pub(crate) fn between(&self) -> bool {
        let left = self.left.of_formula() || self.left == Atom::Close;
        let right = self.right.of_formula() || self.right == Atom::Open;
        left && right && (self.left.of_formula() || self.right.of_formula()) && self.left_gap == self.right_gap
    }

    /// Whether a pair of `mark`s is open here, with the first at the start of a word. Then this mark closes the pair and is not a sign.
    pub(crate) fn closes(&self, mark: impl Fn(char) -> bool) -> bool {
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

/// Maximum distance to the other mark of a pair of quotation or emphasis marks, in bytes.
pub(crate) const PAIR_REACH: usize = 160;

/// Maximum distance to a neighbour, in characters: formulas have no wider gaps.
const NEIGHBOUR_REACH: usize = 40;

fn left_of(text: &str, at: usize) -> (Atom, bool) {
    let before = text.get(..at).unwrap_or_default();
    let (mut gap, mut attached) = (false, false);
    for (offset, character) in before.char_indices().rev().take(NEIGHBOUR_REACH) {
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
        if is_apostrophe(character) || character == '*' {
            // A primed or starred letter is still a letter.
            if gap {
                return (Atom::Nothing, gap);
            }
            attached = true;
            continue;
        }
        let word = before.get(..offset + character.len_utf8()).unwrap_or_default();
        let atom = left_atom(word, character);
        return (
            if attached && (gap || !atom.of_formula()) {
                Atom::Nothing
            } else {
                atom
            },
            gap,
        );
    }
    (Atom::Nothing, gap)
}

/// Classifies text that ends with `character`, the last of `word`.
fn left_atom(word: &str, character: char) -> Atom {
    match character {
        '(' | '[' | '（' | '【' => return Atom::Open,
        ')' | ']' | '）' | '】' => return Atom::Close,
        // These belong to a number.
        '%' | '‰' | '°' => return Atom::Number,
        _ if is_operator(character) || matches!(character, '|' | '/' | ',' | '~' | '∼') => return Atom::Operator,
        _ if !character.is_alphanumeric() => return Atom::Nothing,
        _ => {}
    }
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
    for (offset, character) in after.char_indices().take(NEIGHBOUR_REACH) {
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
        return (right_atom(after.get(offset..).unwrap_or_default(), character), gap);
    }
    (Atom::Nothing, gap)
}

/// Classifies text that starts with `character`, the first of `rest`.
fn right_atom(rest: &str, character: char) -> Atom {
    match character {
        '(' | '[' | '（' | '【' => Atom::Open,
        ')' | ']' | '）' | '】' => Atom::Close,
        _ if is_operator(character) || matches!(character, '|' | '/' | '~' | '∼') || is_dash(character) => {
            Atom::Operator
        }
        '.' if rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit) => Atom::Number,
        _ if !character.is_alphanumeric() => Atom::Nothing,
        _ => atom_of(rest.chars().take(MOST_OF_A_WORD).take_while(|c| c.is_alphanumeric())),
    }
}

/// This many characters of a word are enough to classify it.
const MOST_OF_A_WORD: usize = 12;

fn atom_of(mut run: impl Iterator<Item = char>) -> Atom {
    let Some(first) = run.next() else { return Atom::Nothing };
    if first.is_numeric() {
        // `3-fold` starts with a number but does not end in one.
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

//! Features of a token in its context. Each is a row of the weight table.

use super::tag::Tag;

/// Rows of the table, a power of two. Features are hashed to rows and may share one.
pub(crate) const ROWS: usize = 1 << 15;

/// Number of features per token.
pub(crate) const FEATURES: usize = 18;

/// A token prepared for feature extraction.
#[derive(Debug, Clone)]
pub(crate) struct Form {
    lower: String,
    word: u64,
    endings: [u64; 4],
    shape: u64,
    start: u64,
}

impl Form {
    /// Prepares a token's characters.
    pub(crate) fn of(text: &str) -> Self {
        let mut lower = text
            .to_lowercase()
            .replace(['\u{2010}', '\u{2011}'], "-")
            .replace('\u{ad}', "");
        if lower.chars().next().is_some_and(|c| c.is_ascii_digit()) && lower.chars().all(|c| !c.is_alphabetic()) {
            lower = "0".to_owned();
        }
        let tail = |count: usize| -> u64 {
            let from = lower
                .char_indices()
                .rev()
                .nth(count.saturating_sub(1))
                .map_or(0, |(at, _)| at);
            hash(0, lower.get(from..).unwrap_or_default())
        };
        let mut chars = text.chars();
        let first = chars.next().unwrap_or(' ');
        let upper_first = u64::from(first.is_uppercase());
        let upper_rest = u64::from(text.chars().skip(1).any(char::is_uppercase));
        let lower_any = u64::from(text.chars().any(char::is_lowercase));
        let digit = u64::from(text.chars().any(|c| c.is_ascii_digit()));
        let hyphen = u64::from(lower.contains('-'));
        let shape = upper_first | upper_rest << 1 | lower_any << 2 | digit << 3 | hyphen << 4;
        let start: String = lower.chars().take(3).collect();
        Self {
            word: hash(0, &lower),
            endings: [tail(1), tail(2), tail(3), tail(4)],
            shape,
            start: hash(0, &start),
            lower,
        }
    }

    /// The last part of a compound, or the whole word if it has no hyphen.
    pub(crate) fn last_part(&self) -> &str {
        self.lower.rsplit('-').next().unwrap_or_default()
    }
}

/// The table rows of a token's features. `forms` are the forms of all tokens; `before` are the tags of the two preceding tokens, closest first.
pub(crate) fn rows(forms: &[Form], at: usize, before: [Option<Tag>; 2]) -> [usize; FEATURES] {
    const EDGE: u64 = 0x9e37_79b9_7f4a_7c15;
    let form = |offset: isize| at.checked_add_signed(offset).and_then(|index| forms.get(index));
    let word =
        |offset: isize| form(offset).map_or(EDGE.wrapping_mul(offset.unsigned_abs() as u64 + 7), |form| form.word);
    let ending = |offset: isize, length: usize| {
        form(offset)
            .and_then(|form| form.endings.get(length).copied())
            .unwrap_or(EDGE)
    };
    let shape = |offset: isize| form(offset).map_or(77, |form| form.shape);
    let tag = |index: usize| before.get(index).copied().flatten().map_or(99, |tag| tag as u64);
    let part = form(0).map_or(EDGE, |form| hash(0, form.last_part()));
    let opens = u64::from(at == 0);
    [
        row(1, word(0), 0),
        row(2, ending(0, 0), shape(0)),
        row(3, ending(0, 1), 0),
        row(4, ending(0, 2), 0),
        row(5, ending(0, 3), 0),
        row(6, shape(0), opens),
        row(7, tag(0), 0),
        row(8, tag(0), tag(1).wrapping_add(1)),
        row(9, tag(0), word(0)),
        row(10, word(-1), 0),
        row(11, word(1), 0),
        row(12, ending(1, 2), 0),
        row(13, ending(-1, 2), 0),
        row(14, word(-2), 0),
        row(15, word(2), 0),
        row(16, part, shape(0)),
        row(17, tag(0), word(1)),
        row(18, form(0).map_or(EDGE, |form| form.start), ending(0, 1)),
    ]
}

fn row(template: u64, a: u64, b: u64) -> usize {
    let mixed = mix(template.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ mix(a ^ mix(b.wrapping_add(template))));
    usize::try_from(mixed >> 40).unwrap_or_default() & (ROWS - 1)
}

fn mix(mut value: u64) -> u64 {
    value ^= value >> 33;
    value = value.wrapping_mul(0xff51_afd7_ed55_8ccd);
    value ^= value >> 33;
    value = value.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    value ^ (value >> 33)
}

/// FNV-1a.
fn hash(seed: u64, text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325 ^ seed, |state, byte| {
        (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

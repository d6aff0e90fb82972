//! What the model sees of each word: rows of the weight table.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use precedent_text::sentences;
use rustc_hash::FxHashSet;

use crate::wording::{Tag, Tagged, tagged};

/// Rows of the table, a power of two. Features are hashed to rows and may share one.
pub const ROWS: usize = 1 << 15;

/// Words that at least eight of the training texts use. Any other word is replaced by its part of speech, so that no topic is learned.
static FREQUENT: LazyLock<FxHashSet<&str>> = LazyLock::new(|| include_str!("words.txt").lines().collect());

/// Words at which clauses begin.
const CUES: [&str; 28] = [
    "to", "by", "using", "through", "via", "with", "that", "which", "for", "of", "in", "on", "so", "and", "where",
    "when", "while", "from", "based", "because", "thereby", "if", "whether", "we", "propose", "present", ",", ";",
];
/// How far a cue is looked for, in words. Chosen by hand.
const REACH: usize = 14;
/// Words before and after a word that count as its surroundings. Chosen by hand.
const BEFORE: usize = 8;
const AFTER: usize = 6;

/// A text as the model reads it.
#[derive(Debug, Clone)]
pub struct Reading {
    pub(super) tokens: Vec<Tagged>,
    /// Each token in lower case, or its part of speech if it is not frequent.
    words: Vec<String>,
    /// The last three letters of each token.
    endings: Vec<String>,
    /// The tokens of each sentence.
    pub(super) sentences: Vec<Range<usize>>,
}

impl Reading {
    /// Reads a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self::with(text, |word| FREQUENT.contains(word))
    }

    /// Reads a text with another list of frequent words, for training.
    #[must_use]
    pub fn with(text: &str, is_frequent: impl Fn(&str) -> bool) -> Self {
        let tokens = tagged(text);
        let lower = |token: &Tagged| text.get(token.range.clone()).unwrap_or_default().to_lowercase();
        let words = tokens.iter().map(|token| {
            let word = lower(token);
            if is_frequent(&word) {
                word
            } else {
                format!("#{:?}", token.tag)
            }
        });
        let endings = tokens.iter().map(|token| {
            let word = lower(token);
            let letters = word.chars().count();
            word.chars().skip(letters.saturating_sub(3)).collect()
        });
        let mut sentence_ranges = Vec::new();
        let mut from = 0;
        for sentence in sentences(text) {
            let to = tokens.partition_point(|token| token.range.start < sentence.end);
            if to > from {
                sentence_ranges.push(from..to);
                from = to;
            }
        }
        if from < tokens.len() {
            sentence_ranges.push(from..tokens.len());
        }
        Self {
            words: words.collect(),
            endings: endings.collect(),
            tokens,
            sentences: sentence_ranges,
        }
    }

    /// The byte range of each token.
    pub fn tokens(&self) -> impl Iterator<Item = Range<usize>> {
        self.tokens.iter().map(|token| token.range.clone())
    }

    /// The rows of each token.
    #[must_use]
    pub fn rows(&self) -> Vec<Vec<usize>> {
        let of_sentence = |(number, sentence): (usize, &Range<usize>)| {
            let view = View {
                reading: self,
                number,
                sentence: sentence.clone(),
            };
            let shared = view.shared();
            let rows: Vec<Vec<usize>> = sentence.clone().map(|at| view.rows(at, &shared)).collect();
            rows
        };
        self.sentences.iter().enumerate().flat_map(of_sentence).collect()
    }
}

/// One sentence of a text.
struct View<'r> {
    reading: &'r Reading,
    number: usize,
    sentence: Range<usize>,
}

impl View<'_> {
    fn at<'a>(&self, all: &'a [String], at: usize, offset: isize) -> &'a str {
        let place = at
            .checked_add_signed(offset)
            .filter(|place| self.sentence.contains(place));
        place.and_then(|place| all.get(place)).map_or("^", String::as_str)
    }

    fn word(&self, at: usize, offset: isize) -> &str {
        self.at(&self.reading.words, at, offset)
    }

    fn tag(&self, at: usize, offset: isize) -> u64 {
        let place = at
            .checked_add_signed(offset)
            .filter(|place| self.sentence.contains(place));
        place
            .and_then(|place| self.reading.tokens.get(place))
            .map_or(99, |token| token.tag as u64)
    }

    fn is_cue(&self, at: usize) -> bool {
        CUES.contains(&self.word(at, 0))
    }

    /// Rows that all words of the sentence share: where it is, how it begins, and its words.
    fn shared(&self) -> Vec<usize> {
        let start = self.sentence.start;
        let count = self.reading.sentences.len();
        let place = (self.number.min(3) * 8 + count.min(4)) as u64;
        let from_end = (count - 1 - self.number).min(3) as u64;
        let fifth = (5 * self.number / count.max(1)) as u64;
        let [first, second, third] = [0, 1, 2].map(|offset| self.word(start, offset));
        let mut rows = vec![
            row(1, &[], place),
            row(2, &[], from_end),
            row(3, &[], fifth),
            row(4, &[first], 0),
            row(5, &[first, second], 0),
            row(6, &[first, second, third], 0),
        ];
        rows.extend(self.bag(7, self.sentence.clone()));
        rows
    }

    /// A row for each different word of a range.
    fn bag(&self, template: u64, range: Range<usize>) -> impl Iterator<Item = usize> {
        let words = self.reading.words.get(range).unwrap_or_default();
        let different: BTreeSet<&str> = words.iter().map(String::as_str).collect();
        different.into_iter().map(move |word| row(template, &[word], 0))
    }

    fn rows(&self, at: usize, shared: &[usize]) -> Vec<usize> {
        let word = |offset| self.word(at, offset);
        let tag = |offset| self.tag(at, offset);
        let ending = |offset| self.at(&self.reading.endings, at, offset);
        let (start, end) = (self.sentence.start, self.sentence.end);
        let mut rows = shared.to_vec();
        rows.extend([
            row(10, &[word(0)], 0),
            row(11, &[word(-1)], 0),
            row(12, &[word(1)], 0),
            row(13, &[word(-2)], 0),
            row(14, &[word(2)], 0),
            row(15, &[word(-1), word(0)], 0),
            row(16, &[word(0), word(1)], 0),
            row(17, &[word(-2), word(-1)], 0),
            row(18, &[word(-3), word(-2), word(-1)], 0),
            row(19, &[word(1), word(2)], 0),
            row(20, &[ending(0)], 0),
            row(21, &[ending(-1)], 0),
            row(22, &[ending(1)], 0),
            row(23, &[], tag(0)),
            row(24, &[], tag(-1) * 100 + tag(0)),
            row(25, &[], tag(0) * 100 + tag(1)),
            row(26, &[], tag(-2) * 100 + tag(-1)),
            row(27, &[], (tag(-1) * 100 + tag(0)) * 100 + tag(1)),
            row(28, &[word(-1)], tag(0)),
            row(29, &[word(0)], tag(1)),
            row(30, &[word(-2), word(-1)], tag(0)),
            row(31, &[], (at - start).min(4) as u64),
        ]);
        let mut before = (start.max(at.saturating_sub(REACH))..at)
            .rev()
            .filter(|place| self.is_cue(*place));
        let (last, earlier) = (before.next(), before.next());
        let cue = last.map_or("^", |place| self.word(place, 0));
        let distance = (at - last.unwrap_or(start)).min(5) as u64;
        let opens = self.tag(last.map_or(start, |place| place + 1), 0);
        let lead = last.map_or("^", |place| self.word(place, -1));
        let earlier = earlier.map_or("^", |place| self.word(place, 0));
        let next = (at + 1..end.min(at + 1 + REACH)).find(|place| self.is_cue(*place));
        let next = next.map_or("$", |place| self.word(place, 0));
        rows.extend([
            row(40, &[cue], 0),
            row(41, &[cue], distance),
            row(42, &[cue, earlier], 0),
            row(43, &[next], 0),
            row(44, &[cue, next], 0),
            row(45, &[cue], opens),
            row(46, &[lead, cue], opens),
            row(
                47,
                &[cue],
                (self.number.min(3) * 8 + self.reading.sentences.len().min(4)) as u64,
            ),
        ]);
        rows.extend(self.bag(50, start.max(at.saturating_sub(BEFORE))..at));
        rows.extend(self.bag(51, at + 1..end.min(at + 1 + AFTER)));
        rows
    }
}

/// Whether a token is punctuation.
pub(super) fn is_mark(token: &Tagged) -> bool {
    token.tag == Tag::Mark
}

/// The row of a feature: FNV-1a over its parts, mixed.
fn row(template: u64, words: &[&str], number: u64) -> usize {
    let mut state = 0xcbf2_9ce4_8422_2325_u64 ^ template.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut add = |byte: u8| state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    for word in words {
        word.bytes().for_each(&mut add);
        add(0);
    }
    number.to_le_bytes().into_iter().for_each(add);
    state ^= state >> 33;
    state = state.wrapping_mul(0xff51_afd7_ed55_8ccd);
    state ^= state >> 33;
    usize::try_from(state >> 40).unwrap_or_default() & (ROWS - 1)
}

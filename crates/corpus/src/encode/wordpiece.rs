use rustc_hash::FxHashMap;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Maximum length in characters of a word that is split; longer ones are unknown.
const LONGEST_WORD: usize = 100;

/// Splits text into the tokens of a BERT model (Devlin et al. 2019; the rules of the published tokenizer).
pub(super) struct WordPiece {
    pieces: FxHashMap<String, u32>,
    lower: bool,
    start: u32,
    end: u32,
    unknown: u32,
}

impl WordPiece {
    /// A tokenizer with this vocabulary; `None` if it lacks the start, end or unknown token.
    pub(super) fn new(pieces: FxHashMap<String, u32>, lower: bool) -> Option<Self> {
        Some(Self {
            start: *pieces.get("[CLS]")?,
            end: *pieces.get("[SEP]")?,
            unknown: *pieces.get("[UNK]")?,
            pieces,
            lower,
        })
    }

    /// At most `most` token ids, including the start and end tokens.
    pub(super) fn pieces(&self, text: &str, most: usize) -> Vec<u32> {
        let room = most.max(2) - 1;
        let mut numbers = vec![self.start];
        let mut word = String::new();
        for c in self.cleaned(text).chars().chain([' ']) {
            let alone = is_punctuation(c) || is_ideograph(c);
            if alone || c.is_whitespace() {
                self.take_apart(&word, &mut numbers);
                word.clear();
                if alone {
                    self.take_apart(c.encode_utf8(&mut [0; 4]), &mut numbers);
                }
            } else {
                word.push(c);
            }
            if numbers.len() >= room {
                break;
            }
        }
        numbers.truncate(room);
        numbers.push(self.end);
        numbers
    }

    /// The token ids of two texts in one sequence, at most `most` including special tokens, and where the second text begins. The longer text is cut
    /// first.
    pub(super) fn pair(&self, first: &str, second: &str, most: usize) -> (Vec<u32>, usize) {
        let bare = |text: &str| {
            let mut pieces = self.pieces(text, most);
            pieces.pop();
            pieces.remove(0);
            pieces
        };
        let (mut first, mut second) = (bare(first), bare(second));
        let room = most.saturating_sub(3);
        while first.len() + second.len() > room {
            match first.len() > second.len() {
                true => first.pop(),
                false => second.pop(),
            };
        }
        let mut numbers = vec![self.start];
        numbers.extend(first);
        numbers.push(self.end);
        let begins = numbers.len();
        numbers.extend(second);
        numbers.push(self.end);
        (numbers, begins)
    }

    fn cleaned(&self, text: &str) -> String {
        let kept = text.chars().filter_map(|c| match c {
            '\t' | '\n' | '\r' => Some(' '),
            '\0' | '\u{fffd}' => None,
            c if c.is_control() || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}') => None,
            c => Some(c),
        });
        if !self.lower {
            return kept.collect();
        }
        let bare = kept.nfd().filter(|&c| !is_combining_mark(c));
        bare.flat_map(char::to_lowercase).collect()
    }

    fn take_apart(&self, word: &str, numbers: &mut Vec<u32>) {
        if word.is_empty() {
            return;
        }
        if word.chars().count() > LONGEST_WORD {
            numbers.push(self.unknown);
            return;
        }
        let (before, mut rest) = (numbers.len(), word);
        let mut piece = String::new();
        while !rest.is_empty() {
            let inside = rest.len() < word.len();
            let ends = rest.char_indices().map(|(at, c)| at + c.len_utf8()).rev();
            let longest = ends
                .filter_map(|end| rest.split_at_checked(end))
                .find_map(|(head, tail)| {
                    piece.clear();
                    if inside {
                        piece.push_str("##");
                    }
                    piece.push_str(head);
                    Some((*self.pieces.get(piece.as_str())?, tail))
                });
            let Some((number, tail)) = longest else {
                numbers.truncate(before);
                numbers.push(self.unknown);
                return;
            };
            numbers.push(number);
            rest = tail;
        }
    }
}

/// Characters that are tokens of their own: all of ASCII except letters, digits and spaces, and the punctuation of Unicode's punctuation blocks.
fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c,
            '¡' | '§' | '«' | '¶' | '·' | '»' | '¿' | '\u{37e}' | '\u{387}'
            | '\u{55a}'..='\u{55f}' | '\u{589}' | '\u{58a}' | '\u{5be}' | '\u{5c0}' | '\u{5c3}' | '\u{5f3}' | '\u{5f4}'
            | '\u{60c}' | '\u{60d}' | '\u{61b}' | '\u{61e}' | '\u{61f}' | '\u{66a}'..='\u{66d}' | '\u{6d4}'
            | '\u{964}' | '\u{965}' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{2043}' | '\u{2045}'..='\u{2051}' | '\u{2053}'..='\u{205e}'
            | '\u{207d}' | '\u{207e}' | '\u{208d}' | '\u{208e}' | '\u{2308}'..='\u{230b}' | '\u{2329}' | '\u{232a}' | '\u{2768}'..='\u{2775}'
            | '\u{27e6}'..='\u{27ef}' | '\u{2983}'..='\u{2998}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}' | '\u{3014}'..='\u{301f}'
            | '\u{30fb}' | '\u{fe30}'..='\u{fe52}' | '\u{ff01}'..='\u{ff03}' | '\u{ff05}'..='\u{ff0a}' | '\u{ff0c}'..='\u{ff0f}' | '\u{ff1a}'
            | '\u{ff1b}' | '\u{ff1f}' | '\u{ff20}' | '\u{ff3b}'..='\u{ff3d}' | '\u{ff5b}' | '\u{ff5d}' | '\u{ff5f}'..='\u{ff65}')
}

fn is_ideograph(c: char) -> bool {
    matches!(u32::from(c), 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x2_0000..=0x2_ceaf | 0x2_f800..=0x2_fa1f)
}

use std::cell::RefCell;
use std::iter::Peekable;
use std::str::CharIndices;

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashMap;

use precedent_text::terms::StopWords;

use super::fold::{fold, is_unspaced, is_word_char};
use super::words::is_type_setting;

/// Maximum length of a term in characters; longer ones are truncated.
const LONGEST_TERM: usize = 64;
/// Maximum number of cached stems; beyond it the cache is cleared.
const STEMS_KEPT: usize = 1 << 17;

/// Splits text into terms. Caches stems, so one analyzer for many texts is faster than many analyzers.
pub(crate) struct Analyzer {
    stemmer: Stemmer,
    stems: FxHashMap<Box<str>, Box<str>>,
    word: String,
}

impl Default for Analyzer {
    fn default() -> Self {
        Self {
            stemmer: Stemmer::create(Algorithm::English),
            stems: FxHashMap::default(),
            word: String::new(),
        }
    }
}

impl Analyzer {
    /// Passes every term of `text` to `take`, in order. Stop words are dropped unless the text has nothing else, so that it can still be found.
    pub(crate) fn each(&mut self, text: &str, mut take: impl FnMut(&str)) {
        let folded = fold(text);
        if !self.scan(&folded, false, &mut take) {
            self.scan(&folded, true, &mut take);
        }
    }

    /// One pass over folded text; returns whether any term was found.
    fn scan(&mut self, folded: &str, keep_stop_words: bool, take: &mut impl FnMut(&str)) -> bool {
        let mut taken = false;
        let mut chars = folded.char_indices().peekable();
        let mut before = ' ';
        while let Some((start, c)) = chars.next() {
            if is_unspaced(c) && is_word_char(c) {
                unspaced_run(folded, start, c, &mut chars, take);
                taken = true;
            } else if is_word_char(c) {
                let end = word_end(start, c, &mut chars);
                let word = folded.get(start..end).unwrap_or_default();
                let command = before == '\\' && is_type_setting(word);
                if !command && (keep_stop_words || !StopWords::Index.contains(word)) {
                    self.take_word(word, take);
                    taken = true;
                }
            }
            before = c;
        }
        taken
    }

    fn take_word(&mut self, word: &str, take: &mut impl FnMut(&str)) {
        let word = word.strip_suffix("'s").unwrap_or(word);
        let mut bare = std::mem::take(&mut self.word);
        bare.clear();
        bare.extend(word.chars().filter(|&c| c != '\'').take(LONGEST_TERM));
        take(self.stem(&bare));
        self.word = bare;
    }

    fn stem<'a>(&'a mut self, word: &'a str) -> &'a str {
        if word.len() < 3 || !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return word;
        }
        if !self.stems.contains_key(word) {
            if self.stems.len() >= STEMS_KEPT {
                self.stems.clear();
            }
            let stem = self.stemmer.stem(word);
            self.stems.insert(word.into(), stem.as_ref().into());
        }
        self.stems.get(word).map_or(word, AsRef::as_ref)
    }
}

/// Advances `chars` past the word that starts at `start` and returns its end. Decimal points between digits, apostrophes between letters and the
/// signs of `c++` and `c#` are part of a word.
fn word_end(start: usize, first: char, chars: &mut Peekable<CharIndices<'_>>) -> usize {
    let mut end = start + first.len_utf8();
    let mut last = first;
    let mut letters = 1;
    while let Some(&(at, c)) = chars.peek() {
        if is_word_char(c) && !is_unspaced(c) {
            chars.next();
            end = at + c.len_utf8();
            last = c;
            letters += 1;
            continue;
        }
        let mut ahead = chars.clone();
        ahead.next();
        let next = ahead.peek().map(|&(_, next)| next);
        let joins = match c {
            '.' => last.is_ascii_digit() && next.is_some_and(|next| next.is_ascii_digit()),
            '\'' => last.is_alphabetic() && next.is_some_and(char::is_alphabetic),
            '+' | '#' => letters <= 2 && !last.is_ascii_digit() && next.is_none_or(|next| !is_word_char(next)),
            _ => false,
        };
        if !joins {
            break;
        }
        chars.next();
        end = at + c.len_utf8();
        if !matches!(c, '+' | '#') {
            last = c;
        }
    }
    end
}

/// Emits every character of the run and every pair of adjacent characters.
fn unspaced_run(
    text: &str,
    start: usize,
    first: char,
    chars: &mut Peekable<CharIndices<'_>>,
    take: &mut impl FnMut(&str),
) {
    let (mut at, mut c) = (start, first);
    loop {
        take(text.get(at..at + c.len_utf8()).unwrap_or_default());
        match chars.peek() {
            Some(&(next_at, next)) if is_unspaced(next) && is_word_char(next) => {
                take(text.get(at..next_at + next.len_utf8()).unwrap_or_default());
                chars.next();
                (at, c) = (next_at, next);
            }
            _ => return,
        }
    }
}

thread_local! {
    static ANALYZER: RefCell<Analyzer> = RefCell::default();
}

/// The terms of `text` as the index stores them, in order and with repetitions: `"Graph parsers"` gives `["graph", "parser"]`.
#[must_use]
pub fn terms(text: &str) -> Vec<String> {
    ANALYZER.with_borrow_mut(|analyzer| {
        let mut terms = Vec::new();
        analyzer.each(text, |term| terms.push(term.to_owned()));
        terms
    })
}

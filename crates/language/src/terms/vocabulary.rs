use std::ops::Range;

use precedent_domain::Span;
use precedent_text::{Source, TokenKind, terms::stem};
use rustc_hash::FxHashMap;

use super::kinds::{WordKind, kind_of, listed_kinds};
use super::words::each_word;

/// A stem, shared by words that differ only by inflection. Valid within one [`Vocabulary`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(pub u32);

/// A word of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// Its bytes.
    pub span: Span,
    /// Its stem.
    pub term: TermId,
    /// Its kind.
    pub kind: WordKind,
}

/// The words seen so far. Each form is stemmed once, so many long texts share the cost.
pub struct Vocabulary {
    forms: FxHashMap<Box<str>, (TermId, WordKind)>,
    stems: FxHashMap<Box<str>, TermId>,
    listed: FxHashMap<String, WordKind>,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self::new()
    }
}

impl Vocabulary {
    /// An empty vocabulary of English stems.
    #[must_use]
    pub fn new() -> Self {
        Self {
            forms: FxHashMap::default(),
            stems: FxHashMap::default(),
            listed: listed_kinds(),
        }
    }

    /// The words among the tokens `range` of `source`, in order.
    pub fn read(&mut self, source: &Source, range: Range<usize>) -> Vec<Word> {
        let mut words = Vec::with_capacity(range.len());
        each_word(source, range, |span, kind, form| {
            let (term, kind) = self.look_up(form, kind);
            words.push(Word { span, term, kind });
        });
        words
    }

    /// The words of a short text, in order.
    pub fn read_text(&mut self, text: &str) -> Vec<Word> {
        let source = Source::new(text);
        self.read(&source, 0..source.token_count())
    }

    /// The words of a short text without adding new ones. Unknown stems get the id [`TermId::UNKNOWN`].
    #[must_use]
    pub fn recall(&self, text: &str) -> Vec<Word> {
        let source = Source::new(text);
        let mut words = Vec::new();
        each_word(&source, 0..source.token_count(), |span, kind, form| {
            let (term, kind) = self.forms.get(form).copied().unwrap_or_else(|| {
                let term = self.stems.get(stem(&fold_spelling(form)).as_str()).copied();
                (term.unwrap_or(TermId::UNKNOWN), self.kind(form, kind))
            });
            words.push(Word { span, term, kind });
        });
        words
    }

    /// Number of distinct stems.
    #[must_use]
    pub fn len(&self) -> usize {
        self.stems.len()
    }

    /// Whether no word was seen yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stems.is_empty()
    }

    fn look_up(&mut self, form: &str, token: TokenKind) -> (TermId, WordKind) {
        if let Some(&known) = self.forms.get(form) {
            return known;
        }
        let stem = stem(&fold_spelling(form));
        let next = TermId(u32::try_from(self.stems.len()).unwrap_or(u32::MAX));
        let term = *self.stems.entry(stem.into_boxed_str()).or_insert(next);
        let kind = self.kind(form, token);
        self.forms.insert(form.into(), (term, kind));
        (term, kind)
    }

    fn kind(&self, form: &str, token: TokenKind) -> WordKind {
        kind_of(form, token, self.listed.get(form).copied())
    }
}

impl TermId {
    /// A stem that is not in the vocabulary and matches nothing.
    pub const UNKNOWN: Self = Self(u32::MAX);
}

/// Unifies British and American endings. The result is only a key and never shown.
fn fold_spelling(form: &str) -> String {
    const ENDINGS: [(&str, &str); 13] = [
        ("isation", "ization"),
        ("isations", "izations"),
        ("ising", "izing"),
        ("ised", "ized"),
        ("ises", "izes"),
        ("ise", "ize"),
        ("yse", "yze"),
        ("ysed", "yzed"),
        ("ysing", "yzing"),
        ("our", "or"),
        ("ours", "ors"),
        ("oural", "oral"),
        ("ouring", "oring"),
    ];
    // Plurals that stemming does not map to their noun.
    const PLURALS: [(&str, &str); 9] = [
        ("corpora", "corpus"),
        ("matrices", "matrix"),
        ("vertices", "vertex"),
        ("indices", "index"),
        ("criteria", "criterion"),
        ("phenomena", "phenomenon"),
        ("automata", "automaton"),
        ("lemmata", "lemma"),
        // `novels` are books, unlike the adjective `novel`.
        ("novels", "novelist"),
    ];
    if let Some((_, one)) = PLURALS.iter().find(|(many, _)| *many == form) {
        return (*one).to_owned();
    }
    ENDINGS
        .iter()
        .filter(|_| form.len() >= 6)
        .find_map(|(british, american)| form.strip_suffix(british).map(|stem| format!("{stem}{american}")))
        .unwrap_or_else(|| form.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(vocabulary: &mut Vocabulary, text: &str) -> Vec<TermId> {
        vocabulary.read_text(text).iter().map(|word| word.term).collect()
    }

    #[test]
    fn inflection_and_spelling_do_not_matter() {
        let mut vocabulary = Vocabulary::new();
        let a = terms(&mut vocabulary, "modelling behaviours, optimised parsers");
        let b = terms(&mut vocabulary, "models behavior optimizes parser");
        assert_eq!(a, b);
        assert_ne!(terms(&mut vocabulary, "parser"), terms(&mut vocabulary, "tagger"));
    }

    #[test]
    fn novels_are_distinguished_from_novel() {
        let mut vocabulary = Vocabulary::new();
        let read = vocabulary.read_text("a novel scale built from novels");
        let kinds: Vec<WordKind> = read.iter().map(|word| word.kind).collect();
        assert_eq!((kinds[1], kinds[5]), (WordKind::Frame, WordKind::Substance));
        assert_ne!(read[1].term, read[5].term);
    }

    #[test]
    fn kinds_distinguish_content_words_from_frame_words() {
        let mut vocabulary = Vocabulary::new();
        let kinds: Vec<WordKind> = vocabulary
            .read_text("We proposed a novel transliteration model with 3 layers x")
            .iter()
            .map(|word| word.kind)
            .collect();
        use WordKind::{Frame, Function, Generic, Letter, Number, Substance};
        assert_eq!(
            kinds,
            [
                Function, Frame, Function, Frame, Substance, Generic, Function, Number, Substance, Letter
            ]
        );
    }
}

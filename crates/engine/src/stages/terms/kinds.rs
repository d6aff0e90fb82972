use std::sync::LazyLock;

use precedent_text::{TokenKind, terms::is_stopword};
use rustc_hash::FxHashMap;

use super::lists::{CONNECTIVES, FRAME, GENERIC, VERBS, WordList, is_listed};

/// What a word contributes to what a text is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WordKind {
    /// Grammar: articles, prepositions, pronouns, auxiliaries, connectives.
    Function,
    /// How papers speak about themselves: propose, show, novel, paper.
    Frame,
    /// Words of every field: model, data, large.
    Generic,
    /// Verbs that papers of every field use: learn, generate, predict.
    Action,
    /// A number.
    Number,
    /// A single letter: a variable, an initial.
    Letter,
    /// What the text is about.
    Substance,
}

impl WordKind {
    /// How much a word of this kind counts among the substance, 0 to 1.
    #[must_use]
    pub fn weight(self) -> f64 {
        match self {
            Self::Substance => 1.0,
            Self::Number => 0.5,
            Self::Generic | Self::Action => 0.25,
            Self::Function | Self::Frame | Self::Letter => 0.0,
        }
    }
}

/// Whether a form, in lower case, is a verb nearly wherever papers write it.
#[must_use]
pub fn is_verb(form: &str) -> bool {
    static FORMS: WordList = LazyLock::new(|| VERBS.split_whitespace().collect());
    is_listed(&FORMS, form)
}

/// The kind of a word's compared form.
pub(super) fn kind_of(form: &str, token: TokenKind, listed: Option<WordKind>) -> WordKind {
    if token == TokenKind::Number {
        WordKind::Number
    } else if is_stopword(form) || is_listed(&CONNECTIVES, form) {
        WordKind::Function
    } else if form.len() == 1 {
        WordKind::Letter
    } else {
        listed.unwrap_or(WordKind::Substance)
    }
}

/// The listed forms that are neither grammar nor substance.
pub(super) fn listed_kinds() -> FxHashMap<String, WordKind> {
    let mut kinds = FxHashMap::default();
    let mut learn = |list: &str, endings: &[&str], kind: WordKind| {
        for form in list.split_whitespace().flat_map(|word| inflections(word, endings)) {
            kinds.entry(form).or_insert(kind);
        }
    };
    // The first list that has a form decides; participles of verbs may be adjectives of substance and are left alone.
    learn(FRAME, &["s", "es", "d", "ed", "ing"], WordKind::Frame);
    learn(VERBS, &["s", "es"], WordKind::Action);
    learn(GENERIC, &["s", "es", "d", "ed", "ing"], WordKind::Generic);
    // `novel` praises; its plural is a book.
    kinds.remove("novels");
    kinds
}

/// A word with the endings it takes.
fn inflections(word: &str, endings: &[&str]) -> Vec<String> {
    let stem = word.strip_suffix(['e', 'y']).unwrap_or(word);
    let mut forms = vec![word.to_owned()];
    for ending in endings {
        forms.push(format!("{word}{ending}"));
        if stem.len() >= 4 && ending.len() >= 2 {
            forms.push(format!("{stem}{ending}"));
            forms.push(format!("{stem}i{ending}"));
        }
    }
    forms
}

use std::sync::LazyLock;

use precedent_text::{
    TokenKind,
    terms::{StopWords, is_stopword},
};
use rustc_hash::FxHashMap;

use super::lists::{FRAME, GENERIC, VERBS, WordList, is_listed};

/// The role of a word in the topic of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WordKind {
    /// Grammar: articles, prepositions, pronouns, auxiliaries, connectives.
    Function,
    /// Words papers use about themselves: propose, show, novel, paper.
    Frame,
    /// Words of every field: model, data, large.
    Generic,
    /// Verbs that papers of every field use: learn, generate, predict.
    Action,
    /// A number.
    Number,
    /// A single letter: a variable, an initial.
    Letter,
    /// A content word.
    Substance,
}

impl WordKind {
    /// Weight of a word of this kind as content, 0 to 1.
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

/// Whether a form, in lower case, is almost always a verb in papers.
#[must_use]
pub fn is_verb(form: &str) -> bool {
    static FORMS: WordList = LazyLock::new(|| VERBS.split_whitespace().collect());
    is_listed(&FORMS, form)
}

/// The kind of a word's normalised form.
pub(super) fn kind_of(form: &str, token: TokenKind, listed: Option<WordKind>) -> WordKind {
    if token == TokenKind::Number {
        WordKind::Number
    } else if is_stopword(form) || StopWords::Connectives.contains(form) {
        WordKind::Function
    } else if form.len() == 1 {
        WordKind::Letter
    } else {
        listed.unwrap_or(WordKind::Substance)
    }
}

/// The listed forms that are neither function words nor content words.
pub(super) fn listed_kinds() -> FxHashMap<String, WordKind> {
    let mut kinds = FxHashMap::default();
    let mut learn = |list: &str, endings: &[&str], kind: WordKind| {
        for form in list.split_whitespace().flat_map(|word| inflections(word, endings)) {
            kinds.entry(form).or_insert(kind);
        }
    };
    // The first list with a form decides. Participles of the verbs may be content adjectives, so they are not listed.
    learn(FRAME, &["s", "es", "d", "ed", "ing"], WordKind::Frame);
    learn(VERBS, &["s", "es"], WordKind::Action);
    learn(GENERIC, &["s", "es", "d", "ed", "ing"], WordKind::Generic);
    // `novel` is praise, but `novels` are books.
    kinds.remove("novels");
    kinds
}

/// A word and its inflected forms.
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

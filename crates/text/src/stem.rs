use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

/// The English stem of a normalised word (Snowball, "Porter 2"); words in other scripts are returned unchanged.
#[must_use]
pub fn stem(word: &str) -> String {
    thread_local! {
        static STEMMER: Stemmer = Stemmer::create(Algorithm::English);
    }
    STEMMER.with(|stemmer| match stemmer.stem(word) {
        Cow::Borrowed(stem) => stem.to_owned(),
        Cow::Owned(stem) => stem,
    })
}

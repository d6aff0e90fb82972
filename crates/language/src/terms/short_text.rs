use super::vocabulary::Word;

/// Title or abstract of one paper, for [`PhraseTable::of`](super::PhraseTable::of).
#[derive(Debug, Clone, Copy)]
pub struct ShortText<'a> {
    /// Index of the paper in the set.
    pub work: usize,
    /// Whether it is the title.
    pub is_title: bool,
    /// The text.
    pub text: &'a str,
    /// Its words, with spans relative to `text`.
    pub words: &'a [Word],
}

use precedent_domain::{Document, Work};
use precedent_matcher::PreparedText;

/// A paper with its text.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) work: Work,
    pub(super) document: Document,
    pub(super) text: PreparedText,
}

impl std::borrow::Borrow<PreparedText> for &Prepared {
    fn borrow(&self) -> &PreparedText {
        &self.text
    }
}

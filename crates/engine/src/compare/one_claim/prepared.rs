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

impl Prepared {
    /// A paper of which only title and abstract are known.
    pub(super) fn of_abstract(work: Work) -> Self {
        let document = Document::from_abstract(&work.title, work.summary.as_deref());
        Self {
            text: PreparedText::new(&work.title, work.summary.as_deref(), &document),
            work,
            document,
        }
    }
}

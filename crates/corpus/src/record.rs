use precedent_domain::{Document, Work};

/// What the corpus keeps of one work.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The work. Its `id` is the key: a later record of the same id replaces the earlier one.
    pub work: Work,
    /// The full text with its sections and, where known, pages; `None` when only title and abstract are known.
    pub document: Option<Document>,
}

/// What adding a record did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Addition {
    /// No record of this id was there.
    Added,
    /// It took the place of an earlier one.
    Updated,
}

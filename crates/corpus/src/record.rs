use precedent_domain::{Document, Work};

/// What the corpus keeps of one work.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The work. Its `id` is the key: a later record of the same id replaces the earlier one.
    pub work: Work,
    /// The full text with its sections and, where known, pages; `None` when only title and abstract are known.
    pub document: Option<Document>,
    /// Fields of study, as the source of the record names them.
    pub fields: Vec<String>,
    /// Whether it adds to the record of its id rather than taking its place: what it lacks is kept as it was. One without a title does
    /// nothing else.
    pub completes: bool,
}

impl Record {
    /// A record of `work` with its full text, where that is known, which takes the place of an earlier one.
    #[must_use]
    pub fn new(work: Work, document: Option<Document>) -> Self {
        Self {
            work,
            document,
            fields: Vec::new(),
            completes: false,
        }
    }

    /// Fills what is missing here with what the earlier record of its id has.
    pub(crate) fn fill_from(&mut self, earlier: Self) {
        let Self {
            work, document, fields, ..
        } = earlier;
        if self.work.title.is_empty() {
            self.work.title = work.title;
        }
        if self.work.authors.is_empty() {
            self.work.authors = work.authors;
        }
        if self.work.dates.is_empty() {
            self.work.dates = work.dates;
        }
        if self.fields.is_empty() {
            self.fields = fields;
        }
        self.work.summary = self.work.summary.take().or(work.summary);
        self.work.venue = self.work.venue.take().or(work.venue);
        self.work.url = self.work.url.take().or(work.url);
        self.work.identifiers.fill_from(&work.identifiers);
        self.work.also.extend(work.also);
        self.work.also.sort();
        self.work.also.dedup();
        self.document = self.document.take().or(document);
    }
}

/// What adding a record did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Addition {
    /// No record of this id was there.
    Added,
    /// It took the place of an earlier one.
    Updated,
    /// The very same record is there already; nothing was written.
    Unchanged,
    /// It adds to a record that is not there; nothing was written.
    Orphan,
}

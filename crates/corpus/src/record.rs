use precedent_domain::{Document, Work};

/// The data of one work in the corpus.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The work. Its `id` is the key: a later record with the same id replaces the earlier one.
    pub work: Work,
    /// The full text with its sections and, if known, pages; `None` if only title and abstract are known.
    pub document: Option<Document>,
    /// Fields of study, as named by the source of the record.
    pub fields: Vec<String>,
    /// Whether it completes the record with the same id instead of replacing it: missing values are kept. A record without a title can do nothing
    /// else.
    pub completes: bool,
    /// Whether it had no title, so that its title is the beginning of its text.
    pub untitled: bool,
}

impl Record {
    /// A record of `work` with its full text, if known, that replaces an earlier one.
    #[must_use]
    pub fn new(work: Work, document: Option<Document>) -> Self {
        Self {
            work,
            document,
            fields: Vec::new(),
            completes: false,
            untitled: false,
        }
    }

    /// Fills missing values from the earlier record with the same id.
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
        self.work.cited_by = self.work.cited_by.or(work.cited_by);
        self.work.identifiers.fill_from(&work.identifiers);
        self.work.also.extend(work.also);
        self.work.also.sort();
        self.work.also.dedup();
        self.document = self.document.take().or(document);
    }
}

/// The effect of adding a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Addition {
    /// There was no record with this id.
    Added,
    /// It replaced or completed an earlier one.
    Updated,
    /// The same record exists already; nothing was written.
    Unchanged,
    /// It completes a record that does not exist; nothing was written.
    Orphan,
}

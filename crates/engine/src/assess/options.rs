use precedent_domain::PartialDate;

/// Options of an assessment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssessOptions {
    /// The date by which the paper is judged, instead of its own.
    pub as_of: Option<PartialDate>,
    /// Minimum length of a reported shared passage, in words.
    pub min_overlap_words: usize,
}

impl Default for AssessOptions {
    fn default() -> Self {
        Self {
            as_of: None,
            min_overlap_words: 30,
        }
    }
}

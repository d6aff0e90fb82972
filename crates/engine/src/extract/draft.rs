use precedent_domain::{ContributionClass, Span};

/// A proposal for the core task.
#[derive(Debug, Clone, PartialEq)]
pub struct CoreTaskDraft {
    /// 5 to 15 words in the field's terms.
    pub phrase: String,
    /// Bytes of the paper it was taken from, if any.
    pub evidence: Option<Span>,
}

/// A proposal for a contribution.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimDraft {
    /// The authors' words, as bytes of the paper.
    pub claim: Span,
    /// Other sentences in which the paper states the same contribution, most probable first.
    pub also_stated: Vec<Span>,
    /// At most 15 words.
    pub name: String,
    /// Sentences of the paper that explain it, in reading order.
    pub description: Vec<Span>,
    /// A description in other words than the paper's, at most 60. If present, it replaces `description`.
    pub in_other_words: Option<String>,
    /// Kind of contribution.
    pub class: ContributionClass,
    /// Topics to search for in prior work, without names the paper coins, most informative first.
    pub topics: Vec<String>,
}

use std::collections::BTreeSet;

use precedent_domain::{ContributionClass, Span};

use super::Zone;

/// Length limits of the specification, in words.
pub(crate) const MOST_CLAIM_WORDS: usize = 40;
pub(crate) const MOST_NAME_WORDS: usize = 15;
pub(crate) const MOST_DESCRIPTION_WORDS: usize = 60;

/// A claiming sentence.
#[derive(Debug, Clone)]
pub(super) struct Claim {
    pub(super) sentence: usize,
    pub(super) zone: Zone,
    pub(super) span: Span,
    pub(super) object: Span,
    /// That the sentence states a contribution.
    pub(super) probability: f64,
    pub(super) class: ContributionClass,
    /// Whether a statement is claimed, instead of a thing offered.
    pub(super) statement: bool,
    /// Whether the verb offers nothing itself: `we study`.
    pub(super) treats: bool,
    /// Whether it is an additional offer: `we also present a second parser`.
    pub(super) further: bool,
    pub(super) stems: BTreeSet<String>,
    /// Names coined by the paper in what is offered.
    pub(super) coined: BTreeSet<String>,
    /// The head noun of what is offered.
    pub(super) head: String,
    /// Whether that noun is alone: `a system`.
    pub(super) bare: bool,
}

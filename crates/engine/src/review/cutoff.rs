//! Decides by date what a record may be used for: to judge the idea or only for suggestions. One rule for every record (InnoEval, 3).

use precedent_domain::{AsOf, KnowledgePiece, KnowledgeRole, Paper, Timing, Work};

use crate::retrieve::search::{doubt_date, not_before, timing};

/// The date rule of a review.
#[derive(Debug, Clone)]
pub(super) struct CutoffPolicy<'a> {
    as_of: Option<&'a AsOf>,
    not_before: Option<u16>,
}

impl<'a> CutoffPolicy<'a> {
    pub(super) fn new(as_of: Option<&'a AsOf>, paper: Option<&Paper>) -> Self {
        Self {
            as_of,
            not_before: paper.and_then(not_before),
        }
    }

    /// How the record's date compares with the idea's. If the idea has no date, every record counts as earlier.
    pub(super) fn timing(&self, work: &Work) -> Timing {
        match self.as_of {
            None => Timing::Earlier,
            Some(as_of) => timing(work, Some(as_of), self.not_before),
        }
    }

    /// Adds a doubt if sources disagree on whether the record is earlier.
    pub(super) fn doubt_date(&self, work: &mut Work) {
        if self.as_of.is_some() {
            doubt_date(work, self.as_of, self.not_before);
        }
    }

    /// What the record may be used for, by its date.
    pub(super) fn role(&self, work: &Work) -> KnowledgeRole {
        KnowledgeRole::of(self.timing(work))
    }
}

/// Whether the piece may be used to judge the idea: it is not certainly later and not the idea itself.
pub(super) fn may_bear(piece: &KnowledgePiece) -> bool {
    piece.role != KnowledgeRole::Suggests && piece.role == KnowledgeRole::of(piece.timing) && !piece.own
}

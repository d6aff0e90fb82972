//! What a date lets a piece of knowledge be used for. One rule, for every record (InnoEval, 3).

use precedent_domain::{AsOf, KnowledgePiece, KnowledgeRole, Paper, Timing, Work};

use crate::stages::search::{doubt_date, not_before, timing};

/// The date that an idea is judged by.
#[derive(Debug, Clone)]
pub(super) struct Law<'a> {
    as_of: Option<&'a AsOf>,
    not_before: Option<u16>,
}

impl<'a> Law<'a> {
    pub(super) fn new(as_of: Option<&'a AsOf>, paper: Option<&Paper>) -> Self {
        Self {
            as_of,
            not_before: paper.and_then(not_before),
        }
    }

    /// How a record's date stands to the idea's; without such a date everything came before.
    pub(super) fn timing(&self, work: &Work) -> Timing {
        match self.as_of {
            None => Timing::Earlier,
            Some(as_of) => timing(work, Some(as_of), self.not_before),
        }
    }

    /// Adds a doubt where sources disagree on whether the record is earlier.
    pub(super) fn doubt_date(&self, work: &mut Work) {
        if self.as_of.is_some() {
            doubt_date(work, self.as_of, self.not_before);
        }
    }

    /// What the record may be used for.
    pub(super) fn role(&self, work: &Work) -> KnowledgeRole {
        KnowledgeRole::of(self.timing(work))
    }
}

/// Whether a piece may stand in a question on the idea: it is not surely later, and not the idea itself.
pub(super) fn may_bear(piece: &KnowledgePiece) -> bool {
    piece.role != KnowledgeRole::Suggests && piece.role == KnowledgeRole::of(piece.timing) && !piece.own
}

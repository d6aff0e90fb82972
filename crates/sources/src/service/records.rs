use std::collections::BTreeSet;

use precedent_domain::{DateOrder, PartialDate, Work, WorkId};

/// The records in an answer, without duplicates.
pub(super) struct Records {
    pub(super) as_of: Option<PartialDate>,
    pub(super) in_time: Vec<Work>,
    /// Records dated after `as_of`. Another record of the same paper may have an earlier date.
    pub(super) later: Vec<Work>,
    known: BTreeSet<WorkId>,
}

impl Records {
    pub(super) fn new(as_of: Option<PartialDate>) -> Self {
        Self {
            as_of,
            in_time: Vec::new(),
            later: Vec::new(),
            known: BTreeSet::new(),
        }
    }

    pub(super) fn extend(&mut self, works: impl IntoIterator<Item = Work>) {
        for work in works {
            if !self.known.insert(work.id.clone()) {
                continue;
            }
            match in_time(&work, self.as_of) {
                true => self.in_time.push(work),
                false => self.later.push(work),
            }
        }
    }
}

/// Whether a work is not certainly later than `as_of`.
fn in_time(work: &Work, as_of: Option<PartialDate>) -> bool {
    let (Some(as_of), Some(dated)) = (as_of, work.earliest()) else {
        return true;
    };
    dated.date.against(as_of) != DateOrder::After
}

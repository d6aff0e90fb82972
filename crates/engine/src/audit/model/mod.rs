//! Audit items that no rule decides, sent by dimension with the passages found by six queries. Also judges whether works support citing sentences.

mod judge;
mod queries;

pub(super) use judge::{LONGEST, audit_points};
pub(super) use queries::word_audit;

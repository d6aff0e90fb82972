//! Assessments by a model: claims compared with works, one-line descriptions, the tree of the field, the survey, the position and the findings.

mod answers;
mod compare;
mod context;
mod judge;
mod passages;
mod position;
mod survey;
mod taxonomy;

pub(super) use judge::judge;

//! Assessments by a model: claims compared with works, the tree of the field, one-line descriptions, the survey, the position and the findings.

mod answers;
mod compare;
mod context;
mod field;
mod judge;
mod passages;
mod position;
mod survey;
mod taxonomy;

pub(super) use judge::judge;

//! HTML pages to a draft.

mod hidden;

pub(crate) use hidden::hides;

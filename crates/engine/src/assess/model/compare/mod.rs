//! Phase III, the core: claims compared with one work at a time. A model proposes, and the texts decide which of its findings count.

mod ask;
mod evidence;
mod flaw;
mod settle;

pub(super) use ask::{Compared, compare_works};
pub(super) use evidence::NAMED;

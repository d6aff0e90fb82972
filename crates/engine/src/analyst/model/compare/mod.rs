//! Phase III, the heart: claims against one work at a time. A model says; the texts decide what of it counts.

mod ask;
mod evidence;
mod settle;

pub(super) use evidence::NAMED;

//! Ideas: read, ranked against works, and judged by a model. Every answer is checked against the texts.
//!
//! A verdict is taken only from its own field, in one of the forms that [`verdict`] accepts. An answer that cannot be read is requested once more.
//! After that the idea stays undecided, with the reason. `not novel` must name a work and the facets it shares, with words found in that work.

mod answers;
mod judge;
mod order;
mod read;
mod shown;
mod verdict;

pub(super) use judge::judge_idea;
pub(super) use order::order_works;
pub(super) use read::read_idea;

//! Ideas: read, ordered beside works, and judged by a model; every answer held against the texts.
//!
//! A verdict is taken only from the field that it is asked for in, in one of the forms that [`verdict`] knows. What cannot be read is asked for once more, then
//! stays undecided, with the reason. `not novel` must name a work and the facets it shares, with words that stand in it.

mod answers;
mod judge;
mod order;
mod read;
mod shown;
mod verdict;

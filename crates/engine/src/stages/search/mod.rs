//! Phase II: what prior work there is (OpenNovelty, 2.2, B).
//!
//! In: queries. Out: numbered candidates with their texts, works set aside with the reason, and the funnel that led there. Every query goes to
//! every source as it is; a source that fails is written down and the rest goes on. Deliberately not here: any judgement of claims.

mod aliases;
mod asking;
mod cited;
mod doubted;
mod funnel;
mod itself;
mod looked_for;
mod near;
mod outcome;
mod own_text;
mod shared_text;
mod timing;

pub(crate) use aliases::aliases;
pub(crate) use asking::{
    Answer, Results, in_plain_words, look_up_alone, note_failure, put_alone, related_alone, reports, source_failures,
};
pub(crate) use cited::Cited;
pub(crate) use doubted::doubted;
pub(crate) use funnel::top_of;
pub(crate) use itself::Itself;
pub use near::{NEAR_LIMIT, put_by_meaning};
pub(crate) use outcome::document_of;
pub use outcome::{SearchOutcome, search};
pub(crate) use timing::REEXPORT_MONTHS;
pub(crate) use timing::doubt_date;
pub use timing::{as_of, not_before, timing};

#[cfg(test)]
mod laws;
#[cfg(test)]
mod pace_tests;
#[cfg(test)]
mod tests;

//! One module per group of tools. Each tool parses its arguments, calls `app`, and returns the whole answer.

mod claims;
mod jobs;
mod runs;
mod texts;

pub(crate) use claims::{list_corpora, match_claim, search_prior_work};
pub(crate) use jobs::{assess, check_idea, estimate};
pub(crate) use runs::{cancel_run, get_evidence, get_run};
pub(crate) use texts::{overlap, read_paper, verify_quote};

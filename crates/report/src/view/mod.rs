//! Content shared by Markdown and HTML, computed from the assessment alone.

mod change;
mod claims;
mod digest;
mod facts;
mod neighbours;
mod overlap;
mod place;
mod roles;
mod tree;
mod whole;

pub(crate) use claims::{Claim, Compared};
pub(crate) use digest::{Citation, Digest};
pub(crate) use facts::{
    fault, found_in_search, identifier_links, one_liner, set_aside, set_aside_unlisted, source_line, why_set_aside,
    work_links,
};
pub(crate) use neighbours::Neighbours;
pub(crate) use roles::{Role, roles};
pub(crate) use tree::TreeNode;
pub(crate) use whole::{NEAR_NO_CLAIM_INTRO, SimilarWithoutClaim};

//! What the readable formats say, before they say it in their own way: facts computed from the assessment and nothing else.

mod claims;
mod digest;
mod facts;
mod prose;
mod tree;

pub(crate) use claims::{Claim, Compared};
pub(crate) use digest::{Citation, Digest};
pub(crate) use facts::{WorkLink, fault, identifier_links, one_liner, standing_in_search, work_links};
pub(crate) use prose::pieces;
pub(crate) use tree::TreeNode;

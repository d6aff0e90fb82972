//! The services, a file each.

pub(crate) mod arxiv;
pub(crate) mod crossref;
pub(crate) mod dblp;
pub(crate) mod europe_pmc;
pub(crate) mod openalex;
pub(crate) mod openreview;
pub(crate) mod openreview_v1;
pub(crate) mod semantic_scholar;

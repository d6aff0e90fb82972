//! The services, one file each.

pub(crate) mod arxiv;
pub(crate) mod brave;
pub(crate) mod crossref;
pub(crate) mod dblp;
pub(crate) mod europe_pmc;
pub(crate) mod github;
pub(crate) mod google_scholar;
pub(crate) mod kaggle;
pub(crate) mod openalex;
pub(crate) mod openreview;
pub(crate) mod openreview_v1;
pub(crate) mod opensearch;
pub(crate) mod searxng;
pub(crate) mod semantic_scholar;
pub(crate) mod serper;
pub(crate) mod tavily;

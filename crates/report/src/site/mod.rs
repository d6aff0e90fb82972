//! A site for a venue: a page for each of thousands of papers, lists of them by level and area, and a page for each earlier paper that several of
//! them match.
//!
//! In: assessments, one at a time, and a [`Site`] of their summaries. Out: paths and bytes of pages that need no server. All pages share one style
//! sheet and one script.

mod index;
mod lists;
mod pages;
mod prior;
mod search;

pub use pages::{Site, SitePaper, SitePerson, SiteSettings, SupersededRun};

//! The report as one HTML file that needs nothing else: no script, no font, no picture from elsewhere.
//!
//! Rust computes what stands on the page as plain text; `templates/` says how it looks. Every value passes through [`Escaped`].

mod claims;
mod escape;
mod figures;
mod glance;
mod page;
mod passage;
mod renderer;
mod tree;
mod works;

pub(crate) use escape::Escaped;
pub use renderer::HtmlRenderer;
pub(crate) use renderer::{STYLE, page, policy};

//! The report as one self-contained HTML file: no scripts, no external fonts, no external images.
//!
//! Rust computes the content as plain text, and `templates/` defines the layout. Every value passes through [`Escaped`].

mod claims;
mod escape;
mod figures;
mod glance;
mod page;
mod passage;
mod renderer;
mod tree;
mod works;

pub(crate) use escape::{Escaped, Message};
pub use renderer::HtmlRenderer;
pub(crate) use renderer::{STYLE, page, policy, policy_with};

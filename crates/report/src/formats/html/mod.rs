//! The report as one self-contained HTML file: no external fonts, images or scripts.
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
pub(crate) use renderer::{SCRIPT, STYLE, page, policy};

//! The report as one self-contained HTML file: no external fonts, images or scripts.
//!
//! [`blocks`](crate::blocks) writes the content, and `templates/` has the frame and the charts. Every value passes through [`Escaped`].

mod escape;
mod renderer;

pub(crate) use escape::Escaped;
pub use renderer::HtmlRenderer;
pub(crate) use renderer::{SCRIPT, SITE_POLICY, STYLE, page, policy};

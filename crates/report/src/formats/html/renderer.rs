use sha2::{Digest as _, Sha256};

use crate::blocks::html;
use crate::{AnyReport, Renderer, ReportError};

/// The only style sheet. The content security policy contains its hash, so no other style applies.
pub(crate) const STYLE: &str = include_str!("../../../templates/report.css");

/// The only script: sorting, filtering, expanding, copying and the theme. A page is complete without it.
pub(crate) const SCRIPT: &str = include_str!("../../../templates/page.js");

/// The content security policy of a site, whose pages share a style sheet and a script beside them and load nothing else.
pub(crate) const SITE_POLICY: &str =
    "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'";

/// The report as one self-contained HTML file.
#[derive(Debug, Clone, Copy)]
pub struct HtmlRenderer;

impl Renderer for HtmlRenderer {
    fn format(&self) -> &'static str {
        "html"
    }

    fn render(&self, report: AnyReport<'_>) -> Result<Vec<u8>, ReportError> {
        let format = self.format();
        match report {
            AnyReport::Assessment(one) => html(&crate::assess::compose(one), format),
            AnyReport::Points(one) => html(&crate::points::compose(one), format),
            AnyReport::Idea(one) => html(&crate::idea::compose(one), format),
            AnyReport::Review(one) => html(&crate::review::compose(one), format),
            AnyReport::Ranking(one) => html(&crate::ranking::compose(one), format),
            AnyReport::Audit(one) => html(&crate::audit::compose(one), format),
            AnyReport::Watch(one) => html(&crate::watch::compose(one), format),
        }
    }
}

/// Renders a page. `format` is the name used in errors.
pub(crate) fn page(page: &impl askama::Template, format: &'static str) -> Result<Vec<u8>, ReportError> {
    let mut html = page
        .render()
        .map_err(|source| ReportError::Template { format, source })?;
    html.push('\n');
    Ok(html.into_bytes())
}

/// The content security policy. A page cannot load or send anything; only its own style sheet and script are allowed, by hash.
pub(crate) fn policy() -> String {
    let [style, script] = [STYLE, SCRIPT].map(|text| base64(&Sha256::digest(text.as_bytes())));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; base-uri 'none'; form-action 'none'"
    )
}

/// RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, &byte| bits << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let letter = LETTERS
                .get((bits >> (18 - 6 * place) & 63) as usize)
                .copied()
                .unwrap_or(b'=');
            out.push(if place <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_matches_the_rfc_examples() {
        for (plain, encoded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(plain.as_bytes()), encoded);
        }
    }
}

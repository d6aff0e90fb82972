use std::fmt::{self, Write};

use askama::filters::Escaper;

use crate::plain::clean;

/// Escapes every template value: makes deceptive characters visible, then escapes the five special characters of HTML.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Escaped;

impl Escaper for Escaped {
    fn write_escaped_str<W: Write>(&self, mut out: W, text: &str) -> fmt::Result {
        let text = clean(text);
        let mut rest = text.as_ref();
        while let Some(at) = rest.find(['&', '<', '>', '"', '\'']) {
            let (head, tail) = rest.split_at(at);
            out.write_str(head)?;
            let mut chars = tail.chars();
            out.write_str(match chars.next() {
                Some('&') => "&amp;",
                Some('<') => "&lt;",
                Some('>') => "&gt;",
                Some('"') => "&quot;",
                _ => "&#39;",
            })?;
            rest = chars.as_str();
        }
        out.write_str(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_deceptive_characters_become_text() {
        let mut out = String::new();
        Escaped
            .write_escaped_str(&mut out, "<a href=\"x\" on='y'>&\u{202e}é</a>")
            .unwrap();
        assert_eq!(
            out,
            "&lt;a href=&quot;x&quot; on=&#39;y&#39;&gt;&amp;⟨U+202E⟩é&lt;/a&gt;"
        );
    }
}

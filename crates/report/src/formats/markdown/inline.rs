use std::fmt::Display;

use crate::plain::{clean, one_line, open_link};

/// A line of Markdown. External text enters through [`Inline::text`] and cannot become markup.
#[derive(Debug, Clone, Default)]
pub(crate) struct Inline(String);

impl Inline {
    /// A line that starts with `text`.
    pub(crate) fn of(text: impl Display) -> Self {
        Self::default().text(text)
    }

    /// Text on one line, escaped.
    pub(crate) fn text(mut self, text: impl Display) -> Self {
        escape(&mut self.0, &text.to_string());
        self
    }

    /// Bold text; nothing if it is empty.
    pub(crate) fn strong(self, text: impl Display) -> Self {
        self.wrapped("**", &text.to_string())
    }

    /// Italic text; nothing if it is empty.
    pub(crate) fn emphasis(self, text: impl Display) -> Self {
        self.wrapped("*", &text.to_string())
    }

    /// A link to `url`; plain text if it is not a web address.
    pub(crate) fn link(mut self, label: &str, url: &str) -> Self {
        let Some(url) = open_link(url) else {
            return self.text(label);
        };
        self.0.push('[');
        escape(&mut self.0, label);
        self.0.push_str("](<");
        self.0.push_str(&url);
        self.0.push_str(">)");
        self
    }

    /// Our own Markdown, never external text.
    pub(crate) fn own(mut self, markdown: &str) -> Self {
        self.0.push_str(markdown);
        self
    }

    /// The line as Markdown.
    pub(crate) fn as_markdown(&self) -> &str {
        self.0.trim()
    }

    fn wrapped(mut self, marks: &str, text: &str) -> Self {
        let text = one_line(text);
        if !text.is_empty() {
            self.0.push_str(marks);
            escape(&mut self.0, &text);
            self.0.push_str(marks);
        }
        self
    }
}

/// Writes `text` so that no parser of CommonMark or its common extensions sees markup in it. Escapes punctuation that can start markup, turns
/// line ends into spaces and breaks up text that would become a link.
fn escape(out: &mut String, text: &str) {
    let text = clean(text);
    let mut last = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_whitespace() {
            // A line end could start a block. A run of spaces could break a line or indent code.
            if last != ' ' || !(out.is_empty() || out.ends_with(' ')) {
                out.push(' ');
            }
            last = ' ';
            continue;
        }
        let next = chars.peek().copied().unwrap_or(' ');
        let first = out.trim_start().is_empty();
        let after_number = !first && out.trim_start().bytes().all(|byte| byte.is_ascii_digit());
        let special = match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '$' | '^' | '{' | '}' | '@' => true,
            '&' => next == '#' || next.is_ascii_alphabetic(),
            // Many parsers turn `http://`, `mailto:` and `www.` into links.
            ':' => first || next == '/' || is_scheme(out),
            '.' => after_number || ends_with_www(out),
            ')' => after_number,
            '!' => next == '[',
            '#' | '-' | '+' | '=' => first,
            _ => false,
        };
        if special {
            out.push('\\');
        }
        out.push(c);
        last = c;
    }
}

/// Whether the text written so far ends with `www`, which some parsers link.
fn ends_with_www(written: &str) -> bool {
    let mut last = written.bytes().rev().take(3);
    last.len() == 3 && last.all(|byte| byte.eq_ignore_ascii_case(&b'w'))
}

/// Whether the text written so far ends with a URL scheme that parsers link, or that must never be linked.
fn is_scheme(written: &str) -> bool {
    const SCHEMES: [&str; 7] = ["mailto", "xmpp", "tel", "file", "data", "javascript", "vbscript"];
    let start = written.rfind(|c: char| !c.is_ascii_alphabetic()).map_or(0, |at| at + 1);
    let word = written.get(start..).unwrap_or_default();
    SCHEMES.iter().any(|scheme| word.eq_ignore_ascii_case(scheme))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        Inline::of(text).as_markdown().to_owned()
    }

    #[test]
    fn markup_becomes_text() {
        for (text, markdown) in [
            ("# Not a heading", "\\# Not a heading"),
            ("1. not a list", "1\\. not a list"),
            ("- not a list", "\\- not a list"),
            ("<script>alert(1)</script>", "\\<script\\>alert(1)\\</script\\>"),
            ("[x](javascript:alert(1))", "\\[x\\](javascript\\:alert(1))"),
            ("a | b", "a \\| b"),
            ("see http://evil.example", "see http\\://evil.example"),
            ("www.evil.example", "www\\.evil.example"),
            ("&lt;b&gt; R&D", "\\&lt;b\\&gt; R\\&D"),
            ("one\n\n# two", "one # two"),
            (
                "plain words, as they are: fine (2024).",
                "plain words, as they are: fine (2024).",
            ),
        ] {
            assert_eq!(escaped(text), markdown);
        }
    }

    #[test]
    fn a_link_needs_a_web_address() {
        assert_eq!(
            Inline::default().link("a]b", "https://x.example/").as_markdown(),
            "[a\\]b](<https://x.example/>)"
        );
        assert_eq!(Inline::default().link("a", "javascript:alert(1)").as_markdown(), "a");
    }
}

//! Lines as HTML. Every text is escaped here.

use std::fmt::{self, Display, Formatter};

use askama::filters::Escaper as _;

use super::{Line, Span};
use crate::formats::html::Escaped;
use crate::passage::Passage;
use crate::plain::open_link;

/// Text in which no character is markup.
pub(super) struct Text<'t>(pub(super) &'t str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Escaped.write_escaped_str(f, self.0)
    }
}

pub(super) struct Inline<'r>(pub(super) &'r Line);

impl Display for Inline<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.spans().iter().try_for_each(|span| write_span(f, span))
    }
}

fn write_span(f: &mut Formatter<'_>, span: &Span) -> fmt::Result {
    match span {
        Span::Text(text) => Text(text).fmt(f),
        Span::Foreign(text) => write!(f, "<span dir=\"auto\">{}</span>", Text(text)),
        Span::Strong(text) => write!(f, "<b>{}</b>", Text(text)),
        Span::Note(text) => write!(f, "<span class=\"muted small\">{}</span>", Text(text)),
        Span::Code(text) => write!(f, "<code>{}</code>", Text(text)),
        Span::Title(text, url) => match url.as_deref().and_then(open_link) {
            Some(url) => write!(
                f,
                "<a href=\"{}\" rel=\"noopener noreferrer nofollow\"><cite dir=\"auto\">{}</cite></a>",
                Text(&url),
                Text(text)
            ),
            None => write!(f, "<cite dir=\"auto\">{}</cite>", Text(text)),
        },
        Span::Cite(alias, number, Some(to)) => write!(
            f,
            "<a class=\"cite\" href=\"#{}\"><bdi>{}</bdi>[{number}]</a>",
            Text(to),
            Text(alias)
        ),
        Span::Cite(alias, number, None) => {
            write!(f, "<span class=\"cite\"><bdi>{}</bdi>[{number}]</span>", Text(alias))
        }
        Span::Verbatim(text) => write!(f, "<code dir=\"auto\" translate=\"no\">{}</code>", Text(text)),
        Span::Web(text, url) => match open_link(url) {
            Some(url) => write!(
                f,
                "<a href=\"{}\" rel=\"noopener noreferrer nofollow\">{}</a>",
                Text(&url),
                Text(text)
            ),
            None => Text(text).fmt(f),
        },
        Span::Named(alias, number) => write!(f, "<b><bdi>{}</bdi>[{number}]</b>", Text(alias)),
        Span::Number { number, to, hint } => {
            write!(f, "<a class=\"cite\" href=\"#{}\"", Text(to))?;
            if !hint.is_empty() {
                write!(f, " title=\"{}\"", Text(hint))?;
            }
            write!(f, ">[{number}]</a>")
        }
        Span::Link(text, to) => write!(f, "<a href=\"#{}\">{}</a>", Text(to), Text(text)),
        Span::Page(text, path) => write!(f, "<a href=\"{}\" dir=\"auto\">{}</a>", Text(path), Text(text)),
        Span::Quote(quote) => Quoted(quote).fmt(f),
        Span::Chip(key, label) => Chip(key, label).fmt(f),
        Span::Deleted(text) => write!(f, "<del dir=\"auto\">{}</del>", Text(text)),
        Span::Inserted(text) => write!(f, "<ins dir=\"auto\">{}</ins>", Text(text)),
        Span::Break => f.write_str("<br>"),
    }
}

pub(super) struct Quoted<'r>(pub(super) &'r Passage);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let one = self.0;
        let cut = |cut: bool, mark| if cut { mark } else { "" };
        let before = cut(one.cut_before, "<span class=\"cut\">… </span>");
        write!(f, "<q dir=\"auto\" data-span=\"{}\">{before}", Text(&one.span))?;
        for piece in &one.pieces {
            match piece.shared {
                true => write!(f, "<u>{}</u>", Text(&piece.text))?,
                false => Text(&piece.text).fmt(f)?,
            }
        }
        write!(f, "{}</q>", cut(one.cut, "<span class=\"cut\"> …</span>"))
    }
}

pub(crate) struct Chip<'r>(pub(crate) &'r str, pub(crate) &'r str);

impl Display for Chip<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(key, label) = self;
        write!(
            f,
            "<span class=\"chip {}\">{}{}</span>",
            Text(key),
            Glyph(key),
            Text(label)
        )
    }
}

/// The shape of a label. Each status has its own, so that nothing depends on colour alone.
pub(crate) struct Glyph<'k>(pub(crate) &'k str);

impl Display for Glyph<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let shape = match self.0 {
            "found" => r#"<path d="M8 .8 15.2 8 8 15.2.8 8Z" fill="currentColor"/>"#,
            "reading" => {
                r#"<circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="2"/><path d="M8 1.8a6.2 6.2 0 0 1 0 12.4Z" fill="currentColor"/>"#
            }
            "clear" | "absent" => {
                r#"<circle cx="8" cy="8" r="5.6" fill="none" stroke="currentColor" stroke-width="2"/>"#
            }
            _ => r#"<path d="M3 8h10" stroke="currentColor" stroke-width="2"/>"#,
        };
        write!(
            f,
            r#"<svg class="glyph" viewBox="0 0 16 16" width="13" height="13" aria-hidden="true" focusable="false">{shape}</svg>"#
        )
    }
}

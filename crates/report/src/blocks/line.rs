use std::fmt::Display;

use crate::passage::Passage;
use crate::plain::code_parts;

/// A line of text with emphasis, links and citations.
#[derive(Debug, Clone, Default)]
pub(crate) struct Line(Vec<Span>);

/// A part of a line.
#[derive(Debug, Clone)]
pub(crate) enum Span {
    /// The program's words.
    Text(String),
    /// Words of a paper, a record or a model, which may run from right to left.
    Foreign(String),
    /// Emphasised words.
    Strong(String),
    /// Words that matter less.
    Note(String),
    /// A command or an option.
    Code(String),
    /// Words that nobody should see or follow, exactly as found.
    Verbatim(String),
    /// A label with its address.
    Web(String, String),
    /// A title with its address, if it has a safe one.
    Title(String, Option<String>),
    /// `Alias[3]`, linked to an anchor if there is one.
    Cite(String, u32, Option<String>),
    /// `Alias[3]`, without a link: the entry itself.
    Named(String, u32),
    /// `[3]`, linked to an anchor, with a hint.
    Number {
        /// The number.
        number: u32,
        /// The anchor.
        to: String,
        /// Shown on hover; may be empty.
        hint: String,
    },
    /// Words linked to an anchor of the page.
    Link(String, String),
    /// Words linked to another page of the site, by its path.
    Page(String, String),
    /// Words of a source between quotation marks.
    Quote(Passage),
    /// A label with a shape.
    Chip(&'static str, String),
    /// Words that were removed.
    Deleted(String),
    /// Words that replace them.
    Inserted(String),
    /// The following starts on a new line where there is one.
    Break,
}

impl Line {
    /// A line that starts with the program's words.
    pub(crate) fn of(text: impl Display) -> Self {
        Self::default().text(text)
    }

    /// A line of external words.
    pub(crate) fn foreign(text: &str) -> Self {
        Self::default().and(Span::Foreign(text.to_owned()))
    }

    /// A message of the program, with its commands and options as code.
    pub(crate) fn message(text: &str) -> Self {
        let parts = code_parts(text).into_iter().filter(|(_, part)| !part.is_empty());
        parts.fold(Self::default(), |line, (is_code, part)| match is_code {
            true => line.and(Span::Code(part.to_owned())),
            false => line.text(part),
        })
    }

    /// External prose, in which `[3]` and `[1, 4]` cite entries that are `known`. Other brackets stay text.
    pub(crate) fn prose(text: &str, known: impl Fn(u32) -> bool) -> Self {
        cited(text, known)
    }

    /// Adds a part.
    pub(crate) fn and(mut self, span: Span) -> Self {
        self.0.push(span);
        self
    }

    /// Adds the program's words.
    pub(crate) fn text(self, text: impl Display) -> Self {
        self.and(Span::Text(text.to_string()))
    }

    /// Adds emphasised words.
    pub(crate) fn strong(self, text: impl Display) -> Self {
        self.and(Span::Strong(text.to_string()))
    }

    /// Adds words that matter less.
    pub(crate) fn note(self, text: impl Display) -> Self {
        self.and(Span::Note(text.to_string()))
    }

    /// Adds external words.
    pub(crate) fn external(self, text: &str) -> Self {
        self.and(Span::Foreign(text.to_owned()))
    }

    /// Adds a title, linked if it has an address.
    pub(crate) fn title(self, title: &str, url: Option<&str>) -> Self {
        self.and(Span::Title(title.to_owned(), url.map(str::to_owned)))
    }

    /// Adds words linked to an anchor of the page.
    pub(crate) fn link(self, text: impl Display, to: impl Display) -> Self {
        self.and(Span::Link(text.to_string(), to.to_string()))
    }

    /// Adds words linked to another page of the site, which may be external.
    pub(crate) fn page(self, text: &str, path: &str) -> Self {
        self.and(Span::Page(text.to_owned(), path.to_owned()))
    }

    /// Adds a citation: `Alias[3]`.
    pub(crate) fn cite(self, alias: &str, number: u32) -> Self {
        self.cite_at(alias, number, Some(format!("work-{number}")))
    }

    /// Adds a citation that links to another anchor, or to none.
    pub(crate) fn cite_at(self, alias: &str, number: u32, to: Option<String>) -> Self {
        self.and(Span::Cite(alias.to_owned(), number, to))
    }

    /// Adds a quote and its place.
    pub(crate) fn quote(self, quote: &Passage) -> Self {
        let line = self.and(Span::Quote(quote.clone()));
        match quote.place.is_empty() {
            true => line,
            false => line.text(" ").note(format!("({})", quote.place)),
        }
    }

    /// Adds another line.
    pub(crate) fn append(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// Its parts in order.
    pub(crate) fn spans(&self) -> &[Span] {
        &self.0
    }

    /// Whether it has no parts.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The words alone.
    pub(crate) fn plain(&self) -> String {
        let words = self.0.iter().map(|span| match span {
            Span::Text(text)
            | Span::Foreign(text)
            | Span::Strong(text)
            | Span::Note(text)
            | Span::Code(text)
            | Span::Verbatim(text)
            | Span::Web(text, _)
            | Span::Title(text, _)
            | Span::Link(text, _)
            | Span::Page(text, _)
            | Span::Chip(_, text)
            | Span::Deleted(text)
            | Span::Inserted(text) => text.clone(),
            Span::Cite(alias, number, _) | Span::Named(alias, number) => format!("{alias}[{number}]"),
            Span::Number { number, .. } => format!("[{number}]"),
            Span::Quote(quote) => quote.text(),
            Span::Break => " ".to_owned(),
        });
        words.collect()
    }
}

/// Splits `text` at its citations of `known` entries.
fn cited(text: &str, known: impl Fn(u32) -> bool) -> Line {
    let mut line = Line::default();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (before, inside) = rest.split_at(open);
        let inside = inside.get(1..).unwrap_or_default();
        let closed = inside
            .find(']')
            .and_then(|end| Some((inside.get(..end)?, inside.get(end + 1..)?)));
        plain.push_str(before);
        let Some((numbers, after)) = closed.and_then(|(inner, after)| Some((numbers(inner, &known)?, after))) else {
            plain.push('[');
            rest = inside;
            continue;
        };
        line = line.and(Span::Foreign(std::mem::take(&mut plain)));
        line = numbers.into_iter().fold(line, |line, number| {
            line.and(Span::Number {
                number,
                to: format!("work-{number}"),
                hint: String::new(),
            })
        });
        rest = after;
    }
    plain.push_str(rest);
    match plain.is_empty() {
        true => line,
        false => line.and(Span::Foreign(plain)),
    }
}

/// The numbers in `3` or `1, 4`, if all are known.
fn numbers(inner: &str, known: impl Fn(u32) -> bool) -> Option<Vec<u32>> {
    let number = |part: &str| part.trim().parse::<u32>().ok().filter(|number| known(*number));
    inner.split([',', ';']).map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_numbers_of_known_entries_become_citations() {
        let parsed = |text: &str| Line::prose(text, |number| number <= 5);
        assert_eq!(
            parsed("It holds [3], and so [1, 4].").plain(),
            "It holds [3], and so [1][4]."
        );
        let is_link = |span: &Span| matches!(span, Span::Number { .. });
        assert_eq!(
            parsed("It holds [3], and so [1, 4].")
                .spans()
                .iter()
                .filter(|one| is_link(one))
                .count(),
            3
        );
        for plain in [
            "an index x[i]",
            "see [9]",
            "open [3",
            "[]",
            "",
            "[[",
            "a [1, 9]",
            "é[–3]",
        ] {
            assert_eq!(parsed(plain).plain(), plain);
            assert!(!parsed(plain).spans().iter().any(is_link), "{plain}");
        }
    }
}

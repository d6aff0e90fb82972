use std::fmt::{self, Display, Formatter};

use askama::Template;
use askama::filters::Escaper as _;

use super::block::SectionHeading;
use super::{Block, Entry, Line, ReportPage, Section, Span, Tone};
use crate::ReportError;
use crate::excerpt::Excerpt;
use crate::formats::html::{Escaped, page};
use crate::plain::open_link;

/// Writes the report as an HTML page. `format` is the name used in errors.
pub(crate) fn html(report: &ReportPage, format: &'static str) -> Result<Vec<u8>, ReportError> {
    let links = report.sections.iter().flat_map(|one| &one.links);
    let document = Document {
        title: &report.title,
        about: report.about,
        kind: report.kind,
        findings: report.sections.first().map_or("", |one| one.id.as_str()),
        links: links.collect(),
        byline: Byline(&report.byline).to_string(),
        body: Body(&report.sections).to_string(),
        disclaimer: &report.disclaimer,
    };
    page(&document, format)
}

#[derive(Template)]
#[template(path = "document.html")]
struct Document<'r> {
    title: &'r str,
    about: &'static str,
    kind: &'static str,
    findings: &'r str,
    links: Vec<&'r (String, String)>,
    byline: String,
    body: String,
    disclaimer: &'r str,
}

/// Text in which no character is markup.
struct Text<'t>(&'t str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Escaped.write_escaped_str(f, self.0)
    }
}

struct Byline<'r>(&'r [Line]);

impl Display for Byline<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return Ok(());
        }
        f.write_str("<ul class=\"byline\">")?;
        for line in self.0 {
            write!(f, "<li>{}</li>", Inline(line))?;
        }
        f.write_str("</ul>")
    }
}

struct Body<'r>(&'r [Section]);

impl Display for Body<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for one in self.0 {
            let (id, title, blocks) = (Text(&one.id), Text(&one.title), Blocks(&one.blocks));
            match one.heading {
                SectionHeading::Folded => writeln!(
                    f,
                    "<section class=\"fold\" aria-labelledby=\"{id}-h\">\n<details><summary><h2 id=\"{id}-h\">{title}</h2></summary>\n\
                     <div id=\"{id}\">\n{blocks}</div>\n</details>\n</section>"
                )?,
                heading => {
                    let class = if heading == SectionHeading::Hidden {
                        " class=\"sr\""
                    } else {
                        ""
                    };
                    writeln!(
                        f,
                        "<section id=\"{id}\" aria-labelledby=\"{id}-h\">\n<h2 id=\"{id}-h\"{class}>{title}</h2>\n{blocks}</section>"
                    )?;
                }
            }
        }
        Ok(())
    }
}

struct Blocks<'r>(&'r [Block]);

impl Display for Blocks<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for block in self.0 {
            write_block(f, block)?;
            f.write_str("\n")?;
        }
        Ok(())
    }
}

fn write_block(f: &mut Formatter<'_>, block: &Block) -> fmt::Result {
    match block {
        Block::Heading(level, line) => write!(f, "<h{level}>{}</h{level}>", Inline(line)),
        Block::Paragraph(tone, line) => match class(*tone) {
            "" => write!(f, "<p dir=\"auto\">{}</p>", Inline(line)),
            class => write!(f, "<p class=\"{class}\" dir=\"auto\">{}</p>", Inline(line)),
        },
        Block::Quote {
            who,
            label,
            quote,
            signed,
        } => write_quote(f, who, *label, quote, *signed),
        Block::Extract(lines) => {
            f.write_str("<blockquote class=\"prose\">")?;
            for line in lines {
                write!(f, "<p dir=\"auto\">{}</p>", Inline(line))?;
            }
            f.write_str("</blockquote>")
        }
        Block::List { numbered, items } => {
            let tag = if *numbered { "ol" } else { "ul" };
            write!(f, "<{tag}>")?;
            for item in items {
                write!(f, "<li dir=\"auto\">{}</li>", Inline(item))?;
            }
            write!(f, "</{tag}>")
        }
        Block::Terms(terms) => {
            f.write_str("<dl class=\"terms\">")?;
            for (name, line) in terms {
                write!(
                    f,
                    "<div><dt>{}</dt><dd dir=\"auto\">{}</dd></div>",
                    Text(name),
                    Inline(line)
                )?;
            }
            f.write_str("</dl>")
        }
        Block::Entries { start, entries } => write_entries(f, *start, entries),
        Block::Table {
            label,
            findings,
            head,
            rows,
        } => write_table(f, label, *findings, head, rows),
        Block::Fold { title, blocks, .. } => write!(
            f,
            "<details class=\"more\"><summary>{}</summary>\n{}</details>",
            Text(title),
            Blocks(blocks)
        ),
        Block::Sides([own, theirs]) => write!(
            f,
            "<div class=\"sides\">\n<div class=\"own\">\n{}</div>\n<div class=\"theirs\">\n{}</div>\n</div>",
            Blocks(own),
            Blocks(theirs)
        ),
        Block::Article {
            id,
            title,
            sides,
            blocks,
        } => write!(
            f,
            "<article class=\"claim{}\" id=\"{id}\" aria-labelledby=\"{id}-h\">\n<header><h3 id=\"{id}-h\">{}</h3></header>\n{}</article>",
            if *sides { " point" } else { "" },
            Inline(title),
            Blocks(blocks),
            id = Text(id),
        ),
        Block::Passage { id, who, blocks } => {
            f.write_str("<div class=\"passage\"")?;
            if let Some(id) = id {
                write!(f, " id=\"{}\"", Text(id))?;
            }
            write!(f, ">\n<p class=\"who\">{}</p>\n{}</div>", Inline(who), Blocks(blocks))
        }
        Block::Limits { title, first, all } => write_limits(f, title, first, *all),
        Block::AllLimits(title) => write!(f, "<h3 id=\"all-limits\">{}</h3>", Text(title)),
        Block::Warning(line) => write!(
            f,
            "<aside class=\"caution\" aria-label=\"Warning\"><p>{}</p></aside>",
            Inline(line)
        ),
        Block::Chart(chart) => write!(f, "{chart}"),
    }
}

fn class(tone: Tone) -> &'static str {
    match tone {
        Tone::Plain => "",
        Tone::Lead => "lead",
        Tone::Intro => "intro",
        Tone::Prose => "prose",
        Tone::Small => "small",
        Tone::Fine => "small muted",
        Tone::Empty => "empty",
        Tone::Context => "context small",
    }
}

fn write_quote(
    f: &mut Formatter<'_>,
    who: &Line,
    label: Option<(&'static str, &'static str)>,
    quote: &Excerpt,
    signed: bool,
) -> fmt::Result {
    let place = Text(&quote.place);
    if signed {
        let comma = if quote.place.is_empty() { "" } else { ", " };
        return write!(
            f,
            "<blockquote class=\"minor\"><p>{}</p><footer>{}{comma}{place}</footer></blockquote>",
            Quoted(quote),
            Inline(who)
        );
    }
    f.write_str("<p class=\"text\">")?;
    if let Some((key, label)) = label {
        write!(f, "{} ", Chip(key, label))?;
    }
    write!(f, "{}", Quoted(quote))?;
    if !quote.place.is_empty() {
        write!(f, " <span class=\"muted small\">{place}</span>")?;
    }
    f.write_str("</p>")
}

fn write_entries(f: &mut Formatter<'_>, start: usize, entries: &[Entry]) -> fmt::Result {
    match start {
        1 => f.write_str("<ol class=\"works\">\n")?,
        start => writeln!(f, "<ol class=\"works\" start=\"{start}\">")?,
    }
    for one in entries {
        writeln!(
            f,
            "<li id=\"{}\">\n<p class=\"title\">{}</p>\n<p class=\"muted\" dir=\"auto\">{}</p>\n{}</li>",
            Text(&one.id),
            Inline(&one.title),
            Inline(&one.facts),
            Blocks(&one.blocks)
        )?;
    }
    f.write_str("</ol>")
}

fn write_table(f: &mut Formatter<'_>, label: &str, findings: bool, head: &[Line], rows: &[Vec<Line>]) -> fmt::Result {
    let class = if findings { " class=\"findings index\"" } else { "" };
    write!(
        f,
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n<table{class}>\n<thead><tr>",
        Text(label)
    )?;
    for name in head {
        write!(f, "<th scope=\"col\">{}</th>", Inline(name))?;
    }
    f.write_str("</tr></thead>\n<tbody>")?;
    for row in rows {
        f.write_str("<tr>")?;
        for (at, cell) in row.iter().enumerate() {
            match head.get(at) {
                _ if at == 0 => write!(f, "<th scope=\"row\" dir=\"auto\">{}</th>", Inline(cell))?,
                Some(name) if findings => write!(
                    f,
                    "<td data-label=\"{}\" dir=\"auto\">{}</td>",
                    Text(&name.plain()),
                    Inline(cell)
                )?,
                _ => write!(f, "<td dir=\"auto\">{}</td>", Inline(cell))?,
            }
        }
        f.write_str("</tr>\n")?;
    }
    f.write_str("</tbody>\n</table>\n</div>")
}

fn write_limits(f: &mut Formatter<'_>, title: &str, first: &[Line], all: usize) -> fmt::Result {
    writeln!(f, "<div class=\"limits\"><h3>{}</h3>", Text(title))?;
    if first.is_empty() {
        f.write_str("<p>The run reports no limits.</p>\n")?;
    } else {
        f.write_str("<ul>")?;
        for line in first {
            write!(f, "<li>{}</li>", Inline(line))?;
        }
        f.write_str("</ul>\n")?;
    }
    if all > first.len() {
        writeln!(f, "<p><a href=\"#all-limits\">All {all} limits</a></p>")?;
    }
    f.write_str("</div>")
}

struct Inline<'r>(&'r Line);

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
        Span::Cite(alias, number) => write!(
            f,
            "<a class=\"cite\" href=\"#work-{number}\"><bdi>{}</bdi>[{number}]</a>",
            Text(alias)
        ),
        Span::Named(alias, number) => write!(f, "<b><bdi>{}</bdi>[{number}]</b>", Text(alias)),
        Span::Number { number, to, hint } => {
            write!(f, "<a class=\"cite\" href=\"#{}\"", Text(to))?;
            if !hint.is_empty() {
                write!(f, " title=\"{}\"", Text(hint))?;
            }
            write!(f, ">[{number}]</a>")
        }
        Span::Link(text, to) => write!(f, "<a href=\"#{}\">{}</a>", Text(to), Text(text)),
        Span::Quote(quote) => Quoted(quote).fmt(f),
        Span::Chip(key, label) => Chip(key, label).fmt(f),
        Span::Deleted(text) => write!(f, "<del dir=\"auto\">{}</del>", Text(text)),
        Span::Inserted(text) => write!(f, "<ins dir=\"auto\">{}</ins>", Text(text)),
        Span::Break => f.write_str("<br>"),
    }
}

struct Quoted<'r>(&'r Excerpt);

impl Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Excerpt { text, cut, span, .. } = self.0;
        let more = if *cut { "<span class=\"cut\"> …</span>" } else { "" };
        write!(
            f,
            "<q dir=\"auto\" data-span=\"{}\">{}{more}</q>",
            Text(span),
            Text(text)
        )
    }
}

struct Chip<'r>(&'r str, &'r str);

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

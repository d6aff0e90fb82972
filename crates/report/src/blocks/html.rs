use std::fmt::{self, Display, Formatter};

use askama::Template;

use super::block::SectionHeading;
use super::html_line::{Chip, Inline, Quoted, Text};
use super::html_table::write_table;
use super::{Block, Branch, Entry, Line, ReportPage, Section, Tone};
use crate::ReportError;
use crate::formats::html::page;
use crate::passage::{Passage, Side};

/// What a page of a site has around its content.
pub(crate) struct SiteFrame<'r> {
    /// The path to the site's folder: empty or `../`.
    pub(crate) root: &'r str,
    /// Links to pages above this one: path and label.
    pub(crate) crumbs: Vec<(String, String)>,
    /// Who may read it; may be empty.
    pub(crate) notice: &'r str,
}

/// Writes the report as an HTML page. `format` is the name used in errors.
pub(crate) fn html(report: &ReportPage, format: &'static str) -> Result<Vec<u8>, ReportError> {
    document(report, None, format)
}

/// Writes a page of a site, which shares a style sheet and a script with the others.
pub(crate) fn html_in_site(
    report: &ReportPage,
    site: &SiteFrame<'_>,
    format: &'static str,
) -> Result<Vec<u8>, ReportError> {
    document(report, Some(site), format)
}

fn document(report: &ReportPage, site: Option<&SiteFrame<'_>>, format: &'static str) -> Result<Vec<u8>, ReportError> {
    let links = report.sections.iter().flat_map(|one| &one.links);
    let document = HtmlDocument {
        site,
        title: &report.title,
        about: report.about,
        kind: report.kind,
        findings: report.sections.first().map_or("", |one| one.id.as_str()),
        links: links.collect(),
        byline: Byline(&report.byline).to_string(),
        body: format!("{}{}", Blocks(&report.warnings), Body(&report.sections)),
        disclaimer: &report.disclaimer,
    };
    page(&document, format)
}

#[derive(Template)]
#[template(path = "document.html")]
struct HtmlDocument<'r> {
    site: Option<&'r SiteFrame<'r>>,
    title: &'r str,
    about: &'static str,
    kind: &'static str,
    findings: &'r str,
    links: Vec<&'r (String, String)>,
    byline: String,
    body: String,
    disclaimer: &'r str,
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
                SectionHeading::Folded => {
                    let class = if one.printed { "fold printed" } else { "fold" };
                    let note = match one.note.as_str() {
                        "" => String::new(),
                        note => format!(" <span class=\"muted\">{}</span>", Text(note)),
                    };
                    writeln!(
                        f,
                        "<section class=\"{class}\" aria-labelledby=\"{id}-h\">\n<details><summary><h2 id=\"{id}-h\">{title}</h2>{note}</summary>\n\
                         <div id=\"{id}\">\n{blocks}</div>\n</details>\n</section>"
                    )?;
                }
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
        Block::Anchored(id, line) => write!(f, "<h3 id=\"{}\">{}</h3>", Text(id), Inline(line)),
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
        Block::Entries {
            start,
            searchable,
            entries,
            ..
        } => write_entries(f, *start, *searchable, entries),
        Block::Table {
            label,
            kind,
            head,
            rows,
            ..
        } => write_table(f, label, *kind, head, rows),
        Block::Limits {
            title,
            first,
            all,
            complete,
        } => write_limits(f, title, first, (*all, *complete)),
        Block::Warning(line, blocks) => write!(
            f,
            "<aside class=\"caution\" aria-label=\"{}\"><p>{}</p>\n{}</aside>",
            Text(&line.plain()),
            Inline(line),
            Blocks(blocks)
        ),
        Block::Chart(chart) => write!(f, "{chart}"),
        Block::Search { chunks } => write!(
            f,
            "<form class=\"filters\" data-chunks=\"{chunks}\" hidden>\n<label>Search titles, claims and prior work <input type=\"search\" \
             autocomplete=\"off\"></label>\n<p role=\"status\"></p>\n</form>\n<ul class=\"results\"></ul>"
        ),
        Block::Tree(root) => write!(f, "<ul class=\"tree\">\n{}</ul>", Subtree(root)),
        container => write_container(f, container),
    }
}

/// Writes a block that contains others.
fn write_container(f: &mut Formatter<'_>, block: &Block) -> fmt::Result {
    match block {
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
        Block::Opening([facts, limits]) => write!(
            f,
            "<div class=\"opening\">\n<div>\n{}</div>\n<div>\n{}</div>\n</div>",
            Blocks(facts),
            Blocks(limits)
        ),
        Block::Cards { label, cards } => {
            writeln!(f, "<ol class=\"top3\" aria-label=\"{}\">", Text(label))?;
            for card in cards {
                write!(f, "<li>\n{}</li>\n", Blocks(card))?;
            }
            f.write_str("</ol>")
        }
        Block::Comparison {
            id,
            open,
            status: (key, label),
            who,
            facts,
            blocks,
        } => write!(
            f,
            "<details class=\"work\"{}>\n<summary>{} <span class=\"name\">{}</span> <span class=\"muted\">{}</span></summary>\n\
             <div class=\"body\" id=\"{}\">\n{}</div>\n</details>",
            if *open { " open" } else { "" },
            Chip(key, label),
            Inline(who),
            Text(facts),
            Text(id),
            Blocks(blocks)
        ),
        Block::Pair {
            caption,
            ours,
            who,
            theirs,
            ..
        } => write!(
            f,
            "<figure class=\"pair\">\n<figcaption>{}</figcaption>\n<div class=\"sides\">\n{}{}</div>\n</figure>",
            Inline(caption),
            InContext(&Line::of("This paper"), ours),
            InContext(who, theirs)
        ),
        Block::PageOnly(blocks) => Blocks(blocks).fmt(f),
        Block::Article {
            id,
            above,
            title,
            sides,
            blocks,
        } => {
            let class = if *sides { "claim point" } else { "claim" };
            let id = Text(id);
            writeln!(
                f,
                "<article class=\"{class}\" id=\"{id}\" aria-labelledby=\"{id}-h\">\n<header>"
            )?;
            if !above.is_empty() {
                writeln!(f, "<p class=\"eyebrow\">{}</p>", Text(above))?;
            }
            let link = Text(&title.plain()).to_string();
            write!(
                f,
                "<h3 id=\"{id}-h\" dir=\"auto\">{} <a class=\"anchor\" href=\"#{id}\" aria-label=\"Link to: {link}\">#</a></h3>\n</header>\n{}</article>",
                Inline(title),
                Blocks(blocks)
            )
        }
        Block::Passage { id, who, blocks } => {
            f.write_str("<div class=\"passage\"")?;
            if let Some(id) = id {
                write!(f, " id=\"{}\"", Text(id))?;
            }
            write!(f, ">\n<p class=\"who\">{}</p>\n{}</div>", Inline(who), Blocks(blocks))
        }
        _ => Ok(()),
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
        Tone::Standing => "standing",
        Tone::Who => "who",
        Tone::Verdict => "verdict",
        Tone::Side => "pair-line",
        Tone::Copy => "copy",
    }
}

fn write_quote(
    f: &mut Formatter<'_>,
    who: &Line,
    label: Option<(&'static str, &'static str)>,
    quote: &Passage,
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

fn write_entries(f: &mut Formatter<'_>, start: usize, searchable: bool, entries: &[Entry]) -> fmt::Result {
    let class = if searchable { "works searchable" } else { "works" };
    match start {
        1 => writeln!(f, "<ol class=\"{class}\">")?,
        start => writeln!(f, "<ol class=\"{class}\" start=\"{start}\">")?,
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

/// A passage in its paragraph.
struct InContext<'r>(&'r Line, &'r Side);

impl Display for InContext<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(who, side) = self;
        write!(f, "<div class=\"passage\">\n<p class=\"side\">{}", Inline(who))?;
        if !side.passage.place.is_empty() {
            write!(f, " · {}", Text(&side.passage.place))?;
        }
        f.write_str("</p>\n<p class=\"text\" dir=\"auto\">")?;
        let (open, close) = match side.before.is_empty() && side.after.is_empty() {
            true => ("", ""),
            false => ("<mark>", "</mark>"),
        };
        let around = |text: &str| match text.is_empty() {
            true => String::new(),
            false => format!("<span class=\"context\">{}</span>", Text(text)),
        };
        let cut = |cut: bool| if cut { "…" } else { "" };
        write!(
            f,
            "{} {}{open}{}{close}{} {}</p>",
            cut(side.before_cut),
            around(&side.before),
            Quoted(&side.passage),
            around(&side.after),
            cut(side.after_cut)
        )?;
        if !side.edits.is_empty() {
            let edits = side.edits.join("; ");
            write!(
                f,
                "\n<p class=\"small muted\">The words searched for {}.</p>",
                Text(&edits)
            )?;
        }
        f.write_str("\n</div>\n")
    }
}

struct Subtree<'r>(&'r Branch);

impl Display for Subtree<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let one = self.0;
        let open = if one.open { " open" } else { "" };
        let class = if one.home { " class=\"home\"" } else { "" };
        writeln!(
            f,
            "<li><details{open}{class}>\n<summary>{}</summary>",
            Inline(&one.title)
        )?;
        if !one.scope.is_empty() {
            writeln!(f, "<p class=\"scope\" dir=\"auto\">{}</p>", Inline(&one.scope))?;
        }
        f.write_str("<ul>\n")?;
        if one.home {
            f.write_str("<li class=\"paper\"><b>This paper</b></li>\n")?;
        }
        for (cite, title) in &one.papers {
            writeln!(
                f,
                "<li class=\"paper\">{} <span dir=\"auto\">{}</span></li>",
                Inline(cite),
                Text(title)
            )?;
        }
        one.branches.iter().try_for_each(|one| Subtree(one).fmt(f))?;
        f.write_str("</ul></details></li>\n")
    }
}

fn write_limits(f: &mut Formatter<'_>, title: &str, first: &[Line], (all, complete): (usize, bool)) -> fmt::Result {
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
    if !complete {
        let label = match all > first.len() {
            true => format!("All {all} limits"),
            false => "The limits in full".to_owned(),
        };
        writeln!(f, "<p><a href=\"#all-limits\">{label}</a></p>")?;
    }
    f.write_str("</div>")
}

use super::{Block, Entry, InMarkdown, Line, ReportPage, Span, Tone};
use crate::excerpt::Excerpt;
use crate::formats::markdown::{Inline, Writer};
use crate::words;

/// Writes the report as Markdown, in the order of the page.
pub(crate) fn markdown(report: &ReportPage) -> Vec<u8> {
    let mut out = Writer::default();
    out.heading(1, &Inline::of(&report.title));
    out.paragraph(&Inline::of(words::sentence(report.kind)));
    for line in &report.byline {
        out.paragraph(&inline(line));
    }
    for one in &report.sections {
        out.heading(2, &Inline::of(&one.title));
        blocks(&mut out, &one.blocks);
    }
    out.paragraph(&Inline::default().emphasis(&report.disclaimer));
    out.finish().into_bytes()
}

fn blocks(out: &mut Writer, all: &[Block]) {
    all.iter().for_each(|one| block(out, one));
}

fn block(out: &mut Writer, one: &Block) {
    match one {
        Block::Heading(level, line) => out.heading((*level).into(), &inline(line)),
        Block::Paragraph(tone, line) => match tone {
            Tone::Empty => out.paragraph(&Inline::default().emphasis(line.plain())),
            _ => out.paragraph(&inline(line)),
        },
        Block::Quote { who, label, quote, .. } => {
            let comma = if quote.place.is_empty() { "" } else { ", " };
            let label = label.map(|(_, label)| format!(", {label}")).unwrap_or_default();
            let source = Inline::of("— ").own(inline(who).as_markdown());
            out.block_quote(&[
                Inline::of(quoted(quote)),
                source.text(comma).text(&quote.place).text(label),
            ]);
        }
        Block::Extract(lines) => out.block_quote(&lines.iter().map(inline).collect::<Vec<_>>()),
        Block::List { items, .. } => out.list(&items.iter().map(inline).collect::<Vec<_>>()),
        Block::Terms(terms) => {
            let term = |(name, line): &(String, Line)| {
                let name = Inline::default().strong(name).text(": ");
                name.own(inline(line).as_markdown())
            };
            out.list(&terms.iter().map(term).collect::<Vec<_>>());
        }
        Block::Entries { entries, .. } => entries.iter().for_each(|one| entry(out, one)),
        Block::Table { head, rows, .. } => {
            let head: Vec<String> = head.iter().map(Line::plain).collect();
            let head: Vec<&str> = head.iter().map(String::as_str).collect();
            let row = |row: &Vec<Line>| row.iter().map(inline).collect();
            out.table(&head, &rows.iter().map(row).collect::<Vec<Vec<Inline>>>());
        }
        Block::Fold {
            title,
            blocks: content,
            markdown,
        } => match markdown {
            InMarkdown::Shown => {
                out.paragraph(&Inline::default().emphasis(format!("{title}:")));
                blocks(out, content);
            }
            InMarkdown::Named => {
                out.paragraph(&Inline::default().emphasis(format!("{title}: see the HTML or JSON report.")));
            }
            InMarkdown::Omitted => {}
        },
        Block::Sides([own, theirs]) => {
            blocks(out, own);
            blocks(out, theirs);
        }
        Block::Article {
            title, blocks: content, ..
        } => {
            out.heading(3, &inline(title));
            blocks(out, content);
        }
        Block::Passage {
            who, blocks: content, ..
        } => {
            if !content.iter().any(|one| matches!(one, Block::Quote { .. })) {
                out.paragraph(&inline(who));
            }
            blocks(out, content);
        }
        Block::Limits { title, first, all } => {
            out.paragraph(&Inline::default().strong(format!("{title}:")));
            if first.is_empty() {
                out.paragraph(&Inline::of("The run reports no limits."));
            }
            out.list(&first.iter().map(inline).collect::<Vec<_>>());
            if *all > first.len() {
                out.paragraph(&Inline::default().emphasis(format!("All {all} limits are at the end.")));
            }
        }
        Block::AllLimits(title) => out.heading(3, &Inline::of(title)),
        Block::Warning(line) => out.paragraph(&Inline::default().strong(line.plain())),
        // The table that follows has the same numbers.
        Block::Chart(_) => {}
    }
}

fn entry(out: &mut Writer, one: &Entry) {
    let title = inline(&one.title);
    let facts = inline(&one.facts);
    if one.blocks.is_empty() {
        return out.list(&[title.text(". ").own(facts.as_markdown())]);
    }
    out.heading(3, &title);
    out.paragraph(&facts);
    blocks(out, &one.blocks);
}

fn quoted(quote: &Excerpt) -> String {
    format!("“{}{}”", quote.text, if quote.cut { " …" } else { "" })
}

fn inline(line: &Line) -> Inline {
    let mut last = None;
    line.spans().iter().fold(Inline::default(), |out, span| {
        let before = last.take();
        match span {
            Span::Text(text) | Span::Foreign(text) | Span::Note(text) => out.text(text),
            Span::Strong(text) | Span::Chip(_, text) => out.strong(text),
            Span::Code(text) => out.own(&format!("`{text}`")),
            Span::Title(text, url) => match url {
                Some(url) => out.link(text, url),
                None => out.text(text),
            },
            Span::Cite(alias, number) | Span::Named(alias, number) => out.text(alias).own(&format!("[{number}]")),
            Span::Number { number, .. } => {
                last = Some(*number);
                // Several passages of one paper are one citation here.
                if before == last {
                    out
                } else {
                    out.own(&format!("[{number}]"))
                }
            }
            Span::Link(text, _) => out.text(text),
            Span::Quote(quote) => out.text(quoted(quote)),
            Span::Deleted(text) => out.text(format!("“{text}”")),
            Span::Inserted(text) => out.text(format!("→ “{text}”")),
            Span::Break => out.text(" "),
        }
    })
}

use super::{Block, Branch, Entry, InMarkdown, Line, ReportPage, Span, Tone};
use crate::formats::markdown::{Inline, Writer};
use crate::passage::Passage;
use crate::words;

/// Follows what is left out here.
const ELSEWHERE: &str = "see the HTML or JSON report.";

/// Writes the report as Markdown, in the order of the page.
pub(crate) fn markdown(report: &ReportPage) -> Vec<u8> {
    let mut out = Writer::default();
    out.heading(1, &Inline::of(&report.title));
    out.paragraph(&Inline::of(words::sentence(report.kind)));
    let byline = report.byline.iter().enumerate();
    out.paragraph(&byline.fold(Inline::default(), |out, (at, line)| {
        append(out.text(if at > 0 { " · " } else { "" }), line)
    }));
    blocks(&mut out, &report.warnings);
    for (at, one) in report.sections.iter().enumerate() {
        out.heading(2, &Inline::of(&one.title));
        blocks(&mut out, &one.blocks);
        if at == 0 {
            out.paragraph(&Inline::default().emphasis(&report.disclaimer));
        }
    }
    out.finish().into_bytes()
}

fn blocks(out: &mut Writer, all: &[Block]) {
    all.iter().for_each(|one| block(out, one));
}

fn block(out: &mut Writer, one: &Block) {
    match one {
        Block::Heading(level, line) => out.heading((*level).into(), &inline(line)),
        Block::Anchored(_, line) => out.heading(3, &inline(line)),
        Block::Paragraph(tone, line) => match tone {
            Tone::Empty => out.paragraph(&Inline::default().emphasis(line.plain())),
            _ => out.paragraph(&inline(line)),
        },
        Block::Quote { who, label, quote, .. } => {
            let label = label.map(|(_, label)| format!(", {label}")).unwrap_or_default();
            let [words, source] = signed(who, quote);
            out.block_quote(&[words, source.text(label)]);
        }
        Block::Extract(lines) => out.block_quote(&lines.iter().map(inline).collect::<Vec<_>>()),
        Block::List { items, .. } => out.list(&items.iter().map(inline).collect::<Vec<_>>()),
        Block::Terms(terms) => {
            let term = |(name, line): &(String, Line)| append(Inline::default().strong(name).text(": "), line);
            out.list(&terms.iter().map(term).collect::<Vec<_>>());
        }
        Block::Entries { entries, brief, .. } => {
            if *brief {
                return out.list(&entries.iter().map(in_one_line).collect::<Vec<_>>());
            }
            entries.iter().for_each(|one| entry(out, one));
        }
        Block::Table { head, rows, most, .. } => {
            let head: Vec<String> = head.iter().map(|one| one.name.plain()).collect();
            let head: Vec<&str> = head.iter().map(String::as_str).collect();
            let shown = rows.iter().take(*most);
            let shown: Vec<Vec<Inline>> = shown.map(|row| row.cells.iter().map(inline).collect()).collect();
            out.table(&head, &shown);
            if rows.len() > shown.len() {
                let more = words::count(rows.len() - shown.len(), "more row", "more rows");
                out.paragraph(&Inline::default().emphasis(format!("{more}: {ELSEWHERE}")));
            }
        }
        Block::Limits {
            title,
            first,
            all,
            complete,
        } => {
            out.heading(3, &Inline::of(title));
            if first.is_empty() {
                out.paragraph(&Inline::of("The run reports no limits."));
            }
            out.list(&first.iter().map(inline).collect::<Vec<_>>());
            if *all > first.len() {
                out.paragraph(&Inline::default().emphasis(format!("All {all} limits are at the end.")));
            } else if !complete {
                out.paragraph(&Inline::default().emphasis("The limits are at the end in full."));
            }
        }
        Block::Warning(line, content) => {
            out.paragraph(&Inline::default().strong(line.plain()));
            blocks(out, content);
        }
        // A table has the same numbers, and the comparisons have the same papers.
        Block::Chart(_) | Block::Search { .. } | Block::Cards { .. } | Block::PageOnly(_) => {}
        container => contained(out, container),
    }
}

/// Writes a block that contains others.
fn contained(out: &mut Writer, one: &Block) {
    match one {
        Block::Fold {
            title,
            blocks: content,
            markdown,
        } => match markdown {
            InMarkdown::Shown => {
                out.paragraph(&Inline::default().emphasis(format!("{title}:")));
                blocks(out, content);
            }
            InMarkdown::Untitled => blocks(out, content),
            InMarkdown::Named => {
                out.paragraph(&Inline::default().emphasis(format!("{title}: {ELSEWHERE}")));
            }
            InMarkdown::Omitted => {}
        },
        Block::Sides([own, theirs]) | Block::Opening([own, theirs]) => {
            blocks(out, own);
            blocks(out, theirs);
        }
        Block::Comparison {
            status: (_, status),
            who,
            facts,
            blocks: content,
            ..
        } => {
            out.heading(4, &inline(who));
            let status = Inline::default().strong(status);
            out.paragraph(&status.text(format!(" ({facts})")));
            blocks(out, content);
        }
        Block::Pair {
            caption,
            ours,
            known,
            who,
            theirs,
        } => {
            out.paragraph(&inline(caption));
            let mut lines = Vec::new();
            if !known {
                lines.extend(signed(&Line::of("the paper"), &ours.passage));
            }
            lines.extend(signed(who, &theirs.passage));
            out.block_quote(&lines);
        }
        Block::Tree(root) => {
            out.gap();
            branch(out, root, 0);
        }
        Block::Article {
            above,
            title,
            blocks: content,
            ..
        } => {
            let above = if above.is_empty() {
                String::new()
            } else {
                format!("{above}: ")
            };
            out.heading(3, &append(Inline::of(above), title));
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
        _ => {}
    }
}

fn branch(out: &mut Writer, one: &Branch, depth: usize) {
    let mut line = inline(&one.title);
    if !one.scope.is_empty() {
        line = append(line.text(": "), &one.scope);
    }
    out.item(depth, &line);
    if one.home {
        out.item(depth + 1, &Inline::default().strong("This paper"));
    }
    let papers = one.papers.iter().enumerate();
    let papers = papers.fold(Inline::default(), |line, (at, (cite, _))| {
        let line = line.text(if at > 0 { ", " } else { "" });
        append(line, cite)
    });
    if !one.papers.is_empty() {
        out.item(depth + 1, &papers);
    }
    one.branches.iter().for_each(|one| branch(out, one, depth + 1));
}

fn in_one_line(one: &Entry) -> Inline {
    append(inline(&one.title).text(". "), &one.facts)
}

/// The words of a source, then the source with its place.
fn signed(who: &Line, quote: &Passage) -> [Inline; 2] {
    let comma = if quote.place.is_empty() { "" } else { ", " };
    let source = append(Inline::of("— "), who);
    [Inline::of(quoted(quote)), source.text(comma).text(&quote.place)]
}

fn entry(out: &mut Writer, one: &Entry) {
    if one.blocks.is_empty() {
        return out.list(&[in_one_line(one)]);
    }
    out.heading(3, &inline(&one.title));
    out.paragraph(&inline(&one.facts));
    blocks(out, &one.blocks);
}

fn quoted(quote: &Passage) -> String {
    let before = if quote.cut_before { "… " } else { "" };
    format!("“{before}{}{}”", quote.text(), if quote.cut { " …" } else { "" })
}

fn inline(line: &Line) -> Inline {
    append(Inline::default(), line)
}

fn append(out: Inline, line: &Line) -> Inline {
    let mut last = None;
    line.spans().iter().fold(out, |out, span| {
        let before = last.take();
        match span {
            Span::Text(text) | Span::Foreign(text) | Span::Note(text) => out.text(text),
            Span::Strong(text) | Span::Chip(_, text) => out.strong(text),
            Span::Code(text) => out.own(&format!("`{text}`")),
            Span::Title(text, url) => match url {
                Some(url) => out.link(text, url),
                None => out.text(text),
            },
            Span::Verbatim(text) => out.text(format!("“{text}”")),
            Span::Web(text, url) => out.link(text, url),
            Span::Cite(alias, number, _) | Span::Named(alias, number) => out.text(alias).own(&format!("[{number}]")),
            Span::Number { number, .. } => {
                last = Some(*number);
                // Several passages of one paper are one citation here.
                if before == last {
                    out
                } else {
                    out.own(&format!("[{number}]"))
                }
            }
            Span::Link(text, _) | Span::Page(text, _) => out.text(text),
            Span::Quote(quote) => out.text(quoted(quote)),
            Span::Deleted(text) => out.text(format!("“{text}”")),
            Span::Inserted(text) => out.text(format!("→ “{text}”")),
            Span::Break => out.text(" "),
        }
    })
}

//! The documents found: what is known of each.

use precedent_domain::{CallGraph, IdeaReview, KnowledgePiece, ReportedField};

use super::shown;
use crate::blocks::{Block, Entry, InMarkdown, Line, Span, Tone};
use crate::passage::Passage;
use crate::words;

/// A document with its facts, the model's report on it, and the calls of a repository.
pub(super) fn entry(review: &IdeaReview, one: &KnowledgePiece) -> Entry {
    let report = (!one.report.is_empty()).then(|| Block::Fold {
        title: "Report by the model".to_owned(),
        blocks: one
            .report
            .iter()
            .flat_map(|field| reported(review, one, field))
            .collect(),
        markdown: InMarkdown::Shown,
    });
    let calls = one.calls.as_ref().map(|graph| Block::Fold {
        title: "Calls between files and functions".to_owned(),
        blocks: calls(graph),
        markdown: InMarkdown::Shown,
    });
    Entry {
        id: format!("work-{}", one.number),
        title: Line::default()
            .and(Span::Named(one.alias.clone(), one.number))
            .text(" ")
            .title(&one.work.title, one.work.url.as_deref()),
        facts: Line::of(words::sentence(&shown::facts(one, shown::by_model(review)))),
        blocks: report.into_iter().chain(calls).collect(),
    }
}

/// A field with the quotes that it is based on.
fn reported(review: &IdeaReview, piece: &KnowledgePiece, one: &ReportedField) -> Vec<Block> {
    let name = words::sentence(one.field.name());
    let head = Line::default().strong(format!("{}:", name.trim_end_matches('.')));
    let head = match one.text.is_empty() {
        true => head,
        false => head.text(" ").append(shown::prose(review, &one.text)),
    };
    let quote = |quote| Block::Quote {
        who: Line::default().cite(&piece.alias, piece.number),
        label: None,
        quote: Passage::of(quote),
        signed: false,
    };
    std::iter::once(Block::paragraph(head))
        .chain(one.quotes.iter().map(quote))
        .collect()
}

fn calls(graph: &CallGraph) -> Vec<Block> {
    let limits = format!(
        "Found by name in the source code, which was not run. Shown: {} of {} and {} of {}.",
        graph.files.len(),
        words::count(graph.all_files, "pair of files", "pairs of files"),
        graph.functions.len(),
        words::count(graph.all_functions, "pair of functions", "pairs of functions"),
    );
    let files = graph.files.iter().map(|one| {
        let calls = words::count(one.calls, "call", "calls");
        Line::foreign(&format!("{} uses {} ({calls})", one.from, one.to))
    });
    let functions = graph.functions.iter().map(|one| {
        let (from, to) = (&one.from, &one.to);
        Line::foreign(&format!(
            "{} in {} calls {} in {}",
            from.name, from.file, to.name, to.file
        ))
    });
    let lists = [files.collect::<Vec<_>>(), functions.collect()];
    let lists = lists.into_iter().filter(|items| !items.is_empty()).map(Block::list);
    std::iter::once(Block::Paragraph(Tone::Fine, Line::of(limits)))
        .chain(lists)
        .collect()
}

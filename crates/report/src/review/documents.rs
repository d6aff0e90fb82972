//! The documents found: what is known of each.

use precedent_domain::{CallGraph, Extent, IdeaReview, KnowledgePiece, KnowledgeRole, ReportedField, Timing};

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
        facts: Line::of(words::sentence(&facts(one, shown::by_model(review)))),
        blocks: report.into_iter().chain(calls).collect(),
    }
}

/// Date, role and origin of a document.
fn facts(one: &KnowledgePiece, suggests: bool) -> String {
    let mut facts = vec![one.kind.name().to_owned()];
    match one.work.earliest() {
        Some(dated) => facts.push(dated.date.to_string()),
        None => facts.push("date unknown".to_owned()),
    }
    if one.own {
        facts.push("nearly the same text as the idea, so not compared with it".to_owned());
    }
    match one.role {
        KnowledgeRole::Grounds => {}
        KnowledgeRole::Marked if one.timing == Timing::Undated => facts.push("undated: marked".to_owned()),
        KnowledgeRole::Marked => facts.push("date too close or too coarse to be earlier: marked".to_owned()),
        KnowledgeRole::Suggests if suggests => {
            facts.push("later than the idea: used for suggestions only".to_owned());
        }
        KnowledgeRole::Suggests => facts.push("later than the idea, so not compared with it".to_owned()),
    }
    facts.push(match (one.read_whole, one.work.extent) {
        (true, _) | (_, Extent::FullText) => "read in full".to_owned(),
        _ => "known from the search result only".to_owned(),
    });
    if !one.found_by.is_empty() {
        facts.push(format!("found by {}", words::and_list(&one.found_by)));
    }
    let judged = match one.judged {
        Some(judged) => format!(", judged relevance {}", words::percent(judged)),
        None => String::new(),
    };
    let reranked = match one.reranked {
        Some(place) => format!(", place {place} of the reranker"),
        None => String::new(),
    };
    facts.push(format!("similarity {}{reranked}{judged}", words::percent(one.semantic)));
    facts.join("; ")
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
        let calls = words::count(one.calls, "pair of functions", "pairs of functions");
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

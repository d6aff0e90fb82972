use precedent_domain::{Audit, AuditItem, DecidedBy, DimensionAudit, Share};

use crate::formats::markdown::{Inline, Writer};
use crate::words;

/// The audit as Markdown.
#[must_use]
pub fn audit_markdown(audit: &Audit) -> Vec<u8> {
    let mut out = Writer::default();
    out.heading(
        1,
        &Inline::of("Audit of: ").text(audit.title.as_deref().unwrap_or("a report without a title")),
    );
    match audit.overall {
        Some(score) => out.paragraph(&Inline::of(format!("Overall {score:.2} of 10, the mean of the five dimensions."))),
        None => out.paragraph(&Inline::of(
            "No overall score: some items could not be decided. A score stands only where every item of its dimension was.",
        )),
    }
    let rows: Vec<Vec<Inline>> = audit.dimensions.iter().map(row).collect();
    out.table(&["Dimension", "Score", "Yes", "Decided", "Items"], &rows);
    citations(&mut out, audit);
    for one in &audit.dimensions {
        out.heading(
            2,
            &Inline::of(words::sentence(one.dimension.name()).trim_end_matches('.')),
        );
        let items: Vec<Inline> = one.items.iter().map(item).collect();
        out.list(&items);
    }
    out.heading(2, &Inline::of("About this audit"));
    out.paragraph(&Inline::of(about(audit)));
    for one in &audit.sent {
        out.paragraph(&Inline::of(format!(
            "{} requests to {}: {}",
            one.requests, one.host, one.what
        )));
    }
    if audit.sent.is_empty() {
        out.paragraph(&Inline::of("Nothing left this machine."));
    }
    out.finish().into_bytes()
}

fn row(one: &DimensionAudit) -> Vec<Inline> {
    let score = one.score.map_or("not given".to_owned(), |score| format!("{score:.2}"));
    vec![
        Inline::of(one.dimension.name()),
        Inline::of(score),
        Inline::of(one.yes),
        Inline::of(one.decided),
        Inline::of(one.items.len()),
    ]
}

fn item(one: &AuditItem) -> Inline {
    let answer = match one.yes {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not decided",
    };
    let by = match one.decided_by {
        DecidedBy::Rule => ", by rule",
        DecidedBy::Model => ", by the model",
        DecidedBy::Nobody => "",
    };
    Inline::default()
        .strong(format!("{answer}{by}"))
        .text(". ")
        .text(&one.question)
        .text(" — ")
        .text(&one.reason)
}

fn share(share: &Share) -> String {
    format!(
        "{:.1} % ({} of {}; 95 % interval {:.1} to {:.1} %)",
        share.percent, share.part, share.of, share.low, share.high
    )
}

fn citations(out: &mut Writer, audit: &Audit) {
    let one = &audit.citations;
    let mut lines = vec![Inline::of(format!(
        "{} cite; {} of {} citations lead to the list of {}, {} of them listed twice.",
        words::count(one.sentences, "sentence", "sentences"),
        one.resolved,
        one.pairs,
        words::count(one.listed, "reference", "references"),
        one.doubles
    ))];
    for (name, measured) in [
        ("Words behind citations that stand in the passage named", &one.located),
        (
            "Citation accuracy, pairs of a sentence and a work that supports it",
            &one.accuracy,
        ),
        ("Faithfulness to the works cited", &one.works_faithfulness),
        ("Faithfulness to the paper", &one.paper_faithfulness),
    ] {
        if let Some(measured) = measured {
            lines.push(Inline::of(format!("{name}: {}.", share(measured))));
        }
    }
    out.list(&lines);
    let stray: Vec<Inline> = one
        .unresolved
        .iter()
        .map(|text| Inline::of("Leads nowhere: ").text(text))
        .collect();
    out.list(&stray);
}

fn about(audit: &Audit) -> String {
    let who = match audit.analyst.as_str() {
        "offline" => "No model took part: items are decided by rule or not at all.".to_owned(),
        name => format!("What no rule decides was decided by {name}."),
    };
    let paper = if audit.evidence.paper {
        "the paper"
    } else {
        "not the paper"
    };
    format!(
        "{who} Open lay {} of the works, and {paper}. A score is ten times the share of items answered yes.",
        words::count(audit.evidence.passages, "passage", "passages")
    )
}

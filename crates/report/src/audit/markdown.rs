use precedent_domain::{Audit, AuditItem, DimensionAudit};

use super::shown;
use crate::formats::markdown::{Inline, Writer};
use crate::words;

pub(crate) fn markdown(audit: &Audit) -> Vec<u8> {
    let mut out = Writer::default();
    out.heading(1, &Inline::of("Audit of: ").text(shown::title(audit)));
    out.paragraph(&Inline::of(shown::overall(audit)));
    let rows: Vec<Vec<Inline>> = audit.dimensions.iter().map(row).collect();
    out.table(&["Dimension", "Score", "Yes", "Decided", "Items"], &rows);
    let lines: Vec<Inline> = shown::citations(audit).into_iter().map(Inline::of).collect();
    out.list(&lines);
    let stray = audit.citations.unresolved.iter();
    let stray: Vec<Inline> = stray.map(|text| Inline::of("Unresolved: ").text(text)).collect();
    out.list(&stray);
    for one in &audit.dimensions {
        out.heading(2, &Inline::of(shown::dimension(one)));
        let items: Vec<Inline> = one.items.iter().map(item).collect();
        out.list(&items);
    }
    out.heading(2, &Inline::of("About this audit"));
    out.paragraph(&Inline::of(shown::about(audit)));
    for one in &audit.sent {
        out.paragraph(&Inline::of(words::sent(one)));
    }
    if audit.sent.is_empty() {
        out.paragraph(&Inline::of("No data left this machine."));
    }
    out.finish().into_bytes()
}

fn row(one: &DimensionAudit) -> Vec<Inline> {
    vec![
        Inline::of(one.dimension.name()),
        Inline::of(shown::score(one)),
        Inline::of(one.yes),
        Inline::of(one.decided),
        Inline::of(one.items.len()),
    ]
}

fn item(one: &AuditItem) -> Inline {
    Inline::default()
        .strong(shown::answer(one))
        .text(". ")
        .text(&one.question)
        .text(" — ")
        .text(&one.reason)
}

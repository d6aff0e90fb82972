use precedent_domain::{SourceReport, Status};

use super::inline::Inline;
use super::writer::Writer;
use crate::view::Digest;
use crate::words;

/// Section 7: how the report was made.
pub(super) fn write(out: &mut Writer, digest: &Digest<'_>) {
    let metadata = &digest.report.metadata;
    out.heading(2, &Inline::default().own("7. How this report was made"));
    out.heading(3, &Inline::of("How to read the statuses"));
    let mut statuses: Vec<Inline> = [Status::CanRefute, Status::Unclear, Status::CannotRefute]
        .into_iter()
        .map(|one| {
            Inline::default()
                .strong(words::status(one))
                .text(" (")
                .key(one)
                .text("): ")
                .text(words::status_meaning(one))
        })
        .collect();
    if digest.leaves_untold() {
        let label = Inline::default().strong(words::TOO_LITTLE);
        statuses.push(label.text(": ").text(words::TOO_LITTLE_MEANING));
    }
    out.list(&statuses);
    funnel(out, digest);
    out.heading(3, &Inline::of("Sources"));
    if metadata.sources.is_empty() {
        out.paragraph(&Inline::of("No source was searched."));
    }
    let rows: Vec<Vec<Inline>> = metadata.sources.iter().map(source_row).collect();
    out.table(
        &["Source", "Papers", "Full texts", "Queries answered", "Failures"],
        &rows,
    );
    out.heading(3, &Inline::of("Queries"));
    let rows: Vec<Vec<Inline>> = metadata
        .queries
        .iter()
        .map(|query| vec![Inline::of(words::scope_name(query.scope)), Inline::of(&query.text)])
        .collect();
    if rows.is_empty() {
        out.paragraph(&Inline::of("No query was sent."));
    }
    out.table(&["For", "Query"], &rows);
    out.heading(3, &Inline::of("Data sent from this machine"));
    if metadata.sent.is_empty() {
        out.paragraph(&Inline::of("No data left this machine."));
    }
    let rows: Vec<Vec<Inline>> = metadata
        .sent
        .iter()
        .map(|one| vec![Inline::of(&one.host), Inline::of(&one.what), Inline::of(one.requests)])
        .collect();
    out.table(&["Host", "What", "Requests"], &rows);
    let as_of = metadata.as_of.as_ref();
    let judged = as_of.map_or("unknown".to_owned(), |one| {
        format!("{} ({})", one.date, words::date_origin(&one.origin))
    });
    out.paragraph(
        &Inline::of("Precedent ")
            .text(&metadata.program_version)
            .text(", report version ")
            .text(&digest.report.schema_version)
            .text(", analyst ")
            .text(&metadata.analyst)
            .text(format!(", seed {}, cutoff date {judged}.", metadata.seed)),
    );
    out.paragraph(&Inline::of("SHA-256 of the file: ").text(&digest.report.original_paper.origin.sha256));
}

fn funnel(out: &mut Writer, digest: &Digest<'_>) {
    out.heading(3, &Inline::of("Selection, step by step"));
    let rows: Vec<Vec<Inline>> = digest
        .funnel()
        .into_iter()
        .map(|(scope, steps)| {
            let cells = steps.into_iter().map(|count| Inline::of(words::thousands(count)));
            std::iter::once(Inline::of(scope)).chain(cells).collect()
        })
        .collect();
    let mut head = vec!["Scope"];
    head.extend(words::FUNNEL_STEPS);
    out.table(&head, &rows);
    out.paragraph(&Inline::of(format!("After merging the scopes: {}.", digest.merged())));
}

fn source_row(source: &SourceReport) -> Vec<Inline> {
    let known = |count: Option<u64>| match count.and_then(|count| usize::try_from(count).ok()) {
        Some(count) => words::thousands(count),
        None => "unknown".to_owned(),
    };
    vec![
        Inline::of(&source.name),
        Inline::of(known(source.works)),
        Inline::of(known(source.full_texts)),
        Inline::of(words::answered(source)),
        Inline::of(if source.failures.is_empty() {
            "none".to_owned()
        } else {
            source.failures.join("; ")
        }),
    ]
}

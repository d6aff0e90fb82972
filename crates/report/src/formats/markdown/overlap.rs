use precedent_domain::OverlapPassage;

use super::inline::Inline;
use super::writer::Writer;
use crate::view::{Citation, Digest};
use crate::words;

/// Section 5: text shared with other papers.
pub(super) fn write(out: &mut Writer, digest: &Digest<'_>) {
    out.heading(2, &Inline::default().own("5. Text shared with other papers"));
    out.paragraph(&Inline::of(words::overlap_search(&digest.report.textual_similarity)));
    let overlaps = digest.overlaps();
    for overlap in overlaps.iter().filter(|one| !one.open.is_empty()) {
        let citation = digest.cite(overlap.candidate);
        let title = digest
            .work(overlap.candidate)
            .map(|work| work.work.title.as_str())
            .unwrap_or_default();
        out.heading(3, &Inline::default().cite(&citation).text(" ").text(title));
        out.paragraph(&Inline::of(overlap.more()));
        for passage in &overlap.open {
            write_passage(out, &citation, passage);
        }
    }
    let explained: Vec<Vec<Inline>> = overlaps
        .iter()
        .filter(|one| !one.explained.is_empty())
        .map(|one| {
            vec![
                Inline::default().cite(&digest.cite(one.candidate)),
                Inline::of(one.lengths()),
                Inline::of(one.reasons()),
            ]
        })
        .collect();
    if !explained.is_empty() {
        out.paragraph(&Inline::of(
            "With a harmless explanation (the passages are in the JSON report):",
        ));
        out.table(&["Paper", "Passages of", "Explanation"], &explained);
    }
}

fn write_passage(out: &mut Writer, citation: &Citation, passage: &OverlapPassage) {
    out.paragraph(&Inline::of(words::overlap_facts(&passage.shared)));
    let mut lines = Writer::quoted(&Inline::of("the paper"), &passage.target);
    lines.extend(Writer::quoted(&Inline::default().cite(citation), &passage.candidate));
    out.block_quote(&lines);
}

use precedent_domain::{EvidencePair, OverlapPassage};

use super::inline::Inline;
use super::writer::Writer;
use crate::view::{Citation, Claim, Compared, Digest};
use crate::words;

/// Module 3: the claims against prior work.
pub(super) fn write(out: &mut Writer, digest: &Digest<'_>) {
    let analysis = &digest.report.contribution_analysis;
    out.heading(2, &Inline::default().own("3. Claims against prior work"));
    let claims = digest.claims();
    if claims.is_empty() {
        out.paragraph(&Inline::of("No claim could be told from the text."));
    }
    for claim in &claims {
        write_claim(out, claim);
    }
    if !analysis.extraction_notes.is_empty() {
        out.heading(3, &Inline::of("Claims dropped or replaced"));
        out.list(&analysis.extraction_notes.iter().map(Inline::of).collect::<Vec<_>>());
    }
    if let Some(paragraphs) = &analysis.overall_assessment {
        out.heading(3, &Inline::of("Overall assessment"));
        for paragraph in paragraphs {
            out.paragraph(&Inline::default().prose(digest, paragraph));
        }
    }
    missing_citations(out, digest);
}

fn write_claim(out: &mut Writer, claim: &Claim<'_>) {
    let one = claim.contribution;
    out.heading(3, &Inline::of("Claim ").text(one.number).text(": ").text(&one.name));
    out.quote(&Inline::of("the paper"), &one.claim);
    out.paragraph(
        &Inline::default()
            .strong(claim.standing.label())
            .text(": ")
            .text(claim.standing.sentence())
            .text(" ")
            .text(claim.tally()),
    );
    out.paragraph(
        &Inline::of("Kind: ")
            .text(words::class(one.class))
            .text(". ")
            .text(&one.description),
    );
    for compared in &claim.earlier {
        write_comparison(out, compared);
    }
    if !claim.apart.is_empty() {
        out.paragraph(
            &Inline::default()
                .strong("Concurrent or undated works")
                .text(" (shown apart: they never count against a claim)"),
        );
    }
    for compared in &claim.apart {
        write_comparison(out, compared);
    }
}

fn write_comparison(out: &mut Writer, compared: &Compared<'_>) {
    let one = compared.comparison;
    let title = compared.work.map(|work| work.work.title.as_str()).unwrap_or_default();
    let note = compared
        .timing_note()
        .map(|note| format!(", {note}"))
        .unwrap_or_default();
    out.heading(4, &Inline::default().cite(&compared.citation).text(" ").text(title));
    let line = Inline::default()
        .strong(words::status(one.status))
        .text(" (")
        .key(one.status)
        .text(format!(", compared by {}{note}). ", words::extent(one.compared)))
        .text(&one.note);
    out.paragraph(&line);
    if let Some(reason) = &one.downgraded {
        out.paragraph(&Inline::of("Withdrawn from a stronger status: ").text(reason));
    }
    for (label, terms) in [
        ("Shared terms", &one.shared_terms),
        ("Terms it lacks", &one.missing_terms),
    ] {
        if !terms.is_empty() {
            out.paragraph(&Inline::of(label).text(": ").text(terms.join(", ")));
        }
    }
    for (at, pair) in one.evidence.iter().enumerate() {
        write_pair(out, &compared.citation, at + 1, pair);
    }
}

fn write_pair(out: &mut Writer, citation: &Citation, number: usize, pair: &EvidencePair) {
    let line = Inline::default()
        .emphasis(format!("Evidence {number}"))
        .text(": ")
        .text(&pair.rationale);
    out.paragraph(&line);
    out.quote(&Inline::of("the paper"), &pair.target);
    out.gap();
    out.quote(&Inline::default().cite(citation), &pair.candidate);
}

fn missing_citations(out: &mut Writer, digest: &Digest<'_>) {
    let missing = &digest.report.contribution_analysis.missing_citations;
    out.heading(3, &Inline::of("Near works that the reference list lacks"));
    if missing.is_empty() {
        return out.paragraph(&Inline::of("None among the works that were found."));
    }
    out.paragraph(&Inline::of("A missing citation is not prior art against a claim."));
    let items: Vec<Inline> = missing
        .iter()
        .map(|one| {
            let title = digest
                .work(one.candidate)
                .map(|work| work.work.title.as_str())
                .unwrap_or_default();
            Inline::default()
                .cite(&digest.cite(one.candidate))
                .text(" ")
                .text(title)
                .text(": ")
                .text(&one.reason)
        })
        .collect();
    out.list(&items);
}

/// Module 5: text shared with others.
pub(super) fn write_overlap(out: &mut Writer, digest: &Digest<'_>) {
    let similarity = &digest.report.textual_similarity;
    out.heading(2, &Inline::default().own("5. Text shared with other works"));
    out.paragraph(&Inline::of(words::overlap_search(similarity)));
    for overlap in &similarity.overlaps {
        let citation = digest.cite(overlap.candidate);
        let title = digest
            .work(overlap.candidate)
            .map(|work| work.work.title.as_str())
            .unwrap_or_default();
        out.heading(3, &Inline::default().cite(&citation).text(" ").text(title));
        if overlap.found > overlap.passages.len() {
            let shown = format!(
                "{} of {} passages are shown, the longest first.",
                overlap.passages.len(),
                overlap.found
            );
            out.paragraph(&Inline::of(shown));
        }
        for passage in &overlap.passages {
            write_passage(out, &citation, passage);
        }
    }
}

fn write_passage(out: &mut Writer, citation: &Citation, passage: &OverlapPassage) {
    out.paragraph(&Inline::of(words::overlap_facts(&passage.shared)));
    out.quote(&Inline::of("the paper"), &passage.target);
    out.gap();
    out.quote(&Inline::default().cite(citation), &passage.candidate);
}

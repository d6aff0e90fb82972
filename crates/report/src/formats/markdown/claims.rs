use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{ContributionComparison, EvidencePair, Timing};

use super::inline::Inline;
use super::writer::Writer;
use crate::view::{Citation, Claim, Compared, Digest, NEAR_NO_CLAIM_INTRO};
use crate::words;

/// Maximum length of a quote in a table, in words.
const LINE_QUOTE: usize = 24;
/// Maximum length of another wording of the claim, in words.
const AGAIN: usize = 40;
/// Maximum number of papers in the table of one claim.
const LINES: usize = 5;

/// Module 3: the claims against prior work.
pub(super) fn write(out: &mut Writer, digest: &Digest<'_>) {
    let analysis = &digest.report.contribution_analysis;
    out.heading(2, &Inline::default().own("3. Claims against prior work"));
    let claims = digest.claims();
    if claims.is_empty() {
        out.paragraph(&Inline::of("No claim was found in the text."));
    }
    for claim in &claims {
        write_claim(out, claim);
    }
    write_matrix(out, digest, &claims);
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
    near_no_claim(out, digest);
    missing_citations(out, digest);
}

/// Papers similar to the paper as a whole, with the reason why they match no claim.
fn near_no_claim(out: &mut Writer, digest: &Digest<'_>) {
    let Some(near) = digest.near_no_claim() else { return };
    out.heading(3, &Inline::of(words::NEAR_NO_CLAIM));
    out.paragraph(&Inline::of(NEAR_NO_CLAIM_INTRO));
    let items: Vec<Inline> = near
        .written
        .iter()
        .map(|one| {
            Inline::default()
                .cite(&one.citation)
                .text(" ")
                .text(&one.title)
                .text(": ")
                .text(&one.why)
        })
        .collect();
    out.list(&items);
    if !near.named.is_empty() {
        let line = near
            .named
            .iter()
            .enumerate()
            .fold(Inline::of("Also similar: "), |line, (at, one)| {
                line.text(if at > 0 { ", " } else { "" }).cite(one)
            });
        out.paragraph(&line.text(near.more()));
    }
}

fn write_claim(out: &mut Writer, claim: &Claim<'_>) {
    let one = claim.contribution;
    let name = Inline::of("Claim ").text(one.number).text(": ").text(&one.name);
    out.heading(3, &name.text(format!(" ({})", words::class(one.class))));
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
        &Inline::default()
            .strong("What could change this:")
            .text(" ")
            .text(claim.what_could_change()),
    );
    write_again(out, claim);
    if !claim.few_near().is_empty() {
        out.paragraph(&Inline::default().emphasis(claim.few_near()));
    }
    let split = claim.split();
    for compared in &split.full {
        write_comparison(out, claim, compared);
    }
    write_lines(out, claim, &split.lines);
    write_apart(out, claim);
}

/// Writes all comparisons in one table. If no paper covers the field, only papers that are similar to a claim have a row.
fn write_matrix(out: &mut Writer, digest: &Digest<'_>, claims: &[Claim<'_>]) {
    let has_row = |one: &ContributionComparison| one.near || !digest.is_outside();
    let all = || claims.iter().flat_map(Claim::all).map(|one| one.comparison);
    let shown: BTreeSet<u32> = all().filter(|one| has_row(one)).map(|one| one.candidate).collect();
    let left_out: BTreeSet<u32> = all()
        .map(|one| one.candidate)
        .filter(|one| !shown.contains(one))
        .collect();
    let mut works: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for (at, claim) in claims.iter().enumerate() {
        for one in claim.all().filter(|one| shown.contains(&one.comparison.candidate)) {
            let cells = works
                .entry(one.comparison.candidate)
                .or_insert_with(|| vec!["not compared"; claims.len()]);
            if let Some(cell) = cells.get_mut(at) {
                *cell = words::status_of(one.comparison);
            }
        }
    }
    if works.is_empty() {
        return;
    }
    let heading = if left_out.is_empty() {
        "All claims and papers"
    } else {
        "All claims and similar papers"
    };
    out.heading(3, &Inline::of(heading));
    let row = |(number, cells): (u32, Vec<&str>)| {
        let compared = digest
            .work(number)
            .map_or("unknown", |one| words::extent(one.work.extent));
        let count = digest.work(number).is_some_and(|one| one.timing == Timing::Earlier);
        let apart = if count { "" } else { ", not counted as prior art" };
        let mut row = vec![
            Inline::default().cite(&digest.cite(number)),
            Inline::of(format!("{compared}{apart}")),
        ];
        row.extend(cells.into_iter().map(Inline::of));
        row
    };
    let names: Vec<String> = claims
        .iter()
        .map(|one| format!("Claim {}", one.contribution.number))
        .collect();
    let mut head = vec!["Paper", "Compared"];
    head.extend(names.iter().map(String::as_str));
    out.table(&head, &works.into_iter().map(row).collect::<Vec<_>>());
    if !left_out.is_empty() {
        let left_out = words::count(left_out.len(), "paper", "papers");
        out.paragraph(&Inline::of(format!(
            "Compared, similar to no claim, and not shown here: {left_out}."
        )));
    }
}

/// Writes papers that do not count as prior art.
fn write_apart(out: &mut Writer, claim: &Claim<'_>) {
    let split = claim.split_apart();
    if split.full.is_empty() && split.lines.is_empty() {
        return;
    }
    out.paragraph(
        &Inline::default()
            .strong(claim.apart_label)
            .text(": listed separately because they do not count as prior art."),
    );
    for compared in &split.full {
        write_comparison(out, claim, compared);
    }
    write_lines(out, claim, &split.lines);
}

/// Writes the other places where the paper states the claim.
fn write_again(out: &mut Writer, claim: &Claim<'_>) {
    let again: Vec<Inline> = claim
        .contribution
        .also_stated
        .iter()
        .map(|quote| {
            let place = words::place(quote.place());
            let line = Inline::default().quote(quote, AGAIN);
            if place.is_empty() {
                line
            } else {
                line.text(format!(" ({place})"))
            }
        })
        .collect();
    if !again.is_empty() {
        out.paragraph(&Inline::of(
            "The paper also states it as follows. Each wording was searched for too:",
        ));
        out.list(&again);
    }
}

/// Writes a table of papers shown in one line. Only the first few are listed; the table of all comparisons has the others.
fn write_lines(out: &mut Writer, claim: &Claim<'_>, all: &[&Compared<'_>]) {
    let said = claim.contribution.claim.text();
    let rows: Vec<Vec<Inline>> = all
        .iter()
        .filter(|one| one.best().is_some())
        .take(LINES)
        .map(|one| {
            let nearest = match one.best() {
                Some(pair) => Inline::default().quote_near(&pair.candidate, LINE_QUOTE, said),
                None => Inline::default(),
            };
            vec![
                Inline::default().cite(&one.citation).text(" ").text(one.title()),
                Inline::of(words::status_of(one.comparison)),
                Inline::of(one.facts()),
                nearest,
            ]
        })
        .collect();
    out.table(&["Paper", "Status", "Compared", "Closest passage"], &rows);
}

fn write_comparison(out: &mut Writer, claim: &Claim<'_>, compared: &Compared<'_>) {
    let one = compared.comparison;
    out.heading(
        4,
        &Inline::default()
            .cite(&compared.citation)
            .text(" ")
            .text(compared.title()),
    );
    let line = Inline::default()
        .strong(words::status_of(one))
        .text(format!(" (compared: {}). ", compared.facts()))
        .text(&one.note);
    out.paragraph(&line);
    if let Some(reason) = &one.downgraded {
        out.paragraph(&Inline::of("Downgraded from a stronger status: ").text(reason));
    }
    for pair in &one.evidence {
        write_pair(out, claim, &compared.citation, pair);
    }
}

/// Writes both sides of a pair. Omits the paper's side if it is the claim, which is printed above.
fn write_pair(out: &mut Writer, claim: &Claim<'_>, citation: &Citation, pair: &EvidencePair) {
    let mut lines = Vec::new();
    if !claim.is_said_by(&pair.target) {
        lines.extend(Writer::quoted(&Inline::of("the paper"), &pair.target));
    }
    lines.extend(Writer::quoted(&Inline::default().cite(citation), &pair.candidate));
    out.block_quote(&lines);
}

fn missing_citations(out: &mut Writer, digest: &Digest<'_>) {
    let missing = &digest.report.contribution_analysis.missing_citations;
    out.heading(3, &Inline::of("Similar papers missing from the reference list"));
    if missing.is_empty() {
        return out.paragraph(&Inline::of(
            "No other earlier paper is similar enough to suggest a citation.",
        ));
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

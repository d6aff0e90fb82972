use precedent_domain::OriginalPaper;

use super::inline::Inline;
use super::writer::Writer;
use crate::plain::{cut_words, one_line};
use crate::view::{Claim, Compared, Digest, NearNoClaim, Place, identifier_links};
use crate::words;

/// The first screen: the title, the findings, and what was not searched.
pub(super) fn write(out: &mut Writer, digest: &Digest<'_>) {
    let metadata = &digest.report.metadata;
    out.heading(1, &Inline::of(digest.title()));
    let judged = metadata
        .as_of
        .as_ref()
        .map(|as_of| format!(", cutoff date {}", as_of.date));
    out.paragraph(
        &Inline::of("Prior-work report by Precedent ")
            .text(&metadata.program_version)
            .text(", analyst ")
            .text(&metadata.analyst)
            .text(judged.unwrap_or_default())
            .text("."),
    );
    if let Some(said) = words::incomplete(&digest.report.metadata) {
        out.paragraph(&Inline::default().strong(said));
    }
    hidden_text(out, &digest.report.original_paper);
    if let Some(said) = digest.not_its_field() {
        out.paragraph(&Inline::default().strong(said));
    }
    findings(out, digest);
    out.heading(2, &Inline::of("Not searched or read"));
    if metadata.not_searched.is_empty() {
        out.paragraph(&Inline::of("The run reports no limits."));
    }
    let items: Vec<Inline> = digest.limits().iter().map(|one| Inline::message(one)).collect();
    out.list(&items);
    if !digest.has_prose() {
        out.paragraph(&Inline::default().emphasis(words::NO_PROSE));
    }
    out.block_quote(&[Inline::of(digest.disclaimer())]);
    out.paragraph(&Inline::default().strong("How to read this report"));
    out.list(&words::HOW_TO_READ.map(Inline::of));
}

fn findings(out: &mut Writer, digest: &Digest<'_>) {
    out.heading(2, &Inline::of("Findings"));
    out.paragraph(&Inline::of(digest.lead()).text(" ").strong(digest.outcome()));
    let claims = digest.claims();
    let rows: Vec<Vec<Inline>> = claims.iter().flat_map(finding_rows).collect();
    out.table(
        &["Claim", "Level", "Closest papers", "Probability", "Closest passage"],
        &rows,
    );
    if let Some(core_task) = &digest.report.core_task_survey.core_task {
        out.paragraph(&Inline::of("Core task: ").strong(&core_task.phrase));
    }
    if let Some(result) = &digest.report.contribution_analysis.reported_result {
        out.paragraph(
            &Inline::of("Reported result: ")
                .quote(result, RESULT)
                .text(" ")
                .emphasis(words::RESULT_NOTE),
        );
    }
    out.paragraph(&place(&digest.place()));
    if let Some(near) = digest.near_no_claim().filter(|near| !near.first().0.is_empty()) {
        out.paragraph(&near_no_claim(&near));
    }
}

/// Maximum length of the reported result, in words.
const RESULT: usize = 60;

/// The papers similar to the paper but to none of its claims, in one line.
fn near_no_claim(near: &NearNoClaim) -> Inline {
    let (first, more) = near.first();
    let line = Inline::of(words::NEAR_NO_CLAIM).text(": ");
    let line = first.iter().enumerate().fold(line, |line, (at, one)| {
        line.text(if at > 0 { "; " } else { "" })
            .cite(&one.citation)
            .text(" ")
            .text(&one.title)
    });
    line.text(match more {
        0 => String::new(),
        more => format!("; and {} more", words::thousands(more)),
    })
    .text(" (section 3).")
}

/// The paper's position, or why it is not clear.
pub(super) fn place(place: &Place) -> Inline {
    let line = Inline::of("Position in the field: ");
    match (place.path.is_empty(), place.doubt.is_empty()) {
        (true, _) => line.text(place.doubt),
        (false, true) => line.strong(place.path.join(" › ")),
        (false, false) => line
            .strong(place.doubt)
            .text(" The taxonomy puts it under ")
            .text(place.path.join(" › "))
            .text("."),
    }
}

/// The table rows of a claim, one per paper.
fn finding_rows(claim: &Claim<'_>) -> Vec<Vec<Inline>> {
    let one = claim.contribution;
    let apart = claim.top_apart();
    let mut works = claim.top().iter().chain(apart.iter().copied());
    let row = |work: Option<&Compared<'_>>| match work {
        Some(work) => {
            let nearest = match work.best() {
                Some(pair) => Inline::default().quote_near(&pair.candidate, 24, one.claim.text()),
                None => Inline::default(),
            };
            let note = work
                .timing_note()
                .map(|note| format!("{note}, not counted; "))
                .unwrap_or_default();
            let status = words::status_of(work.comparison).to_lowercase();
            let percent = work.comparison.probability.map(words::percent);
            vec![
                Inline::default()
                    .cite(&work.citation)
                    .text(format!(" {} ({note}{status})", work.title())),
                Inline::of(percent.unwrap_or_default()),
                nearest,
            ]
        }
        None => vec![Inline::of(words::NONE_NEAR_SHORT), Inline::default(), Inline::default()],
    };
    let mut first = vec![
        Inline::of(one.number).text(". ").text(&one.name),
        Inline::default().strong(claim.standing.label()),
    ];
    first.extend(row(works.next()));
    let mut rows = vec![first];
    for work in works {
        let mut next = vec![Inline::of("″"), Inline::of("″")];
        next.extend(row(Some(work)));
        rows.push(next);
    }
    rows
}

/// Hidden text, shown as plain text. Instructions in it are never followed.
fn hidden_text(out: &mut Writer, paper: &OriginalPaper) {
    if paper.hidden.is_empty() {
        return;
    }
    out.heading(2, &Inline::of("Warning: hidden text in this file"));
    out.paragraph(
        &Inline::of(words::count(paper.hidden.len(), "passage", "passages")).text(
            " of invisible text in the file. It was excluded from the analysis, and no instruction in it was followed.",
        ),
    );
    let items: Vec<Inline> = paper
        .hidden
        .iter()
        .map(|one| {
            let page = one.page.map(|page| format!(", page {page}")).unwrap_or_default();
            let shown = cut_words(&one.text, 60);
            Inline::of(words::hidden(one.reason))
                .text(page)
                .text(": “")
                .text(one_line(shown.text))
                .text(if shown.cut { " …”" } else { "”" })
        })
        .collect();
    out.list(&items);
}

/// Section 1: the paper.
pub(super) fn write_paper(out: &mut Writer, digest: &Digest<'_>) {
    let paper = &digest.report.original_paper;
    out.heading(2, &Inline::default().own("1. The paper"));
    let mut rows: Vec<Vec<Inline>> = Vec::new();
    let mut row = |name: &str, value: Inline| rows.push(vec![Inline::of(name), value]);
    let title = Inline::of(digest.title());
    row(
        "Title",
        if paper.title_found {
            title
        } else {
            title.text(" (no title was found, so this is the file name)")
        },
    );
    let authors: Vec<String> = paper.authors.iter().map(|one| one.name.clone()).collect();
    row(
        "Authors",
        Inline::of(if authors.is_empty() {
            "not found".to_owned()
        } else {
            authors.join(", ")
        }),
    );
    let dates: Vec<String> = paper
        .dates
        .iter()
        .map(|one| format!("{} ({})", one.date, words::date_origin(&one.origin)))
        .collect();
    row(
        "Date",
        Inline::of(if dates.is_empty() {
            "not found".to_owned()
        } else {
            dates.join("; ")
        }),
    );
    let mut links = Inline::default();
    for (at, link) in identifier_links(&paper.identifiers).iter().enumerate() {
        links = links.text(if at > 0 { ", " } else { "" }).link(&link.label, &link.url);
    }
    if !links.as_markdown().is_empty() {
        row("Identifiers", links);
    }
    let pages = paper
        .pages
        .map(|pages| format!(", {}", words::count(pages as usize, "page", "pages")))
        .unwrap_or_default();
    row(
        "File",
        Inline::of(&paper.origin.file_name).text(format!(
            " ({}{pages}, {}, {})",
            words::paper_format(paper.origin.format),
            words::count(paper.words, "word", "words"),
            words::count(paper.reference_count, "reference", "references"),
        )),
    );
    row(
        "Extraction quality",
        Inline::of(words::percent(paper.quality.score)).text(reasons(&paper.quality.reasons)),
    );
    out.table(&["The paper", "As read"], &rows);
    let warnings: Vec<Inline> = paper.warnings.iter().map(|one| Inline::of(&one.message)).collect();
    out.list(&warnings);
    if let Some(summary) = &paper.summary {
        out.heading(3, &Inline::of("Abstract"));
        out.quote(&Inline::of("the paper"), summary);
    }
}

fn reasons(reasons: &[String]) -> String {
    if reasons.is_empty() {
        String::new()
    } else {
        format!(": {}", reasons.join("; "))
    }
}

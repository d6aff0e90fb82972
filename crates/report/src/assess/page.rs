use precedent_domain::{Assessment, HiddenText};

use super::parts::{LIMITS, cite, cited};
use super::{claims, field, figures, papers, run};
use crate::blocks::{Block, Column, Line, ReportPage, Row, Section, Span, TableKind, Tone, first_limits, incomplete};
use crate::passage::Passage;
use crate::plain::{cut_words, one_line};
use crate::view::{Citation, Claim, Compared, Digest, Neighbours};
use crate::words;

/// Maximum length of hidden text shown, in words.
const HIDDEN: usize = 80;
/// Number of neighbours named with the findings.
const BESIDE: usize = 4;

/// The report on a paper as blocks.
pub(crate) fn compose(report: &Assessment) -> ReportPage {
    let digest = &Digest::new(report);
    let claims = digest.claims();
    let matrix = figures::MatrixFigure::new(digest).map(|figure| {
        Section::folded("matrix", "Claims × papers", figures::matrix(digest, figure))
            .labelled("Matrix")
            .printed()
    });
    let timeline = figures::TimelineFigure::new(digest).map(|figure| {
        Section::folded("time", "Related work over time", figures::timeline(figure))
            .labelled("Timeline")
            .printed()
    });
    let sections = [
        Some(findings_section(digest, &claims)),
        Some(claims_section(digest, &claims)),
        matrix,
        Some(Section::folded("place", "Position in the field", field::compose(digest)).labelled("Field")),
        timeline,
        Some(overlap_section(digest)),
        Some(missing_section(digest)),
        Some(
            Section::folded("works", "Papers", papers::list(digest))
                .noted(report.references.candidates.len().to_string())
                .printed(),
        ),
        Some(coverage_section(digest)),
        Some(Section::folded("reading", "How the paper was read", run::reading(digest)).labelled("Reading")),
        Some(method_section(digest)),
    ];
    page(digest, sections.into_iter().flatten().collect())
}

/// The report for a page among thousands: findings, the closest papers of each claim, shared text and missing citations.
pub(crate) fn compose_short(report: &Assessment) -> ReportPage {
    let digest = &Digest::short(report);
    let claims = digest.claims();
    let sections = vec![
        findings_section(digest, &claims),
        claims_section(digest, &claims),
        overlap_section(digest),
        missing_section(digest),
        Section::folded("works", "Papers cited on this page", papers::list(digest)).labelled("Papers"),
        coverage_section(digest),
        method_section(digest),
    ];
    page(digest, sections)
}

fn page(digest: &Digest<'_>, sections: Vec<Section>) -> ReportPage {
    let mut warnings = incomplete(&digest.report.metadata);
    warnings.extend(hidden(&digest.report.original_paper.hidden));
    let field = digest.not_its_field();
    warnings.extend(field.map(|wording| Block::Warning(Line::message(&wording), Vec::new())));
    ReportPage {
        warnings,
        title: digest.title(),
        about: "report",
        kind: "Prior-work report",
        byline: byline(digest),
        sections,
        disclaimer: digest.disclaimer(),
    }
}

fn findings_section(digest: &Digest<'_>, claims: &[Claim<'_>]) -> Section {
    Section::findings("glance", "Findings", glance(digest, claims))
}

fn claims_section(digest: &Digest<'_>, claims: &[Claim<'_>]) -> Section {
    Section::shown("claims", "Claims and evidence", claims::compose(digest, claims)).labelled("Claims")
}

fn overlap_section(digest: &Digest<'_>) -> Section {
    let shares = match digest.report.textual_similarity.unexplained() {
        0 => String::new(),
        some => format!("with {}", words::count(some, "paper", "papers")),
    };
    Section::folded("overlap", "Shared text", papers::overlap(digest))
        .noted(shares)
        .printed()
}

fn missing_section(digest: &Digest<'_>) -> Section {
    let missing = match digest.report.contribution_analysis.missing_citations.len() {
        0 if digest.report.original_paper.reference_count == 0 => "not checked".to_owned(),
        0 => "none".to_owned(),
        some => some.to_string(),
    };
    let title = "Similar papers missing from the reference list";
    Section::folded("missing", title, papers::missing(digest))
        .labelled("Citations")
        .noted(missing)
        .printed()
}

fn coverage_section(digest: &Digest<'_>) -> Section {
    Section::folded("coverage", "Coverage and limits", run::coverage(digest)).labelled("Coverage")
}

fn method_section(digest: &Digest<'_>) -> Section {
    Section::folded("method", "Levels and method", run::method(digest)).labelled("Method")
}

/// The line under the title: authors, date, length, cutoff date, coverage and analyst.
fn byline(digest: &Digest<'_>) -> Vec<Line> {
    let paper = &digest.report.original_paper;
    let mut facts = Vec::new();
    if !paper.title_found {
        facts.push(Line::of("No title was found, so this is the file name"));
    }
    let authors: Vec<&str> = paper.authors.iter().map(|one| one.name.as_str()).collect();
    if !authors.is_empty() {
        facts.push(Line::foreign(&authors.join(", ")));
    }
    facts.push(match paper.dates.first() {
        Some(dated) => Line::of(format!("{} ({})", dated.date, words::date_origin(&dated.origin))),
        None => Line::of("date unknown"),
    });
    if let Some(pages) = paper.pages {
        facts.push(Line::of(words::count(pages as usize, "page", "pages")));
    }
    facts.push(Line::of(match paper.reference_count {
        0 => "no reference list found".to_owned(),
        some => words::count(some, "reference", "references"),
    }));
    let metadata = &digest.report.metadata;
    facts.extend(
        metadata
            .as_of
            .as_ref()
            .map(|as_of| Line::of(format!("cutoff date {}", as_of.date))),
    );
    let coverage = digest.report.core_task_survey.coverage;
    facts.extend(coverage.map(|one| Line::of("field ").strong(words::coverage(one.level))));
    facts.push(Line::of(format!("analyst: {}", metadata.analyst)));
    facts
}

fn glance(digest: &Digest<'_>, claims: &[Claim<'_>]) -> Vec<Block> {
    let outcome = digest.outcome();
    let lead = Line::of(digest.lead());
    let lead = match outcome.is_empty() {
        true => lead,
        false => lead.text(" ").strong(outcome),
    };
    let mut blocks = vec![Block::Paragraph(Tone::Lead, lead)];
    if !claims.is_empty() {
        blocks.push(findings(digest, claims));
    }
    let limits = vec![first_limits(LIMITS, &digest.limits())];
    blocks.push(Block::Opening([vec![Block::Terms(facts(digest))], limits]));
    let line = match digest.has_prose() {
        true => Line::default(),
        false => Line::of(words::NO_PROSE).text(" "),
    };
    let line = line
        .text(digest.disclaimer())
        .text(" ")
        .link("What the levels mean", "method");
    blocks.push(Block::PageOnly(vec![Block::Paragraph(Tone::Fine, line)]));
    blocks
}

/// Hidden text in the file, as plain text.
fn hidden(all: &[HiddenText]) -> Vec<Block> {
    if all.is_empty() {
        return Vec::new();
    }
    let line = |one: &HiddenText| {
        let page = one.page.map(|page| format!(", page {page}")).unwrap_or_default();
        let shown = cut_words(&one.text, HIDDEN);
        let more = if shown.cut { " …" } else { "" };
        let text = format!("{}{more}", one_line(shown.text));
        let line = Line::default().strong(format!("{}{page}:", words::hidden(one.reason)));
        line.text(" ").and(Span::Verbatim(text))
    };
    let wording = "The file contains text that readers cannot see. It was excluded from the analysis, and no instruction in it was followed. It is shown \
                here as plain text.";
    vec![Block::Warning(
        Line::default().strong("Hidden text in this file"),
        vec![
            Block::paragraph(Line::of(wording)),
            Block::list(all.iter().map(line).collect()),
        ],
    )]
}

/// One row for each claim: level, closest paper and probability.
fn findings(digest: &Digest<'_>, claims: &[Claim<'_>]) -> Block {
    let comparisons = &digest.report.contribution_analysis.comparisons;
    let has_probabilities = comparisons.iter().any(|one| one.probability.is_some());
    let row = |claim: &Claim<'_>| {
        let one = claim.contribution;
        let name = format!("{}. {}", one.number, words::heading(&one.name));
        let all = claim.closest();
        let first = all.first();
        let mut cells = vec![
            Line::default().link(name, format!("claim-{}", one.number)),
            Line::default().and(Span::Chip(claim.status.key(), claim.status.label().to_owned())),
            first.map_or_else(|| Line::default().note("none is similar"), |(one, _)| closest(one)),
        ];
        let percent = first
            .and_then(|(one, _)| one.comparison.probability)
            .map(words::probability);
        cells.extend(has_probabilities.then(|| Line::of(percent.unwrap_or_default())));
        Row { id: None, cells }
    };
    let mut head = ["Claim", "Level", "Closest paper"].map(Column::of).to_vec();
    head.extend(has_probabilities.then(|| Column::number("Probability")));
    Block::Table {
        label: "Table of findings".to_owned(),
        kind: TableKind::Findings,
        head,
        rows: claims.iter().map(row).collect(),
        most: usize::MAX,
    }
}

/// The closest paper of a claim. One that is not known to be earlier is labelled before its name.
fn closest(one: &Compared<'_>) -> Line {
    let to = claims::anchor(one.comparison);
    let line = match one.timing_note() {
        None => Line::default(),
        Some(note) => {
            let label = words::sentence(note);
            Line::default()
                .strong(format!("{}:", label.trim_end_matches('.')))
                .text(" ")
        }
    };
    let line = line.cite_at(&one.citation.alias, one.citation.number, Some(to));
    line.text(" ")
        .external(&one.title())
        .text(" ")
        .note(format!("({})", one.facts_without_date()))
}

/// Core task, reported result, place in the field, and papers that are similar to no claim.
fn facts(digest: &Digest<'_>) -> Vec<(String, Line)> {
    let mut facts = Vec::new();
    if let Some(task) = &digest.report.core_task_survey.core_task {
        facts.push(("Core task".to_owned(), Line::foreign(&one_line(&task.phrase))));
    }
    if let Some(result) = &digest.report.contribution_analysis.reported_result {
        let quote = Line::default().quote(&Passage::of(result));
        facts.push(("Reported result".to_owned(), quote.text(" ").note(words::RESULT_NOTE)));
    }
    facts.push(("Position in the field".to_owned(), place(digest)));
    if let Some(near) = digest.similar_without_claim().filter(|near| !near.first().0.is_empty()) {
        let (first, more) = near.first();
        let line = first.iter().enumerate().fold(Line::default(), |line, (at, one)| {
            let line = line.text(if at > 0 { "; " } else { "" });
            line.append(cite(digest, &one.citation)).text(" ").external(&one.title)
        });
        let line = match more {
            0 => line,
            more => line
                .text("; ")
                .link(format!("and {} more", words::thousands(more)), "near-whole"),
        };
        facts.push(("Similar, but to no claim".to_owned(), line));
    }
    facts
}

/// The paper's category with its closest papers, or why it has none.
fn place(digest: &Digest<'_>) -> Line {
    let place = digest.place();
    // A doubtful category would mislead here; the section on the field has it with its reasons.
    if place.path.is_empty() || !place.doubt.is_empty() {
        return Line::default().strong(place.doubt);
    }
    let line = place.path.iter().enumerate().fold(Line::default(), |line, (at, name)| {
        line.text(if at > 0 { " › " } else { "" }).external(name)
    });
    let described = digest
        .position()
        .map(|position| Neighbours::of(digest, position).described);
    let described: Vec<Citation> = described
        .unwrap_or_default()
        .iter()
        .map(|one| digest.cite(one.candidate))
        .collect();
    if described.is_empty() {
        return line;
    }
    let others = if described.len() > BESIDE { " and others" } else { "" };
    line.text(", with ")
        .append(cited(digest, described.iter().take(BESIDE)))
        .text(others)
}

use precedent_domain::{SourceReport, Status};

use super::figures;
use super::parts::{LIMITS, of_the_paper};
use crate::blocks::{Block, Line, Span, all_limits, sent};
use crate::passage::Passage;
use crate::plain::one_line;
use crate::view::{Digest, identifier_links};
use crate::words::{self, ClaimStatus};

/// Maximum length of the abstract, in words.
const ABSTRACT: usize = 400;

/// What was searched, and what was not.
pub(super) fn coverage(digest: &Digest<'_>) -> Vec<Block> {
    let metadata = &digest.report.metadata;
    let mut blocks = all_limits(LIMITS, &digest.limits());
    if digest.is_short() {
        return blocks;
    }
    blocks.push(Block::Heading(3, Line::of("How the papers were found")));
    blocks.extend(figures::funnel(digest));
    blocks.push(Block::Heading(3, Line::of("Sources")));
    let head = ["Source", "Papers", "Full texts", "Queries answered", "Failures"];
    blocks.push(match metadata.sources.is_empty() {
        true => Block::empty("No source was searched."),
        false => Block::table("Sources", &head, metadata.sources.iter().map(source).collect()),
    });
    blocks.push(Block::Heading(3, Line::of("Queries")));
    let queries = metadata.queries.iter();
    let queries: Vec<(String, Line)> = queries
        .map(|one| (words::scope_name(one.scope), Line::foreign(&one_line(&one.text))))
        .collect();
    blocks.push(match queries.is_empty() {
        true => Block::empty("No query was sent."),
        false => Block::Terms(queries),
    });
    blocks.extend(sent(&metadata.sent));
    blocks
}

fn source(one: &SourceReport) -> Vec<Line> {
    let known = |count: Option<u64>| match count.and_then(|count| usize::try_from(count).ok()) {
        Some(count) => Line::of(words::thousands(count)),
        None => Line::of("unknown"),
    };
    vec![
        Line::foreign(&one.name),
        known(one.works),
        known(one.full_texts),
        Line::of(words::answered(one)),
        match one.failures.is_empty() {
            true => Line::of("none"),
            false => Line::foreign(&one.failures.join("; ")),
        },
    ]
}

/// How the paper was read.
pub(super) fn reading(digest: &Digest<'_>) -> Vec<Block> {
    let paper = &digest.report.original_paper;
    let pages = paper
        .pages
        .map(|pages| format!("{}, ", words::count(pages as usize, "page", "pages")))
        .unwrap_or_default();
    let file = Line::foreign(&paper.origin.file_name).text(format!(
        " ({}, {pages}{})",
        words::paper_format(paper.origin.format),
        words::count(paper.words, "word", "words"),
    ));
    let dates = paper.dates.iter();
    let dates: Vec<String> = dates
        .map(|one| format!("{} ({})", one.date, words::date_origin(&one.origin)))
        .collect();
    let dates = if dates.is_empty() {
        "none".to_owned()
    } else {
        dates.join("; ")
    };
    let mut facts = vec![
        ("File".to_owned(), file),
        (
            "Extraction quality".to_owned(),
            Line::of(words::percent(paper.quality.score)),
        ),
        ("Dates found".to_owned(), Line::foreign(&dates)),
        (
            "Reference list".to_owned(),
            Line::of(words::count(paper.reference_count, "entry", "entries")),
        ),
        ("SHA-256".to_owned(), Line::of(&paper.origin.sha256)),
    ];
    let links = identifier_links(&paper.identifiers).into_iter().enumerate();
    let links = links.fold(Line::default(), |line, (at, link)| {
        line.text(if at > 0 { ", " } else { "" })
            .and(Span::Web(link.label, link.url))
    });
    if !links.is_empty() {
        facts.push(("Identifiers".to_owned(), links));
    }
    let mut blocks = vec![Block::Terms(facts)];
    let warnings: Vec<String> = paper.warnings.iter().map(|one| one.message.clone()).collect();
    for (title, lines) in [
        ("Extraction problems:", &paper.quality.reasons),
        ("Warnings:", &warnings),
    ] {
        if !lines.is_empty() {
            let lines = lines.iter().map(|line| Line::foreign(&one_line(line)));
            blocks.push(Block::paragraph(Line::of(title)));
            blocks.push(Block::list(lines.collect()));
        }
    }
    if let Some(summary) = &paper.summary {
        blocks.push(Block::Heading(3, Line::of("Abstract")));
        blocks.push(of_the_paper(Passage::new(summary, ABSTRACT)));
    }
    blocks
}

/// What the levels mean, and how the report was made.
pub(super) fn method(digest: &Digest<'_>) -> Vec<Block> {
    let metadata = &digest.report.metadata;
    let wording = "Papers that appeared within three months before this paper, or whose date is unknown, are listed separately and never count against a \
                claim. Later papers are only listed as excluded. A passage is printed exactly as in its source. An ellipsis marks where it was shortened \
                for display; the JSON report contains the full text. Words that were not found in a source are never printed as a quote.";
    let mut blocks = vec![
        Block::list(words::HOW_TO_READ.iter().map(Line::of).collect()),
        Block::list(levels(digest)),
        Block::paragraph(Line::of(wording)),
    ];
    if !digest.has_prose() {
        blocks.push(Block::paragraph(Line::of(words::NO_PROSE)));
    }
    let cutoff = metadata.as_of.as_ref().map_or("unknown".to_owned(), |one| {
        format!("{} ({})", one.date, words::date_origin(&one.origin))
    });
    let facts = [
        ("Program", format!("Precedent {}", metadata.program_version)),
        ("Report version", digest.report.schema_version.clone()),
        ("Analyst", metadata.analyst.clone()),
        ("Cutoff date", cutoff),
        ("Seed", metadata.seed.to_string()),
    ];
    let facts = facts.map(|(name, value)| (name.to_owned(), Line::foreign(&value)));
    blocks.push(Block::Terms(facts.into()));
    blocks
}

/// Explains each level; "Not assessable" only if it occurs.
fn levels(digest: &Digest<'_>) -> Vec<Line> {
    let level = |key, label: &str, status, meaning: &str| {
        let line = Line::default().and(Span::Chip(key, label.to_owned())).text(" (");
        line.and(Span::Code(words::status_key(status).to_owned()))
            .text("): ")
            .text(meaning)
    };
    let of = |one| {
        level(
            words::status_short(one),
            words::status(one),
            one,
            words::status_meaning(one),
        )
    };
    let mut levels = [Status::CanRefute, Status::Unclear, Status::CannotRefute]
        .map(of)
        .to_vec();
    levels.extend(digest.has_not_assessable().then(|| {
        level(
            ClaimStatus::TooLittle.key(),
            words::TOO_LITTLE,
            Status::Unclear,
            words::TOO_LITTLE_MEANING,
        )
    }));
    levels
}

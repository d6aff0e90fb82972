use precedent_domain::{Audit, AuditItem, AuditLimit, DimensionAudit};

use super::shown;
use crate::blocks::{Block, Line, ReportPage, Section, Span, Tone, incomplete_models, sent};

/// The audit as blocks.
pub(crate) fn compose(audit: &Audit) -> ReportPage {
    let mut sections = vec![Section::findings("scores", "Scores", scores(audit))];
    if let Some(blocks) = omissions(audit) {
        sections
            .push(Section::shown("omissions", "Close earlier papers not mentioned", blocks).labelled("Not mentioned"));
    }
    sections.extend(audit.dimensions.iter().map(dimension));
    let mut about = vec![Block::paragraph(Line::of(shown::about(audit)))];
    about.extend(sent(&audit.sent));
    sections.push(Section::folded("about", "About this audit", about).labelled("About"));
    ReportPage {
        warnings: incomplete_models(&audit.models),
        title: format!("Audit of: {}", shown::title(audit)),
        about: "audit",
        kind: "Audit of a novelty report",
        byline: Vec::new(),
        sections,
        disclaimer: String::new(),
    }
}

fn scores(audit: &Audit) -> Vec<Block> {
    let row = |one: &DimensionAudit| {
        vec![
            Line::default().link(shown::dimension(one), one.dimension.name()),
            Line::of(shown::score(one)),
            Line::of(one.yes),
            Line::of(one.decided),
            Line::of(one.items.len()),
        ]
    };
    let mut blocks = vec![
        Block::Paragraph(Tone::Lead, Line::of(shown::overall_score(audit))),
        Block::list(shown::audit_limits(audit).iter().map(Line::of).collect()),
        Block::table(
            "Table of scores",
            &["Dimension", "Score", "Yes", "Answered", "Questions"],
            audit.dimensions.iter().map(row).collect(),
        ),
        Block::Heading(3, Line::of("Citations")),
        Block::list(shown::citations(audit).iter().map(Line::of).collect()),
    ];
    let unresolved = &audit.citations.unresolved;
    if !unresolved.is_empty() {
        blocks.push(Block::Heading(3, Line::of("Unresolved citations")));
        blocks.push(Block::list(unresolved.iter().map(|text| Line::foreign(text)).collect()));
    }
    blocks
}

/// Each omitted paper with the claim and its passage.
fn omissions(audit: &Audit) -> Option<Vec<Block>> {
    audit.evidence.searched?;
    if audit.omissions.is_empty() {
        let none = match audit.limits.contains(&AuditLimit::DateUnknown) {
            true => {
                "The report mentions every cited paper that was found close to a claim. Other papers were not checked, because the paper's date is unknown."
            }
            false => "The report mentions every earlier paper that was found close to a claim.",
        };
        return Some(vec![Block::paragraph(Line::of(none))]);
    }
    let intro = "Precedent found these papers for the paper's claims. The report does not name them. Read the passages to decide whether it should.";
    let mut blocks = vec![Block::paragraph(Line::of(intro))];
    for one in &audit.omissions {
        blocks.push(Block::Heading(
            3,
            Line::foreign(&format!("{}: {}", one.alias, one.title)),
        ));
        blocks.push(Block::paragraph(
            Line::of("Claim of the paper: ")
                .text("“")
                .external(one.claim.text())
                .text("”"),
        ));
        blocks.push(Block::paragraph(
            Line::of(format!("Closest passage ({}): ", shown::omission_level(one)))
                .text("“")
                .external(one.passage.text())
                .text("”"),
        ));
    }
    Some(blocks)
}

fn dimension(one: &DimensionAudit) -> Section {
    let score = format!(
        "Score: {}. {} yes of {} answered, {} questions.",
        shown::score(one),
        one.yes,
        one.decided,
        one.items.len()
    );
    let blocks = vec![
        Block::Paragraph(Tone::Fine, Line::of(score)),
        Block::list(one.items.iter().map(item).collect()),
    ];
    Section::shown(one.dimension.name(), &shown::dimension(one), blocks)
}

fn item(one: &AuditItem) -> Line {
    let line = Line::default().and(Span::Chip(shown::key(one), shown::answer(one)));
    let line = line
        .text(" ")
        .note(format!("({})", one.group))
        .text(": ")
        .text(&one.question);
    line.and(Span::Break).external(&one.reason)
}

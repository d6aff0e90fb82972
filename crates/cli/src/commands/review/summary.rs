use precedent_engine::domain::{DimensionScore, EvidenceKind, IdeaReview, KnowledgeRole};
use precedent_report::{PartAtAGlance, parts_at_a_glance, review_score, review_title, same_text};

use crate::commands::not_searched;
use crate::printer::{Printer, Style, counted, plain};

/// Maximum number of lines of a warning.
const SAME: usize = 3;

/// The report's overview, in at most 25 lines with the files.
pub(in crate::commands) fn summary(found: &IdeaReview, printer: Printer) -> String {
    let mut lines = Vec::new();
    lines.push(printer.strong(&printer.fit(&plain(&review_title(found)))));
    lines.extend(same_text(found).map(|same| printer.wrap_to(&format!("  {}", plain(&same)), 4, SAME)));
    match &found.meta {
        Some(meta) => {
            let confidence = match &meta.decision_confidence {
                Some(one) => one.level.name().to_owned(),
                None => format!("{:.0} %", meta.confidence * 100.0),
            };
            let lowered = match meta.lowered.len() {
                0 => String::new(),
                lowered => format!(", {} lowered by the chair", counted(lowered, "dimension")),
            };
            let decided = format!(
                "  {} of 10: {} (confidence {confidence}, mean of readers {}{lowered}, chair's adjustment {:+.2})",
                review_score(meta.score),
                meta.decision.name(),
                review_score(meta.average),
                meta.delta
            );
            lines.push(printer.wrap(&decided, 4));
            let dimension = |one: &DimensionScore| {
                let known = found.dimensions.iter().find(|known| known.id == one.dimension);
                format!(
                    "{} {} ({} to {})",
                    known.map_or(String::new(), |known| plain(&known.name)),
                    review_score(one.mean),
                    review_score(one.lowest),
                    review_score(one.highest)
                )
            };
            let dimensions: Vec<String> = meta.dimensions.iter().map(dimension).collect();
            lines.push(printer.wrap(&format!("  {}", dimensions.join(", ")), 4));
        }
        None if found.metadata.analyst == "offline" => {
            lines.push("  no scores: they need a model (--model)".to_owned());
        }
        None if found.board.is_empty() => lines.push("  no decision: no reader gave a usable review".to_owned()),
        None => lines.push("  no decision: the readers' reviews could not be summarised".to_owned()),
    }
    for one in parts_at_a_glance(found) {
        part(&mut lines, &one, printer);
    }
    let missing: Vec<&str> = found.idea.missing.iter().map(|part| part.name()).collect();
    if !missing.is_empty() {
        lines.push(format!("  not found in the idea: {}", missing.join(", ")));
    }
    let of = |kind: EvidenceKind| found.knowledge.iter().filter(|one| one.kind == kind).count();
    let later = found.knowledge.iter().filter(|one| one.role == KnowledgeRole::Suggests);
    let evidence = format!(
        "  evidence: {} papers, {} pages, {} repositories after {}; {} of them later than the idea",
        of(EvidenceKind::Literature),
        of(EvidenceKind::Web),
        of(EvidenceKind::Code),
        counted(found.search.rounds.len(), "search round"),
        later.count()
    );
    lines.push(printer.wrap(&evidence, 4));
    lines.extend(not_searched::lines(&found.metadata.not_searched, printer));
    lines.push(String::new());
    lines.join("\n")
}

/// A part with its level, and the closest document.
fn part(lines: &mut Vec<String>, one: &PartAtAGlance, printer: Printer) {
    let more = match one.more {
        0 => String::new(),
        more => format!(", {more} more"),
    };
    let level = format!("  {} ({}){more}:", one.part, one.level);
    let line = printer.fit(&format!("{level} {}", plain(&one.statement)));
    let style = match one.key {
        "found" => Style::Alarm,
        "reading" => Style::Attention,
        _ => Style::Strong,
    };
    lines.push(match line.strip_prefix(&level) {
        Some(rest) => format!("{}{rest}", printer.paint(&level, style)),
        None => line,
    });
    if let Some((citation, title)) = &one.closest {
        let apart = if one.earlier { "" } else { ", may not be earlier" };
        lines.push(printer.fit(&format!(
            "     {}{apart} ({}): {}",
            plain(citation),
            one.why,
            plain(title)
        )));
    }
}

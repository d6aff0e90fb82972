use precedent_engine::domain::{NoveltyPoint, PointsReport};
use precedent_report::{PointAtAGlance, points_at_a_glance};

use crate::commands::not_searched;
use crate::printer::{Printer, Style, plain};

/// Maximum number of points that are shown with their closest passages.
const QUOTED: usize = 3;
/// Maximum number of lines of a note or of the summary.
const NOTE: usize = 2;

/// The report's overview, in at most 25 lines with the files.
pub(in crate::commands) fn summary(found: &PointsReport, printer: Printer) -> String {
    let mut lines = vec![printer.strong(&printer.fit(&plain(&found.original_paper.title)))];
    if let Some(summary) = &found.novelty_summary {
        let score = format!(
            "  score {} ({}): {}",
            u8::from(summary.score),
            summary.score.name(),
            plain(&summary.one_line)
        );
        lines.push(printer.wrap_to(&score, 4, NOTE));
    }
    // Whether an earlier paper states a point nearly word for word, and what was dropped.
    let notes = found.notes.iter();
    lines.extend(notes.map(|note| printer.wrap_to(&format!("  note: {}", plain(note)), 4, NOTE)));
    for (one, glance) in found.points.iter().zip(points_at_a_glance(found)) {
        point(&mut lines, one, &glance, found.points.len() <= QUOTED, printer);
    }
    if found.points.is_empty() {
        lines.push("  no contribution claims found".to_owned());
    }
    let base = &found.base;
    let compared = format!(
        "  compared with {} papers ({} of the paper's {} references), {} with full text, in {} passages",
        base.works.len(),
        base.found_references,
        base.listed_references,
        base.full_texts,
        base.passages
    );
    lines.push(printer.wrap(&compared, 4));
    if let Some(validation) = &found.validation {
        lines.push(format!(
            "  {} of {} citations checked, {} sentences corrected or removed",
            validation.judged,
            validation.distinct,
            validation.corrections.len()
        ));
    }
    lines.extend(not_searched::lines(&found.metadata.not_searched, printer));
    lines.push(String::new());
    lines.join("\n")
}

/// A point with its level, and the closest paper with its passage.
fn point(lines: &mut Vec<String>, one: &NoveltyPoint, glance: &PointAtAGlance, quotes: bool, printer: Printer) {
    let style = match glance.key {
        "found" => Style::Alarm,
        "reading" => Style::Attention,
        _ => Style::Strong,
    };
    let level = format!("{}. {}:", one.number, glance.level);
    let line = printer.fit(&format!("{level} {}", plain(one.claim.text())));
    lines.push(match line.strip_prefix(&level) {
        Some(rest) => format!("{}{rest}", printer.paint(&level, style)),
        None => line,
    });
    let Some(title) = &glance.title else {
        lines.push(format!("   {}", glance.why));
        return;
    };
    let apart = if glance.earlier { "" } else { ", may not be earlier" };
    let citation = plain(&glance.citation);
    lines.push(printer.fit(&format!("   {citation}{apart} ({}): {}", glance.why, plain(title))));
    if let Some(passage) = glance.passage.as_ref().filter(|_| quotes) {
        let line = printer.fit(&format!("   “{}”", plain(passage)));
        lines.push(printer.paint(&line, Style::Faint));
    }
}

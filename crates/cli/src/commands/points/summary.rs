use precedent_engine::domain::{NoveltyPoint, PointsReport, Timing};

use crate::commands::job;
use crate::printer::{Printer, plain};

/// Maximum number of passages shown per point. The reports list all.
const PASSAGES: usize = 3;

/// The report's overview in a few lines.
pub(in crate::commands) fn summary(found: &PointsReport, printer: Printer) -> String {
    let mut lines = vec![plain(&found.original_paper.title)];
    if let Some(summary) = &found.novelty_summary {
        lines.push(format!(
            "  score {} ({}): {}",
            u8::from(summary.score),
            summary.score.name(),
            plain(&summary.one_line)
        ));
    }
    // Whether an earlier paper states a point nearly word for word, and what was dropped.
    lines.extend(found.notes.iter().map(|note| format!("  note: {}", plain(note))));
    for one in &found.points {
        point(&mut lines, found, one);
    }
    if found.points.is_empty() {
        lines.push("  no contribution claims found".to_owned());
    }
    let base = &found.base;
    lines.push(format!(
        "  compared with {} papers ({} of the paper's {} references), {} with full text, in {} passages",
        base.works.len(),
        base.found_references,
        base.listed_references,
        base.full_texts,
        base.passages
    ));
    if let Some(validation) = &found.validation {
        lines.push(format!(
            "  {} of {} citations checked, {} sentences corrected or removed",
            validation.judged,
            validation.distinct,
            validation.corrections.len()
        ));
    }
    lines.extend(job::limits(&found.metadata.not_searched, printer));
    lines.push(String::new());
    lines.join("\n")
}

fn point(lines: &mut Vec<String>, found: &PointsReport, one: &NoveltyPoint) {
    lines.push(format!(
        "  point {} ({}): {}",
        one.number,
        one.class.name(),
        plain(one.claim.text())
    ));
    let mut any = false;
    for passage in one.passages.iter().filter(|one| one.shown).take(PASSAGES) {
        let base = found.passages.iter().find(|base| base.number == passage.passage);
        let work = base.and_then(|base| found.references.iter().find(|one| one.number == base.reference));
        let (Some(work), Some(nearest)) = (work, &passage.nearest) else {
            continue;
        };
        any = true;
        let apart = match work.timing {
            Timing::Earlier => "",
            _ => " (not certainly earlier than the paper)",
        };
        lines.push(format!(
            "    {}[{}] {}{apart}",
            plain(&work.alias),
            work.number,
            plain(&work.work.title)
        ));
        lines.push(format!("        “{}”", plain(nearest.text())));
    }
    if !any {
        lines.push("    no similar passage".to_owned());
    }
}

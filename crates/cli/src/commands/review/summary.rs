use precedent_engine::domain::{EvidenceKind, IdeaPart, IdeaReview, KnowledgeRole};
use precedent_report::{review_score, same_text};

use crate::commands::job;
use crate::printer::{Printer, plain};

/// Maximum number of documents shown per part. The reports list all.
const PIECES: usize = 2;

/// The report's overview in a few lines.
pub(in crate::commands) fn summary(found: &IdeaReview, printer: Printer) -> String {
    let mut lines = Vec::new();
    if !found.idea.title.is_empty() {
        lines.push(plain(&found.idea.title));
    }
    lines.extend(same_text(found).map(|same| format!("  {}", plain(&same))));
    match &found.meta {
        Some(meta) => {
            lines.push(format!(
                "  {} of 10: {} (mean of readers {}, chair's adjustment {:+.2}, confidence {:.0} %)",
                review_score(meta.score),
                meta.decision.name(),
                review_score(meta.average),
                meta.delta,
                meta.confidence * 100.0
            ));
            for one in &meta.dimensions {
                let dimension = found.dimensions.iter().find(|known| known.id == one.dimension);
                lines.push(format!(
                    "    {:<14} {}  ({} to {}, {} readers)",
                    dimension.map_or(String::new(), |known| plain(&known.name)),
                    review_score(one.mean),
                    review_score(one.lowest),
                    review_score(one.highest),
                    one.readers
                ));
            }
        }
        None if found.metadata.analyst == "offline" => {
            lines.push("  no scores: they need a model (--model)".to_owned());
        }
        None => lines.push("  no decision: the readers' reviews could not be summarised".to_owned()),
    }
    for part in IdeaPart::ALL {
        self::part(&mut lines, found, part);
    }
    let missing: Vec<&str> = found.idea.missing.iter().map(|part| part.name()).collect();
    if !missing.is_empty() {
        lines.push(format!("  not found in the idea: {}", missing.join(", ")));
    }
    let of = |kind: EvidenceKind| found.knowledge.iter().filter(|one| one.kind == kind).count();
    lines.push(format!(
        "  evidence: {} papers, {} pages, {} repositories after {} search rounds; {} of them later than the idea",
        of(EvidenceKind::Literature),
        of(EvidenceKind::Web),
        of(EvidenceKind::Code),
        found.search.rounds.len(),
        found
            .knowledge
            .iter()
            .filter(|one| one.role == KnowledgeRole::Suggests)
            .count()
    ));
    lines.extend(job::limits(&found.metadata.not_searched, printer));
    lines.push(String::new());
    lines.join("\n")
}

fn part(lines: &mut Vec<String>, found: &IdeaReview, part: IdeaPart) {
    let mut statements = found.idea.statements.iter().filter(|one| one.part == part);
    let Some(first) = statements.next() else { return };
    let more = match statements.count() {
        0 => String::new(),
        more => format!("  (and {more} more)"),
    };
    lines.push(format!("  {}: {}{more}", part.name(), plain(&first.statement)));
    for one in found.grounding.iter().filter(|one| one.part == part).take(PIECES) {
        let Some(piece) = found.knowledge.iter().find(|piece| piece.number == one.piece) else {
            continue;
        };
        lines.push(format!(
            "    {}[{}] {}",
            plain(&piece.alias),
            piece.number,
            plain(&piece.work.title)
        ));
        if let Some(evidence) = one.evidence.first() {
            lines.push(format!("        “{}”", plain(evidence.quote.text())));
        }
    }
}

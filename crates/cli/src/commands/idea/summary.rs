use precedent_engine::domain::IdeaAssessment;

use crate::commands::job;
use crate::printer::{Printer, plain};

/// The report's overview in a few lines.
pub(in crate::commands) fn summary(found: &IdeaAssessment, printer: Printer) -> String {
    let verdict = &found.verdict;
    let mut lines = vec![format!("{}: {}", verdict.verdict.name(), plain(&verdict.grounds))];
    lines.extend(verdict.reasoning.iter().map(|text| format!("  {}", plain(text))));
    if let Some(agreement) = verdict.agreement {
        lines.push(format!(
            "  {} responses, agreement {:.0} %",
            verdict.samples.len(),
            agreement * 100.0
        ));
    }
    if let Some(look) = &verdict.second_look {
        lines.push(format!(
            "  second look: first {}, then {}",
            look.first.name(),
            look.settled.name()
        ));
    }
    for one in &found.idea.facets {
        lines.push(format!("  {:<18}  {}", one.facet.name(), plain(one.quote.text())));
    }
    for one in &found.works {
        let facets: Vec<String> = one
            .facets
            .iter()
            .map(|facet| format!("{} {:.0} %", facet.facet.name(), facet.similarity * 100.0))
            .collect();
        lines.push(format!(
            "  {}[{}] {}",
            plain(&one.alias),
            one.number,
            plain(&one.work.title)
        ));
        lines.push(format!(
            "      similarity {:.2}; shared words: {}",
            one.nearness,
            facets.join(", ")
        ));
    }
    lines.extend(job::limits(&found.metadata.not_searched, printer));
    lines.push(String::new());
    lines.join("\n")
}

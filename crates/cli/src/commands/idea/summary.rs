use precedent_engine::domain::{IdeaAssessment, IdeaWork, NoveltyVerdict};
use precedent_report::{lean_words, without_bullet};

use crate::commands::not_searched;
use crate::printer::{Printer, Style, plain};

/// Maximum number of papers shown. The reports list all.
const PAPERS: usize = 5;
/// Maximum number of lines of a model's reasoning.
const REASONING: usize = 3;

/// The report's overview, in at most 25 lines with the files.
pub(in crate::commands) fn summary(found: &IdeaAssessment, printer: Printer) -> String {
    let verdict = &found.verdict;
    let style = match verdict.verdict {
        NoveltyVerdict::NotNovel => Style::Alarm,
        NoveltyVerdict::Undecided => Style::Attention,
        NoveltyVerdict::Novel => Style::Strong,
    };
    let name = verdict.verdict.name();
    let grounds = printer.wrap_to(&format!("{name}: {}", plain(&verdict.grounds)), 2, REASONING);
    let mut lines = vec![match grounds.strip_prefix(name) {
        Some(rest) => format!("{}{rest}", printer.paint(name, style)),
        None => grounds,
    }];
    lines.extend(lean_words(found).map(|text| printer.wrap_to(&format!("  {text}"), 2, REASONING)));
    let reasoning = verdict.reasoning.iter();
    lines.extend(reasoning.map(|text| printer.wrap_to(&format!("  {}", plain(text)), 2, REASONING)));
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
        let wording = plain(without_bullet(one.quote.text()));
        lines.push(printer.fit(&format!("  {:<18}  {wording}", one.facet.name())));
    }
    if !found.works.is_empty() {
        let facets: Vec<&str> = found.idea.facets.iter().map(|one| one.facet.name()).collect();
        let head = match facets.is_empty() {
            true => "  closest papers:".to_owned(),
            false => format!(
                "  closest papers, with the share of the idea's words on {}:",
                facets.join(", ")
            ),
        };
        lines.push(printer.wrap(&head, 4));
    }
    lines.extend(found.works.iter().take(PAPERS).map(|one| paper(one, printer)));
    let more = found.works.len().saturating_sub(PAPERS);
    if more > 0 {
        lines.push(format!("  {more} more in the report"));
    }
    lines.extend(not_searched::lines(&found.metadata.not_searched, printer));
    lines.push(String::new());
    lines.join("\n")
}

/// A paper on one line: shares by facet, name and title.
fn paper(one: &IdeaWork, printer: Printer) -> String {
    let shares = one.facets.iter();
    let shares: String = shares
        .map(|facet| format!("{:>4.0} %", facet.similarity * 100.0))
        .collect();
    printer.fit(&format!(
        "{shares}  {}[{}] {}",
        plain(&one.alias),
        one.number,
        plain(&one.work.title)
    ))
}

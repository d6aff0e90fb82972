use std::collections::BTreeMap;

use precedent_engine::domain::{Assessment, DateOrigin, ModelUse};
use precedent_report::{ClaimAtAGlance, WorkAtAGlance, at_a_glance, lead};

use super::not_searched;
use crate::printer::{Printer, Style, counted, plain};

/// Maximum length of a quote, in characters. The report has the full quote.
const LONGEST: usize = 240;

/// The findings in a few lines.
pub(super) fn summary(assessment: &Assessment, printer: Printer) -> String {
    let title = printer.fit(&plain(&assessment.original_paper.title));
    let mut lines = vec![printer.strong(&title)];
    let mut first = lead(assessment);
    if let Some(as_of) = &assessment.metadata.as_of {
        let origin = match &as_of.origin {
            DateOrigin::Given => "given",
            DateOrigin::ArxivId => "from its arXiv id",
            DateOrigin::FrontMatter => "printed in the paper",
            DateOrigin::FirstPageByModel => "found on the first page by the model",
            DateOrigin::FileMetadata => "from the file metadata",
            _ => "from its record",
        };
        first.push_str(&format!(" Cutoff date: {} ({origin}).", as_of.date));
    }
    lines.push(printer.wrap(&first, 0));
    for one in at_a_glance(assessment) {
        claim(&one, printer, &mut lines);
    }
    let missing = assessment.contribution_analysis.missing_citations.len();
    let shared = assessment.textual_similarity.unexplained();
    let also: Vec<String> = [
        (missing > 0).then(|| format!("{} not cited", counted(missing, "similar paper"))),
        (shared > 0).then(|| format!("text shared with {}", counted(shared, "paper"))),
    ]
    .into_iter()
    .flatten()
    .collect();
    if !also.is_empty() {
        lines.push(format!("{}; see the report", also.join(", ")));
    }
    lines.extend(not_searched::lines(&assessment.metadata.not_searched, printer));
    lines.extend(model_calls(&assessment.metadata.models));
    lines.push(String::new());
    lines.join("\n")
}

/// A claim with its level and the most similar papers.
fn claim(one: &ClaimAtAGlance, printer: Printer, lines: &mut Vec<String>) {
    let style = match one.key {
        "found" => Style::Alarm,
        "reading" => Style::Attention,
        _ => Style::Strong,
    };
    let line = printer.fit(&format!("{}. {}: {}", one.number, one.status, plain(&one.text)));
    let level = format!("{}. {}:", one.number, one.status);
    lines.push(match line.strip_prefix(&level) {
        Some(rest) => format!("{}{rest}", printer.paint(&level, style)),
        None => line,
    });
    one.earlier.iter().for_each(|one| work(one, printer, lines));
    if !one.apart.is_empty() {
        lines.push(printer.fit(&format!("   {}", one.apart_label)));
        one.apart.iter().for_each(|one| work(one, printer, lines));
    }
}

/// Requests, tokens and cost of each model. The report and `manifest.json` have them by prompt.
fn model_calls(uses: &[ModelUse]) -> Vec<String> {
    let mut models: BTreeMap<&str, Vec<&ModelUse>> = BTreeMap::new();
    for one in uses.iter().filter(|one| one.questions > 0) {
        models.entry(&one.model).or_default().push(one);
    }
    let line = |(model, uses): (&str, Vec<&ModelUse>)| {
        let sum = |of: fn(&ModelUse) -> u64| uses.iter().map(|one| of(one)).sum::<u64>();
        let (requests, input, output) = (
            sum(|one| one.questions),
            sum(|one| one.input_tokens),
            sum(|one| one.output_tokens),
        );
        let cached = 100 * sum(|one| one.cached_tokens) / input.max(1);
        let dollars: Option<f64> = uses.iter().map(|one| one.dollars).sum();
        let cost = dollars.map_or("price unknown".to_owned(), |dollars| format!("${dollars:.4}"));
        format!(
            "  model calls: {} to {}, {input} input tokens ({cached} % cached), {output} output tokens, {cost}",
            counted(usize::try_from(requests).unwrap_or(usize::MAX), "request"),
            plain(model),
        )
    };
    models.into_iter().map(line).collect()
}

fn work(one: &WorkAtAGlance, printer: Printer, lines: &mut Vec<String>) {
    let notes = match one.notes.is_empty() {
        true => String::new(),
        false => format!(" ({})", one.notes.join(", ")),
    };
    // Reports of earlier versions have no probabilities.
    let measure = one.percent.as_deref().unwrap_or(one.status);
    lines.push(printer.fit(&format!(
        "   {measure:>5}  {} {}{notes}",
        plain(&one.citation),
        plain(&one.title)
    )));
    if let Some(quote) = &one.quote {
        let quote = plain(quote);
        let cut: String = quote.chars().take(LONGEST).collect();
        let more = if cut.len() < quote.len() { " …" } else { "" };
        let line = printer.fit(&format!("          “{}{more}”", cut.trim_end()));
        lines.push(printer.paint(&line, Style::Faint));
    }
}

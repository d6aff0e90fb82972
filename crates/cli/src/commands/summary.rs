use precedent_engine::domain::{Assessment, DateOrigin, ModelUse};
use precedent_report::{WorkAtAGlance, at_a_glance};

use super::job::limits;
use crate::printer::plain;

/// Maximum length of a quote, in characters. The report has the full quote.
const LONGEST: usize = 240;

/// The report's overview in a few lines.
pub(super) fn summary(assessment: &Assessment) -> String {
    let mut lines = vec![plain(&assessment.original_paper.title)];
    if let Some(task) = &assessment.core_task_survey.core_task {
        lines.push(format!("  core task: {}", plain(&task.phrase)));
    }
    if let Some(as_of) = &assessment.metadata.as_of {
        let origin = match &as_of.origin {
            DateOrigin::Given => "given",
            DateOrigin::ArxivId => "from its arXiv id",
            DateOrigin::FrontMatter => "printed in the paper",
            DateOrigin::FileMetadata => "from the file metadata",
            _ => "from its record",
        };
        lines.push(format!("  cutoff date: {} ({origin})", as_of.date));
    }
    let claims = at_a_glance(assessment);
    for claim in &claims {
        lines.push(format!("  claim {}: {}", claim.number, plain(&claim.text)));
        lines.push(format!("    {}", claim.standing));
        claim.earlier.iter().for_each(|one| work(one, &mut lines));
        if !claim.apart.is_empty() {
            lines.push(format!("    {}", claim.apart_label));
            claim.apart.iter().for_each(|one| work(one, &mut lines));
        }
    }
    if claims.is_empty() {
        lines.push("  no contribution claims found".to_owned());
    }
    let missing = assessment.contribution_analysis.missing_citations.len();
    if missing > 0 {
        lines.push(format!("  similar papers not cited: {missing}"));
    }
    let shared = assessment.textual_similarity.overlaps.len();
    if shared > 0 {
        let works = if shared == 1 {
            "1 paper"
        } else {
            &format!("{shared} papers")
        };
        lines.push(format!("  text shared with {works}; see the report"));
    }
    lines.extend(limits(&assessment.metadata.not_searched));
    lines.extend(asked(&assessment.metadata.models));
    lines.push(String::new());
    lines.join("\n")
}

/// Model usage by stage, with tokens and cost.
fn asked(uses: &[ModelUse]) -> Vec<String> {
    let mut lines = Vec::new();
    for one in uses.iter().filter(|one| one.questions > 0) {
        let cached = 100 * one.cached_tokens / one.input_tokens.max(1);
        let money = one
            .dollars
            .map_or("price unknown".to_owned(), |dollars| format!("${dollars:.4}"));
        lines.push(format!(
            "  model calls: {} with {}: {} requests, {} input tokens ({cached} % cached), {} output tokens; {money}",
            plain(one.prompt.split('@').next().unwrap_or_default()),
            plain(&one.model),
            one.questions,
            one.input_tokens,
            one.output_tokens
        ));
    }
    lines
}

fn work(one: &WorkAtAGlance, lines: &mut Vec<String>) {
    let notes = if one.notes.is_empty() {
        String::new()
    } else {
        format!(" ({})", one.notes.join(", "))
    };
    lines.push(format!(
        "    {:<21}  {} {}{notes}",
        one.status,
        plain(&one.citation),
        plain(&one.title)
    ));
    if let Some(quote) = &one.quote {
        let quote = plain(quote);
        let cut: String = quote.chars().take(LONGEST).collect();
        let more = if cut.len() < quote.len() { " …" } else { "" };
        lines.push(format!("                           “{}{more}”", cut.trim_end()));
    }
}

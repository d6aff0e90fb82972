use askama::Template;
use precedent_domain::Audit;

use super::shown;
use crate::ReportError;
use crate::formats::html::page;
use crate::words;

/// Renders the HTML page. `format` is the name used in errors.
pub(crate) fn html(audit: &Audit, format: &'static str) -> Result<Vec<u8>, ReportError> {
    page(&Page::new(audit), format)
}

#[derive(Template)]
#[template(path = "audit.html")]
struct Page {
    title: String,
    overall: String,
    dimensions: Vec<Dimension>,
    citations: Vec<String>,
    unresolved: Vec<String>,
    about_it: String,
    sent: Vec<String>,
}

struct Dimension {
    id: &'static str,
    name: String,
    score: String,
    yes: usize,
    decided: usize,
    items: Vec<Item>,
}

struct Item {
    key: &'static str,
    answer: String,
    group: String,
    question: String,
    reason: String,
}

impl Page {
    fn new(audit: &Audit) -> Self {
        let dimensions = audit.dimensions.iter().map(|one| Dimension {
            id: one.dimension.name(),
            name: shown::dimension(one),
            score: shown::score(one),
            yes: one.yes,
            decided: one.decided,
            items: one
                .items
                .iter()
                .map(|item| Item {
                    key: shown::key(item),
                    answer: shown::answer(item),
                    group: item.group.clone(),
                    question: item.question.clone(),
                    reason: item.reason.clone(),
                })
                .collect(),
        });
        Self {
            title: format!("Audit of: {}", shown::title(audit)),
            overall: shown::overall(audit),
            dimensions: dimensions.collect(),
            citations: shown::citations(audit),
            unresolved: audit.citations.unresolved.clone(),
            about_it: shown::about(audit),
            sent: audit.sent.iter().map(words::sent).collect(),
        }
    }
}

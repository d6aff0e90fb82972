use crate::blocks::markdown;
use crate::{AnyReport, Renderer, ReportError};

/// The report as Markdown, readable as text or rendered.
#[derive(Debug, Clone, Copy)]
pub struct MarkdownRenderer;

impl Renderer for MarkdownRenderer {
    fn format(&self) -> &'static str {
        "md"
    }

    fn render(&self, report: AnyReport<'_>) -> Result<Vec<u8>, ReportError> {
        match report {
            AnyReport::Assessment(one) => Ok(markdown(&crate::assess::compose(one))),
            AnyReport::Points(one) => Ok(markdown(&crate::points::compose(one))),
            AnyReport::Idea(one) => Ok(markdown(&crate::idea::compose(one))),
            AnyReport::Review(one) => Ok(markdown(&crate::review::compose(one))),
            AnyReport::Ranking(one) => Ok(markdown(&crate::ranking::compose(one))),
            AnyReport::Audit(one) => Ok(markdown(&crate::audit::compose(one))),
            AnyReport::Watch(one) => Ok(markdown(&crate::watch::compose(one))),
        }
    }
}

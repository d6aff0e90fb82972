use precedent_domain::Assessment;

use super::writer::Writer;
use super::{claims, field, opening, overlap, references, run};
use crate::blocks::markdown;
use crate::view::Digest;
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
            AnyReport::Assessment(one) => Ok(assessment(one)),
            AnyReport::Points(one) => Ok(markdown(&crate::points::compose(one))),
            AnyReport::Idea(one) => Ok(markdown(&crate::idea::compose(one))),
            AnyReport::Review(one) => Ok(markdown(&crate::review::compose(one))),
            AnyReport::Ranking(one) => Ok(markdown(&crate::ranking::compose(one))),
            AnyReport::Audit(one) => Ok(markdown(&crate::audit::compose(one))),
        }
    }
}

fn assessment(report: &Assessment) -> Vec<u8> {
    let digest = Digest::new(report);
    let mut out = Writer::default();
    opening::write(&mut out, &digest);
    opening::write_paper(&mut out, &digest);
    field::write_survey(&mut out, &digest);
    claims::write(&mut out, &digest);
    field::write_position(&mut out, &digest);
    overlap::write(&mut out, &digest);
    references::write(&mut out, &digest);
    run::write(&mut out, &digest);
    out.finish().into_bytes()
}

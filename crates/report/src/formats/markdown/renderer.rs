use precedent_domain::{Assessment, Audit, GroupRanking, IdeaAssessment, IdeaReview, PointsReport};

use super::writer::Writer;
use super::{claims, field, opening, overlap, references, run};
use crate::publish::publishable;
use crate::view::Digest;
use crate::{Renderer, ReportError};

/// The report as Markdown, readable as text or rendered.
#[derive(Debug, Clone, Copy)]
pub struct MarkdownRenderer;

impl Renderer for MarkdownRenderer {
    fn format(&self) -> &'static str {
        "md"
    }

    fn file_name(&self) -> &'static str {
        "report.md"
    }

    fn idea_file_name(&self) -> Option<&'static str> {
        Some("idea.md")
    }

    fn points_file_name(&self) -> Option<&'static str> {
        Some("points.md")
    }

    fn render_points(&self, report: &PointsReport) -> Result<Vec<u8>, ReportError> {
        crate::points::markdown(report)
    }

    fn ranking_file_name(&self) -> Option<&'static str> {
        Some("ranking.md")
    }

    fn render_ranking(&self, ranking: &GroupRanking) -> Result<Vec<u8>, ReportError> {
        Ok(crate::ranking::markdown(ranking))
    }

    fn review_file_name(&self) -> Option<&'static str> {
        Some("review.md")
    }

    fn render_review(&self, review: &IdeaReview) -> Result<Vec<u8>, ReportError> {
        Ok(crate::review::markdown(review))
    }

    fn audit_file_name(&self) -> Option<&'static str> {
        Some("audit.md")
    }

    fn render_audit(&self, audit: &Audit) -> Result<Vec<u8>, ReportError> {
        Ok(crate::audit::markdown(audit))
    }

    fn render_idea(&self, assessment: &IdeaAssessment) -> Result<Vec<u8>, ReportError> {
        crate::idea::markdown(assessment)
    }

    fn render(&self, assessment: &Assessment) -> Result<Vec<u8>, ReportError> {
        let report = publishable(assessment);
        let digest = Digest::new(&report);
        let mut out = Writer::default();
        opening::write(&mut out, &digest);
        opening::write_paper(&mut out, &digest);
        field::write_survey(&mut out, &digest);
        claims::write(&mut out, &digest);
        field::write_position(&mut out, &digest);
        overlap::write(&mut out, &digest);
        references::write(&mut out, &digest);
        run::write(&mut out, &digest);
        Ok(out.finish().into_bytes())
    }
}

use precedent_domain::{Assessment, Audit, GroupRanking, IdeaAssessment, IdeaReview, PointsReport};

use crate::publish::Publish as _;
use crate::{ReportError, WatchReport, renderer};

/// A report of any kind.
#[derive(Debug, Clone, Copy)]
pub enum AnyReport<'r> {
    /// Of `assess`.
    Assessment(&'r Assessment),
    /// Of `points`.
    Points(&'r PointsReport),
    /// Of `idea`.
    Idea(&'r IdeaAssessment),
    /// Of `review`.
    Review(&'r IdeaReview),
    /// Of `rank` and `compare`.
    Ranking(&'r GroupRanking),
    /// Of `audit`.
    Audit(&'r Audit),
    /// Of `watch`.
    Watch(&'r WatchReport),
}

impl AnyReport<'_> {
    /// The name of its files, without extension.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Assessment(_) => "report",
            Self::Points(_) => "points",
            Self::Idea(_) => "idea",
            Self::Review(_) => "review",
            Self::Ranking(_) => "ranking",
            Self::Audit(_) => "audit",
            Self::Watch(_) => "watch",
        }
    }
}

/// Renders a report in one format. The same report gives the same bytes.
///
/// # Errors
/// If the format is unknown or the renderer fails, never because of the content of a paper, an idea or a report.
pub fn render<'r>(report: impl Into<AnyReport<'r>>, format: &str) -> Result<Vec<u8>, ReportError> {
    let renderer = renderer(format)?;
    match report.into() {
        AnyReport::Assessment(one) => renderer.render(AnyReport::Assessment(&one.publishable())),
        AnyReport::Points(one) => renderer.render(AnyReport::Points(&one.publishable())),
        AnyReport::Idea(one) => renderer.render(AnyReport::Idea(&one.publishable())),
        AnyReport::Review(one) => renderer.render(AnyReport::Review(&one.publishable())),
        AnyReport::Ranking(one) => renderer.render(AnyReport::Ranking(&one.publishable())),
        AnyReport::Audit(one) => renderer.render(AnyReport::Audit(&one.publishable())),
        AnyReport::Watch(one) => renderer.render(AnyReport::Watch(&one.publishable())),
    }
}

/// The file name of a report in one format: `report.html`, `idea.json`, …
///
/// # Errors
/// If the format is unknown.
pub fn file_name<'r>(report: impl Into<AnyReport<'r>>, format: &str) -> Result<String, ReportError> {
    Ok(format!("{}.{}", report.into().name(), renderer(format)?.format()))
}

impl<'r> From<&'r Assessment> for AnyReport<'r> {
    fn from(report: &'r Assessment) -> Self {
        Self::Assessment(report)
    }
}

impl<'r> From<&'r PointsReport> for AnyReport<'r> {
    fn from(report: &'r PointsReport) -> Self {
        Self::Points(report)
    }
}

impl<'r> From<&'r IdeaAssessment> for AnyReport<'r> {
    fn from(report: &'r IdeaAssessment) -> Self {
        Self::Idea(report)
    }
}

impl<'r> From<&'r IdeaReview> for AnyReport<'r> {
    fn from(report: &'r IdeaReview) -> Self {
        Self::Review(report)
    }
}

impl<'r> From<&'r GroupRanking> for AnyReport<'r> {
    fn from(report: &'r GroupRanking) -> Self {
        Self::Ranking(report)
    }
}

impl<'r> From<&'r Audit> for AnyReport<'r> {
    fn from(report: &'r Audit) -> Self {
        Self::Audit(report)
    }
}

impl<'r> From<&'r WatchReport> for AnyReport<'r> {
    fn from(report: &'r WatchReport) -> Self {
        Self::Watch(report)
    }
}

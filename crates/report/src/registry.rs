use precedent_domain::{Assessment, Audit, GroupRanking, IdeaAssessment, IdeaReview, PointsReport};

use crate::ReportError;
use crate::formats;

/// Turns an assessment into the bytes of one format. The same assessment gives the same bytes.
pub trait Renderer: Sync {
    /// The name by which a user asks for it: `json`, `md`, …
    fn format(&self) -> &'static str;

    /// The name of the file it is kept in: `report.json`, …
    fn file_name(&self) -> &'static str;

    /// The report, ready to be written as it is.
    ///
    /// # Errors
    /// When the format's own machinery fails; never because of what a paper says.
    fn render(&self, assessment: &Assessment) -> Result<Vec<u8>, ReportError>;

    /// The name of the file that a report on an idea is kept in: `idea.json`, …; `None` where the format has no such report.
    fn idea_file_name(&self) -> Option<&'static str> {
        None
    }

    /// A report on an idea, ready to be written as it is.
    ///
    /// # Errors
    /// When the format has no such report, or its own machinery fails; never because of what an idea or a work says.
    fn render_idea(&self, _assessment: &IdeaAssessment) -> Result<Vec<u8>, ReportError> {
        Err(ReportError::FormatNotBuilt {
            format: self.format(),
            hint: "reports on ideas are not written in it",
        })
    }

    /// The name of the file that a report on points is kept in: `points.json`, …; `None` where the format has no such report.
    fn points_file_name(&self) -> Option<&'static str> {
        None
    }

    /// A report on points, ready to be written as it is.
    ///
    /// # Errors
    /// When the format has no such report, or its own machinery fails; never because of what a paper or a work says.
    fn render_points(&self, _report: &PointsReport) -> Result<Vec<u8>, ReportError> {
        Err(ReportError::FormatNotBuilt {
            format: self.format(),
            hint: "reports on points are not written in it",
        })
    }

    /// The name of the file that an audit is kept in: `audit.json`, …; `None` where the format has none.
    fn audit_file_name(&self) -> Option<&'static str> {
        None
    }

    /// An audit, ready to be written as it is.
    ///
    /// # Errors
    /// When the format has no such thing, or its own machinery fails; never because of what a report says.
    fn render_audit(&self, _audit: &Audit) -> Result<Vec<u8>, ReportError> {
        Err(ReportError::FormatNotBuilt {
            format: self.format(),
            hint: "audits are not written in it",
        })
    }

    /// The name of the file that a ranking is kept in: `ranking.json`, …; `None` where the format has none.
    fn ranking_file_name(&self) -> Option<&'static str> {
        None
    }

    /// A ranking, ready to be written as it is.
    ///
    /// # Errors
    /// When the format has no such thing, or its own machinery fails; never because of what an idea says.
    fn render_ranking(&self, _ranking: &GroupRanking) -> Result<Vec<u8>, ReportError> {
        Err(ReportError::FormatNotBuilt {
            format: self.format(),
            hint: "rankings are not written in it",
        })
    }

    /// The name of the file that the review of an idea is kept in: `review.json`, …; `None` where the format has none.
    fn review_file_name(&self) -> Option<&'static str> {
        None
    }

    /// A review of an idea, ready to be written as it is.
    ///
    /// # Errors
    /// When the format has no such thing, or its own machinery fails; never because of what an idea or a piece of knowledge says.
    fn render_review(&self, _review: &IdeaReview) -> Result<Vec<u8>, ReportError> {
        Err(ReportError::FormatNotBuilt {
            format: self.format(),
            hint: "reviews are not written in it",
        })
    }
}

/// A format that users ask for and this build does not write.
pub(crate) struct Absent {
    /// Its name.
    pub(crate) format: &'static str,
    /// What to do instead.
    pub(crate) hint: &'static str,
}

// To add a format: one file in `formats/`, one line here.
const RENDERERS: &[&dyn Renderer] = &[
    &formats::JsonRenderer,
    &formats::MarkdownRenderer,
    &formats::HtmlRenderer,
];
const ABSENT: &[Absent] = &[formats::PDF];

/// Every format that can be written, in the order in which a user meets them.
#[must_use]
pub fn renderers() -> &'static [&'static dyn Renderer] {
    RENDERERS
}

/// The renderer of one format; case and a leading dot do not matter.
///
/// # Errors
/// When there is no such format, or this build cannot write it; the message says what to do instead.
pub fn renderer(format: &str) -> Result<&'static dyn Renderer, ReportError> {
    let asked = format.trim().trim_start_matches('.').to_lowercase();
    if let Some(found) = RENDERERS.iter().find(|one| one.format() == asked) {
        return Ok(*found);
    }
    if let Some(absent) = ABSENT.iter().find(|one| one.format == asked) {
        return Err(ReportError::FormatNotBuilt {
            format: absent.format,
            hint: absent.hint,
        });
    }
    let known: Vec<&str> = RENDERERS.iter().map(|one| one.format()).collect();
    Err(ReportError::UnknownFormat {
        format: format.to_owned(),
        known: known.join(", "),
    })
}

/// The name of a file in a kind of report, where a format has that kind.
pub(crate) type FileName = fn(&dyn Renderer) -> Option<&'static str>;

/// The formats that a kind of report is written in, in the order in which a user meets them.
pub(crate) fn formats_with(file_name: FileName) -> Vec<&'static str> {
    let written = renderers().iter().filter(|one| file_name(**one).is_some());
    written.map(|one| one.format()).collect()
}

/// The name of the file that a kind of report is kept in.
///
/// # Errors
/// When there is no such format, or that kind is not written in it.
pub(crate) fn file_name_in(format: &str, file_name: FileName) -> Result<&'static str, ReportError> {
    file_name(renderer(format)?).ok_or_else(|| ReportError::UnknownFormat {
        format: format.to_owned(),
        known: formats_with(file_name).join(", "),
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn formats_and_files_are_unique_and_safe_names() {
        let formats: BTreeSet<&str> = renderers().iter().map(|one| one.format()).collect();
        let files: BTreeSet<&str> = renderers().iter().map(|one| one.file_name()).collect();
        assert_eq!(formats.len(), renderers().len());
        assert_eq!(files.len(), renderers().len());
        for name in formats.iter().chain(&files) {
            assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b == b'.'), "{name}");
        }
        for absent in ABSENT {
            assert!(!formats.contains(absent.format), "{} is built after all", absent.format);
        }
    }

    #[test]
    fn an_unknown_format_is_answered_with_the_known_ones() {
        for (asked, says) in [("docx", "json, md, html"), ("pdf", "print it"), ("", "json, md, html")] {
            let error = renderer(asked).err().unwrap().to_string();
            assert!(error.contains(says), "{error}");
        }
        assert_eq!(renderer(" .HTML ").unwrap().file_name(), "report.html");
    }
}

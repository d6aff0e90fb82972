use precedent_domain::{Assessment, Audit, GroupRanking, IdeaAssessment, IdeaReview, PointsReport};

use crate::ReportError;
use crate::formats;

/// Turns an assessment into the bytes of one format. The same assessment gives the same bytes.
pub trait Renderer: Sync {
    /// The name of the format on the command line: `json`, `md`, …
    fn format(&self) -> &'static str;

    /// The file name: `report.json`, …
    fn file_name(&self) -> &'static str;

    /// The report as bytes, ready to be written.
    ///
    /// # Errors
    /// When the renderer fails; never because of the content of a paper.
    fn render(&self, assessment: &Assessment) -> Result<Vec<u8>, ReportError>;

    /// The file name of a report on an idea: `idea.json`, …; `None` if the format does not support it.
    fn idea_file_name(&self) -> Option<&'static str> {
        None
    }

    /// A report on an idea as bytes, ready to be written.
    ///
    /// # Errors
    /// When the format does not support it, or the renderer fails; never because of the content of an idea or a paper.
    fn render_idea(&self, _assessment: &IdeaAssessment) -> Result<Vec<u8>, ReportError> {
        Err(ReportError::FormatNotBuilt {
            format: self.format(),
            hint: "this format has no reports on ideas",
        })
    }

    /// The file name of a report on points: `points.json`, …; `None` if the format does not support it.
    fn points_file_name(&self) -> Option<&'static str> {
        None
    }

    /// A report on points as bytes, ready to be written.
    ///
    /// # Errors
    /// When the format does not support it, or the renderer fails; never because of the content of a paper.
    fn render_points(&self, _report: &PointsReport) -> Result<Vec<u8>, ReportError> {
        Err(ReportError::FormatNotBuilt {
            format: self.format(),
            hint: "this format has no reports on points",
        })
    }

    /// The file name of an audit: `audit.json`, …; `None` if the format does not support it.
    fn audit_file_name(&self) -> Option<&'static str> {
        None
    }

    /// An audit as bytes, ready to be written.
    ///
    /// # Errors
    /// When the format does not support it, or the renderer fails; never because of the content of a report.
    fn render_audit(&self, _audit: &Audit) -> Result<Vec<u8>, ReportError> {
        Err(ReportError::FormatNotBuilt {
            format: self.format(),
            hint: "this format has no audits",
        })
    }

    /// The file name of a ranking: `ranking.json`, …; `None` if the format does not support it.
    fn ranking_file_name(&self) -> Option<&'static str> {
        None
    }

    /// A ranking as bytes, ready to be written.
    ///
    /// # Errors
    /// When the format does not support it, or the renderer fails; never because of the content of an idea.
    fn render_ranking(&self, _ranking: &GroupRanking) -> Result<Vec<u8>, ReportError> {
        Err(ReportError::FormatNotBuilt {
            format: self.format(),
            hint: "this format has no rankings",
        })
    }

    /// The file name of a review of an idea: `review.json`, …; `None` if the format does not support it.
    fn review_file_name(&self) -> Option<&'static str> {
        None
    }

    /// A review of an idea as bytes, ready to be written.
    ///
    /// # Errors
    /// When the format does not support it, or the renderer fails; never because of the content of an idea or a document.
    fn render_review(&self, _review: &IdeaReview) -> Result<Vec<u8>, ReportError> {
        Err(ReportError::FormatNotBuilt {
            format: self.format(),
            hint: "this format has no reviews",
        })
    }
}

/// A known format that this build cannot write.
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

/// Every format that can be written, in the order shown to users.
#[must_use]
pub fn renderers() -> &'static [&'static dyn Renderer] {
    RENDERERS
}

/// The renderer of one format. Case and a leading dot are ignored.
///
/// # Errors
/// When the format is unknown, or this build cannot write it. The message says what to do instead.
pub fn renderer(format: &str) -> Result<&'static dyn Renderer, ReportError> {
    let requested = format.trim().trim_start_matches('.').to_lowercase();
    if let Some(found) = RENDERERS.iter().find(|one| one.format() == requested) {
        return Ok(*found);
    }
    if let Some(absent) = ABSENT.iter().find(|one| one.format == requested) {
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

/// Returns the file name of one kind of report, if a format supports that kind.
pub(crate) type FileName = fn(&dyn Renderer) -> Option<&'static str>;

/// The formats that support a kind of report, in the order shown to users.
pub(crate) fn formats_with(file_name: FileName) -> Vec<&'static str> {
    let written = renderers().iter().filter(|one| file_name(**one).is_some());
    written.map(|one| one.format()).collect()
}

/// The file name of a kind of report.
///
/// # Errors
/// When the format is unknown or does not support that kind.
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
    fn format_and_file_names_are_unique_and_safe() {
        let formats: BTreeSet<&str> = renderers().iter().map(|one| one.format()).collect();
        let files: BTreeSet<&str> = renderers().iter().map(|one| one.file_name()).collect();
        assert_eq!(formats.len(), renderers().len());
        assert_eq!(files.len(), renderers().len());
        for name in formats.iter().chain(&files) {
            assert!(name.bytes().all(|b| b.is_ascii_lowercase() || b == b'.'), "{name}");
        }
        for absent in ABSENT {
            assert!(
                !formats.contains(absent.format),
                "{} is supported after all",
                absent.format
            );
        }
    }

    #[test]
    fn an_unknown_format_error_lists_the_known_formats() {
        for (requested, expected) in [("docx", "json, md, html"), ("pdf", "print it"), ("", "json, md, html")] {
            let error = renderer(requested).err().unwrap().to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(renderer(" .HTML ").unwrap().file_name(), "report.html");
    }
}

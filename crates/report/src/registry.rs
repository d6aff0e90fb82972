use crate::formats;
use crate::{AnyReport, ReportError};

/// Turns a report into the bytes of one format. The same report gives the same bytes.
pub trait Renderer: Sync {
    /// The name of the format on the command line, and the extension of its files: `json`, `md`, …
    fn format(&self) -> &'static str;

    /// The report as bytes, ready to be written. The report is already [published](crate::render): without local paths and dangerous links.
    ///
    /// # Errors
    /// If the renderer fails, never because of the content of a report.
    fn render(&self, report: AnyReport<'_>) -> Result<Vec<u8>, ReportError>;

    /// Whether the format needs another program, so that it is only written on request.
    fn needs_a_program(&self) -> bool {
        false
    }
}

// To add a format: one file in `formats/`, one line here.
const RENDERERS: &[&dyn Renderer] = &[
    &formats::JsonRenderer,
    &formats::MarkdownRenderer,
    &formats::HtmlRenderer,
    &formats::PdfRenderer,
];

/// The formats that are written by default, in the order shown to users.
#[must_use]
pub fn default_formats() -> Vec<&'static str> {
    let own = RENDERERS.iter().filter(|one| !one.needs_a_program());
    own.map(|one| one.format()).collect()
}

/// The renderer of one format. Case and a leading dot are ignored.
///
/// # Errors
/// If the format is unknown.
pub fn renderer(format: &str) -> Result<&'static dyn Renderer, ReportError> {
    let requested = format.trim().trim_start_matches('.').to_lowercase();
    let found = RENDERERS.iter().find(|one| one.format() == requested);
    found.copied().ok_or_else(|| {
        let known: Vec<&str> = RENDERERS.iter().map(|one| one.format()).collect();
        ReportError::UnknownFormat {
            format: format.to_owned(),
            known: known.join(", "),
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_of_formats_are_unique_and_safe_in_file_names() {
        let formats: BTreeSet<&str> = RENDERERS.iter().map(|one| one.format()).collect();
        assert_eq!(formats.len(), RENDERERS.len());
        for name in &formats {
            assert!(name.bytes().all(|b| b.is_ascii_lowercase()), "{name}");
        }
        assert_eq!(default_formats(), ["json", "md", "html"]);
    }

    #[test]
    fn an_unknown_format_error_lists_the_known_formats() {
        for requested in ["docx", ""] {
            let error = renderer(requested).err().unwrap().to_string();
            assert!(error.contains("json, md, html, pdf"), "{error}");
        }
        assert_eq!(renderer(" .HTML ").unwrap().format(), "html");
    }
}

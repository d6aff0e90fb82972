/// Errors when a report is written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The format is unknown.
    #[error("render the format {format:?}: unknown format (use one of {known})")]
    UnknownFormat {
        /// The requested format.
        format: String,
        /// The known formats, separated by commas.
        known: String,
    },
    /// No browser was found to print a PDF.
    #[error("print the report to PDF: no Chromium-based browser was found in PATH or PRECEDENT_BROWSER")]
    NoBrowser,
    /// The browser did not print a PDF.
    #[error("print the report to PDF with {browser}: {why}")]
    Browser {
        /// The browser's path.
        browser: String,
        /// What went wrong.
        why: String,
    },
    /// The assessment could not be turned into JSON.
    #[error("write the report as JSON: {source}")]
    Json {
        /// The cause.
        #[source]
        source: serde_json::Error,
    },
    /// A template could not be filled.
    #[error("write the report as {format}: {source}")]
    Template {
        /// The format.
        format: &'static str,
        /// The cause.
        #[source]
        source: askama::Error,
    },
    /// The bytes are not a report.
    #[error("read the report: {source}")]
    Read {
        /// The cause.
        #[source]
        source: serde_json::Error,
    },
    /// The report has an incompatible schema version.
    #[error(
        "read a report of version {found:?}: this program reads version {known} (use the program that wrote it, or a newer one)"
    )]
    Version {
        /// The version that the report states.
        found: String,
        /// The version that this program reads.
        known: &'static str,
    },
}

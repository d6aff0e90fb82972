/// What keeps a report from being written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The registry has no such format.
    #[error("render the format {format:?}: there is no such format; use one of {known}")]
    UnknownFormat {
        /// What was asked for.
        format: String,
        /// The formats of the registry, with commas.
        known: String,
    },
    /// The format is known, and this build cannot write it.
    #[error("render the format {format:?}: this build does not write it; {hint}")]
    FormatNotBuilt {
        /// What was asked for.
        format: &'static str,
        /// What to do instead.
        hint: &'static str,
    },
    /// The assessment could not be turned into JSON.
    #[error("write the report as JSON: {source}")]
    Json {
        /// Why.
        #[source]
        source: serde_json::Error,
    },
    /// A template could not be filled.
    #[error("write the report as {format}: {source}")]
    Template {
        /// Which format.
        format: &'static str,
        /// Why.
        #[source]
        source: askama::Error,
    },
    /// The bytes are no report.
    #[error("read the report: {source}")]
    Read {
        /// Why.
        #[source]
        source: serde_json::Error,
    },
    /// The report was written by a program whose reports this one does not know.
    #[error(
        "read a report of version {found:?}: this program reads version {known}; use the program that wrote it, or a newer one"
    )]
    Version {
        /// The version that the report states.
        found: String,
        /// The version that is read.
        known: &'static str,
    },
}

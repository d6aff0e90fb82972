use std::path::PathBuf;

/// Errors of a model. Messages complete the phrase "failed to".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A file of the model is missing or cannot be read.
    #[error("read {path} of the model")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the file system.
        source: std::io::Error,
    },
    /// A file does not have the expected content.
    #[error("use the model in {path}: {reason}")]
    NotAModel {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// An external model gave no usable answer.
    #[error("use the response of {model}: {reason}")]
    Answer {
        /// The model.
        model: String,
        /// What is wrong, or what failed.
        reason: String,
    },
}

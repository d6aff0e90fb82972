use std::path::PathBuf;

/// What can go wrong with a model. Messages fit "failed to {error}".
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A file of the model is not there or cannot be read.
    #[error("read {path} of the model")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the file system said.
        source: std::io::Error,
    },
    /// A file is not what a model of this kind has there.
    #[error("use the model in {path}: {reason}")]
    NotAModel {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A model was asked elsewhere and gave no usable answer.
    #[error("use the answer of {model}: {reason}")]
    Answer {
        /// The model.
        model: String,
        /// What is wrong, or what hindered it.
        reason: String,
    },
}

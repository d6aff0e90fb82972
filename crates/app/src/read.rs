use precedent_engine::domain::Paper;

use crate::input::{self, LocalInput};
use crate::{AppError, Input};

/// Reads a paper from a file or a text.
pub(crate) fn read(input: &Input) -> Result<Paper, AppError> {
    match input::local(input)? {
        LocalInput::File(path) => input::paper(path),
        LocalInput::Text(text) => input::paper_of_text(text),
    }
}

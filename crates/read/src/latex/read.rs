use precedent_domain::{ReadProblem, ReadWarning, ReadWarningKind};

use super::files::LatexFiles;
use super::reader::{Known, LatexReader};
use crate::draft::Draft;
use crate::format::FormatError;

/// Reads a LaTeX document. If conditions that cannot be decided leave out most of its text, the other branches are read instead.
///
/// # Errors
/// If it contains no text.
pub(crate) fn read_latex(files: &LatexFiles) -> Result<Draft, FormatError> {
    let mut pass = Pass::run(files, false);
    if pass.undecided > pass.written {
        let other = Pass::run(files, true);
        if other.written > pass.written {
            pass = other;
        }
        pass.warn(ReadProblem::LatexConditions);
    }
    if pass.dropped > pass.written {
        pass.warn(ReadProblem::LatexMacros);
    }
    if pass.limited {
        pass.warn(ReadProblem::LatexLimit);
    }
    if pass.draft.blocks.is_empty() {
        return Err(FormatError::Empty);
    }
    Ok(pass.draft)
}

/// A reading of the document.
struct Pass {
    draft: Draft,
    limited: bool,
    /// Length of the text, in bytes.
    written: usize,
    /// Tokens left out by conditions that could not be decided.
    undecided: usize,
    /// Tokens left out by macros.
    dropped: usize,
}

impl Pass {
    /// Reads in two passes: the first collects labels, citations and the reference list, the second writes the text.
    fn run(files: &LatexFiles, prefers_first: bool) -> Self {
        let nothing = Known::default();
        let mut first = LatexReader::new(files, &nothing);
        first.prefers_first = prefers_first;
        first.run();
        let known = Known {
            labels: std::mem::take(&mut first.labels),
            bibliography: first.bibliography(),
        };
        let mut second = LatexReader::new(files, &known);
        second.prefers_first = prefers_first;
        second.run();
        let (written, undecided, dropped) = (second.written, second.undecided, second.expander.dropped);
        let (draft, limited) = second.into_draft();
        Self {
            draft,
            limited,
            written,
            undecided,
            dropped,
        }
    }

    fn warn(&mut self, problem: ReadProblem) {
        let warning = ReadWarning::new(ReadWarningKind::Truncated, problem);
        self.draft.warnings.push(warning);
    }
}

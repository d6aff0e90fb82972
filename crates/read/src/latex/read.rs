use precedent_domain::{ReadWarning, ReadWarningKind};

use super::files::LatexFiles;
use super::reader::{Known, LatexReader};
use crate::draft::Draft;
use crate::format::FormatError;

/// Reads a LaTeX document in two passes: the first collects labels, citations and the reference list, the second writes the text.
///
/// # Errors
/// If it contains no text.
pub(crate) fn read_latex(files: &LatexFiles) -> Result<Draft, FormatError> {
    let nothing = Known::default();
    let mut first = LatexReader::new(files, &nothing);
    first.run();
    let known = Known {
        labels: std::mem::take(&mut first.labels),
        bibliography: first.bibliography(),
    };
    let mut second = LatexReader::new(files, &known);
    second.run();
    let (mut draft, limited) = second.into_draft();
    if limited {
        draft.warnings.push(ReadWarning {
            kind: ReadWarningKind::Truncated,
            message:
                "the LaTeX source exceeded a limit on macro expansion, nesting or size; part of its text was skipped"
                    .to_owned(),
        });
    }
    if draft.blocks.is_empty() {
        return Err(FormatError::Empty);
    }
    Ok(draft)
}

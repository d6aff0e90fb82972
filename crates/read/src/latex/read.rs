use precedent_domain::{ReadWarning, ReadWarningKind};

use super::files::LatexFiles;
use super::reader::{Known, LatexReader};
use crate::draft::Draft;
use crate::format::FormatError;

/// Reads a LaTeX document: once to learn what labels, citations and the reference list are, once to write it down.
///
/// # Errors
/// When it holds no text.
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
                "the LaTeX source went past a limit of macro expansion, nesting or size; some of its text is left out"
                    .to_owned(),
        });
    }
    if draft.blocks.is_empty() {
        return Err(FormatError::Empty);
    }
    Ok(draft)
}

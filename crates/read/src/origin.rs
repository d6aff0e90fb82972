//! The origin of a paper, and the refusal of texts that are no paper.

use precedent_domain::{Paper, PaperFormat, PaperOrigin};
use sha2::{Digest, Sha256};

use crate::ReadError;
use crate::placeholder::placeholder;
use crate::quality::word_count;

/// Minimum number of words in a paper, or in an abstract used as one.
const FEWEST_WORDS: usize = 30;

/// The origin of a paper from a single file.
pub(crate) fn origin_of(bytes: &[u8], file_name: String, format: PaperFormat) -> PaperOrigin {
    PaperOrigin {
        file_name,
        format,
        sha256: hex(&Sha256::digest(bytes)),
        bytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
    }
}

/// Rejects texts shorter than the shortest abstract, and texts that are only layout.
pub(crate) fn refuse_scraps(paper: &Paper) -> Result<(), ReadError> {
    let words = word_count(&paper.document.text);
    let name = paper.origin.file_name.clone();
    if words >= FEWEST_WORDS {
        return match placeholder(&paper.document.text) {
            Some(what) => Err(ReadError::NotAPaper {
                name,
                what: what.to_owned(),
            }),
            None => Ok(()),
        };
    }
    Err(match paper.origin.format {
        PaperFormat::Pdf => ReadError::NoText {
            name,
            pages: u32::try_from(paper.document.pages.len())
                .ok()
                .filter(|pages| *pages > 0),
        },
        _ => ReadError::NotAPaper {
            name,
            what: match words {
                1 => "a text of one word".to_owned(),
                _ => format!("a text of {words} words"),
            },
        },
    })
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().unwrap_or('0');
    bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}

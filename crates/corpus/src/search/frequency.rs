use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{InvertedIndexReader, Term};

use crate::CorpusError;
use crate::store::{Fields, Segment, Snapshot};

/// Number of works with `term` (already analyzed) in title or abstract.
pub(crate) fn text_frequency(snapshot: &Snapshot, fields: &Fields, term: &str) -> Result<u64, CorpusError> {
    let term = Term::from_field_text(fields.text, term);
    frequency(snapshot, |segment| &segment.text, &term).map_err(CorpusError::index("read"))
}

/// Number of passages with `term` (already analyzed).
pub(super) fn body_frequency(snapshot: &Snapshot, field: Field, term: &str) -> tantivy::Result<u64> {
    if snapshot.passages == 0 {
        return Ok(0);
    }
    frequency(snapshot, |segment| &segment.body, &Term::from_field_text(field, term))
}

/// Number of index documents with `term` that are not deleted. The count is exact, so that deleted records do not affect a ranking.
fn frequency(
    snapshot: &Snapshot,
    index: impl Fn(&Segment) -> &InvertedIndexReader,
    term: &Term,
) -> tantivy::Result<u64> {
    let mut total = 0;
    for segment in &snapshot.segments {
        let index = index(segment);
        let Some(info) = index.get_term_info(term)? else {
            continue;
        };
        total += match segment.reader.alive_bitset() {
            None => u64::from(info.doc_freq),
            Some(alive) => {
                let postings = index.read_postings_from_terminfo(&info, IndexRecordOption::Basic)?;
                u64::from(postings.doc_freq_given_deletes(alive))
            }
        };
    }
    Ok(total)
}

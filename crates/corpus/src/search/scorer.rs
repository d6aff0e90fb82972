use tantivy::fieldnorm::FieldNormReader;
use tantivy::schema::IndexRecordOption;
use tantivy::{InvertedIndexReader, Term};

/// BM25 k1 (term saturation) and b (length normalization). On five query sets over abstracts, the common values 0.9 and 0.4 were worse.
const K1: f32 = 1.4;
const B: f32 = 0.75;

/// BM25 length normalization of one field: the part of the denominator that is added to a term's count, by the index's length code.
pub(super) struct Lengths {
    table: [f32; 256],
}

impl Lengths {
    /// For units with `average` terms.
    pub(super) fn new(average: f32) -> Self {
        let mut table = [0.0; 256];
        for (code, weight) in (0..=u8::MAX).zip(table.iter_mut()) {
            let length = FieldNormReader::id_to_fieldnorm(code) as f32;
            *weight = K1 * (1.0 - B + B * length / average.max(1.0));
        }
        Self { table }
    }
}

/// Inverse document frequency (Lucene's form: never negative).
pub(super) fn idf(frequency: u64, units: u64) -> f32 {
    let (frequency, units) = (frequency as f64, units.max(frequency) as f64);
    (1.0 + (units - frequency + 0.5) / (frequency + 0.5)).ln() as f32
}

/// Adds the score of one term, times `weight`, to every index document that contains it.
#[expect(
    clippy::indexing_slicing,
    reason = "the hot loop; documents of a posting list are below max_doc, and the table has all 256 codes"
)]
pub(super) fn accumulate(
    index: &InvertedIndexReader,
    term: &Term,
    weight: f32,
    codes: &FieldNormReader,
    lengths: &Lengths,
    scores: &mut [f32],
) -> tantivy::Result<()> {
    let Some(mut postings) = index.read_block_postings(term, IndexRecordOption::WithFreqs)? else {
        return Ok(());
    };
    while postings.block_len() > 0 {
        for (&doc, &count) in postings.docs().iter().zip(postings.freqs()) {
            let count = count as f32;
            let length = lengths.table[usize::from(codes.fieldnorm_id(doc))];
            scores[doc as usize] += weight * count / (count + length);
        }
        postings.advance();
    }
    Ok(())
}

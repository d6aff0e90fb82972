use std::collections::HashMap;

use precedent_domain::{Candidate, Document, Paper, QuotableDocument, Quote, Span, Timing, WorkId};

use super::prepared::Prepared;
use crate::compare::{ComparisonSet, Prior, literal_passage};

/// The papers that state the claim nearly word for word, with the passages, by the same rules as in the comparison of a paper's claims.
pub(super) fn stated_word_for_word(claim: &str, papers: &[&Prepared]) -> HashMap<WorkId, Span> {
    let document = Document::from_abstract("", Some(claim.trim()));
    let Some(quote) = Quote::at(
        &document,
        Span::new(document.text.len() - claim.trim().len(), document.text.len()),
    ) else {
        return HashMap::new();
    };
    // It is not stored, so it needs no hash.
    let paper = Paper::of_text("claim", document.clone(), String::new());
    let target = QuotableDocument::new(document);
    let texts: Vec<QuotableDocument> = papers
        .iter()
        .map(|paper| QuotableDocument::new(paper.document.clone()))
        .collect();
    let candidates: Vec<Candidate> = papers
        .iter()
        .zip(1..)
        .map(|(paper, number)| Candidate::new(number, paper.work.clone(), Timing::Undated))
        .collect();
    let priors = Prior::all(&candidates, &texts);
    let set = ComparisonSet::new(&paper, &target, &priors);
    set.priors()
        .iter()
        .filter_map(|prior| {
            let passage = literal_passage(&set, quote.text(), prior)?;
            Some((prior.candidate.work.id.clone(), passage.span()))
        })
        .collect()
}

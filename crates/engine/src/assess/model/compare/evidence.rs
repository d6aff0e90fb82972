use precedent_domain::{Contribution, Document, EvidencePair, QuotableDocument, Quote, SectionKind};
use precedent_llm::Violation;

use super::super::answers::PairReply;
use super::super::passages::sought;
use crate::assess::model::context::CompareContext;
use crate::compare::{PriorReading, WeightedTerms};
use crate::model::checks;
use crate::model::prose::Prose;

/// Longest quote, in words, and longest passage that it may be located in (OpenNovelty, C.9).
const QUOTE_WORDS: usize = 90;
const LOCATED_WORDS: usize = 120;
/// Minimum share of a claim's weight in a quote from elsewhere in the paper, 0 to 1. Chosen by hand; not measured by itself.
const OF_CLAIM: f64 = 0.25;
/// Content terms that a quote must share with the claim, or with the other quote, to be about the claim.
const SHARED: usize = 2;
/// Longest paragraph that is given as context, in bytes.
const CONTEXT: usize = 2_400;

/// A pair whose quotes are found in both texts and are about the claim, or what is wrong with it.
pub(crate) fn pair(
    reply: &PairReply,
    claim: &Contribution,
    prior: &PriorReading<'_>,
    context: &CompareContext<'_>,
) -> Result<EvidencePair, Violation> {
    let target = located("paper_quote", &reply.paper_quote, "the paper", context.target)?;
    let candidate = located("work_quote", &reply.work_quote, "the work", prior.reading.quotable())?;
    let wanted = sought(claim, context.set);
    let (of_claim, shared) = wanted.found(&context.set.read(target.text()));
    let own = std::iter::once(&claim.claim)
        .chain(&claim.also_stated)
        .chain(&claim.description_quotes);
    let is_own = own.clone().any(|place| place.span().overlaps(target.span()));
    if !is_own && (shared < SHARED || of_claim < OF_CLAIM) {
        return Err(Violation(format!(
            "paper_quote is not about claim {}: {}",
            claim.number,
            checks::head(target.text())
        )));
    }
    let (coverage, by_claim) = wanted.found(&context.set.read(candidate.text()));
    let (_, by_quote) = WeightedTerms::of([target.text()], context.set).found(&context.set.read(candidate.text()));
    if by_claim.max(by_quote) < SHARED {
        return Err(Violation(format!(
            "work_quote is not about claim {}: {}",
            claim.number,
            checks::head(candidate.text())
        )));
    }
    let rationale = reply.rationale.trim();
    let fits = prose_about(prior, context)
        .check("a rationale", rationale)
        .and_then(|()| checks::sentences_between("a rationale", rationale, (1, 3)))
        .is_ok();
    Ok(EvidencePair {
        target_context: context_of(context.target.document(), &target),
        candidate_context: context_of(prior.reading.document(), &candidate),
        target,
        candidate,
        similarity: (coverage * 1_000.0).round() / 1_000.0,
        rationale: if fits { rationale.to_owned() } else { NAMED.to_owned() },
    })
}

/// Printed in place of a sentence of the model.
pub(crate) const NAMED: &str = "According to the model, the two passages state the same.";

/// Locates the words and cuts the quote from the source.
fn located(what: &str, words: &str, whose: &str, source: &QuotableDocument) -> Result<Quote, Violation> {
    let no = |why: &str| Err(Violation(format!("{what} {why}: {}", checks::head(words))));
    if words.split_whitespace().count() > QUOTE_WORDS {
        return no("has more than 90 words");
    }
    let document = source.document();
    let Some(quote) = Quote::cut(document, &source.locate(words)) else {
        return no(&format!("is not copied verbatim from {whose}"));
    };
    let section = document.section_at(quote.span().start).map(|section| section.kind);
    if section == Some(SectionKind::References) {
        return no(&format!("is in the reference list of {whose}"));
    }
    if quote.text().split_whitespace().count() > LOCATED_WORDS {
        return no("leaves out too much between its parts");
    }
    Ok(quote)
}

/// The paragraph around a quote, if it is longer than the quote and not too long.
fn context_of(document: &Document, quote: &Quote) -> Option<Quote> {
    let paragraph = document.paragraph_at(quote.span().start)?.span;
    let covers = paragraph.start <= quote.span().start && paragraph.end >= quote.span().end;
    let more = paragraph.end - paragraph.start > quote.text().len();
    let short = paragraph.end - paragraph.start <= CONTEXT;
    if covers && more && short {
        Quote::at(document, paragraph)
    } else {
        None
    }
}

/// What a sentence on the paper and one work may quote and take figures from.
pub(super) fn prose_about<'a>(prior: &'a PriorReading<'_>, context: &'a CompareContext<'_>) -> Prose<'a> {
    let work = &prior.candidate.work;
    Prose::of(&[context.target, prior.reading.quotable()])
        .given([work.title.as_str()])
        .dated(work.year())
}

use precedent_domain::{Contribution, Document, EvidencePair, QuotableDocument, Quote, SectionKind};
use precedent_llm::Violation;

use super::super::answers::PairSaid;
use super::super::checks;
use super::super::material::Desk;
use super::super::passages::sought;
use crate::stages::{PriorReading, Sought};

/// Longest quote, in words, and how far the located words may pass it (OpenNovelty, C.9).
const QUOTE_WORDS: usize = 90;
const LOCATED_WORDS: usize = 120;
/// Terms of substance that a quote must share with the claim, or with the other quote, to speak of it.
const SHARED: usize = 2;
/// Longest paragraph that is given as context, in bytes.
const CONTEXT: usize = 2_400;

/// A pair whose words stand on both sides and speak of the claim, or what is wrong with it.
pub(super) fn pair(
    said: &PairSaid,
    claim: &Contribution,
    prior: &PriorReading<'_>,
    desk: &Desk<'_>,
) -> Result<EvidencePair, Violation> {
    let target = located("paper_quote", &said.paper_quote, "the paper", desk.target)?;
    let candidate = located("work_quote", &said.work_quote, "the work", prior.reading.quotable())?;
    let wanted = sought(claim, desk.set);
    let (of_claim, shared) = wanted.found(&desk.set.read(target.text()));
    let own = std::iter::once(&claim.claim)
        .chain(&claim.also_stated)
        .chain(&claim.description_quotes);
    let is_own = own.clone().any(|place| place.span().overlaps(target.span()));
    if !is_own && (shared < SHARED || of_claim < 0.25) {
        return Err(Violation(format!(
            "paper_quote does not speak of claim {}: {}",
            claim.number,
            checks::head(target.text())
        )));
    }
    let (coverage, by_claim) = wanted.found(&desk.set.read(candidate.text()));
    let (_, by_quote) = Sought::of([target.text()], desk.set).found(&desk.set.read(candidate.text()));
    if by_claim.max(by_quote) < SHARED {
        return Err(Violation(format!(
            "work_quote has nothing of claim {}: {}",
            claim.number,
            checks::head(candidate.text())
        )));
    }
    let rationale = said.rationale.trim();
    let fits = checks::prose(
        "a rationale",
        rationale,
        (1, 3),
        &[desk.target, prior.reading.quotable()],
    )
    .is_ok();
    Ok(EvidencePair {
        target_context: context(desk.target.document(), &target),
        candidate_context: context(prior.reading.document(), &candidate),
        target,
        candidate,
        similarity: (coverage * 1_000.0).round() / 1_000.0,
        rationale: if fits { rationale.to_owned() } else { NAMED.to_owned() },
    })
}

/// What stands where the model's own sentence is not printed.
pub(super) const NAMED: &str = "The model named the two passages as stating the same.";

/// The words where they stand, cut from the source.
fn located(what: &str, words: &str, whose: &str, source: &QuotableDocument) -> Result<Quote, Violation> {
    let no = |why: &str| Err(Violation(format!("{what} {why}: {}", checks::head(words))));
    if words.split_whitespace().count() > QUOTE_WORDS {
        return no("has more than 90 words");
    }
    let document = source.document();
    let Some(quote) = Quote::cut(document, &source.locate(words)) else {
        return no(&format!("is not copied letter by letter from {whose}"));
    };
    let section = document.section_at(quote.span().start).map(|section| section.kind);
    if section == Some(SectionKind::References) {
        return no(&format!("stands in the reference list of {whose}"));
    }
    if quote.text().split_whitespace().count() > LOCATED_WORDS {
        return no("leaves out too much between its parts");
    }
    Ok(quote)
}

/// The paragraph around a quote, where it is more than the quote and not too long.
fn context(document: &Document, quote: &Quote) -> Option<Quote> {
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

//! Similarity of a candidate to a claim, from overall topic and shared words. Neither is enough alone: rare words coincide by chance
//! (hierarchical routing and an Analytical Hierarchical Process), and papers on one problem may word a claim differently.
//!
//! The weights were fitted on the claims of 30 papers from six fields, compared with 333,000 abstracts. The most similar papers had been
//! labelled as related or as chance matches. The weights were checked on 30 other papers.

use precedent_corpus::TopicVector;
use precedent_domain::Contribution;

use super::claim::{ClaimTerms, TermBits};
use super::judge::{Agreement, FEWEST_TERMS};
use crate::stages::PriorReading;

/// Bonus when the paper cites the candidate.
const CITED: f64 = 0.12;
/// Bonus for each rare word of the claim that is in the paper's title and in the candidate's best passage, and how many of them count.
const TOPICAL: f64 = 0.035;
const MOST_TOPICAL: usize = 3;
/// Bonus when two such words are side by side in the passage as in the claim: `sentence compression`.
const NAMED: f64 = 0.1;
/// Weight of the share of the claim's words found in that passage.
const WORDS: f64 = 0.2;
/// Minimum score of a similar paper.
const NEAR: f64 = 0.44;
/// Weights that affect only the order of candidates: similarity of title and summary to the claim, and the share of the claim's words.
const ORDER_OF_CLAIM: f64 = 0.4;
const ORDER_WORDS: f64 = 0.1;
/// Minimum similarity and word share for title and summary to be about the same thing as the claim: another record of mooring tension
/// next to "we release a record of mooring tension", whatever the rest of the paper is about. Such a candidate counts as similar and
/// comes before those that are similar by topic alone.
const SAME_THING: f64 = 0.5;
const SAME_WORDS: f64 = 0.25;
const ORDER_SAME_THING: f64 = 0.2;
/// Maximum of the sum.
const MOST: f64 =
    1.0 + CITED + TOPICAL * MOST_TOPICAL as f64 + NAMED + WORDS + ORDER_OF_CLAIM + ORDER_WORDS + ORDER_SAME_THING;

/// How similar a candidate is to one claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ClaimRelevance {
    /// Whether the candidate is worth a reader's time.
    pub(super) near: bool,
    /// Whether title and summary are about the same thing as the claim.
    pub(super) same_thing: bool,
    /// Ordering score, 0 to 1.
    pub(super) closeness: f64,
}

/// Summary vector of all wordings of a claim.
pub(super) fn gist_of(contribution: &Contribution) -> TopicVector {
    let wordings = std::iter::once(&contribution.claim).chain(&contribution.also_stated);
    let said: Vec<&str> = wordings.map(|quote| quote.text()).collect();
    TopicVector::of("", &said.join("\n"))
}

/// Similarity of the candidate to the claim whose best passage has these marks.
pub(super) fn standing(
    claim: (&ClaimTerms, &TopicVector),
    marks: TermBits,
    agreement: &Agreement,
    prior: &PriorReading<'_>,
) -> ClaimRelevance {
    let (substance, said) = claim;
    let cited = if prior.candidate.cited_as.is_some() { CITED } else { 0.0 };
    let topical = substance.topical_found(marks).min(MOST_TOPICAL) as f64;
    let named = if substance.names_topic(marks) { NAMED } else { 0.0 };
    let words = substance.nearness(marks);
    // Every paper of the field contains a claim of two content words (`two datasets for academic search`), so such a match means little.
    let tells = (substance.core_count() as f64 / FEWEST_TERMS as f64).min(1.0);
    let worth = prior.kinship + cited + tells * (TOPICAL * topical + named + WORDS * words);
    let of_claim = said.nearness(&prior.gist).max(0.0);
    let same_thing = of_claim >= SAME_THING && words >= SAME_WORDS;
    let first = if same_thing { ORDER_SAME_THING } else { 0.0 };
    let order = worth + ORDER_OF_CLAIM * of_claim + ORDER_WORDS * words + first;
    ClaimRelevance {
        near: carries(agreement, substance) || same_thing || worth >= NEAR,
        same_thing,
        closeness: (order / MOST).clamp(0.0, 1.0),
    }
}

/// Whether the words alone make the candidate similar, whatever its topic: one passage has most of a claim that says more than its topic.
fn carries(agreement: &Agreement, substance: &ClaimTerms) -> bool {
    match agreement {
        Agreement::Literal => true,
        Agreement::Near(_) => substance.core_count() >= FEWEST_TERMS,
        Agreement::Apart => false,
    }
}

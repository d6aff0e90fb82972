//! How near a work stands to a claim: by what both are about as wholes, and by the words they share. Rare words alone meet by accident
//! (hierarchical routing and an Analytical Hierarchical Process), and papers on one problem may word a claim quite differently.
//!
//! The weights were fitted on the claims of 30 papers of six fields, set against 333,000 abstracts, whose nearest works had been labelled as related
//! or met by accident, and were checked on 30 others.

use precedent_corpus::Gist;
use precedent_domain::Contribution;

use super::claim::{Marks, Substance};
use super::judge::{Agreement, FEWEST_TERMS};
use crate::stages::PriorReading;

/// What it adds that the paper cites the work.
const CITED: f64 = 0.12;
/// What each rare word of the claim adds that stands in the paper's title and in the work's nearest passage, and how many of them count.
const TOPICAL: f64 = 0.035;
const MOST_TOPICAL: usize = 3;
/// What it adds that two such words stand there side by side as they do in the claim: `sentence compression`.
const NAMED: f64 = 0.1;
/// What the share of the claim's words adds that stand in that passage.
const WORDS: f64 = 0.2;
/// From here on a work is near.
const NEAR: f64 = 0.44;
/// What it adds to the order of works, and to nothing else, that title and summary speak of what the claim speaks of, and once more the share of the
/// claim's words.
const ORDER_OF_CLAIM: f64 = 0.4;
const ORDER_WORDS: f64 = 0.1;
/// From here on title and summary speak of the very thing that the claim speaks of, if so much of its words stands there too: another record of mooring
/// tension beside "we release a record of mooring tension", whatever the rest of the paper is about. Such a work is near and stands before those that are
/// near by topic alone.
const SAME_THING: f64 = 0.5;
const SAME_WORDS: f64 = 0.25;
const ORDER_SAME_THING: f64 = 0.2;
/// The most that all these come to.
const MOST: f64 =
    1.0 + CITED + TOPICAL * MOST_TOPICAL as f64 + NAMED + WORDS + ORDER_OF_CLAIM + ORDER_WORDS + ORDER_SAME_THING;

/// How a work stands to a claim.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Standing {
    /// Whether it is worth a reader's time.
    pub(super) near: bool,
    /// Whether title and summary speak of the very thing that the claim speaks of.
    pub(super) same_thing: bool,
    /// For ordering, 0 to 1.
    pub(super) closeness: f64,
}

/// What all wordings of a claim speak of together.
pub(super) fn gist_of(contribution: &Contribution) -> Gist {
    let wordings = std::iter::once(&contribution.claim).chain(&contribution.also_stated);
    let said: Vec<&str> = wordings.map(|quote| quote.text()).collect();
    Gist::of("", &said.join("\n"))
}

/// How the work stands to the claim whose nearest passage has these marks.
pub(super) fn standing(
    claim: (&Substance, &Gist),
    marks: Marks,
    agreement: &Agreement,
    prior: &PriorReading<'_>,
) -> Standing {
    let (substance, said) = claim;
    let cited = if prior.candidate.cited_as.is_some() { CITED } else { 0.0 };
    let topical = substance.topical_found(marks).min(MOST_TOPICAL) as f64;
    let named = if substance.names_topic(marks) { NAMED } else { 0.0 };
    let words = substance.nearness(marks);
    // A claim of two words of substance (`two datasets for academic search`) stands whole in every work of its field: that says little.
    let tells = (substance.core_count() as f64 / FEWEST_TERMS as f64).min(1.0);
    let worth = prior.kinship + cited + tells * (TOPICAL * topical + named + WORDS * words);
    let of_claim = said.nearness(&prior.gist).max(0.0);
    let same_thing = of_claim >= SAME_THING && words >= SAME_WORDS;
    let first = if same_thing { ORDER_SAME_THING } else { 0.0 };
    let order = worth + ORDER_OF_CLAIM * of_claim + ORDER_WORDS * words + first;
    Standing {
        near: carries(agreement, substance) || same_thing || worth >= NEAR,
        same_thing,
        closeness: (order / MOST).clamp(0.0, 1.0),
    }
}

/// Whether the words alone make the work near, whatever it is about: most of a claim that says more than its topic stands there in one place.
fn carries(agreement: &Agreement, substance: &Substance) -> bool {
    match agreement {
        Agreement::Literal => true,
        Agreement::Near(_) => substance.core_count() >= FEWEST_TERMS,
        Agreement::Apart => false,
    }
}

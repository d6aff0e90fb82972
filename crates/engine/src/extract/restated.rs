//! Repeated contributions: which sentences state the same contribution, and which wording is best.

use std::collections::BTreeSet;

use precedent_domain::ContributionClass;

use super::Zone;
use super::claim::Claim;
use super::cues::is_method_noun;

/// Minimum overlap of two wordings of one claim, as a percentage of the shorter claim's words.
const ALIKE: usize = 55;
/// Word count above which a claim gets longer but not more specific.
const SPECIFIC: usize = 14;
/// Number of words of the title that count towards the paper's topic.
const TITLE_WORDS: usize = 4;

/// A contribution with every sentence that states it.
pub(super) struct Stated {
    /// The most specific wording.
    pub(super) claim: Claim,
    /// The others, most specific first.
    pub(super) also: Vec<Claim>,
    /// How strongly the paper claims it.
    pub(super) score: f64,
}

/// Joins claims that state one contribution. Takes claims strongest first and returns contributions in the same order.
pub(super) fn joined(claims: Vec<Claim>, title: &BTreeSet<String>) -> Vec<Stated> {
    let mut stated: Vec<Stated> = Vec::new();
    for claim in claims {
        let known = stated.iter_mut().find(|one| same_claim(&one.claim, &claim, title));
        match known {
            Some(one) => {
                // A repeated claim is more central.
                one.score += 0.25;
                one.also.push(claim);
            }
            None => stated.push(Stated {
                score: claim.score,
                claim,
                also: Vec::new(),
            }),
        }
    }
    let stated = restatements_joined(stated, title);
    let mut stated: Vec<Stated> = stated.into_iter().map(|one| most_specific_first(one, title)).collect();
    stated.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.claim.span.cmp(&b.claim.span)));
    stated
}

/// Joins offers of the same noun in an earlier and a later part: `we present a parser` in the abstract is `we have described a parser`
/// in the conclusion. Each restatement joins the offer that shares the most words with it.
fn restatements_joined(stated: Vec<Stated>, title: &BTreeSet<String>) -> Vec<Stated> {
    let mut kept: Vec<Stated> = Vec::new();
    for one in stated {
        let nearest = kept
            .iter()
            .enumerate()
            .filter(|(_, other)| restates(&other.claim, &one.claim, title))
            .max_by_key(|(at, other)| {
                let shared = other.claim.stems.intersection(&one.claim.stems).count();
                (shared, std::cmp::Reverse(*at))
            })
            .map(|(at, _)| at);
        match nearest.and_then(|at| kept.get_mut(at)) {
            Some(other) => {
                other.score += 0.25;
                other.also.push(one.claim);
                other.also.extend(one.also);
            }
            None => kept.push(one),
        }
    }
    kept
}

/// Whether two claims of different parts of the paper offer one thing: the same noun on the same subject.
fn restates(a: &Claim, b: &Claim, title: &BTreeSet<String>) -> bool {
    let same_noun = a.head == b.head || is_method_noun(&a.head) && is_method_noun(&b.head);
    let named = !a.coined.is_empty() || !b.coined.is_empty();
    let shared: Vec<&String> = a.stems.intersection(&b.stems).collect();
    let on_title = |claim: &Claim| claim.stems.intersection(title).count() >= 2;
    let one_subject =
        shared.len() >= 2 && shared.iter().any(|stem| title.contains(*stem)) || on_title(a) && on_title(b);
    // `a system that …` and `a system for …`: nothing distinguishes them.
    let bare = a.bare && b.bare && a.head == b.head;
    // `reports on our experiences with …` is a finding by its verb, but still offers a thing.
    let thing = |claim: &Claim| offers(claim) || !claim.statement && claim.class == ContributionClass::Finding;
    let both_offer = a.zone != b.zone && thing(a) && thing(b) && !a.further && !b.further;
    both_offer && (bare || (same_noun || named) && one_subject)
}

/// Whether two claims state the same: most of the shorter one's words are in the other, or both offer the same coined name. Title words,
/// which every claim shares, are ignored if enough others remain.
fn same_claim(a: &Claim, b: &Claim, title: &BTreeSet<String>) -> bool {
    let own = |claim: &Claim| -> BTreeSet<String> { claim.stems.difference(title).cloned().collect() };
    let (own_a, own_b) = (own(a), own(b));
    let alike = |a: &BTreeSet<String>, b: &BTreeSet<String>| {
        a.intersection(b).count() * 100 >= a.len().min(b.len()).max(1) * ALIKE
    };
    let same_words = if own_a.len().min(own_b.len()) >= 2 {
        alike(&own_a, &own_b)
    } else {
        alike(&a.stems, &b.stems)
    };
    let same_name = a.coined.intersection(&b.coined).next().is_some();
    same_words || (same_name && offers(a) && offers(b)) || a.span.overlaps(b.span)
}

fn offers(claim: &Claim) -> bool {
    !claim.statement && !matches!(claim.class, ContributionClass::Finding | ContributionClass::Theory)
}

/// Makes the most specific wording the claim, because a match for it is more reliable, and keeps the others as support. The conclusion's
/// wording is a summary and is used only if there is no other.
fn most_specific_first(mut stated: Stated, title: &BTreeSet<String>) -> Stated {
    let weight = |claim: &Claim| {
        let early = usize::from(claim.zone != Zone::Conclusion);
        let of_title = claim.stems.intersection(title).count().min(TITLE_WORDS);
        let placed = 2 * usize::from(claim.zone == Zone::Abstract) + 2 * usize::from(offers(claim));
        (early, claim.stems.len().min(SPECIFIC) + of_title + placed)
    };
    let order = |a: &Claim, b: &Claim| {
        weight(b)
            .cmp(&weight(a))
            .then(b.score.total_cmp(&a.score))
            .then(a.span.cmp(&b.span))
    };
    stated.also.sort_by(order);
    if let Some(best) = stated.also.first_mut()
        && order(best, &stated.claim).is_lt()
    {
        std::mem::swap(best, &mut stated.claim);
        stated.also.sort_by(order);
    }
    stated
}

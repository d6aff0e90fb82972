//! Repeated contributions: which sentences state the same contribution.

use std::collections::BTreeSet;

use precedent_domain::ContributionClass;

use super::Zone;
use super::claim::Claim;
use super::cues::is_method_noun;

/// Minimum overlap of two wordings of one claim, as a percentage of the shorter claim's words.
const ALIKE: usize = 55;

/// A contribution with every sentence that states it.
pub(super) struct Stated {
    /// The most probable wording.
    pub(super) claim: Claim,
    /// The others, most probable first.
    pub(super) also: Vec<Claim>,
}

/// Joins claims that state one contribution. Takes claims most probable first and returns contributions in the same order.
pub(super) fn joined(claims: Vec<Claim>, title: &BTreeSet<String>) -> Vec<Stated> {
    let mut stated: Vec<Stated> = Vec::new();
    for claim in claims {
        let known = stated.iter_mut().find(|one| same_claim(&one.claim, &claim, title));
        match known {
            Some(one) => {
                one.also.push(claim);
            }
            None => stated.push(Stated {
                claim,
                also: Vec::new(),
            }),
        }
    }
    restatements_joined(stated, title)
}

/// Joins offers of one thing in an earlier and a later part: `we present a parser` in the abstract is `we have described a parser` in the
/// conclusion. Each restatement joins the offer that shares the most words with it.
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
                other.also.push(one.claim);
                other.also.extend(one.also);
            }
            None => kept.push(one),
        }
    }
    kept
}

/// Whether two claims of different parts of the paper offer one thing: the same noun on the same subject, or, if one is in the conclusion,
/// the same kind of thing.
fn restates(a: &Claim, b: &Claim, title: &BTreeSet<String>) -> bool {
    let same_noun = !a.head.is_empty() && a.head == b.head || is_method_noun(&a.head) && is_method_noun(&b.head);
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
    // A conclusion sums up, often with another noun.
    let sums_up = (a.zone == Zone::Conclusion || b.zone == Zone::Conclusion) && a.class == b.class;
    both_offer && (bare || (same_noun || named || sums_up) && one_subject)
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

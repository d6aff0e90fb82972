//! Points off dimensions that the chair asks for, because the idea is vague or leaves out what it needs (InnoEval, H.5).
//!
//! Input: what the chair says, the scores and the idea. Output: the lowerings that the idea's own words allow, and why the others were dropped.

use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{
    DimensionScore, Lowering, LoweringBasis, LoweringFault, LoweringReason, Note, QuotableDocument, Quote, exact_score,
};
use precedent_text::terms::{is_stopword, stem, words};
use serde::{Deserialize, Serialize};

use crate::board::mean;

/// Maximum points off one dimension: the most that the published chair usually takes off for missing evidence (InnoEval, H.5). The mean over the
/// dimensions cannot fall by more either.
pub const MOST_LOWERED: f64 = 1.5;

/// A lowering as an analyst proposes it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LoweringDraft {
    /// The dimension's id.
    pub dimension: String,
    /// The reason, if it is one of the four.
    pub reason: Option<LoweringReason>,
    /// Points to take off.
    pub by: f64,
    /// Words of the idea, for a vague idea.
    pub quote: String,
    /// Terms that would state what is missing, for the other reasons. Printable.
    pub looked_for: Vec<String>,
}

/// The lowerings that count.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Lowered {
    pub(super) lowered: Vec<Lowering>,
    pub(super) dropped: BTreeMap<LoweringFault, usize>,
    limited: Vec<Note>,
}

impl Lowered {
    /// Notes on what was dropped or limited.
    pub(super) fn notes(&self) -> impl Iterator<Item = Note> + '_ {
        let dropped = self.dropped.iter();
        let dropped = dropped.map(|(why, dropped)| Note::LoweringsDropped {
            why: *why,
            dropped: *dropped,
        });
        self.limited.iter().cloned().chain(dropped)
    }

    /// The mean over the dimensions after the lowerings; `None` without dimensions.
    pub(super) fn average(&self, scores: &[DimensionScore]) -> Option<f64> {
        let after = |one: &DimensionScore| {
            let lowered = self.lowered.iter().find(|lowered| lowered.dimension == one.dimension);
            lowered.map_or(one.mean, |lowered| lowered.after)
        };
        mean(scores.iter().map(after)).map(exact_score)
    }
}

/// Checks each lowering against the scores and the idea's words. Each dimension is lowered once.
pub(super) fn lowered(drafts: &[LoweringDraft], scores: &[DimensionScore], idea: &QuotableDocument) -> Lowered {
    let mut found = Lowered::default();
    for draft in drafts {
        match checked(draft, scores, idea, &found.lowered) {
            Ok(lowering) => {
                if draft.by > MOST_LOWERED {
                    found.limited.push(Note::LoweringLimited {
                        dimension: lowering.dimension.clone(),
                        by: exact_score(draft.by),
                        limit: MOST_LOWERED,
                    });
                }
                found.lowered.push(lowering);
            }
            Err(why) => *found.dropped.entry(why).or_default() += 1,
        }
    }
    found
}

fn checked(
    draft: &LoweringDraft,
    scores: &[DimensionScore],
    idea: &QuotableDocument,
    already: &[Lowering],
) -> Result<Lowering, LoweringFault> {
    let score = scores.iter().find(|one| one.dimension == draft.dimension);
    let score = score.ok_or(LoweringFault::UnknownDimension)?;
    let reason = draft.reason.ok_or(LoweringFault::UnknownReason)?;
    if !(draft.by > 0.0 && draft.by.is_finite()) {
        return Err(LoweringFault::NothingTakenOff);
    }
    if already.iter().any(|one| one.dimension == draft.dimension) {
        return Err(LoweringFault::Repeated);
    }
    let basis = match reason {
        LoweringReason::Vague => LoweringBasis::Quote {
            quote: Quote::cut(idea.document(), &idea.locate(&draft.quote)).ok_or(LoweringFault::QuoteNotInIdea)?,
        },
        _ => absent(reason, &draft.looked_for, &idea.document().text)?,
    };
    let after = exact_score((score.mean - draft.by.min(MOST_LOWERED)).max(0.0));
    Ok(Lowering {
        dimension: draft.dimension.clone(),
        reason,
        by: exact_score(score.mean - after),
        before: score.mean,
        after,
        basis,
    })
}

/// Words of which each states what is said to be missing, whatever the chair looked for. Chosen by hand; not measured. A mechanism has no such words.
fn mentioning_words(reason: LoweringReason) -> &'static [&'static str] {
    match reason {
        LoweringReason::NoBaseline => &["baseline", "compared", "comparison", "versus", "outperform"],
        LoweringReason::NoProtocol => &["evaluate", "experiment", "benchmark", "dataset", "metric"],
        LoweringReason::Vague | LoweringReason::NoMechanism => &[],
    }
}

fn absent(reason: LoweringReason, looked_for: &[String], idea: &str) -> Result<LoweringBasis, LoweringFault> {
    let terms: Vec<BTreeSet<String>> = looked_for.iter().map(|term| stems(term)).collect();
    if terms.is_empty() || terms.iter().any(BTreeSet::is_empty) {
        return Err(LoweringFault::NothingLookedFor);
    }
    let always = mentioning_words(reason).iter().map(|word| BTreeSet::from([stem(word)]));
    let terms: Vec<BTreeSet<String>> = terms.into_iter().chain(always).collect();
    // A paper has every common word somewhere, so a term must be in one sentence.
    let mentioned = precedent_text::sentences(idea).into_iter().any(|span| {
        let sentence = stems(idea.get(span.start..span.end).unwrap_or_default());
        terms.iter().any(|term| term.is_subset(&sentence))
    });
    match mentioned {
        true => Err(LoweringFault::Mentioned),
        false => Ok(LoweringBasis::Absent {
            looked_for: looked_for.to_vec(),
        }),
    }
}

/// The stems of the words that carry meaning.
fn stems(text: &str) -> BTreeSet<String> {
    let words = words(text).into_iter().map(|(word, _)| word);
    words
        .filter(|word| !is_stopword(word))
        .map(|word| stem(&word))
        .collect()
}

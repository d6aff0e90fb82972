//! What the reviews come to: averages by rule, a bounded change that must name its evidence, a decision by bin (InnoEval, H.5).

use precedent_domain::{BoardReview, DimensionScore, MetaReview, ReviewDecision};
use serde::{Deserialize, Serialize};

use super::board::{BoardMaterial, Heard};
use crate::board::{Dimension, decision, mean};
use crate::world::Stage;
use crate::{Result, World};

const META: Stage = Stage {
    name: "review.meta",
    version: 1,
};
/// Most that a chair may add to the average of the board or take from it.
pub const MOST_DELTA: f64 = 2.0;
/// Most pieces that are named as weighing most.
pub const MOST_KEY_EVIDENCE: usize = 5;

/// The reviews put to a chair.
#[derive(Debug, Clone, Copy)]
pub struct MetaQuestion<'a> {
    /// The idea and all the pieces there are; only those named in `shown` may be shown.
    pub material: &'a BoardMaterial<'a>,
    /// What the idea was judged by.
    pub dimensions: &'a [Dimension],
    /// What everybody said.
    pub board: &'a [BoardReview],
    /// That by dimension.
    pub scores: &'a [DimensionScore],
    /// Mean over the dimensions of the means over the readers.
    pub average: f64,
    /// The pieces to show: such as a reader had and as bear on the idea.
    pub shown: &'a [u32],
    /// Of those, the ones that may decide.
    pub deciding: &'a [u32],
}

/// A meta-review as an analyst proposes it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MetaDraft {
    /// What to add to the average.
    pub delta: f64,
    /// Why, citing pieces as `[n]`. Empty where the policy is to print no words of a model.
    pub delta_reason: String,
    /// The pieces that the reason cites.
    pub delta_cites: Vec<u32>,
    /// 0 to 1.
    pub confidence: f64,
    /// The pieces that weigh most.
    pub key_evidence: Vec<u32>,
    /// The whole in a few sentences.
    pub summary: String,
    /// What the analyst takes the score to come to; nothing rests on it.
    pub decision: Option<ReviewDecision>,
}

/// Dimension by dimension over the readers who have an opinion; a dimension on which nobody has one is not there.
#[must_use]
pub fn dimension_scores(dimensions: &[Dimension], board: &[BoardReview]) -> Vec<DimensionScore> {
    let of = |dimension: &Dimension| {
        let opinions = board.iter().flat_map(|one| &one.opinions);
        let scores: Vec<f64> = opinions
            .filter(|one| one.dimension == dimension.id)
            .map(|one| one.score)
            .collect();
        Some(DimensionScore {
            dimension: dimension.id.clone(),
            mean: exact(mean(scores.iter().copied())?),
            lowest: scores.iter().copied().fold(f64::INFINITY, f64::min),
            highest: scores.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            readers: scores.len(),
        })
    };
    dimensions.iter().filter_map(of).collect()
}

/// What the reviews come to, and what of the chair's answer was left out, bounded or replaced. `None` where nobody has an opinion, and where the chair has no usable answer: that is told.
pub(super) async fn meta(
    material: &BoardMaterial<'_>,
    dimensions: &[Dimension],
    board: &[BoardReview],
    world: &World,
) -> Result<(Option<MetaReview>, Vec<String>)> {
    let scores = dimension_scores(dimensions, board);
    let Some(average) = mean(scores.iter().map(|one| one.mean)).map(exact) else {
        return Ok((
            None,
            vec![
                "Nobody on the board has a usable opinion, so there is nothing to sum up: no score and no decision."
                    .to_owned(),
            ],
        ));
    };
    let seen = |number: &u32| board.iter().any(|one| one.seen.contains(number));
    let shown: Vec<u32> = material
        .pieces
        .iter()
        .filter(|one| !one.groundings.is_empty())
        .map(|one| one.piece.number)
        .filter(seen)
        .collect();
    let deciding: Vec<u32> = shown
        .iter()
        .copied()
        .filter(|number| material.decides(*number))
        .collect();
    let question = MetaQuestion {
        material,
        dimensions,
        board,
        scores: &scores,
        average,
        shown: &shown,
        deciding: &deciding,
    };
    let input = (material.key(), dimensions, board);
    let work = async { world.analyst.meta_review(question).await };
    let heard: Heard<MetaDraft> = world.stage(META, &input, work).await?;
    let mut notes = heard.notes;
    let Some(draft) = heard
        .said
        .filter(|draft| (0.0..=1.0).contains(&draft.confidence) && draft.delta.is_finite())
    else {
        notes.push("The meta-review failed: the chair gave no usable answer. The scores of the board stand; there is no decision, which is not the same as a rejection.".to_owned());
        return Ok((None, notes));
    };
    let review = settled(draft, &question, &mut notes);
    Ok((Some(review), notes))
}

/// The draft with every rule applied, and what they changed.
fn settled(draft: MetaDraft, question: &MetaQuestion<'_>, notes: &mut Vec<String>) -> MetaReview {
    let (delta, delta_reason) = change(&draft, question, notes);
    let score = exact((question.average + delta).clamp(0.0, 10.0));
    let due = decision(score);
    if let Some(named) = draft.decision.filter(|named| *named != due) {
        notes.push(format!(
            "The chair named {} as the decision; a score of {} comes to {}, which stands.",
            named.name(),
            cut(score),
            due.name()
        ));
    }
    let mut key_evidence = Vec::new();
    for number in draft.key_evidence {
        if !question.deciding.contains(&number) {
            notes.push(format!(
                "Key evidence: [{number}] was left out, since it may not decide."
            ));
        } else if key_evidence.len() < MOST_KEY_EVIDENCE && !key_evidence.contains(&number) {
            key_evidence.push(number);
        }
    }
    MetaReview {
        dimensions: question.scores.to_vec(),
        average: question.average,
        delta,
        delta_reason,
        score,
        decision: due,
        confidence: draft.confidence,
        key_evidence,
        summary: draft.summary,
    }
}

/// The change with its reason: within bounds, and none where its reason names nothing that may decide.
fn change(draft: &MetaDraft, question: &MetaQuestion<'_>, notes: &mut Vec<String>) -> (f64, String) {
    if draft.delta == 0.0 {
        return (0.0, String::new());
    }
    let named = &draft.delta_cites;
    if !named.iter().any(|number| question.deciding.contains(number)) {
        notes.push(format!(
            "The chair wanted to change the average by {:+}, and named no evidence that may decide; it stays as it is.",
            exact(draft.delta)
        ));
        return (0.0, String::new());
    }
    let delta = exact(draft.delta.clamp(-MOST_DELTA, MOST_DELTA));
    if draft.delta.abs() > MOST_DELTA {
        notes.push(format!(
            "The chair wanted to change the average by {:+}; at most {MOST_DELTA} either way counts.",
            exact(draft.delta)
        ));
    }
    (delta, draft.delta_reason.clone())
}

/// To two places for a note, cut and not rounded: 5.999 is below 6.
fn cut(score: f64) -> f64 {
    // The score has six places: what binary fractions leave under 8.2 is not 8.19.
    exact((exact(score * 100.0)).floor() / 100.0)
}

/// To six places: sums of tenths must not miss a bin by what binary fractions leave over.
fn exact(score: f64) -> f64 {
    (score * 1e6).round() / 1e6
}

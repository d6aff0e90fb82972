//! Combines the reviews: averages, bounded changes by the chair that must rest on evidence or on the idea's own words, and a decision by score range
//! (InnoEval, H.5).

use precedent_domain::{BoardReview, ConfidenceLevel, DimensionScore, MetaReview, Note, ReviewDecision, exact_score};
use serde::{Deserialize, Serialize};

use super::board::{BoardMaterial, CheckedAnswer};
use super::confidence::{Grounds, confidence};
use super::lowering::{LoweringDraft, lowered};
use super::model;
use crate::board::{Dimension, decision, mean};
use crate::model::ModelAnalyst;
use crate::world::Stage;
use crate::{Result, World};

const META: Stage = Stage {
    name: "review.meta",
    version: 2,
};
/// Maximum adjustment of the board's average by the chair, up or down.
pub const MOST_DELTA: f64 = 2.0;
/// Maximum number of key evidence documents.
pub const MOST_KEY_EVIDENCE: usize = 5;

/// The reviews as given to the chair.
#[derive(Debug, Clone, Copy)]
pub struct MetaQuestion<'a> {
    /// The idea and all its evidence. Only the pieces in `shown` may be shown.
    pub material: &'a BoardMaterial<'a>,
    /// The dimensions the idea was judged on.
    pub dimensions: &'a [Dimension],
    /// All reviews.
    pub board: &'a [BoardReview],
    /// The scores by dimension.
    pub scores: &'a [DimensionScore],
    /// Mean of the dimension means.
    pub average: f64,
    /// Numbers of the pieces to show: seen by at least one reader, and relevant to the idea.
    pub shown: &'a [u32],
    /// Those of `shown` that may support a decision.
    pub deciding: &'a [u32],
}

/// A meta-review as an analyst proposes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MetaDraft {
    /// Proposed adjustment of the average.
    pub delta: f64,
    /// The reason, citing pieces as `[n]`. Empty if model text is not printed.
    pub delta_reason: String,
    /// The pieces cited in the reason.
    pub delta_cites: Vec<u32>,
    /// Points to take off dimensions, because the idea is vague or incomplete.
    pub lowered: Vec<LoweringDraft>,
    /// Confidence in the decision.
    pub confidence: ConfidenceLevel,
    /// The most important pieces.
    pub key_evidence: Vec<u32>,
    /// Summary in a few sentences.
    pub summary: String,
    /// The decision that the analyst named. Only compared with the one that follows from the score.
    pub decision: Option<ReviewDecision>,
}

/// Scores by dimension, over the readers with an opinion. Dimensions without opinions are left out.
#[must_use]
pub fn dimension_scores(dimensions: &[Dimension], board: &[BoardReview]) -> Vec<DimensionScore> {
    DimensionScore::of_board(dimensions.iter().map(|one| one.id.as_str()), board)
}

/// The meta-review, and notes on what was dropped, bounded or replaced. `None` if there are no opinions or the chair gave no usable answer.
pub(super) async fn meta(
    material: &BoardMaterial<'_>,
    dimensions: &[Dimension],
    board: &[BoardReview],
    model: &ModelAnalyst,
    world: &World,
) -> Result<(Option<MetaReview>, Vec<Note>)> {
    let scores = dimension_scores(dimensions, board);
    let Some(average) = mean(scores.iter().map(|one| one.mean)).map(exact_score) else {
        return Ok((None, vec![Note::NoOpinion]));
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
    let work = model::meta_review(model, question);
    let checked: CheckedAnswer<MetaDraft> = world.stage(META, &input, work).await?;
    let mut notes = checked.notes;
    let Some(draft) = checked.reply.filter(|draft| draft.delta.is_finite()) else {
        notes.push(Note::ChairFailed);
        return Ok((None, notes));
    };
    let review = settled(draft, &question, &mut notes);
    Ok((Some(review), notes))
}

/// Applies every rule to the draft and notes what changed.
fn settled(draft: MetaDraft, question: &MetaQuestion<'_>, notes: &mut Vec<Note>) -> MetaReview {
    let (delta, delta_reason) = change(&draft, question, notes);
    let lowered = lowered(&draft.lowered, question.scores, &question.material.text);
    notes.extend(lowered.notes());
    let score = exact_score((lowered.average(question.scores).unwrap_or(question.average) + delta).clamp(0.0, 10.0));
    let due = decision(score);
    if let Some(named) = draft.decision.filter(|named| *named != due) {
        notes.push(Note::DecisionReplaced {
            named,
            score: cut(score),
            due,
        });
    }
    let mut key_evidence = Vec::new();
    for number in draft.key_evidence {
        if !question.deciding.contains(&number) {
            notes.push(Note::KeyEvidenceLeftOut { number });
        } else if key_evidence.len() < MOST_KEY_EVIDENCE && !key_evidence.contains(&number) {
            key_evidence.push(number);
        }
    }
    let confidence = confidence(
        draft.confidence,
        Grounds {
            scores: question.scores,
            opinions: (
                question.board.iter().map(|one| one.opinions.len()).sum(),
                question.board.len() * question.dimensions.len(),
            ),
            documents: (question.deciding.len(), question.shown.len()),
            lowered: lowered.lowered.len(),
        },
    );
    MetaReview {
        dimensions: question.scores.to_vec(),
        average: question.average,
        delta,
        delta_reason,
        lowered: lowered.lowered,
        score,
        decision: due,
        confidence: confidence.level.as_number(),
        decision_confidence: Some(confidence),
        key_evidence,
        summary: draft.summary,
    }
}

/// The adjustment and its reason, bounded; zero if the reason cites no evidence that may support a decision.
fn change(draft: &MetaDraft, question: &MetaQuestion<'_>, notes: &mut Vec<Note>) -> (f64, String) {
    if draft.delta == 0.0 {
        return (0.0, String::new());
    }
    let named = &draft.delta_cites;
    if !named.iter().any(|number| question.deciding.contains(number)) {
        notes.push(Note::ChangeWithoutEvidence {
            delta: exact_score(draft.delta),
        });
        return (0.0, String::new());
    }
    let delta = exact_score(draft.delta.clamp(-MOST_DELTA, MOST_DELTA));
    if draft.delta.abs() > MOST_DELTA {
        notes.push(Note::ChangeLimited {
            delta: exact_score(draft.delta),
            limit: MOST_DELTA,
        });
    }
    (delta, draft.delta_reason.clone())
}

/// Truncates to two decimals for a note: 5.999 is below 6, so it must not be shown as 6.
fn cut(score: f64) -> f64 {
    // The score has six decimals. Binary fractions just under 8.2 must not be shown as 8.19.
    exact_score((exact_score(score * 100.0)).floor() / 100.0)
}

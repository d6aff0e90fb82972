use precedent_domain::Gap;

use super::compare::{Compared, compare_point, stand_in};
use super::conclude::conclude_points;
use super::polish::polish_points;
use super::sentence::SentenceChecker;
use super::validate::validate_points;
use crate::Result;
use crate::model::ModelAnalyst;
use crate::model::asker::Task;
use crate::points::{PointsJudged, PointsMaterial};

/// Compares the points with the passages found.
pub(crate) async fn judge_points(
    model: &ModelAnalyst,
    material: PointsMaterial<'_>,
    nothing: PointsJudged,
) -> Result<PointsJudged> {
    if !model.prints_sentences() {
        return Ok(nothing);
    }
    compare_points(model, material, nothing).await
}

/// Compares point by point, checks every sentence against its sources, sums up what is left, and polishes.
async fn compare_points(
    model: &ModelAnalyst,
    material: PointsMaterial<'_>,
    nothing: PointsJudged,
) -> Result<PointsJudged> {
    if material.reading.points.is_empty() {
        return Ok(nothing);
    }
    let checker = SentenceChecker::new(material);
    let fence = model.fence();
    let asks: Vec<Task<'_, Result<Option<Compared>>>> = (0..material.reading.points.len())
        .map(|at| -> Task<'_, _> { Box::pin(compare_point(model, &checker, &fence, at)) })
        .collect();
    let mut compared = model.all("points", asks).await?;
    if model.only_counts() {
        let stand_ins = (0..compared.len()).map(|at| Some(stand_in(&checker, at)));
        compared = stand_ins.collect();
    }
    let (analyses, mut validation) = validate_points(model, &checker, &fence, compared).await?;
    let unjudged = validation.distinct - validation.judged;
    if unjudged > 0 {
        model.log().add_gap(Gap::CitationsNotJudged {
            unjudged,
            citations: validation.distinct,
        });
    }
    let (novelty_summary, mut taken_out) = conclude_points(model, &checker, &fence, &analyses).await?;
    validation.corrections.append(&mut taken_out);
    let mut judged = PointsJudged {
        content_summary: material.reading.summary.clone(),
        analyses,
        novelty_summary,
        validation: None,
    };
    validation.polish = polish_points(model, &checker, &fence, &mut judged).await?;
    judged.validation = Some(validation);
    Ok(judged)
}

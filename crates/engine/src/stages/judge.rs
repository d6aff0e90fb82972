//! Judgement of Phase III (OpenNovelty, 2.3, C): the analyst's answers replace the offline results where it gives any.

use precedent_domain::{Doubt, Status};
use precedent_ledger::InputHash;

use super::analysis::Analysis;
use super::search::SearchOutcome;
use crate::model::{Judged, Material};
use crate::wording::and_list;
use crate::world::Stage;
use crate::{EngineError, Result, World};

const STAGE: Stage = Stage {
    name: "judge",
    version: 2,
};

/// Lets the world's analyst judge the offline analysis. An analyst that calls no model leaves it unchanged.
///
/// # Errors
/// If the analyst cannot be called at all, or the ledger fails.
pub async fn judge(material: Material<'_>, analysis: Analysis, world: &World) -> Result<Judged> {
    let found = material.found;
    if world.analyst.asked().is_none() {
        return Ok(apply_doubts(Judged::by_program(analysis), found));
    }
    let input = (
        material.paper,
        material.topic,
        material.claims,
        material.found,
        &analysis,
    );
    let bytes = serde_json::to_vec(&input).map_err(|source| EngineError::Encode {
        stage: STAGE.name,
        source,
    })?;
    let key = InputHash::of([bytes.as_slice()]);
    let work = world.analyst.judge(material, analysis);
    let judged = world.stage(STAGE, key.as_str(), work).await?;
    Ok(apply_doubts(judged, found))
}

/// Limits the effect of doubted papers on every judgement: a paper that sources disagree on cannot anticipate a claim by itself, and a retracted
/// paper is marked in the note.
fn apply_doubts(mut judged: Judged, found: &SearchOutcome) -> Judged {
    for one in &mut judged.analysis.comparisons {
        let Some(work) = found
            .candidates
            .iter()
            .find(|candidate| candidate.number == one.candidate)
        else {
            continue;
        };
        for doubt in &work.work.doubts {
            match doubt {
                Doubt::Disputed { on, between } if one.status == Status::CanRefute => {
                    one.status = Status::Unclear;
                    one.downgraded = Some(format!(
                        "The claim appears in the candidate, but {} disagree on its {}. A disputed record alone does not refute a claim.",
                        and_list(between),
                        and_list(on)
                    ));
                }
                Doubt::Retracted { by } if one.near || one.status == Status::CanRefute => {
                    one.note
                        .push_str(&format!(" The candidate was retracted, according to {}.", and_list(by)));
                }
                _ => {}
            }
        }
    }
    judged
}

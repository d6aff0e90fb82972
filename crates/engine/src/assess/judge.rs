//! Judgement of Phase III (OpenNovelty, 2.3, C): the model's answers replace the offline results where it gives any.

use futures_util::future::BoxFuture;
use precedent_domain::{Doubt, Status};
use precedent_language::wording::and_list;
use precedent_ledger::InputHash;

use super::analysis::Analysis;
use super::model;
use crate::assess::{Judged, Material};
use crate::retrieve::search::SearchOutcome;
use crate::world::Stage;
use crate::{EngineError, Result, World};

const STAGE: Stage = Stage {
    name: "judge",
    version: 3,
};

/// Lets the model judge the offline analysis. Without a model it stays as it is.
///
/// # Errors
/// If the analyst cannot be called at all, or the ledger fails.
pub fn judge<'a>(material: Material<'a>, analysis: Analysis, world: &'a World) -> BoxFuture<'a, Result<Judged>> {
    Box::pin(async move {
        let found = material.found;
        let Some(model) = &world.model else {
            return Ok(apply_doubts(Judged::by_program(analysis), found));
        };
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
        let work = model::judge(model, material, analysis);
        let judged = world.stage(STAGE, key.as_str(), work).await?;
        Ok(apply_doubts(judged, found))
    })
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

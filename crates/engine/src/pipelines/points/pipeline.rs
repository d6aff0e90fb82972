use precedent_domain::{Paper, PartialDate, PointsReport, QuotableDocument};

use super::assemble::{Parts, assemble};
use super::base::{Base, base};
use super::limits::limits;
use super::material::PointsReading;
use super::material::{PointsJudged, PointsMaterial};
use super::read::read;
use super::retrieve::{Found, retrieve};
use crate::pipelines::assess::{field_not_covered, running_words};
use crate::stages::search::as_of;
use crate::stages::{ComparisonSet, Prior, coverage};
use crate::world::Stage;
use crate::{EngineError, Result, World};

const JUDGE: Stage = Stage {
    name: "points.judge",
    version: 1,
};
/// Works of the base unless told, the paper counted (NoveltyAgent, 3.1).
pub(super) const CAPACITY: usize = 200;

/// What the user asks of a report on points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointsOptions {
    /// The date the paper is judged by, in place of its own.
    pub as_of: Option<PartialDate>,
    /// Most works of the base, the paper counted; its own references are all kept.
    pub capacity: usize,
}

impl Default for PointsOptions {
    fn default() -> Self {
        Self {
            as_of: None,
            capacity: CAPACITY,
        }
    }
}

/// Sets what a paper offers as new beside the literature, point by point (NoveltyAgent). The same paper, options and world give the same report, byte for byte.
///
/// # Errors
/// When the paper holds no text, no source answers, or the ledger or the analyst fails.
pub async fn points(paper: &Paper, options: &PointsOptions, world: &World) -> Result<PointsReport> {
    if running_words(paper) == 0 {
        return Err(EngineError::EmptyPaper);
    }
    let as_of = as_of(paper, options.as_of);
    let reading = read(paper, world).await?;
    let base = base(paper, &reading, as_of.as_ref(), options.capacity, world).await?;
    let desk = Desk::of(paper, &base);
    let (found, not_covered) = desk.look(paper, &reading, &base);
    let judged = judge(paper, &desk, &reading, &found, world).await?;
    let mut not_searched = limits(paper, &reading, as_of.as_ref(), &base, world);
    let after = 1.min(not_searched.len());
    not_searched.splice(after..after, not_covered);
    let parts = Parts {
        paper,
        reading,
        base,
        capacity: options.capacity,
        found,
        judged,
        as_of,
        not_searched,
    };
    Ok(assemble(parts, world))
}

/// The texts of the paper and of the base, prepared once.
struct Desk {
    target: QuotableDocument,
    texts: Vec<QuotableDocument>,
}

impl Desk {
    fn of(paper: &Paper, base: &Base) -> Self {
        Self {
            target: QuotableDocument::new(paper.document.clone()),
            texts: base
                .texts
                .iter()
                .map(|text| QuotableDocument::new(text.document.clone()))
                .collect(),
        }
    }

    /// The passages of each point; and that what was searched does not hold the paper's field, where it is so.
    fn look(
        &self,
        paper: &Paper,
        reading: &PointsReading,
        base: &Base,
    ) -> (Found, Option<precedent_domain::NotSearched>) {
        let priors: Vec<Prior<'_>> = base
            .candidates
            .iter()
            .zip(&self.texts)
            .map(|(candidate, text)| Prior { candidate, text })
            .collect();
        let set = ComparisonSet::new(paper, &self.target, &priors);
        let found = retrieve(&reading.points, base, &self.texts, &set);
        (found, coverage(&set).as_ref().and_then(field_not_covered))
    }
}

/// The comparison of each point and what they come to; nothing without a model.
async fn judge(
    paper: &Paper,
    desk: &Desk,
    reading: &PointsReading,
    found: &Found,
    world: &World,
) -> Result<PointsJudged> {
    let nothing = PointsJudged::nothing(reading.points.len());
    if world.analyst.asked().is_none() {
        return Ok(nothing);
    }
    let material = PointsMaterial {
        paper,
        target: &desk.target,
        reading,
        found: &found.points,
        passages: &found.passages,
        works: &found.works,
        texts: &desk.texts,
    };
    let input = (&paper.origin.sha256, reading, &found.points, &found.passages);
    let work = async { world.analyst.judge_points(material, nothing).await };
    world.stage(JUDGE, &input, work).await
}

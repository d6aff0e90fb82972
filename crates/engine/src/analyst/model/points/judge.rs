use precedent_llm::Fence;

use super::super::asker::{Work, all};
use super::super::{ModelAnalyst, NoteKind};
use super::compare::{Compared, stand_in};
use super::sentence::Bench;
use crate::Result;
use crate::pipelines::{PointsJudged, PointsMaterial};

impl ModelAnalyst {
    /// Compares point by point, checks every sentence against its sources, sums up what is left, and polishes.
    pub(in super::super) async fn points_judged(
        &self,
        material: PointsMaterial<'_>,
        nothing: PointsJudged,
    ) -> Result<PointsJudged> {
        if material.reading.points.is_empty() {
            return Ok(nothing);
        }
        let bench = Bench::new(material);
        let fence = self.fence_of(&material);
        let asks: Vec<Work<'_, Result<Option<Compared>>>> = (0..material.reading.points.len())
            .map(|at| -> Work<'_, _> { Box::pin(self.point_compared(&bench, &fence, at)) })
            .collect();
        let mut compared = all(self.settings.at_once, asks).await?;
        if self.asker.only_counts() {
            let stand_ins = (0..compared.len()).map(|at| Some(stand_in(&bench, at)));
            compared = stand_ins.collect();
        }
        let (analyses, mut validation) = self.points_validated(&bench, &fence, compared).await?;
        let unjudged = validation.distinct - validation.judged;
        if unjudged > 0 {
            self.asker.log.note(
                NoteKind::NotJudged,
                format!(
                    "{unjudged} of {} citations were not judged against their source. Their words were located, and no figure in them is false.",
                    validation.distinct
                ),
            );
        }
        let (novelty_summary, mut taken_out) = self.points_concluded(&bench, &fence, &analyses).await?;
        validation.corrections.append(&mut taken_out);
        let mut judged = PointsJudged {
            content_summary: material.reading.summary.clone(),
            analyses,
            novelty_summary,
            validation: None,
        };
        validation.polish = self.points_polished(&bench, &fence, &mut judged).await?;
        judged.validation = Some(validation);
        Ok(judged)
    }

    /// One fence for all requests about the points of a paper.
    fn fence_of(&self, material: &PointsMaterial<'_>) -> Fence {
        let passages = material.passages.iter().map(|one| one.text.text());
        let titles = material.works.iter().map(|one| one.work.title.as_str());
        self.fence(passages.chain(titles).chain([material.target.document().text.as_str()]))
    }
}

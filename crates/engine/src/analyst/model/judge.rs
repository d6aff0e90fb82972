use precedent_domain::QuotableDocument;

use super::ModelAnalyst;
use super::material::{Desk, Judged, Material};
use crate::Result;
use crate::stages::analysis::{Analysis, in_reading_order};
use crate::stages::{ComparisonSet, Prior, position};

impl ModelAnalyst {
    /// Reads what the program found, and puts what holds of the model's answers in the place of the program's.
    pub(super) async fn judged(&self, material: Material<'_>, mut analysis: Analysis) -> Result<Judged> {
        let target = QuotableDocument::new(material.paper.document.clone());
        let texts: Vec<QuotableDocument> = material
            .found
            .texts
            .iter()
            .map(|text| QuotableDocument::new(text.document.clone()))
            .collect();
        let priors: Vec<Prior<'_>> = material
            .found
            .candidates
            .iter()
            .zip(&texts)
            .map(|(candidate, text)| Prior { candidate, text })
            .collect();
        let set = ComparisonSet::new(material.paper, &target, &priors);
        let all = texts.iter().map(|text| text.document().text.as_str());
        let records = material.found.candidates.iter().map(|one| one.work.title.as_str());
        let desk = Desk {
            material,
            target: &target,
            set: &set,
            fence: self.fence(all.chain(records).chain([target.document().text.as_str()])),
        };
        let compared = self.compared(&desk, std::mem::take(&mut analysis.comparisons)).await?;
        analysis.comparisons = material
            .claims
            .iter()
            .flat_map(|claim| {
                let own = compared
                    .iter()
                    .filter(|one| one.contribution == claim.number)
                    .cloned()
                    .collect();
                in_reading_order(own, claim.number, &material.found.candidates)
            })
            .collect();
        if let Some(own) = analysis.taxonomy.take() {
            let tree = self.tree_told(&desk, own.clone()).await?;
            if tree != own {
                analysis.position = position(&set, &tree);
            }
            analysis.taxonomy = Some(tree);
        }
        if let Some(own) = analysis.position.take() {
            analysis.position = Some(self.position_told(&desk, own).await?);
        }
        analysis.one_liners = self.lines_told(&desk, std::mem::take(&mut analysis.one_liners)).await?;
        let narrative = self.narrative_told(&desk, &analysis).await?;
        let overall = self.overall_told(&desk, &analysis).await?;
        Ok(Judged {
            analysis,
            narrative,
            overall,
        })
    }
}

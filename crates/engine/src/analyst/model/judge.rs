use futures_util::future::try_join;
use precedent_domain::{Contribution, ContributionComparison, OneLiner, Position, QuotableDocument, Taxonomy};

use super::ModelAnalyst;
use super::asker::Work;
use super::material::{CompareContext, Judged, Material};
use crate::Result;
use crate::stages::analysis::{Analysis, in_reading_order};
use crate::stages::{ComparisonSet, Prior, position};

impl ModelAnalyst {
    /// Lets the model judge the program's analysis, and replaces the program's answers with those of the model that pass the checks.
    pub(super) async fn judged(&self, material: Material<'_>, mut analysis: Analysis) -> Result<Judged> {
        let target = QuotableDocument::new(material.paper.document.clone());
        let texts: Vec<QuotableDocument> = material
            .found
            .texts
            .iter()
            .map(|text| QuotableDocument::new(text.document.clone()))
            .collect();
        let priors = Prior::all(&material.found.candidates, &texts);
        let set = ComparisonSet::new(material.paper, &target, &priors);
        let all = texts.iter().map(|text| text.document().text.as_str());
        let records = material.found.candidates.iter().map(|one| one.work.title.as_str());
        let context = CompareContext {
            material,
            target: &target,
            set: &set,
            fence: self.fence(all.chain(records).chain([target.document().text.as_str()])),
        };
        let comparisons = std::mem::take(&mut analysis.comparisons);
        if !self.prints_sentences() {
            // Only statuses with quotes would be printed, so nothing else is requested.
            let compared = self.compared(&context, comparisons).await?;
            analysis.comparisons = in_order(compared, material);
            return Ok(Judged::by_program(analysis));
        }
        let one_liners = std::mem::take(&mut analysis.one_liners);
        let (tree, place) = (analysis.taxonomy.take(), analysis.position.take());
        // Independent parts run in parallel, the longest chain first. Only the summary needs the results of the others.
        let field: Work<'_, Result<Field>> = Box::pin(self.ask_field(&context, tree, place));
        let compared: Work<'_, Result<Vec<ContributionComparison>>> = Box::pin(self.compared(&context, comparisons));
        let lines: Work<'_, Result<Vec<OneLiner>>> = Box::pin(self.ask_lines(&context, one_liners));
        let summed_up: Work<'_, Result<Summed>> = Box::pin(async {
            let ((taxonomy, position, narrative), compared) = try_join(field, compared).await?;
            analysis.comparisons = in_order(compared, material);
            analysis.taxonomy = taxonomy;
            analysis.position = position;
            let overall = self.ask_overall(&context, &analysis).await?;
            Ok((analysis, narrative, overall))
        });
        let ((mut analysis, narrative, overall), lines) = try_join(summed_up, lines).await?;
        analysis.one_liners = lines;
        Ok(Judged {
            analysis,
            narrative,
            overall,
        })
    }

    /// The tree, then in parallel the paper's position in it and the survey in two paragraphs.
    async fn ask_field(
        &self,
        context: &CompareContext<'_>,
        tree: Option<Taxonomy>,
        place: Option<Position>,
    ) -> Result<Field> {
        let mut place = place;
        let tree = match tree {
            Some(own) => {
                let told = self.ask_tree(context, own.clone()).await?;
                if told != own {
                    place = position(context.set, &told);
                }
                Some(told)
            }
            None => None,
        };
        let placed = async {
            match place {
                Some(own) => self.ask_position(context, own).await.map(Some),
                None => Ok(None),
            }
        };
        let narrated = async {
            match &tree {
                Some(tree) => self.ask_narrative(context, tree).await,
                None => Ok(None),
            }
        };
        let (placed, narrative) = try_join(placed, narrated).await?;
        Ok((tree, placed, narrative))
    }
}

/// Everything but the one-line descriptions: the analysis, the survey in two paragraphs, the findings in three or four.
type Summed = (Analysis, Option<Vec<String>>, Option<Vec<String>>);

/// The tree, the paper's position in it, and the survey in two paragraphs.
type Field = (Option<Taxonomy>, Option<Position>, Option<Vec<String>>);

/// The comparisons claim by claim, each in reading order.
fn in_order(compared: Vec<ContributionComparison>, material: Material<'_>) -> Vec<ContributionComparison> {
    let of_claim = |claim: &Contribution| {
        let own = compared.iter().filter(|one| one.contribution == claim.number);
        in_reading_order(own.cloned().collect(), claim.number, &material.found.candidates)
    };
    material.claims.iter().flat_map(of_claim).collect()
}

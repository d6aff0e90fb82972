use futures_util::future::try_join;
use precedent_domain::{Contribution, ContributionComparison, Position, QuotableDocument, Taxonomy};

use super::compare::{Compared, NAMED, compare_works};
use super::position::ask_position;
use super::survey::{ask_narrative, ask_overall};
use super::taxonomy::ask_tree;
use crate::Result;
use crate::assess::analysis::{Analysis, in_reading_order};
use crate::assess::model::context::{CompareContext, Matches};
use crate::assess::{Judged, Material};
use crate::compare::{ComparisonSet, Prior, position};
use crate::model::ModelAnalyst;
use crate::model::asker::Task;
use crate::model::policy::Worded;

/// Judges the program's analysis.
pub(crate) async fn judge(model: &ModelAnalyst, material: Material<'_>, analysis: Analysis) -> Result<Judged> {
    let answer = judge_all(model, material, analysis.clone()).await?;
    Ok(model.printed(answer, || Judged::by_program(analysis)))
}

/// Lets the model judge the program's analysis, and replaces the program's answers with those of the model that pass the checks.
async fn judge_all(model: &ModelAnalyst, material: Material<'_>, mut analysis: Analysis) -> Result<Judged> {
    let target = QuotableDocument::new(material.paper.document.clone());
    let texts: Vec<QuotableDocument> = material
        .found
        .texts
        .iter()
        .map(|text| QuotableDocument::new(text.document.clone()))
        .collect();
    let priors = Prior::all(&material.found.candidates, &texts);
    let set = ComparisonSet::new(material.paper, &target, &priors);
    let context = CompareContext {
        material,
        target: &target,
        set: &set,
        fence: model.fence(),
        matches: Matches::of(&set, material.claims),
    };
    let comparisons = std::mem::take(&mut analysis.comparisons);
    if !model.prints_sentences() {
        // Only statuses with quotes would be printed, so no other prompt is sent.
        let (compared, _) = compare_works(model, &context, comparisons).await?;
        analysis.comparisons = in_order(compared, material);
        return Ok(Judged::by_program(analysis));
    }
    let (tree, place) = (analysis.taxonomy.take(), analysis.position.take());
    // Independent parts run in parallel, the longest chain first. Only the summary needs the results of the others.
    let field: Task<'_, Result<SurveyedField>> = Box::pin(ask_field(model, &context, tree, place));
    let compared: Task<'_, Result<Compared>> = Box::pin(compare_works(model, &context, comparisons));
    let ((taxonomy, position, narrative), (compared, mut lines)) = try_join(field, compared).await?;
    analysis.comparisons = in_order(compared, material);
    analysis.taxonomy = taxonomy;
    analysis.position = position;
    for own in &mut analysis.one_liners {
        own.text = lines.remove(&own.candidate);
    }
    let overall = ask_overall(model, &context, &analysis).await?;
    Ok(Judged {
        analysis,
        narrative,
        overall,
    })
}

/// The tree, then in parallel the paper's position in it and the survey in two paragraphs.
async fn ask_field(
    model: &ModelAnalyst,
    context: &CompareContext<'_>,
    tree: Option<Taxonomy>,
    place: Option<Position>,
) -> Result<SurveyedField> {
    let mut place = place;
    let tree = match tree {
        Some(own) => {
            let answer = ask_tree(model, context, own.clone()).await?;
            if answer != own {
                place = position(context.set, &answer);
            }
            Some(answer)
        }
        None => None,
    };
    let placed = async {
        match place {
            Some(own) => ask_position(model, context, own).await.map(Some),
            None => Ok(None),
        }
    };
    let narrated = async {
        match &tree {
            Some(tree) => ask_narrative(model, context, tree).await,
            None => Ok(None),
        }
    };
    let (placed, narrative) = try_join(placed, narrated).await?;
    Ok((tree, placed, narrative))
}

/// The tree, the paper's position in it, and the survey in two paragraphs.
type SurveyedField = (Option<Taxonomy>, Option<Position>, Option<Vec<String>>);

/// The comparisons claim by claim, each in reading order.
fn in_order(compared: Vec<ContributionComparison>, material: Material<'_>) -> Vec<ContributionComparison> {
    let of_claim = |claim: &Contribution| {
        let own = compared.iter().filter(|one| one.contribution == claim.number);
        in_reading_order(own.cloned().collect(), claim.number, &material.found.candidates)
    };
    material.claims.iter().flat_map(of_claim).collect()
}

impl Worded for Judged {
    fn without_sentences(mut self, own: Self) -> Self {
        for one in &mut self.analysis.comparisons {
            let mut same = own.analysis.comparisons.iter();
            let same = same.find(|other| other.contribution == one.contribution && other.candidate == one.candidate);
            one.note = same.map(|same| same.note.clone()).unwrap_or_default();
            for pair in &mut one.evidence {
                if !same.is_some_and(|same| same.evidence.contains(pair)) {
                    NAMED.clone_into(&mut pair.rationale);
                }
            }
        }
        self.analysis.taxonomy = own.analysis.taxonomy;
        self.analysis.position = own.analysis.position;
        self.analysis.one_liners = own.analysis.one_liners;
        Self {
            narrative: None,
            overall: None,
            ..self
        }
    }
}

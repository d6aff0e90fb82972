use futures_util::future::BoxFuture;
use precedent_domain::{
    ASSESSMENT_SCHEMA_VERSION, AsOf, Assessment, ComparisonStatistics, Contribution, ContributionAnalysis, CoreTask,
    CoreTaskComparisons, CoreTaskSurvey, Gap, Paper, ReferenceIndex, RunMetadata,
};

use crate::assess::Material;
use crate::assess::analysis::{Analysis, analyse};
use crate::assess::judge::judge;
use crate::assess::options::AssessOptions;
use crate::compare::field_not_covered;
use crate::extract::{Extraction, extract, original, running_words};
use crate::model::texts::{beginning, fenced_claims};
use crate::model::{model_incomplete, model_limits, sent};
use crate::retrieve::queries::{QueryPlan, queries};
use crate::retrieve::search::limits;
use crate::retrieve::search::{dated, search};
use crate::{EngineError, Result, World};

/// The disclaimer of every assessment.
const DISCLAIMER: &str = "This report compares the paper only with the papers that were searched. If it shows no conflict, none was \
found there, which does not mean that none exists. Its selections are automatic and can be wrong in both directions. It supports a human reviewer. \
It is not a reason to reject a paper, and a missing citation is not a lack of novelty.";

/// Compares a paper with prior work (OpenNovelty). The same paper, options and world give the same assessment, byte for byte.
///
/// # Errors
/// If the paper contains no text, no source answers, or the ledger or the analyst fails.
pub fn assess<'a>(paper: Paper, options: AssessOptions, world: &'a World) -> BoxFuture<'a, Result<Assessment>> {
    Box::pin(async move {
        if running_words(&paper) == 0 {
            return Err(EngineError::EmptyPaper);
        }
        let world = &world.for_paper(&paper);
        world.begin_calls([paper.document.text.as_str()]);
        let as_of = dated(&paper, options.as_of, world).await?;
        let extraction = extract(&paper, world).await?;
        let plan = queries(&extraction, world).await?;
        let claims = claims(&extraction, &plan);
        show_paper(&paper, &claims, world);
        let found = search(&paper, &plan.all(), as_of.as_ref(), world).await?;
        let analysis = analyse(
            &paper,
            extraction.core_task.as_ref().map(|task| task.phrase.as_str()),
            &claims,
            &found,
            &options,
            world,
        )
        .await?;
        let material = Material {
            paper: &paper,
            topic: extraction.core_task.as_ref().map(|task| task.phrase.as_str()),
            claims: &claims,
            found: &found,
        };
        let judged = judge(material, analysis, world).await?;
        let analysis = judged.analysis;

        let mut not_searched = limits(&paper, &extraction, as_of.as_ref(), &found, &world.sources);
        // Placed right after what was searched, because without it the other limits would be misread.
        let after = 1.min(not_searched.len());
        not_searched.splice(after..after, analysis.coverage.as_ref().and_then(field_not_covered));
        not_searched.push(Gap::OtherWords.into());
        not_searched.extend(analysis.not_searched.iter().cloned());
        // The limits of the model come right after what was searched.
        not_searched.splice(
            1.min(not_searched.len())..1.min(not_searched.len()),
            model_limits(world),
        );
        not_searched.splice(0..0, model_incomplete(world));
        let models = world.model_uses();
        let mut coded_notes = extraction.notes.clone();
        coded_notes.extend(world.model.iter().flat_map(|model| model.log().notes()));
        Ok(Assessment {
            schema_version: ASSESSMENT_SCHEMA_VERSION.to_owned(),
            original_paper: original(&paper),
            core_task_survey: CoreTaskSurvey {
                narrative: judged.narrative,
                ..survey(&extraction, &plan, &analysis)
            },
            contribution_analysis: ContributionAnalysis {
                contributions: claims,
                extraction_notes: Vec::new(),
                coded_notes,
                statistics: ComparisonStatistics::of(&analysis.comparisons),
                comparisons: analysis.comparisons,
                overall_assessment: judged.overall,
                missing_citations: analysis.missing_citations,
                reported_result: extraction.reported_result.clone(),
            },
            core_task_comparisons: CoreTaskComparisons {
                position: analysis.position,
            },
            textual_similarity: analysis.overlap,
            references: ReferenceIndex {
                candidates: found.candidates,
                set_aside: found.set_aside,
            },
            metadata: RunMetadata {
                funnel: found.funnel,
                sources: found.sources,
                not_searched,
                sent: sent(&models).into_iter().chain(found.sent).collect(),
                models,
                ..metadata(&plan, as_of, world)
            },
        })
    })
}

/// Requests about other papers begin with the paper and its claims.
fn show_paper(paper: &Paper, claims: &[Contribution], world: &World) {
    if let Some(model) = &world.model {
        let fence = model.fence();
        let claims: Vec<&Contribution> = claims.iter().collect();
        let shown = [fence.wrap("paper", &beginning(paper)), fenced_claims(&claims, &fence)];
        model.show_paper(shown.join("\n"));
    }
}

fn claims(extraction: &Extraction, plan: &QueryPlan) -> Vec<Contribution> {
    let mut plans = plan.contributions.iter();
    (1..)
        .zip(&extraction.contributions)
        .map(|(number, one)| Contribution {
            number,
            name: one.name.clone(),
            claim: one.claim.clone(),
            also_stated: one.also_stated.clone(),
            description: one.description.clone(),
            description_quotes: one.description_quotes.clone(),
            class: one.class,
            queries: plans.next().cloned().unwrap_or_default(),
        })
        .collect()
}

fn survey(extraction: &Extraction, plan: &QueryPlan, analysis: &Analysis) -> CoreTaskSurvey {
    let core_task = extraction.core_task.as_ref().map(|task| CoreTask {
        phrase: task.phrase.clone(),
        evidence: task.evidence.clone(),
        queries: plan.core_task.clone(),
    });
    CoreTaskSurvey {
        core_task,
        taxonomy: analysis.taxonomy.clone(),
        narrative: None,
        one_liners: analysis.one_liners.clone(),
        coverage: analysis.coverage,
        near: analysis.near.clone(),
    }
}

fn metadata(plan: &QueryPlan, as_of: Option<AsOf>, world: &World) -> RunMetadata {
    RunMetadata {
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
        analyst: world.analyst(),
        as_of,
        seed: world.seed,
        queries: plan.all(),
        funnel: precedent_domain::Funnel {
            scopes: Vec::new(),
            merged: 0,
            shared_text: 0,
        },
        sources: Vec::new(),
        not_searched: Vec::new(),
        sent: Vec::new(),
        models: Vec::new(),
        disclaimer: DISCLAIMER.to_owned(),
    }
}

use precedent_domain::{Contribution, ContributionComparison, Extent, Status, Timing};

use super::claim::{Marks, Substance};
use super::evidence::{Anchor, anchors, pairs, round};
use super::judge::{Agreement, agreement};
use super::note;
use super::passages::{Passage, nearest_passages};
use crate::stages::{ComparisonSet, PriorReading};

/// Sets one claim against every candidate, nearest first.
#[must_use]
pub fn compare(set: &ComparisonSet<'_>, contribution: &Contribution) -> Vec<ContributionComparison> {
    compare_with(set, contribution, |_| true)
}

/// As [`compare`], against the candidates that `wanted` picks by number.
#[must_use]
pub fn compare_with(
    set: &ComparisonSet<'_>,
    contribution: &Contribution,
    wanted: impl Fn(u32) -> bool,
) -> Vec<ContributionComparison> {
    let anchors = anchors(contribution, set);
    let mut comparisons: Vec<ContributionComparison> = set
        .priors()
        .iter()
        .filter(|prior| wanted(prior.candidate.number))
        .filter_map(|prior| one(contribution, &anchors, prior))
        .collect();
    // Stable: candidates that stand equally near keep their order of relevance.
    comparisons.sort_by(|a, b| b.closeness.total_cmp(&a.closeness));
    comparisons
}

fn one(contribution: &Contribution, anchors: &[Anchor], prior: &PriorReading<'_>) -> Option<ContributionComparison> {
    let leads = leading_wording(anchors, prior);
    let claim = anchors.get(leads)?;
    let (evidence, nearest) = pairs(anchors, leads, prior);
    let marks = nearest.as_ref().map(|passage| passage.marks).unwrap_or_default();
    let agreement = nearest.as_ref().map_or(Agreement::Apart, |passage| {
        agreement(&claim.substance, claim.quote.text(), prior, passage)
    });
    let near = agreement != Agreement::Apart || claim.substance.is_near(marks);
    let verdict = verdict(&agreement, prior);
    let (shared_terms, missing_terms) = note::terms_in_words(&claim.substance, claim.quote.text(), marks);
    Some(ContributionComparison {
        contribution: contribution.number,
        candidate: prior.candidate.number,
        status: verdict.status,
        compared: prior.extent(),
        note: note::note(&note::Facts {
            claim,
            prior,
            nearest: nearest.as_ref(),
            agreement: &agreement,
            missing: &missing_terms,
        }),
        closeness: round(closeness(&claim.substance, nearest.as_ref(), marks)),
        // Words that stand together by accident are no evidence of anything.
        evidence: if near { evidence } else { Vec::new() },
        shared_terms,
        missing_terms,
        near,
        downgraded: verdict.downgraded,
        judged_by: None,
    })
}

/// Which wording of the claim is set against the candidate: the claim itself, unless another wording of the paper's own stands there word for
/// word and the claim does not.
fn leading_wording(anchors: &[Anchor], prior: &PriorReading<'_>) -> usize {
    let literal = |anchor: &Anchor| {
        let nearest = nearest_passages(&prior.reading, &anchor.substance, 1);
        nearest.first().is_some_and(|passage| {
            agreement(&anchor.substance, anchor.quote.text(), prior, passage) == Agreement::Literal
        })
    };
    let stating = anchors.iter().take_while(|anchor| anchor.states).count();
    if stating < 2 {
        return 0;
    }
    anchors.iter().take(stating).position(literal).unwrap_or(0)
}

fn closeness(substance: &Substance, nearest: Option<&Passage>, marks: Marks) -> f64 {
    nearest.map_or(0.0, |_| substance.nearness(marks)).clamp(0.0, 1.0)
}

struct Verdict {
    status: Status,
    downgraded: Option<String>,
}

/// A literal agreement refutes only where the whole text was compared and the work surely came before.
fn verdict(agreement: &Agreement, prior: &PriorReading<'_>) -> Verdict {
    let withdrawn = |reason: &str| Verdict {
        status: Status::Unclear,
        downgraded: Some(reason.to_owned()),
    };
    match agreement {
        // A title says too little to tell what the work does not do.
        Agreement::Apart if prior.extent() == Extent::TitleOnly => Verdict {
            status: Status::Unclear,
            downgraded: None,
        },
        Agreement::Apart => Verdict {
            status: Status::CannotRefute,
            downgraded: None,
        },
        Agreement::Near(_) => Verdict {
            status: Status::Unclear,
            downgraded: None,
        },
        Agreement::Literal => match (prior.candidate.timing, prior.extent()) {
            (Timing::Earlier, Extent::FullText) => Verdict {
                status: Status::CanRefute,
                downgraded: None,
            },
            (Timing::Earlier, _) => withdrawn(
                "The claim stands nearly word for word in the work, but only its abstract was compared, and an abstract alone does not refute.",
            ),
            (Timing::Concurrent, _) => withdrawn(
                "The claim stands nearly word for word in the work, but the work is not surely earlier than the paper.",
            ),
            (Timing::Undated, _) => {
                withdrawn("The claim stands nearly word for word in the work, but no date of it is known.")
            }
            (Timing::Later, _) => {
                withdrawn("The claim stands nearly word for word in the work, but the work appeared after the paper.")
            }
        },
    }
}

//! How close each paper comes to the idea's purpose and mechanism, by the matcher, and what that suggests without a verdict.

use precedent_domain::{
    CoverageLevel, Facet, FacetOrigin, FieldCoverage, IdeaLean, IdeaText, IdeaWork, LeanKind, NamedPaper, Timing,
};
use precedent_matcher::{Claim, features, weights};

use crate::compare::ComparisonSet;

/// The facets that a paper must share for an idea not to be novel.
pub(super) const DECIDING: [Facet; 2] = [Facet::Purpose, Facet::Mechanism];
/// A paper is close to a facet from this logit of the matcher's probability, 0.15 %, which is low because abstracts seldom state a facet in the idea's
/// words. Of 35 labelled ideas, of which 28 have both facets emphasised, 13 of the 15 not novel and 5 of the 20 novel ones have a paper that is close to both
/// (`cargo xtask bench ideas novelty_dev.jsonl`, docs/ideas.md).
const CLOSE: f64 = -6.5;
/// Papers given with the idea are on its subject from this mean similarity. The ten papers of each labelled idea have 0.128 or more. The most similar of
/// all 264 papers have at most 0.088 to ideas of other fields (vineyards, black holes, concrete, ferries, rice).
/// All three bounds on ideas, with `FACET_SHARE` of the gate, were chosen on the same 35 ideas.
const GIVEN_ON_SUBJECT: f64 = 0.11;
/// Maximum papers named by a lean.
const NAMED: usize = 3;

/// For each paper, the lower of its logits for purpose and mechanism.
pub(super) struct Closeness(Vec<Option<f64>>);

impl Closeness {
    pub(super) fn of(idea: &IdeaText, works: &[IdeaWork], set: &ComparisonSet<'_>) -> Self {
        let claims: Vec<Claim> = DECIDING
            .iter()
            .filter_map(|facet| idea.facets.iter().find(|one| one.facet == *facet))
            .map(|one| Claim::new(one.quote.text()))
            .collect();
        let of_work = |work: &IdeaWork| {
            let prior = set
                .priors()
                .iter()
                .find(|prior| prior.candidate.number == work.number)?;
            let logits = claims
                .iter()
                .map(|claim| weights().score(&features(claim, &prior.prepared)));
            let lowest = logits.min_by(f64::total_cmp)?;
            (claims.len() == DECIDING.len()).then_some(lowest)
        };
        Self(works.iter().map(of_work).collect())
    }

    /// The certainly earlier papers that are close to both facets, closest first.
    pub(super) fn close<'w>(&self, works: &'w [IdeaWork]) -> Vec<&'w IdeaWork> {
        let mut close: Vec<(f64, &IdeaWork)> = works
            .iter()
            .zip(&self.0)
            .filter(|(work, _)| work.timing == Timing::Earlier)
            .filter_map(|(work, logit)| Some((logit.filter(|logit| *logit >= CLOSE)?, work)))
            .collect();
        close.sort_by(|(a, one), (b, other)| b.total_cmp(a).then(one.number.cmp(&other.number)));
        close.into_iter().map(|(_, work)| work).collect()
    }

    fn is_known(&self) -> bool {
        self.0.iter().any(Option::is_some)
    }

    /// Whether any paper could not be compared with both facets.
    pub(super) fn is_unknown(&self) -> bool {
        self.0.iter().any(Option::is_none)
    }
}

/// What the words suggest; `None` if the idea states no purpose or no mechanism.
pub(super) fn lean(
    idea: &IdeaText,
    works: &[IdeaWork],
    closeness: &Closeness,
    coverage: Option<&FieldCoverage>,
) -> Option<IdeaLean> {
    let of = |facet: &Facet| idea.facets.iter().find(|one| one.facet == *facet);
    let stated: Vec<_> = DECIDING.iter().filter_map(of).collect();
    if stated.len() < DECIDING.len() || (!works.is_empty() && !closeness.is_known()) {
        return None;
    }
    let close = closeness.close(works);
    let is_covered = coverage.is_some_and(|coverage| coverage.level != CoverageLevel::Outside);
    let kind = match (close.is_empty(), is_covered) {
        (_, false) => LeanKind::FieldNotCovered,
        (false, true) => LeanKind::CloseWorkFound,
        (true, true) => LeanKind::NoCloseWorkFound,
    };
    let named_papers = close.iter().filter(|_| kind == LeanKind::CloseWorkFound).take(NAMED);
    Some(IdeaLean {
        kind,
        papers: named_papers.map(|work| named(&work.alias, work.number)).collect(),
        facets_are_certain: stated
            .iter()
            .all(|one| matches!(one.origin, Some(FacetOrigin::User | FacetOrigin::Emphasis))),
    })
}

/// The coverage of papers that were given with the idea, not searched: whether they are on its subject at all.
pub(super) fn of_given(coverage: FieldCoverage) -> FieldCoverage {
    FieldCoverage {
        level: match coverage.nearest >= GIVEN_ON_SUBJECT {
            true => CoverageLevel::Covered,
            false => CoverageLevel::Outside,
        },
        usual: GIVEN_ON_SUBJECT,
        ..coverage
    }
}

pub(crate) fn named(alias: &str, number: u32) -> NamedPaper {
    NamedPaper {
        name: alias.to_owned(),
        number,
    }
}

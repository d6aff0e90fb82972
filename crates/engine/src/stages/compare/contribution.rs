use precedent_corpus::TopicVector;
use precedent_domain::{Contribution, ContributionComparison, EvidencePair, Extent, Status, Timing};

use super::evidence::{Anchor, anchors, of_the_topic, pairs, round};
use super::judge::{Agreement, FEWEST_TERMS, agreement};
use super::note;
use super::passages::nearest_passages;
use super::relevance::{gist_of, standing};
use crate::stages::{ComparisonSet, PriorReading};

/// Compares one claim with every candidate, most similar first.
#[must_use]
pub fn compare(set: &ComparisonSet<'_>, contribution: &Contribution) -> Vec<ContributionComparison> {
    compare_with(set, contribution, |_| true)
}

/// As [`compare`], with only the candidates whose numbers `wanted` accepts.
#[must_use]
pub fn compare_with(
    set: &ComparisonSet<'_>,
    contribution: &Contribution,
    wanted: impl Fn(u32) -> bool,
) -> Vec<ContributionComparison> {
    let anchors = anchors(contribution, set);
    let said = gist_of(contribution);
    let mut comparisons: Vec<ContributionComparison> = set
        .priors()
        .iter()
        .filter(|prior| wanted(prior.candidate.number))
        .filter_map(|prior| one(contribution, &anchors, &said, prior, false))
        .collect();
    for find in [named_by_title, near_as_a_whole] {
        for prior in find(set, &comparisons, &anchors, &said) {
            let near = one(contribution, &anchors, &said, prior, true);
            let place = comparisons
                .iter_mut()
                .find(|one| one.candidate == prior.candidate.number);
            if let (Some(place), Some(near)) = (place, near) {
                *place = near;
            }
        }
    }
    // The sort is stable, so equally similar candidates keep their order of relevance.
    comparisons.sort_by(|a, b| b.closeness.total_cmp(&a.closeness));
    comparisons
}

/// Candidates not yet marked as similar to the claim, most similar first.
fn not_near_yet<'s, 'p>(
    set: &'s ComparisonSet<'p>,
    comparisons: &[ContributionComparison],
) -> Vec<(f64, &'s PriorReading<'p>)> {
    let mut found: Vec<(f64, &PriorReading<'_>)> = set
        .priors()
        .iter()
        .filter_map(|prior| {
            let stood = comparisons.iter().find(|one| one.candidate == prior.candidate.number)?;
            (!stood.near).then_some((stood.closeness, prior))
        })
        .collect();
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    found
}

/// Papers whose titles name the claim's subject, up to [`FEW_NEAR`] similar papers in total.
fn named_by_title<'s, 'p>(
    set: &'s ComparisonSet<'p>,
    comparisons: &[ContributionComparison],
    anchors: &[Anchor],
    said: &TopicVector,
) -> Vec<&'s PriorReading<'p>> {
    let near = comparisons.iter().filter(|one| one.near).count();
    not_near_yet(set, comparisons)
        .into_iter()
        .map(|(_, prior)| prior)
        .filter(|prior| is_named_by_title(anchors, said, prior))
        .take(FEW_NEAR.saturating_sub(near))
        .collect()
}

/// Papers that are similar to the paper as a whole and touch the claim, up to [`FEW_NEAR`] similar earlier ones and as many others.
fn near_as_a_whole<'s, 'p>(
    set: &'s ComparisonSet<'p>,
    comparisons: &[ContributionComparison],
    anchors: &[Anchor],
    said: &TopicVector,
) -> Vec<&'s PriorReading<'p>> {
    let is_earlier = |number: u32| {
        let mut priors = set.priors().iter();
        priors.any(|prior| prior.candidate.number == number && prior.candidate.timing == Timing::Earlier)
    };
    let room = |earlier: bool| {
        let near = comparisons
            .iter()
            .filter(|one| one.near && is_earlier(one.candidate) == earlier);
        FEW_NEAR.saturating_sub(near.count())
    };
    let touching: Vec<&PriorReading<'_>> = not_near_yet(set, comparisons)
        .into_iter()
        .map(|(_, prior)| prior)
        .filter(|prior| touches(anchors, said, prior))
        .collect();
    let of = |earlier: bool| {
        touching
            .iter()
            .copied()
            .filter(move |prior| (prior.candidate.timing == Timing::Earlier) == earlier)
            .take(room(earlier))
    };
    of(true).chain(of(false)).collect()
}

/// Whether a paper that is similar as a whole also shares the claim's topic and some of its words.
fn touches(anchors: &[Anchor], said: &TopicVector, prior: &PriorReading<'_>) -> bool {
    let Some(claim) = anchors.first() else { return false };
    prior.kinship >= WHOLE_KIN
        && said.nearness(&prior.gist) >= WHOLE_SAID
        && nearest_passages(&prior.reading, &claim.substance, 1)
            .first()
            .is_some_and(|passage| passage.nearness >= WHOLE_WORDS)
}

/// Minimum similarity of such a paper to the paper as a whole and to the claim's topic, and minimum share of the claim's words.
/// Measured on the labelled papers of 78 claims with fewer than three similar earlier papers: these bounds admit 17 related papers and
/// two chance matches (six and none among the earlier papers).
const WHOLE_KIN: f64 = 0.34;
const WHOLE_SAID: f64 = 0.25;
const WHOLE_WORDS: f64 = 0.1;

/// With fewer similar papers than this for a claim, papers whose titles name its subject count as similar too.
const FEW_NEAR: usize = 3;
/// Minimum similarity of such a paper to the paper as a whole, and to the claim's topic. Measured on the labelled papers of 42 claims
/// with fewer than three similar papers: these bounds admit five related papers and no chance match. Lower bounds for all papers admit
/// one chance match for every two related ones.
const NAMED_KIN: f64 = 0.2;
const NAMED_SAID: f64 = 0.25;

/// Whether the title contains two neighbouring content words of the claim side by side: `pronominal anaphora`.
fn is_named_by_title(anchors: &[Anchor], said: &TopicVector, prior: &PriorReading<'_>) -> bool {
    let Some(claim) = anchors.first() else { return false };
    let marks = claim.substance.marks(&prior.title_words);
    prior.kinship >= NAMED_KIN && claim.substance.names_together(marks) && said.nearness(&prior.gist) >= NAMED_SAID
}

/// Compares the claim with one paper. `named` marks the paper as similar whatever the scores are.
fn one(
    contribution: &Contribution,
    anchors: &[Anchor],
    said: &TopicVector,
    prior: &PriorReading<'_>,
    named: bool,
) -> Option<ContributionComparison> {
    let leads = leading_wording(anchors, prior);
    let claim = anchors.get(leads)?;
    let (mut evidence, nearest) = pairs(anchors, leads, prior);
    let marks = nearest.as_ref().map(|passage| passage.marks).unwrap_or_default();
    let agreement = nearest.as_ref().map_or(Agreement::Apart, |passage| {
        agreement(&claim.substance, claim.quote.text(), prior, passage)
    });
    let mut standing = standing((&claim.substance, said), marks, &agreement, prior);
    standing.near |= named;
    if !standing.near {
        // Words that occur together by chance are no evidence.
        evidence.clear();
    } else if agreement == Agreement::Apart {
        show_more_than_the_title(&mut evidence, claim, prior);
    }
    // A claim of few words occurs whole in papers of other fields and in every paper of its own. Only the same topic needs review.
    let few = claim.substance.core_count() < FEWEST_TERMS;
    let met = few && matches!(agreement, Agreement::Near(_)) && !standing.same_thing;
    let settled = if standing.near && !met {
        &agreement
    } else {
        &Agreement::Apart
    };
    let verdict = verdict(settled, few, prior);
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
            near: standing.near,
        }),
        closeness: round(standing.closeness),
        evidence,
        shared_terms,
        missing_terms,
        near: standing.near,
        too_little: verdict.too_little,
        downgraded: verdict.downgraded,
        judged_by: None,
    })
}

/// Puts another passage first when the best match is only the title, which the report already shows above the passages.
fn show_more_than_the_title(evidence: &mut Vec<EvidencePair>, claim: &Anchor, prior: &PriorReading<'_>) {
    let title = prior.candidate.work.title.trim();
    if evidence
        .first()
        .is_some_and(|pair| pair.candidate.text().trim() != title)
    {
        return;
    }
    if evidence.len() > 1 {
        evidence.swap(0, 1);
    } else if let Some(pair) = of_the_topic(claim, prior) {
        evidence.insert(0, pair);
    }
}

/// The wording of the claim to compare: the claim itself, unless only another wording of the paper appears literally in the candidate.
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

struct Verdict {
    status: Status,
    /// Whether the status is `unclear` because the claim or the available text of the candidate says too little.
    too_little: bool,
    downgraded: Option<String>,
}

impl Verdict {
    fn of(status: Status) -> Self {
        Self {
            status,
            too_little: false,
            downgraded: None,
        }
    }

    fn withdrawn(reason: &str) -> Self {
        Self {
            downgraded: Some(reason.to_owned()),
            ..Self::of(Status::Unclear)
        }
    }
}

/// A literal match anticipates only when the full text was compared and the candidate is certainly earlier. Words cannot decide a claim of
/// `few` terms: many papers contain them together without making the claim.
fn verdict(agreement: &Agreement, few: bool, prior: &PriorReading<'_>) -> Verdict {
    match agreement {
        // A title alone does not show what the paper lacks.
        Agreement::Apart if few || prior.extent() == Extent::TitleOnly => Verdict {
            too_little: true,
            ..Verdict::of(Status::Unclear)
        },
        Agreement::Apart => Verdict::of(Status::CannotRefute),
        Agreement::Near(_) => Verdict::of(Status::Unclear),
        Agreement::Literal => match (prior.candidate.timing, prior.extent()) {
            (Timing::Earlier, Extent::FullText) => Verdict::of(Status::CanRefute),
            (Timing::Earlier, _) => Verdict::withdrawn(
                "The claim appears nearly verbatim in the candidate, but only its abstract was compared. An abstract alone does not refute a claim.",
            ),
            (Timing::Concurrent, _) => Verdict::withdrawn(
                "The claim appears nearly verbatim in the candidate, but the candidate is not certainly earlier than the paper.",
            ),
            (Timing::Undated, _) => Verdict::withdrawn(
                "The claim appears nearly verbatim in the candidate, but the candidate has no known date.",
            ),
            (Timing::Later, _) => Verdict::withdrawn(
                "The claim appears nearly verbatim in the candidate, but the candidate appeared after the paper.",
            ),
        },
    }
}

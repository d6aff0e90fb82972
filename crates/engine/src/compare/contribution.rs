use precedent_domain::{Contribution, ContributionComparison, CoverageLevel, EvidencePair, Extent, Status, Timing};
use precedent_matcher::{Claim, Level, PreparedText, Ranked, claim_terms, rank};

use super::claim::coined;
use super::evidence::{Anchor, MOST_PAIRS, anchors, of_the_topic, pair, pairs, passage_at, round};
use super::note;
use super::passages::nearest_passages;
use super::word_agreement::{Agreement, FEWEST_TERMS, agreement};
use crate::compare::coverage::{FAR as SAME_TOPIC, NEAR as SIMILAR_PAPERS, coverage};
use crate::compare::{ComparisonSet, PriorReading};

/// Maximum number of closest papers listed for a claim: earlier ones, and as many others.
const CLOSEST: usize = 5;

/// Weight of the similarity of two whole papers in the order of the candidates, in units of the matcher's score. It puts a paper of the same topic
/// before a chance match, such as hierarchical routing for an Analytical Hierarchical Process. With 186 claims of NeurIPS papers and 333,000
/// abstracts, the paper cites the first candidate for 27 %, and without this weight for 13 % (`cargo xtask train context`). Only a weight without
/// bounds, which ignores the claim, gives one point more. The five listed papers keep this order: in the order of their probabilities, the paper cites
/// the first for 18 %.
const CONTEXT: f64 = 20.0;

/// The scores at which the closeness is 0 and 1. In 21 real papers and the sample it is between 0.16 and 0.88.
const SCORES: (f64, f64) = (-20.0, 10.0);

/// Compares one claim with every candidate, most similar first.
#[must_use]
pub fn compare(set: &ComparisonSet<'_>, contribution: &Contribution) -> Vec<ContributionComparison> {
    let anchors = anchors(contribution, set);
    // No other paper has them, so it says nothing that they are missing.
    let names = anchors.iter().flat_map(|anchor| coined(anchor.quote.text(), set));
    let names: Vec<&str> = names.collect();
    let texts: Vec<&PreparedText> = set.priors().iter().map(|prior| &prior.prepared).collect();
    let ranked = rank(&Claim::new(contribution.claim.text()), &texts);
    let mut ordered: Vec<(f64, &Ranked, &PriorReading<'_>)> = ranked
        .iter()
        .filter_map(|ranked| {
            let prior = set.priors().get(ranked.index)?;
            Some((
                ranked.score + CONTEXT * (prior.topic_similarity - SIMILAR_PAPERS),
                ranked,
                prior,
            ))
        })
        .collect();
    ordered.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.index.cmp(&b.1.index)));
    // In a field that is hardly covered, words alone bring papers of other topics.
    let is_covered = coverage(set).is_some_and(|found| found.level == CoverageLevel::Covered);
    let least = if is_covered { SAME_TOPIC } else { SIMILAR_PAPERS };
    let (mut earlier, mut others) = (0, 0);
    ordered
        .into_iter()
        .filter_map(|(score, ranked, prior)| {
            let listed = if prior.candidate.timing == Timing::Earlier {
                &mut earlier
            } else {
                &mut others
            };
            let closest = prior.topic_similarity >= least && *listed < CLOSEST;
            *listed += usize::from(closest);
            let compared = one(contribution, &anchors, &names, prior, ranked, closest)?;
            let closeness = round(((score - SCORES.0) / (SCORES.1 - SCORES.0)).clamp(0.0, 1.0));
            Some(ContributionComparison { closeness, ..compared })
        })
        .collect()
}

/// Compares the claim with one paper.
fn one(
    contribution: &Contribution,
    anchors: &[Anchor],
    coined_names: &[&str],
    prior: &PriorReading<'_>,
    ranked: &Ranked,
    closest: bool,
) -> Option<ContributionComparison> {
    let leads = leading_wording(anchors, prior);
    let claim = anchors.get(leads)?;
    let (mut evidence, nearest) = pairs(anchors, leads, prior);
    let agreement = nearest.as_ref().map_or(Agreement::Apart, |passage| {
        agreement(&claim.substance, claim.quote.text(), prior, passage)
    });
    let literal = agreement == Agreement::Literal;
    let best = ranked.passages.first().filter(|_| !literal);
    let best = best
        .and_then(|passage| passage_at(claim, prior, passage.span))
        .or_else(|| nearest.clone());
    let similar = ranked.level == Level::Similar;
    let near = closest || similar || literal;
    if !near {
        // Words that occur together by chance are no evidence.
        evidence.clear();
    } else if !literal {
        if let Some(pair) = best.as_ref().and_then(|passage| pair(claim, prior, passage)) {
            put_first(&mut evidence, pair);
        }
        show_more_than_the_title(&mut evidence, claim, prior);
    }
    let few = claim.substance.core_count() < FEWEST_TERMS || ranked.level == Level::NotAssessable;
    let verdict = verdict(&agreement, similar, few, prior);
    let document = prior.reading.document();
    let shown: Vec<&str> = match &best {
        Some(passage) if evidence.is_empty() => document.slice(passage.span).into_iter().collect(),
        _ => evidence.iter().map(|pair| pair.candidate.text()).collect(),
    };
    let mut terms = claim_terms(claim.quote.text(), &shown.join("\n"), &document.text);
    terms.missing.retain(|term| !coined_names.contains(&term.as_str()));
    let probability = if literal { 1.0 } else { ranked.probability };
    Some(ContributionComparison {
        contribution: contribution.number,
        candidate: prior.candidate.number,
        status: verdict.status,
        compared: prior.extent(),
        note: note::note(&note::Facts {
            claim,
            prior,
            best: best.as_ref(),
            nearest: nearest.as_ref(),
            agreement: &agreement,
            missing: &terms.missing,
            near,
        }),
        closeness: 0.0,
        probability: Some(round(probability)),
        evidence,
        shared_terms: terms.shared,
        missing_terms: terms.missing,
        near,
        too_little: verdict.too_little,
        downgraded: verdict.downgraded,
        judged_by: None,
    })
}

/// Puts the matcher's best passage first.
fn put_first(evidence: &mut Vec<EvidencePair>, best: EvidencePair) {
    evidence.retain(|other| !other.candidate.span().overlaps(best.candidate.span()));
    evidence.insert(0, best);
    evidence.truncate(MOST_PAIRS);
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

struct ClaimVerdict {
    status: Status,
    /// Whether the status is `unclear` because the claim or the available text of the candidate says too little.
    too_little: bool,
    downgraded: Option<String>,
}

impl ClaimVerdict {
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

/// A literal match anticipates only when the candidate is certainly earlier. Otherwise the matcher decides whether a reader should look. Words cannot rule out a claim of `few` terms: many papers contain them together without making the claim.
fn verdict(agreement: &Agreement, similar: bool, few: bool, prior: &PriorReading<'_>) -> ClaimVerdict {
    match agreement {
        Agreement::Apart | Agreement::Near(_) if similar => ClaimVerdict::of(Status::Unclear),
        // A title alone does not show what the paper lacks.
        Agreement::Apart | Agreement::Near(_) if few || prior.extent() == Extent::TitleOnly => ClaimVerdict {
            too_little: true,
            ..ClaimVerdict::of(Status::Unclear)
        },
        Agreement::Apart | Agreement::Near(_) => ClaimVerdict::of(Status::CannotRefute),
        Agreement::Literal => match prior.candidate.timing {
            Timing::Earlier => ClaimVerdict::of(Status::CanRefute),
            Timing::SameYear => ClaimVerdict::withdrawn(
                "The claim appears nearly verbatim in the candidate, but both are of the same year and a month is unknown.",
            ),
            Timing::Concurrent => ClaimVerdict::withdrawn(
                "The claim appears nearly verbatim in the candidate, but the candidate is not certainly earlier than the paper.",
            ),
            Timing::Undated => ClaimVerdict::withdrawn(
                "The claim appears nearly verbatim in the candidate, but the candidate has no known date.",
            ),
            Timing::Later => ClaimVerdict::withdrawn(
                "The claim appears nearly verbatim in the candidate, but the candidate appeared after the paper.",
            ),
        },
    }
}

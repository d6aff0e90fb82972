//! Rules that the program applies to every verdict. An idea that it finds nearly word for word is not novel. A firm verdict needs an idea that says
//! enough, a covered field, and passages that speak of the facets.

use std::collections::BTreeSet;

use precedent_domain::{
    CoverageLevel, Facet, FacetComparison, FacetStatus, FieldCoverage, IdeaText, IdeaVerdict, IdeaWork, NamedPaper,
    NoveltyVerdict, Timing, VerdictGrounds,
};
use precedent_language::wording::{content_stems, is_function_word, words};

use super::closeness::{Closeness, DECIDING, named};
use super::listwise::TOP;
use super::material::IdeaJudged;
use crate::compare::{ComparisonSet, PriorReading, matching_passage, shared_words};

/// Minimum distinct content words of an idea that can be called novel. Of 35 labelled ideas (`novelty_dev`), none has fewer than 23.
const FEWEST_CONTENT_WORDS: usize = 8;
/// Minimum of these outside the common vocabulary of papers. None of the same ideas has fewer than 14.
const FEWEST_TELLING_WORDS: usize = 5;
/// A passage speaks of a facet if it has this weighted share of the facet's words and this many significant terms. On 35 labelled ideas, of
/// which 28 have both facets emphasised, 6 of the 15 not novel and 2 of the 20 novel ones have a paper with such passages for both facets
/// (`cargo xtask bench ideas novelty_dev.jsonl`, docs/ideas.md, "What the checks stop"). Chosen on these ideas.
const FACET_SHARE: f64 = 0.21;
const FACET_TERMS: usize = 2;
/// Minimum papers compared before an idea can be called novel, and the closest ones that the reasoning must discuss.
const FEWEST_PAPERS: usize = TOP;
pub(crate) const CLOSEST: u32 = 3;

/// What the rules need to know.
pub(super) struct Gate<'a> {
    pub(super) set: &'a ComparisonSet<'a>,
    pub(super) idea: &'a IdeaText,
    pub(super) works: &'a [IdeaWork],
    pub(super) coverage: Option<&'a FieldCoverage>,
    pub(super) closeness: &'a Closeness,
}

impl Gate<'_> {
    /// The verdict after the rules. `own` is the program's judgement.
    pub(super) fn apply(&self, mut judged: IdeaJudged, own: IdeaJudged) -> IdeaJudged {
        for ((facets, own), work) in judged.facets.iter_mut().zip(&own.facets).zip(self.works) {
            let mut priors = self.set.priors().iter();
            let prior = priors.find(|prior| prior.candidate.number == work.number);
            for (facet, own) in facets.iter_mut().zip(own) {
                speaks_of_it(facet, own, prior, self.set, self.idea);
            }
        }
        if own.verdict.verdict == NoveltyVerdict::NotNovel {
            return found_by_program(judged, own);
        }
        let withheld = match judged.verdict.verdict {
            NoveltyVerdict::NotNovel => without_passages(&mut judged),
            NoveltyVerdict::Novel => says_too_little(self.idea)
                .or_else(|| both_found(self.works, &own))
                .or_else(|| self.too_few_papers())
                .or_else(|| self.coverage.and_then(field_is_not_covered))
                .or_else(|| self.facets_not_compared())
                .or_else(|| self.both_similar())
                .or_else(|| self.closest_not_cited(&judged)),
            // Of an idea that says too little, that is the reason, not that no paper contains it.
            NoveltyVerdict::Undecided
                if matches!(
                    judged.verdict.coded_grounds,
                    Some(VerdictGrounds::NotWordForWord | VerdictGrounds::NothingFound)
                ) =>
            {
                says_too_little(self.idea)
            }
            NoveltyVerdict::Undecided => None,
        };
        if let Some(why) = withheld {
            judged.verdict = IdeaVerdict {
                samples: judged.verdict.samples,
                second_look: judged.verdict.second_look,
                // The reasoning argues for a verdict that was withdrawn.
                ..undecided(why)
            };
        }
        judged
    }

    fn too_few_papers(&self) -> Option<VerdictGrounds> {
        let papers = self.works.len();
        (papers < FEWEST_PAPERS).then_some(VerdictGrounds::FewPapers {
            papers,
            least: FEWEST_PAPERS,
        })
    }

    /// Without purpose, mechanism or closeness, it is unknown whether an earlier paper is close to both.
    fn facets_not_compared(&self) -> Option<VerdictGrounds> {
        let is_stated = |facet: &Facet| self.idea.facets.iter().any(|one| one.facet == *facet);
        let facets: Vec<Facet> = DECIDING.into_iter().filter(|facet| !is_stated(facet)).collect();
        (!facets.is_empty() || self.closeness.is_unknown()).then_some(VerdictGrounds::FacetsNotCompared { facets })
    }

    /// One earlier paper is close to purpose and mechanism.
    fn both_similar(&self) -> Option<VerdictGrounds> {
        let paper = self.closeness.close(self.works).into_iter().next()?;
        Some(VerdictGrounds::BothSimilar {
            paper: named(&paper.alias, paper.number),
        })
    }

    /// Under a policy that prints no prose there is no reasoning, but its citations are kept.
    fn closest_not_cited(&self, judged: &IdeaJudged) -> Option<VerdictGrounds> {
        let closest = self.works.iter().filter(|one| one.number <= CLOSEST);
        let papers: Vec<NamedPaper> = closest
            .filter(|one| !judged.verdict.cited.contains(&one.number))
            .map(|one| named(&one.alias, one.number))
            .collect();
        (!papers.is_empty()).then_some(VerdictGrounds::ClosestNotCited { papers })
    }
}

/// A paper with the idea nearly word for word decides, whatever the model said.
fn found_by_program(judged: IdeaJudged, own: IdeaJudged) -> IdeaJudged {
    let agrees = judged.verdict.verdict == NoveltyVerdict::NotNovel;
    IdeaJudged {
        verdict: IdeaVerdict {
            reasoning: judged.verdict.reasoning.filter(|_| agrees),
            samples: judged.verdict.samples,
            agreement: judged.verdict.agreement.filter(|_| agrees),
            second_look: judged.verdict.second_look.filter(|_| agrees),
            ..own.verdict
        },
        facets: if agrees { judged.facets } else { own.facets },
        examples: judged.examples,
    }
}

/// A passage that a model named for a facet counts only if it shares words with the facet. Otherwise a passage of the same paper that does is shown in
/// its place, or else the program's own comparison is used.
fn speaks_of_it(
    facet: &mut FacetComparison,
    own: &FacetComparison,
    prior: Option<&PriorReading<'_>>,
    set: &ComparisonSet<'_>,
    idea: &IdeaText,
) {
    let statement = idea.facets.iter().find(|one| one.facet == facet.facet);
    let (Some(statement), Some(passage), true) = (statement, &facet.passage, facet.by_model) else {
        return;
    };
    if facet.status != FacetStatus::Shared {
        return;
    }
    let (share, terms) = shared_words(set, statement.quote.text(), passage.text());
    if share >= FACET_SHARE && terms >= FACET_TERMS {
        facet.similarity = share;
        return;
    }
    let other = prior.and_then(|prior| matching_passage(set, &statement.quote, prior));
    match other.filter(|other| other.coverage >= FACET_SHARE) {
        Some(other) => {
            facet.similarity = other.coverage;
            facet.passage = Some(other.quote);
        }
        None => *facet = own.clone(),
    }
}

/// Keeps only papers with a passage for each deciding facet. Returns the reason if none is left.
fn without_passages(judged: &mut IdeaJudged) -> Option<VerdictGrounds> {
    let facets = &judged.facets;
    judged.verdict.against.retain_mut(|one| {
        let at = usize::try_from(one.work).ok().and_then(|number| number.checked_sub(1));
        let shared = |facet: &Facet| {
            let of_work = at.and_then(|at| facets.get(at)).into_iter().flatten();
            of_work
                .filter(|known| known.status == FacetStatus::Shared)
                .any(|known| known.facet == *facet)
        };
        one.facets.retain(shared);
        DECIDING.iter().all(|facet| one.facets.contains(facet))
    });
    let least = FACET_SHARE;
    judged
        .verdict
        .against
        .is_empty()
        .then_some(VerdictGrounds::PassagesTooDifferent { least })
}

/// Why the idea says too little to be called novel.
fn says_too_little(idea: &IdeaText) -> Option<VerdictGrounds> {
    let text = &idea.document.text;
    let content: BTreeSet<String> = words(text, 0)
        .into_iter()
        .map(|word| word.lower)
        .filter(|word| !is_function_word(word))
        .collect();
    let (content, telling) = (content.len(), content_stems(text).len());
    if content < FEWEST_CONTENT_WORDS {
        return Some(VerdictGrounds::TooShort {
            words: content,
            least: FEWEST_CONTENT_WORDS,
        });
    }
    (telling < FEWEST_TELLING_WORDS).then_some(VerdictGrounds::TooGeneral {
        words: telling,
        least: FEWEST_TELLING_WORDS,
    })
}

/// Why the idea cannot be called novel: one earlier paper has its purpose and its mechanism nearly word for word.
fn both_found(works: &[IdeaWork], own: &IdeaJudged) -> Option<VerdictGrounds> {
    let has_both = |facets: &Vec<FacetComparison>| {
        let shared = |facet: &Facet| {
            let mut all = facets.iter();
            all.any(|one| one.facet == *facet && one.status == FacetStatus::Shared)
        };
        DECIDING.iter().all(shared)
    };
    let mut earlier = works
        .iter()
        .zip(&own.facets)
        .filter(|(one, _)| one.timing == Timing::Earlier);
    let (one, _) = earlier.find(|(_, facets)| has_both(facets))?;
    Some(VerdictGrounds::BothFound {
        paper: named(&one.alias, one.number),
    })
}

/// Why the papers searched are not enough to judge the idea.
fn field_is_not_covered(coverage: &FieldCoverage) -> Option<VerdictGrounds> {
    (coverage.level == CoverageLevel::Outside).then_some(VerdictGrounds::FieldNotCovered { coverage: *coverage })
}

/// An undecided verdict with its reason.
pub(crate) fn undecided(grounds: VerdictGrounds) -> IdeaVerdict {
    IdeaVerdict {
        verdict: NoveltyVerdict::Undecided,
        grounds: String::new(),
        coded_grounds: Some(grounds),
        reasoning: None,
        cited: Vec::new(),
        against: Vec::new(),
        samples: Vec::new(),
        agreement: None,
        second_look: None,
    }
}

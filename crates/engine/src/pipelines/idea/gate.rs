//! What the program decides about a verdict, whoever gave it: what it finds nearly word for word is not novel; a firm verdict needs an idea that says enough, a
//! covered field, and passages that speak of the facets.

use std::collections::BTreeSet;

use precedent_domain::{
    CoverageLevel, Facet, FacetComparison, FacetStanding, FieldCoverage, IdeaText, IdeaVerdict, IdeaWork,
    NoveltyVerdict, Timing,
};

use super::judge::undecided;
use super::material::IdeaJudged;
use crate::stages::{ComparisonSet, shared_words};
use crate::wording::{content_stems, is_function_word, words};

/// The facets that a work must share for an idea not to be novel.
const DECIDING: [Facet; 2] = [Facet::Purpose, Facet::Mechanism];
/// Fewest different content words of an idea that can be called novel. Of 35 labelled ideas (`novelty_dev`) none has fewer than 23.
const FEWEST_CONTENT_WORDS: usize = 8;
/// Fewest of them that are not in the common vocabulary of papers; none of the same ideas has fewer than 14.
const FEWEST_TELLING_WORDS: usize = 5;
/// Share of a facet's words, weighed by what they tell, that a passage must have to speak of that facet, and fewest terms of substance among them. Chosen, not
/// fitted.
const FACET_SHARE: f64 = 0.25;
const FACET_TERMS: usize = 2;

/// The verdict as the program lets it stand. `own` is the program's judgement.
pub(super) fn gated(
    mut judged: IdeaJudged,
    own: IdeaJudged,
    set: &ComparisonSet<'_>,
    idea: &IdeaText,
    works: &[IdeaWork],
    coverage: Option<&FieldCoverage>,
) -> IdeaJudged {
    for (facets, own) in judged.facets.iter_mut().zip(&own.facets) {
        for (facet, own) in facets.iter_mut().zip(own) {
            speaks_of_it(facet, own, set, idea);
        }
    }
    if own.verdict.verdict == NoveltyVerdict::NotNovel {
        return found_by_program(judged, own);
    }
    let withheld = match judged.verdict.verdict {
        NoveltyVerdict::NotNovel => without_passages(&mut judged),
        NoveltyVerdict::Novel => says_too_little(idea)
            .or_else(|| both_found(works, &own))
            .or_else(|| coverage.and_then(field_is_not_covered)),
        NoveltyVerdict::Undecided => None,
    };
    if let Some(why) = withheld {
        judged.verdict = IdeaVerdict {
            samples: judged.verdict.samples,
            second_look: judged.verdict.second_look,
            // The reasoning argues for a verdict that does not stand.
            ..undecided(&why)
        };
    }
    judged
}

/// A work that holds the idea nearly word for word decides, whatever was judged.
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

/// A passage that a model named for a facet counts only where it has some of the facet's words; else the program's own comparison stands.
fn speaks_of_it(facet: &mut FacetComparison, own: &FacetComparison, set: &ComparisonSet<'_>, idea: &IdeaText) {
    let statement = idea.facets.iter().find(|one| one.facet == facet.facet);
    let (Some(statement), Some(passage), true) = (statement, &facet.passage, facet.by_model) else {
        return;
    };
    if facet.standing != FacetStanding::Shared {
        return;
    }
    let (share, terms) = shared_words(set, statement.quote.text(), passage.text());
    if share >= FACET_SHARE && terms >= FACET_TERMS {
        facet.similarity = share;
    } else {
        *facet = own.clone();
    }
}

/// Works stay against the idea only with a passage for each deciding facet; the reason where none does.
fn without_passages(judged: &mut IdeaJudged) -> Option<String> {
    let facets = &judged.facets;
    judged.verdict.against.retain_mut(|one| {
        let at = usize::try_from(one.work).ok().and_then(|number| number.checked_sub(1));
        let shared = |facet: &Facet| {
            let of_work = at.and_then(|at| facets.get(at)).into_iter().flatten();
            of_work
                .filter(|known| known.standing == FacetStanding::Shared)
                .any(|known| known.facet == *facet)
        };
        one.facets.retain(shared);
        DECIDING.iter().all(|facet| one.facets.contains(facet))
    });
    judged.verdict.against.is_empty().then(|| {
        format!(
            "The model says that the idea is not novel, but no work has a passage for the purpose and one for the mechanism that share at least {:.0} % of that facet's words.",
            FACET_SHARE * 100.0
        )
    })
}

/// Why an idea says too little to be called novel.
fn says_too_little(idea: &IdeaText) -> Option<String> {
    let text = &idea.document.text;
    let content: BTreeSet<String> = words(text, 0)
        .into_iter()
        .map(|word| word.lower)
        .filter(|word| !is_function_word(word))
        .collect();
    let (content, telling) = (content.len(), content_stems(text).len());
    if content < FEWEST_CONTENT_WORDS {
        return Some(format!(
            "The idea is too short to judge: it has {}, and a verdict needs at least {FEWEST_CONTENT_WORDS}.",
            counted(content, "content word", "content words")
        ));
    }
    (telling < FEWEST_TELLING_WORDS).then(|| {
        format!(
            "The idea is too general to judge: it has {} that papers of every field do not share, and a verdict needs at least {FEWEST_TELLING_WORDS}.",
            counted(telling, "word", "words")
        )
    })
}

/// Why an idea is not novel for certain: one earlier work has its purpose and its mechanism nearly word for word.
fn both_found(works: &[IdeaWork], own: &IdeaJudged) -> Option<String> {
    let has_both = |facets: &Vec<FacetComparison>| {
        let shared = |facet: &Facet| {
            let mut all = facets.iter();
            all.any(|one| one.facet == *facet && one.standing == FacetStanding::Shared)
        };
        DECIDING.iter().all(shared)
    };
    let mut earlier = works
        .iter()
        .zip(&own.facets)
        .filter(|(one, _)| one.timing == Timing::Earlier);
    let (one, _) = earlier.find(|(_, facets)| has_both(facets))?;
    Some(format!(
        "The model says that the idea is novel, but {}[{}] has its purpose and its mechanism nearly word for word.",
        one.alias, one.number
    ))
}

/// Why what was searched is no measure of the idea.
fn field_is_not_covered(coverage: &FieldCoverage) -> Option<String> {
    (coverage.level == CoverageLevel::Outside).then(|| {
        format!(
            "The sources searched hardly cover the idea's field: mean similarity of the closest papers {:.2} (typical: {:.2} or more). That none of them has the idea says little.",
            coverage.nearest, coverage.usual
        )
    })
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

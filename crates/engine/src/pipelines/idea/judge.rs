//! The verdict: the program's own, which takes an idea's novelty away only where it stands in one work nearly word for word, and whoever judges may put
//! another in its place.

use precedent_domain::{
    Candidate, Counterpart, ExamplesShown, Facet, FacetComparison, FacetStanding, FieldCoverage, IdeaText, IdeaVerdict,
    IdeaWork, NoveltyVerdict, QuotableDocument, Quote, Timing,
};
use precedent_text::sentences;

use super::gate::gated;
use super::labelled::Examples;
use super::material::{IdeaJudged, IdeaMaterial};
use super::order::Ordered;
use super::pipeline::IdeaOptions;
use super::text::as_paper;
use crate::stages::search::aliases;
use crate::stages::{ComparisonSet, Counterpassage, Prior, PriorReading, counterpassage, coverage};
use crate::wording::word_count;
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "idea.judge",
    version: 2,
};
/// Share of an idea's words, in sentences that stand in a work nearly word for word, that is its substance.
const SUBSTANCE: f64 = 0.85;
/// Sentences of fewer words say nothing by themselves.
const FEWEST_WORDS: usize = 5;

/// The works with their comparisons, the verdict, and how far they cover the idea's field.
///
/// # Errors
/// When the analyst cannot be asked at all, or the ledger fails.
pub(super) async fn judge(
    idea: &IdeaText,
    ordered: &Ordered,
    options: &IdeaOptions,
    world: &World,
) -> Result<(Vec<IdeaWork>, IdeaJudged, Option<FieldCoverage>)> {
    let dated = options.as_of.is_some();
    let texts: Vec<QuotableDocument> = ordered
        .top
        .iter()
        .map(|one| QuotableDocument::new(one.document.clone()))
        .collect();
    let candidates = candidates(ordered);
    let paper = as_paper(&idea.document);
    let target = QuotableDocument::new(idea.document.clone());
    let priors: Vec<Prior<'_>> = candidates
        .iter()
        .zip(&texts)
        .map(|(candidate, text)| Prior { candidate, text })
        .collect();
    let set = ComparisonSet::new(&paper, &target, &priors);
    let coverage = coverage(&set);
    let (works, substance) = compared(idea, ordered, &set);
    let examples = options.examples.without(&idea.document.text);
    let material = IdeaMaterial {
        idea,
        works: &works,
        texts: &texts,
        examples: &examples,
        samples: options.samples.max(1),
        dated,
    };
    let documents: Vec<_> = ordered.top.iter().map(|one| &one.document.text).collect();
    let input = (idea, &works, documents, &examples, material.samples, dated);
    let own = own_judgement(&material, &substance);
    let program = own.clone();
    let work = async { world.analyst.judge_idea(material, own).await };
    let judged: IdeaJudged = world.stage(STAGE, &input, work).await?;
    let judged = gated(judged, program, &set, idea, &works, coverage.as_ref());
    let judged = held_back(judged, &works);
    let works = works
        .iter()
        .zip(&judged.facets)
        .map(|(one, facets)| IdeaWork {
            facets: facets.clone(),
            ..one.clone()
        })
        .collect();
    Ok((works, judged, coverage))
}

/// The works as the stages that compare want them.
fn candidates(ordered: &Ordered) -> Vec<Candidate> {
    (1..)
        .zip(&ordered.top)
        .map(|(number, one)| Candidate {
            number,
            alias: String::new(),
            work: one.work.clone(),
            scopes: Vec::new(),
            timing: one.timing,
            cited_as: None,
            found_by: Vec::new(),
            came_by: Vec::new(),
            shared_authors: Vec::new(),
        })
        .collect()
}

/// Every work set beside the idea, facet by facet, by the program; and of each the share of the idea's words that stand in it.
fn compared(idea: &IdeaText, ordered: &Ordered, set: &ComparisonSet<'_>) -> (Vec<IdeaWork>, Vec<f64>) {
    let names = aliases(&ordered.top.iter().map(|one| &one.work).collect::<Vec<_>>());
    let (mut works, mut shares) = (Vec::new(), Vec::new());
    for ((number, one), alias) in (1..).zip(&ordered.top).zip(names) {
        let prior = set.priors().iter().find(|prior| prior.candidate.number == number);
        let facets = idea.facets.iter().map(|statement| {
            let found = prior.and_then(|prior| {
                counterpassage(set, &statement.quote, prior)
                    .or_else(|| with_its_sentence(idea, &statement.quote, set, prior))
            });
            FacetComparison {
                facet: statement.facet,
                standing: match found.as_ref().is_some_and(|found| found.literal) {
                    true => FacetStanding::Shared,
                    false => FacetStanding::Unclear,
                },
                similarity: found.as_ref().map_or(0.0, |found| found.coverage),
                passage: found.map(|found| found.quote),
                by_model: false,
            }
        });
        works.push(IdeaWork {
            number,
            alias,
            facets: facets.collect(),
            work: one.work.clone(),
            timing: one.timing,
            found_by: one.found_by.clone(),
            nearness_rank: one.nearness_rank,
            nearness: one.nearness,
        });
        shares.push(prior.map_or(0.0, |prior| substance(set, idea, prior)));
    }
    (works, shares)
}

/// For a statement too short to be found by itself: the sentence of the idea that contains it, where the work has that sentence word for word.
fn with_its_sentence(
    idea: &IdeaText,
    statement: &Quote,
    set: &ComparisonSet<'_>,
    prior: &PriorReading<'_>,
) -> Option<Counterpassage> {
    let span = sentences(&idea.document.text).into_iter().find(|span| {
        span.slice(&idea.document.text)
            .is_some_and(|text| text.contains(statement.text()))
    })?;
    counterpassage(set, &Quote::at(&idea.document, span)?, prior).filter(|found| found.literal)
}

/// A work that sources disagree on takes no idea's novelty away by itself, whoever judged.
fn held_back(mut judged: IdeaJudged, works: &[IdeaWork]) -> IdeaJudged {
    if judged.verdict.verdict != NoveltyVerdict::NotNovel {
        return judged;
    }
    let sure = |one: &Counterpart| {
        works
            .iter()
            .any(|work| work.number == one.work && !work.work.is_disputed())
    };
    judged.verdict.against.retain(sure);
    if judged.verdict.against.is_empty() {
        judged.verdict = IdeaVerdict {
            verdict: NoveltyVerdict::Undecided,
            grounds:
                "What holds the idea is a work that sources disagree on, and such a work decides nothing by itself."
                    .to_owned(),
            ..judged.verdict
        };
    }
    judged
}

/// The program's own judgement.
fn own_judgement(material: &IdeaMaterial<'_>, substance: &[f64]) -> IdeaJudged {
    let works = material.works.iter().zip(substance);
    let found = works
        .filter(|(one, _)| one.timing == Timing::Earlier)
        .find(|(_, share)| **share >= SUBSTANCE);
    let verdict = match found {
        Some((one, _)) => {
            let with_passage = one.facets.iter().filter(|facet| facet.passage.is_some());
            let facets: Vec<Facet> = with_passage.map(|facet| facet.facet).collect();
            IdeaVerdict {
                verdict: NoveltyVerdict::NotNovel,
                grounds: format!("The idea stands nearly word for word in {}[{}].", one.alias, one.number),
                cited: vec![one.number],
                against: vec![Counterpart {
                    work: one.number,
                    facets,
                }],
                ..undecided("")
            }
        }
        None if material.works.is_empty() => undecided("No work was found that the idea could be held against."),
        None => undecided(
            "The idea stands nearly word for word in none of the works it was held against. Whether one of them holds it in other words can only be told by \
reading: the tables show where to look.",
        ),
    };
    IdeaJudged {
        facets: material.works.iter().map(|one| with_substance(&verdict, one)).collect(),
        verdict,
        examples: ExamplesShown {
            name: material.examples.name.clone(),
            shown: 0,
            novel: 0,
        },
    }
}

/// A verdict that is none, with the reason.
pub(crate) fn undecided(grounds: &str) -> IdeaVerdict {
    IdeaVerdict {
        verdict: NoveltyVerdict::Undecided,
        grounds: grounds.to_owned(),
        reasoning: None,
        cited: Vec::new(),
        against: Vec::new(),
        samples: Vec::new(),
        agreement: None,
        second_look: None,
    }
}

/// The comparisons of a work; where the whole idea stands in it, every facet is shared that has a passage there.
fn with_substance(verdict: &IdeaVerdict, one: &IdeaWork) -> Vec<FacetComparison> {
    let all = verdict.against.iter().any(|against| against.work == one.number);
    let mut facets = one.facets.clone();
    for facet in facets.iter_mut().filter(|facet| all && facet.passage.is_some()) {
        facet.standing = FacetStanding::Shared;
    }
    facets
}

/// Share of the idea's words that stand, sentence by sentence, nearly word for word in the work, 0 to 1.
fn substance(set: &ComparisonSet<'_>, idea: &IdeaText, prior: &PriorReading<'_>) -> f64 {
    let (mut standing, mut all) = (0_u32, 0_u32);
    for span in sentences(&idea.document.text) {
        let Some(quote) = Quote::at(&idea.document, span) else {
            continue;
        };
        let words = word_count(quote.text());
        if words < FEWEST_WORDS {
            continue;
        }
        let words = u32::try_from(words).unwrap_or(u32::MAX);
        all = all.saturating_add(words);
        if counterpassage(set, &quote, prior).is_some_and(|found| found.literal) {
            standing = standing.saturating_add(words);
        }
    }
    f64::from(standing) / f64::from(all.max(1))
}

impl Examples {
    /// The set without an example that is the idea itself: its label would be the answer.
    pub(super) fn without(&self, text: &str) -> Self {
        let key = |text: &str| precedent_domain::title_key(text);
        let own = key(text);
        let mut examples = self.clone();
        examples.ideas.retain(|one| key(&one.idea) != own);
        examples
    }
}

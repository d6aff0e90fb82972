//! The verdict. The program's own says "not novel" only if one paper contains the idea nearly word for word; the analyst may replace it.

use precedent_domain::{
    Candidate, Counterpart, Document, ExamplesShown, Facet, FacetComparison, FacetStatus, FieldCoverage, IdeaLean,
    IdeaText, IdeaVerdict, IdeaWork, NoveltyVerdict, QuotableDocument, Quote, Timing, VerdictGrounds,
};
use precedent_language::wording::word_count;
use precedent_matcher::{Claim, rank};
use precedent_text::sentences;

use super::closeness::named;
use super::closeness::{Closeness, lean, of_given};
use super::gate::{Gate, undecided};
use super::labelled::Examples;
use super::material::{IdeaJudged, IdeaMaterial};
use super::model;
use super::options::IdeaOptions;
use super::order::Ordered;
use crate::compare::{ComparisonSet, MatchingPassage, Prior, PriorReading, coverage, matching_passage};
use crate::extract::as_paper;
use crate::retrieve::search::aliases;
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "idea.judge",
    version: 4,
};
/// A paper contains the idea if sentences with this share of the idea's words appear in it nearly word for word.
const SUBSTANCE: f64 = 0.85;
/// Sentences with fewer words are too generic to compare.
const FEWEST_WORDS: usize = 5;

/// Everything that comparing an idea with the top papers gives.
pub(super) struct Judged {
    /// The papers with their comparisons.
    pub(super) works: Vec<IdeaWork>,
    /// The verdict and the examples.
    pub(super) judged: IdeaJudged,
    /// How well the papers cover the idea's field.
    pub(super) coverage: Option<FieldCoverage>,
    /// What the words suggest.
    pub(super) lean: Option<IdeaLean>,
}

/// Compares the idea with the top papers and gives the verdict.
///
/// # Errors
/// When the analyst cannot be called, or the ledger fails.
pub(super) async fn judge(idea: &IdeaText, ordered: &Ordered, options: &IdeaOptions, world: &World) -> Result<Judged> {
    let dated = options.as_of.is_some();
    let texts: Vec<QuotableDocument> = ordered
        .top
        .iter()
        .map(|one| QuotableDocument::new(one.document.clone()))
        .collect();
    let candidates = candidates(ordered);
    let paper = as_paper(&idea.document);
    let target = QuotableDocument::new(idea.document.clone());
    let priors = Prior::all(&candidates, &texts);
    let set = ComparisonSet::new(&paper, &target, &priors);
    let coverage = coverage(&set).map(|coverage| match options.given.is_some() {
        true => of_given(coverage),
        false => coverage,
    });
    let (works, substance) = compared(idea, ordered, &set);
    let closeness = Closeness::of(idea, &works, &set);
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
    let work = async {
        match &world.model {
            None => Ok(own),
            Some(model) => model::judge_idea(model, material, own).await,
        }
    };
    let judged: IdeaJudged = world.stage(STAGE, &input, work).await?;
    let gate = Gate {
        set: &set,
        idea,
        works: &works,
        coverage: coverage.as_ref(),
        closeness: &closeness,
    };
    let judged = gate.apply(judged, program);
    let judged = apply_doubts(judged, &works);
    let lean = lean(idea, &works, &closeness, coverage.as_ref());
    let works = works
        .iter()
        .zip(&judged.facets)
        .map(|(one, facets)| IdeaWork {
            facets: facets.clone(),
            ..one.clone()
        })
        .collect();
    Ok(Judged {
        works,
        judged,
        coverage,
        lean,
    })
}

/// The papers in the form that the comparison stages need.
fn candidates(ordered: &Ordered) -> Vec<Candidate> {
    (1..)
        .zip(&ordered.top)
        .map(|(number, one)| Candidate::new(number, one.work.clone(), one.timing))
        .collect()
}

/// Compares every paper with the idea, facet by facet, and returns for each the share of the idea's words that it contains.
fn compared(idea: &IdeaText, ordered: &Ordered, set: &ComparisonSet<'_>) -> (Vec<IdeaWork>, Vec<f64>) {
    let names = aliases(&ordered.top.iter().map(|one| &one.work).collect::<Vec<_>>());
    let (mut works, mut shares) = (Vec::new(), Vec::new());
    for ((number, one), alias) in (1..).zip(&ordered.top).zip(names) {
        let prior = set.priors().iter().find(|prior| prior.candidate.number == number);
        let facets = idea.facets.iter().map(|statement| {
            let found = prior.and_then(|prior| {
                matching_passage(set, &statement.quote, prior)
                    .filter(|found| found.literal)
                    .or_else(|| with_its_sentence(idea, &statement.quote, set, prior))
                    .or_else(|| that_contains(&statement.quote, prior.reading.document()))
                    .or_else(|| most_similar(statement.quote.text(), prior))
            });
            FacetComparison {
                facet: statement.facet,
                status: match found.as_ref().is_some_and(|found| found.literal) {
                    true => FacetStatus::Shared,
                    false => FacetStatus::Unclear,
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
            similarity_rank: one.similarity_rank,
            similarity: one.similarity,
            passage: prior
                .and_then(|prior| most_similar(&idea.document.text, prior))
                .map(|found| found.quote),
        });
        shares.push(prior.map_or(0.0, |prior| substance(set, idea, prior)));
    }
    (works, shares)
}

/// The passage of a paper that the matcher finds most similar to `words`.
fn most_similar(words: &str, prior: &PriorReading<'_>) -> Option<MatchingPassage> {
    let claim = Claim::new(words);
    let best = rank(&claim, std::slice::from_ref(&prior.prepared)).into_iter().next()?;
    let passage = best.passages.into_iter().next()?;
    Some(MatchingPassage {
        quote: Quote::at(prior.reading.document(), passage.span)?,
        coverage: (passage.coverage * 1_000.0).round() / 1_000.0,
        literal: false,
    })
}

/// For a statement too short to match on its own: the idea's sentence around it, if the paper has that sentence word for word.
fn with_its_sentence(
    idea: &IdeaText,
    statement: &Quote,
    set: &ComparisonSet<'_>,
    prior: &PriorReading<'_>,
) -> Option<MatchingPassage> {
    let span = sentences(&idea.document.text).into_iter().find(|span| {
        span.slice(&idea.document.text)
            .is_some_and(|text| text.contains(statement.text()))
    })?;
    matching_passage(set, &Quote::at(&idea.document, span)?, prior).filter(|found| found.literal)
}

/// For a statement of one to four words, such as a domain: the first sentence that contains it. It never counts as the same words, because a common
/// term says little.
fn that_contains(statement: &Quote, document: &Document) -> Option<MatchingPassage> {
    let wanted = statement.text().to_lowercase();
    if word_count(&wanted) >= FEWEST_WORDS {
        return None;
    }
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let contains = |text: &str| {
        let text = text.to_lowercase();
        text.match_indices(&wanted).any(|(at, found)| {
            let (before, after) = (text.get(..at).unwrap_or_default(), text.get(at + found.len()..));
            !is_letter(before.chars().next_back()) && !is_letter(after.unwrap_or_default().chars().next())
        })
    };
    let span = sentences(&document.text)
        .into_iter()
        .find(|span| span.slice(&document.text).is_some_and(contains))?;
    Some(MatchingPassage {
        quote: Quote::at(document, span)?,
        coverage: 1.0,
        literal: false,
    })
}

/// A paper on which sources disagree cannot make an idea not novel by itself, whatever the analyst said.
fn apply_doubts(mut judged: IdeaJudged, works: &[IdeaWork]) -> IdeaJudged {
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
            coded_grounds: Some(VerdictGrounds::PaperDisputed),
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
                cited: vec![one.number],
                against: vec![Counterpart {
                    work: one.number,
                    facets,
                }],
                ..undecided(VerdictGrounds::WordForWord {
                    paper: named(&one.alias, one.number),
                })
            }
        }
        None if material.works.is_empty() => undecided(VerdictGrounds::NothingFound),
        None => undecided(VerdictGrounds::NotWordForWord),
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

/// The comparisons of a paper. If it contains the whole idea, every facet with a passage counts as shared.
fn with_substance(verdict: &IdeaVerdict, one: &IdeaWork) -> Vec<FacetComparison> {
    let all = verdict.against.iter().any(|against| against.work == one.number);
    let mut facets = one.facets.clone();
    for facet in facets.iter_mut().filter(|facet| all && facet.passage.is_some()) {
        facet.status = FacetStatus::Shared;
    }
    facets
}

/// Share of the idea's words, by whole sentences, that the paper contains nearly word for word, 0 to 1.
fn substance(set: &ComparisonSet<'_>, idea: &IdeaText, prior: &PriorReading<'_>) -> f64 {
    let (mut status, mut all) = (0_u32, 0_u32);
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
        if matching_passage(set, &quote, prior).is_some_and(|found| found.literal) {
            status = status.saturating_add(words);
        }
    }
    f64::from(status) / f64::from(all.max(1))
}

impl Examples {
    /// The examples without the idea itself, whose label would give away the answer.
    pub(super) fn without(&self, text: &str) -> Self {
        let key = |text: &str| precedent_domain::title_key(text);
        let own = key(text);
        let mut examples = self.clone();
        examples.ideas.retain(|one| key(&one.idea) != own);
        examples
    }
}

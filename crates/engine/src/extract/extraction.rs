use futures_util::future::{BoxFuture, try_join};
use precedent_domain::{ContributionClass, Note, Paper, Quote, Span};
use precedent_language::wording::{keywords, word_count};
use serde::{Deserialize, Serialize};

use super::claim::{MOST_CLAIM_WORDS, MOST_DESCRIPTION_WORDS, MOST_NAME_WORDS};
use super::clause::folded;
use super::result::reported_result;
use super::stand_ins::with_stand_ins;
use super::{ClaimDraft, Reading, claim_drafts, core_task_drafts, model};
use crate::model::ModelAnalyst;
use crate::world::Stage;
use crate::{Result, World};

/// What was extracted from the paper before any source is searched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Extraction {
    /// The core task; `None` if none was found.
    pub core_task: Option<ExtractedCoreTask>,
    /// Up to three contributions, most probable first.
    pub contributions: Vec<ExtractedContribution>,
    /// The main result in the abstract's own words, if no claim states it.
    #[serde(default)]
    pub reported_result: Option<Quote>,
    /// Claims that were dropped or replaced because their words are not in the paper.
    pub notes: Vec<Note>,
    /// Abbreviations used in the phrases above, with the long forms that the paper defines.
    pub abbreviations: Vec<(String, String)>,
    /// Names coined by the paper, which no query contains.
    pub coined: Vec<String>,
}

/// The core task and alternative wordings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExtractedCoreTask {
    /// 5 to 15 words.
    pub phrase: String,
    /// The sentence it comes from.
    pub evidence: Option<Quote>,
    /// Other phrases of the paper for it, best first.
    pub alternatives: Vec<String>,
    /// The heaviest words of title and abstract, heaviest first.
    pub keywords: Vec<String>,
}

/// A contribution with its search topics.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExtractedContribution {
    /// At most 15 words.
    pub name: String,
    /// At most 40 words, quoted from the paper.
    pub claim: Quote,
    /// Where the paper states the same contribution again.
    pub also_stated: Vec<Quote>,
    /// At most 60 words.
    pub description: String,
    /// The quotes that make up the description.
    pub description_quotes: Vec<Quote>,
    /// Its class.
    pub class: ContributionClass,
    /// Search topics, most specific first.
    pub topics: Vec<String>,
}

/// Maximum number of contributions per paper (OpenNovelty, 2.1).
const MOST_CONTRIBUTIONS: usize = 3;

/// Maximum number of words kept from title and abstract.
const MAIN_WORDS: usize = 20;

const STAGE: Stage = Stage {
    name: "extract",
    version: 9,
};

/// The topic and claims of `paper`, as proposed by the world's analyst and verified in the paper's text.
///
/// # Errors
/// If the analyst cannot be called, or the ledger fails.
pub fn extract<'a>(paper: &'a Paper, world: &'a World) -> BoxFuture<'a, Result<Extraction>> {
    Box::pin(async move {
        let model = world.model.as_deref();
        let is_estimate = model.is_some_and(ModelAnalyst::only_counts);
        let work = extract_up_to(paper, MOST_CONTRIBUTIONS, model, is_estimate);
        world.stage(STAGE, paper, work).await
    })
}

/// As [`extract`], with at most `most` contributions, the given model, and no caching. An estimate counts the claims that a model may list.
pub(crate) async fn extract_up_to(
    paper: &Paper,
    most: usize,
    model: Option<&ModelAnalyst>,
    is_estimate: bool,
) -> Result<Extraction> {
    let reading = Reading::new(paper);
    let mut notes = Vec::new();
    let (drafts, claims) = match model {
        None => (core_task_drafts(&reading), claim_drafts(&reading)),
        Some(model) => try_join(model::core_task(model, &reading), model::contributions(model, &reading)).await?,
    };
    let claims = match is_estimate {
        true => with_stand_ins(&reading, claims),
        false => claims,
    };
    // A list of authors is no task, whoever proposes it.
    let drafts = drafts
        .into_iter()
        .filter(|draft| !reading.personal().is_mostly_names(&draft.phrase));
    let mut phrases = drafts.map(|draft| (folded(&draft.phrase), draft.evidence));
    let core_task = phrases.next().map(|(phrase, evidence)| ExtractedCoreTask {
        phrase,
        evidence: evidence.and_then(|span| Quote::at(&paper.document, span)),
        keywords: main_words(&reading),
        alternatives: phrases.map(|(phrase, _)| phrase).take(6).collect(),
    });
    let mut contributions = Vec::new();
    for draft in claims {
        if contributions.len() == most {
            break;
        }
        match checked(paper, draft) {
            Ok(contribution) => contributions.push(contribution),
            Err(note) => notes.push(note),
        }
    }
    let claim_spans: Vec<Span> = contributions
        .iter()
        .flat_map(|one: &ExtractedContribution| std::iter::once(&one.claim).chain(&one.also_stated))
        .map(Quote::span)
        .collect();
    let (abbreviations, coined) = reading.names().listed();
    Ok(Extraction {
        core_task,
        reported_result: reported_result(&reading, &claim_spans).and_then(|span| Quote::at(&paper.document, span)),
        contributions,
        notes,
        abbreviations,
        coined,
    })
}

/// The heaviest words of title and abstract.
fn main_words(reading: &Reading<'_>) -> Vec<String> {
    let names = reading.names();
    let (title, summary) = (
        names.without_long_names(reading.title()),
        names.without_long_names(&reading.summary()),
    );
    let found = keywords(&[(&title, 2.5), (&summary, 1.0)], MAIN_WORDS, &|word| {
        names.is_coined(word)
    });
    found.iter().map(|word| reading.in_running_case(word)).collect()
}

/// A draft within the limits whose words are in the paper, or the reason why it was dropped.
fn checked(paper: &Paper, draft: ClaimDraft) -> std::result::Result<ExtractedContribution, Note> {
    let quote = |span: Span| Quote::at(&paper.document, span);
    let claim = quote(draft.claim).filter(|claim| word_count(claim.text()) <= MOST_CLAIM_WORDS);
    let claim = claim.ok_or_else(|| Note::ClaimNotInPaper {
        name: draft.name.clone(),
    })?;
    let mut description_quotes: Vec<Quote> = Vec::new();
    let mut total = 0;
    for quote in draft.description.into_iter().filter_map(quote) {
        total += word_count(quote.text());
        if total > MOST_DESCRIPTION_WORDS {
            break;
        }
        description_quotes.push(quote);
    }
    let description = description_quotes
        .iter()
        .map(|quote| folded(quote.text()))
        .collect::<Vec<_>>()
        .join(" ");
    Ok(ExtractedContribution {
        name: draft
            .name
            .split_whitespace()
            .take(MOST_NAME_WORDS)
            .collect::<Vec<_>>()
            .join(" "),
        description: match draft.in_other_words {
            Some(in_other_words) => folded(&in_other_words),
            None if description.is_empty() => folded(claim.text()),
            None => description,
        },
        also_stated: draft.also_stated.into_iter().filter_map(quote).collect(),
        claim,
        description_quotes,
        class: draft.class,
        topics: draft.topics,
    })
}

use futures_util::future::try_join;
use precedent_domain::{ContributionClass, Paper, Quote, Span};
use serde::{Deserialize, Serialize};

use super::Reading;
use super::claims::{MOST_CLAIM_WORDS, MOST_DESCRIPTION_WORDS, MOST_NAME_WORDS};
use super::clause::folded;
use super::result::reported_result;
use crate::wording::{keywords, word_count};
use crate::world::Stage;
use crate::{Analyst, ClaimDraft, Result, World};

/// What was taken from the paper, before anything is asked of a source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Extraction {
    /// The core task; `None` where none could be told.
    pub core_task: Option<ExtractedCoreTask>,
    /// Up to three contributions, strongest first.
    pub contributions: Vec<ExtractedContribution>,
    /// What came out, in the abstract's own words, where no claim says it.
    #[serde(default)]
    pub reported_result: Option<Quote>,
    /// Claims that were dropped or replaced because their words do not stand in the paper.
    pub notes: Vec<String>,
    /// Abbreviations of the phrases above with the words they stand for, as the paper defines them.
    pub abbreviations: Vec<(String, String)>,
    /// Names of the paper's own making: no query holds one.
    pub coined: Vec<String>,
}

/// The core task with other ways to say it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExtractedCoreTask {
    /// 5 to 15 words.
    pub phrase: String,
    /// Where it was taken from.
    pub evidence: Option<Quote>,
    /// Other phrases of the paper for it, best first.
    pub alternatives: Vec<String>,
    /// The heaviest words of title and abstract, heaviest first.
    pub keywords: Vec<String>,
}

/// A contribution with what a search for it would look for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExtractedContribution {
    /// At most 15 words.
    pub name: String,
    /// At most 40 words, cut from the paper.
    pub claim: Quote,
    /// Where the paper states the same again.
    pub also_stated: Vec<Quote>,
    /// At most 60 words.
    pub description: String,
    /// Where the description was cut from.
    pub description_quotes: Vec<Quote>,
    /// What kind.
    pub class: ContributionClass,
    /// Topics to search for, most telling first.
    pub topics: Vec<String>,
}

/// Most contributions of a paper (OpenNovelty, 2.1).
const MOST_CONTRIBUTIONS: usize = 3;

/// Words kept of title and abstract.
const MAIN_WORDS: usize = 20;

const STAGE: Stage = Stage {
    name: "extract",
    version: 6,
};

/// What `paper` is about and what it claims, as the world's analyst proposes it and the paper's own text confirms it.
///
/// # Errors
/// When the analyst cannot be asked, or the ledger fails.
pub async fn extract(paper: &Paper, world: &World) -> Result<Extraction> {
    let work = extract_up_to(paper, MOST_CONTRIBUTIONS, world.analyst.as_ref());
    world.stage(STAGE, paper, work).await
}

/// The same with at most so many contributions, as `analyst` proposes them; nothing is kept.
pub(crate) async fn extract_up_to(paper: &Paper, most: usize, analyst: &dyn Analyst) -> Result<Extraction> {
    let reading = Reading::new(paper);
    let mut notes = Vec::new();
    let (drafts, claims) = try_join(analyst.core_task(&reading), analyst.contributions(&reading)).await?;
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
    let told: Vec<Span> = contributions
        .iter()
        .flat_map(|one: &ExtractedContribution| std::iter::once(&one.claim).chain(&one.also_stated))
        .map(Quote::span)
        .collect();
    let (abbreviations, coined) = reading.names().listed();
    Ok(Extraction {
        core_task,
        reported_result: reported_result(&reading, &told).and_then(|span| Quote::at(&paper.document, span)),
        contributions,
        notes,
        abbreviations,
        coined,
    })
}

/// The words that title and abstract say most.
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

/// A draft within the limits whose words stand in the paper, or why it was dropped.
fn checked(paper: &Paper, draft: ClaimDraft) -> std::result::Result<ExtractedContribution, String> {
    let quote = |span: Span| Quote::at(&paper.document, span);
    let claim = quote(draft.claim).filter(|claim| word_count(claim.text()) <= MOST_CLAIM_WORDS);
    let claim = claim.ok_or_else(|| {
        format!(
            "a claim was dropped, its words do not stand in the paper: {}",
            draft.name
        )
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
        description: match draft.said {
            Some(said) => folded(&said),
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

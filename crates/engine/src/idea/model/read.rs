use precedent_domain::{Facet, FacetOrigin, FacetStatement, IdeaText, QuotableDocument, Quote};
use precedent_language::wording::{content_stems, word_count};
use precedent_llm::{Check, Checks, Violation};
use serde::Serialize;

use super::answers::{FacetWordsReply, IdeaReadReply};
use crate::Result;
use crate::idea::IdeaReading;
use crate::model::checks::{Checked, head};
use crate::model::policy::{Worded, phrases};
use crate::model::texts::quoted;
use crate::model::{ModelAnalyst, checks};

/// Maximum phrases and titles to search for.
const PHRASES: usize = 6;
const TITLES: usize = 4;
/// Words that state a facet: one word, or part of one, states nothing. The prompt requests 2 to 50.
const FACET_WORDS: (usize, usize) = (2, 60);

#[derive(Serialize)]
struct IdeaReadInputs {
    mark: String,
    idea: String,
}

/// Reads an idea facet by facet and proposes what to search for.
pub(crate) async fn read_idea(model: &ModelAnalyst, idea: &IdeaText, own: IdeaReading) -> Result<IdeaReading> {
    let answer = ask_reading(model, idea, own.clone()).await?;
    Ok(model.printed(answer, || own))
}

/// The program's reading, with the facets, phrases and titles of the model that pass the checks.
async fn ask_reading(model: &ModelAnalyst, idea: &IdeaText, own: IdeaReading) -> Result<IdeaReading> {
    let fence = model.fence();
    let inputs = IdeaReadInputs {
        mark: fence.mark().to_owned(),
        idea: fence.wrap("idea", &idea.document.text),
    };
    let text = QuotableDocument::new(idea.document.clone());
    let something = |reply: &IdeaReadReply| match reply.key_phrases.is_empty() && reply.facets.is_empty() {
        true => Err(Violation("it has neither facets nor key_phrases".to_owned())),
        false => Ok(()),
    };
    let holds = |reply: &IdeaReadReply| {
        reply
            .facets
            .iter()
            .try_for_each(|one| located(one, &text).map(|_| ()))?;
        reply.key_phrases.iter().try_for_each(|one| is_phrase(one))?;
        reply.titles.iter().try_for_each(|one| is_title(one))
    };
    let must: [Check<'_, IdeaReadReply>; 1] = [&something];
    let should: [Check<'_, IdeaReadReply>; 1] = [&holds];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let Some(reply) = model.ask("idea.read", &inputs, checks).await? else {
        return Ok(own);
    };
    let reply = reply.value;
    // What the author or the user pointed out is certain.
    let is_certain = |one: &&FacetStatement| matches!(one.origin, Some(FacetOrigin::User | FacetOrigin::Emphasis));
    let facet = |facet: Facet| {
        if let Some(certain) = own.facets.iter().filter(is_certain).find(|one| one.facet == facet) {
            return Some(certain.clone());
        }
        let stated = reply.facets.iter().filter(|one| Facet::from(one.facet) == facet);
        let quote = stated.filter_map(|one| located(one, &text).ok()).next();
        quote
            .map(|quote| FacetStatement {
                facet,
                quote,
                origin: Some(FacetOrigin::Model),
            })
            .or_else(|| own.facets.iter().find(|one| one.facet == facet).cloned())
    };
    let phrases = reply.key_phrases.iter().filter(|one| is_phrase(one).is_ok());
    let titles = reply.titles.iter().filter(|one| is_title(one).is_ok());
    Ok(IdeaReading {
        facets: Facet::ALL.into_iter().filter_map(facet).collect(),
        phrases: joined(phrases, &own.phrases, PHRASES),
        titles: joined(titles, &own.titles, TITLES),
    })
}

/// The model's first, then the program's, without duplicates.
fn joined<'a>(first: impl Iterator<Item = &'a String>, own: &'a [String], most: usize) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for one in first.chain(own) {
        let one = precedent_text::one_line(one);
        let stems = content_stems(&one);
        if all.len() < most && !stems.is_empty() && all.iter().all(|other| content_stems(other) != stems) {
            all.push(one);
        }
    }
    all
}

/// Locates the words of the idea that state a facet.
fn located(one: &FacetWordsReply, text: &QuotableDocument) -> std::result::Result<Quote, Violation> {
    quoted(&one.words, text)
        .filter(|quote| (FACET_WORDS.0..=FACET_WORDS.1).contains(&word_count(quote.text())))
        .ok_or_else(|| Violation(format!("these words are not in the idea: {}", head(&one.words))))
}

fn is_phrase(phrase: &str) -> Checked {
    checks::title("a key phrase", phrase, 1, 8)
}

fn is_title(title: &str) -> Checked {
    checks::title("a title", title, 1, 8)
}

impl Worded for IdeaReading {
    fn without_sentences(mut self, own: Self) -> Self {
        phrases(&mut self.phrases, &own.phrases);
        phrases(&mut self.titles, &own.titles);
        self
    }
}

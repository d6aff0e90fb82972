//! Reads an idea into facets and search queries: key phrases and titles.

use precedent_domain::{Facet, FacetStatement, IdeaText};
use precedent_language::wording::{content_stems, key_phrases, word_count};

use super::facets::{facets, with_stated};
use super::material::IdeaReading;
use super::model;
use crate::extract::Idea;
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "idea.read",
    version: 3,
};
/// Number of phrases to search for, and their minimum and maximum words (Idea Novelty Checker, public code).
const PHRASES: usize = 6;
const PHRASE_WORDS: (usize, usize) = (3, 6);
/// Number of titles to search for, and their maximum words.
const TITLES: usize = 4;
const TITLE_WORDS: usize = 5;
/// Weight of each facet's words when phrases are chosen.
const WEIGHTS: [(Facet, f64); 4] = [
    (Facet::Purpose, 2.0),
    (Facet::Mechanism, 1.5),
    (Facet::ApplicationDomain, 1.0),
    (Facet::Evaluation, 0.3),
];

/// The idea with its facets, and what to search for.
///
/// # Errors
/// When the ledger fails or the analyst cannot be called.
pub(super) async fn read(idea: &Idea, world: &World) -> Result<(IdeaText, IdeaReading)> {
    let parsed = idea.parsed();
    let text = IdeaText {
        id: idea.id.clone(),
        facets: with_stated(facets(&parsed.document, &parsed.marks), &parsed.stated),
        document: parsed.document,
    };
    let own = own_reading(&text);
    let asked = &text;
    let work = async {
        match &world.model {
            None => Ok(own),
            Some(model) => model::read_idea(model, asked, own).await,
        }
    };
    let input = (&text.document.text, &text.facets);
    let mut reading: IdeaReading = world.stage(STAGE, &input, work).await?;
    reading.facets = with_stated(reading.facets, &parsed.stated);
    let text = IdeaText {
        facets: reading.facets.clone(),
        ..text
    };
    Ok((text, reading))
}

/// The program's own reading.
fn own_reading(idea: &IdeaText) -> IdeaReading {
    let weight = |facet: Facet| {
        WEIGHTS
            .iter()
            .find(|(one, _)| *one == facet)
            .map_or(1.0, |(_, weight)| *weight)
    };
    let mut texts: Vec<(&str, f64)> = vec![(idea.document.text.as_str(), 1.0)];
    texts.extend(idea.facets.iter().map(|one| (one.quote.text(), weight(one.facet))));
    let found: Vec<String> = key_phrases(&texts, &|_| false)
        .into_iter()
        .map(|phrase| phrase.text.replace('*', "").trim().to_owned())
        .filter(|phrase| !phrase.is_empty())
        .collect();
    IdeaReading {
        facets: idea.facets.clone(),
        phrases: phrases(&found),
        titles: titles(&idea.facets, &found),
    }
}

/// Combines short phrases with the following ones until they are long enough to search for.
fn phrases(found: &[String]) -> Vec<String> {
    let (least, most) = PHRASE_WORDS;
    let mut made: Vec<String> = Vec::new();
    for (at, first) in found.iter().enumerate() {
        let mut phrase = first_words(first, most);
        for next in found.iter().skip(at + 1) {
            if word_count(&phrase) >= least {
                break;
            }
            let known = content_stems(&phrase);
            let fresh = content_stems(next).iter().all(|stem| !known.contains(stem));
            if fresh && word_count(&phrase) + word_count(next) <= most {
                phrase = format!("{phrase} {next}");
            }
        }
        push_new(&mut made, phrase);
        if made.len() == PHRASES {
            break;
        }
    }
    made
}

/// The best phrase of each facet, joined with that of the next if short enough.
fn titles(facets: &[FacetStatement], found: &[String]) -> Vec<String> {
    let of_facets = facets.iter().filter_map(|one| {
        let phrases = key_phrases(&[(one.quote.text(), 1.0)], &|_| false);
        phrases.first().map(|phrase| phrase.text.clone())
    });
    let heads: Vec<String> = of_facets.chain(found.iter().take(2).cloned()).collect();
    let mut made = Vec::new();
    for (at, head) in heads.iter().enumerate() {
        let next = heads.get(at + 1).cloned().unwrap_or_default();
        let both = format!("{head} {next}");
        let title = if word_count(&both) <= TITLE_WORDS {
            both
        } else {
            head.clone()
        };
        push_new(&mut made, first_words(title.trim(), TITLE_WORDS));
    }
    made.truncate(TITLES);
    made
}

fn push_new(made: &mut Vec<String>, phrase: String) {
    let stems = content_stems(&phrase);
    if !stems.is_empty() && made.iter().all(|other| content_stems(other) != stems) {
        made.push(phrase);
    }
}

pub(crate) fn first_words(text: &str, most: usize) -> String {
    text.split_whitespace().take(most).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_and_titles_keep_their_limits() {
        let document = Idea::new(
            "Develop a **joint tide model** to plan ferries in fjords, using queueing networks. It would be evaluated on two ferry lines.",
        )
        .document();
        let text = IdeaText {
            id: None,
            facets: facets(&document, &[]),
            document,
        };
        let reading = own_reading(&text);
        assert!((3..=PHRASES).contains(&reading.phrases.len()), "{reading:?}");
        assert!(!reading.titles.is_empty() && reading.titles.len() <= TITLES);
        for phrase in &reading.phrases {
            assert!(
                word_count(phrase) <= PHRASE_WORDS.1 && !phrase.contains('*'),
                "{phrase}"
            );
        }
        assert!(
            reading.titles.iter().all(|title| word_count(title) <= TITLE_WORDS + 1),
            "{reading:?}"
        );
    }
}

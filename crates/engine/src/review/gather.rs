//! Collects everything that is known about an idea before judging.

use precedent_domain::{AsOf, DateOrigin, DeepSearch, Note, QuotableDocument};

use super::ground::ground;
use super::limits::limits;
use super::material::{Gathered, ReviewInput, ReviewOptions};
use super::parts::read as read_parts;
use super::reading::read;
use super::reports::report;
use super::search::search;
use crate::retrieve::search::as_of;
use crate::{EngineError, Result, World};

/// Reads the idea, searches for evidence, reads it, and compares it with the idea.
///
/// # Errors
/// When the input has no words, no source answers, or the ledger or the analyst fails.
pub(super) async fn gather(input: &ReviewInput, options: &ReviewOptions, world: &World) -> Result<Gathered> {
    has_words(input)?;
    let as_of = date(input, options);
    let subject = read_parts(input, world).await?;
    let found = search(&subject, as_of.as_ref(), options, world).await?;
    let mut pieces = read(&subject, &found, options, world).await?;
    let texts: Vec<QuotableDocument> = pieces.documents.iter().cloned().map(QuotableDocument::new).collect();
    world.progress.note(&format!(
        "read the full text of {} of {} documents",
        pieces.pieces.iter().filter(|one| one.read_whole).count(),
        pieces.pieces.len()
    ));
    let report_notes = report(&mut pieces, &texts, world).await?;
    let grounded = ground(&subject, &pieces, &texts, world).await?;
    let mut sources = found.sources.clone();
    for (report, read) in sources.iter_mut().zip(std::mem::take(&mut pieces.sources)) {
        for failure in read.failures {
            crate::retrieve::search::note_failure(report, failure);
        }
    }
    let groundings: Vec<_> = grounded.groundings.into_iter().flatten().collect();
    let not_searched = limits(&subject, &found, &pieces, &sources, as_of.as_ref(), options, world);
    let mut notes = subject.notes;
    notes.extend(report_notes);
    notes.extend(grounded.notes);
    notes.extend(own_notes(&pieces.pieces));
    Ok(Gathered {
        search: DeepSearch {
            alpha: options.alpha,
            keep: options.keep,
            oversample: options.oversample,
            most_rounds: options.rounds,
            rounds: found.rounds,
            semantic_by: found.semantic_by,
            as_published: options.as_published && world.model.is_some(),
            reranker: found.reranker,
            spared: found.spared,
        },
        idea: subject.idea,
        as_of,
        knowledge: pieces.pieces,
        texts,
        grounding: groundings,
        set_aside: found.set_aside,
        sources,
        sent: together(found.sent, pieces.sent),
        not_searched,
        notes,
    })
}

/// Rejects an input without words.
pub(super) fn has_words(input: &ReviewInput) -> Result<()> {
    let says = |text: &str| text.chars().any(char::is_alphanumeric);
    match input {
        ReviewInput::Idea(idea) if !says(&idea.document().text) => Err(EngineError::EmptyIdea),
        ReviewInput::Paper(paper) if !says(&paper.document.text) => Err(EngineError::EmptyPaper),
        _ => Ok(()),
    }
}

/// The given date, else the paper's.
pub(super) fn date(input: &ReviewInput, options: &ReviewOptions) -> Option<AsOf> {
    match input {
        ReviewInput::Paper(paper) => as_of(paper, options.as_of),
        ReviewInput::Idea(_) => options.as_of.map(|date| AsOf {
            date,
            origin: DateOrigin::Given,
        }),
    }
}

/// Notes on documents that are nearly identical to the idea, which explain why they are not compared with it.
fn own_notes(pieces: &[precedent_domain::KnowledgePiece]) -> Vec<Note> {
    let own = pieces.iter().filter(|piece| piece.own);
    own.map(|piece| Note::NearlyTheIdea {
        name: piece.alias.clone(),
        number: piece.number,
        kind: piece.kind,
    })
    .collect()
}

/// Adds up what was sent, by host.
pub(crate) fn together(
    mut one: Vec<precedent_domain::SentRecord>,
    other: Vec<precedent_domain::SentRecord>,
) -> Vec<precedent_domain::SentRecord> {
    for more in other {
        match one.iter_mut().find(|known| known.is_of_the_same_kind(&more)) {
            Some(known) => known.add(&more),
            None => one.push(more),
        }
    }
    one
}

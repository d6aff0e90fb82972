//! Suggestions for improving the idea, based only on work that appeared after it.

use precedent_domain::{
    KnowledgePiece, KnowledgeRole, Note, QuotableDocument, ReviewedIdea, Suggestion, SuggestionFault, SuggestionGroup,
};
use precedent_ledger::InputHash;

use super::board::CheckedAnswer;
use super::material::Gathered;
use super::model;
use crate::model::ModelAnalyst;
use crate::model::checks::bracketed;
use crate::world::Stage;
use crate::{Result, World};

const SUGGEST: Stage = Stage {
    name: "review.suggest",
    version: 1,
};
/// Maximum later pieces shown, highest score first.
const MOST_PIECES: usize = 20;
/// Maximum suggestions per group.
const MOST_OF_GROUP: usize = 4;

/// A later piece with its text.
#[derive(Debug, Clone, Copy)]
pub struct LaterPiece<'a> {
    /// The piece.
    pub piece: &'a KnowledgePiece,
    /// Its text.
    pub text: &'a QuotableDocument,
}

/// An idea and the evidence that appeared after it.
#[derive(Debug, Clone, Copy)]
pub struct SuggestQuestion<'a> {
    /// The idea.
    pub idea: &'a ReviewedIdea,
    /// The later pieces, by number.
    pub pieces: &'a [LaterPiece<'a>],
}

/// Suggestions by group, based only on later pieces. Without such pieces there are none, and the model is not called.
pub(super) async fn suggestions(
    gathered: &Gathered,
    model: &ModelAnalyst,
    world: &World,
) -> Result<(Vec<Suggestion>, Vec<Note>)> {
    let pieces = gathered.knowledge.iter().zip(&gathered.texts);
    let mut later: Vec<LaterPiece<'_>> = pieces
        .filter(|(piece, _)| piece.role == KnowledgeRole::Suggests && !piece.own)
        .map(|(piece, text)| LaterPiece { piece, text })
        .collect();
    if later.is_empty() {
        return Ok((Vec::new(), Vec::new()));
    }
    let mut notes = Vec::new();
    if later.len() > MOST_PIECES {
        notes.push(Note::SuggestionsLimited {
            used: MOST_PIECES,
            documents: later.len(),
        });
        later.sort_by(|a, b| {
            b.piece
                .score
                .total_cmp(&a.piece.score)
                .then(a.piece.number.cmp(&b.piece.number))
        });
        later.truncate(MOST_PIECES);
    }
    later.sort_by_key(|one| one.piece.number);
    let hashes: Vec<String> = later
        .iter()
        .map(|one| InputHash::of([one.text.document().text.as_bytes()]).as_str().to_owned())
        .collect();
    let shown: Vec<&KnowledgePiece> = later.iter().map(|one| one.piece).collect();
    let question = SuggestQuestion {
        idea: &gathered.idea,
        pieces: &later,
    };
    let work = model::suggest(model, question);
    let checked: CheckedAnswer<Vec<Suggestion>> = world.stage(SUGGEST, &(&gathered.idea, shown, hashes), work).await?;
    notes.extend(checked.notes);
    match checked.reply {
        Some(reply) => Ok((settled(reply, &later, &mut notes), notes)),
        None => {
            notes.push(Note::NoSuggestions);
            Ok((Vec::new(), notes))
        }
    }
}

/// Keeps the suggestions that are based only on later pieces, without duplicates, sorted by group.
fn settled(reply: Vec<Suggestion>, later: &[LaterPiece<'_>], notes: &mut Vec<Note>) -> Vec<Suggestion> {
    let known = |number: &u32| later.iter().any(|one| one.piece.number == *number);
    let mut kept: Vec<Suggestion> = Vec::new();
    for mut one in reply {
        one.pieces.sort_unstable();
        one.pieces.dedup();
        let own = |number: &u32| one.pieces.contains(number);
        let why = if one.pieces.is_empty() || !one.pieces.iter().all(known) || !bracketed(&one.text).iter().all(own) {
            Some(SuggestionFault::NotOnLaterDocuments)
        } else if kept.iter().any(|other| other.text == one.text) {
            Some(SuggestionFault::Repeated)
        } else if kept.iter().filter(|other| other.group == one.group).count() == MOST_OF_GROUP {
            Some(SuggestionFault::GroupFull)
        } else {
            None
        };
        match why {
            Some(why) => notes.push(Note::SuggestionLeftOut { group: one.group, why }),
            None => kept.push(one),
        }
    }
    let place = |group: SuggestionGroup| SuggestionGroup::ALL.iter().position(|one| *one == group);
    kept.sort_by_key(|one| place(one.group));
    kept
}

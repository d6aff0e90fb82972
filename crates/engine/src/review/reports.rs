//! Reports on the documents that were read in full, field by field, by a model (InnoEval, 3.1: slow reading).
//!
//! Input: the documents that may be used to judge the idea. Output: for each a report whose fields rest on located quotes. A document known only by its
//! abstract gets none, because the steps that compare it with the idea see all of it.

use std::collections::BTreeMap;

use precedent_domain::{KnowledgePiece, Note, QuotableDocument, ReportedField};
use serde::{Deserialize, Serialize};

use super::model;
use super::reading::Pieces;
use crate::world::Stage;
use crate::{Result, World};

const STAGE: Stage = Stage {
    name: "review.report",
    version: 1,
};
/// Maximum documents of which the model reports, best first: twice as many as are kept by default. Chosen by hand.
const MOST: usize = 60;

/// A document to report on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReportQuestion<'a> {
    /// The document. Never one that is later than the idea, and never the idea itself.
    pub(crate) piece: &'a KnowledgePiece,
    /// Its text.
    pub(crate) text: &'a QuotableDocument,
}

/// Reports by the number of the document.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Reports {
    pub(crate) fields: BTreeMap<u32, Vec<ReportedField>>,
    pub(crate) notes: Vec<Note>,
}

/// Adds a report to each document read in full. Returns notes on what is missing. Does nothing without a model.
///
/// # Errors
/// When the model cannot be called, or the ledger fails.
pub(super) async fn report(pieces: &mut Pieces, texts: &[QuotableDocument], world: &World) -> Result<Vec<Note>> {
    if world.model.is_none() {
        return Ok(Vec::new());
    }
    let shown: Vec<_> = questions(pieces, texts)
        .iter()
        .map(|one| {
            let record = (one.piece.number, one.piece.kind, one.piece.score, &one.piece.work.title);
            (record, &one.piece.calls, &one.text.document().text)
        })
        .collect();
    let work = compute(pieces, texts, world);
    let mut made = world.stage(STAGE, &shown, work).await?;
    for piece in &mut pieces.pieces {
        piece.report = made.fields.remove(&piece.number).unwrap_or_default();
    }
    Ok(made.notes)
}

async fn compute(pieces: &Pieces, texts: &[QuotableDocument], world: &World) -> Result<Reports> {
    let Some(model) = &world.model else {
        return Ok(Reports::default());
    };
    let mut questions = questions(pieces, texts);
    let all = questions.len();
    questions.truncate(MOST);
    let mut made = model::report_documents(model, &questions).await?;
    if all > MOST {
        made.notes.push(Note::ReportsBeyondLimit {
            documents: all - MOST,
            limit: MOST,
        });
    }
    Ok(made)
}

/// The documents read in full that may be used to judge the idea, best first.
fn questions<'p>(pieces: &'p Pieces, texts: &'p [QuotableDocument]) -> Vec<ReportQuestion<'p>> {
    let whole = pieces.bearing(texts).filter(|(piece, _)| piece.read_whole);
    let mut questions: Vec<ReportQuestion<'p>> = whole.map(|(piece, text)| ReportQuestion { piece, text }).collect();
    questions.sort_by(|a, b| {
        let by_score = b.piece.score.total_cmp(&a.piece.score);
        by_score.then(a.piece.number.cmp(&b.piece.number))
    });
    questions
}

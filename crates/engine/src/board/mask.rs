use precedent_domain::EvidenceKind;

use super::{Persona, SeededRng};
use crate::{EngineError, Result};

/// The board for an idea: the `required` personas, then distinct others up to `size`, sampled by seed and idea. In the order of their ids.
#[must_use]
pub fn board<'p>(personas: &'p [Persona], required: &[String], size: usize, seed: u64, idea: &str) -> Vec<&'p Persona> {
    let (mut board, others): (Vec<&Persona>, Vec<&Persona>) =
        personas.iter().partition(|one| required.contains(&one.id));
    let drawn = SeededRng::of(seed, &["board", idea]).draw(size.saturating_sub(board.len()), others.len());
    board.extend(drawn.into_iter().filter_map(|at| others.get(at)));
    board.sort_by(|a, b| a.id.cmp(&b.id));
    board
}

/// Checks that all `required` personas exist and that a board of `size` has room for them.
///
/// # Errors
/// Names the personas that exist, or how many are required.
pub fn check_required(personas: &[Persona], required: &[String], size: usize) -> Result<()> {
    let mut distinct: Vec<&String> = required.iter().collect();
    distinct.sort_unstable();
    distinct.dedup();
    if let Some(unknown) = distinct
        .iter()
        .find(|name| !personas.iter().any(|one| one.id == ***name))
    {
        return Err(EngineError::UnknownPersona {
            name: (*unknown).clone(),
            known: personas.iter().map(|one| one.id.clone()).collect(),
        });
    }
    match distinct.len() > size {
        true => Err(EngineError::BoardTooSmall {
            required: distinct.len(),
            size,
        }),
        false => Ok(()),
    }
}

/// Indices of the `pieces` of evidence of one kind that a persona sees; the rest are masked. The share is a tenth per point of familiarity, rounded
/// down, and at least one piece. It is sampled once per idea and shared by all dimensions.
#[must_use]
pub fn kept(persona: &Persona, kind: EvidenceKind, pieces: usize, seed: u64, idea: &str) -> Vec<usize> {
    let share = usize::from(persona.familiarity.of(kind));
    let count = (pieces * share / 10).max(1).min(pieces);
    let mut drawn = SeededRng::of(seed, &["mask", idea, &persona.id, kind.name()]).draw(count, pieces);
    drawn.sort_unstable();
    drawn
}

use precedent_domain::EvidenceKind;

use super::{Persona, SeededRng};

/// The board for an idea: `size` distinct personas, sampled by seed and idea, in the order of their ids.
#[must_use]
pub fn board<'p>(personas: &'p [Persona], size: usize, seed: u64, idea: &str) -> Vec<&'p Persona> {
    let mut drawn = SeededRng::of(seed, &["board", idea]).draw(size, personas.len());
    drawn.sort_unstable();
    drawn.into_iter().filter_map(|at| personas.get(at)).collect()
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

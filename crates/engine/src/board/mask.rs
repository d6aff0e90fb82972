use precedent_domain::EvidenceKind;

use super::{Lots, Persona};

/// The personas that judge an idea: `size` different ones, drawn by the seed and the idea, in the order of their ids.
#[must_use]
pub fn board<'p>(personas: &'p [Persona], size: usize, seed: u64, idea: &str) -> Vec<&'p Persona> {
    let mut drawn = Lots::of(seed, &["board", idea]).draw(size, personas.len());
    drawn.sort_unstable();
    drawn.into_iter().filter_map(|at| personas.get(at)).collect()
}

/// Which of `pieces` of evidence of a kind a persona has before them, by place: the share that they are familiar with, a tenth for each point, rounded down, at least one;
/// the rest is masked. Drawn once for an idea, and the same for every dimension.
#[must_use]
pub fn kept(persona: &Persona, kind: EvidenceKind, pieces: usize, seed: u64, idea: &str) -> Vec<usize> {
    let share = usize::from(persona.familiarity.of(kind));
    let count = (pieces * share / 10).max(1).min(pieces);
    let mut drawn = Lots::of(seed, &["mask", idea, &persona.id, kind.name()]).draw(count, pieces);
    drawn.sort_unstable();
    drawn
}

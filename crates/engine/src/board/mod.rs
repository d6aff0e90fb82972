//! Who judges an idea, and by what: dimensions and personas, each a file, drawn and masked by seed (InnoEval, 3.3).
//!
//! In: files with front matter, a seed. Out: the dimensions that ideas are judged by, the five who judge, what of the evidence each of them has before them, and the decision
//! that a score comes to. Everything here is a rule. Deliberately not here: questions to models.

mod bins;
mod dimension;
mod draw;
mod file;
mod mask;
mod persona;

pub use bins::{decision, mean};
pub use dimension::{Band, Dimension, dimensions};
pub use draw::Lots;
pub use mask::{board, kept};
pub use persona::{Familiarity, Persona, personas};

#[cfg(test)]
mod tests;

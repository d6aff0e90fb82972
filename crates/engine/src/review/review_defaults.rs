//! Default options of a review (InnoEval, 3.1 and 3.3).

/// Readers on the board.
pub const BOARD: u8 = 5;
/// Maximum search rounds.
pub const ROUNDS: u8 = 3;
/// Documents kept of each kind.
pub const KEEP: u8 = 10;
/// The model judges this many times as many candidates as are kept.
pub const OVERSAMPLE: u8 = 3;
/// Weight of the semantic similarity against the model's judgement, in percent.
pub const ALPHA: u8 = 20;

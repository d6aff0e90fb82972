//! What a review is done with unless its user says otherwise (InnoEval, 3.1 and 3.3).

/// Readers on the board.
pub const BOARD: u8 = 5;
/// Most rounds of the search.
pub const ROUNDS: u8 = 3;
/// Pieces kept of each kind.
pub const KEEP: u8 = 10;
/// How many times as many are judged by a model.
pub const OVERSAMPLE: u8 = 3;
/// Weight of nearness beside that judgement, in percent.
pub const ALPHA: u8 = 20;

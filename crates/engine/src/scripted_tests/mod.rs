//! Whole runs over a small invented field with a test double for the model.

mod attacks;
mod audit;
mod board;
mod board_hostile;
mod board_made;
mod chair;
mod ideas;
mod ideas_hostile;
mod injection;
mod points;
mod ranking;
mod ranking_judges;
mod ranking_reviews;
mod ranking_windows;
mod review;
mod review_reports;
mod rules;
mod stand_in;
mod torture;
mod verdicts;

pub(crate) use stand_in::scripted;

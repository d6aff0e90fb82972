//! The charts of a report on a paper, each with a table of the same numbers.

mod funnel;
mod matrix;
mod sections;
mod timeline;

pub(crate) use matrix::MatrixFigure;
pub(crate) use sections::{funnel, matrix, timeline};
pub(crate) use timeline::TimelineFigure;

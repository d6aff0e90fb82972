//! Coordinates of the figures. The templates draw them as SVG, each with a text alternative.

mod funnel;
mod matrix;
mod timeline;

pub(super) use funnel::FunnelFigure;
pub(super) use matrix::MatrixFigure;
pub(super) use timeline::TimelineFigure;

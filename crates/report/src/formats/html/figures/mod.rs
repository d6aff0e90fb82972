//! Pictures as numbers: where each mark stands. The templates draw them as SVG; each has words for those who do not see it.

mod funnel;
mod matrix;
mod timeline;

pub(super) use funnel::FunnelFigure;
pub(super) use matrix::MatrixFigure;
pub(super) use timeline::TimelineFigure;

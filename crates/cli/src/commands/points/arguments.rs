//! What can be typed after `precedent points`.

use clap::Args;

use crate::args::AssessArguments;
use crate::refining::EncoderChoice;

pub(crate) const POINTS_HELP: &str = "\
Examples:
  precedent points paper.pdf --corpus library
  precedent points paper.pdf --corpus library --as-of 2024-05-17 --out report
  precedent points arXiv:2509.08755 --sources default            fetch the paper and ask literature services
  precedent points paper.pdf --corpus library --model openai:gpt-5-mini --estimate      count first

It writes points.html, points.md and points.json: up to five points, each of one class, with the passages of earlier works nearest to it. The works are the
paper's own references, as far as they are found, and what a search for its topic and points finds. Without a model nothing is summed up and no score is given.";

#[derive(Debug, Args)]
pub(crate) struct PointsArguments {
    #[command(flatten)]
    pub(crate) of_run: AssessArguments,

    /// Most works that the paper is set beside, itself counted; its own references are all kept
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(2..=2000))]
    pub(crate) capacity: u16,

    /// Count what a model and literature services would be asked, and what it may cost, without asking
    #[arg(long)]
    pub(crate) estimate: bool,

    #[command(flatten, next_help_heading = "Models that order passages")]
    pub(crate) encoders: EncoderChoice,
}

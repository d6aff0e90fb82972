//! Arguments of `precedent points`.

use std::path::PathBuf;

use clap::Args;

use crate::commands::paper_arguments::RunOptions;
use crate::refining::EncoderChoice;

pub(crate) const POINTS_HELP: &str = "\
Examples:
  precedent points paper.pdf --corpus library
  precedent points paper.pdf --corpus library --as-of 2024-05-17 --out report
  precedent points arXiv:2509.08755 --sources default            download the paper and search literature services
  precedent points paper.pdf --corpus library --model openai:gpt-5-mini --estimate      estimate the cost first

Writes points.html, points.md and points.json with up to five contributions, each of one class, and the most similar passages of earlier papers.
These are the references that could be found, and the results of searches for the topic and the contributions. Summaries and a score need a model.";

#[derive(Debug, Args)]
pub(crate) struct PointsArguments {
    /// The paper: PDF, Word (.docx), ODT, EPUB, LaTeX (file, folder, .zip or .tar.gz), HTML, JATS, TEI, Markdown or plain text. To download it, give an arXiv, ACL Anthology, PubMed
    /// Central, Semantic Scholar or OpenReview id, a DOI or a URL, or the title with --title
    pub(crate) input: PathBuf,

    #[command(flatten)]
    pub(crate) of_run: RunOptions,

    /// Maximum number of papers to compare, including the paper itself. All of its references are kept
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(2..=2000))]
    pub(crate) capacity: u16,

    /// Estimate the requests and cost, without sending anything
    #[arg(long)]
    pub(crate) estimate: bool,

    #[command(flatten, next_help_heading = "Passage ranking")]
    pub(crate) encoders: EncoderChoice,
}

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use precedent_engine::domain::{PartialDate, WorkId};

use crate::args::{CorpusChoice, SourceChoice, at_least_one};

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("what").required(true).args(["claim", "claims"])))]
pub(crate) struct MatchArguments {
    /// Claim, usually one sentence
    pub(crate) claim: Option<String>,
    /// Match many claims from a file of `{"id": …, "text": …, "exclude": [ids]}` lines; `-` reads stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) claims: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) corpus: CorpusChoice,
    #[command(flatten)]
    pub(crate) sources: SourceChoice,
    /// Ignore answers of services that other runs recorded on this machine
    #[arg(long)]
    pub(crate) refresh: bool,
    /// Settings file
    #[arg(long, value_name = "FILE", env = "PRECEDENT_SETTINGS")]
    pub(crate) settings: Option<PathBuf>,
    /// Exclude papers that are certainly later than this date
    #[arg(long, value_name = "DATE")]
    pub(crate) as_of: Option<PartialDate>,
    /// Exclude papers with these ids
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    pub(crate) exclude: Vec<WorkId>,
    /// Papers per claim
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = at_least_one)]
    pub(crate) limit: usize,
    /// Print one line of JSON per claim; --help lists the fields
    #[arg(long)]
    pub(crate) json: bool,
}

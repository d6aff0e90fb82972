use precedent_domain::GroupRanking;

use crate::registry::{file_name_in, formats_with};
use crate::{ReportError, renderer};

/// The formats that rankings are written in, in the order in which a user meets them.
#[must_use]
pub fn ranking_formats() -> Vec<&'static str> {
    formats_with(|one| one.ranking_file_name())
}

/// The name of the file that a format is kept in.
///
/// # Errors
/// When there is no such format, or rankings are not written in it.
pub fn ranking_file_name(format: &str) -> Result<&'static str, ReportError> {
    file_name_in(format, |one| one.ranking_file_name())
}

/// The ranking in one format. The same ranking gives the same bytes.
///
/// # Errors
/// When there is no such format, or its own machinery fails; never because of what an idea says.
pub fn render_ranking(ranking: &GroupRanking, format: &str) -> Result<Vec<u8>, ReportError> {
    renderer(format)?.render_ranking(ranking)
}

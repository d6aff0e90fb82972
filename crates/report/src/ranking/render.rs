use precedent_domain::GroupRanking;

use crate::registry::{file_name_in, formats_with};
use crate::{ReportError, RunSubject, put_sent_in_words, renderer};

/// The formats that support rankings, in the order shown to users.
#[must_use]
pub fn ranking_formats() -> Vec<&'static str> {
    formats_with(|one| one.ranking_file_name())
}

/// The file name in a format.
///
/// # Errors
/// When the format is unknown or does not support rankings.
pub fn ranking_file_name(format: &str) -> Result<&'static str, ReportError> {
    file_name_in(format, |one| one.ranking_file_name())
}

/// Renders the ranking in one format. The same ranking gives the same bytes.
///
/// # Errors
/// When the format is unknown or the renderer fails; never because of the content of an idea.
pub fn render_ranking(ranking: &GroupRanking, format: &str) -> Result<Vec<u8>, ReportError> {
    let mut ranking = ranking.clone();
    put_sent_in_words(&mut ranking.sent, RunSubject::Ideas);
    renderer(format)?.render_ranking(&ranking)
}

use precedent_corpus::Record;
use precedent_domain::{DomainError, Extent, Paper, Work, WorkId};

/// A paper as a record of a corpus: its work, and its whole text. The id comes from the file's bytes, so that adding it again updates it.
///
/// # Errors
/// When the paper's hash makes no id: it did not come from `read`.
pub fn paper_record(paper: Paper) -> Result<Record, DomainError> {
    let summary = paper
        .abstract_text()
        .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let title = paper.title.clone().unwrap_or_else(|| paper.origin.file_name.clone());
    let work = Work {
        id: work_id(&paper)?,
        title,
        summary,
        authors: paper.authors,
        venue: None,
        dates: paper.dates,
        identifiers: paper.identifiers,
        url: None,
        extent: Extent::FullText,
        also: Vec::new(),
        doubts: Vec::new(),
    };
    Ok(Record::new(work, Some(paper.document)))
}

fn work_id(paper: &Paper) -> Result<WorkId, DomainError> {
    format!("file:{}", paper.origin.sha256.get(..16).unwrap_or("unknown")).parse()
}

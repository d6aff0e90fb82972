use precedent_corpus::Record;
use precedent_domain::{DomainError, Extent, Paper, Work, WorkId};

/// A corpus record of a paper, with its full text. The id comes from the hash of the file, so adding the file again updates the record.
///
/// # Errors
/// If the paper's hash is not a valid id, which means the paper did not come from `precedent-read`.
pub fn paper_record(paper: Paper) -> Result<Record, DomainError> {
    let summary = paper.abstract_text().map(precedent_text::one_line);
    let title = paper.title.clone().unwrap_or_else(|| paper.origin.file_name.clone());
    let id = work_id(&paper)?;
    let work = Work {
        summary,
        authors: paper.authors,
        dates: paper.dates,
        identifiers: paper.identifiers,
        extent: Extent::FullText,
        ..Work::titled(id, title)
    };
    Ok(Record::new(work, Some(paper.document)))
}

fn work_id(paper: &Paper) -> Result<WorkId, DomainError> {
    format!("file:{}", paper.origin.sha256.get(..16).unwrap_or("unknown")).parse()
}

//! Small works for tests.

use precedent_corpus::{Corpus, Record};
use precedent_domain::{Author, DateOrigin, PublicationDate, Work};

pub(crate) fn record(id: &str, title: &str, summary: &str, date: &str) -> Record {
    Record::new(
        Work {
            summary: Some(summary.into()).filter(|text: &String| !text.is_empty()),
            authors: vec![Author::new("Ann Lee")],
            dates: date
                .parse()
                .map(|date| PublicationDate {
                    date,
                    origin: DateOrigin::Record("test".into()),
                })
                .into_iter()
                .collect(),
            ..Work::titled(id.parse().unwrap(), title.into())
        },
        None,
    )
}

pub(crate) fn corpus_of(records: impl IntoIterator<Item = Record>) -> (tempfile::TempDir, Corpus) {
    let dir = tempfile::tempdir().unwrap();
    let corpus = Corpus::create_or_open(dir.path().join("corpus")).unwrap();
    let mut writer = corpus.writer().unwrap();
    for record in records {
        writer.add(record).unwrap();
    }
    writer.commit().unwrap();
    drop(writer);
    (dir, corpus)
}

pub(crate) fn ids(found: &[precedent_corpus::Found]) -> Vec<&str> {
    found.iter().map(|one| one.id.as_str()).collect()
}

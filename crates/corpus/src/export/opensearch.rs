//! Files for OpenSearch: the definition of an index, and the papers as bodies of its `_bulk` API, which is newline-delimited JSON: an action line and
//! a document line for each paper. <https://docs.opensearch.org/latest/api-reference/document-apis/bulk/>.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use precedent_domain::{Granularity, PublicationDate, Work, WorkId};
use serde::Serialize;
use serde_json::{Value, json};

use crate::embed::{DIMENSIONS, model};
use crate::store::Segment;
use crate::{Corpus, CorpusError};

/// The definition of the index. It is written last: a folder without it is incomplete.
const INDEX: &str = "index.json";
/// Longest keyword that is indexed, in characters: well below Lucene's limit of 32,766 bytes for a term. Chosen by hand; not measured.
const KEYWORD: u32 = 1024;
/// How the name of a field with vectors starts. The revision of the table follows, so that a program with another table finds no vectors instead of
/// wrong ones.
pub const VECTOR_PREFIX: &str = "vector_";

/// What to write.
#[derive(Debug, Clone, Copy)]
pub struct Export<'a> {
    /// The folder, which is created. No file in it is overwritten.
    pub dir: &'a Path,
    /// The name of the index in OpenSearch.
    pub index: &'a str,
    /// Maximum size of a part in bytes.
    pub part_bytes: usize,
}

/// What was written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ExportReport {
    /// Number of papers.
    pub papers: u64,
    /// How many of them have a vector.
    pub vectors: u64,
    /// Number of parts.
    pub parts: u32,
    /// Size of all parts in bytes.
    pub bytes: u64,
    /// Papers left out because a single one is larger than a part.
    pub left_out: Vec<WorkId>,
}

/// The name of the field with the vectors that this program makes; `None` if it has no table of vectors.
#[must_use]
pub fn vector_field() -> Option<String> {
    model().map(|model| format!("{VECTOR_PREFIX}{}", model.revision()))
}

/// Writes the papers of a corpus in the order of its index, one at a time. The same state of a corpus always gives the same bytes.
///
/// # Errors
/// If the corpus cannot be read, or a file exists already or cannot be written.
pub fn export_opensearch(corpus: &Corpus, export: &Export<'_>) -> Result<ExportReport, CorpusError> {
    std::fs::create_dir_all(export.dir).map_err(CorpusError::io("create", export.dir))?;
    let snapshot = corpus.snapshot();
    let fields = corpus.fields();
    let field = vector_field().filter(|_| corpus.has_vectors());
    let action = |id: &WorkId| json!({"index": {"_id": id.as_str(), "_index": export.index}});
    let mut parts = Parts::new(export);
    for (number, segment) in snapshot.segments.iter().enumerate() {
        for doc in segment.works() {
            let bytes = segment.stored(doc, fields.work)?;
            let work: Work = serde_json::from_slice(&bytes).map_err(|source| CorpusError::Stored {
                id: format!("{doc} of a segment"),
                source,
            })?;
            let vector = snapshot.vectors.get(number).and_then(|vectors| vectors.get(doc));
            let vector = vector
                .map(|(row, _)| row)
                .filter(|row| row.iter().any(|byte| *byte != 0));
            let vector = field.as_deref().zip(vector);
            let mut lines = action(&work.id).to_string().into_bytes();
            lines.push(b'\n');
            lines.extend(document(&work, segment, doc, vector)?.to_string().into_bytes());
            lines.push(b'\n');
            if lines.len() > export.part_bytes {
                parts.report.left_out.push(work.id);
                continue;
            }
            parts.add(&lines)?;
            parts.report.papers += 1;
            parts.report.vectors += u64::from(vector.is_some());
        }
    }
    let report = parts.finish()?;
    let path = export.dir.join(INDEX);
    let definition = format!("{:#}\n", definition(field.as_deref()));
    let mut file = File::create_new(&path).map_err(CorpusError::io("create", &path))?;
    file.write_all(definition.as_bytes())
        .map_err(CorpusError::io("write", &path))?;
    Ok(report)
}

/// The settings and the mapping of the index.
fn definition(vectors: Option<&str>) -> Value {
    let keyword = json!({"type": "keyword", "ignore_above": KEYWORD});
    let text = json!({"type": "text", "analyzer": "english"});
    let shown = json!({"type": "keyword", "index": false, "doc_values": false});
    let mut properties = json!({
        "id": keyword, "doi": keyword, "arxiv": keyword, "acl": keyword, "openreview": keyword, "pmc": keyword,
        "title": text, "abstract": text,
        "authors": keyword, "venue": keyword, "fields": keyword,
        "date": {"type": "date", "format": "strict_date||strict_year_month||strict_year"},
        "date_precision": keyword, "dates": shown, "url": shown,
        "cited_by": {"type": "integer"}, "retracted": {"type": "boolean"},
    });
    let mut about = "made by precedent corpus export".to_owned();
    if let (Some(field), Some(properties)) = (vectors, properties.as_object_mut()) {
        // The vectors are signed bytes already, and a cosine does not depend on their scale. Only the Lucene engine has had both byte vectors and
        // cosines since version 2.9. `m` and `ef_construction` are its defaults.
        let method = json!({"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil",
            "parameters": {"m": 16, "ef_construction": 100}});
        let vector = json!({"type": "knn_vector", "dimension": DIMENSIONS, "data_type": "byte", "method": method});
        properties.insert(field.to_owned(), vector);
        about.push_str(
            "; vectors of title and abstract by its table of term vectors, whose revision ends the name of the field",
        );
    }
    let mappings = json!({"dynamic": false, "_meta": {"about": about}, "properties": properties});
    json!({"settings": {"index": {"knn": vectors.is_some()}}, "mappings": mappings})
}

/// A paper as a document.
fn document(work: &Work, segment: &Segment, doc: u32, vector: Option<(&str, &[u8])>) -> Result<Value, CorpusError> {
    let ids = &work.identifiers;
    let date = work.earliest().map(|dated| dated.date);
    let of = |dated: &PublicationDate| dated.date.to_string();
    let names: Vec<&str> = work.authors.iter().map(|author| author.name.as_str()).collect();
    let precision = date.map(|date| match date.granularity() {
        Granularity::Day => "day",
        Granularity::Month => "month",
        Granularity::Year => "year",
    });
    let mut document = json!({
        "id": work.id, "title": work.title, "abstract": work.summary, "authors": names, "venue": work.venue,
        "date": date.map(|date| date.to_string()), "date_precision": precision,
        "dates": work.dates.iter().map(of).collect::<Vec<_>>(),
        "doi": ids.doi, "arxiv": ids.arxiv, "acl": ids.acl, "openreview": ids.openreview, "pmc": ids.pmc,
        "url": work.url, "cited_by": work.cited_by, "retracted": work.is_retracted(), "fields": segment.studies(doc)?,
    });
    if let Some(document) = document.as_object_mut() {
        document.retain(|_, value| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()));
        if let Some((field, row)) = vector {
            let numbers: Vec<i8> = row.iter().map(|byte| byte.cast_signed()).collect();
            document.insert(field.to_owned(), json!(numbers));
        }
    }
    Ok(document)
}

/// The parts, written one after the other.
struct Parts<'a> {
    export: &'a Export<'a>,
    open: Option<(PathBuf, BufWriter<File>)>,
    /// Bytes in the open part.
    filled: usize,
    report: ExportReport,
}

impl<'a> Parts<'a> {
    fn new(export: &'a Export<'a>) -> Self {
        Self {
            export,
            open: None,
            filled: 0,
            report: ExportReport::default(),
        }
    }

    fn add(&mut self, lines: &[u8]) -> Result<(), CorpusError> {
        if self.filled + lines.len() > self.export.part_bytes {
            self.close()?;
        }
        let (path, file) = match &mut self.open {
            Some(open) => open,
            closed => {
                self.report.parts += 1;
                let path = self.export.dir.join(format!("part-{:05}.ndjson", self.report.parts));
                let file = File::create_new(&path).map_err(CorpusError::io("create", &path))?;
                closed.insert((path, BufWriter::new(file)))
            }
        };
        file.write_all(lines).map_err(CorpusError::io("write", path))?;
        self.filled += lines.len();
        self.report.bytes += lines.len() as u64;
        Ok(())
    }

    fn close(&mut self) -> Result<(), CorpusError> {
        self.filled = 0;
        match self.open.take() {
            Some((path, mut file)) => file.flush().map_err(CorpusError::io("write", &path)),
            None => Ok(()),
        }
    }

    fn finish(mut self) -> Result<ExportReport, CorpusError> {
        self.close()?;
        Ok(self.report)
    }
}

#[cfg(test)]
mod tests {
    use precedent_domain::{Doubt, Extent};

    use super::*;
    use crate::Record;

    fn corpus(dir: &Path, papers: u32) -> Corpus {
        let corpus = Corpus::create_or_open(dir.join("corpus")).unwrap();
        let mut writer = corpus.writer().unwrap();
        for number in 0..papers {
            let work: Work = serde_json::from_value(json!({
                "id": format!("x:{number}"), "title": format!("Rope \"creep\" {number}"), "abstract": "Ropes stretch\nin harbours.",
                "authors": [{"name": "José Núñez"}], "extent": Extent::Abstract,
                "dates": [{"date": "2020-05", "origin": "given"}, {"date": "2019", "origin": "given"}],
                "identifiers": {"doi": "10.5555/rope.1", "arxiv": "1905.00001"},
                "doubts": [Doubt::Retracted { by: vec!["here".into()] }],
            }))
            .unwrap();
            let mut record = Record::new(work, None);
            record.fields = vec!["cs.RO".into()];
            writer.add(record).unwrap();
        }
        writer.finish().unwrap();
        corpus
    }

    fn read(dir: &Path) -> Vec<(String, String)> {
        let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<(String, String)> = entries
            .map(|path| {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                (name, std::fs::read_to_string(path).unwrap())
            })
            .collect();
        files.sort();
        files
    }

    #[test]
    fn papers_are_split_into_parts_below_the_size_and_two_exports_are_the_same_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let corpus = corpus(dir.path(), 20);
        let to = |name: &str, part_bytes| {
            let folder = dir.path().join(name);
            let export = Export {
                dir: &folder,
                index: "papers",
                part_bytes,
            };
            export_opensearch(&corpus, &export).map(|report| (report, read(&folder)))
        };
        let (report, files) = to("one", 4_000).unwrap();
        assert_eq!((report.papers, report.vectors, report.left_out.len()), (20, 20, 0));
        let parts: Vec<&(String, String)> = files.iter().filter(|(name, _)| name.starts_with("part-")).collect();
        assert!(parts.len() > 1 && parts.len() == report.parts as usize, "{report:?}");
        assert!(
            parts
                .iter()
                .all(|(_, text)| text.len() <= 4_000 && text.ends_with('\n'))
        );
        let lines: Vec<Value> = parts
            .iter()
            .flat_map(|(_, text)| text.lines())
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let mut ids: Vec<&str> = lines
            .iter()
            .filter_map(|line| line.pointer("/index/_id")?.as_str())
            .collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!((lines.len(), ids.len()), (40, 20));
        assert_eq!(to("two", 4_000).unwrap(), (report, files));
        assert!(to("two", 4_000).is_err(), "no file is overwritten");
        let (report, files) = to("three", 100).unwrap();
        assert_eq!((report.papers, report.left_out.len(), files.len()), (0, 20, 1));
    }

    #[test]
    fn a_document_keeps_the_precision_of_its_date_and_fits_the_definition_of_the_index() {
        let dir = tempfile::tempdir().unwrap();
        let corpus = corpus(dir.path(), 1);
        let folder = dir.path().join("out");
        let export = Export {
            dir: &folder,
            index: "papers",
            part_bytes: 1_000_000,
        };
        export_opensearch(&corpus, &export).unwrap();
        let files = read(&folder);
        let definition: Value = serde_json::from_str(&files[0].1).unwrap();
        let mut lines = files[1].1.lines();
        assert_eq!(lines.next(), Some(r#"{"index":{"_id":"x:0","_index":"papers"}}"#));
        let mut document: Value = serde_json::from_str(lines.next().unwrap()).unwrap();
        let properties = definition["mappings"]["properties"].as_object().unwrap();
        for name in document.as_object().unwrap().keys() {
            assert!(properties.contains_key(name), "{name}");
        }
        let field = vector_field().unwrap();
        let vector = document.as_object_mut().unwrap().remove(&field).unwrap();
        assert_eq!(vector.as_array().unwrap().len(), properties[&field]["dimension"]);
        assert_eq!(
            document,
            json!({
                "id": "x:0", "title": "Rope \"creep\" 0", "abstract": "Ropes stretch\nin harbours.", "authors": ["José Núñez"],
                "date": "2019", "date_precision": "year", "dates": ["2020-05", "2019"], "doi": "10.5555/rope.1",
                "arxiv": "1905.00001", "retracted": true, "fields": ["cs.RO"],
            })
        );
    }
}

use std::path::Path;

use tantivy::directory::MmapDirectory;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::{Index, IndexSettings, TantivyError};

use crate::CorpusError;
use crate::analysis::WordTokenizer;

/// Name of the tokenizer in the index.
const WORDS: &str = "words";
/// Small blocks, because a search reads a few dozen records from all over the store.
const STORE_BLOCK_BYTES: usize = 8 * 1024;

/// The fields of an index document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fields {
    /// Id of the work, on every document of its group.
    pub(crate) id: Field,
    /// Position in the group: 0 the work, 1 the document with its full text, 2 and up passages.
    pub(crate) nth: Field,
    /// Terms of title and abstract, on the work.
    pub(crate) text: Field,
    /// Terms of a passage of the full text.
    pub(crate) body: Field,
    /// First possible day of the earliest date as `YYYYMMDD`; 0 if there is no date.
    pub(crate) first_day: Field,
    /// Precision of that date: 0 none, 1 year, 2 month, 3 day.
    pub(crate) granularity: Field,
    /// 0 title only, 1 abstract, 2 full text.
    pub(crate) extent: Field,
    /// Venue as printed.
    pub(crate) venue: Field,
    /// Fields of study; `None` in an index from before they were stored.
    pub(crate) field: Option<Field>,
    /// Start of a passage in its document, in bytes.
    pub(crate) start: Field,
    /// End of the passage (exclusive).
    pub(crate) end: Field,
    /// The work as JSON.
    pub(crate) work: Field,
    /// The full text as JSON.
    pub(crate) document: Field,
}

fn schema() -> Schema {
    let mut builder = Schema::builder();
    let words = TextOptions::default().set_indexing_options(
        TextFieldIndexing::default()
            .set_tokenizer(WORDS)
            .set_index_option(IndexRecordOption::WithFreqs),
    );
    let raw_fast = || TextOptions::default().set_fast("raw");
    builder.add_text_field("id", STRING | FAST);
    builder.add_u64_field("nth", FAST);
    builder.add_text_field("text", words.clone());
    builder.add_text_field("body", words);
    builder.add_u64_field("first_day", FAST | INDEXED);
    builder.add_u64_field("granularity", FAST);
    builder.add_u64_field("extent", FAST);
    builder.add_text_field("venue", raw_fast());
    builder.add_text_field("field", raw_fast());
    builder.add_u64_field("start", FAST);
    builder.add_u64_field("end", FAST);
    builder.add_bytes_field("work", STORED);
    builder.add_bytes_field("document", STORED);
    builder.build()
}

impl Fields {
    /// Looks up the fields by name, so that an index from before a field was added still opens.
    fn of(schema: &Schema) -> tantivy::Result<Self> {
        Ok(Self {
            id: schema.get_field("id")?,
            nth: schema.get_field("nth")?,
            text: schema.get_field("text")?,
            body: schema.get_field("body")?,
            first_day: schema.get_field("first_day")?,
            granularity: schema.get_field("granularity")?,
            extent: schema.get_field("extent")?,
            venue: schema.get_field("venue")?,
            field: schema.get_field("field").ok(),
            start: schema.get_field("start")?,
            end: schema.get_field("end")?,
            work: schema.get_field("work")?,
            document: schema.get_field("document")?,
        })
    }
}

/// Opens the index in `dir`, or creates it if there is none.
pub(crate) fn open_index(dir: &Path) -> Result<(Index, Fields), CorpusError> {
    let io = |source| CorpusError::Io {
        action: "create",
        path: dir.to_owned(),
        source,
    };
    if !dir.is_dir() {
        std::fs::create_dir_all(dir).map_err(io)?;
    }
    let damaged = |error: TantivyError| CorpusError::Damaged {
        path: dir.to_owned(),
        reason: error.to_string(),
    };
    let directory = MmapDirectory::open(dir).map_err(|error| damaged(error.into()))?;
    let there = Index::exists(&directory).map_err(|error| damaged(error.into()))?;
    let index = if there {
        Index::open(directory).map_err(damaged)?
    } else {
        let settings = IndexSettings {
            docstore_blocksize: STORE_BLOCK_BYTES,
            ..IndexSettings::default()
        };
        let builder = Index::builder().schema(schema()).settings(settings);
        builder.open_or_create(directory).map_err(damaged)?
    };
    let fields = Fields::of(&index.schema()).map_err(damaged)?;
    index.tokenizers().register(WORDS, WordTokenizer::default());
    Ok((index, fields))
}

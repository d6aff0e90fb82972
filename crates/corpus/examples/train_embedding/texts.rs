use std::collections::HashMap;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};

use precedent_corpus::terms;
use rayon::prelude::*;
use serde::Deserialize;

/// Lines parsed at a time.
const LINES_AT_ONCE: usize = 20_000;
/// Minimum number of terms of a text.
const LEAST_TERMS: usize = 20;

/// One paper as term numbers, in text order.
pub(crate) struct Paper {
    pub(crate) title: Vec<u32>,
    pub(crate) summary: Vec<u32>,
    pub(crate) year: u32,
    pub(crate) authors: Vec<String>,
    pub(crate) field: String,
}

/// All papers, and the terms by number.
#[derive(Default)]
pub(crate) struct Texts {
    pub(crate) papers: Vec<Paper>,
    pub(crate) terms: Vec<String>,
}

#[derive(Deserialize)]
struct Line {
    title: String,
    #[serde(default, rename = "abstract")]
    summary: String,
    #[serde(default)]
    year: u32,
    #[serde(default)]
    authors: Vec<String>,
    #[serde(default)]
    categories: Vec<String>,
}

/// Reads the files in order.
pub(crate) fn read(files: &[String]) -> Result<Texts, Box<dyn Error>> {
    let mut texts = Texts::default();
    let mut numbers: HashMap<String, u32> = HashMap::new();
    for file in files {
        let (path, from) = match file.rsplit_once('@') {
            Some((path, year)) => (path, year.parse()?),
            None => (file.as_str(), 0),
        };
        let opened = File::open(path)?;
        let reader: Box<dyn Read> = if path.ends_with(".zst") {
            Box::new(zstd::Decoder::new(opened)?)
        } else {
            Box::new(opened)
        };
        let lines: Vec<String> = BufReader::new(reader).lines().collect::<Result<_, _>>()?;
        for some in lines.chunks(LINES_AT_ONCE) {
            let parsed: Vec<_> = some
                .par_iter()
                .map(|line| {
                    let line: Line = serde_json::from_str(line)?;
                    let (title, summary) = (terms(&line.title), terms(&line.summary));
                    Ok((line, title, summary))
                })
                .collect::<Result<_, serde_json::Error>>()?;
            for (line, title, summary) in parsed {
                if line.year < from || title.len() < 2 || summary.len() < LEAST_TERMS {
                    continue;
                }
                let mut number = |term: String| {
                    *numbers.entry(term).or_insert_with_key(|term| {
                        texts.terms.push(term.clone());
                        texts.terms.len() as u32 - 1
                    })
                };
                let title = title.into_iter().map(&mut number).collect();
                let summary = summary.into_iter().map(&mut number).collect();
                texts.papers.push(Paper {
                    title,
                    summary,
                    year: line.year,
                    authors: line.authors,
                    field: line.categories.into_iter().next().unwrap_or_else(|| "acl".to_owned()),
                });
            }
        }
    }
    Ok(texts)
}

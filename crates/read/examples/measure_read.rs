//! Measures the readers against ground truth: the development data next to the repository, if present.
//!
//! Input: full texts with known title, abstract and references, written as Markdown and as plain text, and real PDFs. Output: accuracy figures and,
//! with `--failures`, each failure. A folder of PDFs with a JSON file (title, authors, abstract) beside each is compared with these.
#![expect(clippy::print_stdout, reason = "this program prints figures")]

use std::collections::BTreeMap;
use std::error::Error;
use std::io::Read;
use std::path::{Path, PathBuf};

use precedent_domain::{Paper, title_key};
use serde::Deserialize;

#[derive(Deserialize)]
struct Record {
    id: String,
    title: String,
    #[serde(rename = "abstract")]
    summary: String,
    #[serde(default)]
    authors: Vec<String>,
    sections: Vec<RecordSection>,
    #[serde(default)]
    references: Vec<RecordReference>,
}

#[derive(Deserialize)]
struct RecordSection {
    heading: String,
    text: String,
}

#[derive(Deserialize)]
struct RecordReference {
    text: String,
    title: Option<String>,
    source: Option<String>,
    year: Option<String>,
}

impl RecordReference {
    /// The title, if it is separate from the rest. Without a source, a title of several sentences ends with the name of the journal.
    fn separate_title(&self) -> Option<&str> {
        let title = self.title.as_deref().filter(|title| is_separate(&self.text, title))?;
        (self.source.is_some() || !title.contains(". ")).then_some(title)
    }
}

#[derive(Default)]
struct Score {
    papers: usize,
    title: usize,
    summary: usize,
    with_summary: usize,
    with_authors: usize,
    authors: usize,
    with_list: usize,
    count: usize,
    entries: usize,
    entry_title: usize,
    entry_year: usize,
    years: usize,
    marks: usize,
    linked: usize,
}

fn main() -> Result<(), Box<dyn Error>> {
    let data = std::env::var_os("PRECEDENT_DEV_DATA").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    if !data.is_dir() {
        println!("skipped: no development data next to the repository");
        return Ok(());
    }
    if let Ok(engine) = std::env::var("PRECEDENT_PDF_ENGINE") {
        precedent_read::configure_pdf(precedent_read::PdfSettings {
            engine: match engine.as_str() {
                "pdfium" => precedent_read::PdfEngine::Pdfium,
                "auto" => precedent_read::PdfEngine::Auto,
                _ => precedent_read::PdfEngine::Builtin,
            },
            pdfium: std::env::var_os("PRECEDENT_PDFIUM").map(PathBuf::from),
            ..precedent_read::PdfSettings::default()
        });
    }
    let failures = std::env::args().any(|argument| argument == "--failures");
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let wanted = |name: &str| only.as_ref().is_none_or(|only| name.contains(only.as_str()));
    for set in ["acl", "neurips2025", "plos_elife"] {
        if wanted(set) {
            full_texts(&data, set, failures)?;
        }
    }
    if wanted("pdf") {
        pdfs(&data.join("pdf"))?;
    }
    if let Some(folder) = only.as_ref().map(Path::new).filter(|folder| folder.is_dir()) {
        front_matter(folder, failures)?;
    }
    if let Some(path) = only.filter(|only| Path::new(only).is_file()) {
        show(&precedent_read::read(Path::new(&path))?, true);
    }
    Ok(())
}

fn full_texts(data: &Path, set: &str, failures: bool) -> Result<(), Box<dyn Error>> {
    let file = std::fs::File::open(data.join(format!("fulltext/{set}.jsonl.zst")))?;
    let mut lines = String::new();
    zstd::Decoder::new(file)?.read_to_string(&mut lines)?;
    type Compose = fn(&Record) -> String;
    let forms: [(&str, &str, Compose); 4] = [
        ("markdown", "paper.md", markdown),
        ("text", "paper.txt", text),
        ("text, one line an entry", "paper.txt", text_lines),
        ("text, wrapped", "paper.txt", wrapped),
    ];
    for (form, name, compose) in forms {
        let mut score = Score::default();
        for line in lines.lines() {
            let record: Record = serde_json::from_str(line)?;
            let composed = compose(&record);
            match precedent_read::read_bytes(composed.as_bytes(), name) {
                Ok(paper) => judge(&record, &paper, &mut score, failures.then_some(form)),
                Err(error) => println!("  FAILED {} {form}: {error}", record.id),
            }
        }
        println!(
            "{set} as {form}: {} papers; title {}, abstract {}/{}, authors {}/{}; list within 10 % {}/{}; entry titles {}/{}, years {}/{}; marks {}, linked {}",
            score.papers,
            score.title,
            score.summary,
            score.with_summary,
            score.authors,
            score.with_authors,
            score.count,
            score.with_list,
            score.entry_title,
            score.entries,
            score.entry_year,
            score.years,
            score.marks,
            score.linked
        );
    }
    Ok(())
}

/// References of the record that are real entries, not extraction debris.
fn real_references(record: &Record) -> Vec<&RecordReference> {
    record
        .references
        .iter()
        .filter(|reference| reference.text.split_whitespace().count() >= 4)
        .collect()
}

fn compose(record: &Record, heading: fn(&str) -> String, between: &str) -> String {
    let mut parts = vec![record.title.clone()];
    if !record.authors.is_empty() {
        parts.push(record.authors.join(", "));
    }
    parts.push(heading("Abstract"));
    parts.push(record.summary.clone());
    let mut path: Vec<&str> = Vec::new();
    for section in body(record) {
        let steps: Vec<&str> = section.heading.split(" / ").collect();
        for (depth, step) in steps.iter().enumerate() {
            if path.get(depth) != Some(step) && !step.is_empty() {
                parts.push(heading(&printed_heading(step)));
            }
        }
        path = steps;
        parts.push(section.text.clone());
    }
    let references = real_references(record);
    if !references.is_empty() {
        parts.push(heading("References"));
        let entries: Vec<&str> = references.iter().map(|reference| reference.text.as_str()).collect();
        parts.push(entries.join(between));
    }
    parts.join("\n\n")
}

/// The sections of the paper body. Leaves out what the extraction put before or into the abstract.
fn body(record: &Record) -> Vec<&RecordSection> {
    let start = title_key(&record.summary).chars().take(60).collect::<String>();
    let repeats = |section: &&RecordSection| {
        title_key(&section.heading) == "abstract" || !start.is_empty() && title_key(&section.text).contains(&start)
    };
    let first = record
        .sections
        .iter()
        .position(|section| repeats(&section))
        .map_or(0, |at| at + 1);
    let key = title_key(&record.title);
    record
        .sections
        .iter()
        .skip(first)
        .skip_while(|section| {
            !section.heading.chars().any(|c| c.is_ascii_digit())
                && first > 0
                && !title_key(&section.heading).contains("introduction")
                && section.text.len() < 400
        })
        .filter(|section| title_key(&section.heading) != key && title_key(&section.heading) != "references")
        .collect()
}

/// Some extractions kept only the number of a heading.
fn printed_heading(heading: &str) -> String {
    match heading.trim() {
        "1." | "1" => "1. Introduction".to_owned(),
        number if !number.chars().any(char::is_alphabetic) => format!("{number} Considerations"),
        words => words.to_owned(),
    }
}

fn markdown(record: &Record) -> String {
    format!("# {}", compose(record, |heading| format!("## {heading}"), "\n\n"))
}

fn text(record: &Record) -> String {
    compose(record, str::to_owned, "\n\n")
}

fn text_lines(record: &Record) -> String {
    compose(record, str::to_owned, "\n")
}

fn wrapped(record: &Record) -> String {
    let mut out = String::new();
    for line in compose(record, str::to_owned, "\n\n").lines() {
        let mut column = 0;
        for word in line.split(' ') {
            if column > 0 && column + word.len() > 80 {
                out.push('\n');
                column = 0;
            } else if column > 0 {
                out.push(' ');
            }
            out.push_str(word);
            column += word.len() + 1;
        }
        out.push('\n');
    }
    out
}

fn judge(record: &Record, paper: &Paper, score: &mut Score, tell: Option<&str>) {
    score.papers += 1;
    let fail = |what: &str, got: &str| {
        if let Some(form) = tell {
            println!("  {} {form}: {what}: {got}", record.id);
        }
    };
    if let Err(fault) = paper.document.check() {
        println!("  BROKEN {}: {fault}", record.id);
    }
    if title_key(paper.title.as_deref().unwrap_or_default()) == title_key(&record.title) {
        score.title += 1;
    } else {
        fail("title", &format!("{:?} for {:?}", paper.title, record.title));
    }
    let found = title_key(paper.abstract_text().unwrap_or_default());
    let truth = title_key(&record.summary);
    score.with_summary += usize::from(truth.len() > 100);
    if truth.len() <= 100 {
        // The record has no abstract.
    } else if alike(&found, &truth) {
        score.summary += 1;
    } else {
        fail("abstract", &format!("{} for {}", cut(&found), cut(&truth)));
    }
    if !record.authors.is_empty() {
        score.with_authors += 1;
        let family = |name: &str| title_key(name.split_whitespace().next_back().unwrap_or_default());
        let truth: Vec<String> = record.authors.iter().map(|name| family(name)).collect();
        let found: Vec<String> = paper.authors.iter().map(|author| family(&author.name)).collect();
        let named = truth.iter().filter(|name| found.contains(name)).count();
        if named * 10 >= truth.len() * 9 && found.len() <= truth.len() + 1 {
            score.authors += 1;
        } else {
            fail("authors", &format!("{found:?} for {:?}", record.authors));
        }
    }
    score.marks += paper.citations.len();
    score.linked += paper
        .citations
        .iter()
        .filter(|mark| !mark.references.is_empty())
        .count();
    let truth = real_references(record);
    if truth.is_empty() {
        return;
    }
    score.with_list += 1;
    let (found, expected) = (paper.references.len(), truth.len());
    if found.abs_diff(expected) * 10 <= expected {
        score.count += 1;
    } else {
        fail("list", &format!("{found} for {expected}"));
    }
    let by_title: BTreeMap<String, Option<u16>> = paper
        .references
        .iter()
        .filter_map(|reference| Some((title_key(reference.title.as_deref()?), reference.year)))
        .collect();
    for reference in truth {
        let Some(title) = reference.separate_title() else {
            continue;
        };
        score.entries += 1;
        let found = by_title.get(&title_key(title));
        if found.is_some() {
            score.entry_title += 1;
        } else {
            fail("entry", &cut(&reference.text));
        }
        if let (Some(found), Some(year)) = (
            found,
            reference
                .year
                .as_ref()
                .and_then(|year| year.get(..4)?.parse::<u16>().ok()),
        ) {
            score.years += 1;
            if *found == Some(year) {
                score.entry_year += 1;
            } else {
                fail("year", &format!("{found:?} for {year}: {}", cut(&reference.text)));
            }
        }
    }
}

/// Whether punctuation separates the title from the names before it. Some records lost all punctuation.
fn is_separate(entry: &str, title: &str) -> bool {
    entry.find(title.trim_end_matches('.')).is_some_and(|at| {
        entry
            .get(..at)
            .is_some_and(|before| before.trim_end().ends_with(['.', ')', ':', ',', '“', '"', '?']))
    })
}

/// Whether at least 90 % of the words agree, compared as bags of words.
fn alike(a: &str, b: &str) -> bool {
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for word in a.split(' ') {
        *counts.entry(word).or_default() += 1;
    }
    for word in b.split(' ') {
        *counts.entry(word).or_default() -= 1;
    }
    let differ: i64 = counts.values().map(|count| count.abs()).sum();
    let total = i64::try_from(a.split(' ').count() + b.split(' ').count()).unwrap_or(i64::MAX);
    differ * 10 <= total
}

fn cut(text: &str) -> String {
    text.chars().take(160).collect()
}

fn pdfs(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .collect();
    files.sort();
    let started = std::time::Instant::now();
    let (mut words, mut found, mut runs, mut runs_found, mut pages) = (0, 0, 0, 0, 0);
    for file in files {
        println!("== {}", file.file_name().unwrap_or_default().to_string_lossy());
        let paper = match precedent_read::read(&file) {
            Ok(paper) => paper,
            Err(error) => {
                println!("  FAILED: {error}; {}", error.hint());
                continue;
            }
        };
        show(&paper, false);
        pages += paper.document.pages.len();
        if let Some(extracted) = poppler(&file) {
            let ours = bag(&paper.document.text, 1);
            let (all, some) = recall(&bag(&extracted, 1), &ours);
            let (all_runs, some_runs) = recall(&bag(&extracted, 5), &bag(&paper.document.text, 5));
            println!(
                "  compared with pdftotext: {} of words, {} of runs of 5",
                share(some, all),
                share(some_runs, all_runs)
            );
            words += all;
            found += some;
            runs += all_runs;
            runs_found += some_runs;
        }
    }
    println!(
        "all: {pages} pages in {:.1} s with the comparison; {} of {words} words and {} of {runs} runs of 5 words from pdftotext",
        started.elapsed().as_secs_f64(),
        share(found, words),
        share(runs_found, runs)
    );
    Ok(())
}

/// What is printed on the first page of a PDF, from a JSON file beside it.
#[derive(Deserialize)]
struct FrontMatter {
    title: String,
    authors: Vec<String>,
    #[serde(rename = "abstract")]
    summary: String,
}

/// Counts of PDFs by layout, which is the file name up to its last underscore.
#[derive(Default)]
struct FrontScore {
    papers: usize,
    title: usize,
    authors: usize,
    summary: usize,
    /// With the quality of a file without doubts.
    sure: usize,
    /// Of these, with a wrong title or wrong authors.
    sure_and_wrong: usize,
}

/// From this quality on, a file counts as read without doubts.
const SURE: f64 = 0.95;

/// Compares title, authors and abstract of the PDFs and documents in a folder with the JSON files beside them.
fn front_matter(folder: &Path, failures: bool) -> Result<(), Box<dyn Error>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| ["pdf", "docx", "odt", "epub"].iter().any(|known| extension == *known))
        })
        .collect();
    files.sort();
    let mut scores: BTreeMap<String, FrontScore> = BTreeMap::new();
    for file in files {
        let truth: FrontMatter = serde_json::from_slice(&std::fs::read(file.with_extension("json"))?)?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let layout = name.rsplit_once('_').map_or(name.as_str(), |(layout, _)| layout);
        let Ok(paper) = precedent_read::read(&file) else {
            println!("  FAILED {name}");
            continue;
        };
        let names: Vec<String> = paper.authors.iter().map(|author| title_key(&author.name)).collect();
        let wanted: Vec<String> = truth.authors.iter().map(|name| title_key(name)).collect();
        let key = |text: &str| title_key(text).replace(' ', "");
        let title = key(paper.title.as_deref().unwrap_or_default()) == key(&truth.title);
        let summary = alike(
            &title_key(paper.abstract_text().unwrap_or_default()),
            &title_key(&truth.summary),
        );
        for score in [layout, "all"] {
            let score = scores.entry(score.to_owned()).or_default();
            let is_sure = paper.quality.score >= SURE;
            score.papers += 1;
            score.title += usize::from(title);
            score.authors += usize::from(names == wanted);
            score.summary += usize::from(summary);
            score.sure += usize::from(is_sure);
            score.sure_and_wrong += usize::from(is_sure && (!title || names != wanted));
        }
        if failures && (!title || names != wanted || !summary) {
            println!("  {name}: quality {}", paper.quality.score);
            println!(
                "    title    {:?} for {:?}",
                paper.title.unwrap_or_default(),
                truth.title
            );
            println!("    authors  {names:?} for {wanted:?}");
            if !summary {
                println!("    abstract wrong");
            }
        }
    }
    for (layout, score) in scores {
        println!(
            "{layout}: {} papers; title {}, authors {}, abstract {}; quality from {SURE}: {}, of these with a wrong title or authors {}",
            score.papers, score.title, score.authors, score.summary, score.sure, score.sure_and_wrong
        );
    }
    Ok(())
}

/// The text from poppler's `pdftotext`, if it is installed.
fn poppler(file: &Path) -> Option<String> {
    let output = std::process::Command::new("pdftotext")
        .arg(file)
        .arg("-")
        .output()
        .ok()?;
    String::from_utf8(output.stdout).ok()
}

/// Runs of `length` words, in lower case, letters and digits only. Words broken at line ends are joined.
fn bag(text: &str, length: usize) -> BTreeMap<String, usize> {
    use unicode_normalization::UnicodeNormalization;
    let joined = text.replace("-\n", "").nfkc().collect::<String>().to_lowercase();
    let words: Vec<String> = joined
        .split_whitespace()
        .map(|word| word.chars().filter(|c| c.is_alphanumeric()).collect::<String>())
        .filter(|word| word.len() > 2)
        .collect();
    let mut bag = BTreeMap::new();
    for run in words.windows(length) {
        *bag.entry(run.join(" ")).or_default() += 1;
    }
    bag
}

fn recall(wanted: &BTreeMap<String, usize>, there: &BTreeMap<String, usize>) -> (usize, usize) {
    let found = wanted
        .iter()
        .map(|(run, count)| *count.min(there.get(run).unwrap_or(&0)))
        .sum();
    (wanted.values().sum(), found)
}

fn share(part: usize, whole: usize) -> String {
    let float = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    format!("{:.1} %", 100.0 * float(part) / float(whole).max(1.0))
}

fn show(paper: &Paper, whole: bool) {
    let names: Vec<&str> = paper.authors.iter().map(|author| author.name.as_str()).collect();
    println!("  title    {:?}", paper.title);
    println!("  authors  {names:?}");
    println!(
        "  abstract {} words: {}",
        paper.abstract_text().unwrap_or_default().split_whitespace().count(),
        cut(paper.abstract_text().unwrap_or_default())
    );
    let end: String = paper
        .abstract_text()
        .unwrap_or_default()
        .chars()
        .rev()
        .take(60)
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .collect();
    println!("           … {end}");
    let dates: Vec<String> = paper
        .dates
        .iter()
        .map(|date| format!("{} {:?}", date.date, date.origin))
        .collect();
    println!("  dates    {dates:?}; ids {:?}", paper.identifiers);
    let headings: Vec<String> = paper
        .document
        .sections
        .iter()
        .map(|section| {
            format!(
                "{}{} {} ({:?})",
                "·".repeat(usize::from(section.level)),
                section.number.as_deref().unwrap_or_default(),
                section.heading,
                section.kind
            )
        })
        .collect();
    println!("  sections {}", headings.join(" | "));
    let linked = paper
        .citations
        .iter()
        .filter(|mark| !mark.references.is_empty())
        .count();
    let titled = paper
        .references
        .iter()
        .filter(|reference| reference.title.is_some())
        .count();
    let dated = paper
        .references
        .iter()
        .filter(|reference| reference.year.is_some())
        .count();
    println!(
        "  {} pages; {} references, {titled} with title, {dated} with year; {} marks, {linked} linked; quality {:.2} {:?}",
        paper.document.pages.len(),
        paper.references.len(),
        paper.citations.len(),
        paper.quality.score,
        paper.quality.problems
    );
    for warning in &paper.warnings {
        println!("  warning  {:?}: {:?}", warning.kind, warning.problem);
    }
    let last = paper.references.len().saturating_sub(1);
    for (index, reference) in paper.references.iter().enumerate() {
        if whole || index == 0 || index == last || index % 15 == 7 {
            let names: Vec<&str> = reference.authors.iter().map(|author| author.name.as_str()).collect();
            println!(
                "    {} [{}] {}",
                reference.number,
                reference.label.as_deref().unwrap_or_default(),
                cut(&reference.text)
            );
            println!(
                "        title {:?} year {:?}{} authors {names:?} {:?}",
                reference.title,
                reference.year,
                reference.year_letter.unwrap_or(' '),
                reference.identifiers
            );
        }
    }
    if whole {
        for mark in &paper.citations {
            println!("    {:?} -> {:?}", paper.document.slice(mark.span), mark.references);
        }
        println!("{}", paper.document.text);
    }
}

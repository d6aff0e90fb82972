//! Prints what extraction makes of the development data's full texts: `cargo run --example extract -- FILE.jsonl.zst [EVERY] [OFFSET]`.
#![expect(clippy::print_stdout, reason = "a tool for eyes")]

use std::io::{BufRead, BufReader};

use precedent_domain::{
    Author, Document, Extent, Identifiers, Page, Paper, PaperFormat, PaperOrigin, Paragraph, ParagraphKind,
    ParseQuality, Section, SectionKind, Span,
};
use precedent_engine::{FrozenClock, OfflineAnalyst, SilentProgress, World, stages};
use serde_json::Value;

type Failure = Box<dyn std::error::Error>;

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let file = args.next().ok_or("which file?")?;
    let every: usize = args.next().map_or(Ok(1), |text| text.parse())?;
    let offset: usize = args.next().map_or(Ok(0), |text| text.parse())?;
    let lines = BufReader::new(zstd::Decoder::new(std::fs::File::open(file)?)?).lines();
    let world = World {
        clock: std::sync::Arc::new(FrozenClock(0)),
        ledger: precedent_ledger::Ledger::in_memory().await?,
        sources: Vec::new(),
        analyst: std::sync::Arc::new(OfflineAnalyst),
        progress: std::sync::Arc::new(SilentProgress),
        budget: precedent_engine::Budget::default(),
        seed: 0,
    };
    for (number, line) in lines.enumerate() {
        if number % every != offset {
            continue;
        }
        let record: Value = serde_json::from_str(&line?)?;
        let paper = paper(&record);
        let extraction = stages::extract::extract(&paper, &world).await?;
        println!("## {}", paper.title.clone().unwrap_or_default());
        if let Some(task) = &extraction.core_task {
            println!(
                "  CORE  {}  [evidence: {}]",
                task.phrase,
                task.evidence
                    .as_ref()
                    .map_or("-".into(), |quote| one_line(quote.text()))
            );
            for other in task.alternatives.iter().take(3) {
                println!("        alt: {other}");
            }
        }
        for (at, one) in extraction.contributions.iter().enumerate() {
            println!(
                "  {}. {:?} [{}] NAME {}",
                at + 1,
                one.class,
                one.claim.place().section.clone().unwrap_or_default(),
                one.name
            );
            println!("     CLAIM {}", one_line(one.claim.text()));
            println!("     DESC  {}", one.description);
            println!("     TOPIC {}", one.topics.join(" | "));
        }
        println!("  coined: {:?}", extraction.coined);
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn kind_of(heading: &str) -> SectionKind {
    let lower = heading.to_lowercase();
    let bare = lower.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
    let starts = |words: &[&str]| words.iter().any(|word| bare.starts_with(word));
    if starts(&["abstract"]) {
        SectionKind::Abstract
    } else if starts(&["introduction", "background", "motivation"]) {
        SectionKind::Introduction
    } else if starts(&["related"]) {
        SectionKind::RelatedWork
    } else if starts(&["conclu", "summary"]) {
        SectionKind::Conclusion
    } else if starts(&["discussion"]) {
        SectionKind::Discussion
    } else if starts(&["acknow"]) {
        SectionKind::Acknowledgements
    } else if starts(&["reference"]) {
        SectionKind::References
    } else {
        SectionKind::Other
    }
}

/// A paper put together from a record, for looking at extraction alone.
fn paper(record: &Value) -> Paper {
    let text_of = |key: &str| record.get(key).and_then(Value::as_str).map(str::to_owned);
    let title = text_of("title");
    let mut document = Document {
        extent: Extent::FullText,
        ..Document::default()
    };
    let mut add = |heading: &str, text: &str, kind: SectionKind| -> Span {
        let start = document.text.len();
        for part in text.split("\n\n").filter(|part| !part.trim().is_empty()) {
            let from = document.text.len();
            document.text.push_str(part);
            document.paragraphs.push(Paragraph {
                span: Span::new(from, document.text.len()),
                kind: ParagraphKind::Body,
            });
            document.text.push_str("\n\n");
        }
        let span = Span::new(start, document.text.len());
        document.sections.push(Section {
            heading: heading.to_owned(),
            number: None,
            level: 1,
            kind,
            span,
        });
        span
    };
    add("", title.as_deref().unwrap_or_default(), SectionKind::FrontMatter);
    let summary = text_of("abstract").filter(|text| !text.trim().is_empty());
    let abstract_span = summary.map(|text| add("Abstract", &text, SectionKind::Abstract));
    for section in record.get("sections").and_then(Value::as_array).into_iter().flatten() {
        let heading = section.get("heading").and_then(Value::as_str).unwrap_or_default();
        let kind = kind_of(heading);
        if kind != SectionKind::Abstract {
            add(
                heading,
                section.get("text").and_then(Value::as_str).unwrap_or_default(),
                kind,
            );
        }
    }
    let authors = record.get("authors").and_then(Value::as_array).into_iter().flatten();
    Paper {
        origin: PaperOrigin {
            file_name: text_of("id").unwrap_or_default(),
            format: PaperFormat::Text,
            sha256: String::new(),
            bytes: 0,
        },
        title,
        authors: authors.filter_map(Value::as_str).map(Author::new).collect(),
        abstract_span: abstract_span.map(|span| Span::new(span.start, span.end.saturating_sub(2))),
        dates: Vec::new(),
        identifiers: Identifiers::default(),
        document: Document {
            pages: Vec::<Page>::new(),
            ..document
        },
        references: Vec::new(),
        citations: Vec::new(),
        hidden: Vec::new(),
        quality: ParseQuality {
            score: 1.0,
            reasons: Vec::new(),
        },
        warnings: Vec::new(),
    }
}

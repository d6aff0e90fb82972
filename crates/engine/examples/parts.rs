//! Measures the parts that the rules read in ideas, against manual labels.
//!
//! The file is a list of `{"id", "text", "sentences": [{"text", "parts": [NAME…]}]}`. The parts of a sentence are all that a reader would accept; a
//! sentence of no part has none. Prints the wrong labels, the false statements that a part was not found, and the counts.

#![expect(clippy::print_stdout, reason = "a measurement prints its result")]

use std::collections::BTreeMap;

use precedent_engine::domain::{IdeaPart, Span};
use precedent_engine::idea::Idea;
use precedent_engine::review::idea_parts;
use serde::Deserialize;

#[derive(Deserialize)]
struct LabelledIdea {
    id: String,
    text: String,
    sentences: Vec<LabelledSentence>,
}

#[derive(Deserialize)]
struct LabelledSentence {
    text: String,
    parts: Vec<IdeaPart>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("usage: parts LABELS")?;
    let ideas: Vec<LabelledIdea> = serde_json::from_slice(&std::fs::read(file)?)?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut count = |name| *counts.entry(name).or_default() += 1;
    for one in &ideas {
        let read = idea_parts(&Idea::new(&one.text).document());
        let mut from = 0;
        for sentence in &one.sentences {
            let text = &read.document.text;
            let at = text.get(from..).and_then(|rest| rest.find(&sentence.text));
            let start = from + at.ok_or_else(|| format!("{}: not in the text: {}", one.id, sentence.text))?;
            let span = Span::new(start, start + sentence.text.len());
            from = span.end;
            let shared = |other: Span| other.end.min(span.end).saturating_sub(other.start.max(span.start));
            let of_it = read.statements.iter().filter(|one| shared(one.quote.span()) > 0);
            let read_part = of_it.max_by_key(|one| shared(one.quote.span())).map(|one| one.part);
            count(match read_part {
                None if sentence.parts.is_empty() => "no part: left out",
                None => "with a part: left out",
                Some(IdeaPart::Unclassified) => "unclassified",
                Some(part) if sentence.parts.contains(&part) => "right",
                Some(_) if sentence.parts.is_empty() => "no part: placed",
                Some(_) => "wrong",
            });
            if read_part.is_none_or(|part| !sentence.parts.contains(&part)) && !sentence.parts.is_empty() {
                let reply = read_part.map_or("left out", IdeaPart::name);
                println!("{reply}, labelled {:?}: {}", sentence.parts, sentence.text);
            }
        }
        for part in &read.missing {
            let stated = one.sentences.iter().find(|one| one.parts.contains(part));
            count(if stated.is_some() {
                "not found: false"
            } else {
                "not found: true"
            });
            if let Some(stated) = stated {
                println!("{}: false: not found: {}: {}", one.id, part.name(), stated.text);
            }
        }
    }
    println!("{} ideas", ideas.len());
    for (name, count) in counts {
        println!("{name}: {count}");
    }
    Ok(())
}

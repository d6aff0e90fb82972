//! Plants paraphrased claims of real papers in full texts far from their abstracts, and measures how many an ideal judge finds: given both whole
//! texts, and given only the passages that it is shown.
//!
//! `cargo run --example planted -p precedent-engine -- [SET] [FOLDER]`: FOLDER contains the development data's full texts. The number of passages was
//! tuned on set 0. The papers, positions and words of sets 1 and 2 were fixed before either was inspected. `PLANTED_MISSED=1` prints what was missed.
#![expect(clippy::print_stdout, reason = "a benchmark that prints its results")]

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use precedent_domain::{Contribution, Document, Paper, Paragraph, ParagraphKind, SectionKind, Status};
use precedent_engine::assess::AssessOptions;
use precedent_engine::assess::Material;
use precedent_engine::assess::{analysis, judge};
use precedent_engine::extract;
use precedent_engine::model::{Depth, ModelSettings};
use precedent_engine::retrieve::search::SearchOutcome;
use precedent_scripted::{ModelServer, Question, Say, plain};
use serde_json::json;

mod records;
mod shelf;
use shelf::{Failure, beside, claims, development_data, found, texts, world};

/// Which papers' claims to plant, and how.
struct Set {
    /// Number of papers of each collection.
    papers: [usize; 3],
    /// Offset from evenly spaced papers, in sevenths of a collection.
    moved: usize,
    /// Position of the claim in a text, in percent.
    place: usize,
    /// The replacement for every n-th word.
    filler: &'static str,
}

const SETS: [Set; 3] = [
    Set {
        papers: [2, 2, 1],
        moved: 0,
        place: 50,
        filler: "thereby",
    },
    Set {
        papers: [4, 4, 2],
        moved: 1,
        place: 38,
        filler: "wherein",
    },
    Set {
        papers: [4, 4, 2],
        moved: 2,
        place: 63,
        filler: "moreover",
    },
];

/// The ways in which a planted claim is paraphrased.
const WAYS: [&str; 4] = [
    "halves exchanged, every 4th word replaced",
    "common words replaced, and every 6th word",
    "every 3rd word replaced",
    "the paper's own words from another place",
];

/// Counts for planted claims of one kind.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    planted: usize,
    /// Among the passages shown to the judge.
    shown: usize,
    /// Found by the ideal judge with located quotes: from passages, and from whole texts.
    by_passages: usize,
    by_whole: usize,
    /// Found both from passages and from whole texts.
    by_both: usize,
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let number: usize = args.next().map_or(Ok(0), |text| text.parse())?;
    let folder = args.next().map_or_else(development_data, PathBuf::from);
    let set = SETS.get(number).ok_or("the set must be 0, 1 or 2")?;
    let Some(all) = texts(&folder)? else {
        println!(
            "skipped: no full texts at {}; set PRECEDENT_DEV_DATA to the development data",
            folder.display()
        );
        return Ok(());
    };
    let mut ways = [Tally::default(); WAYS.len()];
    for (collection, papers) in set.papers.into_iter().enumerate() {
        let texts = all.get(collection).map_or(0, Vec::len);
        for number in 0..papers {
            let at = (number * texts / papers + set.moved * texts / 7 + set.moved) % texts.max(1);
            let Some((target, works)) = beside(&all, collection, at) else {
                continue;
            };
            for (way, tally) in ways.iter_mut().enumerate() {
                planted(target, &works, way, set, tally).await?;
            }
            let so_far = ways.iter().fold(Tally::default(), summed);
            println!("{}: so far {so_far:?}", target.title.as_deref().unwrap_or("?"));
        }
    }
    for (way, tally) in WAYS.iter().zip(&ways) {
        print(way, *tally);
    }
    print("total", ways.iter().fold(Tally::default(), summed));
    Ok(())
}

fn summed(sum: Tally, one: &Tally) -> Tally {
    Tally {
        planted: sum.planted + one.planted,
        shown: sum.shown + one.shown,
        by_passages: sum.by_passages + one.by_passages,
        by_whole: sum.by_whole + one.by_whole,
        by_both: sum.by_both + one.by_both,
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn print(way: &str, tally: Tally) {
    let share = 100.0 * tally.by_both as f64 / tally.by_whole.max(1) as f64;
    println!(
        "{way}: {} planted; {} shown; found from whole texts {}, from passages {}; {share:.1} % of the whole-text result",
        tally.planted, tally.shown, tally.by_whole, tally.by_passages
    );
}

/// The text written into one work, and the claim it paraphrases.
#[derive(Debug, Clone)]
struct Plant {
    claim: u32,
    of_paper: String,
    sentence: String,
}

/// By work number.
type Plants = BTreeMap<u32, Plant>;

/// Plants one claim in each work, paraphrased in one way.
async fn planted(target: &Paper, works: &[&Paper], way: usize, set: &Set, tally: &mut Tally) -> Result<(), Failure> {
    let server = ModelServer::start(plain)?;
    let reading = world(&server, None, ModelSettings::default()).await?;
    let mut claims = claims(&extract::extract(target, &reading).await?);
    let plants = Arc::new(plants(&mut claims, works, way, set));
    let found = found(works, |number, document| {
        let plant = plants.get(&number)?;
        Some(with_planted(document, &plant.sentence, set.place))
    })?;
    let options = AssessOptions::default();
    let analysis = analysis::analyse(target, None, &claims, &found, &options, &reading).await?;
    let mut by_depth: Vec<Vec<u32>> = Vec::new();
    for depth in [Depth::Passages, Depth::Full] {
        let shown = Arc::new(Mutex::new(Vec::new()));
        let server = {
            let (plants, shown) = (Arc::clone(&plants), Arc::clone(&shown));
            ModelServer::start(move |question| ideal(question, &plants, &shown))?
        };
        let settings = ModelSettings {
            depth,
            ..ModelSettings::default()
        };
        let world = world(&server, None, settings).await?;
        let material = Material {
            paper: target,
            topic: None,
            claims: &claims,
            found: &found,
        };
        let judged = judge::judge(material, analysis.clone(), &world).await?;
        let is_found = |number: &u32| {
            let of_work = judged
                .analysis
                .comparisons
                .iter()
                .filter(|one| one.candidate == *number);
            let claim = plants.get(number).map(|plant| plant.claim);
            of_work.into_iter().any(|one| {
                one.status == Status::CanRefute && Some(one.contribution) == claim && !one.evidence.is_empty()
            })
        };
        by_depth.push(plants.keys().copied().filter(is_found).collect());
        if depth == Depth::Passages {
            let mut shown = shown.lock().unwrap_or_else(PoisonError::into_inner).clone();
            shown.sort_unstable();
            shown.dedup();
            tally.shown += shown.len();
            tell_missed("not shown", &plants, &shown, &found);
        }
    }
    if let Some(whole) = by_depth.last() {
        tell_missed("not found in the whole text", &plants, whole, &found);
    }
    let [passages, whole] = by_depth.as_slice() else {
        return Ok(());
    };
    tally.planted += plants.len();
    tally.by_passages += passages.len();
    tally.by_whole += whole.len();
    tally.by_both += passages.iter().filter(|number| whole.contains(number)).count();
    Ok(())
}

/// What to write into each work. Other statements of a claim are taken from the paper itself.
fn plants(claims: &mut [Contribution], works: &[&Paper], way: usize, set: &Set) -> Plants {
    let mut restated: Vec<Option<String>> = Vec::new();
    for claim in claims.iter_mut() {
        let reply = std::mem::take(&mut claim.also_stated);
        restated.push(reply.first().map(|quote| quote.text().to_owned()));
        if way != 3 {
            claim.also_stated = reply;
        }
    }
    let mut plants = Plants::new();
    for (number, _) in (1_u32..).zip(works) {
        let at = (number as usize + set.moved).checked_rem(claims.len());
        let Some((claim, restated)) = at.and_then(|at| Some((claims.get(at)?, restated.get(at)?))) else {
            continue;
        };
        let own = claim.claim.text();
        let words = match way {
            0 => Some(exchanged(own, set.filler)),
            1 => Some(in_usual_words(own, set.filler)),
            2 => Some(every(own, 3, set.filler)),
            _ => restated.clone(),
        };
        if let Some(words) = words {
            let plant = Plant {
                claim: claim.number,
                of_paper: own.to_owned(),
                sentence: format!("As {} tells, {words}.", nonce(number)),
            };
            plants.insert(number, plant);
        }
    }
    plants
}

/// An ideal judge: it reports exactly those claims whose planted text is in what it is shown.
fn ideal(question: &Question, plants: &Plants, shown: &Mutex<Vec<u32>>) -> Say {
    if !question.prompt.starts_with("compare.") {
        return plain(question);
    }
    let planted = plants
        .iter()
        .find(|(number, _)| question.text().contains(&nonce(**number)));
    if let Some((number, _)) = planted {
        shown.lock().unwrap_or_else(PoisonError::into_inner).push(*number);
    }
    let blocks = question.blocks();
    let claims = blocks
        .iter()
        .filter(|block| block.name.starts_with("claim"))
        .filter_map(|block| block.number());
    let answer = |claim: u32| match planted.filter(|(_, plant)| plant.claim == claim) {
        Some((_, plant)) => json!({
            "claim": claim, "status": "can_refute", "note": "The work states the same. It names the same means.",
            "evidence": [{"paper_quote": plant.of_paper, "work_quote": plant.sentence, "rationale": "Both state the same means for the same end."}],
        }),
        None => {
            json!({"claim": claim, "status": "cannot_refute", "note": "The work speaks of something else.", "evidence": []})
        }
    };
    Say::Text(json!({"answers": claims.map(answer).collect::<Vec<_>>()}).to_string())
}

fn tell_missed(how: &str, plants: &Plants, known: &[u32], found: &SearchOutcome) {
    if std::env::var_os("PLANTED_MISSED").is_none() {
        return;
    }
    for (number, plant) in plants.iter().filter(|(number, _)| !known.contains(number)) {
        let title = found
            .candidates
            .iter()
            .find(|one| one.number == *number)
            .map(|one| one.work.title.as_str());
        println!(
            "{how}: {number} ({}): {}\n    claim: {}",
            title.unwrap_or("?"),
            plant.sentence,
            plant.of_paper
        );
    }
}

/// A word that appears nowhere else.
fn nonce(number: u32) -> String {
    format!("zq{number}vk")
}

/// Swaps the halves of a claim and replaces every fourth word.
fn exchanged(claim: &str, filler: &str) -> String {
    let words: Vec<&str> = claim.split_whitespace().collect();
    let (first, second) = words.split_at(words.len() / 2);
    let turned: Vec<&str> = second.iter().chain(first).copied().collect();
    every(&turned.join(" "), 4, filler)
}

/// Replaces every `step`-th word with a meaningless one.
fn every(text: &str, step: usize, filler: &str) -> String {
    let reply = text.split_whitespace().enumerate();
    let reply = reply.map(|(at, word)| if at % step == step - 1 { filler } else { word });
    reply.collect::<Vec<_>>().join(" ")
}

/// Replaces common phrases of papers with synonyms, and every sixth word.
fn in_usual_words(claim: &str, filler: &str) -> String {
    const PAIRS: [(&str, &str); 24] = [
        ("we", "the authors"),
        ("propose", "put forward"),
        ("present", "describe"),
        ("introduce", "bring in"),
        ("show", "demonstrate"),
        ("novel", "new"),
        ("new", "original"),
        ("method", "procedure"),
        ("approach", "technique"),
        ("model", "system"),
        ("framework", "architecture"),
        ("algorithm", "procedure"),
        ("dataset", "collection"),
        ("corpus", "collection"),
        ("task", "problem"),
        ("use", "employ"),
        ("using", "by means of"),
        ("improve", "raise"),
        ("performance", "quality"),
        ("results", "findings"),
        ("large", "extensive"),
        ("based", "resting"),
        ("learn", "acquire"),
        ("training", "fitting"),
    ];
    let reply: Vec<&str> = claim
        .split_whitespace()
        .map(|word| {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
            PAIRS
                .iter()
                .find(|(usual, _)| *usual == bare)
                .map_or(word, |(_, other)| other)
        })
        .collect();
    every(&reply.join(" "), 6, filler)
}

/// Whether a paragraph belongs to the work's own text. A reference list is not prior art.
fn is_text(document: &Document, paragraph: &Paragraph) -> bool {
    let section = document.section_at(paragraph.span.start).map(|section| section.kind);
    !matches!(section, Some(SectionKind::References | SectionKind::Acknowledgements))
}

/// The text with a paragraph inserted at `place` percent, or after a reference list at that position.
fn with_planted(document: &Document, words: &str, place: usize) -> Document {
    let mut planted = document.clone();
    let wanted = document.text.len() * place / 100;
    let at = document
        .paragraphs
        .iter()
        .filter(|one| is_text(document, one))
        .map(|one| one.span.start)
        .find(|start| *start >= wanted)
        .unwrap_or(document.text.len());
    let inserted = format!("{words}\n\n");
    planted.text.insert_str(at, &inserted);
    let moved = |span: &mut precedent_domain::Span, grows: bool| {
        if span.start >= at && !(grows && span.start == at) {
            span.start += inserted.len();
        }
        if span.end > at {
            span.end += inserted.len();
        }
    };
    planted
        .paragraphs
        .iter_mut()
        .for_each(|one| moved(&mut one.span, false));
    planted.sections.iter_mut().for_each(|one| moved(&mut one.span, true));
    let span = precedent_domain::Span::new(at, at + words.len());
    let place = planted.paragraphs.partition_point(|one| one.span.start < at);
    planted.paragraphs.insert(
        place,
        precedent_domain::Paragraph {
            span,
            kind: ParagraphKind::Body,
        },
    );
    planted
}

//! Counts what a model that refutes everything can make a report say, and prints it for a person to read.
//!
//! `cargo run --example verdicts -- [FOLDER] [PAPERS]`: FOLDER contains the development data's full texts. Each of PAPERS papers is compared with 80
//! full texts of other papers. The model says `can_refute` for each claim and each paper, and quotes the sentence it was shown that has most words of
//! the claim. It is wrong nearly always, so the number of *Anticipated* verdicts shows what the program lets pass.
//! Then the same for claims that a full text is known to state in other words (`../restated/claims.jsonl`): there, many of the verdicts are right.
//! It also prints how many of these texts reach each probability by their best passage, and how many of the other texts do.
#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a benchmark that prints its results and its progress"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use precedent_domain::{Contribution, ContributionClass, ContributionComparison, JudgedBy, Paper, Quote, Span, Status};
use precedent_engine::assess::{AssessOptions, Material, analysis, judge};
use precedent_engine::extract;
use precedent_engine::matcher::{Claim, PreparedText, rank};
use precedent_engine::model::{ModelSettings, Policy};
use precedent_scripted::{ModelServer, Question, Say, plain};
use serde_json::{Value, json};

mod records;
mod shelf;
use shelf::{Failure, beside, claims, development_data, found, texts, world};

/// Default number of papers.
const PAPERS: usize = 30;
/// Longest quote in words, as the requests demand.
const QUOTE_WORDS: usize = 90;

#[derive(Default)]
struct Tally {
    papers: usize,
    claims: usize,
    comparisons: usize,
    by_model: usize,
    by_program: usize,
    /// Verdicts withdrawn, by reason.
    withdrawn: BTreeMap<String, usize>,
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let mut args = std::env::args().skip(1);
    let folder = args.next().map_or_else(development_data, PathBuf::from);
    let papers: usize = args.next().map_or(Ok(PAPERS), |text| text.parse())?;
    let Some(all) = texts(&folder)? else {
        println!(
            "skipped: no full texts at {}; set PRECEDENT_DEV_DATA to the development data",
            folder.display()
        );
        return Ok(());
    };
    let each = papers.div_ceil(all.len().max(1));
    let mut tally = Tally::default();
    for (collection, texts) in all.iter().enumerate() {
        for number in 0..each.min(papers - tally.papers) {
            let at = number * texts.len() / each;
            if let Some((target, works)) = beside(&all, collection, at) {
                refuted(target, &claims_of(target).await?, &works, &mut tally).await?;
                tally.papers += 1;
                eprintln!("{} of {papers} papers", tally.papers);
            }
        }
    }
    tally.print("papers");
    let Some(restated) = Restated::read(&folder)? else {
        println!("no restated claims at {}", folder.display());
        return Ok(());
    };
    let texts = all.first().ok_or("no collection")?;
    let mut tally = Tally::default();
    for (work, claims) in &restated.claims {
        refuted_restated(work, claims, &restated.ids, texts, &mut tally).await?;
        tally.papers += 1;
        eprintln!("{} of {} stating papers", tally.papers, restated.claims.len());
    }
    tally.print("stating papers");
    floors(&restated, texts);
    Ok(())
}

impl Tally {
    fn print(&self, papers: &str) {
        println!(
            "{} {papers}, {} claims, {} comparisons: {} anticipated by the model's quotes, {} by the program",
            self.papers, self.claims, self.comparisons, self.by_model, self.by_program
        );
        for (why, count) in &self.withdrawn {
            println!("{count:>6} withdrawn: {why}");
        }
        println!();
    }
}

/// Probabilities for which the texts that reach them are counted.
const FLOORS: [f64; 5] = [0.3, 0.4, 0.5, 0.6, 0.7];

/// Claims in other words, by the id of the paper that states them.
struct Restated {
    claims: BTreeMap<String, Vec<String>>,
    /// The ids of the texts of the first collection.
    ids: Vec<String>,
}

impl Restated {
    fn read(folder: &Path) -> Result<Option<Self>, Failure> {
        let file = folder.join("../restated/claims.jsonl");
        if !file.is_file() {
            return Ok(None);
        }
        let mut claims: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for line in std::fs::read_to_string(&file)?.lines() {
            let record: Value = serde_json::from_str(line)?;
            let of = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            claims.entry(of("work")).or_default().push(of("claim"));
        }
        let ids = ids(&folder.join("acl.jsonl.zst"))?;
        Ok(Some(Self { claims, ids }))
    }
}

/// Texts compared with each paper that consists of restated claims: the one that states them, and those that follow it.
const RESTATED_WORKS: usize = 10;

/// Compares a paper whose abstract is these claims with the text that states them and with others.
async fn refuted_restated(
    work: &str,
    claims: &[String],
    ids: &[String],
    texts: &[Paper],
    tally: &mut Tally,
) -> Result<(), Failure> {
    let at = ids.iter().position(|id| id == work).ok_or("no text of this id")?;
    let target = records::paper(&json!({"title": "Claims in other words", "abstract": claims.join("\n\n")}));
    let contributions = (1..).zip(claims).map(|(number, claim)| {
        let from = target.document.text.find(claim.as_str());
        let span = from.map(|from| Span::new(from, from + claim.len()));
        let quote = span.and_then(|span| Quote::at(&target.document, span));
        let claim = quote.ok_or("the claim is not in its text")?;
        Ok(Contribution {
            number,
            name: claim.text().to_owned(),
            description: claim.text().to_owned(),
            claim,
            also_stated: Vec::new(),
            description_quotes: Vec::new(),
            class: ContributionClass::Method,
            queries: Vec::new(),
        })
    });
    let contributions: Vec<Contribution> = contributions.collect::<Result<_, Failure>>()?;
    let works = texts.iter().cycle().skip(at).take(RESTATED_WORKS.min(texts.len()));
    let works: Vec<&Paper> = works.collect();
    refuted(&target, &contributions, &works, tally).await
}

/// Counts the texts that reach each probability for claims that one of them states.
fn floors(restated: &Restated, texts: &[Paper]) {
    let prepared: Vec<PreparedText> = texts
        .iter()
        .map(|text| {
            let title = text.title.as_deref().unwrap_or_default();
            PreparedText::new(title, text.abstract_text(), &text.document)
        })
        .collect();
    let mut counts = [(0, 0); FLOORS.len()];
    let claims = restated
        .claims
        .iter()
        .flat_map(|(work, claims)| claims.iter().map(move |claim| (work, claim)));
    for (work, claim) in claims {
        for ranked in rank(&Claim::new(claim), &prepared) {
            let states = restated.ids.get(ranked.index) == Some(work);
            let probability = ranked.shown_by_best().probability;
            for (floor, (own, others)) in FLOORS.iter().zip(&mut counts) {
                if probability >= *floor {
                    *if states { &mut *own } else { &mut *others } += 1;
                }
            }
        }
    }
    let claims: usize = restated.claims.values().map(Vec::len).sum();
    println!(
        "{claims} claims that one of {} texts states in other words",
        prepared.len()
    );
    for (floor, (own, others)) in FLOORS.iter().zip(counts) {
        println!("probability {floor}: reached by {own} of the stating texts, by {others} others");
    }
}

/// The ids of the records of a file, in their order.
fn ids(file: &Path) -> Result<Vec<String>, Failure> {
    let mut ids = Vec::new();
    for line in BufReader::new(zstd::Decoder::new(std::fs::File::open(file)?)?).lines() {
        let record: Value = serde_json::from_str(&line?)?;
        ids.push(record.get("id").and_then(Value::as_str).unwrap_or_default().to_owned());
    }
    Ok(ids)
}

/// The claims that the rules find in a paper.
async fn claims_of(target: &Paper) -> Result<Vec<Contribution>, Failure> {
    let server = ModelServer::start(plain)?;
    let mut reading = shelf::world(&server, None, ModelSettings::default()).await?;
    reading.model = None;
    Ok(claims(&extract::extract(target, &reading).await?))
}

/// Compares the claims of a paper with the works, and prints each anticipated claim with both passages.
async fn refuted(target: &Paper, claims: &[Contribution], works: &[&Paper], tally: &mut Tally) -> Result<(), Failure> {
    let server = ModelServer::start(refuting)?;
    // Nothing but the comparisons is requested.
    let settings = ModelSettings {
        policy: Policy::Reviewer,
        ..ModelSettings::default()
    };
    let world = world(&server, None, settings).await?;
    let found = found(works, |_, _| None)?;
    let options = AssessOptions::default();
    let analysis = analysis::analyse(target, None, claims, &found, &options, &world).await?;
    let material = Material {
        paper: target,
        topic: None,
        claims,
        found: &found,
    };
    let judged = judge::judge(material, analysis, &world).await?;
    tally.claims += claims.len();
    for one in &judged.analysis.comparisons {
        tally.comparisons += 1;
        if let Some(why) = &one.downgraded {
            *tally.withdrawn.entry(why.clone()).or_default() += 1;
        }
        if one.status == Status::CanRefute {
            let by_program = one.judged_by == Some(JudgedBy::Program);
            let count = if by_program {
                &mut tally.by_program
            } else {
                &mut tally.by_model
            };
            *count += 1;
            let title = |paper: Option<&Paper>| paper.and_then(|one| one.title.clone()).unwrap_or_default();
            let work = usize::try_from(one.candidate)?
                .checked_sub(1)
                .and_then(|at| works.get(at));
            let claim = claims.iter().find(|claim| claim.number == one.contribution);
            println!("paper:  {}", title(Some(target)));
            println!("claim:  {}", claim.map_or("", |claim| claim.claim.text()));
            println!("work:   {}", title(work.copied()));
            print(one);
        }
    }
    Ok(())
}

fn print(one: &ContributionComparison) {
    for pair in &one.evidence {
        println!(
            "quote:  {}",
            pair.candidate.text().split_whitespace().collect::<Vec<_>>().join(" ")
        );
    }
    println!(
        "        probability {:.3}, judged by {:?}\n",
        one.probability.unwrap_or_default(),
        one.judged_by
    );
}

/// Says that every claim is in every work, with the sentence shown that has most words of the claim.
fn refuting(question: &Question) -> Say {
    if !question.prompt.starts_with("compare.") {
        return plain(question);
    }
    let blocks = question.blocks();
    let shown = blocks
        .iter()
        .find(|block| block.name.ends_with("of the work"))
        .map(|block| block.text)
        .unwrap_or_default();
    let reply = blocks.iter().filter(|block| block.name.starts_with("claim "));
    let answer = reply.map(|block| {
        let line = block.text.lines().next().unwrap_or_default();
        let claim = line.trim_start_matches("Claim: ");
        let quote = sentences(shown).max_by_key(|sentence| stems(sentence).intersection(&stems(claim)).count());
        let evidence: Vec<Value> = quote
            .map(|quote| json!({"paper_quote": claim, "work_quote": quote, "rationale": "Both state the same."}))
            .into_iter()
            .collect();
        json!({
            "claim": block.number(), "status": "can_refute", "evidence": evidence,
            "note": "The work states the same. It names the same means. It has the same end.",
        })
    });
    Say::Text(json!({"answers": answer.collect::<Vec<_>>()}).to_string())
}

/// The sentences of the passages shown, without their numbers. The first line is the title.
fn sentences(shown: &str) -> impl Iterator<Item = &str> {
    shown.lines().skip(1).flat_map(|line| {
        let text = line
            .split_once(") ")
            .map_or(line, |(number, text)| match number.starts_with('(') {
                true => text,
                false => line,
            });
        precedent_engine::text::sentences(text)
            .into_iter()
            .filter_map(|span| span.slice(text))
            .filter(|one| (8..=QUOTE_WORDS).contains(&one.split_whitespace().count()))
    })
}

/// Words of more than three letters, in lower case, cut to six letters.
fn stems(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3);
    words
        .map(|word| word.to_lowercase().chars().take(6).collect())
        .collect()
}

//! Self-validation in four steps: pair sentences with sources, remove duplicates, judge each pair, and repair or remove only the wrong sentences.

use std::collections::{BTreeMap, BTreeSet};

use precedent_domain::{CitedSentence, CorrectedBy, Correction, PointAnalysis, ReportPart, SelfValidation};
use precedent_language::wording::without_marks;
use precedent_llm::{Check, Checks, Fence};
use precedent_text::one_line;
use serde::Serialize;

use super::answers::{ClaimJudged, Judgement, RewordedReply, ValidatedReply};
use super::compare::{Compared, part_of};
use super::sentence::{SentenceChecker, fits_part};
use crate::Result;
use crate::model::asker::{Parts, Task};
use crate::model::prose::{Prose, folded};
use crate::model::{ModelAnalyst, checks};
use crate::retrieve::passages::{Entry, PassageIndex, passages};

/// Claims per request, additional passages per claim, and maximum passages shown.
const BATCH: usize = 12;
const BESIDE: usize = 2;
const PASSAGES: usize = 10;

/// The parts that contain sentences, in the order of the report.
const PARTS: [ReportPart; 4] = [
    ReportPart::Claimed,
    ReportPart::Similarities,
    ReportPart::Differences,
    ReportPart::Details,
];

/// Position of a sentence: point, part, index.
type SentencePosition = (usize, ReportPart, usize);

/// The judgement of a work and a sentence that cites it.
type SentenceVerdict = ((u32, String), ClaimJudged);

/// A false sentence.
#[derive(Debug, Clone)]
struct Fault {
    reason: String,
    /// What the source says, if the judge gave it.
    hint: String,
    by: CorrectedBy,
}

#[derive(Serialize)]
struct JudgeInputs {
    mark: String,
    source: String,
    claims: String,
}

#[derive(Serialize)]
struct MendInputs {
    mark: String,
    sentences: String,
}

/// The comparisons after every sentence about another work was checked against its source, and what happened to those that failed.
pub(crate) async fn validate_points(
    model: &ModelAnalyst,
    checker: &SentenceChecker<'_>,
    fence: &Fence,
    compared: Vec<Option<Compared>>,
) -> Result<(Vec<Option<PointAnalysis>>, SelfValidation)> {
    let mut outcome = SelfValidation::default();
    let mut faults: BTreeMap<String, Fault> = BTreeMap::new();
    let mut analyses: Vec<Option<PointAnalysis>> = Vec::new();
    for one in compared {
        let Some(mut one) = one else {
            analyses.push(None);
            continue;
        };
        outcome.corrections.append(&mut one.corrections);
        for (part, at, reason) in one.faults {
            if let Some(sentence) = part_of(&mut one.analysis, part).get(at) {
                faults.entry(sentence.text.clone()).or_insert(Fault {
                    reason,
                    hint: String::new(),
                    by: CorrectedBy::Rule,
                });
            }
        }
        analyses.push(Some(one.analysis));
    }
    // Then each sentence has one place, and with it one part that its new wording must fit.
    state_once(&mut analyses, &mut outcome.corrections);
    let pairs = pairs(&analyses);
    outcome.pairs = pairs.len();
    let distinct: BTreeSet<(u32, String)> = pairs.into_iter().collect();
    outcome.distinct = distinct.len();
    let judged = check_against_sources(model, checker, fence, &distinct).await?;
    outcome.judged = judged.len();
    for ((work, text), answer) in &judged {
        match answer.verdict {
            Judgement::Correct if !faults.contains_key(text) => outcome.right += 1,
            Judgement::Correct => {}
            Judgement::Incorrect => {
                faults.entry(text.clone()).or_insert_with(|| Fault {
                    reason: reason(answer, checker, *work, text),
                    hint: one_line(&answer.correction),
                    by: CorrectedBy::Judge,
                });
            }
        }
    }
    let mended = ask_rewording(model, checker, fence, &analyses, &faults).await?;
    apply(&mut analyses, &faults, &mended, &mut outcome.corrections);
    outcome.corrections.sort_by_key(|one| (one.point, one.part));
    Ok((analyses, outcome))
}

/// The verdict on each pair of a source and a sentence. Pairs that were not judged are missing.
async fn check_against_sources(
    model: &ModelAnalyst,
    checker: &SentenceChecker<'_>,
    fence: &Fence,
    pairs: &BTreeSet<(u32, String)>,
) -> Result<BTreeMap<(u32, String), ClaimJudged>> {
    let mut by_work: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for (work, text) in pairs {
        by_work.entry(*work).or_default().push(text);
    }
    let mut asks: Vec<Task<'_, Result<Vec<SentenceVerdict>>>> = Vec::new();
    for (work, claims) in &by_work {
        for batch in claims.chunks(BATCH) {
            asks.push(Box::pin(check_batch(model, checker, fence, *work, batch.to_vec())));
        }
    }
    Ok(model.all("validate", asks).await?.into_iter().flatten().collect())
}

async fn check_batch(
    model: &ModelAnalyst,
    checker: &SentenceChecker<'_>,
    fence: &Fence,
    work: u32,
    claims: Vec<&str>,
) -> Result<Vec<SentenceVerdict>> {
    let (mut parts, mut verdicts) = (Parts::of(&claims), Vec::new());
    while let Some(part) = parts.next() {
        verdicts.extend(check_part(model, checker, fence, work, part, &mut parts).await?);
    }
    Ok(verdicts)
}

async fn check_part<'p>(
    model: &ModelAnalyst,
    checker: &SentenceChecker<'_>,
    fence: &Fence,
    work: u32,
    claims: &'p [&str],
    parts: &mut Parts<'p, &'p str>,
) -> Result<Vec<SentenceVerdict>> {
    let numbers: Vec<u32> = (1..).zip(claims).map(|(number, _)| number).collect();
    let fenced = numbers
        .iter()
        .zip(claims)
        .map(|(number, claim)| fence.wrap(&format!("claim {number}"), claim));
    let inputs = JudgeInputs {
        mark: fence.mark().to_owned(),
        claims: fenced.collect::<Vec<_>>().join("\n"),
        source: source(checker, fence, work, claims),
    };
    let known =
        |reply: &ValidatedReply| checks::known_once("claim", reply.claims.iter().map(|one| one.claim), &numbers);
    let complete =
        |reply: &ValidatedReply| checks::none_missing("claim", reply.claims.iter().map(|one| one.claim), &numbers);
    let must: [Check<'_, ValidatedReply>; 1] = [&known];
    let should: [Check<'_, ValidatedReply>; 1] = [&complete];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let reply = model
        .ask_part("points.validate", &inputs, checks, claims, parts)
        .await?;
    if let Some(reply) = &reply {
        let answered = reply.value.claims.iter().map(|one| one.claim);
        model.report_left_out("points.validate", answered, &numbers);
    }
    let answers = reply.map(|reply| reply.value.claims).unwrap_or_default();
    let of_claim = answers.into_iter().filter_map(|one| {
        let at = numbers.iter().position(|number| *number == one.claim)?;
        Some(((work, (*claims.get(at)?).to_owned()), one))
    });
    Ok(of_claim.collect())
}

/// New wordings of faulty sentences, by the old ones. Each one passes every rule, fits the part of the report that it is in, and was judged correct
/// against every source it cites.
async fn ask_rewording(
    model: &ModelAnalyst,
    checker: &SentenceChecker<'_>,
    fence: &Fence,
    analyses: &[Option<PointAnalysis>],
    faults: &BTreeMap<String, Fault>,
) -> Result<BTreeMap<String, String>> {
    let faulty: Vec<(ReportPart, &CitedSentence)> = sentences(analyses)
        .map(|((_, part, _), sentence)| (part, sentence))
        .filter(|(_, sentence)| faults.contains_key(&sentence.text))
        .collect();
    if faulty.is_empty() {
        return Ok(BTreeMap::new());
    }
    let numbers: Vec<u32> = (1..).zip(&faulty).map(|(number, _)| number).collect();
    let faults_shown = numbers.iter().zip(&faulty).map(|(number, (part, sentence))| {
        let fault = faults.get(&sentence.text);
        fence.wrap(&format!("sentence {number}"), &shown_fault(*part, sentence, fault))
    });
    let inputs = MendInputs {
        mark: fence.mark().to_owned(),
        sentences: faults_shown.collect::<Vec<_>>().join("\n"),
    };
    let known =
        |reply: &RewordedReply| checks::known_once("sentence", reply.lines.iter().map(|one| one.number), &numbers);
    let complete =
        |reply: &RewordedReply| checks::none_missing("sentence", reply.lines.iter().map(|one| one.number), &numbers);
    let must: [Check<'_, RewordedReply>; 1] = [&known];
    let should: [Check<'_, RewordedReply>; 1] = [&complete];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let Some(reply) = model.ask("points.correct", &inputs, checks).await? else {
        return Ok(BTreeMap::new());
    };
    // No sentence of the report says what another one says already.
    let mut printed: BTreeSet<String> = sentences(analyses).map(|(_, one)| folded(&one.text)).collect();
    let mut proposed: BTreeMap<String, String> = BTreeMap::new();
    for one in reply.value.lines {
        let old = numbers
            .iter()
            .position(|number| *number == one.number)
            .and_then(|at| faulty.get(at));
        let new = without_marks(&one_line(&one.text));
        if let Some((part, old)) = old
            && fits_part(*part, &old.text, &new)
            && checker.still_holds(&worded_anew(old, &new)).is_ok()
            && printed.insert(folded(&new))
        {
            proposed.insert(old.text.clone(), new);
        }
    }
    // Repaired sentences are judged like all others.
    let again: BTreeSet<(u32, String)> = faulty
        .iter()
        .filter_map(|(_, sentence)| Some((sentence, proposed.get(&sentence.text)?)))
        .flat_map(|(sentence, new)| sentence.citations.iter().map(move |one| (one.reference, new.clone())))
        .collect();
    let judged = check_against_sources(model, checker, fence, &again).await?;
    proposed.retain(|old, new| {
        let of_old = faulty.iter().filter(|(_, sentence)| sentence.text == *old);
        let mut citations = of_old.flat_map(|(_, sentence)| &sentence.citations);
        citations.all(|one| {
            let answer = judged.get(&(one.reference, new.clone()));
            answer.is_some_and(|answer| answer.verdict == Judgement::Correct)
        })
    });
    Ok(proposed)
}

/// A faulty sentence as it is shown for correction: its part of the report, what is wrong with it, and the words of the works that it cites.
fn shown_fault(part: ReportPart, sentence: &CitedSentence, fault: Option<&Fault>) -> String {
    let part = match part {
        ReportPart::Similarities => "similarities",
        ReportPart::Differences => "differences",
        ReportPart::Details => "details of the differences",
        _ => "claimed",
    };
    let mut words = format!("Sentence: {}\nPart: {part}", sentence.text);
    if let Some(fault) = fault {
        words.push_str(&format!("\nWrong: {}", fault.reason));
        if !fault.hint.is_empty() {
            words.push_str(&format!("\nThe work says: {}", fault.hint));
        }
    }
    for citation in &sentence.citations {
        words.push_str(&format!("\nWords of the work: {}", one_line(citation.quote.text())));
    }
    words
}

/// Removes sentences that the report already has, in the order of the report, and records each removal.
fn state_once(analyses: &mut [Option<PointAnalysis>], corrections: &mut Vec<Correction>) {
    let mut printed: BTreeSet<String> = BTreeSet::new();
    for (number, analysis) in (1..).zip(analyses.iter_mut()) {
        let Some(analysis) = analysis else { continue };
        for part in PARTS {
            part_of(analysis, part).retain(|sentence| {
                let is_new = printed.insert(folded(&sentence.text));
                if !is_new {
                    corrections.push(Correction {
                        point: Some(number),
                        part,
                        before: sentence.text.clone(),
                        after: None,
                        reason: "the report already has this sentence".to_owned(),
                        by: CorrectedBy::Rule,
                    });
                }
                is_new
            });
        }
    }
}

fn worded_anew(sentence: &CitedSentence, text: &str) -> CitedSentence {
    CitedSentence {
        text: text.to_owned(),
        citations: sentence.citations.clone(),
    }
}

fn reason(answer: &ClaimJudged, checker: &SentenceChecker<'_>, work: u32, claim: &str) -> String {
    let reply = one_line(&answer.reason);
    let sources: Vec<_> = checker
        .text(work)
        .into_iter()
        .chain([checker.material.target])
        .collect();
    match Prose::of(&sources).given([claim]).judging().check("it", &reply) {
        Ok(()) => reply,
        Err(_) => "the cited work does not support it".to_owned(),
    }
}

/// Every sentence with its position, in the order of the report.
fn sentences(analyses: &[Option<PointAnalysis>]) -> impl Iterator<Item = (SentencePosition, &CitedSentence)> {
    analyses
        .iter()
        .enumerate()
        .filter_map(|(point, analysis)| Some((point, analysis.as_ref()?)))
        .flat_map(|(point, analysis)| of_point(point, analysis))
}

fn of_point(point: usize, analysis: &PointAnalysis) -> impl Iterator<Item = (SentencePosition, &CitedSentence)> {
    let parts = [
        &analysis.claimed,
        &analysis.similarities,
        &analysis.differences,
        &analysis.details,
    ];
    PARTS
        .into_iter()
        .zip(parts)
        .flat_map(move |(part, all)| all.iter().enumerate().map(move |(at, one)| ((point, part, at), one)))
}

/// Every sentence with every work that it cites.
fn pairs(analyses: &[Option<PointAnalysis>]) -> Vec<(u32, String)> {
    let mut pairs = Vec::new();
    for (_, sentence) in sentences(analyses) {
        let works: BTreeSet<u32> = sentence.citations.iter().map(|one| one.reference).collect();
        pairs.extend(works.into_iter().map(|work| (work, sentence.text.clone())));
    }
    pairs
}

/// The passages of a work that are shown with claims about it: the most relevant ones, in reading order.
fn source(checker: &SentenceChecker<'_>, fence: &Fence, work: u32, claims: &[&str]) -> String {
    let title = checker
        .material
        .works
        .iter()
        .find(|one| one.number == work)
        .map(|one| one_line(&one.work.title))
        .unwrap_or_default();
    let Some(text) = checker.text(work) else {
        return fence.wrap("source", &title);
    };
    let spans = passages(text);
    let words: Vec<&str> = spans.iter().filter_map(|span| text.document().slice(*span)).collect();
    let entries: Vec<Entry<'_>> = words.iter().map(|text| Entry { title: "", text }).collect();
    let index = PassageIndex::new(&entries);
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    // The best passage of each claim first, so that no claim goes without.
    for rank in 0..=BESIDE {
        for claim in claims {
            let best = PassageIndex::best(&index.scores(claim), BESIDE + 1);
            if let Some(one) = best.get(rank).filter(|_| taken.len() < PASSAGES) {
                taken.insert(one.at);
            }
        }
    }
    if taken.is_empty() {
        taken.extend(0..spans.len().min(BESIDE + 1));
    }
    let excerpts = taken.iter().filter_map(|at| words.get(*at)).map(|text| one_line(text));
    fence.wrap(
        "source",
        &format!("{title}\n{}", excerpts.collect::<Vec<_>>().join("\n…\n")),
    )
}

/// Replaces exactly the faulty sentences with the repaired ones, removes those that could not be repaired, and records each change.
fn apply(
    analyses: &mut [Option<PointAnalysis>],
    faults: &BTreeMap<String, Fault>,
    mended: &BTreeMap<String, String>,
    corrections: &mut Vec<Correction>,
) {
    for (number, analysis) in (1..).zip(analyses.iter_mut()) {
        let Some(analysis) = analysis else { continue };
        for part in PARTS {
            let mut note = |before: &str, after: Option<String>, fault: &Fault| {
                corrections.push(Correction {
                    point: Some(number),
                    part,
                    before: before.to_owned(),
                    after,
                    reason: fault.reason.clone(),
                    by: fault.by,
                });
            };
            part_of(analysis, part).retain_mut(|sentence| {
                let Some(fault) = faults.get(&sentence.text) else {
                    return true;
                };
                let new = mended.get(&sentence.text).cloned();
                note(&sentence.text, new.clone(), fault);
                match new {
                    Some(new) => {
                        sentence.text = new;
                        true
                    }
                    None => false,
                }
            });
        }
        // Details of differences need a difference.
        if analysis.differences.is_empty() {
            for sentence in std::mem::take(&mut analysis.details) {
                corrections.push(Correction {
                    point: Some(number),
                    part: ReportPart::Details,
                    before: sentence.text,
                    after: None,
                    reason: "no difference is left that it could explain".to_owned(),
                    by: CorrectedBy::Rule,
                });
            }
        }
    }
}

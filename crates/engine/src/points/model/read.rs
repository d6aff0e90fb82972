use precedent_domain::{ContributionClass, ListedKind, Note, Paper, PointClass, QuotableDocument, Quote};
use precedent_language::wording::{first_words, without_marks};
use precedent_llm::{Check, Checks, Violation};
use precedent_text::one_line;
use serde::Serialize;

use super::answers::{PointReply, PointsReadReply};
use super::sentence::worded;
use crate::Result;
use crate::extract::ExtractedContribution;
use crate::extract::model::{SAME, claim_span, kept_span, say_the_same};
use crate::model::checks::Checked;
use crate::model::policy::{Worded, phrases};
use crate::model::prose::{Prose, is_phrase};
use crate::model::texts::running_text;
use crate::model::{ModelAnalyst, checks};
use crate::points::{MOST_POINTS, PointDraft, PointsReading, own_queries};

const NAME_WORDS: usize = 15;
/// Longest description of how a point works, and of its evidence, in words.
const HOW_WORDS: usize = 80;
const EVIDENCE_WORDS: usize = 60;
/// Maximum sentences of the summary.
const SUMMARY: usize = 8;

#[derive(Serialize)]
struct PointsReadInputs {
    mark: String,
    paper: String,
}

/// Reads what a paper presents as new.
pub(crate) async fn read_points(model: &ModelAnalyst, paper: &Paper, own: PointsReading) -> Result<PointsReading> {
    let answer = ask_points(model, paper, own.clone()).await?;
    Ok(model.printed(answer, || own))
}

/// The model's points whose claims are in the paper, or the program's if there are none, and the valid sentences of the model's summary.
async fn ask_points(model: &ModelAnalyst, paper: &Paper, own: PointsReading) -> Result<PointsReading> {
    let text = QuotableDocument::new(paper.document.clone());
    let title = paper.title.as_deref().unwrap_or_default();
    let words = format!("Title: {}\n{}", one_line(title), running_text(&paper.document));
    let fence = model.fence();
    let inputs = PointsReadInputs {
        mark: fence.mark().to_owned(),
        paper: fence.wrap("paper", &words),
    };
    let shape = |reply: &PointsReadReply| within_limits(reply);
    let located = |reply: &PointsReadReply| {
        let each = |one: &PointReply| claim_span(&text, &one.author_claim_text).map(|_| ());
        reply.points.iter().try_for_each(each)
    };
    let must: [Check<'_, PointsReadReply>; 1] = [&shape];
    let should: [Check<'_, PointsReadReply>; 1] = [&located];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let of = ListedKind::Points;
    let mut reading = own;
    let Some(reply) = model.ask("points.read", &inputs, checks).await? else {
        reading.notes.push(Note::NoList { of });
        return Ok(reading);
    };
    let reply = reply.value;
    let listed = reply.points.len();
    let mut points = drafts(&reply.points, &text, &reading.points);
    let dropped = listed - points.len();
    if dropped > 0 {
        reading.notes.push(Note::ListedDropped {
            of,
            dropped,
            listed,
            most_words: None,
        });
    }
    let located = points.len();
    points = once_each(points);
    if points.len() < located {
        let dropped = located - points.len();
        reading.notes.push(Note::ListedTwice { of, dropped });
    }
    if points.len() > MOST_POINTS {
        points.truncate(MOST_POINTS);
        let limit = MOST_POINTS;
        reading.notes.push(Note::ListedBeyondLimit { of, limit, listed });
    }
    match points.is_empty() {
        true => reading.notes.push(Note::NothingListedInText { of }),
        false => {
            reading.extraction.contributions = points.iter().map(contribution).collect();
            reading.points = points;
        }
    }
    summarised(&reply.summary, &text, &mut reading);
    Ok(reading)
}

/// Adds the sentences of the model's summary that pass the checks.
fn summarised(reply: &[String], text: &QuotableDocument, reading: &mut PointsReading) {
    for sentence in reply.iter().take(SUMMARY) {
        // The paper's own citation marks would be read as this report's.
        let sentence = without_marks(&one_line(sentence));
        let prose = Prose::of(&[text]).strict().judging();
        let holds = worded(&sentence).and_then(|()| prose.check("it", &sentence).map_err(|violation| violation.0));
        match holds {
            Ok(()) => reading.summary.push(sentence),
            Err(why) => reading.notes.push(Note::SummarySentenceRemoved { why: Some(why) }),
        }
    }
}

fn within_limits(reply: &PointsReadReply) -> Checked {
    if reply.points.is_empty() {
        return Err(Violation("there are no points".to_owned()));
    }
    for one in &reply.points {
        checks::title("a name", &one.name, 1, NAME_WORDS)?;
    }
    Ok(())
}

/// The points whose claims are in the paper, without overlaps.
fn drafts(reply: &[PointReply], text: &QuotableDocument, own: &[PointDraft]) -> Vec<PointDraft> {
    let mut drafts: Vec<PointDraft> = Vec::new();
    for one in reply {
        let claim = kept_span(text, &one.author_claim_text).and_then(|span| Quote::at(text.document(), span));
        let Some(claim) = claim else { continue };
        if drafts.iter().any(|other| other.claim.span().overlaps(claim.span())) {
            continue;
        }
        let same = own.iter().find(|known| {
            let places = std::iter::once(&known.claim).chain(&known.also_stated);
            places.into_iter().any(|place| place.span().overlaps(claim.span()))
        });
        drafts.push(PointDraft {
            name: one_line(&one.name),
            class: PointClass::from(one.kind),
            class_rule: None,
            also_stated: same.map_or_else(Vec::new, |same| {
                let places = std::iter::once(&same.claim).chain(&same.also_stated);
                places
                    .filter(|place| !place.span().overlaps(claim.span()))
                    .cloned()
                    .collect()
            }),
            said_of_it: same.map(|same| same.said_of_it.clone()).unwrap_or_default(),
            how: account(one.how.as_deref(), HOW_WORDS, text),
            evidence: account(one.evidence.as_deref(), EVIDENCE_WORDS, text),
            queries: same.map(|same| same.queries.clone()).unwrap_or_default(),
            claim,
        });
    }
    drafts
}

/// The points without those that state the same as one before them.
fn once_each(points: Vec<PointDraft>) -> Vec<PointDraft> {
    let mut kept: Vec<PointDraft> = Vec::new();
    for point in points {
        let same = |other: &PointDraft| say_the_same(other.claim.text(), point.claim.text(), SAME);
        if !kept.iter().any(same) {
            kept.push(point);
        }
    }
    kept
}

/// A model's description of a point if it is plain, short enough, and its figures are in the paper; otherwise empty.
fn account(reply: Option<&str>, most: usize, text: &QuotableDocument) -> String {
    let reply = without_marks(&one_line(reply.unwrap_or_default()));
    let holds =
        reply.split_whitespace().count() <= most && Prose::of(&[text]).strict().judging().check("it", &reply).is_ok();
    if holds { reply } else { String::new() }
}

/// A point in the form that the search uses.
fn contribution(point: &PointDraft) -> ExtractedContribution {
    ExtractedContribution {
        name: point.name.clone(),
        claim: point.claim.clone(),
        also_stated: point.also_stated.clone(),
        description: match point.how.is_empty() {
            true => one_line(point.claim.text()),
            false => point.how.clone(),
        },
        description_quotes: point.said_of_it.clone(),
        class: match point.class {
            PointClass::Methodological | PointClass::System => ContributionClass::Method,
            PointClass::Theoretical => ContributionClass::Theory,
            PointClass::Dataset => ContributionClass::Resource,
            PointClass::Empirical => ContributionClass::Finding,
            PointClass::Task => ContributionClass::Application,
        },
        topics: vec![point.name.clone()],
    }
}

/// Words of a claim that serve as its name if the model's name for it is a sentence.
const SHORT_NAME_WORDS: usize = 8;

impl Worded for PointsReading {
    fn without_sentences(mut self, own: Self) -> Self {
        for point in &mut self.points {
            let same = own.points.iter().find(|other| other.claim == point.claim);
            point.how = same.map(|same| same.how.clone()).unwrap_or_default();
            point.evidence = same.map(|same| same.evidence.clone()).unwrap_or_default();
            if !is_phrase(&point.name) {
                point.name = first_words(point.claim.text(), SHORT_NAME_WORDS).to_owned();
            }
            if !point.queries.is_empty() {
                let queries = own_queries(point, &self.extraction.coined);
                phrases(&mut point.queries, &queries);
            }
        }
        for (one, point) in self.extraction.contributions.iter_mut().zip(&self.points) {
            let mut same = own.extraction.contributions.iter();
            let same = same.find(|other| other.claim == one.claim);
            one.name.clone_from(&point.name);
            one.topics.retain(|topic| is_phrase(topic));
            one.description = same.map_or_else(|| one.claim.text().to_owned(), |same| same.description.clone());
        }
        Self {
            summary: own.summary,
            // A note may end with the words that it is about.
            notes: self.notes.iter().map(plainly).collect(),
            ..self
        }
    }
}

/// A note without words of the model.
fn plainly(note: &Note) -> Note {
    match note {
        Note::SummarySentenceRemoved { .. } => Note::SummarySentenceRemoved { why: None },
        other => other.clone(),
    }
}

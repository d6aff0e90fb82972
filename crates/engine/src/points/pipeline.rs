use std::collections::{BTreeMap, BTreeSet};

use futures_util::future::BoxFuture;
use precedent_domain::{
    Gap, NotSearched, Note, NoveltyScore, Paper, PartialDate, PointAnalysis, PointsReport, QuotableDocument,
    SentContent, SentRecord, WorkId,
};

use super::assemble::{Parts, assemble};
use super::base::{Base, base, report_base};
use super::limits::limits;
use super::material::{PointsJudged, PointsMaterial, PointsReading};
use super::model;
use super::read::read;
use super::retrieve::{Found, retrieve};
use super::texts::full_texts;
use crate::compare::field_not_covered;
use crate::compare::{ComparisonSet, Prior, coverage};
use crate::extract::running_words;
use crate::model::model_incomplete;
use crate::retrieve::passages::PassageModels;
use crate::retrieve::search::{dated, looks_up_references};
use crate::world::Stage;
use crate::{EngineError, Result, World};

const JUDGE: Stage = Stage {
    name: "points.judge",
    version: 3,
};
const LOOK: Stage = Stage {
    name: "points.passages",
    version: 4,
};
/// Default number of works in the base, including the paper (NoveltyAgent, 3.1).
pub(super) const CAPACITY: usize = 200;

/// Options of a points report.
#[derive(Clone)]
pub struct PointsOptions {
    /// The date by which the paper is judged, instead of its own.
    pub as_of: Option<PartialDate>,
    /// Maximum number of works in the base, including the paper. The paper's own references are all kept.
    pub capacity: usize,
    /// Models that rank passages instead of the built-in method.
    pub models: PassageModels,
}

impl Default for PointsOptions {
    fn default() -> Self {
        Self {
            as_of: None,
            capacity: CAPACITY,
            models: PassageModels::default(),
        }
    }
}

/// Compares a paper's contributions with the literature, point by point (NoveltyAgent). The same paper, options and world give the same report, byte
/// for byte.
///
/// # Errors
/// If the paper contains no text, no source answers, or the ledger or the analyst fails.
pub fn points<'a>(
    paper: &'a Paper,
    options: &'a PointsOptions,
    world: &'a World,
) -> BoxFuture<'a, Result<PointsReport>> {
    Box::pin(async move { Ok(points_and_matches(paper, options, world).await?.0) })
}

/// A points report and, for each point, the earlier works that contain its claim nearly word for word.
pub(crate) fn points_and_matches<'a>(
    paper: &'a Paper,
    options: &'a PointsOptions,
    world: &'a World,
) -> BoxFuture<'a, Result<(PointsReport, Vec<BTreeSet<WorkId>>)>> {
    Box::pin(async move {
        if running_words(paper) == 0 {
            return Err(EngineError::EmptyPaper);
        }
        let world = &world.for_paper(paper);
        world.begin_calls([paper.document.text.as_str()]);
        let as_of = dated(paper, options.as_of, world).await?;
        let reading = read(paper, world).await?;
        let mut base = base(paper, &reading, as_of.as_ref(), options.capacity, world).await?;
        full_texts(&mut base, paper, &reading, world).await?;
        report_base(&base, world);
        let prepared = PreparedTexts::of(paper, &base, world);
        let (found, not_covered) = look(&prepared, paper, &reading, &base, &options.models, world).await?;
        let mut judged = judge(paper, &prepared, &reading, &found, world).await?;
        let mut notes = withhold(&mut judged, &found);
        notes.extend(nothing_survived(&judged));
        let mut reading = reading;
        reading.notes.extend(notes);
        let mut not_searched = limits(paper, &reading, as_of.as_ref(), &base, world);
        let after = 1.min(not_searched.len());
        let unordered = found.failed.iter().cloned().map(NotSearched::from);
        not_searched.splice(after..after, not_covered.into_iter().chain(unordered));
        not_searched.splice(0..0, model_incomplete(world));
        let ordered_by = found.ordered_by.clone();
        let matches = found.word_for_word.clone();
        let asked = sent_to_models(&options.models.names(), world).await?;
        let parts = Parts {
            paper,
            reading,
            base,
            capacity: options.capacity,
            found,
            judged,
            as_of,
            not_searched,
            ordered_by,
            asked,
        };
        Ok((assemble(parts, world), matches))
    })
}

/// The prepared texts of the paper and of the base.
struct PreparedTexts {
    target: QuotableDocument,
    texts: Vec<QuotableDocument>,
    /// How many of the paper's references the sources hold, if every one was looked up.
    references_held: Option<usize>,
}

impl PreparedTexts {
    fn of(paper: &Paper, base: &Base, world: &World) -> Self {
        Self {
            references_held: looks_up_references(&world.sources).then_some(base.found_references),
            target: QuotableDocument::new(paper.document.clone()),
            texts: base
                .texts
                .iter()
                .map(|text| QuotableDocument::new(text.document.clone()))
                .collect(),
        }
    }

    /// The passages of each point, and a warning if the searched sources do not cover the paper's field.
    fn look(
        &self,
        paper: &Paper,
        reading: &PointsReading,
        base: &Base,
        models: PassageModels,
    ) -> (Found, Option<NotSearched>) {
        let priors = Prior::all(&base.candidates, &self.texts);
        let set = ComparisonSet::new(paper, &self.target, &priors).with_references_held(self.references_held);
        let found = retrieve(&reading.points, base, &self.texts, &set, models);
        (found, coverage(&set).as_ref().and_then(field_not_covered))
    }
}

/// Runs [`PreparedTexts::look`] and caches the results of models, which may be remote and need not return the same answer again.
async fn look(
    prepared: &PreparedTexts,
    paper: &Paper,
    reading: &PointsReading,
    base: &Base,
    models: &PassageModels,
    world: &World,
) -> Result<(Found, Option<NotSearched>)> {
    if models.is_none() {
        return Ok(prepared.look(paper, reading, base, PassageModels::default()));
    }
    let texts: Vec<&str> = base.texts.iter().map(|text| text.document.text.as_str()).collect();
    let works: Vec<_> = base.candidates.iter().map(|one| (&one.work.id, one.number)).collect();
    let input = (&reading.points, works, texts, models.names());
    let work = async {
        // Models may block, so they run on a separate thread.
        let apart = std::thread::scope(|scope| {
            let thread = scope.spawn(|| prepared.look(paper, reading, base, models.clone()));
            thread.join()
        });
        Ok(apart.unwrap_or_else(|_| {
            let (mut found, not_covered) = prepared.look(paper, reading, base, PassageModels::default());
            let (embedder, reranker) = models.names();
            let failed = embedder.into_iter().chain(reranker);
            found.failed.extend(failed.map(|model| Gap::RankingModelFailed {
                model,
                failure: "its thread ended without an answer".to_owned(),
            }));
            (found, not_covered)
        }))
    };
    let lasts = |(found, _): &(Found, Option<NotSearched>)| found.failed.is_empty();
    world.stage_where(LOOK, &input, lasts, work).await
}

/// What was sent to remote models that rank passages.
async fn sent_to_models(names: &(Option<String>, Option<String>), world: &World) -> Result<Vec<SentRecord>> {
    let names: Vec<&String> = names.0.iter().chain(&names.1).collect();
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let all = world.ledger.everything_sent().await;
    let all = all.map_err(|source| EngineError::Ledger {
        stage: LOOK.name,
        source,
    })?;
    let mut by_host: BTreeMap<String, SentRecord> = BTreeMap::new();
    for sent in all.into_iter().filter(|sent| names.contains(&&sent.who)) {
        let one = by_host.entry(sent.host.clone()).or_insert_with(|| SentRecord {
            what: String::new(),
            host: sent.host,
            requests: 0,
            bytes: 0,
            content: Some(SentContent::Passages),
        });
        one.requests += 1;
        one.bytes += sent.bytes_out;
    }
    Ok(by_host.into_values().collect())
}

/// Removes innovations that an earlier work states nearly word for word, whoever judged them. If none is left, a score of 3 or 4 is withheld. Returns
/// notes on both.
fn withhold(judged: &mut PointsJudged, found: &Found) -> Vec<Note> {
    let known = || {
        (1..).zip(&found.word_for_word).filter_map(|(number, matches)| {
            let first = found.works.iter().find(|one| matches.contains(&one.work.id))?;
            Some((number, &first.work.title))
        })
    };
    let mut notes: Vec<Note> = known()
        .map(|(point, title)| Note::PointKnown {
            point,
            title: title.clone(),
        })
        .collect();
    let Some(summary) = &mut judged.novelty_summary else {
        return notes;
    };
    let before = summary.innovations.len();
    summary
        .innovations
        .retain(|one| known().all(|(number, _)| number != one.point));
    let fits = !summary.innovations.is_empty() || matches!(summary.score, NoveltyScore::Fair | NoveltyScore::Poor);
    if before > summary.innovations.len() && !fits {
        judged.novelty_summary = None;
        notes.push(Note::NotScored);
    }
    notes
}

/// The note on a missing score if the model compared points and no sentence of a comparison is left.
fn nothing_survived(judged: &PointsJudged) -> Option<Note> {
    let mut compared = judged.analyses.iter().flatten().peekable();
    let any = compared.peek().is_some();
    (any && !compared.any(PointAnalysis::compares)).then_some(Note::NoComparisonSurvived)
}

/// Compares each point and draws the conclusion; empty without a model.
async fn judge(
    paper: &Paper,
    prepared: &PreparedTexts,
    reading: &PointsReading,
    found: &Found,
    world: &World,
) -> Result<PointsJudged> {
    let nothing = PointsJudged::nothing(reading.points.len());
    let Some(model) = &world.model else {
        return Ok(nothing);
    };
    let material = PointsMaterial {
        paper,
        target: &prepared.target,
        reading,
        found: &found.points,
        passages: &found.passages,
        works: &found.works,
        texts: &prepared.texts,
    };
    let input = (&paper.origin.sha256, reading, &found.points, &found.passages);
    world
        .stage(JUDGE, &input, model::judge_points(model, material, nothing))
        .await
}

use std::sync::Arc;

use crate::runs::{RunRequest, RunStatus};
use precedent_engine::domain::{GroupRanking, IdeaReview, PartialDate};
use precedent_engine::idea::Idea;
use precedent_engine::rank::{IdeaOfGroup, rank};
use precedent_engine::retrieve::search::as_of;
use precedent_engine::review::{ReviewInput, ReviewOptions, review};
use precedent_engine::{EngineError, World};
use precedent_report::InWords;

use super::rank_input::{ideas, options, paths};
use super::{review_files, review_input};
use crate::observer::Messages;
use crate::run::{Run, status_of_answers};
use crate::text::{counted, plain};
use crate::{AppError, Observer};

/// Reviews the ideas if there is something to search, ranks them, and writes the reports.
pub(super) fn work(run: &mut Run) -> Result<GroupRanking, AppError> {
    let request = run.manifest.request.clone();
    let options = options(&request)?;
    let mut ideas = ideas(&request, &*run.events)?;
    let texts: Vec<&str> = ideas.iter().map(|one| one.idea.text.as_str()).collect();
    let sha256 = Idea::new(&texts.join("\0")).sha256();
    run.note_input(&sha256, Some(&counted(ideas.len(), "idea")), "input")?;
    let reviewing = reviewing(run, &request)?;
    let events = Arc::clone(&run.events);
    if let Some((inputs, reviewing)) = &reviewing {
        warn_of_dates(inputs, reviewing.as_of, &*events);
    }
    let found = run.in_worlds(async |new| {
        if let Some((inputs, reviewing)) = &reviewing {
            for (at, (one, input)) in ideas.iter_mut().zip(inputs).enumerate() {
                events.note(&format!("reviewing idea {} of {}", at + 1, inputs.len()));
                let found = reviewed(input, reviewing, &new()).await?;
                if found.knowledge.is_empty() {
                    let name = plain(&one.name);
                    events.warning(&format!("no document was found for {name}; its review has no evidence"));
                }
                one.review = Some(Box::new(found));
            }
        }
        rank(&ideas, &options, &new()).await
    })?;
    run.write_reports(&found)?;
    write_reviews(run, &found, &ideas)?;
    run.manifest.models.clone_from(&found.models);
    Ok(found)
}

/// What each review works with, in the order of the ideas; `None` if the judge sees only the texts.
fn reviewing(run: &Run, request: &RunRequest) -> Result<Option<(Vec<ReviewInput>, ReviewOptions)>, AppError> {
    if request.review.is_none() {
        return Ok(None);
    }
    let mut inputs = Vec::new();
    for path in paths(request) {
        let (input, warnings) = review_input::input_at(path)?;
        run.pass_on(&warnings);
        inputs.push(input);
    }
    let options = review_input::options_of_run(run)?;
    Ok(Some((inputs, options)))
}

/// The review of one idea. A review that the budget cut short would give another ranking after resuming, so it ends the run.
async fn reviewed(input: &ReviewInput, options: &ReviewOptions, world: &World) -> Result<IdeaReview, EngineError> {
    let mut found = review(input, options, world).await?;
    if world.model.as_ref().is_some_and(|model| model.log().is_over_budget()) {
        return Err(EngineError::OverBudget {
            what: "review the ideas",
        });
    }
    found.put_in_words();
    Ok(found)
}

/// Ideas with different cutoff dates are compared with different prior work.
fn warn_of_dates(inputs: &[ReviewInput], given: Option<PartialDate>, events: &dyn Observer) {
    let date = |one: &ReviewInput| match one {
        ReviewInput::Paper(paper) => as_of(paper, given).map(|as_of| as_of.date),
        ReviewInput::Idea(_) => given,
    };
    let first = inputs.first().map(date);
    if inputs.iter().any(|one| Some(date(one)) != first) {
        events.warning("the ideas have different cutoff dates; set one date for all with --as-of");
    }
}

/// Writes the review of each idea under the number of the idea in the ranking.
fn write_reviews(run: &mut Run, found: &GroupRanking, ideas: &[IdeaOfGroup]) -> Result<(), AppError> {
    let formats = review_files::formats(&run.manifest.request.formats);
    for one in &found.ideas {
        let same = ideas
            .iter()
            .find(|idea| idea.name == one.name && idea.idea.sha256() == one.sha256);
        let Some(review) = same.and_then(|idea| idea.review.as_deref()) else {
            continue;
        };
        let number = usize::try_from(one.number).unwrap_or(usize::MAX);
        let files = review_files::write(review, number, &formats, |name, bytes| run.write(name, bytes))?;
        run.manifest.files.extend(files);
    }
    Ok(())
}

/// Status of a run with this outcome. If no review found a document, nothing was searched.
pub(super) fn status(found: &GroupRanking) -> RunStatus {
    let mut reviews = found.ideas.iter().filter_map(|one| one.review.as_ref()).peekable();
    match reviews.peek().is_some() && reviews.all(|review| review.documents == 0) {
        true => RunStatus::NothingSearched,
        false => status_of_answers(&found.models),
    }
}

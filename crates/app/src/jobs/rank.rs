use std::sync::Arc;

use precedent_engine::domain::{GroupRanking, IdeaReview};
use precedent_engine::idea::Idea;
use precedent_engine::rank::{IdeaOfGroup, rank};
use precedent_engine::review::{ReviewInput, ReviewOptions, review};
use precedent_engine::runs::{RunRequest, RunStatus};
use precedent_engine::{EngineError, World};
use precedent_report::{InWords, render};

use super::rank_input::{ideas, options, paths};
use super::review_input;
use crate::observer::Messages;
use crate::run::{Run, status_of_answers};
use crate::text::counted;
use crate::{AppError, ErrorKind, Observer};

/// The formats of the reviews. A PDF is printed only of the ranking.
const REVIEW_FORMATS: [&str; 3] = ["json", "md", "html"];

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
    let found = run.in_worlds(async |new| {
        if let Some((inputs, reviewing)) = &reviewing {
            for (at, (one, input)) in ideas.iter_mut().zip(inputs).enumerate() {
                events.note(&format!("reviewing idea {} of {}", at + 1, inputs.len()));
                one.review = Some(Box::new(reviewed(input, reviewing, &new()).await?));
            }
            warn_of_dates(&ideas, &*events);
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
    let options = review_input::options(request, &run.folder.index_path(), true)?;
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
fn warn_of_dates(ideas: &[IdeaOfGroup], events: &dyn Observer) {
    let date = |one: &IdeaOfGroup| {
        let review = one.review.as_ref()?;
        review.metadata.as_of.as_ref().map(|as_of| as_of.date)
    };
    let first = ideas.first().map(date);
    if ideas.iter().any(|one| Some(date(one)) != first) {
        events.warning("the ideas have different cutoff dates; set one date for all with --as-of");
    }
}

/// Writes the review of each idea under the number of the idea in the ranking.
fn write_reviews(run: &mut Run, found: &GroupRanking, ideas: &[IdeaOfGroup]) -> Result<(), AppError> {
    for one in &found.ideas {
        let same = ideas
            .iter()
            .find(|idea| idea.name == one.name && idea.idea.sha256() == one.sha256);
        let Some(review) = same.and_then(|idea| idea.review.as_deref()) else {
            continue;
        };
        for format in run.manifest.request.formats.clone() {
            if REVIEW_FORMATS.contains(&format.as_str()) {
                let bytes = render(review, &format).map_err(|error| AppError::new(ErrorKind::Bug, error))?;
                let file = run.write(&format!("review-{}.{format}", one.number), &bytes)?;
                run.manifest.files.push(file);
            }
        }
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

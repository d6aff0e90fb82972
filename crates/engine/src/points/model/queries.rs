use precedent_llm::{Check, Checks, Violation};
use serde::Serialize;

use super::answers::PointQueriesSaid;
use super::shown;
use crate::Result;
use crate::model::{ModelAnalyst, checks};
use crate::passages::filled_up;
use crate::points::{PointsReading, own_queries};

/// Fewest queries of a point that are filled up; with fewer, the request is repeated (NoveltyAgent, public code).
const FEWEST: usize = 3;

/// Longest query, in words: two more than the prompt requests.
const QUERY_WORDS: usize = 8;

#[derive(Serialize)]
struct PointQueriesInputs {
    mark: String,
    points: String,
}

/// Adds queries to the points.
pub(crate) async fn word_points(model: &ModelAnalyst, reading: PointsReading) -> Result<PointsReading> {
    let answer = ask_queries(model, reading.clone()).await?;
    Ok(model.printed(answer, || reading))
}

/// The points with the model's queries, filled up with their own.
async fn ask_queries(model: &ModelAnalyst, mut reading: PointsReading) -> Result<PointsReading> {
    let coined = reading.extraction.coined.clone();
    for point in reading.points.iter_mut().filter(|point| point.queries.is_empty()) {
        point.queries = own_queries(point, &coined);
    }
    if reading.points.is_empty() {
        return Ok(reading);
    }
    let fence = model.fence();
    let fenced: Vec<String> = (1..)
        .zip(&reading.points)
        .map(|(number, point)| shown::point(&fence, number, point))
        .collect();
    let inputs = PointQueriesInputs {
        mark: fence.mark().to_owned(),
        points: fenced.join("\n"),
    };
    let numbers: Vec<u32> = (1..).zip(&reading.points).map(|(number, _)| number).collect();
    let known = |said: &PointQueriesSaid| {
        checks::known_once("point", said.points.iter().map(|one| one.point), &numbers)?;
        match said
            .points
            .iter()
            .find(|one| one.key_words.len() + one.phrases.len() < FEWEST)
        {
            Some(one) => Err(Violation(format!(
                "point {} has fewer than {FEWEST} queries",
                one.point
            ))),
            None => Ok(()),
        }
    };
    let complete =
        |said: &PointQueriesSaid| checks::none_missing("point", said.points.iter().map(|one| one.point), &numbers);
    let must: [Check<'_, PointQueriesSaid>; 1] = [&known];
    let should: [Check<'_, PointQueriesSaid>; 1] = [&complete];
    let checks = Checks {
        must: &must,
        should: &should,
    };
    let Some(said) = model.ask("points.queries", &inputs, checks).await? else {
        return Ok(reading);
    };
    for one in said.value.points {
        let at = usize::try_from(one.point).ok().and_then(|number| number.checked_sub(1));
        if let Some(point) = at.and_then(|at| reading.points.get_mut(at)) {
            let all: Vec<String> = one
                .key_words
                .iter()
                .chain(&one.phrases)
                .filter(|query| checks::title("a query", query, 1, QUERY_WORDS).is_ok())
                .cloned()
                .collect();
            point.queries = filled_up(&all, &point.queries);
        }
    }
    Ok(reading)
}

use precedent_llm::{Check, Checks, Violation};
use serde::Serialize;

use super::answers::{PointQueriesReply, QueriesOfPoint};
use super::shown;
use crate::Result;
use crate::model::asker::Parts;
use crate::model::{ModelAnalyst, checks};
use crate::points::{PointsReading, own_queries};
use crate::retrieve::passages::filled_up;

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
    let numbers: Vec<u32> = (1..).zip(&reading.points).map(|(number, _)| number).collect();
    let (mut parts, mut answers) = (Parts::of(&numbers), Vec::new());
    while let Some(part) = parts.next() {
        let own = (1..).zip(&reading.points).zip(&numbers);
        let own = own.filter(|(_, number)| part.contains(number));
        let fenced: Vec<String> = own.map(|((at, point), _)| shown::point(&fence, at, point)).collect();
        let inputs = PointQueriesInputs {
            mark: fence.mark().to_owned(),
            points: fenced.join("\n"),
        };
        let known = |reply: &PointQueriesReply| {
            checks::known_once("point", reply.points.iter().map(|one| one.point), part)?;
            let few = |one: &&QueriesOfPoint| one.key_words.len() + one.phrases.len() < FEWEST;
            match reply.points.iter().find(few) {
                Some(one) => Err(Violation(format!(
                    "point {} has fewer than {FEWEST} queries",
                    one.point
                ))),
                None => Ok(()),
            }
        };
        let complete =
            |reply: &PointQueriesReply| checks::none_missing("point", reply.points.iter().map(|one| one.point), part);
        let must: [Check<'_, PointQueriesReply>; 1] = [&known];
        let should: [Check<'_, PointQueriesReply>; 1] = [&complete];
        let checks = Checks {
            must: &must,
            should: &should,
        };
        let reply = model
            .ask_part("points.queries", &inputs, checks, part, &mut parts)
            .await?;
        if let Some(reply) = &reply {
            let answered = reply.value.points.iter().map(|one| one.point);
            model.report_left_out("points.queries", answered, part);
        }
        answers.extend(reply.into_iter().flat_map(|reply| reply.value.points));
    }
    for one in answers {
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

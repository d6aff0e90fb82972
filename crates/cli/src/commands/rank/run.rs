use std::path::PathBuf;

use precedent_app::{AppError, Input, Job, RankJob, Request, ReviewJob};
use precedent_engine::domain::{GroupRanking, RankingOutcome};
use precedent_engine::review::review_defaults;
use precedent_report::{position_interval, ranking_tests, why_unranked};

use super::arguments::{CompareArguments, RankArguments, RankingArguments};
use crate::ExitCode;
use crate::commands::job::{self, ExecutionMode};
use crate::printer::{Printer, plain};

/// `precedent rank`.
pub(in crate::commands) fn rank(typed: RankArguments, printer: Printer) -> Result<ExitCode, AppError> {
    run(typed.ideas, typed.how, printer)
}

/// `precedent compare`.
pub(in crate::commands) fn compare(typed: CompareArguments, printer: Printer) -> Result<ExitCode, AppError> {
    run(vec![typed.one, typed.other], typed.how, printer)
}

fn run(mut ideas: Vec<PathBuf>, typed: RankingArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let others = ideas.split_off(1);
    let reviewing = typed.reviewing;
    let review = ReviewJob {
        dimensions: typed.judging.dimensions.clone(),
        personas: reviewing.personas,
        required_personas: reviewing.required_personas,
        board: reviewing.board,
        rounds: reviewing.rounds,
        keep: reviewing.keep,
        oversample: review_defaults::OVERSAMPLE,
        alpha_percent: review_defaults::ALPHA,
        as_published: false,
        embedder: None,
        reranker: reviewing.reranking.reranker,
        reranker_url: reviewing.reranking.reranker_url,
    };
    let job = Job::Rank(RankJob {
        others,
        dimensions: typed.judging.dimensions,
        draws: typed.judging.draws,
        review: (!reviewing.text_only).then_some(review),
    });
    let request = Request {
        corpora: match reviewing.text_only && !reviewing.corpus.is_explicit() {
            true => Vec::new(),
            false => reviewing.corpus.corpora,
        },
        sources: reviewing.sources.names,
        refresh: reviewing.refresh,
        as_of: reviewing.as_of,
        formats: typed.formats,
        seed: typed.judging.seed,
        model: (&typed.model).into(),
        send_nothing: typed.estimate || typed.replay,
        ..Request::new(job, Input::File(ideas.remove(0)))
    };
    let how = ExecutionMode {
        replay: typed.replay,
        json: typed.json,
        allow_fallback: typed.model.allow_fallback,
        open: typed.open,
    };
    job::start(&request, typed.out, typed.estimate, how, printer)
}

/// The ranking in a few lines.
pub(in crate::commands) fn summary(found: &GroupRanking) -> String {
    let name = |number: &u32| {
        let idea = found.ideas.iter().find(|one| one.number == *number);
        plain(idea.map_or("", |one| one.name.as_str()))
    };
    let mut lines = Vec::new();
    match &found.overall.outcome {
        RankingOutcome::Ranked { places } => {
            let mut next = 1;
            for place in places {
                match found.overall.intervals.is_empty() {
                    true => {
                        let names: Vec<String> = place.iter().map(name).collect();
                        lines.push(format!("{next:>3}  {}", names.join(" and ")));
                    }
                    false => lines.extend(place.iter().map(|number| {
                        let interval = position_interval(&found.overall, *number).unwrap_or_default();
                        format!("{next:>3}  {} (position {interval})", name(number))
                    })),
                }
                next += place.len();
            }
        }
        outcome => lines.push(format!("no ranking: {}", why_unranked(outcome))),
    }
    for one in &found.dimensions {
        let order = match &one.standing.outcome {
            RankingOutcome::Ranked { places } => {
                let place = |numbers: &Vec<u32>| numbers.iter().map(name).collect::<Vec<_>>().join(" = ");
                places.iter().map(place).collect::<Vec<_>>().join(" > ")
            }
            outcome => format!("no ranking: {}", why_unranked(outcome)),
        };
        lines.push(format!("  {:<14} {order}", plain(&one.name)));
    }
    lines.extend(ranking_tests(found).into_iter().map(|line| format!("  {line}")));
    lines.push(String::new());
    lines.join("\n")
}

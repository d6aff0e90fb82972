use std::path::PathBuf;

use precedent_app::{AppError, Input, Job, RankJob, Request};
use precedent_engine::domain::{GroupRanking, RankingOutcome};

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
    let job = Job::Rank(RankJob {
        others,
        dimensions: typed.judging.dimensions,
        draws: typed.judging.draws,
    });
    let request = Request {
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
                let names: Vec<String> = place.iter().map(name).collect();
                lines.push(format!("{next:>3}  {}", names.join(" and ")));
                next += place.len();
            }
        }
        _ => lines.push("no ranking: the answers follow the order of presentation".to_owned()),
    }
    for one in &found.dimensions {
        let order = match &one.standing.outcome {
            RankingOutcome::Ranked { places } => {
                let place = |numbers: &Vec<u32>| numbers.iter().map(name).collect::<Vec<_>>().join(" = ");
                places.iter().map(place).collect::<Vec<_>>().join(" > ")
            }
            _ => "no ranking: the answers follow the order of presentation".to_owned(),
        };
        lines.push(format!("  {:<14} {order}", plain(&one.name)));
    }
    let usable = found.orders.iter().filter(|one| one.answer.is_some()).count();
    lines.push(format!(
        "  {usable} of {} orders answered; answers agree on {:.0} % of the pairs, {:.0} % follow the order of presentation (chance: 50 %)",
        found.orders.len(),
        found.overall.agreement * 100.0,
        found.overall.follows_position * 100.0
    ));
    lines.push(String::new());
    lines.join("\n")
}

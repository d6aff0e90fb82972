use std::path::{Path, PathBuf};
use std::time::Instant;

use precedent_app::encoders::{self, ChosenEncoders};
use precedent_app::{AppError, ErrorKind};
use precedent_engine::corpus::evaluation::{
    DEEPEST, Half, Interval, JudgedQuery, JudgedSet, Measure, Measures, interval,
};
use precedent_engine::corpus::{Corpus, Ranking, Refiner, SearchOptions};
use precedent_engine::library;
use serde::Serialize;

use crate::ExitCode;
use crate::args::{BenchArguments, BenchCommand, RankingChoice, RetrievalArguments, SetHalf};
use crate::printer::{Printer, plain};

/// Number of results of a timed query.
const TIMED_DEPTH: usize = 50;
/// Seed of the resampling.
const SEED: u64 = 1;

/// `precedent bench …`.
pub(super) fn run(typed: &BenchArguments, printer: Printer) -> Result<ExitCode, AppError> {
    match &typed.command {
        BenchCommand::Retrieval(typed) => retrieval(typed, printer),
        BenchCommand::Idea(typed) => super::bench_idea::run(typed, printer),
        BenchCommand::InnoEval(typed) => super::bench_innoeval::run(typed, printer),
    }
}

/// Results of one search method on one set.
#[derive(Debug, Serialize)]
struct MethodResults {
    set: String,
    ranking: RankingChoice,
    /// Models that reranked the candidates.
    #[serde(skip_serializing_if = "Option::is_none")]
    models: Option<String>,
    queries: usize,
    measures: Vec<BenchOutput>,
    /// Milliseconds per query for the top 50, on the second run of each query, one query at a time.
    median_ms: f64,
    p99_ms: f64,
    /// Difference to the second ranking (this minus that), paired by query.
    #[serde(skip_serializing_if = "Option::is_none")]
    against: Option<Against>,
}

#[derive(Debug, Serialize)]
struct Against {
    ranking: RankingChoice,
    differences: Vec<BenchOutput>,
}

#[derive(Debug, Serialize)]
struct BenchOutput {
    measure: &'static str,
    #[serde(flatten)]
    interval: Interval,
}

/// Measures of one ranking for each query.
struct Measured {
    measures: Vec<Measures>,
    times: Vec<f64>,
}

fn retrieval(typed: &RetrievalArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let input = |error| AppError::new(ErrorKind::Input, error);
    let models = ChosenEncoders::open(&(&typed.refine).into())?;
    let scratch = tempfile::tempdir().map_err(|error| AppError::new(ErrorKind::Bug, error))?;
    for (number, dir) in typed.sets.iter().enumerate() {
        let set = JudgedSet::read(dir).map_err(input)?;
        let path = works(&set, typed.corpus.as_deref(), dir)?;
        let place = scratch.path().join(number.to_string());
        let (corpus, _) = library::open(&path, &place).map_err(AppError::from)?;
        let asked: Vec<&JudgedQuery> = set
            .queries
            .iter()
            .filter(|query| match typed.half {
                SetHalf::All => true,
                SetHalf::Tuning => query.half() == Half::Tuning,
                SetHalf::HeldOut => query.half() == Half::HeldOut,
            })
            .collect();
        if asked.is_empty() {
            let message = format!("{} has no query with a relevant paper", dir.display());
            return Err(AppError::with_message(ErrorKind::Input, message));
        }
        if !corpus.has_vectors() {
            printer.note("this corpus has no vectors, so hybrid ranking uses words only");
        }
        let refiner = models.as_ref().map(|models| models.refiner(&corpus));
        let way = |ranking, refiner| Way {
            ranking,
            exact: typed.exact,
            refiner,
        };
        let one = measure(&corpus, &asked, &way(typed.ranking, refiner.as_ref()))?;
        let other = match typed.against {
            Some(ranking) => Some((ranking, measure(&corpus, &asked, &way(ranking, None))?)),
            None => None,
        };
        let mut outcome = outcome(&set.name, typed.ranking, one, other);
        outcome.models = refiner.map(|refiner| refiner.name());
        if typed.json {
            printer.json(&outcome)?;
        } else {
            printer.data(&readable(&outcome));
        }
    }
    Ok(ExitCode::Done)
}

/// The papers to search: the set's own, or else the given corpus.
fn works(set: &JudgedSet, named: Option<&Path>, dir: &Path) -> Result<PathBuf, AppError> {
    set.works.clone().or_else(|| named.map(Path::to_owned)).ok_or_else(|| {
        let message = format!("{} contains no papers", dir.display());
        AppError::with_message(ErrorKind::Usage, message).hint("choose their corpus with --corpus")
    })
}

/// A search method.
struct Way<'a> {
    ranking: RankingChoice,
    exact: bool,
    refiner: Option<&'a Refiner>,
}

fn measure(corpus: &Corpus, asked: &[&JudgedQuery], way: &Way<'_>) -> Result<Measured, AppError> {
    let mut measured = Measured {
        measures: Vec::new(),
        times: Vec::new(),
    };
    for query in asked {
        let options = SearchOptions {
            exclude: query.exclude.clone(),
            ranking: way.ranking.into(),
            exact: way.exact,
            ..SearchOptions::top(DEEPEST)
        };
        let found = encoders::search(corpus, way.refiner, &query.text, &options)?;
        let hits: Vec<bool> = found
            .iter()
            .map(|found| query.relevant.contains(found.id.as_str()))
            .collect();
        measured.measures.push(Measures::of(&hits, query.relevant.len()));
        let options = SearchOptions {
            limit: TIMED_DEPTH,
            ..options
        };
        let began = Instant::now();
        encoders::search(corpus, way.refiner, &query.text, &options)?;
        measured.times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    measured.times.sort_by(f64::total_cmp);
    Ok(measured)
}

fn outcome(
    set: &str,
    ranking: RankingChoice,
    one: Measured,
    other: Option<(RankingChoice, Measured)>,
) -> MethodResults {
    let of = |measures: &[Measures], measure: Measure| -> Vec<f64> {
        measures.iter().map(|measures| measures.get(measure)).collect()
    };
    let shown = |measure: Measure, values: &[f64]| BenchOutput {
        measure: measure.name(),
        interval: interval(values, SEED),
    };
    let at = |part: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a share of a count"
        )]
        let place = ((one.times.len() - 1) as f64 * part).round() as usize;
        one.times.get(place).copied().unwrap_or_default()
    };
    MethodResults {
        set: set.to_owned(),
        ranking,
        models: None,
        queries: one.measures.len(),
        measures: Measure::ALL
            .map(|measure| shown(measure, &of(&one.measures, measure)))
            .into(),
        median_ms: at(0.5),
        p99_ms: at(0.99),
        against: other.map(|(ranking, other)| Against {
            ranking,
            differences: Measure::ALL
                .map(|measure| {
                    let pairs = of(&one.measures, measure).into_iter().zip(of(&other.measures, measure));
                    shown(measure, &pairs.map(|(one, other)| one - other).collect::<Vec<_>>())
                })
                .into(),
        }),
    }
}

fn readable(outcome: &MethodResults) -> String {
    let mut lines = vec![format!(
        "{}: {} queries, {}{}, query time {:.1} ms (median), {:.1} ms (99th percentile)",
        plain(&outcome.set),
        outcome.queries,
        outcome.ranking.name(),
        outcome
            .models
            .as_ref()
            .map(|models| format!(" and {}", plain(models)))
            .unwrap_or_default(),
        outcome.median_ms,
        outcome.p99_ms
    )];
    for shown in &outcome.measures {
        let Interval { mean, low, high } = shown.interval;
        lines.push(format!("  {:<8}  {mean:.4}  [ {low:.4},  {high:.4}]", shown.measure));
    }
    if let Some(against) = &outcome.against {
        lines.push(format!("  against {}, paired:", against.ranking.name()));
        for shown in &against.differences {
            let Interval { mean, low, high } = shown.interval;
            lines.push(format!("  {:<8} {mean:+.4}  [{low:+.4}, {high:+.4}]", shown.measure));
        }
    }
    lines.push(String::new());
    lines.join("\n")
}

impl From<RankingChoice> for Ranking {
    fn from(choice: RankingChoice) -> Self {
        match choice {
            RankingChoice::Hybrid => Self::Hybrid,
            RankingChoice::Words => Self::Words,
        }
    }
}

impl RankingChoice {
    fn name(self) -> &'static str {
        match self {
            Self::Hybrid => "hybrid",
            Self::Words => "words",
        }
    }
}

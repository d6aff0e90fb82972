//! Simulates a venue: how long a batch of papers takes, what it costs, and what limits it, for several numbers of workers.
//!
//! Events are the ends of model calls. Workers share the quota of one provider, which serves calls in the order in which they arrive.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use anyhow::{Context, Result, bail};
use precedent_engine::llm::Prices;

use crate::say;

/// A group of calls of a paper: calls per paper are `mean` ± `spread`, each with this many tokens.
struct Stage {
    mean: f64,
    spread: f64,
    read: f64,
    written: f64,
}

const fn stage(mean: f64, spread: f64, read: f64, written: f64) -> Stage {
    Stage {
        mean,
        spread,
        read,
        written,
    }
}

/// The calls of `precedent batch`, in the order of the stages. A stage starts when the one before it has ended. Measured on 12 PDFs of the development data
/// with all abstracts of the ACL Anthology (64,361) as the corpus and the scripted model (2026-11-27): `python3 xtask/fleet/measure.py FOLDER` prints it.
const STAGES: [Stage; 5] = [
    // Core task and claims.
    stage(2.0, 0.0, 1170.0, 135.0),
    // Queries.
    stage(1.9, 0.1, 336.0, 121.0),
    // Relevance of the papers that were found.
    stage(11.7, 4.0, 3497.0, 162.0),
    // 25.9 comparisons, 4.0 batches of summaries, the taxonomy with its siblings and text.
    stage(32.3, 26.0, 1596.0, 118.0),
    // Overall assessment.
    stage(0.9, 0.1, 2794.0, 204.0),
];

/// What can be chosen. Durations are in seconds.
struct Setup {
    papers: usize,
    workers: Vec<usize>,
    /// Papers that a worker runs at the same time, and its processors.
    jobs: usize,
    cores: usize,
    /// Calls of one paper at the same time: the default of Precedent.
    at_once: usize,
    /// Processor time of a paper. 27 s for 12 papers in a development build. It includes the reports (2026-11-27).
    cpu: f64,
    /// How many times more tokens a model writes than the scripted one: 15,000 tokens per paper, which `precedent estimate` expected of three PDFs
    /// (2026-11-22), to 6,400.
    written: f64,
    /// Until the first token of an answer, and tokens per second after it. Assumptions; not measured.
    first_token: f64,
    speed: f64,
    seed: u64,
}

/// What a provider allows per minute, for all workers together.
#[derive(Clone)]
struct Quota {
    model: String,
    requests: f64,
    read: f64,
    written: f64,
    /// Whether `read` limits input and output together.
    is_sum: bool,
    /// Calls at the same time.
    at_once: usize,
}

/// Quotas of accounts in a middle or the highest tier that needs no contract. Providers change them and show them in the account, so compare them first.
/// OpenAI: tier 3. Anthropic: tier 4. Google: tier 2, which has no limit of output. From memory and from copies of their pages of 2025 and 2026, not
/// checked with an account (2026-11-27). No provider names a limit of concurrent calls, so these are assumptions.
fn quotas() -> Vec<Quota> {
    let quota = |model: &str, requests, read, written, is_sum| Quota {
        model: model.to_owned(),
        requests,
        read,
        written,
        is_sum,
        at_once: 1000,
    };
    vec![
        quota("openai:gpt-5-mini", 5e3, 4e6, f64::INFINITY, true),
        quota("anthropic:claude-haiku-4-5", 4e3, 4e6, 8e5, false),
        quota("gemini:gemini-2.5-flash", 2e3, 3e6, f64::INFINITY, false),
    ]
}

impl Quota {
    /// The tokens that count as input.
    fn counted(&self, read: f64, written: f64) -> f64 {
        read + if self.is_sum { written } else { 0.0 }
    }
}

/// The result of a simulation.
struct Outcome {
    seconds: f64,
    calls: f64,
    read: f64,
    written: f64,
    /// The least time that each limit alone allows.
    bounds: Vec<(&'static str, f64)>,
}

/// `cargo xtask simulate venue [OPTIONS]`.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let (setup, quotas) = parsed(arguments)?;
    let prices = Prices::default().with_built_in();
    say(&format!(
        "{} papers; a worker has {} cores and runs {} papers at a time",
        setup.papers, setup.cores, setup.jobs
    ));
    say(
        "| model | workers | hours | limit, share of the time | million calls / tokens in / out | dollars, list price |",
    );
    say("|---|---|---|---|---|---|");
    for quota in quotas {
        let price = prices.of(&quota.model);
        let price = price.with_context(|| format!("the price of {} is not known", quota.model))?;
        for &workers in &setup.workers {
            let outcome = simulated(&setup, &quota, workers);
            let (limit, least) = outcome.limit();
            let dollars = (outcome.read * price.input + outcome.written * price.output) / 1e6;
            say(&format!(
                "| {} | {workers} | {:.1} | {limit}, {:.0} % | {:.2} / {:.0} / {:.0} | {:.0} |",
                quota.model,
                outcome.seconds / 3600.0,
                100.0 * least / outcome.seconds,
                outcome.calls / 1e6,
                outcome.read / 1e6,
                outcome.written / 1e6,
                dollars,
            ));
        }
    }
    Ok(())
}

/// Options of the form `--papers 30000`. The options of quotas change those of all models, or of the one that `--model` names
/// before them.
fn parsed(arguments: &[&str]) -> Result<(Setup, Vec<Quota>)> {
    let mut setup = Setup {
        papers: 30_000,
        workers: vec![1, 2, 4, 8],
        jobs: 16,
        cores: 4,
        at_once: 8,
        cpu: 2.25,
        written: 2.3,
        first_token: 1.0,
        speed: 60.0,
        seed: 1,
    };
    let mut quotas = quotas();
    let Some((&"venue", options)) = arguments.split_first() else {
        bail!("usage: cargo xtask simulate venue [--papers N] [--workers N] …");
    };
    for pair in options.chunks(2) {
        let [option, value] = pair else {
            bail!("{} needs a value", pair.concat());
        };
        if *option == "--model" {
            quotas.retain(|one| one.model == *value);
            if quotas.is_empty() {
                let known: Vec<String> = self::quotas().into_iter().map(|one| one.model).collect();
                bail!(
                    "no quota of {value} is known; choose one of {} and change its limits",
                    known.join(", ")
                );
            }
            continue;
        }
        let number: f64 = value.parse().with_context(|| format!("{option} needs a number"))?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a count from the command line"
        )]
        let count = number as usize;
        if number.is_nan() || number <= 0.0 {
            bail!("{option} needs a number above zero");
        }
        match *option {
            "--papers" => setup.papers = count,
            "--workers" => setup.workers = vec![count],
            "--jobs" => setup.jobs = count,
            "--cores" => setup.cores = count,
            "--at-once" => setup.at_once = count,
            "--cpu" => setup.cpu = number,
            "--written" => setup.written = number,
            "--first-token" => setup.first_token = number,
            "--speed" => setup.speed = number,
            "--seed" => setup.seed = value.parse()?,
            "--requests" => quotas.iter_mut().for_each(|one| one.requests = number),
            "--tokens-in" => quotas.iter_mut().for_each(|one| one.read = number),
            "--tokens-out" => quotas.iter_mut().for_each(|one| one.written = number),
            "--concurrency" => quotas.iter_mut().for_each(|one| one.at_once = count),
            _ => bail!("{option} is no option of simulate venue"),
        }
    }
    let counts = [setup.papers, setup.jobs, setup.cores, setup.at_once];
    if counts.iter().chain(&setup.workers).any(|count| *count == 0) {
        bail!("counts start at 1");
    }
    Ok((setup, quotas))
}

/// Servers that take one customer after the other: processors, or calls at the same time.
struct Servers(BinaryHeap<Reverse<Moment>>);

/// A time in microseconds, so that it has an order.
type Moment = u64;

impl Servers {
    fn new(count: usize) -> Self {
        Self(std::iter::repeat_n(Reverse(0), count).collect())
    }

    /// When a customer that arrives at `now` can start.
    fn start(&self, now: Moment) -> Moment {
        self.0.peek().map_or(now, |Reverse(free)| now.max(*free))
    }

    /// Takes the server that is free first until `end`.
    fn take(&mut self, end: Moment) {
        self.0.pop();
        self.0.push(Reverse(end));
    }
}

/// A provider's limits during a simulation: when each has recovered from the calls so far.
struct Provider {
    quota: Quota,
    servers: Servers,
    recovered: [f64; 3],
}

impl Provider {
    /// The time at which a call of these tokens that arrives at `now` ends.
    fn end(&mut self, now: Moment, read: f64, written: f64, duration: f64) -> Moment {
        let recovered = self.recovered.iter().copied().fold(0.0, f64::max);
        let start = self.servers.start(now).max(micros(recovered));
        let uses = [
            (1.0, self.quota.requests),
            (self.quota.counted(read, written), self.quota.read),
            (written, self.quota.written),
        ];
        for (recovered, (used, per_minute)) in self.recovered.iter_mut().zip(uses) {
            // A limit that was not used for a while does not save what was left, as that would be gone in the first minute.
            *recovered = recovered.max(seconds(start)) + used * 60.0 / per_minute;
        }
        let end = start + micros(duration);
        self.servers.take(end);
        end
    }
}

/// A paper that runs.
struct Paper {
    worker: usize,
    stage: usize,
    /// Calls of the stage that have not started, and that have not ended.
    waiting: usize,
    open: usize,
}

fn simulated(setup: &Setup, quota: &Quota, workers: usize) -> Outcome {
    let mut provider = Provider {
        quota: quota.clone(),
        servers: Servers::new(quota.at_once),
        recovered: [0.0; 3],
    };
    let mut processors: Vec<Servers> = (0..workers).map(|_| Servers::new(setup.cores)).collect();
    let mut papers: Vec<Paper> = Vec::new();
    // The next events: a paper has been read, or one of its calls has ended.
    let mut events: BinaryHeap<Reverse<(Moment, usize)>> = BinaryHeap::new();
    let mut totals = [0.0; 4];
    let mut alone = 0.0;
    let mut begin = |papers: &mut Vec<Paper>, events: &mut BinaryHeap<_>, worker: usize, now: Moment| {
        if papers.len() < setup.papers
            && let Some(processors) = processors.get_mut(worker)
        {
            let end = processors.start(now) + micros(setup.cpu);
            processors.take(end);
            events.push(Reverse((end, papers.len())));
            papers.push(Paper {
                worker,
                stage: 0,
                waiting: 0,
                open: 1,
            });
        }
    };
    for _ in 0..setup.jobs {
        (0..workers).for_each(|worker| begin(&mut papers, &mut events, worker, 0));
    }
    let mut last = 0;
    while let Some(Reverse((now, index))) = events.pop() {
        last = now;
        let Some(paper) = papers.get_mut(index) else { continue };
        paper.open -= 1;
        while paper.open == 0 && paper.waiting == 0 {
            let Some(stage) = STAGES.get(paper.stage) else { break };
            paper.stage += 1;
            paper.waiting = Random::of(setup.seed, index * STAGES.len() + paper.stage).count(stage);
            alone += paper.waiting.div_ceil(setup.at_once) as f64 * duration(setup, stage);
        }
        if paper.open == 0 && paper.waiting == 0 {
            let worker = paper.worker;
            begin(&mut papers, &mut events, worker, now);
            continue;
        }
        while paper.waiting > 0 && paper.open < setup.at_once {
            let Some(stage) = STAGES.get(paper.stage - 1) else {
                break;
            };
            let (written, duration) = (stage.written * setup.written, duration(setup, stage));
            events.push(Reverse((provider.end(now, stage.read, written, duration), index)));
            paper.waiting -= 1;
            paper.open += 1;
            for (total, used) in totals.iter_mut().zip([1.0, stage.read, written, duration]) {
                *total += used;
            }
        }
    }
    let [calls, read, written, in_calls] = totals;
    let (papers, workers) = (setup.papers as f64, workers as f64);
    let cpu = papers * setup.cpu;
    Outcome {
        seconds: seconds(last),
        calls,
        read,
        written,
        bounds: vec![
            ("requests per minute", calls * 60.0 / quota.requests),
            (
                "input tokens per minute",
                quota.counted(read, written) * 60.0 / quota.read,
            ),
            ("output tokens per minute", written * 60.0 / quota.written),
            ("concurrent calls", in_calls / quota.at_once as f64),
            ("processors", cpu / (workers * setup.cores as f64)),
            ("papers at a time", (alone + cpu) / (workers * setup.jobs as f64)),
        ],
    }
}

impl Outcome {
    /// The limit that takes the most time alone.
    fn limit(&self) -> (&'static str, f64) {
        let longest = |one: &&(&str, f64), other: &&(&str, f64)| one.1.total_cmp(&other.1);
        self.bounds.iter().max_by(longest).copied().unwrap_or(("none", 0.0))
    }
}

fn duration(setup: &Setup, stage: &Stage) -> f64 {
    setup.first_token + stage.written * setup.written / setup.speed
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "times are not negative"
)]
fn micros(seconds: f64) -> Moment {
    (seconds * 1e6) as Moment
}

fn seconds(moment: Moment) -> f64 {
    moment as f64 / 1e6
}

/// SplitMix64, so that results are the same everywhere.
struct Random(u64);

impl Random {
    /// Each stage of each paper has its own, so that the papers are the same with any number of workers.
    fn of(seed: u64, part: usize) -> Self {
        let mut first = Self(seed.wrapping_add(part as u64).wrapping_mul(0xd134_2543_de82_ef95));
        first.share();
        first
    }

    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as f64 / u64::MAX as f64
    }

    /// The calls of a paper in a stage. The mean is exact: its fraction is the probability of one more.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "no mean is below its spread"
    )]
    fn count(&mut self, stage: &Stage) -> usize {
        let drawn = stage.mean + stage.spread * (2.0 * self.share() - 1.0);
        (drawn + self.share()) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(arguments: &[&str]) -> (Setup, Quota) {
        let (setup, quotas) = parsed(&[&["venue"], arguments].concat()).unwrap();
        (setup, quotas[0].clone())
    }

    /// What the calls of 400 papers use, by the means of their stages.
    fn used(of_call: impl Fn(&Stage) -> f64) -> f64 {
        400.0 * STAGES.iter().map(|stage| stage.mean * of_call(stage)).sum::<f64>()
    }

    /// With one strict limit, two workers take as long as the limit requires by a closed form.
    #[track_caller]
    fn is_bound_by(limit: &str, arguments: &[&str], expected: f64) {
        let anthropic = ["--papers", "400", "--model", "anthropic:claude-haiku-4-5"];
        let (setup, quota) = setup(&[&anthropic[..], arguments].concat());
        let outcome = simulated(&setup, &quota, 2);
        assert_eq!(outcome.limit().0, limit);
        let share = outcome.seconds / expected;
        // The papers of the sample have up to 5 % fewer or more calls.
        assert!((0.95..1.1).contains(&share), "{share}");
    }

    #[test]
    fn each_limit_alone_gives_the_time_that_it_requires() {
        let setup = setup(&[]).0;
        is_bound_by("requests per minute", &["--requests", "60"], used(|_| 1.0));
        let tokens = used(|stage| stage.read);
        is_bound_by("input tokens per minute", &["--tokens-in", "60000"], tokens / 1000.0);
        let tokens = used(|stage| stage.written * setup.written);
        is_bound_by("output tokens per minute", &["--tokens-out", "6000"], tokens / 100.0);
        let in_calls = used(|stage| duration(&setup, stage));
        is_bound_by("concurrent calls", &["--concurrency", "2"], in_calls / 2.0);
        // Two workers with four processors.
        is_bound_by("processors", &["--cpu", "100"], 400.0 * 100.0 / 8.0);
    }

    #[test]
    fn without_limits_twice_the_workers_take_half_of_the_time() {
        let no_limit = ["--requests", "1e12", "--tokens-in", "1e12", "--tokens-out", "1e12"];
        let more = ["--papers", "2000", "--cpu", "0.001", "--concurrency", "100000"];
        let (setup, quota) = setup(&[&no_limit[..], &more].concat());
        let times = [1, 2].map(|workers| simulated(&setup, &quota, workers).seconds);
        let share = times[0] / times[1];
        assert!((1.9..2.1).contains(&share), "{share}");
        assert_eq!(simulated(&setup, &quota, 1).limit().0, "papers at a time");
        assert!(simulated(&setup, &quota, 1).seconds == times[0]);
    }

    #[test]
    fn a_stage_has_its_mean_number_of_calls() {
        for stage in &STAGES {
            let sum: usize = (0..20_000).map(|part| Random::of(1, part).count(stage)).sum();
            let mean = sum as f64 / 20_000.0;
            assert!((mean - stage.mean).abs() < 0.02 * stage.mean, "{mean}");
        }
    }

    #[test]
    fn wrong_options_are_refused() {
        for arguments in [
            vec![],
            vec!["city"],
            vec!["venue", "--papers"],
            vec!["venue", "--papers", "0"],
            vec!["venue", "--jobs", "0.5"],
            vec!["venue", "--speed", "fast"],
            vec!["venue", "--spead", "1"],
            vec!["venue", "--model", "openai:unknown"],
        ] {
            assert!(parsed(&arguments).is_err(), "{arguments:?}");
        }
    }
}

//! Measures how the program meets failing model services, budgets and caches: `reliability faults|outages|budget|estimate|cache PROGRAM FOLDER [ARGUMENTS]`.
//!
//! Every server is on loopback. FOLDER receives the runs. `estimate` and `cache` take `CORPUS PAPER…` after FOLDER.
#![expect(
    clippy::cast_precision_loss,
    clippy::indexing_slicing,
    reason = "small counts, and a member that JSON lacks is null"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use precedent_scripted::{ModelServer, Question, Say, WireFault, plain, tokens, wire_faults};
use serde_json::Value;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// The model of each API format, with the path of its address and its key.
const FORMS: [(&str, &str, &str); 3] = [
    ("openai:gpt-4.1-mini", "/v1", "OPENAI_API_KEY"),
    ("anthropic:claude-sonnet-4-5", "/v1", "ANTHROPIC_API_KEY"),
    ("gemini:gemini-2.0-flash", "/v1beta", "GEMINI_API_KEY"),
];
/// US dollars per million tokens: input, cached, output.
const PRICES: (f64, f64, f64) = (1.0, 0.1, 8.0);
/// Runs at the same time. They mostly wait.
const AT_ONCE: usize = 4;
/// After this time a run is interrupted, as a user would.
const LONGEST: Duration = Duration::from_secs(60);

const IDEA: &str = "Place every symbol of rope-line telemetry into a taut interval that both buoys predict from the recent swell. \
A spring model of the rope with drifting stiffness would give the interval. It would be evaluated on recordings from moored buoys in heavy swell.";

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (name, program, folder, rest) = match words.as_slice() {
        [name, program, folder, rest @ ..] => (*name, *program, *folder, rest),
        _ => return Err("usage: reliability faults|outages|budget|estimate|cache PROGRAM FOLDER [ARGUMENTS]".into()),
    };
    let bench = Bench::new(program, folder)?;
    match name {
        "faults" => faults(&bench),
        "outages" => outages(&bench),
        "budget" => budget(&bench),
        "estimate" => estimate(&bench, rest),
        "cache" => cache(&bench, rest),
        other => Err(format!("there is no measurement {other}").into()),
    }
}

/// Where the program is and where its runs go.
struct Bench {
    program: PathBuf,
    folder: PathBuf,
}

/// How a run ended.
struct Ended {
    code: Option<i32>,
    items: u64,
    lost: u64,
    dollars: f64,
    state: String,
    seconds: f64,
}

impl Bench {
    fn new(program: &str, folder: &str) -> Outcome<Self> {
        let (program, folder) = (fs::canonicalize(program)?, PathBuf::from(folder));
        fs::create_dir_all(&folder)?;
        let folder = fs::canonicalize(folder)?;
        for (name, text) in [
            ("one.txt", IDEA),
            (
                "two.txt",
                "Predict slack intervals of mooring ropes from accelerometers.",
            ),
            (
                "three.txt",
                "Ropes are good, and a survey of rope makers would say why.",
            ),
        ] {
            fs::write(folder.join(name), text)?;
        }
        let mut settings = String::new();
        let (input, cached, output) = PRICES;
        for (model, ..) in FORMS {
            let provider = model.split(':').next().unwrap_or_default();
            settings.push_str(&format!(
                "[providers.{provider}]\nanswer_seconds = 1\noutage_seconds = 2\n"
            ));
        }
        settings.push_str("[prices]\nas_of = '2026-11-01'\n");
        for (model, ..) in FORMS {
            settings.push_str(&format!(
                "[[prices.price]]\nmodel = '{model}'\ninput = {input:?}\ncached = {cached:?}\noutput = {output:?}\n"
            ));
        }
        fs::write(folder.join("short.toml"), &settings)?;
        let patient = settings.replace("answer_seconds = 1\noutage_seconds = 2\n", "answer_seconds = 60\n");
        fs::write(folder.join("patient.toml"), patient)?;
        Ok(Self { program, folder })
    }

    /// The arguments of a job on the sample.
    fn job(&self, name: &str) -> Vec<String> {
        let file = |name: &str| self.folder.join(name).display().to_string();
        let own = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        match name {
            "rank" => vec!["rank".to_owned(), file("one.txt"), file("two.txt"), file("three.txt")],
            "idea" | "review" => own(&[name, IDEA, "--corpus", "examples/works"]),
            _ => own(&[name, "examples/paper.pdf", "--corpus", "examples/works"]),
        }
    }

    fn command(&self, job: &[String], form: usize, server: &ModelServer) -> Command {
        let (model, path, key) = FORMS[form];
        let mut command = Command::new(&self.program);
        command
            .args(job)
            .args(["--model", model, "--json", "--model-url"])
            .arg(format!("{}{path}", server.base()))
            .env("XDG_CONFIG_HOME", "/nonexistent")
            .env_remove("PRECEDENT_SETTINGS")
            .env(key, "scripted");
        command
    }

    fn run(&self, job: &[String], form: usize, server: &ModelServer, out: &Path, more: &[&str]) -> Outcome<Ended> {
        let started = Instant::now();
        let mut command = self.command(job, form, server);
        let child = command
            .arg("--out")
            .arg(out)
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let code = end_of(child)?;
        let seconds = started.elapsed().as_secs_f64();
        let manifest: Value = match fs::read(out.join("manifest.json")) {
            Ok(bytes) => serde_json::from_slice(&bytes)?,
            Err(_) => Value::Null,
        };
        let empty = Vec::new();
        let models = manifest["models"].as_array().unwrap_or(&empty);
        let sum = |of: fn(&Value) -> u64| models.iter().map(of).sum();
        Ok(Ended {
            code,
            items: sum(|one| one["items"].as_u64().unwrap_or_default()),
            lost: sum(|one| {
                let failed = one["failed"].as_object();
                failed.map_or(0, |failed| failed.values().filter_map(Value::as_u64).sum())
            }),
            dollars: models.iter().filter_map(|one| one["dollars"].as_f64()).sum(),
            state: manifest["status"]["state"].as_str().unwrap_or("none").to_owned(),
            seconds,
        })
    }
}

/// The exit code. A run that takes too long is interrupted.
fn end_of(mut child: Child) -> Outcome<Option<i32>> {
    let started = Instant::now();
    let mut interrupted = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        if started.elapsed() > LONGEST && !interrupted {
            interrupted = true;
            Command::new("kill").args(["-INT", &child.id().to_string()]).status()?;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Does all of `work`, some at the same time. Lines are printed as they come, results are in order.
fn all<W: Sync, R: Send>(work: &[W], of: impl Fn(&W) -> Outcome<(String, R)> + Sync) -> Outcome<Vec<R>> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::SeqCst);
                    let Some(one) = work.get(at) else { return };
                    let outcome = of(one);
                    if let Ok((line, _)) = &outcome {
                        say(line);
                    }
                    results
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push((at, outcome));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(at, _)| *at);
    results
        .into_iter()
        .map(|(_, outcome)| outcome.map(|(_, result)| result))
        .collect()
}

fn say(line: &str) {
    // A closed pipe ends nothing.
    let _ = writeln!(std::io::stdout(), "{line}");
}

fn text_of(question: &Question) -> String {
    match plain(question) {
        Say::Text(text) => text,
        _ => String::new(),
    }
}

/// Every fault × every format × once for each request or always, and then the same command without the fault.
fn faults(bench: &Bench) -> Outcome<()> {
    let all_faults: Vec<Arc<WireFault>> = wire_faults().into_iter().map(Arc::new).collect();
    let mut cells = Vec::new();
    for fault in &all_faults {
        for form in 0..FORMS.len() {
            for once in [true, false] {
                cells.push((Arc::clone(fault), form, once, cells.len()));
            }
        }
    }
    say("fault | form | when | lost | items | exit | state | lost after the same command | exit | state");
    let job = bench.job("rank");
    let ended = all(&cells, |(fault, form, once, number)| {
        let (mended, seen) = (Arc::new(AtomicBool::new(false)), Mutex::new(BTreeSet::new()));
        let (is_mended, fault_of) = (Arc::clone(&mended), Arc::clone(fault));
        let once = *once;
        let server = ModelServer::start(move |question| {
            // A repair of an answer is another try of the same request.
            let request = format!("{}{}", question.system, question.text());
            let first = seen.lock().unwrap_or_else(PoisonError::into_inner).insert(request);
            match is_mended.load(Ordering::SeqCst) || (once && !first) {
                true => plain(question),
                false => (fault_of.say)(question, &text_of(question)),
            }
        })?;
        let when = if once { "once" } else { "always" };
        let out = bench.folder.join(format!("fault-{number}"));
        let settings = bench.folder.join("short.toml").display().to_string();
        let first = bench.run(&job, *form, &server, &out, &["--settings", &settings])?;
        mended.store(true, Ordering::SeqCst);
        let again = bench.run(&job, *form, &server, &out, &["--settings", &settings])?;
        let line = format!(
            "{} | {} | {when} | {} | {} | {:?} | {} | {} | {:?} | {}",
            fault.name,
            FORMS[*form].0,
            first.lost,
            first.items,
            first.code,
            first.state,
            again.lost,
            again.code,
            again.state
        );
        Ok((line, (first, again)))
    })?;
    for (name, is_once) in [("once", true), ("always", false)] {
        let of = cells.iter().zip(&ended).filter(|((_, _, once, _), _)| *once == is_once);
        let (mut runs, mut whole, mut mended) = (0, 0, 0);
        for (_, (first, again)) in of {
            runs += 1;
            whole += usize::from(first.code == Some(0) && first.lost == 0);
            mended += usize::from(again.code == Some(0) && again.lost == 0);
        }
        say(&format!(
            "{name}: {runs} runs, {whole} without a lost item, {mended} whole after the same command"
        ));
    }
    Ok(())
}

/// Outages of several lengths × commands × kinds, from the third request on.
fn outages(bench: &Bench) -> Outcome<()> {
    let mut cells = Vec::new();
    for job in ["assess", "points", "idea", "review"] {
        for milliseconds in [100, 300, 1_000, 3_000, 10_000, 20_000] {
            for kind in ["503", "529", "closed"] {
                cells.push((job, milliseconds, kind));
            }
        }
    }
    say("command | outage | kind | lost | items | exit | state | seconds");
    let ended = all(&cells, |(job, milliseconds, kind)| {
        let began: Mutex<Option<Instant>> = Mutex::default();
        let (length, kind) = (Duration::from_millis(*milliseconds), *kind);
        let server = ModelServer::start(move |question| {
            let mut began = began.lock().unwrap_or_else(PoisonError::into_inner);
            if began.is_none() && question.number >= 2 {
                *began = Some(Instant::now());
            }
            match (began.is_some_and(|began| began.elapsed() < length), kind) {
                (false, _) => plain(question),
                (true, "503") => Say::Status(503, "{}".to_owned()),
                (true, "529") => Say::Status(529, r#"{"error":{"type":"overloaded_error"}}"#.to_owned()),
                (true, _) => Say::Hangup,
            }
        })?;
        let out = bench.folder.join(format!("outage-{job}-{milliseconds}-{kind}"));
        let settings = bench.folder.join("patient.toml").display().to_string();
        let ended = bench.run(&bench.job(job), 0, &server, &out, &["--settings", &settings])?;
        let line = format!(
            "{job} | {} s | {kind} | {} | {} | {:?} | {} | {:.1}",
            *milliseconds as f64 / 1e3,
            ended.lost,
            ended.items,
            ended.code,
            ended.state,
            ended.seconds
        );
        Ok((line, ended))
    })?;
    let lost: u64 = ended.iter().map(|one| one.lost).sum();
    let whole = ended.iter().filter(|one| one.code == Some(0) && one.lost == 0).count();
    say(&format!(
        "{} runs, {whole} without a lost item, {lost} items lost",
        ended.len()
    ));
    Ok(())
}

/// What a server charges, in billionths of a dollar.
#[derive(Default)]
struct Bill(AtomicU64);

impl Bill {
    fn charge(&self, question: &Question, text: &str) {
        let (input, cached, output) = PRICES;
        let kept = question.cached.min(question.tokens());
        let dollars = (question.tokens() - kept) as f64 * input + kept as f64 * cached + tokens(text) as f64 * output;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a positive bill of a few dollars"
        )]
        self.0.fetch_add((dollars * 1e3).round() as u64, Ordering::SeqCst);
    }

    fn dollars(&self) -> f64 {
        self.0.load(Ordering::SeqCst) as f64 / 1e9
    }
}

/// A pseudorandom share, 0 to 1, from a text and a count.
fn share(text: &str, count: u64) -> f64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ count.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    ((hash ^ (hash >> 33)) >> 11) as f64 / (1_u64 << 53) as f64
}

/// A server that charges for every answer, also for refusals, broken connections and unreadable bodies, which are a share of all.
/// Answers are padded with spaces to `length` times their size, within the limit of the request.
fn billing(bill: &Arc<Bill>, faulty: f64, length: f64, seed: u64) -> Outcome<ModelServer> {
    let bill = Arc::clone(bill);
    let script = move |question: &Question| {
        let mut text = text_of(question);
        // The longest answers are also sent back once.
        if length > 100.0 && !question.is_repair() {
            text = "{}".to_owned();
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a length")]
        let wanted = (text.len() as f64 * length * (0.5 + share(&question.prompt, seed))) as usize;
        let most = usize::try_from(question.most_output().saturating_mul(4)).unwrap_or(usize::MAX);
        let pad = wanted.min(most).saturating_sub(text.len());
        text.insert_str(text.len().saturating_sub(1), &" ".repeat(pad));
        if text.len() > most {
            // No service answers beyond the limit of the request.
            text.truncate(text.floor_char_boundary(most));
            bill.charge(question, &text);
            return Say::CutOff(text);
        }
        let random = share(&question.body, seed ^ question.number as u64 ^ 0xf00d);
        let say = match random < faulty {
            false => Say::Text(text.clone()),
            true if random < faulty * 0.25 => Say::Refusal,
            true if random < faulty * 0.5 => Say::Hangup,
            true if random < faulty * 0.75 => Say::Raw(b"{\"choices\":[{\"mess".to_vec()),
            true => return Say::Status(503, "{}".to_owned()),
        };
        match &say {
            Say::Refusal => bill.charge(question, "I will not."),
            Say::Text(text) => bill.charge(question, text),
            _ => bill.charge(question, &text),
        }
        say
    };
    Ok(ModelServer::start_with(script, Duration::from_millis(10), None, 0)?)
}

/// Random caps and faults: what the server charges against the cap and the report, and whether a cap of 1.1 × the cost completes.
fn budget(bench: &Bench) -> Outcome<()> {
    let mut cells = Vec::new();
    for (number, job) in ["assess", "points", "idea", "review", "rank"].into_iter().enumerate() {
        for form in 0..FORMS.len() {
            for (cap, faulty) in [
                (0.2, 0.0),
                (0.5, 0.0),
                (0.8, 0.2),
                (1.1, 0.0),
                (0.3, 0.3),
                (0.6, 0.2),
                (1.1, 0.1),
            ] {
                cells.push((job, form, cap, faulty, cells.len() as u64 + number as u64));
            }
        }
    }
    let settings = bench.folder.join("short.toml").display().to_string();
    // The cost without a cap and without faults, once for each command and format.
    let mut costs = Vec::new();
    for job in ["assess", "points", "idea", "review", "rank"] {
        costs.extend((0..FORMS.len()).map(|form| (job, form)));
    }
    let whole = all(&costs, |(job, form)| {
        let bill = Arc::new(Bill::default());
        let server = billing(&bill, 0.0, 1.0, 0)?;
        let out = bench.folder.join(format!("cost-{job}-{form}"));
        let ended = bench.run(&bench.job(job), *form, &server, &out, &["--settings", &settings])?;
        let line = format!(
            "{job} {form}: billed {:.5}, reported {:.5}, exit {:?}",
            bill.dollars(),
            ended.dollars,
            ended.code
        );
        Ok((line, bill.dollars()))
    })?;
    if whole.contains(&0.0) {
        return Err("a run without a cap cost nothing: run this in the folder of the project".into());
    }
    say("command | form | cap | faults | cap $ | billed $ | reported $ | exit");
    let ended = all(&cells, |(job, form, cap, faulty, seed)| {
        let at = costs.iter().position(|one| *one == (*job, *form)).unwrap_or_default();
        let dollars = whole[at] * cap;
        let bill = Arc::new(Bill::default());
        let server = billing(&bill, *faulty, 1.0, if *faulty > 0.0 { *seed } else { 0 })?;
        let out = bench.folder.join(format!("budget-{job}-{form}-{cap}-{faulty}"));
        let cap_text = format!("{dollars:.6}");
        let more = ["--settings", &settings, "--budget", &cap_text];
        let ended = bench.run(&bench.job(job), *form, &server, &out, &more)?;
        let line = format!(
            "{job} | {form} | {cap} | {faulty} | {dollars:.5} | {:.5} | {:.5} | {:?}",
            bill.dollars(),
            ended.dollars,
            ended.code
        );
        Ok((line, (bill.dollars(), dollars, ended)))
    })?;
    let over = ended.iter().filter(|(billed, cap, _)| *billed > cap + 1e-9).count();
    let under = ended
        .iter()
        .filter(|(billed, _, ended)| ended.dollars + 1e-9 < *billed)
        .count();
    let generous = cells
        .iter()
        .zip(&ended)
        .filter(|((_, _, cap, faulty, _), _)| *cap > 1.0 && *faulty < 0.01);
    let generous: Vec<bool> = generous.map(|(_, (_, _, ended))| ended.code == Some(0)).collect();
    say(&format!(
        "{} runs: {over} billed more than the cap, {under} reported less than the bill; 1.1 × the cost: {} of {} completed",
        ended.len(),
        generous.iter().filter(|one| **one).count(),
        generous.len()
    ));
    Ok(())
}

/// The estimate against the bill, for answers of several lengths: `CORPUS PAPER…` besides the sample.
fn estimate(bench: &Bench, rest: &[&str]) -> Outcome<()> {
    let mut jobs: Vec<(String, Vec<String>)> = Vec::new();
    for name in ["assess", "points", "idea", "review"] {
        jobs.push((format!("{name} sample"), bench.job(name)));
    }
    if let [corpus, papers @ ..] = rest {
        for paper in papers {
            for name in ["assess", "points", "review"] {
                let words = [name, paper, "--corpus", corpus];
                let file = Path::new(paper)
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                jobs.push((format!("{name} {file}"), words.map(str::to_owned).to_vec()));
            }
        }
    }
    let cells: Vec<(usize, f64)> = (0..jobs.len())
        .flat_map(|at| [0.7, 1.5, 3.0, 1e6].map(|length| (at, length)))
        .collect();
    let settings = bench.folder.join("patient.toml").display().to_string();
    say("job | length | billed $ | likely $ | likely / billed | at most $ | at most / billed | exit");
    let ratios = all(&cells, |(at, length)| {
        let (name, job) = &jobs[*at];
        let form = at % FORMS.len();
        let bill = Arc::new(Bill::default());
        let server = billing(&bill, 0.0, *length, *at as u64)?;
        let mut estimated = job.clone();
        match estimated.first_mut() {
            Some(first) if first == "assess" => "estimate".clone_into(first),
            _ => estimated.push("--estimate".to_owned()),
        }
        let output = bench
            .command(&estimated, form, &server)
            .args(["--settings", &settings])
            .output()?;
        let printed: Value =
            serde_json::from_slice(&output.stdout).map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())?;
        let out = bench.folder.join(format!("estimate-{at}-{length}"));
        let ended = bench.run(job, form, &server, &out, &["--settings", &settings])?;
        let dollars = |name: &str| printed[name].as_f64().unwrap_or(f64::NAN);
        let (likely, most, billed) = (dollars("likely_dollars"), dollars("at_most_dollars"), bill.dollars());
        let line = format!(
            "{name} | {length} | {billed:.5} | {likely:.5} | {:.2} | {most:.5} | {:.2} | {:?}",
            likely / billed,
            most / billed,
            ended.code
        );
        Ok((line, (likely / billed, most / billed)))
    })?;
    let mut normal: Vec<f64> = cells
        .iter()
        .zip(&ratios)
        .filter(|((_, length), _)| *length < 10.0)
        .map(|(_, one)| one.0)
        .collect();
    normal.sort_by(f64::total_cmp);
    let within = normal.iter().filter(|one| (0.5..=2.0).contains(*one)).count();
    let held = ratios.iter().filter(|one| one.1 >= 1.0).count();
    let at = |share: f64| {
        normal
            .get(((normal.len() as f64 - 1.0) * share) as usize)
            .copied()
            .unwrap_or_default()
    };
    say(&format!(
        "{} normal runs: {within} within 2 ×; likely / billed: minimum {:.2}, median {:.2}, maximum {:.2}; the upper bound held in {held} of {} runs",
        normal.len(),
        at(0.0),
        at(0.5),
        at(1.0),
        ratios.len()
    ));
    Ok(())
}

/// Shortest prefix that providers cache, in tokens.
const LEAST_CACHED: u64 = 1_024;

/// Input tokens of requests, and how many of them an earlier request of the run began with.
#[derive(Default, Clone, Copy)]
struct Cacheable {
    calls: u64,
    input: u64,
    /// Where the schema is a part of the prefix, as at `OpenAI` and Anthropic: only requests with the same schema share a prefix.
    with_schema: u64,
    /// Where it is none, as at local servers.
    texts: u64,
}

impl Cacheable {
    fn add(&mut self, other: Self) {
        self.calls += other.calls;
        self.input += other.input;
        self.with_schema += other.with_schema;
        self.texts += other.texts;
    }

    fn line(&self, name: &str) -> String {
        let share = |part: u64| part as f64 / self.input.max(1) as f64 * 100.0;
        format!(
            "{name} | {} | {} | {:.0} % | {:.0} %",
            self.calls,
            self.input,
            share(self.with_schema),
            share(self.texts)
        )
    }
}

/// Tokens of the longest prefix that a text shares with an earlier one, if a provider would cache it.
fn cacheable(earlier: &[String], text: &str) -> u64 {
    let shared = |other: &String| other.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
    let longest = earlier.iter().map(shared).max().unwrap_or_default() as u64 / 4;
    if longest < LEAST_CACHED { 0 } else { longest }
}

/// Counts which share of the input tokens of `assess` begins like an earlier request of the same run: of the sample, and of `CORPUS PAPER…`.
fn cache(bench: &Bench, rest: &[&str]) -> Outcome<()> {
    let mut jobs = vec![("the sample".to_owned(), bench.job("assess"))];
    if let [corpus, papers @ ..] = rest {
        for paper in papers {
            let words = ["assess", paper, "--corpus", corpus];
            jobs.push(((*paper).to_owned(), words.map(str::to_owned).to_vec()));
        }
    }
    let settings = bench.folder.join("patient.toml").display().to_string();
    let numbered: Vec<(usize, (String, Vec<String>))> = jobs.into_iter().enumerate().collect();
    say("paper or prompt | calls | input tokens | cacheable, schema in the prefix | cacheable, texts only");
    all(&numbered, |(number, (name, job))| {
        let server = ModelServer::start(plain)?;
        let out = bench.folder.join(format!("cache-{number}"));
        if out.exists() {
            // A complete run would send nothing.
            fs::remove_dir_all(&out)?;
        }
        let ended = bench.run(job, 0, &server, &out, &["--settings", &settings])?;
        if ended.code != Some(0) {
            return Err(format!("{name}: exit code {:?}", ended.code).into());
        }
        let (mut with_schema, mut texts) = (Vec::new(), Vec::new());
        let mut prompts: BTreeMap<String, Cacheable> = BTreeMap::new();
        let mut whole = Cacheable::default();
        for question in server.asked() {
            let text = question.whole();
            let schema = question.schema.as_ref().map(Value::to_string).unwrap_or_default();
            let prefixed = format!("{schema}\n{text}");
            let one = Cacheable {
                calls: 1,
                input: tokens(&prefixed),
                with_schema: cacheable(&with_schema, &prefixed),
                texts: cacheable(&texts, &text),
            };
            whole.add(one);
            prompts.entry(question.prompt.clone()).or_default().add(one);
            with_schema.push(prefixed);
            texts.push(text);
        }
        let lines: Vec<String> = std::iter::once(whole.line(name))
            .chain(prompts.iter().map(|(prompt, one)| one.line(&format!("  {prompt}"))))
            .collect();
        Ok((lines.join("\n"), ()))
    })?;
    Ok(())
}

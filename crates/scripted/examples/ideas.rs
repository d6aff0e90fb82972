//! Measures what the checks of a verdict stop: `ideas PROGRAM FILE` judges the labelled ideas of FILE with scripted models that judge badly, and with
//! one that knows the labels, and prints a table for `docs/benchmarks.md`.

use std::collections::BTreeSet;
use std::error::Error;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use precedent_scripted::ModelServer;
use precedent_scripted::idea_judges::{IdeaJudge, key};
use serde_json::Value;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Seeds of the model that judges at random.
const SEEDS: [u64; 3] = [1, 2, 3];

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, file] = arguments.as_slice() else {
        return Err("usage: ideas PROGRAM FILE".into());
    };
    let truth = labels(program, Path::new(file))?;
    let mut judges = vec![
        ("always novel".to_owned(), IdeaJudge::AlwaysNovel),
        (
            "always not novel, most similar sentences".to_owned(),
            IdeaJudge::AlwaysNotNovel,
        ),
        (
            "always not novel, longest sentence".to_owned(),
            IdeaJudge::QuoteAnything,
        ),
    ];
    judges.extend(SEEDS.map(|seed| (format!("random, seed {seed}"), IdeaJudge::Random(seed))));
    judges.push(("by the label".to_owned(), IdeaJudge::Honest(truth)));
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "| scripted model | decided | right | wrong | wrong of all |\n| --- | --- | --- | --- | --- |"
    )?;
    for (name, judge) in judges {
        let server = ModelServer::start(move |question| judge.answer(question))?;
        let url = format!("{}/v1", server.base());
        let lines = bench(
            program,
            Path::new(file),
            &["--model", "compatible:scripted", "--model-url", &url, "--local-only"],
        )?;
        let (mut right, mut wrong) = (0_u32, 0_u32);
        for line in &lines {
            match line.get("verdict") {
                Some(verdict) if verdict == "undecided" => {}
                verdict if verdict == line.get("label") => right += 1,
                _ => wrong += 1,
            }
        }
        let count = u32::try_from(lines.len())?.max(1);
        writeln!(
            out,
            "| {name} | {} of {count} | {right} | {wrong} | {:.1} % |",
            right + wrong,
            f64::from(wrong) * 100.0 / f64::from(count)
        )?;
    }
    Ok(())
}

/// The novel ideas of the file, as the scripted models recognise them. The program reads the file, whatever its format.
fn labels(program: &str, file: &Path) -> Outcome<BTreeSet<String>> {
    let lines = bench(program, file, &[])?;
    let novel = lines
        .iter()
        .filter(|line| line.get("label").is_some_and(|label| label == "novel"));
    Ok(novel
        .filter_map(|line| line.get("idea").and_then(Value::as_str))
        .map(key)
        .collect())
}

/// One line for each idea.
fn bench(program: &str, file: &Path, model: &[&str]) -> Outcome<Vec<Value>> {
    let answer = Command::new(program)
        .args(["bench", "idea", "--setting", "fixed", "--json"])
        .arg(file)
        .args(model)
        .stderr(Stdio::inherit())
        .output()?;
    if !answer.status.success() {
        return Err(format!("{program} bench idea ended with {}", answer.status).into());
    }
    let text = String::from_utf8(answer.stdout)?;
    let lines = text.lines().map(serde_json::from_str::<Value>);
    let lines: Vec<Value> = lines.collect::<Result<_, _>>()?;
    Ok(lines.into_iter().filter(|line| line.get("id").is_some()).collect())
}

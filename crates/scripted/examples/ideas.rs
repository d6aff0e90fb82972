//! Measures what the checks of a verdict stop: `ideas PROGRAM FILE` judges the labelled ideas of FILE with scripted models that judge badly, and with
//! one that knows the labels, and prints the tables of `docs/ideas.md`. With `--without-emphasis`, the ideas of a JSON Lines file lose their emphasis.
//! With `--retrieval`, each idea is compared with what a search among all papers of FILE finds instead of its own papers.

use std::collections::BTreeSet;
use std::error::Error;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use precedent_scripted::ModelServer;
use precedent_scripted::idea_judges::{IdeaJudge, key};
use serde_json::Value;

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

const USAGE: &str = "usage: ideas PROGRAM FILE [--without-emphasis] [--retrieval]";
/// Seeds of the model that judges at random.
const SEEDS: [u64; 3] = [1, 2, 3];

fn main() -> Outcome<()> {
    let (options, arguments): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|one| one.starts_with("--"));
    let known = ["--without-emphasis", "--retrieval"];
    let [program, file] = arguments.as_slice() else {
        return Err(USAGE.into());
    };
    if options.iter().any(|option| !known.contains(&option.as_str())) {
        return Err(USAGE.into());
    }
    let has = |name: &str| options.iter().any(|option| option == name);
    let file = match has("--without-emphasis") {
        true => without_emphasis(Path::new(file))?,
        false => PathBuf::from(file),
    };
    let setting = if has("--retrieval") { "retrieval" } else { "fixed" };
    let bench = |model: &[&str]| bench(program, &file, setting, model);
    let unaided = bench(&[])?;
    let truth = novel(&unaided);
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
    lean(&unaided, &mut out)?;
    writeln!(
        out,
        "| scripted model | decided | right | wrong | wrong of all |\n| --- | --- | --- | --- | --- |"
    )?;
    for (name, judge) in judges {
        let server = ModelServer::start(move |question| judge.answer(question))?;
        let url = format!("{}/v1", server.base());
        let lines = bench(&["--model", "compatible:scripted", "--model-url", &url, "--local-only"])?;
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

/// A copy of the file without `**` and HTML marks in the ideas.
fn without_emphasis(file: &Path) -> Outcome<PathBuf> {
    let mut lines = String::new();
    for line in std::fs::read_to_string(file)?.lines() {
        let mut record: Value = serde_json::from_str(line)?;
        let idea = record.get_mut("idea").ok_or("a line has no idea")?;
        let text = idea.as_str().unwrap_or_default().replace("**", "");
        let mut parts = text.split('<');
        let mut bare = parts.next().unwrap_or_default().to_owned();
        bare.extend(parts.map(|part| part.split_once('>').map_or(part, |(_, rest)| rest)));
        *idea = bare.into();
        lines.push_str(&format!("{record}\n"));
    }
    let copy = std::env::temp_dir().join(format!("ideas-without-emphasis-{}.jsonl", std::process::id()));
    std::fs::write(&copy, lines)?;
    Ok(copy)
}

/// Prints how often the lean of a report without a model agrees with the label.
fn lean(lines: &[Value], out: &mut impl std::io::Write) -> Outcome<()> {
    let certain = |line: &&Value| line.pointer("/lean/facets_are_certain") == Some(&Value::Bool(true));
    let stated: Vec<&Value> = lines.iter().filter(certain).collect();
    writeln!(
        out,
        "| ideas | lean agrees | always the more frequent label |\n| --- | --- | --- |"
    )?;
    for (name, lines) in [("all", lines.iter().collect()), ("both facets emphasised", stated)] {
        let is = |line: &&&Value, label: &str| line.get("label").is_some_and(|one| one == label);
        let right = lines
            .iter()
            .filter(|line| match line.pointer("/lean/kind").and_then(Value::as_str) {
                Some("close_work_found") => is(line, "not_novel"),
                Some("no_close_work_found") => is(line, "novel"),
                _ => false,
            });
        let count = lines.len();
        let novel = lines.iter().filter(|line| is(line, "novel")).count();
        let frequent = novel.max(count - novel);
        writeln!(out, "| {name} | {} of {count} | {frequent} of {count} |", right.count())?;
    }
    writeln!(out)?;
    Ok(())
}

/// The novel ideas, as the scripted models recognise them.
fn novel(lines: &[Value]) -> BTreeSet<String> {
    let novel = lines
        .iter()
        .filter(|line| line.get("label").is_some_and(|label| label == "novel"));
    novel
        .filter_map(|line| line.get("idea").and_then(Value::as_str))
        .map(key)
        .collect()
}

/// One line for each idea.
fn bench(program: &str, file: &Path, setting: &str, model: &[&str]) -> Outcome<Vec<Value>> {
    let answer = Command::new(program)
        .args(["bench", "idea", "--setting", setting, "--json"])
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

//! Answers that end too early: at the end of a budget, in the middle of a thought, or without a word about it.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use precedent_scripted::{ModelServer, Question, Say, plain};
use serde_json::Value;

use crate::models::{arguments_for, folder, report};
use crate::support::{json, precedent, stderr};

const SAMPLE: (&str, &str) = ("examples/paper.pdf", "examples/works");

/// The exit code and the messages of a run.
fn assessed(out: &Path, base: &str, more: &[&str]) -> (Option<i32>, String) {
    let output = precedent(&arguments_for(SAMPLE, out, base, more));
    (output.status.code(), stderr(&output))
}

/// The report of a run without trouble.
fn whole() -> Value {
    let server = ModelServer::start(plain).unwrap();
    let (base, out) = (format!("{}/v1", server.base()), folder("cut-whole"));
    assert_eq!(assessed(&out, &base, &[]).0, Some(0));
    report(&out)
}

/// Sets the prices of `model` for runs in `out`.
fn priced(out: &Path, model: &str) -> String {
    let settings = out.with_extension("toml");
    let price = format!("[[prices.price]]\nmodel = '{model}'\ninput = 1.0\noutput = 8.0\n");
    std::fs::write(&settings, format!("[prices]\nas_of = '2026-11-01'\n{price}")).unwrap();
    settings.display().to_string()
}

#[test]
fn a_budget_that_ends_early_changes_nothing_that_a_larger_one_finds() {
    let whole = whole();
    // A model that thinks has more room for each answer.
    let scripted = ["0.0026", "0.0028", "0.0031", "0.0034", "0.0040"].map(|budget| ("compatible:scripted", budget));
    let thinking = ["0.0200", "0.0400"].map(|budget| ("compatible:gpt-5-scripted", budget));
    for (model, budget) in scripted.into_iter().chain(thinking) {
        let server = ModelServer::start(plain).unwrap();
        let (base, out) = (format!("{}/v1", server.base()), folder(&format!("cut-{budget}")));
        let settings = priced(&out, model);
        let run = |budget: &str, more: &[&str]| {
            let mut arguments = arguments_for(SAMPLE, &out, &base, &["--settings", &settings, "--budget", budget]);
            let at = arguments.iter().position(|one| *one == "compatible:scripted").unwrap();
            arguments[at] = model;
            arguments.extend(more);
            let output = precedent(&arguments);
            (output.status.code(), stderr(&output))
        };
        let (code, printed) = run(budget, &[]);
        assert_eq!(code, Some(6), "{budget}: {printed}");
        assert!(
            printed.contains("This report is partial: the budget ran out"),
            "{budget}: {printed}"
        );
        let markdown = std::fs::read_to_string(out.join("report.md")).unwrap();
        let (partial, claims) = (markdown.find("This report is partial"), markdown.find("## "));
        assert!(partial.is_some() && partial < claims, "{budget}: {markdown}");
        let asked = server.asked().len();
        let partial = std::fs::read(out.join("report.json")).unwrap();
        let (code, printed) = run(budget, &["--replay"]);
        assert_eq!((code, server.asked().len()), (Some(6), asked), "{budget}: {printed}");
        assert_eq!(partial, std::fs::read(out.join("report.json")).unwrap(), "{budget}");
        // The same budget also pays for what the first run took.
        let (code, printed) = run(budget, &[]);
        let uses = report(&out)["metadata"]["models"].as_array().unwrap().clone();
        let paid: f64 = uses.iter().map(|one| one["dollars"].as_f64().unwrap()).sum();
        assert!(paid > 0.0 && paid <= budget.parse().unwrap(), "{budget}: {paid}");
        assert!([Some(0), Some(6)].contains(&code), "{budget}: {printed}");
        let (code, printed) = run("5", &[]);
        assert_eq!(code, Some(0), "{budget}: {printed}");
        let found = report(&out);
        for part in ["contribution_analysis", "core_task_survey", "core_task_comparisons"] {
            assert_eq!(found[part], whole[part], "{budget}");
        }
    }
}

#[test]
fn a_repeated_run_that_cannot_pay_for_a_failed_call_keeps_all_recorded_answers() {
    let whole = whole();
    let broken = Arc::new(AtomicBool::new(true));
    let is_broken = Arc::clone(&broken);
    // A call of the first stage fails. All others come after it.
    let server = ModelServer::start(move |question: &Question| match question.prompt.as_str() {
        "extract.core_task" if is_broken.load(Ordering::SeqCst) => Say::Status(503, "busy".to_owned()),
        _ => plain(question),
    })
    .unwrap();
    let (base, out) = (format!("{}/v1", server.base()), folder("cut-repeated"));
    let settings = priced(&out, "compatible:scripted");
    let prices = std::fs::read_to_string(&settings).unwrap();
    std::fs::write(
        &settings,
        format!("{prices}[providers.compatible]\noutage_seconds = 0\n"),
    )
    .unwrap();
    let run = |budget: &str, more: &[&str]| {
        let options = ["--settings", &settings, "--budget", budget, "--allow-fallback"];
        let (code, printed) = assessed(&out, &base, &[&options[..], more].concat());
        (code, printed, report(&out))
    };
    let (code, printed, first) = run("5", &[]);
    assert_eq!(code, Some(0), "{printed}");
    let uses = first["metadata"]["models"].as_array().unwrap();
    let paid: f64 = uses.iter().map(|one| one["dollars"].as_f64().unwrap()).sum();
    let asked = server.asked().len();
    // Everything but the failed call is paid for.
    let budget = format!("{:.6}", paid + 1e-6);
    let (code, printed, second) = run(&budget, &[]);
    assert_eq!((code, server.asked().len()), (Some(6), asked), "{printed}");
    assert_eq!(first["contribution_analysis"], second["contribution_analysis"]);
    let failed = second["metadata"]["models"].as_array().unwrap().iter();
    let failed: Vec<_> = failed.filter_map(|one| one["failed"].as_object()).flatten().collect();
    assert_eq!(failed, [(&"budget".to_owned(), &Value::from(1))]);
    let partial = std::fs::read(out.join("report.json")).unwrap();
    let (code, printed, _) = run(&budget, &["--replay"]);
    assert_eq!((code, server.asked().len()), (Some(6), asked), "{printed}");
    assert!(partial == std::fs::read(out.join("report.json")).unwrap());
    broken.store(false, Ordering::SeqCst);
    let (code, printed, last) = run("5", &[]);
    assert_eq!(code, Some(0), "{printed}");
    assert_eq!(last["contribution_analysis"], whole["contribution_analysis"]);
}

#[test]
fn a_model_that_only_thinks_is_asked_twice_about_each_item() {
    for (at, thoughts) in ["", "<think>First, the rope bends."].into_iter().enumerate() {
        let server = ModelServer::start(move |_: &Question| Say::CutOff(thoughts.to_owned())).unwrap();
        let (base, out) = (format!("{}/v1", server.base()), folder(&format!("cut-thoughts-{at}")));
        let (code, printed) = assessed(&out, &base, &[]);
        assert_eq!(code, Some(4), "{printed}");
        let found = report(&out);
        let uses = found["metadata"]["models"].as_array().unwrap();
        let items: u64 = uses.iter().map(|one| one["items"].as_u64().unwrap()).sum();
        let asked = server.asked().len() as u64;
        assert!(items > 20 && asked <= 2 * items, "{items}: {asked}");
        assert!(printed.contains("thinking_tokens"), "{printed}");
    }
}

#[test]
fn an_answer_that_breaks_off_although_it_counts_as_finished_is_requested_again() {
    let whole = whole();
    // The beginning alone is no answer. Half of it has complete items.
    for (name, share) in [("beginning", 20), ("half", 2)] {
        let broken = Arc::new(AtomicBool::new(true));
        let is_broken = Arc::clone(&broken);
        let server = ModelServer::start(move |question: &Question| match plain(question) {
            Say::Text(text) if is_broken.load(Ordering::SeqCst) && question.prompt == "compare.passages" => {
                Say::Text(text[..text.len() / share].to_owned())
            }
            answer => answer,
        })
        .unwrap();
        let (base, out) = (format!("{}/v1", server.base()), folder(&format!("cut-unsaid-{name}")));
        let output = precedent(&arguments_for(SAMPLE, &out, &base, &["--allow-fallback"]));
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        let found = report(&out);
        assert_ne!(found["contribution_analysis"], whole["contribution_analysis"], "{name}");
        let limits = found["metadata"]["not_searched"].to_string();
        let said = match name {
            "half" => "Incomplete: the model gave no usable answer for 1 of 67 items. Repeat the command to retry.",
            _ => "Incomplete: the model gave no usable answer for 54 of 67 items. Repeat the command to retry.",
        };
        assert!(limits.contains(said), "{name}: {limits}");
        broken.store(false, Ordering::SeqCst);
        let output = precedent(&arguments_for(SAMPLE, &out, &base, &["--allow-fallback"]));
        assert_eq!(json(&output)["status"], "complete", "{name}: {}", stderr(&output));
        assert_eq!(
            report(&out)["contribution_analysis"],
            whole["contribution_analysis"],
            "{name}"
        );
    }
}

//! Services for web pages and repositories: only `review` accepts them, and `doctor` lists them.

use std::fs;

use precedent_scripted::literature::FINDERS;

use crate::internet::{PAPER, folder};
use crate::support::{json, precedent, precedent_with, stderr};

/// All but Google Scholar, which finds papers.
fn not_literature() -> impl Iterator<Item = &'static str> {
    FINDERS.iter().copied().filter(|id| *id != "google-scholar")
}

#[test]
fn commands_other_than_review_refuse_services_for_pages_and_repositories() {
    let idea = folder("finders").with_extension("txt");
    fs::write(
        &idea,
        "We decode signals from mooring ropes whose stiffness drifts under load.",
    )
    .unwrap();
    let idea = idea.to_str().unwrap();
    for (command, input) in [
        ("assess", PAPER),
        ("points", PAPER),
        ("idea", idea),
        ("estimate", PAPER),
    ] {
        for id in not_literature() {
            // A key makes no difference.
            let variables = [("BRAVE_API_KEY", "k"), ("SEARXNG_URL", "http://127.0.0.1:1")];
            let output = precedent_with(&[command, input, "--sources", &format!("default,{id}")], &variables);
            let printed = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{command} {id}: {printed}");
            let what = if matches!(id, "github" | "kaggle" | "kaggle-notebooks") {
                "repositories"
            } else {
                "web pages"
            };
            assert!(
                printed.contains(&format!(
                    "use {id} here: it finds {what}, which only `precedent review` reads"
                )),
                "{printed}"
            );
        }
    }
}

#[test]
fn doctor_lists_missing_settings_and_sends_nothing_to_unconfigured_services() {
    let listed = json(&precedent(&["doctor", "--json"]));
    let findings = listed["findings"].as_array().unwrap();
    let state_of = |id: &str| {
        let finding = findings
            .iter()
            .find(|one| one["what"] == id)
            .unwrap_or_else(|| panic!("{id}"));
        finding["detail"].as_str().unwrap().to_owned()
    };
    for id in not_literature() {
        assert!(state_of(id).contains("only for `precedent review`"), "{}", state_of(id));
    }
    assert!(
        state_of("brave").contains("not set up: it needs an API key in BRAVE_API_KEY"),
        "{}",
        state_of("brave")
    );
    assert!(
        state_of("searxng").contains("in SEARXNG_URL or as `url` in [sources.searxng]"),
        "{}",
        state_of("searxng")
    );
    assert!(!state_of("github").contains("not set up") && !state_of("openalex").contains("review"));
    let online = json(&precedent(&[
        "doctor",
        "--online",
        "--json",
        "--sources",
        "tavily,searxng",
    ]));
    let details: Vec<&str> = online["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["detail"].as_str())
        .collect();
    assert!(
        details.iter().filter(|one| one.contains("not set up")).count() >= 2,
        "{details:?}"
    );
}

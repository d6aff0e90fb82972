//! What finds pages and repositories is for reviews of ideas: everything else refuses it, and `doctor` lists it.

use std::fs;

use precedent_scripted::literature::FINDERS;

use crate::internet::{PAPER, folder};
use crate::support::{json, precedent, precedent_with, stderr};

#[test]
fn what_reads_works_alone_refuses_pages_and_repositories() {
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
        for id in FINDERS {
            // A key does not change it.
            let variables = [("BRAVE_API_KEY", "k"), ("SEARXNG_URL", "http://127.0.0.1:1")];
            let output = precedent_with(&[command, input, "--sources", &format!("default,{id}")], &variables);
            let said = stderr(&output);
            assert_eq!(output.status.code(), Some(2), "{command} {id}: {said}");
            let what = if *id == "github" { "repositories" } else { "web pages" };
            assert!(
                said.contains(&format!(
                    "use {id} here: it finds {what}, which only `precedent review` reads"
                )),
                "{said}"
            );
        }
    }
}

#[test]
fn doctor_lists_them_with_what_they_lack_and_asks_none_that_is_not_set_up() {
    let listed = json(&precedent(&["doctor", "--json"]));
    let findings = listed["findings"].as_array().unwrap();
    let told = |id: &str| {
        let finding = findings
            .iter()
            .find(|one| one["what"] == id)
            .unwrap_or_else(|| panic!("{id}"));
        finding["detail"].as_str().unwrap().to_owned()
    };
    for id in FINDERS {
        assert!(told(id).contains("for `precedent review` alone"), "{}", told(id));
    }
    assert!(
        told("brave").contains("not set up: it needs a key, in BRAVE_API_KEY"),
        "{}",
        told("brave")
    );
    assert!(
        told("searxng").contains("in SEARXNG_URL or as url under [sources.searxng]"),
        "{}",
        told("searxng")
    );
    assert!(!told("github").contains("not set up") && !told("openalex").contains("review"));
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

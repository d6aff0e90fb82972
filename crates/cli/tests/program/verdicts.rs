//! Output and verdicts that no model can force, for each command.

use std::fs;
use std::path::{Path, PathBuf};

use precedent_scripted::{ModelServer, Question, Say, plain};
use serde_json::{Value, json};

use crate::support::{json as data, precedent, stderr, stdout};

const PAPER: &str = "examples/paper.pdf";
const WORKS: &str = "examples/works";
const IDEA: &str = "Place every symbol of rope-line telemetry into a taut interval that both buoys predict from the recent swell. \
Clocks at sea drift, and exchanging them costs power that moored buoys lack. \
A spring model of the rope with drifting stiffness would give the interval. It would be evaluated on recordings from moored buoys in heavy swell.";
const OTHER: &str = "Predict slack intervals of mooring ropes from barometers alone.";
/// A word that is not in any example.
const SENTINEL: &str = "zanzibar";
/// Fields of model responses that contain sentences.
const SENTENCES: [&str; 26] = [
    "note",
    "rationale",
    "line",
    "paragraphs",
    "distinction",
    "overall",
    "similarities",
    "differences",
    "suggested_directions",
    "scope_note",
    "exclude_note",
    "description",
    "reason",
    "reasoning",
    "summary",
    "one_line",
    "sentences",
    "text",
    "analysis",
    "delta_reason",
    "how",
    "evidence",
    "suggestion",
    "character",
    "correction",
    "claimed",
];

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("verdicts-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Puts the sentinel into every sentence of a response. `within` says whether the value is in such a field.
fn mark(value: &mut Value, within: bool) {
    match value {
        Value::String(text) if within => {
            *text = match text.strip_suffix('.') {
                Some(head) => format!("{head} {SENTINEL}."),
                None => format!("{text} {SENTINEL}"),
            };
        }
        Value::Array(all) => all.iter_mut().for_each(|one| mark(one, within)),
        Value::Object(fields) => {
            for (name, field) in fields {
                mark(field, SENTENCES.contains(&name.as_str()));
            }
        }
        _ => {}
    }
}

/// An idea in the field of the sample's corpus. No paper there is close to both its purpose and its mechanism.
const CREAKING: &str = "Tell from its creaking when a mooring rope will break. Microphones feed a recurrent network that was trained on fractures in a \
laboratory. It would be evaluated on recordings from moored buoys in heavy swell.";

/// The plain responses with the sentinel in every sentence, and with whole sentences as queries for points.
fn marked(question: &Question) -> Say {
    let Say::Text(text) = plain(question) else {
        return plain(question);
    };
    let mut shown: Value = serde_json::from_str(&text).unwrap();
    mark(&mut shown, false);
    if question.prompt == "points.queries" {
        for point in shown["points"].as_array_mut().unwrap() {
            point["phrases"] = json!([
                format!("The rope is full of {SENTINEL}"),
                format!("It was made by {SENTINEL}")
            ]);
        }
    }
    Say::Text(shown.to_string())
}

/// All reports in a folder, without recorded responses.
fn written(folder: &Path) -> String {
    let mut all = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let kind = path
            .extension()
            .and_then(|one| one.to_str())
            .unwrap_or_default()
            .to_owned();
        if path.is_dir() {
            all.push_str(&written(&path));
        } else if ["json", "md", "html", "txt", "csv", "bib"].contains(&kind.as_str()) {
            all.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
    all
}

#[test]
fn under_the_reviewer_policy_no_command_prints_sentences_of_the_model() {
    let folder = folder("reviewer");
    let server = ModelServer::start(marked).unwrap();
    let base = format!("{}/v1", server.base());
    let (idea, other) = (folder.join("idea.txt"), folder.join("other.txt"));
    fs::write(&idea, CREAKING).unwrap();
    fs::write(&other, OTHER).unwrap();
    let (idea, other) = (idea.to_str().unwrap(), other.to_str().unwrap());
    let points = folder.join("offline");
    let output = precedent(&["points", PAPER, "--corpus", WORKS, "--out", points.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let points = points.join("points.json");
    let commands: [(&str, Vec<&str>); 7] = [
        ("assess", vec![PAPER, "--corpus", WORKS]),
        ("points", vec![PAPER, "--corpus", WORKS]),
        ("audit", vec![points.to_str().unwrap(), "--paper", PAPER]),
        ("idea", vec![idea, "--corpus", WORKS]),
        ("review", vec![idea, "--corpus", WORKS]),
        ("rank", vec![idea, other]),
        ("compare", vec![idea, other]),
    ];
    for (command, typed) in commands {
        for (policy, printed) in [("open", true), ("reviewer", false)] {
            let out = folder.join(format!("{command}-{policy}"));
            let mut all = vec![command];
            all.extend(&typed);
            all.extend([
                "--model",
                "compatible:scripted",
                "--model-url",
                &base,
                "--policy",
                policy,
            ]);
            all.extend(["--out", out.to_str().unwrap()]);
            let output = precedent(&all);
            assert_eq!(output.status.code(), Some(0), "{command}: {}", stderr(&output));
            let text = format!("{}{}{}", stdout(&output), stderr(&output), written(&out));
            let found = text.find(SENTINEL);
            let around = found.map(|at| &text[text.floor_char_boundary(at.saturating_sub(200))..at]);
            assert_eq!(found.is_some(), printed, "{command} {policy}: {around:?}");
        }
    }
}

/// Sentences with invented quotations in each style of quotation marks, and other inventions.
const INVENTED: [&str; 21] = [
    "It says “zanzibar sings at dawn” there.",
    "It says \"zanzibar sings at dawn\" there.",
    "It says „zanzibar sings at dawn“ there.",
    "It says «zanzibar sings at dawn» there.",
    "It says ‹zanzibar sings at dawn› there.",
    "It says 「zanzibar sings at dawn」 there.",
    "It says 『zanzibar sings at dawn』 there.",
    "It says ＂zanzibar sings at dawn＂ there.",
    "It says ″zanzibar sings at dawn″ there.",
    "It says ‚zanzibar sings at dawn‘ there.",
    "It says ‘zanzibar sings at dawn’ there.",
    "It says 'zanzibar sings at dawn' there.",
    "It says ''zanzibar sings at dawn'' there.",
    "It says “zanzibar” there.",
    "It says “zanzibar sings at dawn there.",
    "It rests on [9999], says zanzibar.",
    "It rests on Fakename 1901[9998], says zanzibar.",
    "It reaches an accuracy of 2987.68 %, says zanzibar.",
    "It is at doi 10.1000/zanzibar there.",
    "It is at https://zanzibar.example there.",
    "> It is quoted from zanzibar.",
];

#[test]
fn invented_quotations_figures_citations_and_links_are_never_printed() {
    let folder = folder("invented");
    let (idea, other) = (folder.join("idea.txt"), folder.join("other.txt"));
    fs::write(&idea, IDEA).unwrap();
    fs::write(&other, OTHER).unwrap();
    let (idea, other) = (idea.to_str().unwrap(), other.to_str().unwrap());
    let points = folder.join("offline");
    precedent(&["points", PAPER, "--corpus", WORKS, "--out", points.to_str().unwrap()]);
    let points = points.join("points.json");
    // The responses cycle through the list, so that every style is tried with every prompt.
    let server = ModelServer::start(|question| {
        let Say::Text(text) = plain(question) else {
            return plain(question);
        };
        let mut shown: Value = serde_json::from_str(&text).unwrap();
        let mut at = question.number;
        let mut put = |field: &mut Value| {
            *field = json!(INVENTED[at % INVENTED.len()]);
            at += 1;
        };
        match question.prompt.as_str() {
            "audit.items" => shown["items"]
                .as_array_mut()
                .unwrap()
                .iter_mut()
                .for_each(|one| put(&mut one["reason"])),
            "rank.group" => {
                put(&mut shown["reason"]);
                shown["dimensions"]
                    .as_array_mut()
                    .unwrap()
                    .iter_mut()
                    .for_each(|one| put(&mut one["reason"]));
            }
            "idea.judge" | "idea.second_look" => put(&mut shown["reasoning"]),
            "compare.passages" | "compare.whole" => {
                let mut word = json!("");
                put(&mut word);
                let filler = "The work treats ropes and buoys in heavy swell with a model of springs";
                shown["line"] = json!(format!("{filler}.\n{}", word.as_str().unwrap()));
                shown["answers"]
                    .as_array_mut()
                    .unwrap()
                    .iter_mut()
                    .for_each(|one| put(&mut one["note"]));
            }
            "position.siblings" => {
                shown["works"]
                    .as_array_mut()
                    .unwrap()
                    .iter_mut()
                    .for_each(|one| put(&mut one["distinction"]));
            }
            "survey.narrative" | "assess.overall" => {
                for paragraph in shown["paragraphs"].as_array_mut().unwrap() {
                    *paragraph = json!(format!(
                        "{}\n{}",
                        paragraph.as_str().unwrap(),
                        INVENTED[at % INVENTED.len()]
                    ));
                    at += 1;
                }
            }
            "review.board" => put(&mut shown["reason"]),
            "review.meta" => put(&mut shown["summary"]),
            "review.ground" => put(&mut shown["analysis"]),
            _ => {}
        }
        Say::Text(shown.to_string())
    })
    .unwrap();
    let base = format!("{}/v1", server.base());
    let commands: [(&str, Vec<&str>); 5] = [
        ("assess", vec![PAPER, "--corpus", WORKS]),
        ("audit", vec![points.to_str().unwrap(), "--paper", PAPER]),
        ("idea", vec![idea, "--corpus", WORKS]),
        ("review", vec![idea, "--corpus", WORKS]),
        ("rank", vec![idea, other]),
    ];
    for (command, typed) in commands {
        let out = folder.join(command);
        let mut all = vec![command];
        all.extend(&typed);
        all.extend([
            "--model",
            "compatible:scripted",
            "--model-url",
            &base,
            "--out",
            out.to_str().unwrap(),
        ]);
        let output = precedent(&all);
        assert_eq!(output.status.code(), Some(0), "{command}: {}", stderr(&output));
        let text = format!("{}{}", stdout(&output), written(&out));
        let found = text.find("zanzibar").or(text.find("2987.68"));
        let around = found.map(|at| &text[text.floor_char_boundary(at.saturating_sub(200))..(at + 8)]);
        assert_eq!(around, None, "{command}");
    }
}

#[test]
fn ideas_that_are_too_vague_or_from_another_field_are_never_novel() {
    let server = ModelServer::start(|question| match question.prompt.as_str() {
        "idea.judge" | "idea.second_look" => Say::Text(
            json!({
                "works": [{"work": 1, "shares": [], "differs": ["purpose"]}],
                "reasoning": "None of the works shown shares the purpose of the idea, and none shares its mechanism, as [1], [2] and [3] show; \
        they treat other problems by other means, on other material, and their evaluation differs as well. Taken together the idea is \
        therefore apart from every work shown, and it is novel.",
                "verdict": "novel",
            })
            .to_string(),
        ),
        _ => plain(question),
    })
    .unwrap();
    let base = format!("{}/v1", server.base());
    let vineyard = "Keep fungus out of vineyards by drones that smell the grapes at night. Chemical sensors on small drones compare the air above \
each row with a library of scents and spray sulphur only where the mould begins. It would be evaluated in three vineyards over two seasons of harvest.";
    for (at, (idea, verdict, why)) in [
        ("x", "undecided", ""),
        ("machine learning", "undecided", "too short"),
        (
            "We will apply general methods to improve the results of existing systems on many important problems and evaluate the new \
approach with several data sets.",
            "undecided",
            "too general",
        ),
        (vineyard, "undecided", "field"),
        (CREAKING, "novel", ""),
    ]
    .into_iter()
    .enumerate()
    {
        let out = folder(&format!("novel-{at}"));
        let all = [
            "idea", idea, "--corpus", WORKS, "--model", "compatible:scripted", "--model-url", &base, "--json", "--out",
            out.to_str().unwrap(),
        ];
        let output = precedent(&all);
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        assert_eq!(data(&output)["verdict"], verdict, "{idea}");
        let report: Value = serde_json::from_slice(&fs::read(out.join("idea.json")).unwrap()).unwrap();
        let grounds = report["verdict"]["grounds"].as_str().unwrap();
        assert!(grounds.contains(why), "{idea}: {grounds}");
    }
}

//! What a review shows of whole documents: reports by a model, the calls of a repository, and the popularity of a record if it works as published.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use precedent_domain::{
    CallGraph, Document, EvidenceKind, Extent, FileCall, FunctionCall, FunctionName, IdeaReview, Note, ReportField,
};
use precedent_scripted::{Question, Say, plain};
use serde_json::{Value, json};

use crate::World;
use crate::idea::Idea;
use crate::model::{ModelSettings, Policy};
use crate::review::fakes::{IDEA, kinded, options, world_with};
use crate::review::{ReviewInput, ReviewOptions, review};

const PAPER: &str = "A harmonic tide model gives the current in narrow fjords. Its residuals are corrected by a Kalman smoother. \
The correction halves the error on 48 gauges.";
const README: &str =
    "This repository fits a harmonic tide model to gauges of narrow fjords and predicts the current for ferries.";

type Prompts = Arc<Mutex<BTreeMap<String, Vec<String>>>>;

fn whole(title: &str, text: &str) -> Document {
    Document {
        extent: Extent::FullText,
        ..Document::from_abstract(title, Some(text))
    }
}

fn calls() -> CallGraph {
    let name = |name: &str, file: &str| FunctionName {
        name: name.to_owned(),
        file: file.to_owned(),
    };
    CallGraph {
        files: vec![FileCall {
            from: "tide/predict.py".to_owned(),
            to: "tide/fit.py".to_owned(),
            calls: 2,
        }],
        all_files: 1,
        functions: vec![FunctionCall {
            from: name("Predictor.current", "tide/predict.py"),
            to: name("harmonics", "tide/fit.py"),
        }],
        all_functions: 2,
    }
}

/// A paper and a repository with full texts, and a model that plays `script` and keeps all requests.
async fn world(settings: ModelSettings, script: impl Fn(&Question) -> Say + Send + Sync + 'static) -> (World, Prompts) {
    let mut papers = kinded("papers", EvidenceKind::Literature);
    papers.fixed_source.full = vec![(
        "literature:tide".to_owned(),
        whole("A harmonic tide model for narrow fjords (literature)", PAPER),
    )];
    let mut code = kinded("code", EvidenceKind::Code);
    let repository = Document {
        calls: Some(Box::new(calls())),
        ..whole("A harmonic tide model for narrow fjords (code)", README)
    };
    code.fixed_source.full = vec![("code:tide".to_owned(), repository)];
    let mut world = world_with(vec![papers, code]).await;
    let prompts: Prompts = Arc::default();
    let keep = Arc::clone(&prompts);
    let script = move |question: &Question| {
        let mut all = keep.lock().unwrap();
        all.entry(question.prompt.clone()).or_default().push(question.whole());
        script(question)
    };
    world.model = Some(super::scripted(script, settings));
    (world, prompts)
}

async fn run(world: &World, as_published: bool) -> IdeaReview {
    let options = ReviewOptions {
        as_of: Some("2020".parse().unwrap()),
        rounds: 1,
        as_published,
        ..options()
    };
    let input = ReviewInput::Idea(Idea::new(IDEA));
    review(&input, &options, world).await.unwrap()
}

/// The plain script with `change` applied to each field of a report.
fn changed(change: impl Fn(&mut Value) + Send + Sync + 'static) -> impl Fn(&Question) -> Say + Send + Sync + 'static {
    move |question| match plain(question) {
        Say::Text(text) if question.prompt == "review.report" => {
            let mut reply: Value = serde_json::from_str(&text).unwrap();
            reply["fields"].as_array_mut().unwrap().iter_mut().for_each(&change);
            Say::Text(reply.to_string())
        }
        say => say,
    }
}

#[tokio::test]
async fn documents_read_in_full_get_reports_and_the_model_sees_them_with_the_calls() {
    let (world, prompts) = world(ModelSettings::default(), plain).await;
    let found = run(&world, false).await;
    let reported: Vec<_> = found.knowledge.iter().filter(|one| !one.report.is_empty()).collect();
    assert_eq!(reported.len(), 2);
    for piece in reported {
        assert!(piece.read_whole, "{piece:#?}");
        let text = if piece.kind == EvidenceKind::Code {
            README
        } else {
            PAPER
        };
        for field in &piece.report {
            assert!(ReportField::of(piece.kind).contains(&field.field));
            assert!(!field.text.is_empty() && !field.quotes.is_empty());
            let text = format!("{}\n\n{text}", piece.work.title);
            assert!(
                field.quotes.iter().all(|quote| text.contains(quote.text())),
                "{field:#?}"
            );
        }
    }
    let repository = found.knowledge.iter().find(|one| one.calls.is_some()).unwrap();
    assert_eq!(repository.calls, Some(calls()));
    let prompts = prompts.lock().unwrap();
    assert_eq!(prompts["review.report"].len(), 2);
    let grounds = &prompts["review.ground"];
    let lines = [
        "tide/predict.py uses tide/fit.py (2 pairs of functions)",
        "Predictor.current in tide/predict.py calls harmonics",
    ];
    for line in lines {
        assert!(grounds.iter().any(|prompt| prompt.contains(line)), "{line}");
    }
    let reply = "The document treats the matter of its first sentence.";
    assert!(grounds.iter().any(|prompt| prompt.contains(reply)));
    // Readers of the board see quotes only.
    assert!(!prompts["review.board"].iter().any(|prompt| prompt.contains(lines[0])));
    // Papers known by their abstract have no report.
    assert!(grounds.iter().any(|prompt| !prompt.contains(reply)));
}

#[tokio::test]
async fn a_field_whose_quote_or_figure_is_not_in_the_document_is_dropped_and_counted() {
    for change in [
        |field: &mut Value| field["words"] = json!(["ferries must never be moved by any current at all"]),
        |field: &mut Value| field["text"] = json!("It gains 37 % on all fjords."),
        |field: &mut Value| field["text"] = json!("See https://evil.example/a for more of it."),
    ] {
        let (world, _) = world(ModelSettings::default(), changed(change)).await;
        let found = run(&world, false).await;
        assert!(found.knowledge.iter().all(|one| one.report.is_empty()));
        let dropped = |note: &Note| matches!(note, Note::ReportFieldsDropped { fields: 2 });
        assert!(found.coded_notes.iter().any(dropped), "{:?}", found.coded_notes);
    }
}

#[tokio::test]
async fn a_field_of_another_kind_of_document_is_no_report() {
    let (world, _) = world(
        ModelSettings::default(),
        changed(|field| field["field"] = json!("summary")),
    )
    .await;
    let found = run(&world, false).await;
    let reported: Vec<_> = found.knowledge.iter().filter(|one| !one.report.is_empty()).collect();
    assert!(reported.iter().all(|one| one.kind == EvidenceKind::Code) && reported.len() == 1);
    let missing = |note: &Note| {
        matches!(
            note,
            Note::ReportsMissing {
                unanswered: 1,
                documents: 2
            }
        )
    };
    assert!(found.coded_notes.iter().any(missing), "{:?}", found.coded_notes);
}

#[tokio::test]
async fn a_reviewer_report_prints_only_the_quotes_of_a_report() {
    let settings = ModelSettings {
        policy: Policy::Reviewer,
        ..ModelSettings::default()
    };
    let (world, _) = world(settings, plain).await;
    let found = run(&world, false).await;
    let mut fields = found.knowledge.iter().flat_map(|one| &one.report).peekable();
    assert!(fields.peek().is_some());
    assert!(fields.all(|field| field.text.is_empty() && !field.quotes.is_empty()));
}

#[tokio::test]
async fn citations_venue_and_stars_are_shown_only_as_published() {
    for as_published in [false, true] {
        let (mut world, prompts) = world(ModelSettings::default(), plain).await;
        let mut papers = kinded("famous", EvidenceKind::Literature);
        for work in &mut papers.fixed_source.works {
            work.venue = Some("Journal of Ferries".to_owned());
            work.cited_by = Some(417);
            work.stars = Some(12);
        }
        world.sources.push(Arc::new(papers));
        let found = run(&world, as_published).await;
        assert_eq!(found.search.as_published, as_published);
        let prompts = prompts.lock().unwrap();
        let line = "venue: Journal of Ferries; citations: 417; stars: 12";
        let is_shown = prompts["review.relevance"].iter().any(|prompt| prompt.contains(line));
        assert_eq!(is_shown, as_published);
        let by_content = prompts["review.relevance"]
            .iter()
            .all(|prompt| prompt.contains("Ignore fame"));
        assert_eq!(by_content, !as_published);
    }
}

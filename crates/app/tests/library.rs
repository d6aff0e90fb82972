//! The service layer as a library user sees it, on the sample in `examples/`.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use precedent_app::runs::{RunFolder, RunStatus};
use precedent_app::verify::{Outcome, QuoteId};
use precedent_app::{
    App, AuditJob, CancelToken, CorporaRequest, EVENTS_FILE, ErrorKind, EventLine, Input, Job, ModelChoice, Observer,
    OverlapRequest, QuoteQuery, RefineChoice, Report, Request, RunEvent, SearchQuery, SearchRequest, SilentObserver,
    StageState, VerifyRequest,
};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn request() -> Request {
    Request {
        corpora: vec![sample("works")],
        formats: vec!["json".to_owned()],
        send_nothing: true,
        ..Request::new(Job::Assess, Input::File(sample("paper.pdf")))
    }
}

/// Keeps every event, and cancels the job when `until` says so.
struct Recorder {
    events: Mutex<Vec<RunEvent>>,
    cancel: CancelToken,
    until: fn(&RunEvent) -> bool,
}

impl Recorder {
    fn new(cancel: &CancelToken, until: fn(&RunEvent) -> bool) -> Arc<Self> {
        Arc::new(Self {
            events: Mutex::new(Vec::new()),
            cancel: cancel.clone(),
            until,
        })
    }
}

impl Observer for Recorder {
    fn event(&self, event: &RunEvent) {
        self.events.lock().unwrap().push(event.clone());
        if (self.until)(event) {
            self.cancel.cancel();
        }
    }
}

fn lines(dir: &Path) -> Vec<EventLine> {
    let text = std::fs::read_to_string(dir.join(EVENTS_FILE)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn a_paper_is_assessed_in_one_line() {
    let app = App::offline().corpus(sample("works")).unwrap();
    let report = app.assess(sample("paper.pdf")).await.unwrap();
    assert_eq!(report.contribution_analysis.contributions.len(), 3);
    assert!(report.metadata.sent.is_empty() && report.metadata.models.is_empty());
}

#[test]
fn the_id_of_a_run_depends_on_contents_and_options_but_not_on_places() {
    let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for place in [here.path(), there.path()] {
        std::fs::copy(sample("paper.pdf"), place.join("paper.pdf")).unwrap();
        std::fs::copy(sample("works/abstracts.jsonl"), place.join("abstracts.jsonl")).unwrap();
    }
    let app = App::default();
    let id = |place: &Path, seed: u64| {
        let request = Request {
            input: Input::File(place.join("paper.pdf")),
            corpora: vec![place.join("abstracts.jsonl")],
            seed,
            ..request()
        };
        let request = app.validate(&request, &SilentObserver).unwrap();
        app.run_id(&request).unwrap()
    };
    let first = id(here.path(), 0);
    assert_eq!(first.as_str().len(), "paper-pdf-".len() + 16);
    assert_eq!(first, id(there.path(), 0));
    assert_ne!(first, id(there.path(), 1));
    std::fs::write(there.path().join("abstracts.jsonl"), "").unwrap();
    assert_ne!(first, id(there.path(), 0));
}

#[tokio::test]
async fn errors_have_a_kind_and_a_hint() {
    let error = App::offline().assess("no such paper.pdf").await.unwrap_err();
    assert_eq!(
        (error.kind, error.hint.as_deref()),
        (ErrorKind::Input, Some("check the path"))
    );
    let online = Request {
        sources: vec!["openalex".to_owned()],
        ..request()
    };
    let error = App::default().validate(&online, &SilentObserver).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Usage);
    assert!(error.to_string().contains("local-only, but openalex"), "{error}");
    let text = Request {
        input: Input::Text("A title.".to_owned()),
        ..request()
    };
    let error = App::default().validate(&text, &SilentObserver).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Usage);
}

#[tokio::test]
async fn an_observer_receives_the_events_that_the_folder_records() {
    let scratch = tempfile::tempdir().unwrap();
    let dir = scratch.path().join("run");
    let (app, cancel) = (App::default(), CancelToken::new());
    let request = app.validate(&request(), &SilentObserver).unwrap();
    let recorder = Recorder::new(&cancel, |_| false);
    let result = app.run(request, &dir, false, recorder.clone(), cancel).await.unwrap();
    assert!(matches!(result.report, Report::Assess(_)));
    assert_eq!(result.manifest.status, RunStatus::Complete);
    let lines = lines(&dir);
    let numbers: Vec<u64> = lines.iter().map(|line| line.number).collect();
    assert_eq!(numbers, (1..=lines.len() as u64).collect::<Vec<_>>());
    let events: Vec<RunEvent> = lines.into_iter().map(|line| line.event).collect();
    assert_eq!(events, *recorder.events.lock().unwrap());
    assert!(matches!(events.first(), Some(RunEvent::Started { .. })));
    let finished = RunEvent::Finished {
        status: RunStatus::Complete,
    };
    assert_eq!(events.last(), Some(&finished));
    for stage in ["extract", "queries", "search", "analysis"] {
        let state = |state| RunEvent::Stage {
            name: stage.to_owned(),
            state,
        };
        let at = |state| events.iter().position(|event| *event == state);
        assert!(
            at(state(StageState::Started)) < at(state(StageState::Finished)),
            "{stage}"
        );
    }
}

#[tokio::test]
async fn a_cancelled_run_is_interrupted_and_continues_with_the_same_result() {
    let scratch = tempfile::tempdir().unwrap();
    let (dir, other) = (scratch.path().join("run"), scratch.path().join("other"));
    let (app, cancel) = (App::default(), CancelToken::new());
    let request = app.validate(&request(), &SilentObserver).unwrap();
    let recorder = Recorder::new(
        &cancel,
        |event| matches!(event, RunEvent::Stage { name, state: StageState::Started } if name == "search"),
    );
    let failed = app.run(request.clone(), &dir, false, recorder.clone(), cancel).await;
    assert_eq!(failed.unwrap_err().kind, ErrorKind::Interrupted);
    let manifest = RunFolder::open(&dir).unwrap().current_manifest().unwrap();
    assert_eq!(manifest.status, RunStatus::Interrupted);
    assert!(!dir.join("report.json").exists());
    let last = recorder.events.lock().unwrap().last().cloned();
    let status = RunStatus::Interrupted;
    assert_eq!(last, Some(RunEvent::Finished { status }));

    let cancel = CancelToken::new();
    let recorder = Recorder::new(&cancel, |_| false);
    app.run(request.clone(), &dir, false, recorder.clone(), cancel)
        .await
        .unwrap();
    let reused = RunEvent::Stage {
        name: "extract".to_owned(),
        state: StageState::Reused,
    };
    assert!(recorder.events.lock().unwrap().contains(&reused));
    let silent = Arc::new(SilentObserver);
    app.run(request, &other, false, silent, CancelToken::new())
        .await
        .unwrap();
    let report = |dir: &Path| std::fs::read(dir.join("report.json")).unwrap();
    assert!(report(&dir) == report(&other));
}

#[test]
fn a_token_that_is_cancelled_before_the_run_ends_it_at_once() {
    let scratch = tempfile::tempdir().unwrap();
    let (app, cancel) = (App::default(), CancelToken::new());
    let request = app.validate(&request(), &SilentObserver).unwrap();
    cancel.cancel();
    let dir = scratch.path().join("run");
    let recorder = Recorder::new(&cancel, |_| false);
    let failed = app.run_blocking(request, &dir, false, recorder.clone(), &cancel);
    assert_eq!(failed.unwrap_err().kind, ErrorKind::Interrupted);
    assert!(!dir.join("report.json").exists());
    let events = recorder.events.lock().unwrap();
    assert!(
        !events.iter().any(|event| matches!(event, RunEvent::Stage { .. })),
        "{events:?}"
    );
}

#[test]
fn files_of_others_in_the_folder_are_never_changed() {
    let place = tempfile::tempdir().unwrap();
    let others = ["events.jsonl", "index/page.html"];
    std::fs::create_dir(place.path().join("index")).unwrap();
    for name in others {
        std::fs::write(place.path().join(name), "mine").unwrap();
    }
    let unreadable = place.path().join("not a report.md");
    std::fs::write(&unreadable, "Not a report.").unwrap();
    let app = App::default();
    let audit = Request {
        job: Job::Audit(AuditJob { paper: None }),
        input: Input::File(unreadable),
        corpora: Vec::new(),
        ..request()
    };
    let audit = app.validate(&audit, &SilentObserver).unwrap();
    let run = || {
        app.run_blocking(
            audit.clone(),
            place.path(),
            false,
            Arc::new(SilentObserver),
            &CancelToken::new(),
        )
    };
    assert_eq!(run().unwrap_err().kind, ErrorKind::Input);
    std::fs::write(place.path().join("manifest.json"), r#"{"name": "a web app"}"#).unwrap();
    assert_eq!(run().unwrap_err().kind, ErrorKind::Input);
    let kept = std::fs::read_to_string(place.path().join("manifest.json")).unwrap();
    assert!(kept.contains("a web app"));
    for name in others {
        assert_eq!(
            std::fs::read_to_string(place.path().join(name)).unwrap(),
            "mine",
            "{name}"
        );
    }
}

#[tokio::test]
async fn an_estimate_works_inside_of_a_runtime() {
    let app = App::default();
    let online = Request {
        model: ModelChoice {
            model: Some("ollama:any".to_owned()),
            ..ModelChoice::offline()
        },
        ..request()
    };
    let request = app.validate(&online, &SilentObserver).unwrap();
    let found = app.estimate(&request, &SilentObserver).unwrap();
    assert!(found.asks > 10 && found.sources.is_empty());
    assert!(app.egress(&request, &SilentObserver).unwrap().egress.is_empty());
}

#[test]
fn a_paper_is_read_from_a_file_or_a_text() {
    let app = App::default();
    let paper = app.read(&Input::File(sample("paper.pdf"))).unwrap();
    let from_text = app.read(&Input::Text(paper.document.text.clone())).unwrap();
    assert_eq!(from_text.title, paper.title);
    let kind = |input: Input| app.read(&input).unwrap_err().kind;
    assert_eq!(kind(Input::Text(" ".to_owned())), ErrorKind::Input);
    for input in [
        Input::Paper("arXiv:2301.00001".into()),
        Input::Title("A title".to_owned()),
    ] {
        assert_eq!(kind(input), ErrorKind::Usage);
    }
}

const QUOTE: &str = "slack intervals can be predicted some seconds ahead from the motion of the buoy";

#[test]
fn quotes_are_checked_against_a_file_or_a_text() {
    let app = App::default();
    let altered = QUOTE.replace("can be", "cannot be");
    let request = VerifyRequest {
        source: Input::File(sample("paper.pdf")),
        quotes: vec![
            QuoteQuery::new(QUOTE),
            serde_json::from_str(&format!(r#"{{"id": "b", "quote": "{altered}"}}"#)).unwrap(),
        ],
    };
    let answers = app.verify(&request, &SilentObserver).unwrap();
    let outcomes: Vec<Outcome> = answers.iter().map(|answer| answer.outcome).collect();
    assert_eq!(outcomes, [Outcome::Exact, Outcome::Altered]);
    assert_eq!(answers[1].id, QuoteId::Text("b".to_owned()));

    let text = app.read(&request.source).unwrap().document.text;
    let source = app.open_text(&Input::Text(text.clone()), &SilentObserver).unwrap();
    let answer = source.verify(&QuoteQuery::new(QUOTE));
    let range = answer.ranges[0];
    assert_eq!(
        (range.slice(&text), answer.line),
        (answer.text.as_deref(), answers[0].line)
    );
    let stitched = QuoteQuery::new(format!("Codes that correct errors do not help much … {QUOTE}"));
    let answer = source.verify(&stitched);
    let pieces = source.pieces(&stitched.quote);
    let texts: Vec<String> = pieces.into_iter().map(|piece| piece.text).collect();
    assert_eq!((answer.outcome, texts.len()), (Outcome::Stitched, 2));
    assert_eq!(answer.text, Some(texts.join(" […] ")));
}

#[test]
fn a_note_reports_the_encoding_of_a_source() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("latin1.txt");
    std::fs::write(&file, b"Die na\xefve Kraft am Seil f\xe4llt bei wenig D\xfcnung.").unwrap();
    let recorder = Recorder::new(&CancelToken::new(), |_| false);
    App::default().open_text(&Input::File(file), &*recorder).unwrap();
    let events = recorder.events.lock().unwrap();
    assert!(
        matches!(events.as_slice(), [RunEvent::Note { message }] if message.ends_with("was read as Windows-1252 (Latin-1)")),
        "{events:?}"
    );
}

#[test]
fn shared_passages_of_files_and_texts_are_found() {
    let app = App::default();
    let shared =
        "Two pontoons in a harbour exchanged one thousand short messages by tugging a nylon rope of thirty metres.";
    let target = Input::Text(format!("We had no boat. {shared} It was cold."));
    let others = vec![
        Input::Text(format!("An unrelated start of a text. {shared}")),
        Input::File(sample("works/full-texts/ahlgren-2011-harbour-trial.html")),
    ];
    let request = OverlapRequest {
        min_words: 0,
        ..OverlapRequest::new(target, others)
    };
    let found = app.overlap(&request, &SilentObserver).unwrap();
    let files: Vec<&str> = found.passages.iter().map(|passage| passage.b_file.as_str()).collect();
    assert!(
        matches!(files.as_slice(), ["text 1", file] if file.ends_with("harbour-trial.html")),
        "{files:?}"
    );
    assert!(
        found
            .passages
            .iter()
            .all(|passage| shared.contains(passage.a_text.trim_end_matches('.')))
    );
    let default = OverlapRequest::new(request.target, request.others);
    assert!(app.overlap(&default, &SilentObserver).unwrap().passages.is_empty());
    let missing = OverlapRequest::new(default.target, vec![Input::File("no such file.txt".into())]);
    assert_eq!(
        app.overlap(&missing, &SilentObserver).unwrap_err().kind,
        ErrorKind::Input
    );
}

#[tokio::test]
async fn corpora_are_opened_once_and_searched_often() {
    let app = App::default();
    let request = CorporaRequest::new(vec![sample("works/abstracts.jsonl")]);
    let corpora = app.open_corpora(&request, &SilentObserver).unwrap();
    let query = SearchQuery {
        id: Some(7.into()),
        limit: 3,
        ..SearchQuery::new("error-correcting codes for slack")
    };
    let first = corpora.search(&query).unwrap();
    assert_eq!((first.id.as_ref(), first.results.len()), (query.id.as_ref(), 3));
    let best = first.results[0].id.clone();
    assert_eq!(best.as_str(), "rope:ferro-2019");
    let without = SearchQuery {
        exclude: vec![best.clone()],
        ..query.clone()
    };
    let rest = corpora.search(&without).unwrap().results;
    assert_eq!(rest[0].id, first.results[1].id);
    let unknown = "rope:nobody-1900".parse().unwrap();
    assert_eq!(corpora.unknown(&[best.clone(), unknown]).unwrap().len(), 1);
    // The scores of two corpora are not comparable, so their ranks are combined.
    let both = SearchRequest {
        corpora: CorporaRequest::new(vec![sample("works/abstracts.jsonl"), sample("works")]),
        query: query.clone(),
    };
    let fused = app.search(&both, &SilentObserver).unwrap().results;
    assert_eq!((&fused[0].id, fused[0].score), (&best, 2.0 / 61.0));
    let none = SearchRequest {
        corpora: CorporaRequest::new(Vec::new()),
        query,
    };
    assert_eq!(
        app.search(&none, &SilentObserver).unwrap_err().kind,
        ErrorKind::NothingSearched
    );
}

#[tokio::test]
async fn a_model_on_a_server_is_opened_used_and_dropped_inside_of_a_runtime() {
    let mut refine = RefineChoice::default();
    refine.encoders.embedder = Some("any".to_owned());
    // Nothing listens there.
    refine.encoders.embedder_url = Some("http://127.0.0.1:9/v1".to_owned());
    let request = CorporaRequest {
        refine: Some(refine),
        ..CorporaRequest::new(vec![sample("works/abstracts.jsonl")])
    };
    let corpora = App::default().open_corpora(&request, &SilentObserver).unwrap();
    let failed = corpora.search(&SearchQuery::new("ropes that creep")).unwrap_err();
    assert_eq!(failed.kind, ErrorKind::Model, "{failed}");
    drop(corpora);
}

//! The service layer as a library user sees it, on the sample in `examples/`.

#![expect(clippy::unwrap_used, reason = "a panic fails the test")]

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use precedent_app::{
    App, AuditJob, CancelToken, EVENTS_FILE, ErrorKind, EventLine, Input, Job, ModelChoice, Observer, Report, Request,
    RunEvent, SilentObserver, StageState,
};
use precedent_engine::runs::{RunFolder, RunStatus};

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
    let manifest = RunFolder::open(&dir).unwrap().standing().unwrap();
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

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use precedent_app::models::{self, ModelAccess, TestedModel};
use precedent_app::runtime::runtime_here;
use precedent_app::{AppError, ErrorKind, ModelChoice, Settings, settings_file};
use precedent_engine::corpus::{Corpus, KnownModel};
use precedent_engine::ledger::Ledger;
use precedent_engine::read::{PdfiumState, pdfium_state};
use precedent_engine::runs::ModelRequest;
use precedent_engine::text::{Source, locate};
use serde::Serialize;

use super::{online, pdf};
use crate::ExitCode;
use crate::args::DoctorArguments;
use crate::printer::{Printer, plain};
use crate::progress::Warnings;

#[derive(Debug, Serialize)]
pub(super) struct Finding {
    /// What was checked.
    pub(super) what: String,
    /// `ok`, `not_asked`, `missing` (optional and not available) or `broken` (needed, but does not work).
    pub(super) state: State,
    /// A description, with what to do.
    pub(super) detail: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    Ok,
    NotAsked,
    Missing,
    Broken,
}

/// `precedent doctor`.
pub(super) fn run(typed: &DoctorArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let mut findings = vec![quotes(), runs_folder(), settings(typed)?];
    findings.extend(typed.corpus.corpora.iter().map(|path| corpus(path)));
    if typed.corpus.corpora.is_empty() {
        findings.push(Finding {
            what: "corpus".into(),
            state: State::Missing,
            detail: "not set; create one with `precedent corpus add DIR FILES…` and choose it with --corpus or PRECEDENT_CORPUS".into(),
        });
    }
    findings.extend(KnownModel::all().iter().map(embedder));
    findings.extend(models(typed, printer));
    findings.extend(online::findings(typed)?);
    findings.push(pdfium());
    findings.push(browser());
    if typed.json {
        printer.json(&serde_json::json!({ "findings": findings }))?;
    } else {
        for finding in &findings {
            let state = match finding.state {
                State::Ok => "ok     ",
                State::NotAsked => "-      ",
                State::Missing => "missing",
                State::Broken => "BROKEN ",
            };
            printer.line(&format!("{state}  {:<22}  {}", finding.what, plain(&finding.detail)));
        }
    }
    let broken = findings.iter().any(|finding| finding.state == State::Broken);
    if !typed.json {
        printer.line(match broken {
            true => "Something is broken: see BROKEN above.",
            false => "Nothing is broken. What is missing is optional.",
        });
    }
    let is_broken = |what: &str| {
        let mut of = findings.iter().filter(|finding| finding.what.starts_with(what));
        of.any(|finding| finding.state == State::Broken)
    };
    Ok(match broken {
        true if is_broken("models") => ExitCode::Model,
        true if is_broken("corpus ") => ExitCode::Input,
        true => ExitCode::Bug,
        false => ExitCode::Done,
    })
}

/// Tests the quote check on a sentence.
fn quotes() -> Finding {
    let source = Source::new("The decoder follows the rope as it ages, and it keeps the link alive for months.");
    let kept = locate(&source, "The decoder follows the rope as it ages").verified();
    let refused = !locate(&source, "The decoder never follows the rope as it ages").verified();
    let (state, detail) = if kept && refused {
        (State::Ok, "a correct quote is verified, an altered one is rejected")
    } else {
        (
            State::Broken,
            "the quote check gives wrong results; do not trust any report",
        )
    };
    Finding {
        what: "quotes".into(),
        state,
        detail: detail.into(),
    }
}

fn runs_folder() -> Finding {
    let tried = tempfile::tempfile_in(".");
    let (state, detail) = match tried {
        Ok(_) => (State::Ok, "the current folder is writable".to_owned()),
        Err(error) => (
            State::Missing,
            format!("the current folder is not writable ({error}); choose another folder with `assess --out`"),
        ),
    };
    Finding {
        what: "runs".into(),
        state,
        detail,
    }
}

fn corpus(path: &Path) -> Finding {
    let what = format!("corpus {}", path.display());
    match Corpus::open(path) {
        Ok(corpus) => {
            let vectors = if corpus.has_vectors() {
                "with vectors"
            } else {
                "no vectors, so searched by words only; add them with `precedent corpus vectors`"
            };
            let detail = format!(
                "{} papers, {} with full text, {vectors}",
                corpus.len(),
                corpus.full_texts()
            );
            Finding {
                what,
                state: State::Ok,
                detail,
            }
        }
        Err(_) if path.exists() => Finding {
            what,
            state: State::Ok,
            detail: "files, not a corpus; they are indexed again for each run".into(),
        },
        // The user named it, so it is not optional.
        Err(error) => Finding {
            what,
            state: State::Broken,
            detail: format!("failed to {error}"),
        },
    }
}

/// An embedding model for reranking searches.
fn embedder(model: &KnownModel) -> Finding {
    let folder = precedent_app::encoders::folder_of(model).filter(|folder| model.is_in(folder));
    let (state, detail) = match folder.map(|folder| (model.check(&folder), folder)) {
        Some((Ok(()), folder)) => (
            State::Ok,
            format!(
                "in {}; use it with `search --embedder {}`",
                folder.display(),
                model.name
            ),
        ),
        Some((Err(error), _)) => (
            State::Broken,
            format!(
                "failed to {error}; reinstall it with `precedent models pull {}`",
                model.name
            ),
        ),
        None => (
            State::Missing,
            format!("optional; install it with `precedent models pull {}`", model.name),
        ),
    };
    Finding {
        what: format!("embedder {}", model.name),
        state,
        detail,
    }
}

/// The language models of the settings, or the named one. They receive a question only if the user asks for it.
fn models(typed: &DoctorArguments, printer: Printer) -> Vec<Finding> {
    let of = |what: &str, state: State, detail: String| Finding {
        what: what.to_owned(),
        state,
        detail,
    };
    let choice = ModelChoice {
        model: typed
            .model
            .clone()
            .flatten()
            .or_else(|| std::env::var("PRECEDENT_MODEL").ok()),
        url: typed.model_url.clone(),
        local_only: false,
        settings: typed.settings.clone(),
        ..ModelChoice::offline()
    };
    let broken = |failure: AppError| {
        let causes: Vec<String> = failure.error.chain().map(ToString::to_string).collect();
        let hint = failure.hint.map(|hint| format!("; {hint}")).unwrap_or_default();
        vec![of("models", State::Broken, format!("{}{hint}", causes.join(": ")))]
    };
    let request = match models::selected(&choice) {
        // A named model is tested alone.
        Ok(Some(request)) if matches!(typed.model, Some(Some(_))) => ModelRequest {
            stages: BTreeMap::new(),
            ..request
        },
        Ok(Some(request)) => request,
        Ok(None) if typed.model.is_some() => {
            let detail = "no model is set; name one: `doctor --model provider:name`";
            return vec![of("models", State::Broken, detail.to_owned())];
        }
        Ok(None) => {
            let detail = "optional; not set; choose one with --model provider:name";
            return vec![of("models", State::Missing, detail.to_owned())];
        }
        Err(failure) => return broken(failure),
    };
    if typed.model.is_none() {
        let detail = format!(
            "{}; not tested: `precedent doctor --model` sends it one short question",
            request.model
        );
        return vec![of("models", State::NotAsked, detail)];
    }
    match tested(&request, printer) {
        Ok(tested) => tested
            .into_iter()
            .map(|one| {
                let detail = format!("{} answers at {} ({} tokens)", one.model, one.host, one.tokens);
                of("models", State::Ok, detail)
            })
            .collect(),
        Err(failure) => broken(failure),
    }
}

/// Sends the models of a request one short question each.
fn tested(request: &ModelRequest, printer: Printer) -> Result<Vec<TestedModel>, AppError> {
    runtime_here()?.block_on(async {
        let ledger = Ledger::in_memory().await;
        let ledger = ledger.map_err(|error| AppError::new(ErrorKind::Bug, error))?;
        let access = ModelAccess {
            request,
            seed: 0,
            replay: false,
            budget_had_ended: false,
            impatient: true,
            queue: None,
            progress: Arc::new(Warnings(printer)),
        };
        models::open(&access, &ledger)?.test().await
    })
}

/// The settings file. An invalid one is an error of every command.
fn settings(typed: &DoctorArguments) -> Result<Finding, AppError> {
    let named = typed.settings.as_deref();
    Settings::load(named)?;
    let (state, detail) = match settings_file(named) {
        Some(path) => (State::Ok, format!("read from {}", path.display())),
        None => (
            State::NotAsked,
            "optional; no file; make one with `precedent init`".to_owned(),
        ),
    };
    Ok(Finding {
        what: "settings".to_owned(),
        state,
        detail,
    })
}

/// The optional PDF text extractor.
fn pdfium() -> Finding {
    let state = pdfium_state();
    let (state, detail) = match &state {
        PdfiumState::Ready { library } => (
            State::Ok,
            format!(
                "{}, for files that the built-in extractor cannot read",
                library.display()
            ),
        ),
        state => {
            let (why, how) = pdf::missing(state);
            (State::Missing, format!("optional; {why}; {how}"))
        }
    };
    Finding {
        what: "pdfium".into(),
        state,
        detail,
    }
}

/// A browser that prints reports to PDF.
fn browser() -> Finding {
    let (state, detail) = match precedent_report::browser() {
        Some(path) => (
            State::Ok,
            format!("{}; prints reports with --formats pdf", path.display()),
        ),
        None => (
            State::Missing,
            "optional; for --formats pdf: install Chromium or Chrome, or set its path with PRECEDENT_BROWSER"
                .to_owned(),
        ),
    };
    Finding {
        what: "browser".into(),
        state,
        detail,
    }
}

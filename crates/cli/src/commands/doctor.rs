use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use precedent_app::models::{self, ModelAccess, TestedModel};
use precedent_app::runs::ModelRequest;
use precedent_app::runtime::runtime_here;
use precedent_app::{AppError, Database, ErrorKind, ModelChoice, Settings, settings_file};
use precedent_engine::corpus::{Corpus, KnownModel};
use precedent_engine::ledger::Ledger;
use precedent_engine::read::{PdfiumState, ocr_program, pdfium_state};
use precedent_engine::text::{Source, locate};
use precedent_server::Isolation;

use super::doctor_arguments::DoctorArguments;
use super::doctor_finding::{CheckState, DoctorFinding};
use super::{online, pdf};
use crate::ExitCode;
use crate::printer::{Printer, plain};
use crate::progress::Warnings;

/// `precedent doctor`.
pub(super) fn run(typed: &DoctorArguments, printer: Printer) -> Result<ExitCode, AppError> {
    let mut findings = vec![quotes(), runs_folder(), settings(typed)?];
    findings.extend(typed.corpus.corpora.iter().map(|path| corpus(path)));
    if typed.corpus.corpora.is_empty() {
        findings.push(DoctorFinding {
            what: "corpus".into(),
            state: CheckState::Missing,
            detail: "not set; create one with `precedent corpus add DIR FILES…` and choose it with --corpus or PRECEDENT_CORPUS".into(),
        });
    }
    findings.extend(KnownModel::all().iter().map(embedder));
    findings.extend(models(typed, printer));
    findings.push(database(typed));
    findings.extend(online::findings(typed)?);
    findings.push(pdfium());
    findings.push(ocr());
    findings.push(browser());
    findings.push(isolation());
    if typed.json {
        printer.json(&serde_json::json!({ "findings": findings }))?;
    } else {
        for finding in &findings {
            let state = match finding.state {
                CheckState::Ok => "ok     ",
                CheckState::NotAsked => "-      ",
                CheckState::Missing => "missing",
                CheckState::Broken => "BROKEN ",
            };
            printer.line(&format!("{state}  {:<22}  {}", finding.what, plain(&finding.detail)));
        }
    }
    let broken = findings.iter().any(|finding| finding.state == CheckState::Broken);
    if !typed.json {
        printer.line(match broken {
            true => "Something is broken: see BROKEN above.",
            false => "Nothing is broken. What is missing is optional.",
        });
    }
    let is_broken = |what: &str| {
        let mut of = findings.iter().filter(|finding| finding.what.starts_with(what));
        of.any(|finding| finding.state == CheckState::Broken)
    };
    Ok(match broken {
        true if is_broken("models") => ExitCode::Model,
        true if is_broken("corpus ") => ExitCode::Input,
        true => ExitCode::Bug,
        false => ExitCode::Done,
    })
}

/// Tests the quote check on a sentence.
fn quotes() -> DoctorFinding {
    let source = Source::new("The decoder follows the rope as it ages, and it keeps the link alive for months.");
    let kept = locate(&source, "The decoder follows the rope as it ages").verified();
    let refused = !locate(&source, "The decoder never follows the rope as it ages").verified();
    let (state, detail) = if kept && refused {
        (
            CheckState::Ok,
            "a correct quote is verified, an altered one is rejected",
        )
    } else {
        (
            CheckState::Broken,
            "the quote check gives wrong results; do not trust any report",
        )
    };
    DoctorFinding {
        what: "quotes".into(),
        state,
        detail: detail.into(),
    }
}

/// What the processes of `precedent serve` that read uploads can reach.
fn isolation() -> DoctorFinding {
    let isolation = Isolation::here();
    DoctorFinding {
        what: "isolation of uploads".into(),
        state: match isolation {
            Isolation::FilesAndNetwork => CheckState::Ok,
            _ => CheckState::Missing,
        },
        detail: isolation.about().into(),
    }
}

fn runs_folder() -> DoctorFinding {
    let tried = tempfile::tempfile_in(".");
    let (state, detail) = match tried {
        Ok(_) => (CheckState::Ok, "the current folder is writable".to_owned()),
        Err(error) => (
            CheckState::Missing,
            format!("the current folder is not writable ({error}); choose another folder with `assess --out`"),
        ),
    };
    DoctorFinding {
        what: "runs".into(),
        state,
        detail,
    }
}

fn corpus(path: &Path) -> DoctorFinding {
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
            DoctorFinding {
                what,
                state: CheckState::Ok,
                detail,
            }
        }
        Err(_) if path.exists() => DoctorFinding {
            what,
            state: CheckState::Ok,
            detail: "files, not a corpus; they are indexed again for each run".into(),
        },
        // The user named it, so it is not optional.
        Err(error) => DoctorFinding {
            what,
            state: CheckState::Broken,
            detail: format!("failed to {error}"),
        },
    }
}

/// An embedding model for reranking searches.
fn embedder(model: &KnownModel) -> DoctorFinding {
    let folder = precedent_app::encoders::folder_of(model).filter(|folder| model.is_in(folder));
    let (state, detail) = match folder.map(|folder| (model.check(&folder), folder)) {
        Some((Ok(()), folder)) => (
            CheckState::Ok,
            format!(
                "in {}; use it with `search --embedder {}`",
                folder.display(),
                model.name
            ),
        ),
        Some((Err(error), _)) => (
            CheckState::Broken,
            format!(
                "failed to {error}; reinstall it with `precedent models pull {}`",
                model.name
            ),
        ),
        None => (
            CheckState::Missing,
            format!("optional; install it with `precedent models pull {}`", model.name),
        ),
    };
    DoctorFinding {
        what: format!("embedder {}", model.name),
        state,
        detail,
    }
}

/// The language models of the settings, or the named one. They receive a question only if the user asks for it.
fn models(typed: &DoctorArguments, printer: Printer) -> Vec<DoctorFinding> {
    let of = |what: &str, state: CheckState, detail: String| DoctorFinding {
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
        vec![of("models", CheckState::Broken, format!("{}{hint}", causes.join(": ")))]
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
            return vec![of("models", CheckState::Broken, detail.to_owned())];
        }
        Ok(None) => {
            let detail = "optional; not set; choose one with --model provider:name";
            return vec![of("models", CheckState::Missing, detail.to_owned())];
        }
        Err(failure) => return broken(failure),
    };
    if typed.model.is_none() {
        let detail = format!(
            "{}; not tested: `precedent doctor --model` sends it one short question",
            request.model
        );
        return vec![of("models", CheckState::NotAsked, detail)];
    }
    match tested(&request, printer) {
        Ok(tested) => tested
            .into_iter()
            .map(|one| {
                let how = match (one.repaired, one.refused_schema) {
                    (false, false) => "with valid JSON",
                    (false, true) => "with valid JSON; it refuses JSON Schemas, so prompts contain them as text",
                    (true, _) => "with valid JSON only after a repair request; a larger model may answer more items",
                };
                let stage = one.stage.map(|stage| format!(", for {stage},")).unwrap_or_default();
                let detail = format!(
                    "{}{stage} answers at {} {how} ({} tokens)",
                    one.model, one.host, one.tokens
                );
                of("models", CheckState::Ok, detail)
            })
            .collect(),
        Err(failure) => broken(failure),
    }
}

/// The database that batches share. It is contacted only with `--online`.
fn database(typed: &DoctorArguments) -> DoctorFinding {
    let given = std::env::var("PRECEDENT_DATABASE").ok();
    let chosen = Database::chosen(given.as_deref(), typed.settings.as_deref(), false, &[]);
    let checked = chosen.and_then(|database| {
        let is_tested = database.as_ref().filter(|_| typed.online);
        is_tested.map_or(Ok(()), Database::check).map(|()| database)
    });
    let (state, detail) = match checked {
        Ok(None) => (
            CheckState::Missing,
            "optional; not set; several machines share a batch with `precedent batch --database`".to_owned(),
        ),
        Ok(Some(_)) if typed.online => (CheckState::Ok, "it can be used".to_owned()),
        Ok(Some(_)) => (
            CheckState::NotAsked,
            "set; not tested: `precedent doctor --online` connects to it".to_owned(),
        ),
        Err(failure) => (CheckState::Broken, failure.to_string()),
    };
    DoctorFinding {
        what: "database".to_owned(),
        state,
        detail,
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
            limit: None,
            budget: None,
            progress: Arc::new(Warnings(printer)),
        };
        models::open(&access, &ledger)?.test().await
    })
}

/// The settings file. An invalid one is an error of every command.
fn settings(typed: &DoctorArguments) -> Result<DoctorFinding, AppError> {
    let named = typed.settings.as_deref();
    Settings::load(named)?;
    let (state, detail) = match settings_file(named) {
        Some(path) => (CheckState::Ok, format!("read from {}", path.display())),
        None => (
            CheckState::NotAsked,
            "optional; no file; make one with `precedent init`".to_owned(),
        ),
    };
    Ok(DoctorFinding {
        what: "settings".to_owned(),
        state,
        detail,
    })
}

/// The optional PDF text extractor.
fn pdfium() -> DoctorFinding {
    let state = pdfium_state();
    let (state, detail) = match &state {
        PdfiumState::Ready { library } => (
            CheckState::Ok,
            format!(
                "{}, for files that the built-in extractor cannot read",
                library.display()
            ),
        ),
        state => {
            let (why, how) = pdf::missing(state);
            (CheckState::Missing, format!("optional; {why}; {how}"))
        }
    };
    DoctorFinding {
        what: "pdfium".into(),
        state,
        detail,
    }
}

/// The optional OCR program.
fn ocr() -> DoctorFinding {
    let (state, detail) = match ocr_program() {
        Some(program) => (
            CheckState::Ok,
            format!("{}; reads scanned PDFs with --ocr", program.path().display()),
        ),
        None => (
            CheckState::Missing,
            "optional; for --ocr: install ocrmypdf, or tesseract and pdftoppm".to_owned(),
        ),
    };
    DoctorFinding {
        what: "ocr".into(),
        state,
        detail,
    }
}

/// A browser that prints reports to PDF.
fn browser() -> DoctorFinding {
    let (state, detail) = match precedent_report::browser() {
        Some(path) => (
            CheckState::Ok,
            format!("{}; prints reports with --formats pdf", path.display()),
        ),
        None => (
            CheckState::Missing,
            "optional; for --formats pdf: install Chromium or Chrome, or set its path with PRECEDENT_BROWSER"
                .to_owned(),
        ),
    };
    DoctorFinding {
        what: "browser".into(),
        state,
        detail,
    }
}

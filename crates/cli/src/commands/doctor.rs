use std::path::Path;

use precedent_engine::corpus::{Corpus, KnownModel};
use precedent_engine::read::{PdfiumState, pdfium_state};
use precedent_engine::text::{Source, locate};
use serde::Serialize;

use super::{online, pdf};
use crate::ExitCode;
use crate::args::DoctorArguments;
use crate::printer::{Printer, plain};
use precedent_app::AppError;

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
    let mut findings = vec![quotes(), runs_folder()];
    findings.extend(typed.corpus.corpora.iter().map(|path| corpus(path)));
    if typed.corpus.corpora.is_empty() {
        findings.push(Finding {
            what: "corpus".into(),
            state: State::Missing,
            detail: "not set; create one with `precedent corpus add DIR FILES…` and choose it with --corpus or PRECEDENT_CORPUS".into(),
        });
    }
    findings.extend(KnownModel::all().iter().map(embedder));
    findings.push(models());
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
    Ok(if broken { ExitCode::Bug } else { ExitCode::Done })
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
        Err(error) => Finding {
            what,
            state: State::Missing,
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

/// Language models are not checked, because none is used unless it is chosen.
fn models() -> Finding {
    Finding {
        what: "models".into(),
        state: State::Missing,
        detail: "not set; choose one with --model provider:name, or use --model offline".into(),
    }
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

/// A browser that can print a report to PDF.
fn browser() -> Finding {
    let names = ["chromium", "chromium-browser", "google-chrome", "firefox"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).find_map(|folder| names.iter().find(|name| folder.join(name).is_file()));
    match found {
        Some(name) => Finding {
            what: "browser".into(),
            state: State::Ok,
            detail: format!("{name}; opens report.html and prints it to PDF"),
        },
        None => Finding {
            what: "browser".into(),
            state: State::Missing,
            detail: "none in PATH; read report.md instead".into(),
        },
    }
}

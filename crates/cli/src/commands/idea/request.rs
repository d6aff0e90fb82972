//! Converts arguments to a repeatable request, and the request to engine options.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use precedent_engine::corpus::{Embedder, KnownModel, VectorCache};
use precedent_engine::domain::Paper;
use precedent_engine::pipelines::{Examples, Idea, IdeaOptions, Seed};
use precedent_engine::runs::{IdeaRequest, RunRequest};
use precedent_engine::sources::{PaperName, WorkName};
use precedent_report::idea_file_name;

use super::arguments::IdeaArguments;
use crate::ExitCode;
use crate::commands::encoders::here;
use crate::commands::{input, models, services};
use crate::exit::Failure;

/// Maximum length of an idea, in bytes.
const LONGEST: u64 = 1 << 20;

/// Validates the arguments.
pub(super) fn from_arguments(typed: &IdeaArguments) -> Result<RunRequest, Failure> {
    for format in &typed.formats {
        idea_file_name(format).map_err(|error| Failure::new(ExitCode::Usage, error))?;
    }
    let sources = services::selected(&typed.sources, typed.model.settings.as_deref(), typed.model.local_only)?;
    let (input, text) = match (&typed.batch, &typed.idea) {
        (Some(file), _) if file.as_os_str() == "-" => (PathBuf::from("ideas"), Some(stdin()?)),
        (Some(file), _) => (absolute(file)?, None),
        (None, Some(idea)) => typed_idea(idea)?,
        (None, None) => return Err(Failure::said(ExitCode::Usage, "no idea was given")),
    };
    let seed = |seed: &String| match Path::new(seed).is_file() {
        true => absolute(Path::new(seed)).map(|path| path.to_string_lossy().into_owned()),
        false => Ok(seed.clone()),
    };
    // Reports an unknown name now, not after the other work.
    for typed in typed.seed_papers.iter().filter(|typed| !Path::new(typed).is_file()) {
        self::seed(typed)?;
    }
    let request = IdeaRequest {
        text,
        batch: typed.batch.is_some(),
        examples: typed.examples.as_deref().map(absolute).transpose()?,
        seeds: typed.seed_papers.iter().map(seed).collect::<Result<_, _>>()?,
        whole_to: services::named_for_whole_texts(&typed.sources.names, &sources),
        own: typed.own_paper.as_deref().map(absolute).transpose()?,
        samples: usize::from(typed.samples),
        full: typed.full,
        workers: usize::from(typed.workers),
        embedder: typed.embedder.as_deref().map(model_of_vectors).transpose()?,
    };
    Ok(RunRequest {
        input,
        named: Default::default(),
        corpora: typed
            .corpus
            .corpora
            .iter()
            .map(|path| absolute(path))
            .collect::<Result<_, _>>()?,
        settings: services::settings_for(&sources, &typed.model)?,
        sources,
        full_texts: None,
        as_of: typed.as_of,
        formats: typed.formats.clone(),
        seed: typed.seed,
        model: models::selected(&typed.model)?,
        idea: Some(request),
        points: None,
        review: None,
    })
}

/// Resolves the idea argument to a file, or to a text and a name for it.
pub(in crate::commands) fn typed_idea(idea: &str) -> Result<(PathBuf, Option<String>), Failure> {
    match Path::new(idea).is_file() {
        _ if idea == "-" => Ok((PathBuf::from("idea"), Some(stdin()?))),
        true => Ok((absolute(Path::new(idea))?, None)),
        false if looks_like_a_path(idea) => {
            let message = format!("failed to read {idea}: file not found");
            Err(Failure::said(ExitCode::Input, message).hint("check the path, or give the idea as a few sentences"))
        }
        false => Ok((PathBuf::from("idea"), Some(idea.to_owned()))),
    }
}

pub(in crate::commands) fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    path.canonicalize().map_err(|error| input::cannot_read(path, error))
}

/// Whether a text is a mistyped path: a single word with a slash or a file extension.
fn looks_like_a_path(text: &str) -> bool {
    let ending = |text: &str| Path::new(text).extension().is_some_and(|ending| ending.len() <= 8);
    !text.trim().contains(char::is_whitespace) && (text.contains('/') || ending(text))
}

fn stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let read = std::io::stdin().take(LONGEST * 64).read_to_end(&mut bytes);
    read.map_err(|error| Failure::said(ExitCode::Input, format!("failed to read stdin: {error}")))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The idea of a request, and its paper if the input is one.
pub(super) fn idea(request: &RunRequest) -> Result<(Idea, Option<Paper>), Failure> {
    if let Some(text) = request.idea.as_ref().and_then(|idea| idea.text.as_ref()) {
        return Ok((Idea::new(text), None));
    }
    let path = &request.input;
    if is_text_file(path) {
        let text = text_of(path)?;
        return Ok((Idea::new(&text), None));
    }
    let paper = input::paper(path)?;
    let (title, summary) = (
        paper.title.clone().unwrap_or_default(),
        paper.abstract_text().unwrap_or_default(),
    );
    if summary.is_empty() {
        let message = format!("no abstract found in {}", path.display());
        return Err(Failure::said(ExitCode::Input, message).hint("give the idea as text"));
    }
    Ok((Idea::new(&format!("{title}.\n\n{summary}")), Some(paper)))
}

/// Whether a file name has the extension of plain text or Markdown.
pub(in crate::commands) fn is_text_file(path: &Path) -> bool {
    path.extension().is_none_or(|ending| {
        ["txt", "text", "md", "markdown"]
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    })
}

/// Reads a text file. A PDF under another name is an error.
pub(in crate::commands) fn text_of(path: &Path) -> Result<String, Failure> {
    let bytes = input::bytes(path)?;
    if bytes.starts_with(b"%PDF-") {
        let message = format!("{} is a PDF without the .pdf extension", path.display());
        return Err(Failure::said(ExitCode::Input, message).hint("rename it to .pdf"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Engine options of a request. Vectors are cached in `kept`.
pub(super) fn options(request: &RunRequest, own: Option<Paper>, kept: &Path) -> Result<IdeaOptions, Failure> {
    let asked = request.idea.clone().unwrap_or_default();
    let own = match &asked.own {
        Some(path) => Some(input::paper(path)?),
        None => own,
    };
    Ok(IdeaOptions {
        as_of: request.as_of,
        seeds: asked
            .seeds
            .iter()
            .map(|seed| self::seed(seed))
            .collect::<Result<_, _>>()?,
        whole_to: asked.whole_to.into_iter().collect(),
        own,
        given: None,
        examples: examples(asked.examples.as_deref())?,
        samples: asked.samples,
        embedder: embedder(asked.embedder.as_deref(), kept)?,
    })
}

/// Resolves a seed paper: a file, an identifier or a title.
fn seed(seed: &str) -> Result<Seed, Failure> {
    let path = Path::new(seed);
    if path.is_file() {
        let paper = input::paper(path)?;
        return Ok(Seed {
            title: paper.title.clone().unwrap_or_default(),
            summary: paper.abstract_text().unwrap_or_default().to_owned(),
            names: WorkName::of_identifiers(&paper.identifiers),
        });
    }
    let Some(name) = PaperName::parse(seed) else {
        return Ok(Seed {
            title: seed.to_owned(),
            ..Seed::default()
        });
    };
    let names = name.work_names();
    if names.is_empty() {
        let message = format!("no service can look up a paper by {seed}");
        return Err(Failure::said(ExitCode::Usage, message)
            .hint("use an arXiv id, a DOI, an ACL Anthology or Semantic Scholar id, a file, or the title"));
    }
    Ok(Seed {
        names,
        ..Seed::default()
    })
}

/// The examples in a file, or the built-in ones.
pub(in crate::commands) fn examples(path: Option<&Path>) -> Result<Examples, Failure> {
    let Some(path) = path else {
        return Ok(Examples::default());
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Examples::read(&name, &text_of(path)?).map_err(|error| {
        let message = format!("failed to {error} ({})", path.display());
        Failure::said(ExitCode::Input, message).hint(
            "each line must be {\"idea\": …, \"papers\": [{\"title\", \"abstract\"}], \"label\": \"novel\" or \"not novel\"}",
        )
    })
}

/// An embedder with its vector cache.
type Encoding = (Arc<dyn Embedder>, Arc<VectorCache>);

/// The name of a known embedder, or the absolute path of its folder.
pub(in crate::commands) fn model_of_vectors(model: &str) -> Result<String, Failure> {
    match KnownModel::named(model) {
        Some(_) => Ok(model.to_owned()),
        None => absolute(Path::new(model)).map(|path| path.to_string_lossy().into_owned()),
    }
}

/// Opens the embedder with this name or in this folder.
pub(in crate::commands) fn embedder(model: Option<&str>, kept: &Path) -> Result<Option<Encoding>, Failure> {
    let Some(model) = model else { return Ok(None) };
    let embedder = here(model)?;
    let kept = VectorCache::open(kept, embedder.name());
    Ok(Some((Arc::new(embedder), Arc::new(kept))))
}

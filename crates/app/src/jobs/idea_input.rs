//! What an idea is checked with: its text, seeds, examples and embedder.

use std::path::Path;
use std::sync::Arc;

use crate::runs::RunRequest;
use precedent_engine::corpus::{Embedder, KnownModel, VectorCache};
use precedent_engine::domain::{Paper, ReadWarning};
use precedent_engine::idea::{Ablation, Examples, Idea, IdeaOptions, Seed};
use precedent_engine::sources::{PaperName, WorkName};

use crate::encoders::here;
use crate::input::{self, absolute, hidden_in, idea_in_file, is_text_file, text_of};
use crate::{AppError, ErrorKind};

/// The title of a run about an idea: its first words.
pub(crate) fn title_of(text: &str) -> String {
    text.split_whitespace().take(14).collect::<Vec<_>>().join(" ")
}

/// The idea of a request.
pub(crate) struct IdeaInput {
    /// The idea.
    pub(crate) idea: Idea,
    /// Its paper, if the input is one.
    pub(crate) own: Option<Paper>,
    /// What the user should know about the reading.
    pub(crate) warnings: Vec<ReadWarning>,
}

/// The idea of a request, and its paper if the input is one.
pub(crate) fn idea(request: &RunRequest) -> Result<IdeaInput, AppError> {
    let stated = request
        .idea
        .as_ref()
        .map(|idea| idea.facets.clone())
        .unwrap_or_default();
    let of_idea = |idea: Idea, warnings| IdeaInput {
        idea: Idea {
            stated: stated.clone(),
            ..idea
        },
        own: None,
        warnings,
    };
    if let Some(text) = request.idea.as_ref().and_then(|idea| idea.text.as_ref()) {
        return Ok(of_idea(Idea::new(text), hidden_in(text)));
    }
    let path = &request.input;
    if is_text_file(path) {
        let (idea, warnings) = idea_in_file(path)?;
        return Ok(of_idea(idea, warnings));
    }
    let paper = input::paper(path)?;
    let (title, summary) = (
        paper.title.clone().unwrap_or_default(),
        paper.abstract_text().unwrap_or_default(),
    );
    if summary.is_empty() {
        let message = format!("no abstract found in {}", path.display());
        return Err(AppError::with_message(ErrorKind::Input, message).hint("give the idea as text"));
    }
    Ok(IdeaInput {
        idea: Idea {
            stated: stated.clone(),
            ..Idea::new(&format!("{title}.\n\n{summary}"))
        },
        own: Some(paper),
        warnings: Vec::new(),
    })
}

/// Engine options of a request. Vectors are cached in `kept`.
pub(crate) fn options(request: &RunRequest, own: Option<Paper>, kept: &Path) -> Result<IdeaOptions, AppError> {
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
        ablation: Ablation::Nothing,
        embedder: embedder(asked.embedder.as_deref(), kept)?,
    })
}

/// Resolves a seed paper: a file, an identifier or a title.
pub(crate) fn seed(seed: &str) -> Result<Seed, AppError> {
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
        return Err(AppError::with_message(ErrorKind::Usage, message)
            .hint("use an arXiv id, a DOI, an ACL Anthology or Semantic Scholar id, a file, or the title"));
    }
    Ok(Seed {
        names,
        ..Seed::default()
    })
}

/// The examples in a file, or the built-in ones.
pub fn examples(path: Option<&Path>) -> Result<Examples, AppError> {
    let Some(path) = path else {
        return Ok(Examples::default());
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Examples::read(&name, &text_of(path)?).map_err(|error| {
        let message = format!("failed to {error} ({})", path.display());
        AppError::with_message(ErrorKind::Input, message).hint(
            "each line must be {\"idea\": …, \"papers\": [{\"title\", \"abstract\"}], \"label\": \"novel\" or \"not novel\"}",
        )
    })
}

/// An embedder with its vector cache.
pub type Encoding = (Arc<dyn Embedder>, Arc<VectorCache>);

/// The name of a known embedder, or the absolute path of its folder.
pub(crate) fn model_of_vectors(model: &str) -> Result<String, AppError> {
    match KnownModel::named(model) {
        Some(_) => Ok(model.to_owned()),
        None => absolute(Path::new(model)).map(|path| path.to_string_lossy().into_owned()),
    }
}

/// Opens the embedder with this name or in this folder.
pub fn embedder(model: Option<&str>, kept: &Path) -> Result<Option<Encoding>, AppError> {
    let Some(model) = model else { return Ok(None) };
    let embedder = here(model)?;
    let kept = VectorCache::open(kept, embedder.name());
    Ok(Some((Arc::new(embedder), Arc::new(kept))))
}

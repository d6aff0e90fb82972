//! What a ranking works with: the ideas, their names and the dimensions.

use std::path::{Path, PathBuf};

use crate::runs::RunRequest;
use precedent_engine::board::dimensions;
use precedent_engine::idea::Idea;
use precedent_engine::rank::{IdeaOfGroup, RankOptions};

use crate::{AppError, ErrorKind, Observer, input};

pub(crate) fn needs_model() -> AppError {
    AppError::with_message(ErrorKind::Model, "failed to rank the ideas: no model was chosen").hint(
        "choose one with --model, such as ollama:qwen3:8b; `precedent idea` compares an idea with prior work without a model",
    )
}

/// Engine options of a request.
pub(crate) fn options(request: &RunRequest) -> Result<RankOptions, AppError> {
    let asked = request.rank.clone().unwrap_or_default();
    Ok(RankOptions {
        dimensions: dimensions(asked.dimensions.as_deref())?,
        draws: asked.draws,
    })
}

/// The files of the ideas.
pub(crate) fn paths(request: &RunRequest) -> Vec<&PathBuf> {
    let others = request.rank.iter().flat_map(|asked| &asked.others);
    std::iter::once(&request.input).chain(others).collect()
}

/// The ideas, each named by its file, without reviews.
pub(crate) fn ideas(request: &RunRequest, observer: &dyn Observer) -> Result<Vec<IdeaOfGroup>, AppError> {
    let paths = paths(request);
    let ideas = paths.iter().zip(names(&paths)).map(|(path, name)| {
        let text = input::source_text(path, observer)?.document.text;
        Ok(IdeaOfGroup {
            name,
            idea: Idea::new(&text),
            review: None,
        })
    });
    ideas.collect()
}

/// File names, with as many parent folders as it takes to tell them apart.
fn names(paths: &[&PathBuf]) -> Vec<String> {
    let name = |path: &Path, parts: usize| {
        let all: Vec<String> = path
            .components()
            .map(|part| part.as_os_str().to_string_lossy().into_owned())
            .collect();
        all.get(all.len().saturating_sub(parts)..).unwrap_or_default().join("/")
    };
    let deepest = paths.iter().map(|path| path.components().count()).max().unwrap_or(1);
    let of = |path: &Path| {
        let alone = |parts: &usize| {
            let own = name(path, *parts);
            paths.iter().filter(|other| name(other, *parts) == own).count() == 1
        };
        name(path, (1..=deepest).find(alone).unwrap_or(1))
    };
    paths.iter().map(|path| of(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_file_names_with_parents_only_where_needed() {
        let paths = ["/w/a/idea.txt", "/w/b/idea.txt", "/w/b/other.txt"].map(PathBuf::from);
        let paths: Vec<&PathBuf> = paths.iter().collect();
        assert_eq!(names(&paths), ["a/idea.txt", "b/idea.txt", "other.txt"]);
        let same = [PathBuf::from("/w/idea.txt"), PathBuf::from("/w/idea.txt")];
        assert_eq!(names(&same.iter().collect::<Vec<_>>()), ["idea.txt", "idea.txt"]);
    }
}

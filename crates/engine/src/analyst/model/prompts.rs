use std::collections::BTreeMap;
use std::sync::LazyLock;

use precedent_ledger::InputHash;
use precedent_llm::{LlmError, Prompt, PromptError};

use crate::{EngineError, Result};

macro_rules! files {
    ($($id:literal),* $(,)?) => {
        &[$(($id, include_str!(concat!("../../../prompts/", $id, ".md")))),*]
    };
}

/// Every prompt, with its id and file.
const FILES: &[(&str, &str)] = files![
    "extract.core_task",
    "extract.contributions",
    "queries.primary",
    "queries.variants",
    "relevance.judge",
    "compare.passages",
    "compare.whole",
    "taxonomy.build",
    "taxonomy.place",
    "lines.one_liners",
    "survey.narrative",
    "position.siblings",
    "position.neighbours",
    "assess.overall",
    "idea.read",
    "idea.rank",
    "idea.judge",
    "idea.second_look",
    "points.read",
    "points.queries",
    "points.compare",
    "points.validate",
    "points.correct",
    "points.conclude",
    "points.polish",
    "audit.items",
    "rank.group",
    "audit.queries",
    "review.parts",
    "review.queries",
    "review.refine",
    "review.relevance",
    "review.ground",
    "review.board",
    "review.meta",
    "review.suggest",
];

static PROMPTS: LazyLock<std::result::Result<BTreeMap<&'static str, Prompt>, PromptError>> = LazyLock::new(|| {
    let parsed = FILES.iter().map(|(id, text)| Ok((*id, Prompt::parse(id, text)?)));
    parsed.collect()
});

/// Returns the prompt with this id.
pub(super) fn prompt(id: &str) -> Result<&'static Prompt> {
    let broken = |why: String| EngineError::Model {
        source: LlmError::Prompt(PromptError::Form {
            name: id.to_owned(),
            why,
        }),
    };
    match &*PROMPTS {
        Ok(prompts) => prompts
            .get(id)
            .ok_or_else(|| broken("there is no such prompt".to_owned())),
        Err(error) => Err(broken(error.to_string())),
    }
}

/// Changes whenever a prompt changes. Part of the keys of stored stage outputs.
pub(super) fn digest() -> String {
    let parts = FILES.iter().flat_map(|(id, text)| [id.as_bytes(), text.as_bytes()]);
    InputHash::of(parts).as_str().chars().take(16).collect()
}

/// Every prompt with its version, its temperature and the type name of its answer.
///
/// # Errors
/// When a prompt file is malformed.
pub fn prompt_list() -> Result<Vec<(String, u32, f32, String)>> {
    let head = |(id, _): &(&str, &str)| {
        let head = &prompt(id)?.head;
        Ok((head.id.clone(), head.version, head.temperature, head.output.clone()))
    };
    FILES.iter().map(head).collect()
}

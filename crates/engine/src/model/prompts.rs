use std::collections::BTreeMap;
use std::sync::LazyLock;

use precedent_ledger::InputHash;
use precedent_llm::{LlmError, Prompt, PromptError};

use crate::{EngineError, Result};

macro_rules! files {
    ($($folder:literal: $id:literal),* $(,)?) => {
        &[$(($id, include_str!(concat!("../", $folder, "/prompts/", $id, ".md")))),*]
    };
}

/// Every prompt, with its id and text, from the folder of the job or step that asks it.
const FILES: &[(&str, &str)] = files![
    "extract": "extract.core_task",
    "extract": "extract.contributions",
    "retrieve/queries": "queries.primary",
    "retrieve/queries": "queries.variants",
    "retrieve/search": "extract.date",
    "retrieve/search": "relevance.judge",
    "assess": "compare.passages",
    "assess": "compare.whole",
    "assess": "taxonomy.build",
    "assess": "taxonomy.place",
    "assess": "survey.narrative",
    "assess": "position.siblings",
    "assess": "position.neighbours",
    "assess": "assess.overall",
    "idea": "idea.read",
    "idea": "idea.rank",
    "idea": "idea.rank_relevance",
    "idea": "idea.judge",
    "idea": "idea.second_look",
    "points": "points.read",
    "points": "points.queries",
    "points": "points.compare",
    "points": "points.validate",
    "points": "points.correct",
    "points": "points.conclude",
    "points": "points.polish",
    "audit": "audit.items",
    "rank": "rank.group",
    "rank": "rank.reviewed",
    "rank": "rank.pair",
    "audit": "audit.queries",
    "review": "review.parts",
    "review": "review.queries",
    "review": "review.refine",
    "review": "review.relevance",
    "review": "review.report",
    "review": "review.ground",
    "review": "review.board",
    "review": "review.meta",
    "review": "review.suggest",
];

static PROMPTS: LazyLock<std::result::Result<BTreeMap<&'static str, Prompt>, PromptError>> = LazyLock::new(|| {
    let parsed = FILES.iter().map(|(id, text)| Ok((*id, Prompt::parse(id, text)?)));
    parsed.collect()
});

/// Returns the prompt with this id.
pub(crate) fn prompt(id: &str) -> Result<&'static Prompt> {
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

/// Changes whenever a prompt changes. Part of the keys of stored stage outputs. The name of the answer's type is left out, because no request has it.
pub(crate) fn digest() -> String {
    let lines = |text: &'static str| text.lines().filter(|line| !line.starts_with("output = "));
    let parts = FILES
        .iter()
        .flat_map(|(id, text)| std::iter::once(*id).chain(lines(text)));
    InputHash::of(parts.map(str::as_bytes))
        .as_str()
        .chars()
        .take(16)
        .collect()
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

//! How ideas, works and examples are shown to a model.

use precedent_domain::{IdeaText, NoveltyVerdict, Work};
use precedent_llm::Fence;
use precedent_text::one_line;

use crate::idea::LabelledIdea;

/// Words of a title and abstract that are shown for ranking (Idea Novelty Checker, public code).
const RANK_WORDS: usize = 300;

/// The whole idea, with its facets in its own words.
pub(crate) fn idea(fence: &Fence, idea: &IdeaText) -> String {
    let mut shown = fence.wrap("idea", &idea.document.text);
    if !idea.facets.is_empty() {
        let facets: Vec<String> = idea
            .facets
            .iter()
            .map(|one| format!("{}: {}", one.facet.name(), one_line(one.quote.text())))
            .collect();
        shown.push('\n');
        shown.push_str(&fence.wrap("facets of the idea", &facets.join("\n")));
    }
    shown
}

/// A work to rank.
pub(crate) fn in_short(fence: &Fence, number: usize, work: &Work) -> String {
    let summary = work.summary.as_deref().unwrap_or_default();
    let words: Vec<&str> = work
        .title
        .split_whitespace()
        .chain(summary.split_whitespace())
        .collect();
    let title = one_line(&work.title);
    let rest = words
        .iter()
        .skip(work.title.split_whitespace().count())
        .take(RANK_WORDS);
    let rest: Vec<&str> = rest.copied().collect();
    fence.wrap(&format!("work {number}"), &format!("{title}\n{}", rest.join(" ")))
}

/// A labelled example, whole.
pub(crate) fn example(fence: &Fence, number: usize, example: &LabelledIdea) -> String {
    let mut text = format!("Idea: {}\n", one_line(&example.idea));
    for (at, work) in (1..).zip(&example.works) {
        text.push_str(&format!(
            "[{at}] {}\n{}\n",
            one_line(&work.title),
            one_line(&work.summary)
        ));
    }
    if let Some(reasoning) = &example.reasoning {
        text.push_str(&format!("Reasoning: {}\n", one_line(reasoning)));
    }
    let label = match example.label {
        NoveltyVerdict::Novel => "novel",
        NoveltyVerdict::NotNovel => "not_novel",
        NoveltyVerdict::Undecided => "undecided",
    };
    text.push_str(&format!("Verdict: {label}"));
    fence.wrap(&format!("example {number}"), &text)
}

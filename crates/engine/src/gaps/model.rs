//! Sentences about the use of models and the coverage of the field, for the report's first screen.

use std::collections::BTreeMap;

use precedent_domain::{
    CoverageLevel, FieldCoverage, ModelCoverage, ModelUse, NotSearched, NotSearchedKind, SentRecord,
};
use precedent_language::wording::agreeing;

use crate::World;
use crate::compare::LOOKED_AT;
use crate::model::NoteKind;

/// A warning if the searched sources hardly cover the paper's field. Then an empty result is not evidence of novelty.
pub(crate) fn field_not_covered(coverage: &FieldCoverage, subject: RunSubject) -> Option<NotSearched> {
    let how_near = how_near(coverage);
    let subject = subject.name();
    let near = near_of_all(coverage, subject);
    let message = match (coverage.level, coverage.near) {
        (CoverageLevel::Outside, 0) => format!(
            "The searched sources do not seem to cover {subject}'s field: {near} ({how_near}). \
An empty result here says nothing about earlier work. Search sources that cover the field."
        ),
        (CoverageLevel::Outside | CoverageLevel::Thin, _) => format!(
            "The searched sources cover little of {subject}'s field: {near} ({how_near}). \
An empty result here says little about earlier work. Search sources that cover the field."
        ),
        _ => return None,
    };
    Some(NotSearched {
        kind: NotSearchedKind::FieldNotCovered,
        message,
        scope: None,
    })
}

/// `2 of the 51 papers found are similar to the paper as a whole`.
fn near_of_all(coverage: &FieldCoverage, subject: &str) -> String {
    match (coverage.near, coverage.works) {
        (0, 1) => format!("the one paper found is not similar to {subject} as a whole"),
        (_, 1) => format!("only one paper was found, and it is similar to {subject} as a whole"),
        (0, works) => format!("none of the {works} papers found is similar to {subject} as a whole"),
        (1, works) => format!("1 of the {works} papers found is similar to {subject} as a whole"),
        (near, works) => format!("{near} of the {works} papers found are similar to {subject} as a whole"),
    }
}

/// The similarity of the closest papers. Names all of them if fewer were found than are usually considered.
fn how_near(coverage: &FieldCoverage) -> String {
    const IN_WORDS: [&str; LOOKED_AT + 1] = ["no", "one", "two", "three", "four", "five"];
    let looked_at = coverage.works.min(LOOKED_AT);
    let number = IN_WORDS.get(looked_at).copied().unwrap_or_default();
    let who = match looked_at {
        0 | 1 => "its similarity is".to_owned(),
        2 if coverage.works == 2 => "the similarity of both is".to_owned(),
        _ if looked_at == coverage.works => format!("the similarity of all {number} is"),
        _ => format!("the similarity of the {number} closest is"),
    };
    let on_average = if looked_at > 1 { " on average" } else { "" };
    format!(
        "{who} {:.2}{on_average}, on a scale of 0 to 1; typical of a covered field: {:.2} or more",
        coverage.nearest, coverage.usual
    )
}

/// What a run is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunSubject {
    /// A paper.
    Paper,
    /// An idea.
    Idea,
    /// A group of ideas.
    Ideas,
}

impl RunSubject {
    fn name(self) -> &'static str {
        match self {
            Self::Paper => "the paper",
            Self::Idea => "the idea",
            Self::Ideas => "the ideas",
        }
    }

    /// What a model was sent.
    fn texts(self) -> &'static str {
        match self {
            Self::Paper => "text of the paper and of other papers",
            Self::Idea => "text of the idea and of other papers",
            Self::Ideas => "text of the ideas",
        }
    }
}

/// Prompts whose answers no rule can replace.
const WITHOUT_RULES: [&str; 3] = ["review.board", "review.meta", "review.suggest"];

/// Reports failed model calls and what to do about them; `None` if there are none. Comes before all other limits.
pub(crate) fn model_incomplete(world: &World) -> Option<NotSearched> {
    let message = ModelCoverage::of(&world.model_uses()).caveat()?;
    Some(NotSearched {
        kind: NotSearchedKind::ModelIncomplete,
        message,
        scope: None,
    })
}

/// Limits of the model's part in the run. Empty without a model.
pub(crate) fn model_limits(world: &World, subject: RunSubject) -> Vec<NotSearched> {
    let Some(log) = world.model.as_ref().map(|model| model.log()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let uses = world.model_uses();
    let unasked: u64 = uses.iter().filter_map(|one| one.failed.get("budget")).sum();
    let items: u64 = uses.iter().map(|one| one.items).sum();
    let say = |kind, message| NotSearched {
        kind,
        message,
        scope: None,
    };
    if log.is_over_budget() || unasked > 0 {
        let were = if unasked == 1 { "was" } else { "were" };
        found.push(say(
            NotSearchedKind::Budget,
            format!(
                "This report is partial: the budget ran out before {unasked} of {items} items so far {were} sent to the model. \
The built-in method was used for them. Use a larger budget to continue the run."
            ),
        ));
    }
    for uses in by_host(&uses).into_values() {
        let one = record(&uses, subject);
        let requests = agreeing(one.requests, "request was", "requests were");
        let message = match uses.iter().all(|one| one.answers == 0) {
            true => format!(
                "The model gave no answer: {requests} sent to {}, with {}.",
                one.host, one.what
            ),
            false => format!(
                "A model was used: {requests} sent to {}, with {}. Its answers were checked against the texts, but what it missed is not known.",
                one.host, one.what
            ),
        };
        found.push(say(NotSearchedKind::NotJudged, message));
    }
    for one in &uses {
        found.extend(failures(one).map(|message| say(NotSearchedKind::NotJudged, message)));
    }
    let shortened = log.all_shortened();
    found.extend(
        uses.iter()
            .filter_map(|one| Some(cut_short(one, *shortened.get(&one.prompt)?)))
            .map(|message| say(NotSearchedKind::NotJudged, message)),
    );
    let cut_off = log.all_cut_off();
    found.extend(
        uses.iter()
            .filter_map(|one| Some(incomplete(one, *cut_off.get(&one.prompt)?)))
            .map(|message| say(NotSearchedKind::NotJudged, message)),
    );
    found.extend(
        log.notes(NoteKind::NotJudged)
            .into_iter()
            .map(|text| say(NotSearchedKind::NotJudged, text)),
    );
    found
}

fn failures(one: &ModelUse) -> Option<String> {
    let failed: BTreeMap<&str, u64> = one
        .failed
        .iter()
        .filter(|(kind, _)| *kind != "budget")
        .map(|(kind, count)| (kind.as_str(), *count))
        .collect();
    let count: u64 = failed.values().sum();
    if count == 0 {
        return None;
    }
    let kinds: Vec<String> = failed.iter().map(|(kind, count)| format!("{kind}: {count}")).collect();
    let (stage, items) = (one.prompt.split('@').next().unwrap_or_default(), one.items);
    let instead = match WITHOUT_RULES.contains(&stage) {
        true => "Nothing replaces them.",
        false => "The built-in method was used for them.",
    };
    Some(format!(
        "The model gave no usable answer for {count} of {items} items of {stage} ({}). {instead}",
        kinds.join(", ")
    ))
}

/// Reports items that exceeded the model's input limit.
fn cut_short(one: &ModelUse, count: u64) -> String {
    let (stage, items) = (one.prompt.split('@').next().unwrap_or_default(), one.items);
    let were = if count == 1 { "was" } else { "were" };
    format!(
        "{count} of {items} items of {stage} {were} longer than the model's limit. Of each long text in them, the model received only the first half or less."
    )
}

/// Reports answers that did not end.
fn incomplete(one: &ModelUse, count: u64) -> String {
    let (stage, items) = (one.prompt.split('@').next().unwrap_or_default(), one.items);
    let were = if count == 1 { "answer was" } else { "answers were" };
    format!(
        "{count} {were} cut off at the output limit ({stage}, {items} items). Only what was complete in them is used, so lists may be shorter."
    )
}

/// What was sent to models, by host, with tokens and cost. A request counts once, even if it was retried. The manifest counts every attempt.
pub(crate) fn sent(uses: &[ModelUse], subject: RunSubject) -> Vec<SentRecord> {
    by_host(uses)
        .into_values()
        .map(|uses| {
            let mut record = record(&uses, subject);
            record.what.push_str(&took(&uses));
            if uses.iter().all(|one| one.answers == 0) {
                record.what.push_str("; none was answered");
            }
            record
        })
        .collect()
}

/// Model use by host and model.
fn by_host(uses: &[ModelUse]) -> BTreeMap<(&str, &str), Vec<&ModelUse>> {
    let mut hosts: BTreeMap<(&str, &str), Vec<&ModelUse>> = BTreeMap::new();
    for one in uses.iter().filter(|one| one.questions > 0) {
        hosts.entry((&one.host, &one.model)).or_default().push(one);
    }
    hosts
}

/// Requests and bytes sent to one model.
fn record(uses: &[&ModelUse], subject: RunSubject) -> SentRecord {
    let bytes = uses.iter().map(|one| one.bytes).sum();
    let requests: u64 = uses.iter().map(|one| one.questions).sum();
    let (host, model) = uses
        .first()
        .map(|one| (one.host.clone(), one.model.as_str()))
        .unwrap_or_default();
    SentRecord {
        what: format!("{}, {bytes} bytes, to the model {model}", subject.texts()),
        host,
        requests: usize::try_from(requests).unwrap_or(usize::MAX),
        bytes,
    }
}

/// Tokens and cost as text.
fn took(uses: &[&ModelUse]) -> String {
    let sum = |of: fn(&ModelUse) -> u64| uses.iter().map(|one| of(one)).sum::<u64>();
    let (asked, answered) = (sum(|one| one.input_tokens), sum(|one| one.output_tokens));
    let lost = match sum(|one| one.lost_tries) {
        0 => String::new(),
        1 => "; 1 lost attempt is counted at its maximum cost".to_owned(),
        lost => format!("; {lost} lost attempts are counted at their maximum cost"),
    };
    if asked + answered == 0 && lost.is_empty() {
        return String::new();
    }
    let share = 100 * sum(|one| one.cached_tokens) / asked.max(1);
    let dollars: Option<f64> = uses.iter().map(|one| one.dollars).sum();
    let money = dollars.map_or("price unknown".to_owned(), |dollars| format!("${dollars:.2}"));
    format!("; {asked} input tokens ({share} % from the cache), {answered} output tokens{lost}; {money}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(works: usize, near: usize, level: CoverageLevel) -> String {
        let coverage = FieldCoverage {
            level,
            nearest: 0.213,
            usual: 0.31,
            near,
            works,
        };
        field_not_covered(&coverage, RunSubject::Paper)
            .map(|one| one.message)
            .unwrap_or_default()
    }

    #[test]
    fn the_message_names_as_many_papers_as_were_found() {
        for (works, words) in [
            (
                1,
                "the one paper found is not similar to the paper as a whole (its similarity is 0.21, on",
            ),
            (2, "(the similarity of both is 0.21 on average, on"),
            (4, "(the similarity of all four is 0.21 on average, on"),
            (5, "(the similarity of all five is 0.21 on average, on"),
            (60, "(the similarity of the five closest is 0.21 on average, on"),
        ] {
            let message = said(works, 0, CoverageLevel::Outside);
            assert!(message.contains(words), "{message}");
        }
        assert!(said(1, 0, CoverageLevel::Outside).contains("An empty result here says nothing"));
        assert!(said(9, 1, CoverageLevel::Thin).contains("1 of the 9 papers found is similar to"));
        assert!(said(9, 2, CoverageLevel::Thin).contains("2 of the 9 papers found are similar to"));
        assert_eq!(said(9, 9, CoverageLevel::Covered), "");
    }
}

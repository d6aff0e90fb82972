//! What was asked of models, and what came of it: for the report's first screen.

use std::collections::BTreeMap;

use precedent_domain::{
    CoverageLevel, FieldCoverage, ModelCoverage, ModelUse, NotSearched, NotSearchedKind, SentRecord,
};

use crate::World;
use crate::model::NoteKind;
use crate::stages::LOOKED_AT;

/// That what was searched hardly holds the paper's field, where it is so: then nothing follows from what was not found.
pub(in crate::pipelines) fn field_not_covered(coverage: &FieldCoverage) -> Option<NotSearched> {
    let how_near = how_near(coverage);
    let near = near_of_all(coverage);
    let message = match (coverage.level, coverage.near) {
        (CoverageLevel::Outside, 0) => format!(
            "What was searched does not seem to hold the paper's field: {near} ({how_near}). {} words with it. \
That nothing was found here says nothing about what came before; search where the field publishes.",
            if coverage.works == 1 { "It shares" } else { "They share" }
        ),
        (CoverageLevel::Outside | CoverageLevel::Thin, _) => format!(
            "What was searched holds little of the paper's field: {near} ({how_near}). \
That something was not found here says little about what came before; search where the field publishes."
        ),
        _ => return None,
    };
    Some(NotSearched {
        kind: NotSearchedKind::FieldNotCovered,
        message,
        scope: None,
    })
}

/// `2 of the 51 works found stand near the paper as a whole`.
fn near_of_all(coverage: &FieldCoverage) -> String {
    match (coverage.near, coverage.works) {
        (0, 1) => "the one work found does not stand near the paper as a whole".to_owned(),
        (_, 1) => "only one work was found, near the paper as a whole".to_owned(),
        (0, works) => format!("none of the {works} works found stands near the paper as a whole"),
        (1, works) => format!("1 of the {works} works found stands near the paper as a whole"),
        (near, works) => format!("{near} of the {works} works found stand near the paper as a whole"),
    }
}

/// How near those that were looked at stand: as many as there are, where fewer than usual were found.
fn how_near(coverage: &FieldCoverage) -> String {
    const IN_WORDS: [&str; LOOKED_AT + 1] = ["no", "one", "two", "three", "four", "five"];
    let looked_at = coverage.works.min(LOOKED_AT);
    let number = IN_WORDS.get(looked_at).copied().unwrap_or_default();
    let who = match looked_at {
        0 | 1 => "it stands".to_owned(),
        2 if coverage.works == 2 => "the two stand".to_owned(),
        _ if looked_at == coverage.works => format!("all {number} stand"),
        _ => format!("the {number} nearest stand"),
    };
    let on_average = if looked_at > 1 { " on average" } else { "" };
    format!(
        "{who} at {:.2} to it{on_average}, on a scale of 0 to 1, where a field that is held begins at {:.2}",
        coverage.nearest, coverage.usual
    )
}

/// That calls to the model failed and what to do about it; `None` where its part is complete. Comes before everything else.
pub(in crate::pipelines) fn model_incomplete(world: &World) -> Option<NotSearched> {
    let message = ModelCoverage::of(&world.analyst.uses()).caveat()?;
    Some(NotSearched {
        kind: NotSearchedKind::ModelIncomplete,
        message,
        scope: None,
    })
}

/// What the model did not answer, or may not be believed in. Empty without a model.
pub(in crate::pipelines) fn model_limits(world: &World) -> Vec<NotSearched> {
    let Some(log) = world.analyst.asked() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let uses = world.analyst.uses();
    let unasked: u64 = uses.iter().filter_map(|one| one.failed.get("budget")).sum();
    let items: u64 = uses.iter().map(|one| one.items).sum();
    let say = |kind, message| NotSearched {
        kind,
        message,
        scope: None,
    };
    if log.is_over_budget() || unasked > 0 {
        found.push(say(
            NotSearchedKind::Budget,
            format!(
                "This report is partial: the budget ended when {unasked} of the {items} questions so far were still to be put to the model. \
The program's own answers stand in their place; with a larger budget the run goes on."
            ),
        ));
    }
    for uses in by_host(&uses).into_values() {
        let one = record(&uses);
        let message = match uses.iter().all(|one| one.answers == 0) {
            true => format!(
                "A model was named and gave no answer: {} questions were put to {}, with {}.",
                one.requests, one.host, one.what
            ),
            false => format!(
                "A model took part: {} questions were sent to {}, with {}. Its answers were held against the texts; what it overlooks is not known.",
                one.requests, one.host, one.what
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
    Some(format!(
        "The model gave no usable answer to {count} of {items} questions of {stage} ({}); the program's own answers stand in their place.",
        kinds.join(", ")
    ))
}

/// A question that was longer than the model reads.
fn cut_short(one: &ModelUse, count: u64) -> String {
    let (stage, items) = (one.prompt.split('@').next().unwrap_or_default(), one.items);
    format!(
        "{count} of {items} questions of {stage} were longer than the model reads; it was shown the first half of each long text in them, or less, and judged by that."
    )
}

/// What left the machine for models, by host, with what it took and cost. A question counts once, however often the line broke; every try stands in the manifest.
pub(in crate::pipelines) fn sent(uses: &[ModelUse]) -> Vec<SentRecord> {
    by_host(uses)
        .into_values()
        .map(|uses| {
            let mut record = record(&uses);
            record.what.push_str(&took(&uses));
            if uses.iter().all(|one| one.answers == 0) {
                record.what.push_str("; none was answered");
            }
            record
        })
        .collect()
}

/// What was asked of each model, and where.
fn by_host(uses: &[ModelUse]) -> BTreeMap<(&str, &str), Vec<&ModelUse>> {
    let mut hosts: BTreeMap<(&str, &str), Vec<&ModelUse>> = BTreeMap::new();
    for one in uses.iter().filter(|one| one.questions > 0) {
        hosts.entry((&one.host, &one.model)).or_default().push(one);
    }
    hosts
}

/// Questions and bytes to one model.
fn record(uses: &[&ModelUse]) -> SentRecord {
    let bytes = uses.iter().map(|one| one.bytes).sum();
    let requests: u64 = uses.iter().map(|one| one.questions).sum();
    let (host, model) = uses
        .first()
        .map(|one| (one.host.clone(), one.model.as_str()))
        .unwrap_or_default();
    SentRecord {
        what: format!("text of the paper and of works, {bytes} bytes, to the model {model}"),
        host,
        requests: usize::try_from(requests).unwrap_or(usize::MAX),
        bytes,
    }
}

/// Tokens and money, in a few words.
fn took(uses: &[&ModelUse]) -> String {
    let sum = |of: fn(&ModelUse) -> u64| uses.iter().map(|one| of(one)).sum::<u64>();
    let (asked, answered) = (sum(|one| one.input_tokens), sum(|one| one.output_tokens));
    let lost = match sum(|one| one.lost_tries) {
        0 => String::new(),
        1 => "; 1 lost try is counted at its highest possible cost".to_owned(),
        lost => format!("; {lost} lost tries are counted at their highest possible cost"),
    };
    if asked + answered == 0 && lost.is_empty() {
        return String::new();
    }
    let share = 100 * sum(|one| one.cached_tokens) / asked.max(1);
    let dollars: Option<f64> = uses.iter().map(|one| one.dollars).sum();
    let money = dollars.map_or("price unknown".to_owned(), |dollars| format!("${dollars:.2}"));
    format!("; {asked} tokens asked, {share} % of them from its cache, {answered} answered{lost}; {money}")
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
        field_not_covered(&coverage).map(|one| one.message).unwrap_or_default()
    }

    #[test]
    fn as_many_works_are_named_as_were_found() {
        for (works, words) in [
            (
                1,
                "the one work found does not stand near the paper as a whole (it stands at 0.21 to it, on",
            ),
            (2, "(the two stand at 0.21 to it on average, on"),
            (4, "(all four stand at 0.21 to it on average, on"),
            (5, "(all five stand at 0.21 to it on average, on"),
            (60, "(the five nearest stand at 0.21 to it on average, on"),
        ] {
            let message = said(works, 0, CoverageLevel::Outside);
            assert!(message.contains(words), "{message}");
        }
        assert!(said(1, 0, CoverageLevel::Outside).contains("It shares words with it."));
        assert!(said(9, 1, CoverageLevel::Thin).contains("1 of the 9 works found stands near"));
        assert!(said(9, 2, CoverageLevel::Thin).contains("2 of the 9 works found stand near"));
        assert_eq!(said(9, 9, CoverageLevel::Covered), "");
    }
}

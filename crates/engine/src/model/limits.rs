//! What models received, and what they did not answer, for the report's first screen.

use std::collections::BTreeMap;

use precedent_domain::{Gap, ModelCoverage, ModelUse, NotSearched, SentContent, SentRecord};

use crate::World;

/// Prompts whose answers no rule can replace.
const WITHOUT_RULES: [&str; 3] = ["review.board", "review.meta", "review.suggest"];

/// Reports failed model calls; `None` if there are none. Comes before all other limits.
pub(crate) fn model_incomplete(world: &World) -> Option<NotSearched> {
    let coverage = ModelCoverage::of(&world.model_uses());
    coverage.is_incomplete().then(|| {
        Gap::ModelIncomplete {
            failed: coverage.failed,
            items: coverage.items,
            retryable: coverage.retryable > 0,
        }
        .into()
    })
}

/// Limits of the model's part in the run. Empty without a model.
pub(crate) fn model_limits(world: &World) -> Vec<NotSearched> {
    let Some(log) = world.model.as_ref().map(|model| model.log()) else {
        return Vec::new();
    };
    let uses = world.model_uses();
    let unasked: u64 = uses.iter().filter_map(|one| one.failed.get("budget")).sum();
    let items: u64 = uses.iter().map(|one| one.items).sum();
    let mut gaps = Vec::new();
    if log.is_over_budget() || unasked > 0 {
        gaps.push(Gap::BudgetEnded { unasked, items });
    }
    gaps.extend(by_host(&uses).into_iter().map(|((host, model), uses)| Gap::ModelUsed {
        host: host.to_owned(),
        model: model.to_owned(),
        requests: uses.iter().map(|one| one.questions).sum(),
        bytes: uses.iter().map(|one| one.bytes).sum(),
        answered: uses.iter().any(|one| one.answers > 0),
    }));
    gaps.extend(uses.iter().filter_map(failures));
    let shortened = log.all_shortened();
    gaps.extend(uses.iter().filter_map(|one| {
        Some(Gap::TextsShortened {
            prompt: prompt_of(one),
            shortened: *shortened.get(&one.prompt)?,
            items: one.items,
        })
    }));
    let cut_off = log.all_cut_off();
    gaps.extend(uses.iter().filter_map(|one| {
        Some(Gap::AnswersCutOff {
            prompt: prompt_of(one),
            cut_off: *cut_off.get(&one.prompt)?,
            items: one.items,
        })
    }));
    let left_out = log.all_left_out().into_iter();
    gaps.extend(left_out.map(|(prompt, left_out)| Gap::ItemsLeftOut { prompt, left_out }));
    let found = gaps.into_iter().map(NotSearched::from);
    found.chain(log.gaps()).collect()
}

fn failures(one: &ModelUse) -> Option<Gap> {
    let failures: BTreeMap<String, u64> = one
        .failed
        .iter()
        .filter(|(kind, count)| *kind != "budget" && **count > 0)
        .map(|(kind, count)| (kind.clone(), *count))
        .collect();
    let prompt = prompt_of(one);
    let replaced = !WITHOUT_RULES.contains(&prompt.as_str());
    (!failures.is_empty()).then_some(Gap::AnswersFailed {
        prompt,
        failures,
        items: one.items,
        replaced,
    })
}

/// The prompt without its version.
fn prompt_of(one: &ModelUse) -> String {
    one.prompt.split('@').next().unwrap_or_default().to_owned()
}

/// What was sent to models, by host, with tokens and cost. A request counts once, even if it was retried. The manifest counts every attempt.
pub(crate) fn sent(uses: &[ModelUse]) -> Vec<SentRecord> {
    let records = by_host(uses).into_iter().map(|((host, model), uses)| {
        let sum = |of: fn(&ModelUse) -> u64| uses.iter().map(|one| of(one)).sum::<u64>();
        SentRecord {
            host: host.to_owned(),
            what: String::new(),
            requests: usize::try_from(sum(|one| one.questions)).unwrap_or(usize::MAX),
            bytes: sum(|one| one.bytes),
            content: Some(SentContent::Texts {
                model: model.to_owned(),
                answered: uses.iter().any(|one| one.answers > 0),
                input_tokens: sum(|one| one.input_tokens),
                cached_tokens: sum(|one| one.cached_tokens),
                output_tokens: sum(|one| one.output_tokens),
                lost_attempts: sum(|one| one.lost_tries),
                dollars: uses.iter().map(|one| one.dollars).sum(),
            }),
        }
    });
    records.collect()
}

/// Model use by host and model.
fn by_host(uses: &[ModelUse]) -> BTreeMap<(&str, &str), Vec<&ModelUse>> {
    let mut hosts: BTreeMap<(&str, &str), Vec<&ModelUse>> = BTreeMap::new();
    for one in uses.iter().filter(|one| one.questions > 0) {
        hosts.entry((&one.host, &one.model)).or_default().push(one);
    }
    hosts
}

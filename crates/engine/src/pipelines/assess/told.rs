//! What was asked of models, and what came of it: for the report's first screen.

use std::collections::BTreeMap;

use precedent_domain::{ModelUse, NotSearched, NotSearchedKind, SentRecord};

use crate::World;
use crate::model::NoteKind;

/// What the model did not answer, or may not be believed in. Empty without a model.
pub(super) fn model_limits(world: &World) -> Vec<NotSearched> {
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
    for one in sent(&uses) {
        found.push(say(
            NotSearchedKind::NotJudged,
            format!(
                "A model took part: {} questions were sent to {}, with {}. Its answers were held against the texts; what it overlooks is not known.",
                one.requests, one.host, one.what
            ),
        ));
    }
    for one in &uses {
        found.extend(failures(one).map(|message| say(NotSearchedKind::NotJudged, message)));
    }
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

/// What left the machine for models, by host. A question counts once, however often the line broke; every try stands in the manifest.
pub(super) fn sent(uses: &[ModelUse]) -> Vec<SentRecord> {
    let mut hosts: BTreeMap<(&str, &str), (u64, u64)> = BTreeMap::new();
    for one in uses.iter().filter(|one| one.questions > 0) {
        let (requests, bytes) = hosts.entry((one.host.as_str(), one.model.as_str())).or_default();
        *requests += one.questions;
        *bytes += one.bytes;
    }
    let record = |((host, model), (requests, bytes)): ((&str, &str), (u64, u64))| SentRecord {
        host: host.to_owned(),
        what: format!("text of the paper and of works, {bytes} bytes, to the model {model}"),
        requests: usize::try_from(requests).unwrap_or(usize::MAX),
        bytes,
    };
    hosts.into_iter().map(record).collect()
}

//! Groups names of works into as few requests as a service allows.

use std::collections::{BTreeMap, BTreeSet};

use super::{Ability, Called, Draft, Relations, WorkName};

/// Names that fit in one request, each with its position among all names.
pub(super) fn batches(relations: &dyn Relations, names: &[WorkName], ability: Ability) -> Vec<Vec<(usize, Called)>> {
    let mut by_kind: BTreeMap<u8, Vec<(usize, Called)>> = BTreeMap::new();
    let mut asked: BTreeSet<(u8, String)> = BTreeSet::new();
    for (at, name) in names.iter().enumerate() {
        if let Some(called) = relations.call(name, ability)
            && asked.insert((called.kind, called.name.clone()))
        {
            by_kind.entry(called.kind).or_default().push((at, called));
        }
    }
    let most = relations.most_names(ability).max(1);
    by_kind
        .into_values()
        .flat_map(|all| all.chunks(most).map(<[_]>::to_vec).collect::<Vec<_>>())
        .collect()
}

/// Copies results to duplicate names, which were requested only once.
pub(super) fn fill_doubles<T: Clone>(names: &[WorkName], found: &mut [Option<T>]) {
    let mut first: BTreeMap<&WorkName, usize> = BTreeMap::new();
    for (at, name) in names.iter().enumerate() {
        let earlier = *first.entry(name).or_insert(at);
        if earlier < at {
            let earlier_answer = found.get(earlier).cloned().flatten();
            if let Some(place) = found.get_mut(at) {
                *place = earlier_answer;
            }
        }
    }
}

/// Whether a record has this name.
pub(super) fn is_of(draft: &Draft, name: &WorkName) -> bool {
    let identifiers = draft.identifiers();
    match name {
        WorkName::Record(id) => draft.id == id.as_str(),
        WorkName::Arxiv(id) => identifiers.arxiv.as_ref() == Some(id),
        WorkName::Doi(id) => identifiers.doi.as_ref() == Some(id),
        WorkName::Acl(id) => identifiers.acl.as_ref() == Some(id),
    }
}

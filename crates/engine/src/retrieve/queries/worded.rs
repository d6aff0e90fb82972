use precedent_domain::{Query, Scope};

use super::wording::{Terms, query};
use crate::extract::Extraction;

/// A query worded by the analyst, with the same rules as every query: within the limits, without coined names, without operators. `None` if
/// nothing is left.
pub(crate) fn worded(proposal: &str, scope: Scope, variant: u8, extraction: &Extraction) -> Option<Query> {
    let topic = proposal.trim();
    let bare = topic
        .get(..Query::PREFIX.len())
        .filter(|head| head.eq_ignore_ascii_case(Query::PREFIX));
    let topic = bare.and_then(|_| topic.get(Query::PREFIX.len()..)).unwrap_or(topic);
    query(topic, scope, variant, &Terms::of(extraction))
}

//! The items of `audit/items.toml`.

use std::sync::LazyLock;

use precedent_domain::AuditDimension;
use serde::Deserialize;

/// One question of the audit.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Item {
    /// `fluency.1`.
    pub id: String,
    /// Its group within the dimension.
    pub group: String,
    /// The question.
    pub question: String,
    /// The rule that decides it; empty if there is none.
    #[serde(default)]
    pub rule: String,
    /// Whether the rule covers only a part of the question, so that it can answer no but not yes.
    #[serde(default)]
    pub refuses: bool,
    /// The evidence that a model needs to decide it.
    #[serde(default)]
    pub evidence: Evidence,
}

/// The evidence needed to decide an item.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Evidence {
    /// The report alone.
    #[default]
    #[serde(rename = "")]
    Report,
    /// Passages of the paper.
    #[serde(rename = "paper")]
    Paper,
    /// Passages of the works.
    #[serde(rename = "works")]
    Works,
    /// Both.
    #[serde(rename = "both")]
    Both,
}

impl Item {
    /// The dimension, by the first part of the id.
    #[must_use]
    pub fn dimension(&self) -> Option<AuditDimension> {
        let name = self.id.split('.').next()?;
        AuditDimension::ALL
            .into_iter()
            .map(|(dimension, _)| dimension)
            .find(|dimension| dimension.name() == name)
    }
}

#[derive(Deserialize)]
struct File {
    item: Vec<Item>,
}

/// All items, in order.
#[must_use]
pub fn items() -> &'static [Item] {
    static ITEMS: LazyLock<Vec<Item>> = LazyLock::new(|| {
        let file: Result<File, _> = toml::from_str(include_str!("../../audit/items.toml"));
        file.map(|file| file.item).unwrap_or_default()
    });
    &ITEMS
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::audit::rules;

    #[test]
    fn every_dimension_has_its_published_number_of_items_and_every_rule_exists() {
        for (dimension, count) in AuditDimension::ALL {
            let own = items().iter().filter(|item| item.dimension() == Some(dimension));
            assert_eq!(own.count(), count, "{dimension:?}");
        }
        assert_eq!(items().len(), 69);
        let ids: BTreeSet<&str> = items().iter().map(|item| item.id.as_str()).collect();
        let questions: BTreeSet<&str> = items().iter().map(|item| item.question.as_str()).collect();
        assert_eq!((ids.len(), questions.len()), (69, 69));
        for item in items() {
            assert!(item.question.ends_with('?'), "{}", item.id);
            assert!(item.rule.is_empty() || rules::is_known(&item.rule), "{}", item.rule);
            assert!(!item.refuses || !item.rule.is_empty(), "{}", item.id);
        }
    }
}

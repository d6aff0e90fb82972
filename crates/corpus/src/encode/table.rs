use std::collections::BTreeMap;

use super::{Embedder, EncodeError, TextKind};
use crate::analysis::terms;
use crate::embed::{Vector, model};

/// The built-in table of term vectors as an embedder: no download, thousands of texts per second. Unknown words do not count; a text without known
/// words has the zero vector, which is similar to nothing.
#[derive(Debug, Clone)]
pub struct TableEmbedder {
    name: String,
}

impl TableEmbedder {
    /// The built-in table.
    #[must_use]
    pub fn new() -> Self {
        let revision = model().map_or("none", |model| model.revision());
        Self {
            name: format!("terms-256 {revision}"),
        }
    }
}

impl Default for TableEmbedder {
    fn default() -> Self {
        Self::new()
    }
}

impl Embedder for TableEmbedder {
    fn name(&self) -> &str {
        &self.name
    }

    fn embed(&self, texts: &[&str], _: TextKind) -> Result<Vec<Vec<f32>>, EncodeError> {
        let one = |text: &&str| {
            let mut counts: BTreeMap<String, u32> = BTreeMap::new();
            for term in terms(text) {
                *counts.entry(term).or_default() += 1;
            }
            model().map_or(Vector::ZERO, |model| {
                let rows = counts
                    .iter()
                    .filter_map(|(term, &count)| Some((model.row(term)?, count)));
                Vector::of_rows(model, rows)
            })
        };
        Ok(texts.iter().map(one).map(|vector| vector.numbers()).collect())
    }
}

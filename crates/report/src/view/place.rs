use precedent_domain::{PositionKind, TaxonomyPaper};

use super::Digest;
use crate::plain::one_line;

/// Where the paper sits among the works found.
pub(crate) struct Place {
    /// Names from the tree's root to the paper's leaf, the root left out where there is more; empty where there is no tree.
    pub(crate) path: Vec<String>,
    /// Why the place is no clear one; empty where it is.
    pub(crate) doubt: &'static str,
}

impl Digest<'_> {
    /// Where the paper sits. A leaf that it shares with nothing, or with works that have no telling phrase in common with it, is no place: every
    /// paper ends in some leaf, and a report that names it without saying so pretends to know.
    pub(crate) fn place(&self) -> Place {
        if self.not_its_field().is_some() {
            return Place {
                path: Vec::new(),
                doubt: "No place is told: what was searched hardly covers the paper's field.",
            };
        }
        let path = self.path();
        if path.is_empty() {
            return Place {
                path,
                doubt: "No place could be told: too few works were found.",
            };
        }
        let position = self.position();
        let doubt = match position {
            None => "No clear position: it was not compared with its neighbours.",
            Some(one) if one.kind == PositionKind::Isolated => {
                "No clear position among the papers found: none shares its category or is in a neighbouring one."
            }
            Some(one)
                if one
                    .no_clear_place
                    .as_ref()
                    .is_some_and(|why| why.contains("most similar papers")) =>
            {
                "No clear position among the papers found: none of the five most similar papers is in its branch of the tree."
            }
            Some(one)
                if one
                    .no_clear_place
                    .as_ref()
                    .is_some_and(|why| why.contains("no distinctive term in common")) =>
            {
                "No clear position among the papers found: the papers in its category have no distinctive term in common."
            }
            Some(one) if one.no_clear_place.is_some() => {
                "No clear position among the papers found: no phrase of two or more words is both in the paper's title or abstract and in those of its category."
            }
            Some(one)
                if one.kind == PositionKind::HasSiblings
                    && one.siblings.iter().all(|sibling| sibling.shared_terms.is_empty()) =>
            {
                "No clear position among the papers found: no paper in its category shares a distinctive phrase with it."
            }
            Some(_) => "",
        };
        Place { path, doubt }
    }

    fn path(&self) -> Vec<String> {
        let position = self.position();
        let mut path: Vec<String> = position.map(|one| one.path.clone()).unwrap_or_default();
        if path.is_empty()
            && let Some(tree) = &self.report.core_task_survey.taxonomy
        {
            path = tree
                .path_to(TaxonomyPaper::Target)
                .iter()
                .map(|node| node.name.clone())
                .collect();
        }
        if path.len() > 1 {
            path.remove(0);
        }
        path.iter().map(|name| one_line(name).into_owned()).collect()
    }
}

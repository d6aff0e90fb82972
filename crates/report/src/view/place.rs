use precedent_domain::{NoClearPlace, PlaceDoubt, Position, PositionKind, TaxonomyPaper};

use super::Digest;
use crate::plain::one_line;

/// The paper's position in the taxonomy.
pub(crate) struct Place {
    /// Category names from the root to the paper's category, without the root if there is more. Empty without a taxonomy.
    pub(crate) path: Vec<String>,
    /// Why the position is not clear; empty if it is.
    pub(crate) doubt: &'static str,
}

impl Digest<'_> {
    /// The paper's position. It is unclear if the category has no other paper, or none that shares a distinctive phrase with it: every paper ends
    /// up in some category.
    pub(crate) fn place(&self) -> Place {
        if self.field_limit().is_some() {
            return Place {
                path: Vec::new(),
                doubt: "No position is given: the searched sources may cover little of the paper's field.",
            };
        }
        let path = self.path();
        if path.is_empty() {
            return Place {
                path,
                doubt: "No position: too few papers were found.",
            };
        }
        let position = self.position();
        let doubt = match position {
            None => "No clear position: the paper was not compared with its neighbours.",
            Some(one) if one.kind == PositionKind::Isolated => {
                "No clear position among the papers found: none is in its category or a neighbouring one."
            }
            Some(Position {
                no_clear_place: Some(why),
                ..
            }) => why_unclear(why),
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

fn why_unclear(why: &NoClearPlace) -> &'static str {
    match why {
        NoClearPlace::Reason(PlaceDoubt::MostSimilarElsewhere) => {
            "No clear position among the papers found: none of the five most similar papers is in its branch of the taxonomy."
        }
        NoClearPlace::Reason(PlaceDoubt::NoSharedPhrase | PlaceDoubt::PapersShareNoPhrase) => {
            "No clear position among the papers found: no phrase of two or more words is both in the paper's title or abstract and in those of its category."
        }
        NoClearPlace::InWords(_) => "No clear position among the papers found.",
    }
}

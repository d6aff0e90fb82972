use std::collections::BTreeMap;
use std::fmt;

use precedent_domain::{Assessment, Candidate, Scope, TaxonomyPaper};

use super::{Claim, TreeNode};
use crate::plain::one_line;
use crate::words;

/// An assessment with the look-ups that every readable format needs.
pub(crate) struct Digest<'a> {
    /// The assessment, ready for publication.
    pub(crate) report: &'a Assessment,
    works: BTreeMap<u32, &'a Candidate>,
}

/// How a work is named everywhere: `Alias[n]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Citation {
    /// The work's number in the report.
    pub(crate) number: u32,
    /// Its short name on one line.
    pub(crate) alias: String,
}

impl fmt::Display for Citation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.alias, self.number)
    }
}

impl<'a> Digest<'a> {
    /// Over `report`.
    pub(crate) fn new(report: &'a Assessment) -> Self {
        let works = report
            .references
            .candidates
            .iter()
            .map(|work| (work.number, work))
            .collect();
        Self { report, works }
    }

    /// The work of this number.
    pub(crate) fn work(&self, number: u32) -> Option<&'a Candidate> {
        self.works.get(&number).copied()
    }

    /// How the work of this number is cited; a number that the index lacks still gets a name.
    pub(crate) fn cite(&self, number: u32) -> Citation {
        let alias = self
            .work(number)
            .map(|work| one_line(&work.alias).into_owned())
            .unwrap_or_default();
        Citation {
            number,
            alias: if alias.is_empty() { "Work".to_owned() } else { alias },
        }
    }

    /// The title, on one line.
    pub(crate) fn title(&self) -> String {
        let title = one_line(&self.report.original_paper.title).into_owned();
        if title.is_empty() {
            "Untitled paper".to_owned()
        } else {
            title
        }
    }

    /// The claims in their order, each with what it was compared with.
    pub(crate) fn claims(&self) -> Vec<Claim<'a>> {
        let analysis = &self.report.contribution_analysis;
        analysis.contributions.iter().map(|one| Claim::new(self, one)).collect()
    }

    /// Names from the tree's root to the paper's leaf, the root left out where there is more.
    pub(crate) fn path(&self) -> Vec<String> {
        let position = self.report.core_task_comparisons.position.as_ref();
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

    /// The tree, ready for printing.
    pub(crate) fn tree(&self) -> Option<TreeNode> {
        let tree = self.report.core_task_survey.taxonomy.as_ref()?;
        Some(TreeNode::new(&tree.root))
    }

    /// Whether a model took part.
    pub(crate) fn has_prose(&self) -> bool {
        self.report.core_task_survey.narrative.is_some()
            || self.report.contribution_analysis.overall_assessment.is_some()
    }

    /// The disclaimer of the run; ours where it states none.
    pub(crate) fn disclaimer(&self) -> String {
        let stated = one_line(&self.report.metadata.disclaimer).into_owned();
        if stated.is_empty() {
            words::DISCLAIMER.to_owned()
        } else {
            stated
        }
    }

    /// The first sentences of every report: how much was claimed, and how much it was compared with.
    pub(crate) fn lead(&self) -> String {
        let claims = self.report.contribution_analysis.contributions.len();
        let works = &self.report.references.candidates;
        if works.is_empty() {
            return match claims {
                0 => "No claim could be told from the text, and no earlier work was found.".to_owned(),
                _ => format!(
                    "{} told from the text; no earlier work was found to set beside {}.",
                    words::count(claims, "claim was", "claims were"),
                    if claims == 1 { "it" } else { "them" },
                ),
            };
        }
        let full = works
            .iter()
            .filter(|one| one.work.extent == precedent_domain::Extent::FullText)
            .count();
        let known = match (full, works.len() - full) {
            (0, _) => "none with its full text".to_owned(),
            (_, 0) => "all with full text".to_owned(),
            (full, rest) => format!("{full} with full text, {rest} by abstract or title only"),
        };
        let set = words::count(works.len(), "related work", "related works");
        match claims {
            0 => format!("No claim could be told from the text. {set} found ({known})."),
            _ => format!(
                "{} set against {set} ({known}).",
                words::count(claims, "claim was", "claims were")
            ),
        }
    }

    /// The funnel's rows: scope, then the six counts.
    pub(crate) fn funnel(&self) -> Vec<(String, [usize; 6])> {
        let row = |one: &precedent_domain::FunnelScope| {
            let steps = [
                one.raw,
                one.after_flag,
                one.after_dedup,
                one.after_self,
                one.after_date,
                one.after_top,
            ];
            (scope_name(one.scope), steps)
        };
        self.report.metadata.funnel.scopes.iter().map(row).collect()
    }
}

/// The scope with a capital: `Core task`, `Claim 2`.
fn scope_name(scope: Scope) -> String {
    match scope {
        Scope::CoreTask => "Core task".to_owned(),
        Scope::Contribution(number) => format!("Claim {number}"),
    }
}

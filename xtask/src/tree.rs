//! Measures the trees of reports: sizes of leaves, lengths of names, and agreement with the categories and keywords of the records.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use precedent_engine::domain::{Assessment, TaxonomyNode};
use serde_json::Value;

use crate::say;

/// Minimum number of papers with a category in a tree for a meaningful agreement.
const LEAST: usize = 8;

/// What authors or archives say about a paper.
#[derive(Default)]
struct Labels {
    category: Option<String>,
    keywords: BTreeSet<String>,
}

#[derive(Default)]
struct Totals {
    trees: usize,
    papers: usize,
    single: usize,
    leaves: Vec<usize>,
    depths: BTreeMap<usize, usize>,
    name_words: BTreeMap<usize, usize>,
    information: Vec<f64>,
    same_leaf: (usize, usize),
    other_leaf: (usize, usize),
}

/// `FOLDER` has the output folders of assessments. `RECORDS` are JSON Lines with `id`, `categories` and `keywords`.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let [folder, records @ ..] = arguments else {
        bail!("usage: cargo xtask tree FOLDER [RECORDS…]")
    };
    let mut labels = BTreeMap::new();
    for file in records {
        read_labels(Path::new(file), &mut labels).with_context(|| format!("read {file}"))?;
    }
    let mut reports: Vec<PathBuf> = Vec::new();
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name() {
        let entry = entry?;
        if entry.file_name() == "report.json" {
            reports.push(entry.into_path());
        }
    }
    let mut totals = Totals::default();
    for path in &reports {
        let text = std::fs::read_to_string(path).with_context(|| format!("read {}", path.display()))?;
        let report: Assessment = serde_json::from_str(&text).with_context(|| format!("{}", path.display()))?;
        measure(&report, &labels, &mut totals);
    }
    totals.print();
    Ok(())
}

fn read_labels(file: &Path, labels: &mut BTreeMap<String, Labels>) -> Result<()> {
    let bytes = std::fs::File::open(file)?;
    let lines: Box<dyn BufRead> = if file.extension().is_some_and(|end| end == "zst") {
        Box::new(BufReader::new(zstd::Decoder::new(bytes)?))
    } else {
        Box::new(BufReader::new(bytes))
    };
    for line in lines.lines() {
        let record: Value = serde_json::from_str(&line?)?;
        let Some(id) = record.get("id").and_then(Value::as_str) else {
            continue;
        };
        let category = record.pointer("/categories/0").and_then(Value::as_str);
        let keywords = record.get("keywords").and_then(Value::as_array).into_iter().flatten();
        let keywords = keywords.filter_map(Value::as_str).flat_map(|all| all.split(';'));
        let found = Labels {
            category: category.map(str::to_owned),
            keywords: keywords
                .map(|one| one.trim().to_lowercase())
                .filter(|one| !one.is_empty())
                .collect(),
        };
        labels.insert(id.to_owned(), found);
    }
    Ok(())
}

fn measure(report: &Assessment, labels: &BTreeMap<String, Labels>, totals: &mut Totals) {
    let Some(tree) = &report.core_task_survey.taxonomy else {
        return;
    };
    let mut leaves: Vec<(&TaxonomyNode, usize)> = Vec::new();
    walk(&tree.root, 0, &mut leaves, totals);
    totals.trees += 1;
    let mut categories: Vec<(usize, &str)> = Vec::new();
    let mut keywords: Vec<(usize, &BTreeSet<String>)> = Vec::new();
    for (at, (leaf, depth)) in leaves.iter().enumerate() {
        let numbers = leaf.papers.iter().filter_map(|paper| paper.candidate());
        totals.leaves.push(leaf.papers.len());
        *totals.depths.entry(*depth).or_default() += 1;
        for number in numbers {
            totals.papers += 1;
            totals.single += usize::from(is_unnamed(&leaf.name));
            let candidate = report.references.candidates.iter().find(|one| one.number == number);
            let Some(known) = candidate.and_then(|one| labels.get(one.work.id.as_str())) else {
                continue;
            };
            categories.extend(known.category.as_deref().map(|category| (at, category)));
            if !known.keywords.is_empty() {
                keywords.push((at, &known.keywords));
            }
        }
    }
    if categories.len() >= LEAST {
        totals.information.extend(information(&categories));
    }
    for (index, (leaf, own)) in keywords.iter().enumerate() {
        for (other_leaf, other) in keywords.iter().skip(index + 1) {
            let counts = if leaf == other_leaf {
                &mut totals.same_leaf
            } else {
                &mut totals.other_leaf
            };
            counts.0 += usize::from(!own.is_disjoint(other));
            counts.1 += 1;
        }
    }
}

/// Whether a name says that the papers have nothing in common, also as older versions said it.
fn is_unnamed(name: &str) -> bool {
    name == "Topics of Single Papers" || name.to_lowercase().contains("without a common term")
}

fn walk<'t>(node: &'t TaxonomyNode, depth: usize, leaves: &mut Vec<(&'t TaxonomyNode, usize)>, totals: &mut Totals) {
    if depth > 0 {
        *totals
            .name_words
            .entry(node.name.split_whitespace().count())
            .or_default() += 1;
    }
    if !node.papers.is_empty() {
        leaves.push((node, depth));
    }
    for child in &node.subtopics {
        walk(child, depth + 1, leaves, totals);
    }
}

/// Normalised mutual information of leaf and category, 0 to 1. `None` if all papers have one category.
fn information(pairs: &[(usize, &str)]) -> Option<f64> {
    let total = pairs.len() as f64;
    let mut leaves: BTreeMap<usize, f64> = BTreeMap::new();
    let mut categories: BTreeMap<&str, f64> = BTreeMap::new();
    let mut both: BTreeMap<(usize, &str), f64> = BTreeMap::new();
    for &(leaf, category) in pairs {
        *leaves.entry(leaf).or_default() += 1.0 / total;
        *categories.entry(category).or_default() += 1.0 / total;
        *both.entry((leaf, category)).or_default() += 1.0 / total;
    }
    let entropy = |shares: &mut dyn Iterator<Item = f64>| -> f64 { shares.map(|share| -share * share.ln()).sum() };
    let of_leaves = entropy(&mut leaves.values().copied());
    let of_categories = entropy(&mut categories.values().copied());
    let of_both = entropy(&mut both.values().copied());
    let mean = f64::midpoint(of_leaves, of_categories);
    (categories.len() > 1 && mean > 0.0).then(|| (of_leaves + of_categories - of_both) / mean)
}

impl Totals {
    fn print(&self) {
        let share = |part: usize, of: usize| part as f64 / of.max(1) as f64;
        let fitting = self.leaves.iter().filter(|&&size| (2..=9).contains(&size)).count();
        say(&format!(
            "{} trees, {} papers, {:.3} of them in a group without a common term",
            self.trees,
            self.papers,
            share(self.single, self.papers)
        ));
        say(&format!(
            "{} leaves, largest {}, {:.3} with 2 to 9 papers; leaves by depth {:?}; names by number of words {:?}",
            self.leaves.len(),
            self.leaves.iter().max().copied().unwrap_or_default(),
            share(fitting, self.leaves.len()),
            self.depths,
            self.name_words
        ));
        let mean = self.information.iter().sum::<f64>() / self.information.len().max(1) as f64;
        say(&format!(
            "normalised mutual information with categories: {mean:.3} ({} trees)",
            self.information.len()
        ));
        say(&format!(
            "pairs with a common keyword: {:.3} of {} in one leaf, {:.3} of {} in different leaves",
            share(self.same_leaf.0, self.same_leaf.1),
            self.same_leaf.1,
            share(self.other_leaf.0, self.other_leaf.1),
            self.other_leaf.1
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn information_is_one_for_equal_and_zero_for_independent_groups() {
        let value = |pairs: &[(usize, &str)]| information(pairs).unwrap();
        assert!((value(&[(0, "a"), (0, "a"), (1, "b"), (1, "b")]) - 1.0).abs() < 1e-9);
        assert!(value(&[(0, "a"), (0, "b"), (1, "a"), (1, "b")]).abs() < 1e-9);
        assert_eq!(information(&[(0, "a"), (1, "a")]), None);
    }
}

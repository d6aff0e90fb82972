//! Checks that the files of a folder do not import each other in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use regex::Regex;

use super::{files, shown};

type Imports = BTreeMap<String, BTreeSet<String>>;

/// Circles that exist, each by its first file. Remove a line when its circle is gone; add none.
const KNOWN: &[&str] = &[
    "crates/app/src/input.rs",
    "crates/cli/src/commands/bench_innoeval.rs",
    "crates/corpus/src/search/hybrid.rs",
    "crates/engine/src/review/search/found.rs",
    "crates/mcp/src/catalogue.rs",
    "crates/read/src/latex/boxes.rs",
    "crates/report/src/site/index.rs",
    "crates/server/src/batches.rs",
];

pub(super) fn check(root: &Path) -> Result<Vec<String>> {
    let mut folders: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for path in files(&root.join("crates"), "rs") {
        let at = shown(root, &path);
        let is_facade = ["lib.rs", "mod.rs", "main.rs"].iter().any(|name| path.ends_with(name));
        if let Some((folder, name)) = at.rsplit_once('/')
            && folder.contains("/src")
            && !at.contains("test")
            && !is_facade
        {
            let text = fs::read_to_string(&path).with_context(|| format!("read {at}"))?;
            let name = name.trim_end_matches(".rs").to_owned();
            folders.entry(folder.to_owned()).or_default().push((name, text));
        }
    }
    let mut faults = Vec::new();
    let mut gone: BTreeSet<&str> = KNOWN.iter().copied().collect();
    for (folder, files) in folders {
        for circle in circles(&imports(&folder, &files)?) {
            let first = circle
                .first()
                .map(|name| format!("{folder}/{name}.rs"))
                .unwrap_or_default();
            if !gone.remove(first.as_str()) {
                let names = circle.join(", ");
                faults.push(format!("{first}: these files import each other in a circle: {names}; move what they share into a file below them"));
            }
        }
    }
    let gone = gone.into_iter();
    faults.extend(gone.map(|first| format!("{first}: its circle is gone; remove it from xtask/src/tidy/circles.rs")));
    Ok(faults)
}

/// Which files of a folder each of them imports from, by `super::name` or by its path from the crate.
fn imports(folder: &str, files: &[(String, String)]) -> Result<Imports> {
    let inside = folder
        .split_once("/src")
        .map_or("", |(_, inside)| inside)
        .replace('/', "::");
    let import = Regex::new(&format!(
        r"(?m)^\s*(?:pub\S* )?use (?:crate{inside}|super)::(?:(\w+)\b|\{{([^;]*)\}})"
    ))?;
    let inner = Regex::new(r"(?:^|,)\s*(\w+)\b")?;
    let known = |name: &&str| files.iter().any(|(other, _)| other == name);
    let of_file = |(name, text): &(String, String)| {
        let product = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let found = import.captures_iter(product).flat_map(|found| {
            let group = found.get(2).map_or("", |group| group.as_str());
            let names = inner.captures_iter(group).filter_map(|one| Some(one.get(1)?.as_str()));
            found
                .get(1)
                .map(|one| one.as_str())
                .into_iter()
                .chain(names)
                .collect::<Vec<_>>()
        });
        let found = found.filter(known).filter(|other| other != name).map(str::to_owned);
        (name.clone(), found.collect())
    };
    Ok(files.iter().map(of_file).collect())
}

/// The groups of files that reach each other.
fn circles(imports: &Imports) -> BTreeSet<Vec<String>> {
    let reached = |from: &String| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(name) = open.pop() {
            open.extend(
                imports
                    .get(name)
                    .into_iter()
                    .flatten()
                    .filter(|next| seen.insert((*next).clone())),
            );
        }
        seen
    };
    let reached: Imports = imports.keys().map(|name| (name.clone(), reached(name))).collect();
    let both = |one: &String, other: &String| {
        let reaches = |from: &String, to: &String| reached.get(from).is_some_and(|all| all.contains(to));
        reaches(one, other) && reaches(other, one)
    };
    let group = |one: &String| imports.keys().filter(|other| both(one, other)).cloned().collect();
    imports
        .keys()
        .map(group)
        .filter(|group: &Vec<String>| group.len() > 1)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_import_each_other_are_reported() {
        let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        let files = [
            file("a", "use super::b::Thing;\n"),
            file("b", "use crate::jobs::{c, d::Other};\n"),
            file("c", "use super::{a::Thing};\n"),
            file("d", "#[cfg(test)]\nmod tests {\n    use super::a::Thing;\n}\n"),
        ];
        let found = circles(&imports("crates/x/src/jobs", &files).unwrap());
        assert_eq!(
            found.into_iter().collect::<Vec<_>>(),
            [["a", "b", "c"].map(str::to_owned)]
        );
    }
}

use std::cmp::Reverse;
use std::collections::BTreeMap;

use precedent_domain::{CallGraph, FileCall, FunctionCall, FunctionName};

use crate::{Call, Function, Repository};

/// Calls between files, and calls between functions, in a call graph. Chosen by hand, so that both together fill half a page; not measured.
const FILES: usize = 12;
const FUNCTIONS: usize = 20;
/// Longest name or path in characters: more is no name that a reader can use.
const LABEL: usize = 120;

/// The calls of a repository at function and file level, limited; `None` if no call was resolved.
#[must_use]
pub fn call_graph(repository: &Repository) -> Option<CallGraph> {
    let degrees = repository.degrees();
    let degree = |place: usize| degrees.get(place).copied().unwrap_or_default();
    let mut calls: Vec<&Call> = repository.calls.iter().collect();
    calls.sort_by_key(|call| (Reverse(degree(call.from) + degree(call.to)), call.from, call.to));
    let functions: Vec<FunctionCall> = calls.iter().filter_map(|call| named(repository, call)).collect();
    let mut pairs: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for call in &repository.calls {
        if let (Some(from), Some(to)) = (file_of(repository, call.from), file_of(repository, call.to))
            && from != to
        {
            *pairs.entry((from, to)).or_default() += 1;
        }
    }
    let mut files: Vec<FileCall> = pairs
        .into_iter()
        .map(|((from, to), calls)| FileCall {
            from: label(from),
            to: label(to),
            calls,
        })
        .collect();
    files.sort_by_key(|one| Reverse(one.calls));
    let (all_files, all_functions) = (files.len(), functions.len());
    files.truncate(FILES);
    (all_functions > 0).then(|| CallGraph {
        files,
        all_files,
        functions: functions.into_iter().take(FUNCTIONS).collect(),
        all_functions,
    })
}

fn named(repository: &Repository, call: &Call) -> Option<FunctionCall> {
    let name = |place: usize| {
        let function: &Function = repository.functions.get(place)?;
        let name = match &function.owner {
            Some(owner) => format!("{owner}.{}", function.name),
            None => function.name.clone(),
        };
        Some(FunctionName {
            name: label(&name),
            file: label(file_of(repository, place)?),
        })
    };
    Some(FunctionCall {
        from: name(call.from)?,
        to: name(call.to)?,
    })
}

fn file_of(repository: &Repository, place: usize) -> Option<&str> {
    let file = repository.files.get(repository.functions.get(place)?.file)?;
    Some(&file.path)
}

/// A name or path on one line. A path may contain any character.
fn label(text: &str) -> String {
    let plain = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter });
    plain.take(LABEL).collect()
}

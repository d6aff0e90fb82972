//! Resolves called names to functions.

use std::collections::BTreeMap;

use crate::{Call, Function};

/// The calls between functions, each pair once, without self-calls. `called` has the names that each function calls, with the lines.
pub(crate) fn calls(functions: &[Function], called: &[Vec<(String, String)>]) -> Vec<Call> {
    let mut bearers: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, function) in functions.iter().enumerate() {
        bearers.entry(&function.name).or_default().push(place);
    }
    let mut calls: BTreeMap<(usize, usize), &str> = BTreeMap::new();
    for (from, (caller, names)) in functions.iter().zip(called).enumerate() {
        for (name, line) in names {
            let target = bearers
                .get(name.as_str())
                .and_then(|all| target(functions, caller, all));
            if let Some(to) = target.filter(|to| *to != from) {
                calls.entry((from, to)).or_insert(line);
            }
        }
    }
    let call = |((from, to), line): ((usize, usize), &str)| Call {
        from,
        to,
        line: line.to_owned(),
    };
    calls.into_iter().map(call).collect()
}

/// The only candidate in the caller's class, else in its file, else in the repository. `None` if there are several, because a guess is not a call.
fn target(functions: &[Function], caller: &Function, all: &[usize]) -> Option<usize> {
    let only = |is_near: &dyn Fn(&Function) -> bool| {
        let mut near = all.iter().filter(|place| functions.get(**place).is_some_and(is_near));
        let first = near.next().copied();
        (first, near.next().is_some())
    };
    let in_class = |one: &Function| one.file == caller.file && one.owner.is_some() && one.owner == caller.owner;
    let in_file = |one: &Function| one.file == caller.file;
    for is_near in [&in_class as &dyn Fn(&Function) -> bool, &in_file, &|_| true] {
        match only(is_near) {
            (None, _) => {}
            (first, false) => return first,
            (Some(_), true) => return None,
        }
    }
    None
}

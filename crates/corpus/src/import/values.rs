use serde_json::Value;

/// Strings and numbers as text; of a list the first item.
pub(super) fn string(value: Option<&Value>) -> Option<String> {
    match value? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Array(list) => match list.first() {
            Some(Value::Array(_)) | None => None,
            first => string(first),
        },
        _ => None,
    }
}

/// Names of people from a list of strings or objects, or from one string with `;` or ` and ` between names.
pub(super) fn names(value: Option<&Value>) -> Vec<String> {
    match value {
        // Some lists contain one string with all names.
        Some(Value::Array(list)) if list.len() == 1 && list.iter().all(Value::is_string) => names(list.first()),
        Some(Value::Array(list)) => list.iter().filter_map(name).collect(),
        Some(Value::String(names)) if names.contains(';') => names.split(';').map(str::to_owned).collect(),
        Some(Value::String(names)) if names.contains(" and ") => names
            .split(" and ")
            .flat_map(|part| one_or_more(part.trim_end_matches(',')))
            .collect(),
        Some(Value::String(names)) => one_or_more(names),
        _ => Vec::new(),
    }
}

/// `Ann Lee, Bob Roy` is two people, `Lee, Ann` is one: the parts are people if each has two or more words.
fn one_or_more(names: &str) -> Vec<String> {
    let parts: Vec<&str> = names
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    if parts.len() >= 2 && parts.iter().all(|part| part.contains(char::is_whitespace)) {
        parts.into_iter().map(str::to_owned).collect()
    } else {
        vec![names.to_owned()]
    }
}

/// Fields of study from a list of strings or objects, or from one string with `;` or `,` between them.
pub(super) fn labels(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(list)) => list
            .iter()
            .filter_map(|one| {
                let named = ["category", "display_name", "name"]
                    .iter()
                    .find_map(|name| string(one.get(name)));
                named.or_else(|| string(Some(one)))
            })
            .collect(),
        Some(Value::String(text)) => text.split([';', ',']).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

fn name(value: &Value) -> Option<String> {
    let part = |names: &[&str]| {
        let texts = names.iter().filter_map(|name| value.get(name).and_then(Value::as_str));
        texts.map(str::trim).find(|part| !part.is_empty())
    };
    match value {
        Value::String(name) => Some(name.clone()),
        Value::Object(_) => part(&["name", "literal"]).map(str::to_owned).or_else(|| {
            let given = part(&["given", "first", "firstName", "forenames"]);
            let particle = part(&["non-dropping-particle", "dropping-particle"]);
            let family = part(&["family", "last", "lastName", "keyname"])?;
            let suffix = part(&["suffix"]);
            let parts = [given, particle, Some(family), suffix];
            Some(parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
        }),
        _ => None,
    }
}

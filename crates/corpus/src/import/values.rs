use serde_json::Value;

/// Strings and numbers as text; of a list the first.
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

/// Names of people from a list of strings or objects, or one string with `;` or ` and ` between names.
pub(super) fn names(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::Array(list)) => list.iter().filter_map(name).collect(),
        Some(Value::String(names)) if names.contains(';') => names.split(';').map(str::to_owned).collect(),
        Some(Value::String(names)) => names.split(" and ").map(str::to_owned).collect(),
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

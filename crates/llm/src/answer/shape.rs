use serde_json::{Map, Number, Value};

/// `value` with the values that differ from `schema` in form only: `"3"` or `3.0` for an integer, `"true"` for a truth value, a lone item for a list
/// of one, a list of one for an object, and an object inside another one with a name of its own, such as `{"answer": …}`. Nothing is invented, and
/// what still does not fit stays as it is.
pub(super) fn shaped(value: Value, schema: &Value) -> Value {
    fitted(unwrapped(value, schema), schema)
}

/// The object that the schema describes, if `value` is a list or an object that contains only it.
fn unwrapped(value: Value, schema: &Value) -> Value {
    if !has_type(schema, "object") || knows_any_key(&value, schema) {
        return value;
    }
    let inner = match &value {
        Value::Array(items) if items.len() == 1 => items.first(),
        Value::Object(object) if object.len() == 1 => object.values().next(),
        _ => None,
    };
    match inner {
        Some(inner) if inner.is_object() || inner.is_array() => {
            let inner = unwrapped(inner.clone(), schema);
            if knows_any_key(&inner, schema) { inner } else { value }
        }
        _ => value,
    }
}

fn knows_any_key(value: &Value, schema: &Value) -> bool {
    let known = schema.get("properties").and_then(Value::as_object);
    let keys = value.as_object().map(Map::keys).into_iter().flatten();
    known.is_some_and(|known| keys.into_iter().any(|key| known.contains_key(key)))
}

fn fitted(value: Value, schema: &Value) -> Value {
    if let Some(options) = schema.get("anyOf").and_then(Value::as_array) {
        let of_kind = options.iter().find(|option| !has_type(option, "null"));
        return match (value, of_kind) {
            (Value::Null, _) => Value::Null,
            (value, Some(option)) => fitted(value, option),
            (value, None) => value,
        };
    }
    match value {
        Value::Object(object) if has_type(schema, "array") => fitted(Value::Array(vec![Value::Object(object)]), schema),
        Value::Array(items) if has_type(schema, "array") => match schema.get("items") {
            Some(of) => Value::Array(items.into_iter().map(|item| fitted(unwrapped(item, of), of)).collect()),
            None => Value::Array(items),
        },
        Value::Object(object) => {
            let of = |key: &str| schema.get("properties").and_then(|known| known.get(key));
            let fit = |(key, value): (String, Value)| match of(&key) {
                Some(schema) => (key, fitted(value, schema)),
                None => (key, value),
            };
            Value::Object(object.into_iter().map(fit).collect())
        }
        Value::Number(number) if has_type(schema, "integer") => Value::Number(whole(&number).unwrap_or(number)),
        Value::String(text) if !has_type(schema, "string") => of_text(&text, schema).unwrap_or(Value::String(text)),
        value => value,
    }
}

/// The number or truth value that a text states.
fn of_text(text: &str, schema: &Value) -> Option<Value> {
    let text = text.trim();
    if has_type(schema, "boolean") {
        return text.to_ascii_lowercase().parse().ok().map(Value::Bool);
    }
    let number: Number = text.parse().ok()?;
    if has_type(schema, "integer") {
        return whole(&number).map(Value::Number);
    }
    has_type(schema, "number").then_some(Value::Number(number))
}

/// The integer that equals this number.
fn whole(number: &Number) -> Option<Number> {
    if number.is_i64() || number.is_u64() {
        return Some(number.clone());
    }
    let float = number.as_f64().filter(|float| float.fract() == 0.0)?;
    format!("{float:.0}").parse().ok()
}

fn has_type(schema: &Value, name: &str) -> bool {
    match schema.get("type") {
        Some(Value::String(one)) => one == name,
        Some(Value::Array(several)) => several.iter().any(|one| one == name),
        _ => false,
    }
}

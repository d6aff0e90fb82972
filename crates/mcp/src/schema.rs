use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// A JSON Schema.
pub(crate) type Schema = Map<String, Value>;

/// The schema of a tool's arguments, without references, which some clients do not resolve.
pub(crate) fn input<T: JsonSchema>() -> Schema {
    let mut settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.inline_subschemas = true;
    finished(settings.into_generator().into_root_schema_for::<T>().into())
}

/// The same for a tool whose answer may have several pages.
pub(crate) fn paged_input<T: JsonSchema>() -> Schema {
    let mut schema = input::<T>();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        let cursor = json!({
            "type": ["string", "null"],
            "description": "The `next_cursor` of the page before, with the same other arguments. Leave it out for the first page"
        });
        properties.insert("cursor".to_owned(), cursor);
    }
    schema
}

/// The schema of a tool's answer.
pub(crate) fn output<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    finished(settings.into_generator().into_root_schema_for::<T>().into())
}

fn finished(schema: Value) -> Schema {
    let mut schema = schema;
    simplify(&mut schema);
    let Value::Object(mut schema) = schema else {
        return Schema::new();
    };
    schema.remove("title");
    // A tool without arguments has no properties in its schema, but clients expect the field.
    schema.entry("properties").or_insert_with(|| json!({}));
    schema
}

/// Removes names of number formats: they are not part of JSON Schema, and strict validators refuse the unknown ones (`uint`, `uint32`).
fn simplify(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let is_number_format = |format: &Value| {
                format.as_str().is_some_and(|format| {
                    format.starts_with("int") || format.starts_with("uint") || format == "float" || format == "double"
                })
            };
            if fields.get("format").is_some_and(is_number_format) {
                fields.remove("format");
            }
            fields.values_mut().for_each(simplify);
        }
        Value::Array(list) => list.iter_mut().for_each(simplify),
        _ => {}
    }
}

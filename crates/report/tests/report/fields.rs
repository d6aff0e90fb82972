//! The page on the fields of the JSON report. It is generated from the schema, so the two cannot disagree.

use std::fmt::Write as _;

use precedent_report::assessment_schema;
use serde_json::Value;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema/fields.md");

const HEAD: &str = "# The fields of `report.json`

Generated from [the schema](assessment-1.json): `UPDATE_SCHEMA=1 cargo test -p precedent-report`.

Spans are bytes of UTF-8, from the first to past the last. Numbers of works, claims and ranks count from 1. Shares, scores and closeness run from 0 to 1.
Dates are `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, as exactly as they are known. A field that is not always there may be left out.
";

/// The type of a value in a word or two.
fn kind(schema: &Value) -> String {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.rsplit('/').next().unwrap();
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(any) = schema["anyOf"].as_array() {
        return any.iter().map(kind).collect::<Vec<_>>().join(" or ");
    }
    match &schema["type"] {
        Value::String(one) if one == "array" => format!("list of {}", kind(&schema["items"])),
        Value::String(one) => one.clone(),
        Value::Array(many) => many.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "one of several".to_owned(),
    }
}

fn words(schema: &Value) -> String {
    let text = schema["description"].as_str().unwrap_or_default();
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|")
}

fn write(page: &mut String, name: &str, schema: &Value) {
    write!(page, "\n## {name}\n\n{}\n", words(schema)).unwrap();
    if let Some(fields) = schema["properties"].as_object() {
        let required = |field: &str| {
            schema["required"]
                .as_array()
                .is_some_and(|all| all.iter().any(|one| one == field))
        };
        page.push_str("\n| field | is | always | meaning |\n| --- | --- | --- | --- |\n");
        for (field, value) in fields {
            let always = if required(field) { "yes" } else { "no" };
            writeln!(page, "| `{field}` | {} | {always} | {} |", kind(value), words(value)).unwrap();
        }
    }
    let values: Vec<(String, String)> = schema["oneOf"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(value_of)
        .collect();
    if !values.is_empty() {
        page.push_str("\n| value | meaning |\n| --- | --- |\n");
        for (value, meaning) in values {
            writeln!(page, "| `{value}` | {meaning} |").unwrap();
        }
    }
}

fn value_of(schema: &Value) -> Option<(String, String)> {
    let name = schema["const"].as_str().map(str::to_owned);
    let keyed = || {
        let properties = schema["properties"].as_object()?;
        let tag = properties
            .iter()
            .find_map(|(key, value)| Some((key, value["const"].as_str()?)));
        Some(match tag {
            Some((key, value)) if properties.len() > 1 => format!("{{\"{key}\": \"{value}\", …}}"),
            Some((key, value)) => format!("{{\"{key}\": \"{value}\"}}"),
            None => format!("{{\"{}\": …}}", properties.keys().next()?),
        })
    };
    Some((name.or_else(keyed)?, words(schema)))
}

#[test]
fn the_page_of_fields_is_fresh() {
    let schema = assessment_schema();
    let mut page = HEAD.to_owned();
    write(&mut page, "The report", &schema);
    for (name, one) in schema["$defs"].as_object().unwrap() {
        write(&mut page, name, one);
    }
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(PAGE, &page).unwrap();
    }
    assert!(
        std::fs::read_to_string(PAGE).unwrap_or_default() == page,
        "docs/schema/fields.md is stale: run UPDATE_SCHEMA=1 cargo test -p precedent-report"
    );
}

#[test]
fn every_field_is_explained() {
    let schema = assessment_schema();
    let defs = schema["$defs"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, one)| (name.as_str(), one));
    for (name, one) in defs.chain([("report", &schema)]) {
        for (field, value) in one["properties"].as_object().into_iter().flatten() {
            assert!(value["description"].is_string(), "{name}.{field} has no description");
        }
    }
}

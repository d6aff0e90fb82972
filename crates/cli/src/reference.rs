//! The manual of the command line, made from its definition, and what its JSON looks like.

use std::fmt::Write;

use clap::CommandFactory;
use precedent_engine::runs::Manifest;
use schemars::{Schema, schema_for};
use serde_json::Value;

use crate::commands::{overlap, verify};
use crate::{Arguments, ExitCode};

/// The JSON Schema of a line of `verify --json`.
#[must_use]
pub fn verify_schema() -> Schema {
    schema_for!(verify::Answer)
}

/// The JSON Schema of what `overlap --json` prints.
#[must_use]
pub fn overlap_schema() -> Schema {
    schema_for!(overlap::Answer<'static>)
}

/// The JSON Schema of the `manifest.json` of a run.
#[must_use]
pub fn manifest_schema() -> Schema {
    schema_for!(Manifest)
}

/// Every page and schema that is made from the code, with its path from the root of the repository.
#[must_use]
pub fn pages() -> [(&'static str, String); 5] {
    [
        ("docs/reference/command-line.md", command_line()),
        ("docs/reference/json.md", answers()),
        ("docs/schema/verify-1.0.json", published(&verify_schema())),
        ("docs/schema/overlap-1.0.json", published(&overlap_schema())),
        ("docs/schema/manifest-1.json", published(&manifest_schema())),
    ]
}

/// A schema as it is published.
fn published(schema: &Schema) -> String {
    // A schema is plain JSON; it can always be written.
    format!("{}\n", serde_json::to_string_pretty(schema).unwrap_or_default())
}

/// The page `docs/reference/json.md`: the fields of both in words.
#[must_use]
pub fn answers() -> String {
    let mut page = String::from(
        "# What `verify --json` and `overlap --json` print\n\n\
         Made by `cargo xtask generate` from the schemas [verify](../schema/verify-1.0.json) and [overlap](../schema/overlap-1.0.json); edits here \
         are lost.\n\n`verify` prints a line a quote, `overlap` one document. Ranges are pairs `[start, end]` of bytes, the end not included: bytes of \
         the file where the text is a text file (.txt, .md; UTF-8, UTF-16 or Windows-1252), else of the text that `precedent read` prints. Shares and \
         scores run from 0 to 1.\n",
    );
    let mut told: Vec<String> = Vec::new();
    for (name, schema) in [
        ("A line of verify", verify_schema()),
        ("The answer of overlap", overlap_schema()),
    ] {
        let schema = Value::from(schema);
        section(&mut page, name, &schema);
        let defs = schema.get("$defs").and_then(Value::as_object);
        for (name, one) in defs.into_iter().flatten() {
            if !told.contains(name) {
                section(&mut page, name, one);
                told.push(name.clone());
            }
        }
    }
    page
}

fn section(page: &mut String, name: &str, schema: &Value) {
    // Writing to a String cannot fail.
    let _ = write!(page, "\n## {name}\n\n{}\n", words(schema));
    if let Some(fields) = schema.get("properties").and_then(Value::as_object) {
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .map(|all| all.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        page.push_str("\n| field | is | always | meaning |\n| --- | --- | --- | --- |\n");
        for (field, value) in fields {
            let always = if required.contains(&field.as_str()) {
                "yes"
            } else {
                "no"
            };
            let _ = writeln!(page, "| `{field}` | {} | {always} | {} |", kind(value), words(value));
        }
    }
    let values: Vec<(&str, String)> = schema
        .get("oneOf")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|value| Some((value.get("const")?.as_str()?, words(value))))
        .collect();
    if !values.is_empty() {
        page.push_str("\n| value | meaning |\n| --- | --- |\n");
        for (value, meaning) in values {
            let _ = writeln!(page, "| `{value}` | {meaning} |");
        }
    }
}

/// What a value may be, in a word or two.
fn kind(schema: &Value) -> String {
    if let Some(reference) = schema.get("$ref").and_then(Value::as_str) {
        let name = reference.rsplit('/').next().unwrap_or_default();
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(any) = schema.get("anyOf").and_then(Value::as_array) {
        return any.iter().map(kind).collect::<Vec<_>>().join(" or ");
    }
    match schema.get("type") {
        Some(Value::String(one)) if one == "array" => {
            format!("list of {}", schema.get("items").map(kind).unwrap_or_default())
        }
        Some(Value::String(one)) => one.clone(),
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        _ => "one of several".to_owned(),
    }
}

fn words(schema: &Value) -> String {
    let text = schema.get("description").and_then(Value::as_str).unwrap_or_default();
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|")
}

/// The page `docs/reference/command-line.md`.
#[must_use]
pub fn command_line() -> String {
    let mut page = String::from(
        "# Command line\n\nMade by `cargo xtask generate` from `crates/cli/src/args.rs`; edits here are lost.\n\n\
         stdout is data; progress and notes go to stderr. `NO_COLOR` turns colour off.\n\n## Exit codes\n\n| code | meaning |\n|---|---|\n",
    );
    for code in ExitCode::ALL {
        // Writing to a String cannot fail.
        let _ = writeln!(page, "| {} | {} |", code.number(), code.meaning());
    }
    let mut root = Arguments::command().term_width(100);
    root.build();
    describe(&root, "precedent", &mut page);
    page
}

fn describe(command: &clap::Command, path: &str, page: &mut String) {
    let help = command.clone().term_width(100).render_long_help().to_string();
    let help: Vec<&str> = help.lines().map(str::trim_end).collect();
    let _ = write!(page, "\n## {path}\n\n```text\n{}\n```\n", help.join("\n").trim_end());
    for part in command.get_subcommands().filter(|part| part.get_name() != "help") {
        describe(part, &format!("{path} {}", part.get_name()), page);
    }
}

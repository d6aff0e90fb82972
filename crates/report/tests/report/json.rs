//! The JSON report is the assessment, follows the published schema, and loads reports of earlier versions.

use precedent_report::{assessment_schema, default_formats, read_assessment, render};

const SCHEMA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema/assessment-1.json");

#[test]
fn the_published_schema_is_fresh() {
    let fresh = format!("{}\n", serde_json::to_string_pretty(&assessment_schema()).unwrap());
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(SCHEMA, &fresh).unwrap();
    }
    let published = std::fs::read_to_string(SCHEMA).unwrap_or_default();
    assert!(
        published == fresh,
        "docs/schema is stale: run UPDATE_SCHEMA=1 cargo test -p precedent-report --test json"
    );
}

#[test]
fn every_case_follows_the_schema() {
    let validator = jsonschema::validator_for(&assessment_schema()).unwrap();
    for case in [
        crate::fixture::full(),
        crate::fixture::empty(),
        crate::fixture::hostile(),
        crate::fixture::edges(),
        crate::fixture::failed(),
        crate::fixture::large(40),
    ] {
        let bytes = render(&case, "json").unwrap();
        let value: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
        let faults: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(faults.is_empty(), "{faults:?}");
    }
}

#[test]
fn the_schema_rejects_invalid_reports() {
    let validator = jsonschema::validator_for(&assessment_schema()).unwrap();
    let mut value: serde_json::Value =
        serde_json::from_slice(&render(&crate::fixture::full(), "json").unwrap()).unwrap();
    assert!(validator.is_valid(&value));
    value["schema_version"] = "2.0".into();
    assert!(!validator.is_valid(&value));
    value["schema_version"] = "1.0".into();
    value["contribution_analysis"]["comparisons"][0]["status"] = "refuted".into();
    assert!(!validator.is_valid(&value));
}

#[test]
fn a_report_round_trips() {
    for case in [
        crate::fixture::full(),
        crate::fixture::empty(),
        crate::fixture::large(80),
    ] {
        let bytes = render(&case, "json").unwrap();
        assert_eq!(read_assessment(&bytes).unwrap(), case);
        assert_eq!(render(&read_assessment(&bytes).unwrap(), "json").unwrap(), bytes);
    }
}

/// Written by schema version 1.0 and never regenerated. A change that cannot read it needs a new major version.
#[test]
fn a_report_of_version_1_0_still_loads_and_renders() {
    let golden = include_bytes!("golden/report-1.0.json");
    let report = read_assessment(golden).unwrap();
    assert_eq!(report.schema_version, "1.0");
    assert_eq!(report.contribution_analysis.contributions.len(), 3);
    for format in default_formats() {
        assert!(!render(&report, format).unwrap().is_empty(), "{}", format);
    }
}

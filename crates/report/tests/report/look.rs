//! Writes every case in every format to `target/tmp/report/`, to inspect after a change to a template. `.ci/run` opens them in a browser.

use std::path::Path;

use precedent_report::{AnyReport, default_formats, file_name, render};

/// Writes a report in every format to `target/tmp/report/NAME/`.
pub(crate) fn write<'r>(name: &str, report: impl Into<AnyReport<'r>>) {
    let report = report.into();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    for format in default_formats() {
        let bytes = render(report, format).unwrap();
        assert!(
            std::str::from_utf8(&bytes).is_ok_and(|text| text.ends_with('\n')),
            "{format}"
        );
        std::fs::write(folder.join(file_name(report, format).unwrap()), bytes).unwrap();
    }
}

#[test]
fn every_case_renders_in_every_format() {
    let cases = [
        ("full", crate::fixture::full()),
        ("empty", crate::fixture::empty()),
        ("hostile", crate::fixture::hostile()),
        ("edges", crate::fixture::edges()),
        ("failed", crate::fixture::failed()),
        ("large", crate::fixture::large(80)),
    ];
    for (name, case) in cases {
        write(name, &case);
    }
}

//! Writes every case in every format to `target/tmp/report/`, to inspect after a change to a template.

use std::path::Path;

use precedent_report::{default_formats, file_name, render};

#[test]
fn every_case_renders_in_every_format() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    let cases = [
        ("full", crate::fixture::full()),
        ("empty", crate::fixture::empty()),
        ("hostile", crate::fixture::hostile()),
        ("edges", crate::fixture::edges()),
        ("failed", crate::fixture::failed()),
        ("large", crate::fixture::large(80)),
    ];
    for (name, case) in cases {
        std::fs::create_dir_all(folder.join(name)).unwrap();
        for format in default_formats() {
            let bytes = render(&case, format).unwrap();
            assert!(
                std::str::from_utf8(&bytes).is_ok_and(|text| text.ends_with('\n')),
                "{}",
                format
            );
            std::fs::write(folder.join(name).join(file_name(&case, format).unwrap()), bytes).unwrap();
        }
    }
}

//! Reports printed by an installed browser.

use precedent_report::{file_name, render};

fn count(bytes: &[u8], needle: &[u8]) -> usize {
    bytes.windows(needle.len()).filter(|window| *window == needle).count()
}

#[test]
#[ignore = "needs Chromium or Chrome; run by .ci/run"]
fn a_printed_report_is_short_tagged_and_the_same_twice() {
    let case = crate::fixture::large(80);
    assert_eq!(file_name(&case, "pdf").unwrap(), "report.pdf");
    let first = render(&case, "pdf").unwrap();
    assert!(first.starts_with(b"%PDF-"));
    let second = render(&case, "pdf").unwrap();
    let same = first
        .iter()
        .zip(&second)
        .take_while(|(one, other)| one == other)
        .count();
    let near = |bytes: &[u8]| {
        let end = bytes.len().min(same + 60);
        String::from_utf8_lossy(bytes.get(same.saturating_sub(60)..end).unwrap_or_default()).into_owned()
    };
    assert!(
        first == second,
        "two prints differ at byte {same}: {:?} and {:?}",
        near(&first),
        near(&second)
    );
    // Tagged, with the fonts embedded.
    assert!(count(&first, b"/StructTreeRoot") > 0 && count(&first, b"/FontFile") > 0);
    let pages = count(&first, b"/Type /Page\n");
    assert!((2..=8).contains(&pages), "{pages} pages");
}

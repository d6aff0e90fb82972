use super::html::report_path;
use super::{BatchPaper, BatchSummary};
use crate::ClaimSummary;

const COLUMNS: [&str; 16] = [
    "paper",
    "title",
    "status",
    "coverage",
    "claim",
    "text",
    "level",
    "closest",
    "closest_id",
    "year",
    "earlier",
    "probability",
    "passage",
    "report",
    "error",
    "area",
];

/// One line per claim, by paper. A paper without claims has one line. RFC 4180, in UTF-8.
pub(crate) fn csv(summary: &BatchSummary) -> String {
    // The mark tells spreadsheets that this is UTF-8.
    let mut out = format!("\u{feff}{}", COLUMNS.map(cell).join(","));
    out.push_str("\r\n");
    for paper in &summary.papers {
        let claims = paper.summary.as_ref().map_or(&[][..], |one| &one.claims);
        for claim in claims {
            line(&mut out, paper, Some(claim));
        }
        if claims.is_empty() {
            line(&mut out, paper, None);
        }
    }
    out
}

fn line(out: &mut String, paper: &BatchPaper, claim: Option<&ClaimSummary>) {
    let summary = paper.summary.as_ref();
    let closest = claim.and_then(|one| one.closest.first());
    let cells = [
        paper.paper.clone(),
        summary.map(|one| one.title.clone()).unwrap_or_default(),
        word(&paper.status),
        summary
            .and_then(|one| one.coverage)
            .map(|one| word(&one))
            .unwrap_or_default(),
        claim.map(|one| one.number.to_string()).unwrap_or_default(),
        claim.map(|one| one.text.clone()).unwrap_or_default(),
        claim.map(|one| word(&one.level)).unwrap_or_default(),
        closest.map(|one| one.title.clone()).unwrap_or_default(),
        closest.map(|one| one.id.to_string()).unwrap_or_default(),
        closest
            .and_then(|one| one.year)
            .map(|year| year.to_string())
            .unwrap_or_default(),
        closest.map(|one| one.earlier.to_string()).unwrap_or_default(),
        closest
            .and_then(|one| one.probability)
            .map(|one| format!("{one:.3}"))
            .unwrap_or_default(),
        closest.and_then(|one| one.passage.clone()).unwrap_or_default(),
        report_path(paper).unwrap_or_default(),
        paper.error.clone().unwrap_or_default(),
        paper.area.clone().unwrap_or_default(),
    ];
    let cells: Vec<String> = cells.iter().map(|one| cell(one)).collect();
    out.push_str(&cells.join(","));
    out.push_str("\r\n");
}

/// The serialised name of an enum value.
fn word(value: &impl serde::Serialize) -> String {
    let value = serde_json::to_value(value).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}

/// A cell, always in quotation marks: some spreadsheets split at semicolons. One that starts like a formula gets an apostrophe, as OWASP advises.
pub(crate) fn cell(text: &str) -> String {
    const STARTS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    let guard = if text.starts_with(STARTS) { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_quoted_and_never_formulas() {
        assert_eq!(cell("a;=1+1"), "\"a;=1+1\"");
        assert_eq!(cell("a, \"b\""), "\"a, \"\"b\"\"\"");
        assert_eq!(cell("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
        assert_eq!(cell("-1"), "\"'-1\"");
    }
}

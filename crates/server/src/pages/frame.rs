use askama::Template;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};

use crate::error::Problem;
use crate::evidence::EvidencePassage;

/// Links at the top of every page.
pub(crate) const LINKS: [(&str, &str); 7] = [
    ("/", "New"),
    ("/runs", "Runs"),
    ("/batches", "Batches"),
    ("/watches", "Watches"),
    ("/corpora", "Corpora"),
    ("/match", "Match"),
    ("/verify", "Verify"),
];

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'p> {
    here: &'static str,
    problem: &'p Problem,
}

/// A page for an error.
pub(crate) fn problem(problem: &Problem) -> Response {
    page(problem.code(), &ProblemPage { here: "", problem })
}

/// A rendered page.
pub(super) fn page(code: StatusCode, page: &impl Template) -> Response {
    match page.render() {
        Ok(text) => (code, Html(text)).into_response(),
        Err(error) => Problem::bug(format!("failed to write the page: {error}")).into_response(),
    }
}

/// An error of a page, which becomes a page itself.
pub(super) struct PageError(Problem);

impl From<Problem> for PageError {
    fn from(problem: Problem) -> Self {
        Self(problem)
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        problem(&self.0)
    }
}

/// A time as `2026-11-25 14:05 UTC`.
pub(crate) fn time(seconds: &u64) -> String {
    let seconds = *seconds;
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days to a date of the Gregorian calendar: Howard Hinnant, "chrono-compatible low-level date algorithms", civil_from_days.
    let shifted = days + 719_468;
    let (era, day_of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02} UTC",
        rest / 3_600,
        rest % 3_600 / 60
    )
}

/// US dollars, or a dash if nothing was spent or the price is unknown.
pub(crate) fn dollars(dollars: &Option<f64>) -> String {
    match dollars {
        None => "–".to_owned(),
        Some(dollars) if *dollars < 1.0 => format!("${dollars:.4}"),
        Some(dollars) => format!("${dollars:.2}"),
    }
}

/// The probability that a text states a claim.
pub(crate) fn probability(probability: &f64) -> String {
    precedent_report::probability(*probability)
}

/// Where a passage is, such as `, page 3, Abstract`.
pub(crate) fn place(passage: &EvidencePassage) -> String {
    let page = passage.page.map(|page| format!(", page {page}")).unwrap_or_default();
    let section = passage.section.as_ref().map(|section| format!(", {section}"));
    page + &section.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates_of_the_calendar() {
        assert_eq!(time(&0), "1970-01-01 00:00 UTC");
        // GNU date: `date -u -d @1709210096`.
        assert_eq!(time(&1_709_210_096), "2024-02-29 12:34 UTC");
        assert_eq!(time(&1_795_614_322), "2026-11-25 13:45 UTC");
    }

    #[test]
    fn a_page_escapes_what_it_shows() {
        let problem = Problem::usage("<script>alert(1)</script>").hint("\"><img src=x onerror=alert(1)>");
        let text = ProblemPage {
            here: "",
            problem: &problem,
        }
        .render()
        .unwrap();
        assert!(!text.contains("<script>alert") && !text.contains("<img"), "{text}");
    }
}

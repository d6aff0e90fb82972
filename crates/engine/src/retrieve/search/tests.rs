use precedent_domain::{Author, Span};

use super::self_matcher::SelfMatcher;
use crate::sample::{kelp_paper, work};

#[test]
fn versions_are_the_paper_and_namesakes_are_not() {
    let paper = kelp_paper();
    let itself = SelfMatcher::new(&paper);
    let title = "KelpCast: Forecasting Kelp Harvests from Satellite Colour and Swell";
    let summary = paper.abstract_text().unwrap();
    assert!(itself.is(&work("a", title, "E. Marsh", Some("2022"), "")));
    assert!(
        itself.is(&work(
            "b",
            "Kelp harvests from colour and swell",
            "Elin Marsh",
            Some("2023"),
            summary
        )),
        "an earlier title"
    );
    assert!(
        !itself.is(&work("c", title, "Zed Other", Some("2024"), "")),
        "a namesake"
    );
    assert!(
        !itself.is(&work("d", "Tea prices", "Zed Other", Some("2024"), summary)),
        "a copy by somebody else is not a version"
    );
    assert!(
        !itself.is(&work(
            "e",
            "Kelp farms in winter",
            "Elin Marsh",
            Some("2021"),
            "Another study of farms."
        )),
        "another paper of the authors"
    );
    assert!(!itself.is(&work("f", "", "", None, "")));
}

#[test]
fn earlier_paper_of_the_authors_is_another_work_and_is_marked() {
    let paper = kelp_paper();
    let itself = SelfMatcher::new(&paper);
    // Two sentences of the abstract and half of the title are identical.
    let summary = "Forecasting kelp harvests helps coastal farms to plan. Existing forecasts ignore swell. We propose KelpCast, a seasonal regression \
                   that was fitted to what fishers say in interviews about the weather of the year before, on boats along two coasts.";
    let own = work(
        "own",
        "Forecasting Kelp Harvests from Satellite Colour and Interviews",
        "Elin Marsh and Tomas Quill",
        Some("2022"),
        summary,
    );
    assert!(!itself.is(&own), "a shared part of the text is not a version");
    let names: Vec<String> = itself
        .shared_authors(&own)
        .into_iter()
        .map(|author| author.name)
        .collect();
    assert_eq!(names, ["Elin Marsh", "Tomas Quill"]);
    let stranger = work("x", "Kelp", "Emil Marsh and T. Quill", Some("2022"), "");
    assert_eq!(itself.shared_authors(&stranger).len(), 1, "Emil is not Elin");
    let mut second = own;
    second.summary = paper.abstract_text().map(str::to_owned);
    assert!(itself.is(&second), "the same abstract by the same team");
}

#[test]
fn arxiv_number_needs_title_or_authors_and_two_numbers_are_two_works() {
    let mut paper = kelp_paper();
    paper.identifiers.arxiv = Some("2401.00001".parse().unwrap());
    let itself = SelfMatcher::new(&paper);
    let mut other = work("y", "Tea prices on island markets", "Zed Other", Some("2024"), "");
    other.identifiers.arxiv = paper.identifiers.arxiv.clone();
    assert!(!itself.is(&other), "a misread number");
    let mut version = work("z", "An Early Title of Something Else", "Elin Marsh", Some("2024"), "");
    version.identifiers.arxiv = paper.identifiers.arxiv.clone();
    assert!(itself.is(&version));
    let summary = paper.abstract_text().unwrap();
    let mut companion = work("c", "Another Part", "Elin Marsh and Tomas Quill", Some("2024"), summary);
    assert!(itself.is(&companion));
    companion.identifiers.arxiv = Some("2312.00009".parse().unwrap());
    assert!(!itself.is(&companion));
}

#[test]
fn a_blind_submission_is_recognised_by_title_and_abstract() {
    let mut paper = kelp_paper();
    paper.authors = vec![Author::new("Anonymous Authors")];
    let start = paper.abstract_span.unwrap().start;
    paper.document.text.replace_range(..start, &" ".repeat(start));
    let itself = SelfMatcher::new(&paper);
    let summary = paper.abstract_text().unwrap();
    let published = "KelpCast: Forecasting Kelp Harvests from Satellite Colour and Swell";
    let record = |title: &str, summary: &str| work("r", title, "Elin Marsh", Some("2024"), summary);
    assert!(itself.is(&record(published, summary)));
    assert!(itself.is(&record(
        "KelpCast: Forecasting the Harvests of Kelp from Satellite Colour and Swell",
        summary
    )));
    assert!(
        !itself.is(&record("Tea prices", summary)),
        "the abstract alone is not enough"
    );
    assert!(!itself.is(&record(
        "KelpCast: Forecasting Kelp Harvests by Boat",
        "Another study of farms."
    )));
}

#[test]
fn a_paper_with_only_its_title_above_the_abstract_names_no_authors() {
    let mut paper = kelp_paper();
    let title = paper.title.clone().unwrap();
    paper.authors = Vec::new();
    paper.dates = Vec::new();
    let span = paper.abstract_span.unwrap();
    let summary = paper.abstract_text().unwrap().to_owned();
    let front = format!("{title}\n\nAbstract\n\n");
    paper.document.text.replace_range(..span.start, &front);
    paper.abstract_span = Some(Span::new(front.len(), front.len() + summary.len()));
    let itself = SelfMatcher::new(&paper);
    assert!(itself.is(&work("r", &title, "Elin Marsh", Some("2024"), &summary)));
    assert!(!itself.is(&work(
        "r",
        &title,
        "Elin Marsh",
        Some("2024"),
        "Another study of farms."
    )));
}

#[test]
fn names_that_could_not_be_read_are_not_a_blind_submission() {
    let mut paper = kelp_paper();
    let title = paper.title.clone().unwrap();
    paper.authors = Vec::new();
    let start = paper.abstract_span.unwrap().start;
    let front = format!("{:start$}", "Jane Doe, Bay University");
    paper.document.text.replace_range(..start, &front);
    let itself = SelfMatcher::new(&paper);
    let namesake = work("r", &title, "Zed Other", Some("2023"), "Another study of farms.");
    assert!(!itself.is(&namesake));
    let title = "KelpCast: Forecasting Kelp Harvest from Satellite Colours and Swell";
    let record = work("r", title, "Jane Doe", Some("2023"), "Another summary.");
    assert!(
        itself.is(&record),
        "the same words in the plural, and one of the authors"
    );
}

#[test]
fn a_blind_record_of_the_paper_is_the_paper() {
    let paper = kelp_paper();
    let summary = paper.abstract_text().unwrap();
    let title = paper.title.clone().unwrap();
    assert!(SelfMatcher::new(&paper).is(&work("r", &title, "Anonymous", Some("2023"), summary)));
}

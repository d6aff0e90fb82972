use super::cited::Cited;
use super::self_matcher::SelfMatcher;
use crate::sample::{kelp_paper, reference, work};

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
fn references_are_found_through_noise_but_not_guessed() {
    let mut paper = kelp_paper();
    paper.references = vec![
        reference(
            1,
            "[1] H. Dorn. Growth fore- casting for kelpfarms from satellite colour. 2016",
            "",
            2016,
        ),
        reference(2, "Lee, A. Swell. Ocean Data, 2019.", "Swell", 2019),
        reference(
            3,
            "Roy, B. Mooring ropes and the tension of tugs in heavy winter swell. 2018.",
            "Mooring ropes and the tension of tugs in heavy winter swell",
            2018,
        ),
    ];
    let cited = Cited::new(&paper);
    let number = |title: &str, author: &str, year: &str| cited.number(&work("w", title, author, Some(year), ""));
    assert_eq!(
        number(
            "Growth Forecasting for Kelp Farms from Satellite Colour",
            "Hanna Dorn",
            "2016"
        ),
        Some(1)
    );
    assert_eq!(number("Swell", "Ann Lee", "2019"), Some(2));
    assert_eq!(
        number("Swell", "Mia Wu", "2019"),
        None,
        "a short title needs its author"
    );
    assert_eq!(
        number(
            "Mooring ropes and the tension of tugs in heavy winter swell",
            "Bob Roy",
            "2017-11"
        ),
        Some(3),
        "a preprint of the year before"
    );
    assert_eq!(
        number(
            "Mooring ropes and the tension of tugs in heavy summer swell",
            "Zed Other",
            "2018"
        ),
        None
    );
    assert_eq!(number("", "", "2018"), None);
}

#[test]
fn a_reference_to_a_preprint_names_the_paper_with_a_longer_title() {
    let mut paper = kelp_paper();
    let text = "Feng, P., He, Y. and Lin, O. Tides: a novel forecast of kelp farms. 2024.";
    paper.references = vec![reference(8, text, "Tides: a novel forecast of kelp farms", 2024)];
    let cited = Cited::new(&paper);
    let number = |title: &str, author: &str, year: &str| cited.number(&work("w", title, author, Some(year), ""));
    let longer = "Tides: A Novel Probabilistic Growth Forecast of Kelp Farms";
    assert_eq!(number(longer, "Pia Feng and Yun He", "2024"), Some(8));
    assert_eq!(
        number(longer, "Pia Feng and Zed Other", "2024"),
        None,
        "one name is too few"
    );
    assert_eq!(number(longer, "Pia Feng and Yun He", "2020"), None, "another year");
    let other = "Tides: A Novel Forecast of Kelp Farms and Its Use in Planning Harvests from Space";
    assert_eq!(
        number(other, "Pia Feng and Yun He", "2024"),
        None,
        "another paper of the authors"
    );
}

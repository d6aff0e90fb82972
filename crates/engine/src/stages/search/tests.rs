use super::cited::Cited;
use super::itself::Itself;
use crate::sample::{kelp_paper, reference, work};

#[test]
fn versions_are_the_paper_and_namesakes_are_not() {
    let paper = kelp_paper();
    let itself = Itself::new(&paper);
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
        "somebody's copy is no version"
    );
    assert!(
        !itself.is(&work(
            "e",
            "Kelp farms in winter",
            "Elin Marsh",
            Some("2021"),
            "Another study of farms."
        )),
        "other work of the authors"
    );
    assert!(!itself.is(&work("f", "", "", None, "")));
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

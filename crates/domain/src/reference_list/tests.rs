use super::*;
use crate::{DateOrigin, Extent, Identifiers, PublicationDate, Span};

fn reference(number: u32, text: &str, title: &str, year: u16) -> Reference {
    Reference {
        number,
        label: None,
        span: Span::new(0, 0),
        text: text.to_owned(),
        title: (!title.is_empty()).then(|| title.to_owned()),
        authors: Vec::new(),
        year: Some(year),
        year_letter: None,
        identifiers: Identifiers::default(),
    }
}

fn work(title: &str, authors: &str, date: &str) -> Work {
    let names = authors.split(" and ").filter(|name| !name.is_empty());
    Work {
        authors: names.map(Author::new).collect(),
        dates: vec![PublicationDate {
            date: date.parse().unwrap(),
            origin: DateOrigin::Given,
        }],
        extent: Extent::Abstract,
        ..Work::titled("w".parse().unwrap(), title.to_owned())
    }
}

#[test]
fn references_are_found_through_noise_but_not_guessed() {
    let references = [
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
    let cited = ReferenceList::new(&references);
    let number = |title: &str, author: &str, year: &str| cited.number(&work(title, author, year));
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
    let text = "Feng, P., He, Y. and Lin, O. Tides: a novel forecast of kelp farms. 2024.";
    let references = [reference(8, text, "Tides: a novel forecast of kelp farms", 2024)];
    let cited = ReferenceList::new(&references);
    let number = |title: &str, author: &str, year: &str| cited.number(&work(title, author, year));
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

#[test]
fn a_similar_title_names_a_work_only_with_the_same_authors() {
    let text = "Feng, P., He, Y., Roy, B. Forecasting swell for planning of kelp harvests with LLMs. 2023.";
    let mut printed = reference(
        3,
        text,
        "Forecasting swell for planning of kelp harvests with LLMs",
        2023,
    );
    printed.authors = ["Pia Feng", "Yun He", "Bob Roy"].map(Author::new).to_vec();
    let references = [printed];
    let cited = ReferenceList::new(&references);
    let found = |title: &str, authors: &str| cited.find(&work(title, authors, "2024"));
    let all = "Pia Feng and Yun He and Bob Roy";
    assert_eq!(
        found(
            "Forecasting Swell to Plan Kelp Harvests with Large Language Models",
            all
        ),
        Some((3, Naming::SimilarTitle))
    );
    assert_eq!(
        found(
            "Forecasting Swell to Plan Kelp Harvests with Large Language Models",
            "Pia Feng and Yun He"
        ),
        None,
        "another team"
    );
    assert_eq!(
        found(
            "Forecasting swell for planning of kelp harvests with large language models",
            all
        ),
        Some((3, Naming::SimilarTitle)),
        "an acronym is expanded"
    );
    assert_eq!(found("Planning of Kelp Harvests", all), None, "part of a longer title");
    assert_eq!(found("Forecasting tides of the northern sea", all), None);
}

#[test]
fn a_date_after_the_title_is_not_part_of_it() {
    let text = "L. Lai, A. Huang. Chunks of actions as compressed plans, Sep 2022.";
    let references = [reference(
        1,
        text,
        "Chunks of actions as compressed plans, Sep 2022",
        2022,
    )];
    let cited = ReferenceList::new(&references);
    let found = cited.find(&work(
        "Chunks of Actions as Compressed Plans",
        "Lin Lai and Ada Huang",
        "2022",
    ));
    assert_eq!(found, Some((1, Naming::TitleAuthorYear)));
}

#[test]
fn other_works_of_the_authors_are_not_named() {
    let references = [
        reference(
            1,
            "Lee, A. Speech enhancement decoding. 2019.",
            "Speech enhancement decoding",
            2019,
        ),
        reference(2, "Lee, A. Kelp forecasting 2. 2019.", "Kelp forecasting 2", 2019),
        reference(
            3,
            "Lee, A. Growth fore casting for kelpfarms from satellite colour and swell. 2019.",
            "Growth fore casting for kelpfarms from satellite colour and swell",
            2019,
        ),
        reference(
            4,
            "Lee, A. Learning from explanations. Machine Learning, 2019.",
            "Learning from explanations",
            2019,
        ),
        reference(
            5,
            "Lee, A. Mooring ropes and the tension of tugs in heavy winter swell: Part I. 2019.",
            "Mooring ropes and the tension of tugs in heavy winter swell: Part I",
            2019,
        ),
    ];
    let cited = ReferenceList::new(&references);
    for title in [
        "Speech Enhancement",
        "Kelp Forecasting",
        "Growth Forecasting for Kelp Farms from Satellite Colour",
        "Machine Learning",
    ] {
        assert_eq!(cited.find(&work(title, "Ann Lee", "2019")), None, "{title}");
    }
    let second = "Mooring Ropes and the Tension of Tugs in Heavy Winter Swell: Part II";
    let found = cited.find(&work(second, "Ann Lee", "2019"));
    assert!(
        !matches!(
            found,
            Some((_, Naming::Identifier | Naming::TitleAuthorYear | Naming::Title))
        ),
        "{found:?}"
    );
}

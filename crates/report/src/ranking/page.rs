use precedent_domain::{GroupRanking, OrderAsked};

use super::{reviews, shown};
use crate::blocks::{Block, Line, ReportPage, Section, Tone, incomplete_models, sent};

/// The ranking as blocks.
pub(crate) fn compose(ranking: &GroupRanking) -> ReportPage {
    let answers = (1..).zip(&ranking.orders);
    let mut answers: Vec<Block> = answers.flat_map(|(number, one)| answer(ranking, number, one)).collect();
    if let Some(check) = &ranking.length_check {
        answers.push(Block::Heading(3, Line::of("With the shorter ideas repeated")));
        let more = (ranking.orders.len() + 1..).zip(&check.orders);
        answers.extend(more.flat_map(|(number, one)| answer(ranking, number, one)));
    }
    let mut about = vec![Block::paragraph(Line::of(shown::about(ranking)))];
    about.extend(sent(&ranking.sent));
    let mut sections = vec![
        Section::findings("order", "Overall", overall(ranking)).labelled("Ranking"),
        Section::shown("dimensions", "By dimension", vec![dimensions(ranking)]).labelled("Dimensions"),
    ];
    sections.extend(reviews::sections(ranking));
    sections.extend([
        Section::folded("answers", "All answers", answers).labelled("Answers"),
        Section::folded("about", "About this ranking", about).labelled("About"),
    ]);
    ReportPage {
        warnings: incomplete_models(&ranking.models),
        title: "Ranking of ideas".to_owned(),
        about: "ranking",
        kind: "Ranking of ideas by a judge that saw them in several orders",
        byline: Vec::new(),
        sections,
        disclaimer: String::new(),
    }
}

fn overall(ranking: &GroupRanking) -> Vec<Block> {
    let places = shown::places(ranking);
    let rows: Vec<Vec<Line>> = places
        .iter()
        .map(|(place, names)| vec![Line::of(place), Line::foreign(names)])
        .collect();
    let positions: Vec<Vec<Line>> = shown::positions(ranking)
        .iter()
        .map(|(rank, name, interval)| vec![Line::of(rank), Line::foreign(name), Line::of(interval)])
        .collect();
    let mut blocks = vec![match (rows.is_empty(), positions.is_empty()) {
        (true, _) => Block::Paragraph(Tone::Lead, Line::of(shown::no_ranking(ranking))),
        (_, true) => Block::table("Overall ranking", &["Rank", "Idea"], rows),
        _ => Block::table(
            "Overall ranking",
            &["Rank", "Idea", "95 % interval of the position"],
            positions,
        ),
    }];
    blocks.push(Block::list(
        shown::ranking_tests(ranking).iter().map(Line::of).collect(),
    ));
    blocks.push(Block::paragraph(Line::of(shown::basis(ranking))));
    blocks.extend(shown::cut(ranking).map(|cut| Block::paragraph(Line::of(cut))));
    blocks
}

fn dimensions(ranking: &GroupRanking) -> Block {
    let row = |one: &precedent_domain::DimensionStanding| {
        vec![
            Line::foreign(&one.name),
            Line::foreign(&shown::order(ranking, &one.standing)),
            Line::of(shown::percent(one.standing.agreement)),
        ]
    };
    let rows = ranking.dimensions.iter().map(row).collect();
    Block::table("Ranking by dimension", &["Dimension", "Order", "Agreement"], rows)
}

fn answer(ranking: &GroupRanking, number: usize, one: &OrderAsked) -> Vec<Block> {
    let names = |numbers: &[u32]| shown::names(ranking, numbers, " > ");
    let mut blocks = vec![
        Block::Heading(3, Line::of(format!("Order {number}"))),
        Block::paragraph(Line::of("Shown: ").external(&names(&one.shown))),
    ];
    let Some(answer) = &one.answer else {
        blocks.push(Block::empty(shown::NO_ANSWER));
        return blocks;
    };
    let line = Line::of("Answer: ").external(&names(&answer.order)).text(". ");
    blocks.push(Block::paragraph(line.append(reviews::prose(ranking, &answer.reason))));
    let row = |one: &precedent_domain::DimensionOrder| {
        vec![
            Line::of(&one.id),
            Line::foreign(&names(&one.order)),
            reviews::prose(ranking, &one.reason),
        ]
    };
    blocks.push(Block::table(
        &format!("Answer {number} as a table"),
        &["Dimension", "Order", "Reason"],
        answer.dimensions.iter().map(row).collect(),
    ));
    blocks
}

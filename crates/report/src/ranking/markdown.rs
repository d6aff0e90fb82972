use precedent_domain::{GroupRanking, OrderAsked, RankingOutcome, Standing};

use crate::formats::markdown::{Inline, Writer};
use crate::words;

/// The ranking as Markdown.
#[must_use]
pub fn ranking_markdown(ranking: &GroupRanking) -> Vec<u8> {
    let mut out = Writer::default();
    out.heading(1, &Inline::of("Ideas in order"));
    overall(&mut out, ranking);
    dimensions(&mut out, ranking);
    answers(&mut out, ranking);
    out.heading(2, &Inline::of("About this ranking"));
    out.paragraph(&Inline::of(about(ranking)));
    for one in &ranking.sent {
        out.paragraph(&Inline::of(format!(
            "{} requests to {}: {}",
            one.requests, one.host, one.what
        )));
    }
    out.finish().into_bytes()
}

fn overall(out: &mut Writer, ranking: &GroupRanking) {
    match &ranking.overall.outcome {
        RankingOutcome::Ranked { places } => {
            let rows: Vec<Vec<Inline>> = places_of(places)
                .into_iter()
                .map(|(place, numbers)| {
                    let names: Vec<&str> = numbers.iter().map(|number| name(ranking, *number)).collect();
                    vec![Inline::of(place), Inline::of(names.join(" · "))]
                })
                .collect();
            out.table(&["Place", "Idea"], &rows);
        }
        _ => out.paragraph(&Inline::of(NO_RANKING)),
    }
    out.paragraph(&Inline::of(told(&ranking.overall, ranking.orders.len())));
    let cut: Vec<&str> = ranking
        .ideas
        .iter()
        .filter(|one| one.cut)
        .map(|one| one.name.as_str())
        .collect();
    if !cut.is_empty() {
        out.paragraph(&Inline::of(format!(
            "Longer than what was read of them: {}.",
            cut.join(", ")
        )));
    }
}

const NO_RANKING: &str =
    "No ranking: the judge's answers follow the order in which the ideas were shown more than they follow the ideas.";

fn dimensions(out: &mut Writer, ranking: &GroupRanking) {
    out.heading(2, &Inline::of("By dimension"));
    let rows: Vec<Vec<Inline>> = ranking
        .dimensions
        .iter()
        .map(|one| {
            let order = match &one.standing.outcome {
                RankingOutcome::Ranked { places } => {
                    let place = |numbers: &Vec<u32>| {
                        let names: Vec<&str> = numbers.iter().map(|number| name(ranking, *number)).collect();
                        names.join(" = ")
                    };
                    places.iter().map(place).collect::<Vec<_>>().join(" > ")
                }
                _ => "no order: the answers follow the question".to_owned(),
            };
            vec![
                Inline::of(&one.name),
                Inline::of(order),
                Inline::of(percent(one.standing.agreement)),
            ]
        })
        .collect();
    out.table(&["Dimension", "Order", "Answers agree"], &rows);
}

fn answers(out: &mut Writer, ranking: &GroupRanking) {
    out.heading(2, &Inline::of("Every answer"));
    for (at, one) in ranking.orders.iter().enumerate() {
        out.heading(3, &Inline::of(format!("Order {}", at + 1)));
        out.paragraph(&Inline::of("Shown: ").text(line(ranking, &one.shown)));
        answer(out, ranking, one);
    }
}

fn answer(out: &mut Writer, ranking: &GroupRanking, one: &OrderAsked) {
    let Some(answer) = &one.answer else {
        out.paragraph(&Inline::of(
            "No answer that names every idea once, though it was asked for again.",
        ));
        return;
    };
    out.paragraph(
        &Inline::of("Answered: ")
            .text(line(ranking, &answer.order))
            .text(". ")
            .text(&answer.reason),
    );
    let of_dimensions: Vec<Inline> = answer
        .dimensions
        .iter()
        .map(|one| {
            Inline::default()
                .strong(&one.id)
                .text(": ")
                .text(line(ranking, &one.order))
                .text(". ")
                .text(&one.reason)
        })
        .collect();
    out.list(&of_dimensions);
}

fn line(ranking: &GroupRanking, numbers: &[u32]) -> String {
    numbers
        .iter()
        .map(|number| name(ranking, *number))
        .collect::<Vec<_>>()
        .join(" > ")
}

fn name(ranking: &GroupRanking, number: u32) -> &str {
    let idea = ranking.ideas.iter().find(|one| one.number == number);
    idea.map_or("", |one| one.name.as_str())
}

/// Each place with its number: two that share the first are followed by the third.
fn places_of(places: &[Vec<u32>]) -> Vec<(String, &Vec<u32>)> {
    let mut next = 1;
    let mut numbered = Vec::new();
    for place in places {
        numbered.push((next.to_string(), place));
        next += place.len();
    }
    numbered
}

fn told(standing: &Standing, orders: usize) -> String {
    format!(
        "Asked in {}, every order also backwards. Any two answers put {} of the pairs of ideas in the same order; {} of the pairs stand in an answer as they were shown, where one half is chance.",
        words::count(orders, "order", "orders"),
        percent(standing.agreement),
        percent(standing.follows_position)
    )
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn about(ranking: &GroupRanking) -> String {
    format!(
        "Judged by {}, which saw the texts and neither names nor numbers, in orders drawn with seed {}. A place is the mean over the answers. It says which of these ideas the judge prefers, and nothing of what any of them is worth.",
        ranking.analyst, ranking.seed
    )
}

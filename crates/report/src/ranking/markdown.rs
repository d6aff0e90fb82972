use precedent_domain::{GroupRanking, OrderAsked};

use super::shown;
use crate::formats::markdown::{Inline, Writer};
use crate::words;

/// Renders the ranking as Markdown.
pub(crate) fn markdown(ranking: &GroupRanking) -> Vec<u8> {
    let mut out = Writer::default();
    out.heading(1, &Inline::of("Ranking of ideas"));
    let places = shown::places(ranking);
    if places.is_empty() {
        out.paragraph(&Inline::of(shown::NO_RANKING));
    } else {
        let row = |(place, names): (usize, String)| vec![Inline::of(place), Inline::of(names)];
        let rows: Vec<Vec<Inline>> = places.into_iter().map(row).collect();
        out.table(&["Rank", "Idea"], &rows);
    }
    out.paragraph(&Inline::of(shown::told(ranking)));
    if let Some(cut) = shown::cut(ranking) {
        out.paragraph(&Inline::of(cut));
    }
    out.heading(2, &Inline::of("By dimension"));
    let rows: Vec<Vec<Inline>> = ranking
        .dimensions
        .iter()
        .map(|one| {
            vec![
                Inline::of(&one.name),
                Inline::of(shown::order(ranking, &one.standing)),
                Inline::of(shown::percent(one.standing.agreement)),
            ]
        })
        .collect();
    out.table(&["Dimension", "Order", "Agreement"], &rows);
    out.heading(2, &Inline::of("All answers"));
    for (at, one) in (1..).zip(&ranking.orders) {
        out.heading(3, &Inline::of(format!("Order {at}")));
        out.paragraph(&Inline::of("Shown: ").text(shown::names(ranking, &one.shown, " > ")));
        answer(&mut out, ranking, one);
    }
    out.heading(2, &Inline::of("About this ranking"));
    out.paragraph(&Inline::of(shown::about(ranking)));
    for one in &ranking.sent {
        out.paragraph(&Inline::of(words::sent(one)));
    }
    out.finish().into_bytes()
}

fn answer(out: &mut Writer, ranking: &GroupRanking, one: &OrderAsked) {
    let Some(answer) = &one.answer else {
        out.paragraph(&Inline::of(shown::NO_ANSWER));
        return;
    };
    let order = |numbers: &[u32]| shown::names(ranking, numbers, " > ");
    let overall = Inline::of("Answer: ").text(order(&answer.order));
    out.paragraph(&overall.text(". ").text(&answer.reason));
    let of_dimensions: Vec<Inline> = answer
        .dimensions
        .iter()
        .map(|one| {
            let name = Inline::default().strong(&one.id).text(": ");
            name.text(order(&one.order)).text(". ").text(&one.reason)
        })
        .collect();
    out.list(&of_dimensions);
}

use askama::Template;
use precedent_domain::GroupRanking;

use super::shown;
use crate::ReportError;
use crate::formats::html::page;
use crate::words;

/// Renders the HTML page. `format` is the name used in errors.
pub(crate) fn html(ranking: &GroupRanking, format: &'static str) -> Result<Vec<u8>, ReportError> {
    page(&Page::new(ranking), format)
}

#[derive(Template)]
#[template(path = "ranking.html")]
struct Page {
    title: String,
    places: Vec<(usize, String)>,
    no_ranking: &'static str,
    told: String,
    cut: Option<String>,
    dimensions: Vec<[String; 3]>,
    orders: Vec<Order>,
    no_answer: &'static str,
    about_it: String,
    sent: Vec<String>,
}

struct Order {
    shown: String,
    answer: Option<Answer>,
}

struct Answer {
    order: String,
    reason: String,
    dimensions: Vec<[String; 3]>,
}

impl Page {
    fn new(ranking: &GroupRanking) -> Self {
        let names = |numbers: &[u32]| shown::names(ranking, numbers, " > ");
        let orders = ranking.orders.iter().map(|one| Order {
            shown: names(&one.shown),
            answer: one.answer.as_ref().map(|answer| Answer {
                order: names(&answer.order),
                reason: answer.reason.clone(),
                dimensions: answer
                    .dimensions
                    .iter()
                    .map(|one| [one.id.clone(), names(&one.order), one.reason.clone()])
                    .collect(),
            }),
        });
        let dimensions = ranking.dimensions.iter().map(|one| {
            [
                one.name.clone(),
                shown::order(ranking, &one.standing),
                shown::percent(one.standing.agreement),
            ]
        });
        Self {
            title: "Ranking of ideas".to_owned(),
            places: shown::places(ranking),
            no_ranking: shown::NO_RANKING,
            told: shown::told(ranking),
            cut: shown::cut(ranking),
            dimensions: dimensions.collect(),
            orders: orders.collect(),
            no_answer: shown::NO_ANSWER,
            about_it: shown::about(ranking),
            sent: ranking.sent.iter().map(words::sent).collect(),
        }
    }
}

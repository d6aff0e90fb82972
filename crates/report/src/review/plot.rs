//! Scores by reader and dimension as a chart, with one lane per reader and a mark for the mean.

use askama::Template;
use precedent_domain::IdeaReview;

use super::{board, shown};

/// Layout, in pixels.
const LEFT: f64 = 150.0;
const STEP: f64 = 44.0;
const LANE: f64 = 15.0;
const TOP: f64 = 24.0;
const BETWEEN: f64 = 20.0;
/// Maximum length of a name, in characters.
const ROOM: usize = 18;

/// The chart. A template prints it as SVG.
#[derive(Template)]
#[template(path = "parts/plot.html")]
pub(super) struct Plot {
    /// Letter, anchor and name of each reader.
    readers: Vec<(String, String, String)>,
    width: String,
    height: String,
    bottom: String,
    /// Numbers of the scale with their positions.
    scale: Vec<(u8, String)>,
    rows: Vec<DimensionRow>,
    label: String,
}

/// A dimension.
struct DimensionRow {
    name: String,
    words: String,
    middle: String,
    from: String,
    to: String,
    /// The mean's position and value.
    mean: Option<(String, String)>,
    dots: Vec<ScoreDot>,
}

/// A reader's score.
struct ScoreDot {
    x: String,
    y: String,
    letter: String,
    words: String,
}

/// The chart. `None` if no reader has an opinion.
pub(super) fn plot(review: &IdeaReview) -> Option<Plot> {
    if review.board.iter().all(|one| one.opinions.is_empty()) {
        return None;
    }
    let x = |score: f64| place(LEFT + STEP * score.clamp(0.0, 10.0));
    #[expect(clippy::cast_precision_loss, reason = "readers of a board")]
    let lanes = review.board.len() as f64 * LANE;
    let mut top = TOP;
    let mut rows = Vec::new();
    for dimension in &review.dimensions {
        let mut y = top;
        let mut dots = Vec::new();
        let mut scores = Vec::new();
        for (at, reader) in review.board.iter().enumerate() {
            y += LANE;
            let opinion = reader.opinions.iter().find(|one| one.dimension == dimension.id);
            let Some(opinion) = opinion else { continue };
            scores.push(opinion.score);
            dots.push(ScoreDot {
                x: x(opinion.score),
                y: place(y - LANE / 2.0),
                letter: shown::letter(at),
                words: format!("{}: {}", reader.name, shown::score(opinion.score)),
            });
        }
        let values: Vec<String> = dots.iter().map(|dot| dot.words.clone()).collect();
        rows.push(DimensionRow {
            name: short(&dimension.name),
            words: format!("{}: {}", dimension.name, values.join(", ")),
            middle: place(top + lanes / 2.0 + 4.0),
            from: place(top),
            to: place(top + lanes),
            mean: shown::mean(&scores).map(|mean| (x(mean), shown::score(mean))),
            dots,
        });
        top += lanes + BETWEEN;
    }
    let scale = (0_u8..=10).map(|number| (number, x(f64::from(number))));
    let readers = review.board.iter().enumerate();
    let readers = readers.map(|(at, one)| (shown::letter(at), board::anchor(at), one.name.clone()));
    Some(Plot {
        readers: readers.collect(),
        width: place(LEFT + STEP * 10.0 + 40.0),
        height: place(top + 14.0),
        bottom: place(top),
        scale: scale.collect(),
        rows,
        label: "Scores of each reader on each dimension, from 0 to 10".to_owned(),
    })
}

/// A name, shortened to fit.
fn short(name: &str) -> String {
    if name.chars().count() <= ROOM {
        return name.to_owned();
    }
    let head: String = name.chars().take(ROOM - 1).collect();
    format!("{}…", head.trim_end())
}

fn place(at: f64) -> String {
    let text = format!("{at:.1}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

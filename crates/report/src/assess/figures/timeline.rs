use std::collections::BTreeMap;

use askama::Template;
use precedent_domain::{Candidate, PartialDate, Status, Timing};

use crate::view::Digest;
use crate::words;

/// Related papers by year, with the assessed paper marked and undated papers listed separately.
#[derive(Template)]
#[template(path = "parts/timeline.html")]
pub(crate) struct TimelineFigure {
    /// The figure as text.
    pub(crate) words: String,
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// The vertical position of the axis.
    pub(crate) base: usize,
    pub(crate) years: Vec<Year>,
    /// Positions of the break marks for long runs of years without papers.
    pub(crate) breaks: Vec<usize>,
    pub(crate) dots: Vec<Dot>,
    pub(crate) paper: Option<PaperMark>,
    pub(crate) undated: Option<Undated>,
    /// The same as a table: year, papers.
    pub(crate) rows: Vec<(String, Vec<u32>)>,
}

/// A year on the axis.
pub(crate) struct Year {
    pub(crate) label: String,
    pub(crate) x: usize,
}

/// A paper.
pub(crate) struct Dot {
    pub(crate) number: u32,
    pub(crate) x: usize,
    pub(crate) y: usize,
    /// `found`, `reading`, `absent`, or `none` for a paper that was not compared with a claim.
    pub(crate) key: &'static str,
    pub(crate) concurrent: bool,
    pub(crate) words: String,
}

/// The assessed paper on the axis.
pub(crate) struct PaperMark {
    pub(crate) x: usize,
    pub(crate) date: String,
    /// Where its label ends or starts, so that it stays inside the figure.
    pub(crate) label_x: usize,
    pub(crate) anchor: &'static str,
}

/// The label of the undated papers.
pub(crate) struct Undated {
    pub(crate) x: usize,
    pub(crate) left: usize,
}

const STEP: usize = 26;
const TALLEST: usize = 8;
const MARGIN: usize = 16;
const TOP: usize = 40;
/// Maximum number of years drawn separately. Earlier years are merged so that the figure fits a wide screen.
const YEARS: usize = 22;
/// Longer runs of empty years are shortened.
const GAP: u16 = 3;

impl TimelineFigure {
    /// The timeline of a report. `None` without papers.
    pub(crate) fn new(digest: &Digest<'_>) -> Option<Self> {
        let works = &digest.report.references.candidates;
        if works.is_empty() || digest.is_outside() {
            return None;
        }
        let mut by_year: BTreeMap<u16, Vec<&Candidate>> = BTreeMap::new();
        let mut undated: Vec<&Candidate> = Vec::new();
        for one in works {
            match one.work.year() {
                Some(year) => by_year.entry(year).or_default().push(one),
                None => undated.push(one),
            }
        }
        let date = paper_date(digest);
        if let Some(date) = date {
            by_year.entry(date.year()).or_default();
        }
        let (drawn, early) = gather_early(&by_year);
        let mut figure = draw(digest, &drawn, early, &undated, date);
        figure.words = in_words(&by_year, &undated, date);
        figure.rows = rows(&by_year, &undated);
        Some(figure)
    }
}

/// The years to draw. Papers of earlier years are merged into the first, whose year is returned if that happened.
fn gather_early<'a>(by_year: &BTreeMap<u16, Vec<&'a Candidate>>) -> (BTreeMap<u16, Vec<&'a Candidate>>, Option<u16>) {
    let Some(first) = by_year.keys().rev().nth(YEARS).copied() else {
        return (by_year.clone(), None);
    };
    let mut drawn: BTreeMap<u16, Vec<&Candidate>> = BTreeMap::new();
    for (&year, works) in by_year {
        drawn.entry(year.max(first)).or_default().extend(works);
    }
    (drawn, Some(first))
}

/// The cutoff date of the paper, else its most trusted date.
fn paper_date(digest: &Digest<'_>) -> Option<PartialDate> {
    let as_of = digest.report.metadata.as_of.as_ref().map(|one| one.date);
    as_of.or_else(|| digest.report.original_paper.dates.first().map(|one| one.date))
}

fn draw(
    digest: &Digest<'_>,
    by_year: &BTreeMap<u16, Vec<&Candidate>>,
    early: Option<u16>,
    undated: &[&Candidate],
    paper: Option<PartialDate>,
) -> TimelineFigure {
    let most = by_year.values().map(Vec::len).chain([undated.len()]).max().unwrap_or(0);
    let base = TOP + most.clamp(3, TALLEST) * STEP + 6;
    let (mut years, mut breaks, mut dots) = (Vec::new(), Vec::new(), Vec::new());
    let (mut x, mut last, mut mark) = (MARGIN, None, None);
    for (&year, works) in by_year {
        if let Some(last) = last {
            let empty = year - last - 1;
            if empty > GAP {
                breaks.push(x + STEP / 2);
                x += STEP;
            } else {
                x += usize::from(empty) * (STEP / 2);
            }
        }
        last = Some(year);
        // A four-digit year needs one and a half columns.
        let columns = works.len().div_ceil(TALLEST).max(1);
        let width = (columns * STEP).max(STEP * 3 / 2);
        let marked = paper.filter(|date| date.year() == year);
        let label = if early == Some(year) {
            format!("to {year}")
        } else {
            year.to_string()
        };
        years.push(Year {
            label,
            x: x + width / 2,
        });
        stack(digest, works, x + (width - columns * STEP) / 2, base, &mut dots);
        x += width;
        if let Some(date) = marked {
            // The mark goes after the papers of its year, because none of them is later than the paper.
            mark = Some((x + STEP / 3, date));
            x += STEP * 2 / 3;
        }
    }
    let apart = (!undated.is_empty()).then(|| {
        let left = x + STEP / 2;
        let width = (undated.len().div_ceil(TALLEST) * STEP).max(STEP * 2);
        stack(
            digest,
            undated,
            left + (width - undated.len().div_ceil(TALLEST) * STEP) / 2 + 6,
            base,
            &mut dots,
        );
        x = left + width + 12;
        Undated {
            x: left + width / 2 + 6,
            left,
        }
    });
    let width = (x + MARGIN).max(220);
    TimelineFigure {
        words: String::new(),
        width,
        height: base + 30,
        base,
        paper: mark.map(|place| paper_mark(place, width)),
        rows: Vec::new(),
        years,
        breaks,
        dots,
        undated: apart,
    }
}

fn paper_mark((x, date): (usize, PartialDate), whole: usize) -> PaperMark {
    let left = x * 2 > whole;
    PaperMark {
        x,
        date: date.to_string(),
        label_x: if left { x - 6 } else { x + 6 },
        anchor: if left { "end" } else { "start" },
    }
}

fn stack(digest: &Digest<'_>, works: &[&Candidate], left: usize, base: usize, dots: &mut Vec<Dot>) {
    for (at, one) in works.iter().enumerate() {
        let key = strongest(digest, one.number);
        let timing = if one.timing == Timing::Earlier {
            String::new()
        } else {
            format!(", {}", words::timing(one.timing, digest.paper_dated()))
        };
        dots.push(Dot {
            number: one.number,
            x: left + (at / TALLEST) * STEP + STEP / 2,
            y: base - STEP / 2 - 4 - (at % TALLEST) * STEP,
            key,
            concurrent: matches!(one.timing, Timing::Concurrent | Timing::SameYear),
            words: format!("{}: {}{timing}", digest.cite(one.number), one.work.title),
        });
    }
}

/// The strongest status of the paper against any claim.
fn strongest(digest: &Digest<'_>, number: u32) -> &'static str {
    let comparisons = digest.report.contribution_analysis.comparisons.iter();
    let mut strongest = None;
    for one in comparisons.filter(|one| one.candidate == number) {
        // A paper that is not similar needs no review, even if its status is unclear.
        let (rank, status) = match one.status {
            Status::CanRefute => (2, one.status),
            Status::Unclear if one.needs_reading() => (1, one.status),
            _ => (0, Status::CannotRefute),
        };
        strongest = strongest.max(Some((rank, words::status_short(status))));
    }
    strongest.map_or("none", |(_, key)| key)
}

fn in_words(by_year: &BTreeMap<u16, Vec<&Candidate>>, undated: &[&Candidate], paper: Option<PartialDate>) -> String {
    let dated: usize = by_year.values().map(Vec::len).sum();
    let filled = || {
        by_year
            .iter()
            .filter(|(_, works)| !works.is_empty())
            .map(|(year, _)| *year)
    };
    let span = match (filled().next(), filled().next_back()) {
        (Some(first), Some(last)) if first != last => format!(" from {first} to {last}"),
        (Some(only), _) => format!(" from {only}"),
        _ => String::new(),
    };
    let paper = paper.map_or("This paper's date is unknown.".to_owned(), |date| {
        format!("This paper is dated {date}.")
    });
    let apart = if undated.is_empty() {
        String::new()
    } else {
        format!("; {} without a date", undated.len())
    };
    format!("{}{span}{apart}. {paper}", words::count(dated, "paper", "papers"))
}

fn rows(by_year: &BTreeMap<u16, Vec<&Candidate>>, undated: &[&Candidate]) -> Vec<(String, Vec<u32>)> {
    let numbers = |works: &[&Candidate]| works.iter().map(|one| one.number).collect::<Vec<u32>>();
    let dated = by_year.iter().map(|(year, works)| (year.to_string(), numbers(works)));
    let apart = (!undated.is_empty()).then(|| ("no date".to_owned(), numbers(undated)));
    dated.chain(apart).filter(|(_, works)| !works.is_empty()).collect()
}

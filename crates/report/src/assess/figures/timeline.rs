use std::collections::BTreeMap;

use askama::Template;
use precedent_domain::{Candidate, PartialDate, Status, Timing};

use crate::view::Digest;
use crate::words;

/// Related papers by year, each with its name, the assessed paper in its year, and undated papers at the end. It is a list, so that names are never cut
/// on a phone.
#[derive(Template)]
#[template(path = "parts/timeline.html")]
pub(crate) struct TimelineFigure {
    /// The figure as text.
    pub(crate) words: String,
    pub(crate) years: Vec<Year>,
}

/// The papers of a year.
pub(crate) struct Year {
    /// The year, or `no date`.
    pub(crate) label: String,
    /// The years without papers before it, if there are several.
    pub(crate) empty: Option<String>,
    pub(crate) undated: bool,
    pub(crate) dots: Vec<Dot>,
    /// The date of the assessed paper, if it is of this year.
    pub(crate) paper: Option<String>,
}

/// A paper.
pub(crate) struct Dot {
    /// `Teh 2004`.
    pub(crate) name: String,
    /// `found`, `reading`, `absent`, or `none` for a paper that was not compared with a claim.
    pub(crate) key: &'static str,
    pub(crate) concurrent: bool,
    /// Shown on hover and for the keyboard.
    pub(crate) words: String,
    /// The comparison with the claim that it is most similar to, or its entry in the list of papers.
    pub(crate) anchor: String,
}

/// Longest run of years without papers that is not mentioned.
const GAP: u16 = 3;

impl TimelineFigure {
    /// The timeline of a report. `None` without related papers.
    pub(crate) fn new(digest: &Digest<'_>) -> Option<Self> {
        let candidates = &digest.report.references.candidates;
        if candidates.is_empty() || digest.is_outside() {
            return None;
        }
        let mut by_year: BTreeMap<u16, Vec<&Candidate>> = BTreeMap::new();
        let mut undated = Vec::new();
        for one in candidates {
            match one.work.year() {
                Some(year) => by_year.entry(year).or_default().push(one),
                None => undated.push(one),
            }
        }
        let date = paper_date(digest);
        if let Some(date) = date {
            by_year.entry(date.year()).or_default();
        }
        Some(Self {
            words: in_words(&by_year, &undated, date),
            years: years(digest, &by_year, &undated, date),
        })
    }
}

/// The cutoff date of the paper, else its most trusted date.
fn paper_date(digest: &Digest<'_>) -> Option<PartialDate> {
    let as_of = digest.report.metadata.as_of.as_ref().map(|one| one.date);
    as_of.or_else(|| digest.report.original_paper.dates.first().map(|one| one.date))
}

fn years(
    digest: &Digest<'_>,
    by_year: &BTreeMap<u16, Vec<&Candidate>>,
    undated: &[&Candidate],
    paper: Option<PartialDate>,
) -> Vec<Year> {
    let dots = |works: &[&Candidate]| works.iter().map(|one| dot(digest, one)).collect::<Vec<Dot>>();
    let mut last: Option<u16> = None;
    let dated = by_year.iter().map(|(&year, works)| {
        let empty = last.filter(|last| year - last - 1 > GAP);
        last = Some(year);
        Year {
            label: year.to_string(),
            empty: empty.map(|last| format!("no papers from {} to {}", last + 1, year - 1)),
            undated: false,
            dots: dots(works),
            paper: paper.filter(|date| date.year() == year).map(|date| date.to_string()),
        }
    });
    let mut all: Vec<Year> = dated.collect();
    if !undated.is_empty() {
        all.push(Year {
            label: "no date".to_owned(),
            empty: None,
            undated: true,
            dots: dots(undated),
            paper: None,
        });
    }
    all
}

fn dot(digest: &Digest<'_>, one: &Candidate) -> Dot {
    let timing = if one.timing == Timing::Earlier {
        String::new()
    } else {
        format!(", {}", words::timing(one.timing, digest.paper_dated()))
    };
    let cite = digest.cite(one.number);
    let (key, claim) = strongest(digest, one.number);
    Dot {
        key,
        concurrent: matches!(one.timing, Timing::Concurrent | Timing::SameYear),
        words: format!("{cite}: {}{timing}", one.work.title),
        anchor: match claim {
            Some(claim) => format!("claim-{claim}-work-{}", one.number),
            None => format!("work-{}", one.number),
        },
        name: cite.alias,
    }
}

/// The strongest status of the paper against any claim, and that claim if the paper is similar to it.
fn strongest(digest: &Digest<'_>, number: u32) -> (&'static str, Option<u32>) {
    let comparisons = digest.report.contribution_analysis.comparisons.iter();
    let mut strongest: Option<(u8, &'static str, Option<u32>)> = None;
    let has_claim = |number: u32| {
        let claims = digest.report.contribution_analysis.contributions.iter();
        claims.map(|one| one.number).any(|one| one == number)
    };
    for one in comparisons.filter(|one| one.candidate == number) {
        // A paper that is not similar needs no review, even if its status is unclear.
        let (rank, status) = match one.status {
            Status::CanRefute => (3, one.status),
            Status::Unclear if one.needs_reading() => (2, one.status),
            _ if one.near => (1, Status::CannotRefute),
            _ => (0, Status::CannotRefute),
        };
        let claim = (one.near && has_claim(one.contribution)).then_some(one.contribution);
        if strongest.is_none_or(|(known, _, _)| rank > known) {
            strongest = Some((rank, words::status_short(status), claim));
        }
    }
    strongest.map_or(("none", None), |(_, key, claim)| (key, claim))
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

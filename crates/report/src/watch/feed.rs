use askama::Template;
use precedent_domain::PartialDate;

use super::{WatchMatch, WatchReport, WatchedPaper};
use crate::ReportError;
use crate::formats::html::page;
use crate::plain::{clean, one_line, percent_encode};

/// The time of a feed before its first check: Atom requires one.
const NEVER: &str = "1970-01-01T00:00:00Z";

#[derive(Template)]
#[template(path = "feed.xml")]
struct Feed {
    id: String,
    title: String,
    updated: String,
    entries: Vec<FeedEntry>,
}

struct FeedEntry {
    id: String,
    title: String,
    updated: String,
    url: Option<String>,
    summary: String,
}

/// The papers as an Atom feed, newest first.
pub(super) fn feed(report: &WatchReport) -> Result<Vec<u8>, ReportError> {
    let feed = Feed {
        id: percent_encode(&report.name),
        title: text(&report.title),
        updated: report
            .checks
            .last()
            .map_or_else(|| NEVER.to_owned(), |check| time(check.date)),
        entries: report.papers.iter().rev().map(entry).collect(),
    };
    page(&feed, "atom")
}

fn entry(paper: &WatchedPaper) -> FeedEntry {
    let matches: Vec<String> = paper.matches.iter().map(summary).collect();
    FeedEntry {
        // A paper that came closer later is an entry of its own.
        id: format!("{}:{}", percent_encode(paper.id.as_str()), paper.noticed),
        title: text(&format!("{}: {}", paper.level.label(), paper.title)),
        updated: time(paper.noticed),
        url: paper.url.clone(),
        summary: match matches.is_empty() {
            true => "Among the papers closest to the topic.".to_owned(),
            false => text(&matches.join(" ")),
        },
    }
}

fn summary(one: &WatchMatch) -> String {
    match &one.passage {
        Some(passage) => format!("Similar to {}: “{}”", one.of, passage.text()),
        None => format!("Similar to {}.", one.of),
    }
}

/// Without the characters that XML does not allow.
fn text(text: &str) -> String {
    one_line(&clean(text)).into_owned()
}

fn time(date: PartialDate) -> String {
    let (year, month, day) = date.first_day();
    format!("{year:04}-{month:02}-{day:02}T00:00:00Z")
}

//! Blocks that several kinds of reports contain.

use precedent_domain::SentRecord;

use super::{Block, Line};
use crate::words;

/// How many limits are shown with the findings.
const FIRST: usize = 5;

/// The most important limits, for the findings.
pub(crate) fn first_limits(title: &'static str, all: &[String]) -> Block {
    Block::Limits {
        title,
        first: all.iter().take(FIRST).map(|one| Line::message(one)).collect(),
        all: all.len(),
    }
}

/// All limits, if the findings leave some out.
pub(crate) fn all_limits(title: &'static str, all: &[String]) -> Vec<Block> {
    if all.len() <= FIRST {
        return Vec::new();
    }
    let lines = all.iter().map(|one| Line::message(one));
    vec![Block::AllLimits(title), Block::list(lines.collect())]
}

/// What left the machine.
pub(crate) fn sent(all: &[SentRecord]) -> Vec<Block> {
    if all.is_empty() {
        return vec![Block::paragraph(Line::of("No data left this machine."))];
    }
    let lines = all.iter().map(|one| Line::of(words::sent(one)));
    vec![
        Block::Heading(3, Line::of("Data sent from this machine")),
        Block::list(lines.collect()),
    ]
}

/// Papers that were found but excluded, each with the reason.
pub(crate) fn excluded<'s>(all: impl Iterator<Item = (&'s str, &'static str)>) -> Vec<Block> {
    let lines: Vec<Line> = all
        .map(|(title, reason)| Line::foreign(title).text(format!(": {reason}")))
        .collect();
    if lines.is_empty() {
        return Vec::new();
    }
    vec![Block::Heading(3, Line::of("Found but excluded")), Block::list(lines)]
}

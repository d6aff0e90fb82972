//! Blocks that several kinds of reports contain.

use precedent_domain::{RunMetadata, SentRecord};

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
    vec![
        Block::Anchored("all-limits".to_owned(), Line::of(title)),
        Block::list(lines.collect()),
    ]
}

/// Says that a model failed, before the findings.
pub(crate) fn incomplete(metadata: &RunMetadata) -> Vec<Block> {
    let said = words::incomplete(metadata).map(|said| Block::Warning(Line::default().strong(said), Vec::new()));
    said.into_iter().collect()
}

/// What left the machine.
pub(crate) fn sent(all: &[SentRecord]) -> Vec<Block> {
    let lines = all.iter().map(|one| Line::of(words::sent(one)));
    vec![
        Block::Heading(3, Line::of("Data sent from this machine")),
        match all.is_empty() {
            true => Block::paragraph(Line::of("No data left this machine.")),
            false => Block::list(lines.collect()),
        },
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

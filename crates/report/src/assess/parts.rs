//! Lines and blocks that several sections use.

use crate::blocks::{Block, Line, Tone};
use crate::passage::Passage;
use crate::plain::one_line;
use crate::view::{Citation, Digest};

pub(super) const LIMITS: &str = "Not searched or read";

/// A citation, linked if the list of papers has the paper.
pub(super) fn cite(digest: &Digest<'_>, citation: &Citation) -> Line {
    let to = digest
        .lists(citation.number)
        .then(|| format!("work-{}", citation.number));
    Line::default().cite_at(&citation.alias, citation.number, to)
}

/// The citation and title of a paper.
pub(super) fn named(digest: &Digest<'_>, number: u32) -> Line {
    let title = digest.work(number).map(|one| one_line(&one.work.title).into_owned());
    cite(digest, &digest.cite(number))
        .text(" ")
        .external(&title.unwrap_or_default())
}

/// Citations, separated by commas.
pub(super) fn cited<'c>(digest: &Digest<'_>, all: impl Iterator<Item = &'c Citation>) -> Line {
    all.enumerate().fold(Line::default(), |line, (at, one)| {
        line.text(if at > 0 { ", " } else { "" }).append(cite(digest, one))
    })
}

/// Paragraphs of a model, with its citations of the papers listed.
pub(super) fn prose(digest: &Digest<'_>, paragraphs: Option<&[String]>) -> Vec<Block> {
    let known = |number: u32| digest.lists(number);
    let paragraphs = paragraphs.unwrap_or_default().iter();
    paragraphs
        .map(|text| Block::Paragraph(Tone::Prose, Line::prose(text, known)))
        .collect()
}

/// A quote of the paper with its place.
pub(super) fn of_the_paper(quote: Passage) -> Block {
    Block::Quote {
        who: Line::of("the paper"),
        label: None,
        quote,
        signed: true,
    }
}

use std::collections::VecDeque;

use precedent_domain::ParagraphKind;
use precedent_text::pattern;

use super::front;
use crate::draft::Block;
use crate::headings;

/// Minimum number of consecutive entries that count as a table of contents.
const CONTENTS_LENGTH: usize = 4;

/// Demotes false headings that a layout produced: table of contents lines, keywords, beginnings of sentences, table cells. Headings marked by the
/// format itself stay.
pub(super) fn mend(mut blocks: Vec<Block>) -> Vec<Block> {
    unmake_contents(&mut blocks);
    let numbered = blocks
        .iter()
        .filter(|block| is_guessed(block) && headings::take_apart(&block.text).number.is_some())
        .count()
        >= 3;
    let mut out: Vec<Block> = Vec::with_capacity(blocks.len());
    let mut rest: VecDeque<Block> = blocks.into();
    while let Some(mut block) = rest.pop_front() {
        if is_guessed(&block) {
            if front::is_after_abstract(&block.text) {
                block.kind = ParagraphKind::FrontMatter;
            } else if headings::kind_of(&headings::take_apart(&block.text).words).is_none() {
                match rest.front() {
                    Some(next) if begins_sentence_of(&block.text, next) => {
                        if let Some(next) = rest.pop_front() {
                            join_sentence(&mut block, next);
                        }
                    }
                    next if numbered
                        && headings::take_apart_lettered(&block.text).number.is_none()
                        && !next.is_some_and(Block::is_running) =>
                    {
                        block.kind = ParagraphKind::Table;
                    }
                    _ => {}
                }
            }
        }
        out.push(block);
    }
    out
}

/// Whether a heading was found by layout alone.
fn is_guessed(block: &Block) -> bool {
    block.kind == ParagraphKind::Heading && block.heading.is_none()
}

/// Demotes consecutive headings that all end with a page number: they are a table of contents.
fn unmake_contents(blocks: &mut [Block]) {
    let line = |block: &Block| is_guessed(block) && pattern!(r"\p{L}\W*\s(?:\.\s?)*\d{1,3}$").is_match(&block.text);
    let mut from = 0;
    while from < blocks.len() {
        let run = blocks.iter().skip(from).take_while(|block| line(block)).count();
        if run >= CONTENTS_LENGTH {
            for block in blocks.iter_mut().skip(from).take(run) {
                block.kind = ParagraphKind::ListItem;
            }
        }
        from += run.max(1);
    }
}

/// Whether the words of a heading continue in the paragraph after it.
fn begins_sentence_of(heading: &str, next: &Block) -> bool {
    let long = heading.split_whitespace().count() >= 3;
    next.is_running()
        && (heading.ends_with('-')
            || long
                && next.text.starts_with(|c: char| c.is_lowercase())
                && headings::take_apart(heading).number.is_none())
}

fn join_sentence(block: &mut Block, next: Block) {
    block.kind = next.kind;
    let broken = block.text.ends_with('-') && next.text.starts_with(|c: char| c.is_lowercase());
    if broken {
        block.text.pop();
        block.join("", next);
    } else {
        block.join(" ", next);
    }
}

use std::collections::VecDeque;

use precedent_domain::ParagraphKind;

use super::front;
use crate::draft::Block;
use crate::headings;
use crate::pattern::pattern;

/// Entries of a table of contents that must follow one another to be taken for one.
const CONTENTS_LENGTH: usize = 4;

/// Takes back headings that a layout made of other things: lines of a table of contents, key words, beginnings of sentences, cells of tables.
/// What the format itself marked as a heading stays.
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
                        && headings::take_apart(&block.text).number.is_none()
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

/// A heading by layout alone.
fn is_guessed(block: &Block) -> bool {
    block.kind == ParagraphKind::Heading && block.heading.is_none()
}

/// Headings one after another that all end with a page number are a table of contents.
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

/// Whether the words of a heading go on in the paragraph behind it.
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

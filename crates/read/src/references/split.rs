//! Long because the rules that split a list are tried in one order and share their state.

use precedent_domain::ParagraphKind;
use precedent_text::pattern;

use super::{authors, year};
use crate::assemble::{floor_boundary, tail};
use crate::budget::{ReadBudget, ReadResource};
use crate::draft::{Block, ReferenceHint};
use crate::hyphens::is_one_word;

/// Label styles of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Labels {
    /// `[12]`
    Bracket,
    /// `[Smi99]`, `[Smith et al., 1999]`
    Name,
    /// `12.` or `12)`
    Stop,
    /// `(12)`
    Round,
    /// `12 Smith`
    Bare,
    /// `(Smith 1999)`, `(Smith et al., 1999)`
    Key,
    /// No labels: author-year lists.
    None,
}

/// The label at the start of an entry, and the offset of the text after it. Only brackets are reliable without knowing the list.
pub(super) fn label_of(entry: &str) -> Option<(String, usize)> {
    let found = pattern!(r"^\[\s*(\d{1,5}[a-z]?|[^\s\[\]()0-9,;]{1,20}\s?\d{2,4}[a-z]?)\s*\]\s*").captures(entry)?;
    let label = found.get(1)?.as_str().to_owned();
    Some((label, found.get(0)?.end()))
}

/// An entry without its leading label, in any style.
pub(super) fn without_label(entry: &str) -> &str {
    pattern!(
        r"^(?:\[[^\]]{1,60}\]|\(\d{1,3}\)|\([^()0-9]{2,60}\d{4}[a-z]?\)|\(\p{Lu}[^()0-9.,;:]{1,30}\)\s|\d{1,3}[.)](?:\s|$)|\d{1,3}\s+(?:\p{Lu}|$))\s*"
    )
    .find(entry)
    .and_then(|found| {
        // The pattern for a bare number also matched the first capital letter.
        let end = found
            .as_str()
            .char_indices()
            .rev()
            .find(|(_, c)| c.is_uppercase() && !found.as_str().contains(['[', '(', '.']));
        entry.get(end.map_or(found.end(), |(at, _)| at)..)
    })
    .unwrap_or(entry)
}

/// Splits the blocks of one reference list into one block per entry. Blocks after the last one that do not look like entries are returned
/// unchanged.
pub(super) fn split(blocks: Vec<Block>, budget: &ReadBudget) -> Vec<Block> {
    let is_parsed = |block: &Block| {
        block
            .reference
            .as_ref()
            .is_some_and(|hint| hint.key.is_some() || hint.title.is_some())
    };
    if blocks.iter().any(is_parsed) {
        return blocks;
    }
    match labels(&blocks) {
        Labels::None => split_unlabelled(blocks, budget),
        style => {
            let entries = split_labelled(blocks, style, budget);
            entries.into_iter().flat_map(|entry| works(entry, budget)).collect()
        }
    }
}

/// The label style that most entries use.
fn labels(blocks: &[Block]) -> Labels {
    let starts = |pattern: &regex::Regex| blocks.iter().filter(|block| pattern.is_match(&block.text)).count();
    let bracket = starts(pattern!(r"^\[\s*\d{1,5}\s*\]"));
    let name = starts(pattern!(r"^\[[^\]0-9]{1,40}\d{2,4}[a-z]?\]"));
    let stop = starts(pattern!(r"^\d{1,3}[.)]\s*\D"));
    let round = starts(pattern!(r"^\(\d{1,3}\)\s*\D"));
    let key = starts(pattern!(r"^\([^()0-9]{2,60}\d{4}[a-z]?\)\s*\p{Lu}"));
    let bare = starts(pattern!(r"^\d{1,3}\s+[\p{Lu}“]"));
    let best = [
        (bracket * 2, Labels::Bracket),
        (name * 2, Labels::Name),
        (stop * 2, Labels::Stop),
        (round * 2, Labels::Round),
        (key * 2, Labels::Key),
        (bare, Labels::Bare),
    ]
    .into_iter()
    .max_by_key(|(count, _)| *count);
    let Some((count, style)) = best.filter(|(count, _)| *count > 0) else {
        return Labels::None;
    };
    let text_blocks = blocks
        .iter()
        .filter(|block| block.text.split_whitespace().count() > 2)
        .count();
    // Either enough blocks have the label, or the first has it and the sequence continues inside.
    let mut sequence = Sequence::new(style);
    let inside: usize = blocks
        .iter()
        .take(40)
        .map(|block| sequence.cuts(&block.text).len())
        .sum();
    if count * 6 >= text_blocks && style != Labels::Bare || count * 2 >= text_blocks || inside >= 3 {
        style
    } else {
        Labels::None
    }
}

/// Tracks the numbers of a labelled list through its text.
struct Sequence {
    style: Labels,
    /// Number of the last entry found.
    last: u32,
}

impl Sequence {
    fn new(style: Labels) -> Self {
        Self { style, last: 0 }
    }

    /// Where entries begin in `text`, with their labels.
    fn cuts(&mut self, text: &str) -> Vec<(usize, String)> {
        let pattern = match self.style {
            Labels::Bracket => pattern!(r"\[\s*(?P<label>\d{1,5})\s*\]"),
            Labels::Name => pattern!(r"\[(?P<label>[^\]0-9]{1,40}\d{2,4}[a-z]?)\]"),
            Labels::Stop => pattern!(r"(?P<label>\d{1,3})[.)]\s*[\p{L}“\x22‘\[(]"),
            Labels::Round => pattern!(r"\((?P<label>\d{1,3})\)\s*[\p{L}“\x22‘]"),
            Labels::Bare => pattern!(r"(?P<label>\d{1,3})\s+[\p{Lu}“]"),
            // `(Smith)` also starts an entry: the year was left out.
            Labels::Key => pattern!(r"\((?P<label>[^()0-9]{2,60}\d{4}[a-z]?|\p{Lu}[^()0-9.,;:]{1,30})\)\s*\p{Lu}"),
            Labels::None => return Vec::new(),
        };
        let mut cuts = Vec::new();
        for found in pattern.captures_iter(text) {
            let (Some(whole), Some(label)) = (found.get(0), found.name("label")) else {
                continue;
            };
            let before = text.get(..whole.start()).unwrap_or_default();
            let after = text.get(label.end() + 1..).unwrap_or_default();
            let undated = self.style == Labels::Key && !label.as_str().contains(|c: char| c.is_ascii_digit());
            if undated && authors::end_of_authors(after.trim_start()).is_none() {
                continue;
            }
            if self.begins_entry(before, label.as_str()) {
                cuts.push((whole.start(), label.as_str().trim().to_owned()));
            }
        }
        cuts
    }

    fn begins_entry(&mut self, before: &str, label: &str) -> bool {
        let at_start = before.trim().is_empty();
        if matches!(self.style, Labels::Name | Labels::Key) {
            return at_start || before.ends_with(char::is_whitespace) && ends_entry(before);
        }
        let Ok(number) = label.parse::<u32>() else {
            return false;
        };
        let next = number > self.last && number <= self.last + if at_start { 12 } else { 1 };
        // A list may restart (a second list), or start at any number (the list of an appendix).
        let anew = at_start && (number == 1 || self.last == 0 && number < 1000);
        let inside = !at_start
            && match self.style {
                Labels::Bracket => before.ends_with(char::is_whitespace) || ends_entry(before),
                Labels::Bare => false,
                _ => before.ends_with(char::is_whitespace) && ends_entry(before),
            };
        let begins = anew || next && (at_start || inside);
        if begins {
            self.last = number;
        }
        begins
    }
}

/// Whether an entry can end here: after a period, a bracket, a digit or an address.
fn ends_entry(before: &str) -> bool {
    before
        .trim_end()
        .chars()
        .last()
        .is_some_and(|c| matches!(c, '.' | ')' | ']' | '”' | '"' | '/' | ';') || c.is_ascii_digit())
        || before
            .split_whitespace()
            .next_back()
            .is_some_and(|word| word.contains("://") || word.starts_with("10."))
}

fn split_labelled(blocks: Vec<Block>, style: Labels, budget: &ReadBudget) -> Vec<Block> {
    let mut sequence = Sequence::new(style);
    let mut out: Vec<Block> = Vec::new();
    // Index in `out` of the entry begun last.
    let mut entry: Option<usize> = None;
    let last_labelled = {
        let mut probe = Sequence::new(style);
        blocks
            .iter()
            .rposition(|block| !probe_cuts(&mut probe, block).is_empty())
    };
    for (index, mut block) in blocks.into_iter().enumerate() {
        if !can_hold_entries(block.kind) || !budget.spend(ReadResource::Steps, block.text.len()) {
            out.push(block);
            continue;
        }
        let cuts = sequence.cuts(&block.text);
        let mut pieces = Vec::new();
        for (at, label) in cuts.into_iter().rev() {
            let mut piece = block.split_off(at, ParagraphKind::Reference);
            piece.reference = Some(ReferenceHint {
                label: Some(label),
                ..ReferenceHint::default()
            });
            pieces.push(piece);
        }
        if !block.text.is_empty() {
            let trailing = last_labelled.is_none_or(|last| index > last);
            continue_entry(&mut out, entry, block, trailing);
        }
        out.extend(pieces.into_iter().rev());
        let before = entry.map_or(0, |entry| entry + 1);
        let begun = out.get(before..).unwrap_or_default();
        entry = begun
            .iter()
            .rposition(|block| block.kind == ParagraphKind::Reference)
            .map(|at| before + at)
            .or(entry);
    }
    out
}

/// The works of an entry that has several under one label, each after its names and year: `[3] Berg A, 1997 Trees 3 5 Hill K, 1998 Trees 4 6`.
fn works(mut entry: Block, budget: &ReadBudget) -> Vec<Block> {
    let text = without_label(&entry.text);
    let short = text.len() <= LONGEST_WORKS;
    if entry.kind != ParagraphKind::Reference || !short || year::years(text).len() < 2 || !is_entry(text) {
        return vec![entry];
    }
    let label = entry.text.len() - text.len();
    let is_work = |at: &usize| {
        let work = text.get(*at..).unwrap_or_default();
        authors::end_of_authors(work).is_some_and(|end| names_look_real(work, end.end))
    };
    let cuts: Vec<usize> = blob_cuts(text, Some(budget)).into_iter().filter(is_work).collect();
    let mut works = Vec::new();
    for at in cuts.into_iter().rev() {
        let mut work = entry.split_off(label + at, ParagraphKind::Reference);
        work.reference.clone_from(&entry.reference);
        works.push(work);
    }
    works.push(entry);
    works.reverse();
    works
}

fn probe_cuts(sequence: &mut Sequence, block: &Block) -> Vec<(usize, String)> {
    if can_hold_entries(block.kind) {
        sequence.cuts(&block.text)
    } else {
        Vec::new()
    }
}

/// A block without a label belongs to the entry before it, unless it is after the list and reads like running text.
fn continue_entry(out: &mut Vec<Block>, entry: Option<usize>, mut block: Block, trailing: bool) {
    if block.kind == ParagraphKind::Reference {
        block.kind = ParagraphKind::Body;
        block.reference = None;
    }
    let words = block.text.split_whitespace().count();
    let foreign = trailing
        && (words > 60
            || words > 12
                && year::choose(&block.text).is_none()
                && !block.text.starts_with(|c: char| c.is_lowercase()));
    let page_number = words <= 2 && block.text.chars().all(|c| c.is_ascii_digit() || c.is_whitespace());
    match entry.and_then(|entry| out.get_mut(entry)) {
        Some(_) if foreign || page_number => out.push(block),
        Some(entry) => glue(entry, block),
        None => out.push(block),
    }
}

/// Joins the second part of an entry to the first, with or without the hyphen at the break.
fn glue(entry: &mut Block, rest: Block) {
    let is_letter = |c: char| c.is_alphanumeric();
    let Some(before) = entry
        .text
        .strip_suffix('-')
        .filter(|before| before.ends_with(is_letter))
    else {
        entry.join(" ", rest);
        return;
    };
    let first = before
        .rsplit(|c: char| !is_letter(c) && c != '-')
        .next()
        .unwrap_or_default();
    let second = rest
        .text
        .split(|c: char| !is_letter(c) && c != '-')
        .next()
        .unwrap_or_default();
    let lower = second.starts_with(char::is_lowercase);
    if lower && is_one_word(first, second, |_| 0) {
        entry.text.pop();
    }
    entry.join(if lower { "" } else { " " }, rest);
}

pub(super) fn can_hold_entries(kind: ParagraphKind) -> bool {
    matches!(
        kind,
        ParagraphKind::Body
            | ParagraphKind::Reference
            | ParagraphKind::ListItem
            | ParagraphKind::BlockQuote
            | ParagraphKind::FrontMatter
            | ParagraphKind::Code
            | ParagraphKind::Table
            | ParagraphKind::DisplayMath
    )
}

fn split_unlabelled(blocks: Vec<Block>, budget: &ReadBudget) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::new();
    let mut sure = SureEntries::default();
    let mut ended = false;
    let last_entry = blocks.iter().rposition(|block| is_plainly_an_entry(&block.text));
    for (number, mut block) in blocks.into_iter().enumerate() {
        // Each block is compared with the entry before it.
        let before = out.last().map_or(0, |last| last.text.len());
        if !can_hold_entries(block.kind) || ended || !budget.spend(ReadResource::Steps, before + block.text.len()) {
            out.push(block);
            continue;
        }
        // A figure or a table in the middle of the list: neither an entry nor the end of the list.
        if last_entry.is_some_and(|last| number < last) && is_amid_the_list(&block, &out, &mut sure) {
            block.kind = ParagraphKind::Body;
            block.reference = None;
            out.push(block);
            continue;
        }
        // The layout separated the block as an entry, so it is one unless it clearly continues the entry before it.
        let apart = block.kind == ParagraphKind::Reference;
        for (index, mut piece) in cut_blob(block, budget).into_iter().enumerate() {
            let last = out.last().filter(|last| last.kind == ParagraphKind::Reference);
            let begins = if apart && index == 0 {
                last.is_none_or(|last| !goes_on(&piece.text, &last.text))
            } else {
                begins_unlabelled(&piece.text, last)
            };
            if begins {
                piece.kind = ParagraphKind::Reference;
                out.push(piece);
            } else if is_foreign(&piece.text) {
                ended = true;
                out.push(piece);
            } else {
                match out.last_mut().filter(|last| last.kind == ParagraphKind::Reference) {
                    Some(entry) => glue(entry, piece),
                    None => out.push(piece),
                }
            }
        }
    }
    out
}

/// Whether a text begins with the names and the year of an entry.
pub(crate) fn is_entry(text: &str) -> bool {
    authors::end_of_authors(text)
        .and_then(|end| text.get(end.rest..))
        .is_some_and(|rest| pattern!(r"^[\s(\[.,]*(?:1[5-9]\d\d|20\d\d)").is_match(rest))
}

/// Whether a block has both names at its start and a year.
fn is_plainly_an_entry(text: &str) -> bool {
    authors::end_of_authors(text).is_some() && year::choose(text).is_some() && !is_foreign(text)
}

/// Bytes at the end of an entry that are searched for the closing year or address.
const CLOSING: usize = 2_048;
/// Bytes at the start of a possible entry that are searched for its names.
const LONGEST_NAMES: usize = 4_000;
/// Maximum bytes of an entry that can have several works under one label.
const LONGEST_WORKS: usize = 20_000;
/// Cost of checking a possible entry start inside a blob, in steps.
const CUT_STEPS: usize = 500;
/// Minimum words from which an entry is expected to have a year.
const LONG_ENTRY: usize = 40;
/// Minimum entries with names and a year before blocks without them are rejected.
const SURE_ENTRIES: usize = 5;

/// Whether a block that the layout set apart is between entries without being one. It has no names at its start and no year, or is far too long,
/// while all entries before it have both, and it does not continue the last of them.
fn is_amid_the_list(block: &Block, before: &[Block], sure: &mut SureEntries) -> bool {
    let text = &block.text;
    if block.kind != ParagraphKind::Reference {
        return false;
    }
    let Some(last) = sure.last(before).filter(|last| !goes_on(text, &last.text)) else {
        return false;
    };
    // Where the year follows the names, words like names are not enough.
    let nameless = authors::end_of_authors(text).is_none() || is_entry(&last.text) && !is_entry(text);
    // Web pages are cited without either, in a line or two.
    let bare = || year::choose(text).is_none() && text.split_whitespace().count() >= LONG_ENTRY;
    if !nameless || !(bare() || is_foreign(text)) {
        return false;
    }
    let (count, sure) = sure.count(before);
    count >= SURE_ENTRIES && sure * 10 >= count * 9
}

/// Counts how many of the entries so far have both names and a year. An entry is final once another block follows it, and is examined once.
#[derive(Default)]
struct SureEntries {
    /// Number of blocks examined.
    looked_at: usize,
    count: usize,
    sure: usize,
    /// Index of the last entry among them.
    last: Option<usize>,
}

impl SureEntries {
    /// The last entry.
    fn last<'b>(&mut self, blocks: &'b [Block]) -> Option<&'b Block> {
        self.look(blocks);
        let open = blocks.last().filter(|block| block.kind == ParagraphKind::Reference);
        open.or_else(|| blocks.get(self.last?))
    }

    /// Number of all entries, and of those with names and a year.
    fn count(&mut self, blocks: &[Block]) -> (usize, usize) {
        self.look(blocks);
        match blocks.last().filter(|block| block.kind == ParagraphKind::Reference) {
            Some(open) => (self.count + 1, self.sure + usize::from(is_plainly_an_entry(&open.text))),
            None => (self.count, self.sure),
        }
    }

    /// Examines all blocks except the last, to which text may still be joined.
    fn look(&mut self, blocks: &[Block]) {
        let finished = blocks.len().saturating_sub(1);
        for (at, block) in blocks.iter().enumerate().take(finished).skip(self.looked_at) {
            if block.kind == ParagraphKind::Reference {
                self.count += 1;
                self.sure += usize::from(is_plainly_an_entry(&block.text));
                self.last = Some(at);
            }
        }
        self.looked_at = self.looked_at.max(finished);
    }
}

/// Whether a block that the layout classified as an entry continues the one before it.
fn goes_on(text: &str, before: &str) -> bool {
    let before = before.trim_end();
    let hyphen = before.ends_with('-') && authors::end_of_authors(text).is_none();
    let cut_off = hyphen || before.ends_with([',', '&', '´', '`', '¨']) || before.ends_with(" and");
    let finished = before.ends_with(['.', ')', ']', '/']) || before.ends_with(|c: char| c.is_ascii_digit());
    let nameless = authors::end_of_authors(text).is_none() && year::choose(before).is_none();
    ends_names(text, before)
        || text.starts_with("In Proc")
        || is_only_names(before)
        || continues_entry(text) && !finished
        || text.starts_with(|c: char| c.is_lowercase()) && continues_entry(text)
        || cut_off
        || !finished && nameless
}

/// `Berg, J. and Hill, K. (1966).`: the rest of the entry was divided off.
fn is_only_names(entry: &str) -> bool {
    let year = authors::end_of_authors(entry).and_then(|end| entry.get(end.rest..));
    year.is_some_and(|year| pattern!(r"^\(?(?:1[5-9]\d\d|20\d\d)[a-z]?\)?\.?$").is_match(year))
}

/// `Surname. 2004. Title` after an undated entry that is not finished: the wrapped end of its list of names.
fn ends_names(text: &str, before: &str) -> bool {
    let before = before.trim_end();
    pattern!(r"^\p{Lu}[\p{L}'’-]+[.,]\s+\(?(?:1[5-9]\d\d|20\d\d)[a-z]?[).,]").is_match(text)
        && year::choose(before).is_none()
        && !before.ends_with([')', ']', '/'])
        && authors::end_of_authors(&format!("{before} {text}")).is_some()
}

/// Whether a text looks like the second part of an entry.
fn continues_entry(text: &str) -> bool {
    pattern!(r"^(?:\p{Ll}|https?:|URL\b|doi:|arXiv:|\(|\d|pages?\b|pp\.|In Proc|In:|vol\.|[,.;:)&–-])").is_match(text)
        && !pattern!(r"^(?:van|von|de|der|di|d’|d')\s").is_match(text)
}

/// Running text after the list, without a heading.
fn is_foreign(text: &str) -> bool {
    text.split_whitespace().count() > 60 && authors::end_of_authors(text).is_none()
}

/// Whether a block of an unlabelled list begins an entry rather than continuing the one before.
fn begins_unlabelled(text: &str, before: Option<&Block>) -> bool {
    let words = text.split_whitespace().count();
    let continues = continues_entry(text);
    if words <= 2 || continues && before.is_some() {
        return false;
    }
    if before.is_some_and(|entry| ends_names(text, &entry.text)) {
        return false;
    }
    let dated = year::choose(text).is_some();
    let finished = before.is_none_or(|entry| {
        let end = entry.text.trim_end();
        end.ends_with(['.', ')', ']', '/'])
            || end.chars().last().is_some_and(|c| c.is_ascii_digit())
            || end
                .split_whitespace()
                .next_back()
                .is_some_and(|word| word.contains("://"))
    });
    let before_dated = before.is_none_or(|entry| {
        year::choose(&entry.text).is_some()
            || pattern!(r"(?i)in press|to appear|n\.d\.|https?://|forthcoming|submitted").is_match(&entry.text)
    });
    let named = authors::end_of_authors(text).is_some();
    if is_foreign(text) {
        return false;
    }
    (named || dated) && finished && (before_dated || named) || before.is_none() && (named || dated)
}

/// Splits a block with many unlabelled entries where one ends and names follow.
fn cut_blob(mut block: Block, budget: &ReadBudget) -> Vec<Block> {
    if year::years(&block.text).len() < 3 || block.text.split_whitespace().count() < 45 {
        return vec![block];
    }
    let cuts = blob_cuts(&block.text, Some(budget));
    let mut pieces = Vec::new();
    for at in cuts.into_iter().rev() {
        pieces.push(block.split_off(at, block.kind));
    }
    pieces.push(block);
    pieces.reverse();
    pieces
}

/// Whether an entry contains the names and the year of a second work after those of the first, in a list with one work per entry.
pub(crate) fn holds_several(entry: &str) -> bool {
    year::years(entry).len() >= 2 && !blob_cuts(entry, None).is_empty()
}

/// Offsets where entries begin in a blob. In year-first lists (`Names. 2019. Title`) they begin at names directly before a year, in others after a
/// closing year.
fn blob_cuts(text: &str, budget: Option<&ReadBudget>) -> Vec<usize> {
    let possible = pattern!(r"[.)\]\d/]\s+(?P<start>(?:(?:van|von|de|der|di|la)\s)?\p{Lu})");
    let year_first = authors::end_of_authors(text)
        .and_then(|end| text.get(end.rest..))
        .is_some_and(|rest| pattern!(r"^[\s(\[.,]*(?:1[5-9]\d\d|20\d\d)").is_match(rest));
    let mut cuts = Vec::new();
    let mut from = 0;
    while let Some(found) = possible.captures_at(text, from) {
        let Some(start) = found.name("start") else { break };
        if budget.is_some_and(|budget| !budget.spend(ReadResource::Steps, CUT_STEPS)) {
            break;
        }
        from = start.start().max(from + 1);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        let before = text
            .get(cuts.last().copied().unwrap_or(0)..start.start())
            .unwrap_or_default();
        let after = text.get(start.start()..).unwrap_or_default();
        let names = after.get(..floor_boundary(after, LONGEST_NAMES)).unwrap_or(after);
        let Some(end) = authors::end_of_authors(names) else {
            continue;
        };
        let follows = after.get(end.rest..).unwrap_or_default();
        let dated_next = pattern!(r"^[\s(\[.,]*(?:1[5-9]\d\d|20\d\d)[a-z]?[\s).,\]:;]").is_match(follows);
        let closed = pattern!(
            r"(?:(?:1[5-9]\d\d|20\d\d)[a-z]?[).]*\.?|https?://\S+|10\.\d{4,9}/\S+|\d+[–-]\d+\.|\bpress\.)\s*$"
        )
        .is_match(tail(before, CLOSING));
        let cut = if year_first {
            dated_next && before.split_whitespace().nth(3).is_some()
        } else {
            closed && before.split_whitespace().nth(4).is_some() && !dated_next && names_look_real(after, end.end)
        };
        if cut {
            cuts.push(start.start());
        }
    }
    cuts
}

/// At least a given name or an initial, and a family name. `Springer.` and `In Proceedings` are not names.
fn names_look_real(text: &str, end: usize) -> bool {
    let names = text.get(..end).unwrap_or_default();
    names.split_whitespace().count() >= 2 && !pattern!(r"^(?:In|Proc|Springer|IEEE|ACM|MIT|Morgan|Cambridge|Oxford|University|Technical|URL|Available|Curran|PMLR|Association|Academic|Elsevier)\b").is_match(names)
}

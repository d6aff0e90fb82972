use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use precedent_domain::{ParagraphKind, ReadProblem, ReadWarning, ReadWarningKind, SectionKind};

use crate::budget::{ATTRIBUTES_OF_ONE, BLOCKS, TEXT_BYTES};
use crate::draft::{Block, Draft, HeadingHint, ReferenceHint};
use crate::format::{FormatError, end_abstract, fold_space};

/// Maximum nesting of elements in a paper. Real pages stay under 100.
pub(crate) const NESTING: usize = 1_000;

/// Maximum XML namespace declarations times the square of their distinct prefixes. A Word document with 1,000 pictures has 5 million.
const NAMESPACE_STEPS: usize = 50_000_000;
/// Maximum length of a prefix that is compared with others. Longer ones count as distinct.
const PREFIX_BYTES: usize = 100;

/// Writes the blocks of a markup document in reading order. Shared by HTML, JATS and TEI.
#[derive(Debug)]
pub(crate) struct Flow {
    /// The draft written so far.
    pub(crate) draft: Draft,
    text: String,
    citations: Vec<(Range<usize>, Vec<String>)>,
    /// Current kind of running text.
    pub(crate) kind: ParagraphKind,
    /// Current kind of headings.
    pub(crate) section: Option<SectionKind>,
    /// Blocks placed after the running paragraph: footnotes, floats.
    waiting: Vec<Block>,
    /// Words that open the next paragraph: a run-in heading.
    lead: String,
    abstract_end: Option<usize>,
    /// Greater than zero while blocks go to `waiting` instead of the text.
    aside: usize,
    written: usize,
}

impl Flow {
    pub(crate) fn new() -> Self {
        Self {
            draft: Draft::default(),
            text: String::new(),
            citations: Vec::new(),
            kind: ParagraphKind::Body,
            section: None,
            waiting: Vec::new(),
            lead: String::new(),
            abstract_end: None,
            aside: 0,
            written: 0,
        }
    }

    /// Writes text to the running paragraph, with white space folded.
    pub(crate) fn put(&mut self, text: &str) {
        if self.written > TEXT_BYTES {
            return;
        }
        if !self.lead.is_empty() && self.text.is_empty() && !text.trim().is_empty() {
            self.text = std::mem::take(&mut self.lead);
            self.text.push(' ');
        }
        for c in text.chars() {
            if c.is_whitespace() {
                if !self.text.is_empty() && !self.text.ends_with(' ') {
                    self.text.push(' ');
                }
            } else {
                self.text.push(c);
            }
        }
        self.written += text.len();
    }

    /// Sets the words that open the next paragraph, as a run-in heading does.
    pub(crate) fn lead(&mut self, words: &str) {
        self.flush();
        self.end_lead();
        self.lead = fold_space(words);
    }

    /// A lead without following text becomes a paragraph of its own.
    fn end_lead(&mut self) {
        let lead = std::mem::take(&mut self.lead);
        if !lead.is_empty() {
            self.push(Block::new(ParagraphKind::Body, lead));
        }
    }

    /// Marks that the abstract ends here.
    pub(crate) fn end_abstract(&mut self) {
        self.flush();
        self.end_lead();
        self.abstract_end = Some(self.draft.blocks.len());
    }

    /// Number of bytes in the running paragraph.
    pub(crate) fn length(&self) -> usize {
        self.text.len()
    }

    /// The end of the running paragraph, for checking how to join text to it.
    pub(crate) fn tail(&self) -> &str {
        &self.text
    }

    /// Marks the text written since `start` as a citation of `keys`.
    pub(crate) fn cite_since(&mut self, start: usize, keys: Vec<String>) {
        let text = self.text.get(start..).unwrap_or_default();
        let from = start + (text.len() - text.trim_start().len());
        let to = start + text.trim_end().len();
        if from < to && !keys.is_empty() {
            // An inner mark is part of the outer one.
            while self.citations.pop_if(|(range, _)| range.end > from).is_some() {}
            self.citations.push((from..to, keys));
        }
    }

    /// Ends the running paragraph.
    pub(crate) fn flush(&mut self) {
        let kind = self.kind;
        self.flush_as(kind);
    }

    /// Ends the running paragraph as one of this kind.
    pub(crate) fn flush_as(&mut self, kind: ParagraphKind) {
        let text = std::mem::take(&mut self.text);
        let citations = std::mem::take(&mut self.citations);
        let trimmed = text.trim_end();
        if !trimmed.is_empty() {
            let mut block = Block::new(kind, trimmed);
            block.citations = citations
                .into_iter()
                .filter(|(range, _)| range.end <= trimmed.len())
                .collect();
            self.push(block);
        }
        if self.aside == 0 {
            self.draft.blocks.append(&mut self.waiting);
        }
    }

    /// Adds a finished block.
    pub(crate) fn push(&mut self, block: Block) {
        // One block over the limit shows the assembler that some were left out.
        if block.text.is_empty() || self.written > TEXT_BYTES || self.draft.blocks.len() + self.waiting.len() > BLOCKS {
            return;
        }
        self.written += block.text.len();
        if self.aside > 0 {
            self.waiting.push(block);
        } else {
            self.draft.blocks.push(block);
        }
    }

    /// Writes `inner` outside the running paragraph and places it after the paragraph.
    pub(crate) fn beside(&mut self, kind: ParagraphKind, inner: impl FnOnce(&mut Self)) {
        let text = std::mem::take(&mut self.text);
        let citations = std::mem::take(&mut self.citations);
        let outer = std::mem::replace(&mut self.kind, kind);
        self.aside += 1;
        inner(self);
        self.flush();
        self.aside -= 1;
        self.kind = outer;
        self.text = text;
        self.citations = citations;
        if self.text.is_empty() && self.aside == 0 {
            self.draft.blocks.append(&mut self.waiting);
        }
    }

    /// Everything written here as text on one line, without footnotes and floats.
    pub(crate) fn apart_text(&mut self) -> String {
        let mut text: Vec<&str> = self.draft.blocks.iter().map(|block| block.text.as_str()).collect();
        text.push(&self.text);
        fold_space(&text.join(" "))
    }

    /// Discards the running paragraph.
    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.citations.clear();
    }

    /// Removes the last character of the running paragraph.
    pub(crate) fn drop_last(&mut self) {
        self.text.pop();
    }

    /// Adds a heading.
    pub(crate) fn heading(&mut self, words: &str, level: u8, kind: Option<SectionKind>) {
        self.flush();
        self.end_lead();
        let mut block = Block::new(ParagraphKind::Heading, fold_space(words));
        block.heading = Some(HeadingHint {
            level: Some(level.max(1)),
            kind: kind.or(self.section),
        });
        self.push(block);
    }

    /// Adds an entry of the reference list.
    pub(crate) fn reference(&mut self, text: &str, hint: ReferenceHint) {
        self.flush();
        let mut block = Block::new(ParagraphKind::Reference, fold_space(text));
        block.reference = Some(hint);
        self.push(block);
    }

    /// Sets the title and prints it as front matter.
    pub(crate) fn print_title(&mut self, title: String) {
        self.push(Block::new(ParagraphKind::FrontMatter, title.clone()));
        self.draft.title = Some(title);
    }

    /// Prints the known authors as front matter.
    pub(crate) fn print_authors(&mut self) {
        let names: Vec<&str> = self.draft.authors.iter().map(|author| author.name.as_str()).collect();
        let names = names.join(", ");
        self.push(Block::new(ParagraphKind::FrontMatter, names));
    }

    pub(crate) fn finish(mut self) -> Result<Draft, FormatError> {
        self.flush();
        self.end_lead();
        if let Some(at) = self.abstract_end {
            end_abstract(&mut self.draft.blocks, at);
        }
        if self.written > TEXT_BYTES {
            let megabytes = TEXT_BYTES >> 20;
            self.draft.warnings.push(ReadWarning::new(
                ReadWarningKind::Truncated,
                ReadProblem::FirstMegabytes { megabytes },
            ));
        }
        let keys: Vec<String> = self
            .draft
            .blocks
            .iter()
            .filter_map(|block| block.reference.as_ref()?.key.clone())
            .collect();
        let places: BTreeMap<&str, usize> = (0..).zip(&keys).map(|(at, key)| (key.as_str(), at)).collect();
        for block in &mut self.draft.blocks {
            let marks = std::mem::take(&mut block.citations);
            block.citations = joined(&block.text, marks, &keys, &places);
        }
        if self
            .draft
            .blocks
            .iter()
            .all(|block| block.kind == ParagraphKind::FrontMatter)
            && self.draft.title.is_none()
        {
            return Err(FormatError::Empty);
        }
        Ok(self.draft)
    }
}

type MarkupMarks = Vec<(Range<usize>, Vec<String>)>;

fn joined(text: &str, marks: MarkupMarks, keys: &[String], places: &BTreeMap<&str, usize>) -> MarkupMarks {
    let mut joined: MarkupMarks = Vec::new();
    for (range, mut cited) in marks {
        cited.retain(|key| places.contains_key(key.as_str()));
        if cited.is_empty() || range.is_empty() || text.get(range.clone()).is_none() {
            continue;
        }
        if let Some((last, known)) = joined.last_mut()
            && let Some(between) = text.get(last.end..range.start)
            && between.len() <= 8
            && between
                .chars()
                .all(|c| matches!(c, ',' | ';' | ' ' | '-' | '–' | '—' | '−'))
        {
            if between.trim().chars().all(|c| c != ',' && c != ';') && !between.trim().is_empty() {
                known.extend(span_of(known.last(), cited.first(), keys, places));
            }
            known.extend(cited);
            last.end = range.end;
            continue;
        }
        joined.push((range, cited));
    }
    for (range, cited) in &mut joined {
        let mut seen = BTreeSet::new();
        cited.retain(|key| seen.insert(key.clone()));
        let opens = text.get(..range.start).and_then(|before| before.chars().next_back());
        let closes = text.get(range.end..).and_then(|after| after.chars().next());
        if matches!((opens, closes), (Some('['), Some(']')) | (Some('('), Some(')'))) {
            range.start -= 1;
            range.end += 1;
        }
    }
    joined
}

/// The entries in a range such as `3–6`, without its ends.
fn span_of(
    first: Option<&String>,
    last: Option<&String>,
    keys: &[String],
    places: &BTreeMap<&str, usize>,
) -> Vec<String> {
    let place = |key: Option<&String>| key.and_then(|key| places.get(key.as_str()).copied());
    match (place(first), place(last)) {
        (Some(first), Some(last)) if first < last && last - first <= 60 => {
            keys.get(first + 1..last).map(<[String]>::to_vec).unwrap_or_default()
        }
        _ => Vec::new(),
    }
}

/// Rejects documents that nest deeper than any paper, before a parser spends quadratic time on them.
pub(crate) fn check_nesting(text: &str, format: &'static str) -> Result<(), FormatError> {
    let mut depth = 0usize;
    for piece in text.split('<').skip(1) {
        let mut chars = piece.chars();
        match chars.next() {
            Some('/') => depth = depth.saturating_sub(1),
            Some(c) if c.is_ascii_alphabetic() => {
                let name: String = piece.chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
                let tag = piece.split('>').next().unwrap_or_default();
                if !tag.ends_with('/') && !closes_itself(&name.to_ascii_lowercase()) {
                    depth += 1;
                }
            }
            _ => {}
        }
        if depth > NESTING {
            return Err(too_deep(format));
        }
    }
    Ok(())
}

pub(crate) fn too_deep(format: &'static str) -> FormatError {
    FormatError::not(format, format!("elements nest more than {NESTING} deep"))
}

pub(crate) fn too_many_attributes(format: &'static str) -> FormatError {
    let reason = format!("an element has more than {ATTRIBUTES_OF_ONE} attributes");
    FormatError::not(format, reason)
}

/// Rejects XML with an element that has too many attributes, before a parser spends quadratic time on it.
pub(crate) fn check_attributes(text: &str, format: &'static str) -> Result<(), FormatError> {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('<') {
        let closing = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")]
            .into_iter()
            .find(|(opening, _)| after.starts_with(opening));
        if let Some((_, closing)) = closing {
            rest = after.split_once(closing).map_or("", |(_, rest)| rest);
            continue;
        }
        let mut scan = TagScan::default();
        let length = scan.read(after);
        if scan.is_crowded() {
            return Err(too_many_attributes(format));
        }
        rest = after.get(length..).unwrap_or_default();
    }
    Ok(())
}

/// Rejects XML whose namespaces would take too long: for each element that declares one, the parser copies all that are in scope and compares them
/// with each other. Many papers declare MathML once per formula, so the number of declarations alone is no sign of it.
pub(crate) fn check_namespaces(text: &str, format: &'static str) -> Result<(), FormatError> {
    const DECLARATION: &str = "xmlns";
    let mut prefixes = BTreeSet::new();
    let mut declarations = 0usize;
    let mut long = 0usize;
    for (at, _) in text.match_indices(DECLARATION) {
        let rest = text.get(at + DECLARATION.len()..).unwrap_or_default();
        let mut start = rest.bytes().take(PREFIX_BYTES);
        match start.position(|byte| byte == b'=' || byte.is_ascii_whitespace()) {
            Some(end) => _ = prefixes.insert(rest.get(..end)),
            None => long += 1,
        }
        declarations += 1;
        let distinct = prefixes.len() + long;
        if declarations.saturating_mul(distinct.saturating_pow(2)) > NAMESPACE_STEPS {
            return Err(FormatError::not(format, "it declares too many XML namespaces"));
        }
    }
    Ok(())
}

/// Counts the attributes of a tag in the same way as HTML and XML tokenizers.
#[derive(Debug, Clone, Default)]
pub(crate) struct TagScan {
    place: TagPosition,
    attributes: usize,
}

/// Scan position within a tag.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum TagPosition {
    /// In the element name.
    #[default]
    Element,
    Between,
    Name,
    AfterName,
    BeforeValue,
    /// In a value with these quotation marks.
    Quoted(u8),
    Unquoted,
    End,
}

impl TagScan {
    /// Continues inside a tag, after its `<`, at most up to its end. Returns the number of bytes read.
    pub(crate) fn read(&mut self, text: &str) -> usize {
        for (at, byte) in text.bytes().enumerate() {
            if self.place == TagPosition::End || self.is_crowded() {
                return at;
            }
            self.place = self.next(byte);
        }
        text.len()
    }

    /// Whether there are more attributes than in any real element.
    pub(crate) fn is_crowded(&self) -> bool {
        self.attributes > ATTRIBUTES_OF_ONE
    }

    /// Drops tags that have ended. Of several tags in the same state, keeps the one with the most attributes.
    pub(crate) fn unite(scans: &mut Vec<Self>) {
        scans.retain(|scan| scan.place != TagPosition::End || scan.is_crowded());
        scans.sort_by_key(|scan| (scan.place, std::cmp::Reverse(scan.attributes)));
        scans.dedup_by_key(|scan| scan.place);
    }

    fn next(&mut self, byte: u8) -> TagPosition {
        let space = matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0C);
        match (self.place, byte) {
            (TagPosition::Quoted(mark), _) if byte == mark => TagPosition::Between,
            (TagPosition::Quoted(_) | TagPosition::End, _) => self.place,
            (_, b'>') => TagPosition::End,
            (TagPosition::BeforeValue, _) if space => TagPosition::BeforeValue,
            (TagPosition::BeforeValue, b'"' | b'\'') => TagPosition::Quoted(byte),
            (TagPosition::BeforeValue | TagPosition::Unquoted, _) if !space => TagPosition::Unquoted,
            (TagPosition::Name, _) if space => TagPosition::AfterName,
            (TagPosition::AfterName, _) if space => TagPosition::AfterName,
            (TagPosition::Name | TagPosition::AfterName, b'=') => TagPosition::BeforeValue,
            (_, b'/') => TagPosition::Between,
            (_, _) if space => TagPosition::Between,
            (TagPosition::Element | TagPosition::Name, _) => self.place,
            _ => {
                self.attributes += 1;
                TagPosition::Name
            }
        }
    }
}

/// HTML elements that need no end tag.
fn closes_itself(name: &str) -> bool {
    matches!(
        name,
        "br" | "hr"
            | "img"
            | "input"
            | "meta"
            | "link"
            | "wbr"
            | "col"
            | "area"
            | "base"
            | "embed"
            | "source"
            | "track"
            | "param"
            | "li"
            | "dt"
            | "dd"
            | "tr"
            | "td"
            | "th"
            | "thead"
            | "tbody"
            | "tfoot"
            | "option"
            | "colgroup"
            | "html"
            | "head"
            | "body"
            | "rt"
            | "rp"
            | "p"
    )
}

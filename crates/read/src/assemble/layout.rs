use precedent_domain::{Document, Extent, Page, Paragraph, ParagraphKind, Section, SectionKind, Span};

use crate::draft::Block;
use crate::headings::{self, Numbering};

/// Separator between two blocks.
const GAP: &str = "\n\n";
/// Maximum number of blocks that a float is moved back over.
const FARTHEST_FLOAT: usize = 12;

/// Blocks joined into one text.
pub(super) struct Layout {
    pub(super) document: Document,
    /// Span of each block, in block order.
    pub(super) spans: Vec<Span>,
}

/// Start of a section: the index of its first block and its parsed heading.
pub(super) struct Start {
    pub(super) block: usize,
    pub(super) heading: String,
    pub(super) number: Option<String>,
    pub(super) level: u8,
    pub(super) kind: SectionKind,
}

/// Moves blocks outside the running text (such as floats) before the paragraph that ends their page, so that page numbers never decrease.
pub(super) fn settle_pages(blocks: Vec<Block>) -> Vec<Block> {
    let mut out: Vec<Block> = Vec::with_capacity(blocks.len());
    for block in blocks {
        let floats = matches!(
            block.kind,
            ParagraphKind::Footnote | ParagraphKind::Caption | ParagraphKind::Table | ParagraphKind::Code
        );
        let page = block.pages.first().map(|(_, page)| *page).filter(|_| floats);
        let behind = page.map_or(0, |page| {
            let turned = |other: &&Block| other.pages.last().is_some_and(|(_, last)| *last > page);
            out.iter().rev().take(FARTHEST_FLOAT).take_while(turned).count()
        });
        let at = out.len() - behind;
        let begins_there = out
            .get(at)
            .and_then(|other| other.pages.first())
            .is_some_and(|(_, first)| Some(*first) <= page);
        if behind > 0 && begins_there {
            out.insert(at, block);
        } else {
            out.push(block);
        }
    }
    out
}

/// Joins the blocks into one text with the sections that begin at `starts`.
pub(super) fn lay_out(blocks: &[Block], starts: Vec<Start>) -> Layout {
    let mut text = String::with_capacity(blocks.iter().map(|block| block.text.len() + GAP.len()).sum());
    let mut spans = Vec::with_capacity(blocks.len());
    let mut paragraphs = Vec::with_capacity(blocks.len());
    let mut page_starts: Vec<(usize, u32)> = Vec::new();
    for block in blocks {
        if !text.is_empty() {
            text.push_str(GAP);
        }
        let start = text.len();
        text.push_str(&block.text);
        let span = Span::new(start, text.len());
        spans.push(span);
        paragraphs.push(Paragraph { span, kind: block.kind });
        for (offset, page) in &block.pages {
            let at = start + super::block::floor_boundary(&block.text, *offset);
            let turned = page_starts
                .last()
                .is_none_or(|(last, number)| number != page && *last <= at);
            if turned {
                page_starts.push((at, *page));
            }
        }
    }
    let sections = sections(starts, &spans, text.len());
    let pages = pages(&page_starts, text.len());
    Layout {
        document: Document {
            extent: Extent::FullText,
            text,
            sections,
            paragraphs,
            pages,
            calls: None,
        },
        spans,
    }
}

fn sections(starts: Vec<Start>, spans: &[Span], end: usize) -> Vec<Section> {
    let offset = |block: usize| spans.get(block).map_or(end, |span| span.start);
    let ends: Vec<usize> = starts
        .iter()
        .skip(1)
        .map(|next| offset(next.block))
        .chain([end])
        .collect();
    starts
        .into_iter()
        .zip(ends)
        .map(|(start, end)| Section {
            span: Span::new(offset(start.block), end),
            heading: start.heading,
            number: start.number,
            level: start.level,
            kind: start.kind,
        })
        .collect()
}

fn pages(starts: &[(usize, u32)], end: usize) -> Vec<Page> {
    let ends = starts.iter().skip(1).map(|(offset, _)| *offset).chain([end]);
    starts
        .iter()
        .zip(ends)
        .enumerate()
        .map(|(index, ((offset, number), end))| Page {
            number: *number,
            span: Span::new(if index == 0 { 0 } else { *offset }, end),
        })
        .collect()
}

/// Finds the section starts from the headings among the blocks.
pub(super) fn plan(blocks: &[Block]) -> Vec<Start> {
    let mut starts = Vec::new();
    if blocks.first().is_some_and(|block| block.kind != ParagraphKind::Heading) {
        starts.push(Start {
            block: 0,
            heading: String::new(),
            number: None,
            level: 1,
            kind: SectionKind::FrontMatter,
        });
    }
    let numbers: Vec<String> = blocks
        .iter()
        .filter(|block| block.kind == ParagraphKind::Heading)
        .filter_map(|block| headings::take_apart(&block.text).number)
        .collect();
    let mut outline = Outline {
        numbered: numbers.len() >= 3,
        lettered: numbers.iter().any(|number| number == "B" || number.starts_with("A.")),
        ..Outline::default()
    };
    for (index, block) in blocks.iter().enumerate() {
        if block.kind == ParagraphKind::Heading {
            starts.push(outline.next(index, block));
        } else if let Some(kind) = block.heading.as_ref().and_then(|hint| hint.kind) {
            starts.push(outline.unheaded(index, kind));
        }
    }
    starts
}

/// The outline seen so far.
#[derive(Default)]
struct Outline {
    numbered: bool,
    lettered: bool,
    roman: bool,
    last_numbered: u8,
    after_references: bool,
    after_introduction: bool,
    after_conclusion: bool,
    in_checklist: bool,
    /// Kinds of the enclosing sections, by level.
    parents: Vec<(u8, SectionKind)>,
}

impl Outline {
    fn next(&mut self, index: usize, block: &Block) -> Start {
        let hint = block.heading.clone().unwrap_or_default();
        let parts = if self.lettered || self.after_references || self.numbered && self.after_conclusion {
            headings::take_apart_lettered(&block.text)
        } else {
            headings::take_apart(&block.text)
        };
        let words = || headings::kind_of(&parts.words);
        let detected = hint.kind.or_else(words);
        let level = self.level(hint.level, parts.number.as_deref(), detected);
        let detected = match detected {
            // A summary after the introduction is a conclusion.
            Some(SectionKind::Abstract)
                if hint.kind.is_none() && (self.after_introduction || parts.number.is_some()) =>
            {
                Some(SectionKind::Conclusion)
            }
            // `4.1 Overview` belongs to its section; it is not an introduction.
            Some(SectionKind::Introduction) if level > 1 && headings::squash(&parts.words) != "introduction" => None,
            detected => detected,
        };
        while self.parents.last().is_some_and(|(parent, _)| *parent >= level) {
            self.parents.pop();
        }
        let kind = self.kind(detected, parts.number.as_deref());
        self.parents.push((level, kind));
        self.after_references |= kind == SectionKind::References;
        self.after_introduction |= kind == SectionKind::Introduction;
        self.after_conclusion |= kind == SectionKind::Conclusion;
        Start {
            block: index,
            heading: parts.words,
            number: parts.number,
            level,
            kind,
        }
    }

    /// A section without a heading.
    fn unheaded(&mut self, index: usize, kind: SectionKind) -> Start {
        self.parents = vec![(1, kind)];
        self.after_references |= kind == SectionKind::References;
        Start {
            block: index,
            heading: String::new(),
            number: None,
            level: 1,
            kind,
        }
    }

    fn level(&mut self, hint: Option<u8>, number: Option<&str>, detected: Option<SectionKind>) -> u8 {
        let by_number = number.map(|number| match headings::numbering(number) {
            Numbering::Roman => {
                self.roman = true;
                1
            }
            // `A.` below `IV.` is a subsection; otherwise it is an appendix.
            Numbering::Letter if self.roman && !self.after_references && headings::depth(number) == 1 => 2,
            Numbering::Arabic if self.roman && headings::depth(number) == 1 => 3,
            Numbering::Arabic | Numbering::Letter => headings::depth(number),
        });
        if let Some(level) = by_number {
            self.last_numbered = level;
            return level;
        }
        let unnumbered = match detected {
            _ if !self.numbered => 1,
            Some(
                SectionKind::Abstract
                | SectionKind::References
                | SectionKind::Acknowledgements
                | SectionKind::Appendix
                | SectionKind::FrontMatter,
            ) => 1,
            _ if self.last_numbered == 0 || self.after_references => 1,
            _ => self.last_numbered + 1,
        };
        hint.unwrap_or(unnumbered).max(1)
    }

    fn kind(&mut self, detected: Option<SectionKind>, number: Option<&str>) -> SectionKind {
        if detected == Some(SectionKind::Acknowledgements) && self.after_references {
            self.in_checklist = true;
        }
        if matches!(detected, Some(SectionKind::Appendix | SectionKind::References)) {
            self.in_checklist = false;
        }
        let letter = number.is_some_and(|number| headings::numbering(number) == Numbering::Letter);
        if letter && self.after_references {
            self.in_checklist = false;
        }
        if let Some(kind @ (SectionKind::References | SectionKind::Acknowledgements | SectionKind::Abstract)) = detected
        {
            return kind;
        }
        let parent = self.parents.last().map(|(_, kind)| *kind);
        if self.in_checklist {
            return SectionKind::Acknowledgements;
        }
        if parent == Some(SectionKind::Appendix) || self.after_references && (letter || number.is_none()) {
            return SectionKind::Appendix;
        }
        if letter && !self.roman && detected.is_none() && number.is_some_and(|number| headings::depth(number) == 1) {
            return SectionKind::Appendix;
        }
        match (detected, parent) {
            (Some(kind), _) => kind,
            (None, Some(parent))
                if !matches!(
                    parent,
                    SectionKind::FrontMatter | SectionKind::Abstract | SectionKind::References
                ) =>
            {
                parent
            }
            _ => SectionKind::Other,
        }
    }
}

use precedent_domain::{Paper, Paragraph, ParagraphKind, SectionKind, Span};
use precedent_language::wording::{Casing, Names, plain_title};
use precedent_text::{pattern, sentences};

use super::Personal;

/// A paper prepared for extraction: the sentences of the parts that state contributions, and the paper's vocabulary.
#[derive(Debug)]
pub struct Reading<'a> {
    paper: &'a Paper,
    sentences: Vec<Sentence>,
    title: String,
    names: Names,
    casing: Casing,
    personal: Personal,
}

/// A sentence or list item of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sentence {
    /// Its bytes.
    pub span: Span,
    /// The part of the paper it is in.
    pub zone: Zone,
    /// Its paragraph, counted over all paragraphs read.
    pub paragraph: usize,
    /// Whether it starts a list item.
    pub list_item: bool,
}

/// The parts of a paper that contributions are taken from (OpenNovelty, 2.1). The title is read separately.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Zone {
    /// Abstract.
    Abstract,
    /// Introduction, or its substitute.
    Introduction,
    /// Conclusion, or its substitute.
    Conclusion,
}

/// Minimum length in words of front-matter paragraphs that count as running text.
const RUNNING: usize = 40;
/// Maximum number of paragraphs read per part; the rest is dropped.
const MOST_PARAGRAPHS: usize = 40;

impl<'a> Reading<'a> {
    /// Prepares `paper`. Linear in its length.
    #[must_use]
    pub fn new(paper: &'a Paper) -> Self {
        let personal = Personal::of(paper);
        // A line of authors mistaken for the title does not describe the topic.
        let title = paper.title.as_deref().filter(|_| !personal.title_is_names());
        let mut reading = Self {
            paper,
            sentences: Vec::new(),
            title: plain_title(title.unwrap_or_default()),
            personal,
            names: Names::default(),
            casing: Casing::of(&running_text(paper)),
        };
        for (number, (zone, span, list_item)) in zones(paper).into_iter().enumerate() {
            reading.read_paragraph(number, zone, span, list_item);
        }
        let texts: Vec<&str> = reading.sentences.iter().map(|one| reading.slice(one.span)).collect();
        let names = Names::of(&reading.title, texts);
        reading.names = names;
        reading
    }

    /// The paper.
    #[must_use]
    pub fn paper(&self) -> &'a Paper {
        self.paper
    }

    /// The title without markup; empty if none was found.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The sentences, in reading order, abstract first.
    #[must_use]
    pub fn sentences(&self) -> &[Sentence] {
        &self.sentences
    }

    /// The text at a span of the paper; empty if the span is invalid.
    #[must_use]
    pub fn slice(&self, span: Span) -> &'a str {
        span.slice(&self.paper.document.text).unwrap_or_default()
    }

    /// The heading of the section that contains a span; empty if there is none.
    pub(crate) fn heading(&self, span: Span) -> &'a str {
        let section = self.paper.document.section_at(span.start);
        section.map_or("", |section| section.heading.as_str())
    }

    /// The paper's earliest year, if it has a date.
    pub(crate) fn year(&self) -> Option<u16> {
        self.paper.dates.iter().map(|one| one.date.year()).min()
    }

    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// The authors' names, as words.
    pub(crate) fn personal(&self) -> &Personal {
        &self.personal
    }

    pub(crate) fn casing(&self) -> &Casing {
        &self.casing
    }

    /// The abstract, or else the start of the introduction, as one text.
    pub(crate) fn summary(&self) -> String {
        let of = |zone: Zone, most: usize| {
            let all = self.sentences.iter().filter(move |one| one.zone == zone);
            all.take(most)
                .map(|one| self.slice(one.span))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let summary = of(Zone::Abstract, usize::MAX);
        if summary.is_empty() {
            of(Zone::Introduction, 12)
        } else {
            summary
        }
    }

    /// `phrase` in running case, without the capitals of titles and sentence starts. Coined names stay as printed.
    pub(crate) fn in_running_case(&self, phrase: &str) -> String {
        let word = |word: &str| {
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            if self.names.is_coined(bare) {
                word.to_owned()
            } else {
                self.casing.running(word)
            }
        };
        phrase.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
    }

    /// Whether the bytes contain a citation mark, as found by the reader or in a common printed form.
    pub(crate) fn cites(&self, span: Span) -> bool {
        self.paper.citations.iter().any(|mark| span.contains(mark.span))
            || pattern!(r"\[\d[\d,;– -]*\]|\([^()]{0,60}\b(?:19|20)\d\d[a-z]?\)|\bet al\b").is_match(self.slice(span))
    }

    fn read_paragraph(&mut self, number: usize, zone: Zone, span: Span, list_item: bool) {
        let text = self.slice(span);
        for piece in list_pieces(text) {
            let piece_text = piece.span.slice(text).unwrap_or_default();
            for (at, sentence) in sentences(piece_text).into_iter().enumerate() {
                let base = span.start + piece.span.start;
                let marked = at == 0 && (piece.marked || list_item);
                let mark = if marked {
                    mark_length(sentence.slice(piece_text).unwrap_or_default())
                } else {
                    0
                };
                self.sentences.push(Sentence {
                    span: Span::new(base + sentence.start + mark, base + sentence.end),
                    zone,
                    paragraph: number,
                    list_item: marked,
                });
            }
        }
    }
}

struct SentencePiece {
    span: Span,
    marked: bool,
}

/// A paragraph split at bullets, which extraction from PDF often leaves inside running text.
fn list_pieces(text: &str) -> Vec<SentencePiece> {
    let bullet = |c: char| matches!(c, '•' | '▪' | '∙' | '◦' | '‣' | '●' | '■' | '➢' | '✓' | '\u{f0b7}');
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut marked = false;
    for (at, c) in text.char_indices().filter(|&(_, c)| bullet(c)) {
        pieces.push(SentencePiece {
            span: Span::new(start, at),
            marked,
        });
        start = at + c.len_utf8();
        marked = true;
    }
    pieces.push(SentencePiece {
        span: Span::new(start, text.len()),
        marked,
    });
    pieces.retain(|piece| piece.span.slice(text).is_some_and(|inner| !inner.trim().is_empty()));
    if let [only] = pieces.as_mut_slice() {
        let lead = text.trim_start();
        let number = lead.split_whitespace().next().unwrap_or_default();
        only.marked = only.marked || is_item_number(number) || lead.starts_with("- ") || lead.starts_with("* ");
    }
    pieces
}

/// Length in bytes of the mark at the start of a list item: `- `, `(2) `.
fn mark_length(text: &str) -> usize {
    let Some((first, rest)) = text.split_once(char::is_whitespace) else {
        return 0;
    };
    let mark = matches!(first, "-" | "*" | "–" | "—" | "+" | "o") || is_item_number(first);
    if mark { text.len() - rest.trim_start().len() } else { 0 }
}

/// `1.`, `(2)`, `iii)`, `C1:`.
pub(super) fn is_item_number(word: &str) -> bool {
    let bare = word.trim_matches(['(', ')', '.', ':', '[', ']']);
    let digits = bare.trim_start_matches(['C', 'Q']);
    let numeral = !digits.is_empty() && digits.len() <= 2 && digits.bytes().all(|b| b.is_ascii_digit())
        || !bare.is_empty() && bare.len() <= 3 && bare.bytes().all(|b| matches!(b, b'i' | b'v'));
    numeral && bare.len() < word.len()
}

/// The paragraphs of running text, without headings and reference lists.
fn running_text(paper: &Paper) -> String {
    let document = &paper.document;
    let running = |paragraph: &&Paragraph| {
        let section = document.section_at(paragraph.span.start).map(|section| section.kind);
        matches!(paragraph.kind, ParagraphKind::Body | ParagraphKind::ListItem)
            && !matches!(section, Some(SectionKind::References))
            && (section != Some(SectionKind::FrontMatter)
                || document
                    .slice(paragraph.span)
                    .unwrap_or_default()
                    .split_whitespace()
                    .count()
                    >= RUNNING)
    };
    let texts = document
        .paragraphs
        .iter()
        .filter(running)
        .filter_map(|one| document.slice(one.span));
    texts.collect::<Vec<_>>().join("\n")
}

/// The paragraphs to read, each with its part and whether it is marked as a list item.
fn zones(paper: &Paper) -> Vec<(Zone, Span, bool)> {
    let document = &paper.document;
    let readable = |paragraph: &&Paragraph| {
        matches!(
            paragraph.kind,
            ParagraphKind::Body | ParagraphKind::ListItem | ParagraphKind::BlockQuote
        )
    };
    let body: Vec<&Paragraph> = document.paragraphs.iter().filter(readable).collect();
    let in_abstract = |paragraph: &Paragraph| match paper.abstract_span {
        Some(span) => span.overlaps(paragraph.span),
        None => document
            .section_at(paragraph.span.start)
            .is_some_and(|section| section.kind == SectionKind::Abstract),
    };
    let mut found: Vec<(Zone, Span, bool)> = Vec::new();
    let push = |found: &mut Vec<(Zone, Span, bool)>, zone: Zone, paragraphs: Vec<&Paragraph>| {
        for paragraph in paragraphs {
            found.push((zone, paragraph.span, paragraph.kind == ParagraphKind::ListItem));
        }
    };
    match paper.abstract_span {
        // The abstract may be part of a paragraph, or its paragraph may have another kind.
        Some(span) => found.push((Zone::Abstract, span, false)),
        None => push(
            &mut found,
            Zone::Abstract,
            body.iter().copied().filter(|one| in_abstract(one)).collect(),
        ),
    }
    let rest: Vec<&Paragraph> = body.into_iter().filter(|one| !in_abstract(one)).collect();
    let introduction = part(paper, &rest, &[SectionKind::Introduction]);
    let introduction = if introduction.is_empty() {
        opening(paper, &rest)
    } else {
        introduction
    };
    push(
        &mut found,
        Zone::Introduction,
        introduction.into_iter().take(MOST_PARAGRAPHS).collect(),
    );
    push(&mut found, Zone::Conclusion, conclusion(paper, &rest));
    let mut seen: Vec<Span> = Vec::new();
    found.retain(|(_, span, _)| {
        let fresh = !seen.iter().any(|other| other.overlaps(*span));
        seen.push(*span);
        fresh
    });
    found
}

/// Paragraphs in sections of these kinds and in their subsections.
fn part<'p>(paper: &Paper, paragraphs: &[&'p Paragraph], kinds: &[SectionKind]) -> Vec<&'p Paragraph> {
    let mut spans: Vec<Span> = Vec::new();
    let mut inside: Option<u8> = None;
    for section in &paper.document.sections {
        let is_kind = kinds.contains(&section.kind);
        let below = inside.is_some_and(|level| section.level > level && section.kind == SectionKind::Other);
        if is_kind || below {
            spans.push(section.span);
            if is_kind {
                inside = Some(section.level);
            }
        } else {
            inside = None;
        }
    }
    let within = |paragraph: &&&Paragraph| spans.iter().any(|span| span.covers(paragraph.span.start));
    paragraphs.iter().filter(within).copied().collect()
}

/// The first paragraphs of running text, if no section is an introduction.
fn opening<'p>(paper: &Paper, paragraphs: &[&'p Paragraph]) -> Vec<&'p Paragraph> {
    let usable = |paragraph: &&&Paragraph| {
        let kind = paper
            .document
            .section_at(paragraph.span.start)
            .map(|section| section.kind);
        !matches!(
            kind,
            Some(
                SectionKind::References
                    | SectionKind::Acknowledgements
                    | SectionKind::Appendix
                    | SectionKind::FrontMatter
                    | SectionKind::Abstract
            )
        )
    };
    let mut all: Vec<&Paragraph> = paragraphs.iter().filter(usable).copied().collect();
    if all.is_empty() {
        // In a text without headings, everything is classified as front matter. Its long paragraphs are the text.
        let long = |paragraph: &&&Paragraph| {
            let kind = paper
                .document
                .section_at(paragraph.span.start)
                .map(|section| section.kind);
            let text = paper.document.slice(paragraph.span).unwrap_or_default();
            kind == Some(SectionKind::FrontMatter) && text.split_whitespace().count() >= RUNNING
        };
        all = paragraphs.iter().filter(long).copied().collect();
    }
    let most = (all.len() / 5).clamp(3, 10);
    all.into_iter().take(most).collect()
}

/// The conclusion, or else the first two and the last three paragraphs of the discussion.
fn conclusion<'p>(paper: &Paper, paragraphs: &[&'p Paragraph]) -> Vec<&'p Paragraph> {
    let found = part(paper, paragraphs, &[SectionKind::Conclusion]);
    if !found.is_empty() {
        return found.into_iter().take(MOST_PARAGRAPHS).collect();
    }
    let discussion = part(paper, paragraphs, &[SectionKind::Discussion]);
    let last = discussion.len().saturating_sub(3);
    discussion
        .into_iter()
        .enumerate()
        .filter(|(at, _)| *at < 2 || *at >= last)
        .map(|(_, one)| one)
        .collect()
}

//! Converts pages of glyphs to a draft, in the same way for every engine.

use precedent_domain::{
    ArxivId, DateOrigin, HiddenText, PartialDate, PublicationDate, ReadProblem, ReadWarning, ReadWarningKind,
    month_by_abbreviation, title_key,
};
use precedent_text::pattern;

use super::authors;
use super::emit;
use super::error::PdfError;
use super::front::{self, Front};
use super::furniture;
use super::glyph::{PageGlyphs, Turn};
use super::group;
use super::gutter::{self, Gutter};
use super::hidden;
use super::line::{self, Line};
use super::matrix::Rect;
use super::measure::Measures;
use super::mend;
use super::metadata_fields::Metadata;
use super::order;
use super::run::{self, Run};
use super::words::Vocabulary;
use crate::budget::{ReadBudget, ReadResource};
use crate::draft::{Block, Draft};

/// One page after reading.
pub(super) struct PageText {
    glyphs: PageGlyphs,
    runs: Vec<Run>,
    gutters: Vec<Gutter>,
    hidden: Vec<HiddenText>,
    stamp: Vec<String>,
}

/// Builds the draft of a file with `count` pages, of which the first ones were read. A page that could not be read is `None`.
///
/// # Errors
/// If no page could be read or none has text.
pub(super) fn draft(read: Vec<Option<PageText>>, count: usize, metadata: Metadata) -> Result<Draft, PdfError> {
    if read.is_empty() {
        return Err(PdfError::NoPages);
    }
    let mut warnings = Vec::new();
    if count > read.len() {
        warnings.push(ReadWarning::new(
            ReadWarningKind::Truncated,
            ReadProblem::FirstPages {
                read: read.len(),
                pages: count,
            },
        ));
    }
    page_warnings(&read, &mut warnings)?;
    let mut draft = put_together(read, metadata);
    draft.page_count = u32::try_from(count).ok();
    warnings.append(&mut draft.warnings);
    draft.warnings = warnings;
    Ok(draft)
}

impl PageText {
    /// Builds the page with this number, counting from 1, from what is drawn on it.
    pub(super) fn of(mut glyphs: PageGlyphs, number: u32, budget: &ReadBudget) -> Self {
        if hidden::is_recognised_text(&glyphs) {
            hidden::adopt_recognised_text(&mut glyphs);
        }
        let mut runs = run::runs(&glyphs, &glyphs.glyphs);
        budget.spend(ReadResource::Runs, runs.len());
        furniture::drop_line_numbers(&glyphs, &glyphs.glyphs, &mut runs, budget);
        let gutters = gutter::gutters(&runs, glyphs.width, budget);
        let hidden = hidden::hidden_pieces(&glyphs, number);
        let stamp = if number <= 2 {
            turned_lines(&glyphs, number)
        } else {
            Vec::new()
        };
        Self {
            glyphs,
            runs,
            gutters,
            hidden,
            stamp,
        }
    }
}

/// Vertical lines on the page, such as the stamp of a preprint server.
fn turned_lines(page: &PageGlyphs, number: u32) -> Vec<String> {
    [Turn::Up, Turn::Down]
        .into_iter()
        .flat_map(|turn| {
            let glyphs: Vec<_> = page
                .turned
                .iter()
                .filter(|(other, _)| *other == turn)
                .map(|(_, glyph)| glyph.clone())
                .collect();
            let runs = run::runs(page, &glyphs);
            line::lines(page, &glyphs, &runs, &[], number)
        })
        .map(|line| line.text)
        .collect()
}

fn page_warnings(read: &[Option<PageText>], warnings: &mut Vec<ReadWarning>) -> Result<(), PdfError> {
    let pages = u32::try_from(read.len()).unwrap_or(u32::MAX);
    let numbers = |wanted: &dyn Fn(&Option<PageText>) -> bool| -> Vec<u32> {
        read.iter()
            .zip(1..)
            .filter(|(page, _)| wanted(page))
            .map(|(_, number)| number)
            .collect()
    };
    let lost = numbers(&|page| page.is_none());
    if lost.len() == read.len() {
        return Err(PdfError::AllPagesLost { pages });
    }
    let lost_pages = lost.len();
    if !lost.is_empty() {
        warnings.push(ReadWarning::new(
            ReadWarningKind::PagesLost,
            ReadProblem::PagesLost { pages: lost },
        ));
    }
    let shown: usize = read.iter().flatten().map(|page| page.glyphs.glyphs.len()).sum();
    let unmapped: usize = read.iter().flatten().map(|page| page.glyphs.unmapped).sum();
    if unmapped > shown {
        return Err(PdfError::NoLetters);
    }
    let bare = numbers(&|page| page.as_ref().is_some_and(|page| page.runs.is_empty()));
    if bare.len() + lost_pages == read.len() && read.iter().flatten().all(|page| page.hidden.is_empty()) {
        return Err(PdfError::NoText { pages });
    }
    if !bare.is_empty() {
        warnings.push(ReadWarning::new(
            ReadWarningKind::PagesWithoutText,
            ReadProblem::BlankPages { pages: bare },
        ));
    }
    if read.iter().flatten().any(|page| page.glyphs.cut) {
        warnings.push(ReadWarning::new(ReadWarningKind::Truncated, ReadProblem::DrawingLimit));
    }
    if unmapped * 20 > shown {
        let drawn = shown + unmapped;
        warnings.push(ReadWarning::new(
            ReadWarningKind::Garbled,
            ReadProblem::UnmappedGlyphs { unmapped, drawn },
        ));
    }
    Ok(())
}

fn put_together(read: Vec<Option<PageText>>, metadata: Metadata) -> Draft {
    let mut draft = Draft::default();
    let common = common_gutters(&read);
    let mut pages: Vec<Vec<Line>> = Vec::new();
    let mut heights: Vec<f64> = Vec::new();
    let mut rules: Vec<Vec<Rect>> = Vec::new();
    let mut stamps: Vec<String> = Vec::new();
    for (page, number) in read.into_iter().zip(1_u32..) {
        let Some(page) = page else {
            pages.push(Vec::new());
            heights.push(0.0);
            rules.push(Vec::new());
            continue;
        };
        let gutters = if page.gutters.is_empty() {
            common
                .iter()
                .copied()
                .filter(|gutter| gutter::fits(&page.runs, *gutter))
                .collect()
        } else {
            page.gutters
        };
        let mut lines = line::lines(&page.glyphs, &page.glyphs.glyphs, &page.runs, &gutters, number);
        order::order(&mut lines);
        pages.push(lines);
        heights.push(page.glyphs.height);
        rules.push(page.glyphs.rules);
        draft.hidden.extend(page.hidden);
        stamps.extend(page.stamp);
    }
    furniture::drop_furniture(&mut pages, &heights);
    let measures = Measures::of(&pages);
    let mut vocabulary = Vocabulary::default();
    for line in pages.iter().flatten() {
        vocabulary.count(&line.text);
    }
    let front = pages
        .iter_mut()
        .take(3)
        .find(|lines| !lines.is_empty())
        .map(|lines| front::cut_front(lines, &measures, metadata.title.as_deref()))
        .unwrap_or_default();
    read_stamps(&stamps, &mut draft);
    front_matter(&front, &metadata, &vocabulary, &mut draft);
    let mut groups = group::group(pages, &measures);
    mend::mend(&mut groups, &measures);
    emit::mark_notes(&mut groups, &measures, &rules);
    draft.blocks.extend(emit::emit(groups, &measures, &vocabulary));
    if draft.identifiers.doi.is_none() {
        draft.identifiers.doi = metadata.doi;
    }
    draft.dates.extend(metadata.dates);
    draft
}

/// Gutters found on several pages.
fn common_gutters(read: &[Option<PageText>]) -> Vec<Gutter> {
    let mut common: Vec<(usize, Gutter)> = Vec::new();
    for gutter in read.iter().flatten().flat_map(|page| &page.gutters) {
        match common
            .iter_mut()
            .find(|(_, other)| (other.right - gutter.right).abs() < 4.0)
        {
            Some((count, _)) => *count += 1,
            None => common.push((1, *gutter)),
        }
    }
    common.retain(|(count, _)| *count * 3 >= read.len());
    common.into_iter().map(|(_, gutter)| gutter).collect()
}

/// Whether a title is mostly letters. A font without usable codes leaves other characters.
fn is_made_of_words(title: &str) -> bool {
    let shown = title.chars().filter(|c| !c.is_whitespace()).count();
    let letters = title.chars().filter(|c| c.is_alphanumeric()).count();
    line::ratio(letters, shown) > 0.6
}

fn read_stamps(stamps: &[String], draft: &mut Draft) {
    for stamp in stamps {
        let found = pattern!(
            r"(?i)arXiv:\s*(?P<id>(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?)(?:\s*\[[^\]]*\])?(?:\s*(?P<day>\d{1,2})\s+(?P<month>[A-Z][a-z]{2})[a-z]*\s+(?P<year>\d{4}))?"
        )
        .captures(stamp);
        let Some(found) = found else { continue };
        if let Some(id) = found.name("id").and_then(|id| id.as_str().parse::<ArxivId>().ok()) {
            draft.identifiers.arxiv.get_or_insert(id);
        }
        let part = |name: &str| found.name(name).map(|part| part.as_str());
        let month = part("month").and_then(month_by_abbreviation);
        if let (Some(year), Some(month)) = (part("year").and_then(|year| year.parse().ok()), month)
            && let Ok(date) = PartialDate::new(year, Some(month), part("day").and_then(|day| day.parse().ok()))
        {
            draft.dates.push(PublicationDate {
                date,
                origin: DateOrigin::FrontMatter,
            });
        }
    }
}

fn front_matter(front: &Front, metadata: &Metadata, vocabulary: &Vocabulary, draft: &mut Draft) {
    let found = authors::authors(&front.below);
    draft.authors = found.authors;
    if let Some(listed) = metadata.author.as_ref().filter(|_| draft.authors.is_empty()) {
        let page: Vec<&str> = front.below.iter().map(|line| line.text.as_str()).collect();
        draft.authors = authors::printed_authors(listed, &page.join(" "));
    }
    if front.doubtful {
        draft.doubts.push(ReadProblem::TitleInDoubt);
    }
    if draft.authors.is_empty() {
        draft.doubts.push(ReadProblem::NoAuthors);
    } else if found.doubtful {
        draft.doubts.push(ReadProblem::AuthorsInDoubt);
    }
    let title = (!front.title.is_empty()).then(|| emit::title_block(&front.title, vocabulary));
    draft.title = title
        .as_ref()
        .map(|block: &Block| block.text.trim().to_owned())
        .filter(|title| is_made_of_words(title))
        .or_else(|| metadata.title.clone());
    // The title in the metadata counts only if the page agrees with it. It is preferred to a printed title in all capitals.
    if let (Some(printed), Some(from_metadata)) = (&draft.title, &metadata.title)
        && title_key(printed) == title_key(from_metadata)
        && printed.chars().any(char::is_lowercase)
    {
        draft.title = Some(printed.clone());
    }
    draft.blocks.extend(emit::front_blocks(&front.above, vocabulary));
    draft.blocks.extend(title);
    draft.blocks.extend(emit::front_blocks(&front.below, vocabulary));
}

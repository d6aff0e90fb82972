//! Joins runs into lines, and finds the words in them.

use std::collections::VecDeque;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

use super::glyph::{Glyph, PageGlyphs};
use super::gutter::Gutter;
use super::look::Look;
use super::run::{Run, is_accent};

/// Minimum gap between the cells of a table row, in ems.
const CELL_GAP: f64 = 1.3;

/// Minimum gap between words, in ems.
const WORD_GAP: f64 = 0.115;

/// A line of text.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// Page, counting from 1.
    pub(super) page: u32,
    pub(super) x0: f64,
    pub(super) x1: f64,
    /// Base line.
    pub(super) y: f64,
    /// The most common letter size.
    pub(super) size: f64,
    pub(super) text: String,
    /// Its pieces with a uniform look, in order.
    pub(super) pieces: Vec<Piece>,
    /// Byte offsets in `text` where cells begin after a wide gap.
    pub(super) cells: Vec<usize>,
    /// Whether it begins with a superscript mark.
    pub(super) raised_start: bool,
    pub(super) figure: bool,
    pub(super) pagination: bool,
    /// The column, counting from 0; `None` for lines that span columns.
    pub(super) column: Option<usize>,
}

/// A piece of a line with a uniform look.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) range: Range<usize>,
    pub(super) look: Look,
    pub(super) size: f64,
    /// Whether it is above the base line in small letters.
    pub(super) raised: bool,
}

impl Line {
    /// Share of the letters for which `is` returns true, 0 to 1.
    pub(super) fn share(&self, is: impl Fn(&Look) -> bool) -> f64 {
        let (mut yes, mut all) = (0, 0);
        for piece in &self.pieces {
            let letters = self.text.get(piece.range.clone()).map_or(0, |text| {
                text.chars().filter(|character| !character.is_whitespace()).count()
            });
            all += letters;
            if is(&piece.look) {
                yes += letters;
            }
        }
        if all == 0 { 0.0 } else { ratio(yes, all) }
    }

    pub(super) fn is_bold(&self) -> bool {
        self.share(|look| look.bold) > 0.6
    }

    /// Whether almost all of its letters are bold.
    pub(super) fn is_bold_throughout(&self) -> bool {
        self.share(|look| look.bold || look.math) > 0.88 && self.share(|look| look.bold) > 0.5
    }

    pub(super) fn is_italic(&self) -> bool {
        self.share(|look| look.italic) > 0.6
    }

    pub(super) fn width(&self) -> f64 {
        self.x1 - self.x0
    }
}

pub(super) fn ratio(part: usize, whole: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts of letters and lines")]
    let ratio = part as f64 / whole.max(1) as f64;
    ratio
}

struct Forming {
    runs: VecDeque<usize>,
    x0: f64,
    x1: f64,
    y: f64,
    size: f64,
    letters: usize,
}

/// Joins runs into lines, in drawing order.
pub(super) fn lines(page: &PageGlyphs, glyphs: &[Glyph], runs: &[Run], gutters: &[Gutter], number: u32) -> Vec<Line> {
    let mut forming: Vec<Forming> = Vec::new();
    for (index, run) in runs.iter().enumerate() {
        let count = forming.len();
        let place = forming
            .iter()
            .enumerate()
            .rev()
            .take(7)
            .find(|(at, line)| joins(line, run, gutters, at + 1 == count))
            .map(|(at, _)| at);
        match place.and_then(|at| forming.get_mut(at)) {
            Some(line) => add(line, index, run),
            None => forming.push(Forming {
                runs: VecDeque::from([index]),
                x0: run.x0,
                x1: run.x1,
                y: run.y,
                size: run.size,
                letters: run.letters,
            }),
        }
    }
    forming
        .into_iter()
        .filter_map(|line| finish(page, glyphs, runs, &line, gutters, number))
        .collect()
}

fn joins(line: &Forming, run: &Run, gutters: &[Gutter], latest: bool) -> bool {
    let size = line.size.max(run.size);
    let rise = (run.y - line.y).abs();
    let alike = run.size > 0.86 * line.size && run.size < 1.16 * line.size;
    if rise > if alike { 0.22 } else { 0.62 } * size {
        return false;
    }
    let gap = if run.x0 >= line.x0 {
        run.x0 - line.x1
    } else {
        line.x0 - run.x1
    };
    if gutters.iter().any(|gutter| {
        let (left, right) = if run.x0 >= line.x0 {
            (line.x1, run.x0)
        } else {
            (run.x1, line.x0)
        };
        left < gutter.right - 1.0 && right > gutter.right - 4.0 && right - left > 0.7 * size
    }) {
        return false;
    }
    let overlap_allowed = if alike { 0.45 } else { 1.2 };
    if gap < -overlap_allowed * size {
        return false;
    }
    if latest && run.x0 >= line.x0 {
        // Small text at some distance from the line is not a sub- or superscript of it.
        return alike && rise < 0.1 * size || gap < 2.5 * size;
    }
    gap < if alike { 0.9 } else { 0.3 } * size
}

fn add(line: &mut Forming, index: usize, run: &Run) {
    if run.x0 < line.x0 && run.x1 <= line.x0 + 0.5 * line.size {
        line.runs.push_front(index);
    } else {
        line.runs.push_back(index);
    }
    line.x0 = line.x0.min(run.x0);
    line.x1 = line.x1.max(run.x1);
    let larger = run.size > 1.16 * line.size;
    let as_large = run.size > 0.86 * line.size;
    if larger || as_large && run.letters > line.letters {
        line.y = run.y;
        line.size = run.size;
        line.letters = run.letters;
    }
}

fn finish(
    page: &PageGlyphs,
    glyphs: &[Glyph],
    runs: &[Run],
    line: &Forming,
    gutters: &[Gutter],
    number: u32,
) -> Option<Line> {
    let mut writer = Writer::new(line.y, line.size);
    let mut figure = true;
    let mut pagination = true;
    for run in line.runs.iter().filter_map(|index| runs.get(*index)) {
        figure &= run.figure;
        pagination &= run.pagination;
        let members = glyphs.get(run.glyphs.clone()).unwrap_or_default();
        let word_gap = WORD_GAP * run.size + tracking(page, members);
        for glyph in members {
            writer.glyph(glyph, page.text_of(glyph), word_gap);
        }
    }
    let (text, pieces, mut cells) = writer.finish();
    // If every space is as wide as a gap, this is a stretched line of a narrow column, not a table row.
    if cells.len() >= 3 && text.matches(' ').count() == cells.len() {
        cells.clear();
    }
    if text.trim().is_empty() {
        return None;
    }
    Some(Line {
        page: number,
        x0: line.x0,
        x1: line.x1,
        y: line.y,
        size: main_size(&pieces, &text).unwrap_or(line.size),
        raised_start: pieces.first().is_some_and(|piece| piece.raised),
        text,
        pieces,
        cells,
        figure,
        pagination,
        column: column(line.x0, line.x1, gutters),
    })
}

/// The size most letters have.
fn main_size(pieces: &[Piece], text: &str) -> Option<f64> {
    let mut sizes: Vec<(f64, usize)> = Vec::new();
    for piece in pieces {
        let letters = text.get(piece.range.clone()).map_or(0, |text| text.chars().count());
        match sizes.iter_mut().find(|(size, _)| (*size - piece.size).abs() < 0.2) {
            Some((_, count)) => *count += letters,
            None => sizes.push((piece.size, letters)),
        }
    }
    sizes
        .into_iter()
        .max_by(|one, other| one.1.cmp(&other.1).then(one.0.total_cmp(&other.0)))
        .map(|(size, _)| size)
}

fn column(x0: f64, x1: f64, gutters: &[Gutter]) -> Option<usize> {
    if gutters
        .iter()
        .any(|gutter| x0 < gutter.right - 12.0 && x1 > gutter.right + 12.0)
    {
        return None;
    }
    let centre = f64::midpoint(x0, x1);
    Some(gutters.iter().filter(|gutter| centre > gutter.right - 2.0).count())
}

/// Letter spacing of a run: the gap between most of its letters. 0 for ordinary text.
fn tracking(page: &PageGlyphs, glyphs: &[Glyph]) -> f64 {
    if glyphs.len() < 6 {
        return 0.0;
    }
    let mut gaps: Vec<f64> = Vec::new();
    for pair in glyphs.windows(2) {
        if let [one, other] = pair
            && !page.text_of(one).trim().is_empty()
            && !page.text_of(other).trim().is_empty()
        {
            gaps.push(other.x0 - one.x1);
        }
    }
    gaps.sort_by(f64::total_cmp);
    let size = glyphs.first().map_or(0.0, |glyph| glyph.size);
    // More than half of the letters must be spaced: a word of two letters does not show letter spacing.
    match gaps.get(gaps.len() * 2 / 5) {
        Some(gap) if *gap > 0.06 * size => *gap,
        _ => 0.0,
    }
}

/// Writes the characters of a line.
struct Writer {
    y: f64,
    size: f64,
    text: String,
    pieces: Vec<Piece>,
    cells: Vec<usize>,
    last_x1: Option<f64>,
    space: bool,
    /// An accent waiting for its letter, with its position.
    accent: Option<(char, f64, f64)>,
    /// Offset of the last letter in `text`, with its position.
    last_letter: Option<(usize, f64, f64)>,
}

impl Writer {
    fn new(y: f64, size: f64) -> Self {
        Self {
            y,
            size,
            text: String::new(),
            pieces: Vec::new(),
            cells: Vec::new(),
            last_x1: None,
            space: false,
            accent: None,
            last_letter: None,
        }
    }

    fn glyph(&mut self, glyph: &Glyph, text: &str, word_gap: f64) {
        if text.trim().is_empty() {
            self.space = true;
            return;
        }
        if is_accent(text)
            && let Some(accent) = text.chars().next()
        {
            if self.accent_on_last(glyph, accent) {
                return;
            }
            // The space before it, if any, is decided by the letter it belongs to.
            if let Some((waiting, ..)) = self.accent.replace((accent, glyph.x0, glyph.x1)) {
                self.text.push(waiting);
            }
            return;
        }
        let waiting = self.accent.take();
        self.separate(glyph, word_gap);
        let raised = glyph.size < 0.82 * self.size && glyph.y > self.y + 0.14 * self.size;
        let start = self.text.len();
        match waiting {
            Some((accent, x0, x1)) if overlaps(x0, x1, glyph) => self.compose(text, accent),
            Some((accent, ..)) => {
                self.text.push(accent);
                self.push(text, raised);
            }
            None => self.push(text, raised),
        }
        self.last_letter = Some((start, glyph.x0, glyph.x1));
        self.last_x1 = Some(self.last_x1.map_or(glyph.x1, |x1| x1.max(glyph.x1)));
        self.piece(glyph, start, raised);
    }

    /// Adds a space if the gap is wide enough.
    fn separate(&mut self, glyph: &Glyph, word_gap: f64) {
        let spaced = std::mem::take(&mut self.space);
        let Some(last) = self.last_x1 else { return };
        let gap = glyph.x0 - last;
        if gap > CELL_GAP * self.size.max(glyph.size) {
            if !self.text.ends_with(' ') {
                self.text.push(' ');
            }
            self.cells.push(self.text.len());
        } else if (spaced && gap > -0.3 * glyph.size || gap > word_gap)
            && !self.text.is_empty()
            && !self.text.ends_with(' ')
        {
            self.text.push(' ');
        }
    }

    fn push(&mut self, text: &str, raised: bool) {
        if raised {
            self.text.extend(text.chars().map(superscript));
        } else {
            self.text.push_str(text);
        }
    }

    /// Handles an accent drawn after its letter.
    fn accent_on_last(&mut self, glyph: &Glyph, accent: char) -> bool {
        let Some((start, x0, x1)) = self.last_letter else {
            return false;
        };
        let centre = f64::midpoint(glyph.x0, glyph.x1);
        let inside = centre > x0 && centre < x1 && glyph.x0 < x1 - 0.2 * (x1 - x0);
        let letter = self.text.get(start..).map(str::to_owned).unwrap_or_default();
        if !inside || !letter.chars().all(char::is_alphabetic) || letter.is_empty() || accent == '¸' && glyph.x0 > x1 {
            return false;
        }
        self.text.truncate(start);
        self.compose(&letter, accent);
        if let Some(piece) = self.pieces.last_mut() {
            piece.range.end = self.text.len();
        }
        true
    }

    fn compose(&mut self, letter: &str, accent: char) {
        let letter = match letter {
            "ı" => "i",
            "ȷ" => "j",
            other => other,
        };
        let mut characters = letter.chars();
        if let Some(first) = characters.next() {
            let pair: String = [first, combining(accent)].into_iter().nfc().collect();
            if pair.chars().count() == 1 {
                self.text.push_str(&pair);
            } else {
                // No such composed letter: keep the characters as drawn.
                self.text.push(first);
                if !first.is_alphabetic() {
                    self.text.push(accent);
                }
            }
        }
        self.text.push_str(characters.as_str());
    }

    fn piece(&mut self, glyph: &Glyph, start: usize, raised: bool) {
        let end = self.text.len();
        match self.pieces.last_mut() {
            Some(piece)
                if piece.look == glyph.look
                    && piece.raised == raised
                    && (piece.size - glyph.size).abs() < 0.15
                    && self.cells.last().is_none_or(|cell| *cell < piece.range.end) =>
            {
                piece.range.end = end;
            }
            _ => self.pieces.push(Piece {
                range: start..end,
                look: glyph.look,
                size: glyph.size,
                raised,
            }),
        }
    }

    fn finish(mut self) -> (String, Vec<Piece>, Vec<usize>) {
        if let Some((accent, ..)) = self.accent.take() {
            self.text.push(accent);
        }
        (self.text, self.pieces, self.cells)
    }
}

fn overlaps(x0: f64, x1: f64, glyph: &Glyph) -> bool {
    let centre = f64::midpoint(x0, x1);
    let slack = 0.12 * glyph.size;
    centre > glyph.x0 - slack && centre < glyph.x1 + slack
}

fn combining(accent: char) -> char {
    match accent {
        '`' => '\u{300}',
        '´' => '\u{301}',
        'ˆ' => '\u{302}',
        '˜' => '\u{303}',
        '¯' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '¨' => '\u{308}',
        '˚' => '\u{30a}',
        '˝' => '\u{30b}',
        'ˇ' => '\u{30c}',
        '¸' => '\u{327}',
        other => other,
    }
}

/// Superscript digits stay superscript, so that a power of ten does not read as another number.
fn superscript(character: char) -> char {
    match character {
        '0' => '⁰',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        '+' => '⁺',
        '-' | '−' => '⁻',
        other => other,
    }
}

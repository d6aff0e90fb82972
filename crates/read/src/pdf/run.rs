//! Joins glyphs into runs: sequences drawn on one base line without a wide gap.

use std::ops::Range;

use super::glyph::{Glyph, PageGlyphs};

/// Gap, in ems, that ends a run: wider than a stretched word space, narrower than the space between two columns.
const RUN_GAP: f64 = 0.8;

/// A sequence of glyphs on one base line.
#[derive(Debug, Clone)]
pub(super) struct Run {
    /// Its glyphs, as a range of the list it was made from. Some may be spaces.
    pub(super) glyphs: Range<usize>,
    pub(super) x0: f64,
    pub(super) x1: f64,
    pub(super) y: f64,
    pub(super) size: f64,
    /// Number of characters that are not spaces.
    pub(super) letters: usize,
    pub(super) figure: bool,
    pub(super) pagination: bool,
}

/// The runs of a list of glyphs, in drawing order. `text_of` gives a glyph's characters.
pub(super) fn runs(page: &PageGlyphs, glyphs: &[Glyph]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut open: Option<Run> = None;
    let mut after_accent = false;
    for (index, glyph) in glyphs.iter().enumerate() {
        let text = page.text_of(glyph);
        if text.trim().is_empty() {
            // A space belongs to the run before it but does not widen it: trailing spaces reach into margins.
            if let Some(run) = &mut open {
                run.glyphs.end = index + 1;
            }
            continue;
        }
        match &mut open {
            Some(run) if continues(run, glyph, after_accent || is_accent(text)) => {
                run.glyphs.end = index + 1;
                run.x1 = run.x1.max(glyph.x1);
                run.x0 = run.x0.min(glyph.x0);
                run.letters += 1;
                // The base line of the letters counts, not that of an accent.
                run.y = run.y.min(glyph.y);
            }
            _ => {
                close(&mut runs, open.take());
                open = Some(Run {
                    glyphs: index..index + 1,
                    x0: glyph.x0,
                    x1: glyph.x1,
                    y: glyph.y,
                    size: glyph.size,
                    letters: 1,
                    figure: glyph.figure,
                    pagination: glyph.pagination,
                });
            }
        }
        after_accent = is_accent(text);
    }
    close(&mut runs, open);
    drop_overprints(page, glyphs, &mut runs);
    runs
}

fn close(runs: &mut Vec<Run>, run: Option<Run>) {
    if let Some(run) = run {
        runs.push(run);
    }
}

fn continues(run: &Run, glyph: &Glyph, accent: bool) -> bool {
    let size = run.size.max(glyph.size);
    let gap = glyph.x0 - run.x1;
    let rise = (glyph.y - run.y).abs();
    let (lowest, highest) = if accent { (-0.95, 0.45) } else { (-0.35, 0.12) };
    rise < highest * size
        && gap > lowest * size
        && gap < RUN_GAP * size
        && glyph.size > 0.87 * run.size
        && glyph.size < 1.15 * run.size
        && glyph.figure == run.figure
}

/// Accents that TeX draws as separate glyphs over or under a letter.
pub(super) fn is_accent(text: &str) -> bool {
    let mut characters = text.chars();
    matches!(
        (characters.next(), characters.next()),
        (
            Some('´' | '`' | 'ˆ' | '¨' | '˜' | '¸' | 'ˇ' | '˘' | '¯' | '˝' | '˚' | '˙' | '\u{300}'..='\u{36f}'),
            None
        )
    )
}

/// Drops duplicates: some programs fake bold by drawing the same words twice with a tiny offset.
fn drop_overprints(page: &PageGlyphs, glyphs: &[Glyph], runs: &mut Vec<Run>) {
    let text_of = |run: &Run| -> String {
        glyphs
            .get(run.glyphs.clone())
            .unwrap_or_default()
            .iter()
            .map(|glyph| page.text_of(glyph))
            .collect()
    };
    let mut kept: Vec<Run> = Vec::with_capacity(runs.len());
    for run in runs.drain(..) {
        let near = |other: &&Run| {
            let reach = 0.12 * run.size;
            other.letters == run.letters
                && (other.x0 - run.x0).abs() < reach
                && (other.x1 - run.x1).abs() < reach
                && (other.y - run.y).abs() < reach
        };
        let twice = kept
            .iter()
            .rev()
            .take(40)
            .filter(near)
            .any(|other| text_of(other) == text_of(&run));
        if !twice {
            kept.push(run);
        }
    }
    *runs = kept;
}

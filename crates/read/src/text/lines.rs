use std::collections::BTreeMap;

/// A non-blank line of a text file.
#[derive(Debug, Clone)]
pub(crate) struct Line<'a> {
    /// Text without white space at the ends.
    pub(crate) text: &'a str,
    /// Number of columns of white space before it.
    pub(crate) indent: usize,
    /// Whether a blank line precedes it.
    pub(crate) gap: bool,
    /// Page number from 1, if the file has form feeds.
    pub(crate) page: Option<u32>,
}

/// Number of lines at the top or bottom of a page that may be running headers or page numbers.
const EDGE: usize = 2;

/// The lines of a text. If there are form feeds, counts pages and drops running headers and page numbers.
pub(crate) fn lines_of(text: &str) -> (Vec<Line<'_>>, Option<u32>) {
    let text = text.strip_suffix('\u{c}').unwrap_or(text);
    if !text.contains('\u{c}') {
        return (page_lines(text, None), None);
    }
    let pages: Vec<Vec<Line<'_>>> = (1u32..)
        .zip(text.split('\u{c}'))
        .map(|(number, page)| page_lines(page, Some(number)))
        .collect();
    let running = running_lines(&pages);
    let count = u32::try_from(pages.len()).ok();
    let lines = pages
        .into_iter()
        .flat_map(|page| {
            let length = page.len();
            let running = &running;
            page.into_iter().enumerate().filter_map(move |(at, line)| {
                let at_edge = at < EDGE || at + EDGE >= length;
                let drop = at_edge && (is_page_number(line.text) || running.contains_key(&shape(line.text)));
                (!drop).then_some(line)
            })
        })
        .collect();
    (lines, count)
}

fn page_lines(page: &str, number: Option<u32>) -> Vec<Line<'_>> {
    let mut gap = false;
    let mut lines = Vec::new();
    for raw in page.lines() {
        let text = raw.trim();
        if text.is_empty() {
            gap = true;
            continue;
        }
        let white = raw.get(..raw.len() - raw.trim_start().len()).unwrap_or_default();
        let indent = white.chars().map(|c| if c == '\t' { 8 } else { 1 }).sum();
        lines.push(Line {
            text,
            indent,
            gap,
            page: number,
        });
        gap = false;
    }
    lines
}

/// The shapes (digits folded) of lines that are at the edge of at least three pages and of a third of all.
fn running_lines(pages: &[Vec<Line<'_>>]) -> BTreeMap<String, usize> {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for page in pages {
        let mut shapes: Vec<String> = page
            .iter()
            .enumerate()
            .filter(|(at, _)| *at < EDGE || at + EDGE >= page.len())
            .map(|(_, line)| shape(line.text))
            .collect();
        shapes.sort();
        shapes.dedup();
        for shape in shapes {
            *seen.entry(shape).or_default() += 1;
        }
    }
    // Headers alternate between left and right pages, so a third is enough.
    seen.retain(|_, count| *count >= 3 && *count * 3 >= pages.len());
    seen
}

fn shape(line: &str) -> String {
    line.chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect()
}

fn is_page_number(line: &str) -> bool {
    let bare = line.trim_matches(|c: char| matches!(c, '-' | '–' | '—' | ' ' | '|'));
    let bare = bare
        .strip_prefix("Page ")
        .or_else(|| bare.strip_prefix("page "))
        .unwrap_or(bare);
    (1..=4).contains(&bare.len()) && bare.bytes().all(|byte| byte.is_ascii_digit())
}

/// The wrap width of the text; `None` if each line is a paragraph.
pub(crate) fn wrap_width(lines: &[Line<'_>]) -> Option<usize> {
    let mut widths: Vec<usize> = lines
        .iter()
        .map(|line| line.indent + line.text.chars().count())
        .collect();
    widths.sort_unstable();
    let width = widths.get(widths.len() * 9 / 10).copied()?;
    (width <= 140).then_some(width)
}

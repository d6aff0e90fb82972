//! Classifies lines and groups of lines by their look and their first words.

use precedent_domain::{ParagraphKind, SectionKind};
use precedent_text::pattern;

use super::line::{Line, ratio};
use super::measure::Measures;
use crate::headings;

/// `Figure 3:`, `Table II.`, `Fig. 4.`: the start of a caption.
pub(super) fn is_caption_start(text: &str) -> bool {
    pattern!(
        r"^(?:(?:Supplementary |Extended Data |Appendix )?(?:Figure|Fig\.?|FIG\.?|FIGURE|Figura|Abbildung|Table|TABLE|Tab\.|Algorithm|Listing|Scheme|Chart|Plate|Exhibit|Box)\s*(?:[A-Z]?\.?\d{1,3}(?:\.\d{1,2})?[a-z]?|[IVXL]{1,6}|S\d+|[A-Z]\d?)\s*(?:[:.|–—]|$|\())"
    )
    .is_match(text)
}

/// A caption whose number is followed by words without punctuation (`Table 2 Results on …`). Accepted only if the look agrees.
pub(super) fn is_loose_caption_start(text: &str) -> bool {
    pattern!(r"^(?:Figure|Fig\.?|FIG\.?|FIGURE|Table|TABLE|Algorithm|Listing)\s*(?:\d{1,3}|[IVX]{1,5})[a-z]?\s+[A-Z(]")
        .is_match(text)
}

/// A bullet, or a number or letter in brackets, at the start of a list item.
pub(super) fn is_item_start(text: &str) -> bool {
    pattern!(r"^(?:[•▪◦‣·●○■□–➢✓]\s*\S|\*\s+\S|-\s+\p{Lu}|\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})\)\s+\S|\d{1,2}\.\s+\p{Lu}\p{L}*\s+\p{Ll})").is_match(text)
}

/// Whether a line breaks off mid-sentence. The next line is then not a caption, item or heading, whatever it looks like (`shown in` / `Figure 2.`).
pub(super) fn is_cut_off(text: &str) -> bool {
    pattern!(
        r"(?:\s(?:in|from|of|see|and|or|to|by|the|a|an|with|like|for|at|on|that|than|as|under|into|via|is|are|Figures?|Figs?\.|Tables?|Sections?|Sec\.|Eqs?\.|Equations?|Algorithms?|Appendix|cf\.|e\.g\.,?|i\.e\.,?)|\p{Ll}{3},)$"
    )
    .is_match(text.trim_end())
}

/// A label at the start of a reference entry.
pub(super) fn is_entry_label(text: &str) -> bool {
    pattern!(r"^(?:\[\d{1,3}\]|\[[A-Z][A-Za-z+]{0,8}\+?\d{2,4}[a-z]?\]|\(\d{1,3}\)|\d{1,3}\.\s|\(\p{Lu}[^()0-9,;:]{1,40},? (?:et al\.?,? )?(?:19|20)\d\d[a-z]?\))").is_match(text)
}

/// A mark at the start of a footnote.
pub(super) fn is_note_start(line: &Line) -> bool {
    line.raised_start
        && line
            .text
            .chars()
            .next()
            .is_some_and(|c| !c.is_alphabetic() || c.is_ascii_lowercase())
        || pattern!(r"^(?:[*∗⋆†‡§¶♯♮♭‖]{1,3}|[¹²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹]?)\s?\S").is_match(&line.text)
}

/// Text without a mark at the foot of a first page, such as a copyright notice.
pub(super) fn is_imprint(text: &str) -> bool {
    pattern!(
        r"(?i)^(?:permission to make|copyright|©|\(c\) ?\d{4}|proceedings of|in proceedings|this work is licensed|licensed under|this is an open.access|manuscript (?:received|submitted)|received:? |accepted:? |correspond|\*?corresponding author|preprint|accepted (?:at|to|by)|published (?:as|in|at|by)|under review|to appear|appeared in|doi:? ?10\.|https?://(?:dx\.)?doi\.org|arxiv:|isbn|issn|association for computational|\d{4} (?:ieee|acm)\b|978-|equal contribution|work done (?:while|during)|draft )"
    )
    .is_match(text.trim_start())
}

/// The look of a heading, used to join the lines of one heading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct HeadingLook {
    pub(super) size: f64,
    pub(super) bold: bool,
    pub(super) italic: bool,
}

/// Whether two looks are visually the same.
pub(super) fn alike(one: HeadingLook, other: HeadingLook) -> bool {
    (one.size - other.size).abs() < 0.4 && one.bold == other.bold && one.italic == other.italic
}

/// Whether the line is a heading by itself. `before` is the look of the heading directly above it; `above` and `below` are the distances to its
/// neighbours as multiples of the line spacing.
pub(super) fn heading(
    line: &Line,
    measures: &Measures,
    above: f64,
    in_references: bool,
    before: Option<HeadingLook>,
) -> Option<HeadingLook> {
    let text = line.text.trim();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let count = text.chars().count();
    if line.figure || letters < 3 || count > 130 || ratio(letters, count) < 0.5 {
        return None;
    }
    if line.share(|look| look.mono) > 0.5
        || line.share(|look| look.math) > 0.3
        || is_caption_start(text)
        || is_loose_caption_start(text)
    {
        return None;
    }
    let look = HeadingLook {
        size: line.size,
        bold: line.is_bold_throughout(),
        italic: line.share(|look| look.italic) > 0.88,
    };
    // An entry of a table of contents: a page number after a wide gap or a row of dots.
    if contents_entry(line) {
        return None;
    }
    let known = is_known_heading(text);
    if known && (look.bold || line.size > measures.body - 0.3 || is_capitals(text)) {
        return Some(look);
    }
    if in_references && !(look.bold && above > 1.25) && line.size < measures.body + 0.6 {
        return None;
    }
    let larger = line.size > measures.body * 1.07;
    let numbered = is_numbered(text);
    let ends_open = !text.ends_with(['.', ',', ';']) || numbered && count < 90 && !text.ends_with([',', ';']);
    let begins = text
        .chars()
        .find(|c| c.is_alphanumeric())
        .is_some_and(|c| c.is_uppercase() || c.is_numeric());
    let plain_end = line.pieces.last().is_some_and(|piece| {
        let words = line.text.get(piece.range.clone()).unwrap_or_default();
        look.bold && !piece.look.bold && !piece.look.math && words.chars().filter(|c| c.is_alphabetic()).count() >= 2
    });
    if plain_end
        || pattern!(r"^(?i:key\s?words|index terms|categories and subject|general terms|ccs concepts)\b").is_match(text)
    {
        return None;
    }
    // `2 The Growth of Trees` above `on Hills and Elsewhere`.
    let continues = before.is_some_and(|before| alike(before, look)) && look.bold && above < 1.6;
    if !ends_open || !(begins || continues) || line.cells.len() > 1 {
        return None;
    }
    let (left, right) = measures.edges(line);
    let short = line.x1 < right - 0.04 * (right - left).max(1.0);
    // Rows and labels of tables and figures are smaller than the text; headings are not.
    if line.size < measures.body - 0.45 && !numbered {
        return None;
    }
    if continues {
        return Some(look);
    }
    let strong = look.bold && (larger || numbered || above > 1.08);
    let large = larger && (above > 1.1 || numbered || look.bold);
    let spaced_capitals = numbered && (is_capitals(text) || look.italic) && above > 1.1 && short;
    let bare_capitals = is_capitals(text) && above > 1.25 && short && letters > 5 && line.size > measures.body - 0.3;
    (strong || large || spaced_capitals || bare_capitals).then_some(look)
}

fn contents_entry(line: &Line) -> bool {
    let last = line.cells.last().and_then(|cell| line.text.get(*cell..)).map(str::trim);
    last.is_some_and(|last| !last.is_empty() && last.bytes().all(|byte| byte.is_ascii_digit()))
        || pattern!(r"(?:\.\s?){4,}\s*\d{1,3}$").is_match(line.text.trim_end())
}

/// A heading that is recognized without its look: `References`, `1 Introduction`, `Abstract`.
pub(super) fn is_known_heading(text: &str) -> bool {
    let text = text.trim();
    if text.chars().count() > 60 || text.ends_with(',') {
        return false;
    }
    let parts = headings::take_apart(text);
    let words = parts.words.split_whitespace().count();
    let capital = parts
        .words
        .chars()
        .find(|c| c.is_alphabetic())
        .is_some_and(|c| !c.is_lowercase());
    capital
        && match headings::kind_of(&parts.words) {
            Some(
                SectionKind::Abstract
                | SectionKind::References
                | SectionKind::Introduction
                | SectionKind::Acknowledgements
                | SectionKind::Conclusion,
            ) => words <= 4 && !text.ends_with('.'),
            Some(_) => parts.number.is_some() && words <= 5 && !text.ends_with('.'),
            None => false,
        }
}

/// `3.1 Title`, `IV. TITLE`, `A. Title`, `Appendix B`.
pub(super) fn is_numbered(text: &str) -> bool {
    pattern!(r"^(?:(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[IVX]{1,5}\.|[A-Z](?:\.\d{1,2}){1,3}\.?|[A-Z][.)]|§\s?\d+)\s+\p{Lu}|Appendix\b|APPENDIX\b)")
        .is_match(text)
}

/// Whether more than nine tenths of the letters are capitals.
pub(super) fn is_capitals(text: &str) -> bool {
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let capitals = text.chars().filter(|c| c.is_uppercase()).count();
    letters >= 3 && ratio(capitals, letters) > 0.9
}

/// Kind of a group of lines that is not a heading or caption.
pub(super) fn of_lines(lines: &[Line], measures: &Measures) -> ParagraphKind {
    let letters: usize = lines.iter().map(|line| line.text.len()).sum();
    let weighted = |share: &dyn Fn(&Line) -> f64| -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "counts of letters")]
        let sum: f64 = lines.iter().map(|line| share(line) * line.text.len() as f64).sum();
        #[expect(clippy::cast_precision_loss, reason = "counts of letters")]
        let all = letters.max(1) as f64;
        sum / all
    };
    let mono = weighted(&|line| line.share(|look| look.mono));
    let math = weighted(&|line| line.share(|look| look.math));
    let celled = lines.iter().filter(|line| !line.cells.is_empty()).count();
    if lines.iter().all(|line| line.figure) {
        return ParagraphKind::Table;
    }
    if mono > 0.75
        && letters > 12
        && !lines
            .iter()
            .any(|line| line.text.contains("://") || line.text.contains("www."))
    {
        return ParagraphKind::Code;
    }
    let words = lines
        .iter()
        .flat_map(|line| line.text.split_whitespace())
        .filter(|word| word.chars().count() >= 3 && word.chars().all(|c| c.is_alphabetic() || c == ',' || c == '.'))
        .count();
    if is_display(lines, measures, math, words) {
        return ParagraphKind::DisplayMath;
    }
    if celled >= 2 && celled * 3 >= lines.len() * 2 {
        return ParagraphKind::Table;
    }
    if lines.first().is_some_and(|line| is_item_start(&line.text)) {
        return ParagraphKind::ListItem;
    }
    ParagraphKind::Body
}

fn is_display(lines: &[Line], measures: &Measures, math: f64, words: usize) -> bool {
    let Some(first) = lines.first() else { return false };
    let text: String = lines
        .iter()
        .map(|line| line.text.as_str())
        .collect::<Vec<_>>()
        .join(" ");
    let (left, _) = measures.edges(first);
    let indented = lines.iter().all(|line| line.x0 > left + 8.0);
    let numbered = pattern!(r"\((?:\d{1,3}|[A-Z]\.?\d{1,2}|\d{1,2}\.\d{1,3})[a-z]?\)$").is_match(text.trim_end());
    let signs = text
        .chars()
        .filter(|c| {
            matches!(
                c,
                '=' | '+'
                    | '−'
                    | '×'
                    | '∑'
                    | '∏'
                    | '∫'
                    | '≤'
                    | '≥'
                    | '∈'
                    | '→'
                    | '|'
                    | '∂'
                    | '√'
                    | '<'
                    | '>'
            )
        })
        .count();
    let few_words = words * 6 <= text.split_whitespace().count().max(1) * 2;
    (math > 0.25 && few_words && indented) || (numbered && signs > 0 && few_words) || (math > 0.45 && words <= 2)
}

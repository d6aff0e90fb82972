use precedent_domain::{Document, ParagraphKind, SectionKind, Span};

/// Target length of a passage in words: about that of an abstract, so that both are scored alike.
const AIMED_WORDS: usize = 180;
/// Maximum length of a passage in words.
const MOST_WORDS: usize = 260;

/// Splits the running text of a document into passages: consecutive paragraphs within a section, with long ones split between words. Reference lists,
/// acknowledgements, tables and code are skipped.
pub(crate) fn passages(document: &Document) -> Vec<Span> {
    let mut passages: Vec<Span> = Vec::new();
    let mut open: Option<(Span, usize, Option<usize>)> = None;
    for paragraph in &document.paragraphs {
        let section = section_index(document, paragraph.span.start);
        if !is_searched(document, section, paragraph.kind) {
            continue;
        }
        for piece in pieces(&document.text, paragraph.span) {
            let words = count_words(piece.slice(&document.text).unwrap_or_default());
            if words == 0 {
                continue;
            }
            open = match open {
                Some((span, so_far, at)) if at == section && so_far < AIMED_WORDS && so_far + words <= MOST_WORDS => {
                    Some((Span::new(span.start, piece.end), so_far + words, at))
                }
                other => {
                    passages.extend(other.map(|(span, ..)| span));
                    Some((piece, words, section))
                }
            };
        }
    }
    passages.extend(open.map(|(span, ..)| span));
    passages
}

fn section_index(document: &Document, offset: usize) -> Option<usize> {
    let after = document
        .sections
        .partition_point(|section| section.span.start <= offset);
    let index = after.checked_sub(1)?;
    document.sections.get(index)?.span.covers(offset).then_some(index)
}

fn is_searched(document: &Document, section: Option<usize>, kind: ParagraphKind) -> bool {
    let kind_fits = matches!(
        kind,
        ParagraphKind::Body
            | ParagraphKind::ListItem
            | ParagraphKind::BlockQuote
            | ParagraphKind::Caption
            | ParagraphKind::Footnote
    );
    let section = section.and_then(|index| document.sections.get(index));
    kind_fits
        && section.is_none_or(|section| {
            !matches!(
                section.kind,
                SectionKind::References | SectionKind::Acknowledgements | SectionKind::FrontMatter
            )
        })
}

/// The paragraph itself or, if it is too long, parts of about the target length, split at a close sentence end where possible.
fn pieces(text: &str, span: Span) -> Vec<Span> {
    let Some(paragraph) = span.slice(text) else {
        return Vec::new();
    };
    let mut pieces = Vec::new();
    let (mut start, mut words) = (0, 0);
    let mut in_word = false;
    for (at, c) in paragraph.char_indices() {
        if !c.is_whitespace() {
            // In scripts without spaces, a character counts as half a word.
            words += usize::from(!in_word) * 2 + usize::from(!c.is_ascii() && c.len_utf8() >= 3);
            in_word = true;
            continue;
        }
        let sentence_end = in_word
            && paragraph
                .get(..at)
                .is_some_and(|before| before.ends_with(['.', '?', '!', ':']));
        in_word = false;
        if (sentence_end && words >= 2 * AIMED_WORDS) || words >= 2 * (MOST_WORDS - 1) {
            pieces.push(Span::new(span.start + start, span.start + at));
            (start, words) = (at + c.len_utf8(), 0);
        }
    }
    if start < paragraph.len() {
        pieces.push(Span::new(span.start + start, span.end));
    }
    pieces
}

fn count_words(text: &str) -> usize {
    text.split_whitespace().count()
}

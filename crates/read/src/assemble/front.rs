use precedent_domain::{Document, ParagraphKind, Section, SectionKind, Span, title_key};
use precedent_text::pattern;

use crate::draft::{Block, Draft};
use crate::headings;
use crate::quality::word_count;
use crate::references;

/// An abstract with more words than this has probably swallowed the paper body.
const LONGEST_ABSTRACT: usize = 700;
/// Maximum number of abstract sections that are checked for text.
const ABSTRACTS: usize = 50;

/// The title on one line, from the format or else from the first blocks. Blocks that print it become front matter.
pub(super) fn settle_title(draft: &mut Draft) -> Option<String> {
    let given = draft
        .title
        .take()
        .map(|title| one_line(&title))
        .filter(|title| is_title(title));
    let title = given.or_else(|| from_blocks(&draft.blocks))?;
    let key = title_key(&title);
    for block in draft.blocks.iter_mut().take(12) {
        let printed = title_key(&one_line(&block.text));
        let prints_title = !printed.is_empty()
            && (printed == key
                || block.kind == ParagraphKind::Heading && key.starts_with(&printed) && printed.len() > 12);
        if prints_title
            && matches!(
                block.kind,
                ParagraphKind::Heading | ParagraphKind::Body | ParagraphKind::Caption
            )
        {
            block.kind = ParagraphKind::FrontMatter;
            block.heading = None;
            break;
        }
    }
    Some(title)
}

fn one_line(title: &str) -> String {
    let line = precedent_text::one_line(title);
    line.trim_start_matches('#').trim().trim_matches('*').trim().to_owned()
}

/// Rejects names that programs write in the title field.
fn is_title(title: &str) -> bool {
    let lower = title.to_lowercase();
    let program = pattern!(
        r"^(?:microsoft word|powerpoint|untitled|no title|title|slide \d|main|paper|template|arxiv:)|\.(?:docx?|tex|dvi|pdf|ps|indd|odt|rtf|qxd|fm)\b"
    );
    let letters = title.chars().filter(|c| c.is_alphabetic()).count();
    let wide = title.chars().any(|c| u32::from(c) >= 0x2E80);
    let generic = program.find(&lower).is_some_and(|found| {
        found.end() == lower.len()
            || found.start() > 0
            || lower.starts_with("microsoft word")
            || lower.starts_with("arxiv:")
    });
    !generic && letters >= if wide { 2 } else { 3 } && title.len() <= 500
}

fn from_blocks(blocks: &[Block]) -> Option<String> {
    let line = |block: &Block| {
        let line = one_line(&block.text);
        (is_title(&line) && headings::kind_of(&line) != Some(SectionKind::Abstract)).then_some(line)
    };
    let front = blocks
        .iter()
        .take(12)
        .filter(|block| block.kind == ParagraphKind::FrontMatter)
        .filter_map(line)
        .find(|line| line.split_whitespace().count() >= 2 && !is_furniture(line));
    let heading = || {
        blocks
            .iter()
            .take(6)
            .filter(|block| block.kind == ParagraphKind::Heading)
            .find(|block| {
                headings::kind_of(&block.text).is_none() && headings::take_apart(&block.text).number.is_none()
            })
            .and_then(line)
    };
    let first = || {
        blocks
            .iter()
            .take(4)
            .filter(|block| block.is_running())
            .filter_map(line)
            .find(|line| {
                (2..=35).contains(&line.split_whitespace().count()) && !line.ends_with('.') && !is_furniture(line)
            })
    };
    front.or_else(heading).or_else(first)
}

/// Lines that appear above titles: running heads, stamps, licences.
fn is_furniture(line: &str) -> bool {
    pattern!(
        r"(?i)^(?:arxiv\s*:|under review|published as|preprint|proceedings of|in proceedings|journal of|vol(?:ume)?\.? \d|doi[: ]|https?://|copyright|©|research article|open access|original (?:article|paper)|citation:|received|accepted|ieee transactions|\d+$|page \d)"
    )
    .is_match(line)
}

/// Body blocks that consist of a known heading become headings. `Abstract` and `References` are split from text glued to them.
pub(super) fn promote_headings(blocks: Vec<Block>) -> Vec<Block> {
    let mut out = Vec::with_capacity(blocks.len());
    let glued = pattern!(
        r"^(?:\d{1,2}\.?\s+|[IVX]{1,5}\.\s+)?(?:References(?: and Notes)?|REFERENCES|Bibliography|BIBLIOGRAPHY|Literature Cited|LITERATURE CITED)\s*:?\s+(?P<entry>(?:\[\d|\[[A-Z][^\s\[\]]{1,8}\]|\(1\)\s|1[.)]\s))"
    );
    for mut block in blocks {
        let running = block.is_running() || block.kind == ParagraphKind::FrontMatter;
        if running && headings::is_bare_heading(&block.text) {
            block.kind = ParagraphKind::Heading;
        } else if block.is_running()
            && let Some(heading) =
                pattern!(r"^(?:References|REFERENCES|Bibliography|BIBLIOGRAPHY)\s*:?\s+").find(&block.text)
            && block.text.get(heading.end()..).is_some_and(references::is_entry)
        {
            let rest = block.split_off(heading.end(), ParagraphKind::Body);
            block.kind = ParagraphKind::Heading;
            out.push(block);
            block = rest;
        } else if block.is_running()
            && let Some(entry) = glued.captures(&block.text).and_then(|found| found.name("entry"))
        {
            let rest = block.split_off(entry.start(), ParagraphKind::Body);
            block.kind = ParagraphKind::Heading;
            out.push(block);
            block = rest;
        }
        out.push(block);
    }
    out
}

/// The length of the lead-in of an abstract that begins on the same line (`Abstract—We show`).
pub(super) fn inline_abstract(text: &str) -> Option<usize> {
    let marked = pattern!(
        r"^(?i:abstract|a b s t r a c t|summary|zusammenfassung|résumé|resumen|resumo)\s*(?:[.:\u{2014}\u{2013}]|\s-\s|-\s?-+|\s\u{2015})\s*[.:\u{2014}\u{2013}-]*\s*"
    );
    let chinese = pattern!(r"^[【\[]?(?:摘\s*要|内容摘要|要旨|概要)[】\]]?\s*[:：]?\s*");
    let capitals = pattern!(r"^(?:ABSTRACT|A B S T R A C T|Abstract)\s+[A-Z\u{201c}]");
    if let Some(found) = marked.find(text).or_else(|| chinese.find(text)) {
        return Some(found.end()).filter(|end| text.len() > end + 40);
    }
    let found = capitals.find(text)?;
    let last = text.get(..found.end())?.char_indices().last().map(|(at, _)| at)?;
    Some(last).filter(|end| text.len() > end + 40)
}

/// Finds the abstract in the document: first a section marked as abstract, then the first long paragraph before the introduction.
pub(super) fn find_abstract(document: &Document) -> Option<Span> {
    let marked = document
        .sections
        .iter()
        .filter(|section| section.kind == SectionKind::Abstract)
        .take(ABSTRACTS)
        .find_map(|section| run_of_text(document, section.span, 1));
    marked.or_else(|| {
        let body = document
            .sections
            .iter()
            .position(|section| !matches!(section.kind, SectionKind::FrontMatter))?;
        // If only references follow, the text before them is the paper itself.
        let more = |section: &Section| !matches!(section.kind, SectionKind::References | SectionKind::Acknowledgements);
        if !document.sections.get(body..)?.iter().any(more) {
            return None;
        }
        let front = document.sections.get(..body)?;
        let span = Span::new(front.first()?.span.start, front.last()?.span.end);
        run_of_text(document, span, 40)
    })
}

/// The first run of paragraphs in `span` whose first paragraph has at least `least` words.
fn run_of_text(document: &Document, span: Span, least: usize) -> Option<Span> {
    let mut run: Option<Span> = None;
    let mut words = 0;
    for paragraph in document
        .paragraphs
        .iter()
        .filter(|paragraph| span.contains(paragraph.span))
    {
        let text = document.slice(paragraph.span)?;
        let count = word_count(text);
        // A long paragraph among titles and names is an abstract without a heading.
        let long_front = paragraph.kind == ParagraphKind::FrontMatter
            && (least > 1 && count >= 50 && text.ends_with('.') || inline_abstract(text).is_some());
        let running = long_front
            || matches!(
                paragraph.kind,
                ParagraphKind::Body | ParagraphKind::ListItem | ParagraphKind::BlockQuote
            );
        match run {
            None if running && count >= least => {
                let skip = inline_abstract(text).unwrap_or(0);
                run = Some(Span::new(paragraph.span.start + skip, paragraph.span.end));
                words = count;
            }
            None => {}
            Some(_) if matches!(paragraph.kind, ParagraphKind::DisplayMath) => {}
            Some(_) if !running || is_after_abstract(text) || words + count > LONGEST_ABSTRACT => break,
            Some(so_far) => {
                run = Some(Span::new(so_far.start, paragraph.span.end));
                words += count;
            }
        }
    }
    run.map(|span| cut_keywords(document, span))
}

/// Whether a text follows the abstract but is not part of it.
pub(super) fn is_after_abstract(text: &str) -> bool {
    pattern!(
        r"(?i)^(?:key\s?words?|index terms|general terms|categories and subject|ccs concepts|jel|acm reference format|additional key words|msc|pacs|mots[- ]cl|palabras clave|schlagw|schlüsselw|关键词|关键字|キーワード|correspondence|copyright|permission to make|©|\*|†|∗|\d+(?:st|nd|rd|th) (?:conference|international|annual))"
    )
    .is_match(text.trim_start())
}

/// Cuts off keywords that are glued to the end of the abstract.
fn cut_keywords(document: &Document, span: Span) -> Span {
    let text = document.slice(span).unwrap_or_default();
    let glued = pattern!(
        r"\s(?:Key\s?[Ww]ords|KEY\s?WORDS|Index Terms|INDEX TERMS|CCS Concepts|CCS CONCEPTS|ACM Reference Format|Categories and Subject Descriptors|关键词)\b?\s*[:.\u{2014}\u{2013}-]"
    );
    // Without a colon, or glued to the first keyword (`Keywordsretrieval`), keywords are recognized by the end of a sentence before them.
    let bare = pattern!(r"[.!?][”)]?\s+(?P<words>(?:Key\s?[Ww]ords|KEY\s?WORDS|Index Terms|INDEX TERMS)\s*\p{L})");
    let found = glued.find(text).map(|found| found.start());
    let found = found.or_else(|| bare.captures(text)?.name("words").map(|words| words.start()));
    match found {
        Some(start) if start > 80 => {
            let kept = text.get(..start).unwrap_or(text).trim_end().len();
            Span::new(span.start, span.start + kept)
        }
        _ => span,
    }
}

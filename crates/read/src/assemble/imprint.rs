use precedent_domain::{Document, ParagraphKind, SectionKind};
use precedent_text::pattern;

use crate::draft::Block;

/// Number of blocks searched if the format has no pages.
const FIRST_BLOCKS: usize = 40;

/// The parts of the text that say where and when the paper was published: front matter, and first-page lines that begin like an imprint. Running
/// text is excluded because it cites other papers.
pub(super) fn pieces<'a>(blocks: &'a [Block], document: &'a Document) -> impl Iterator<Item = &'a str> {
    let last_page = document.pages.first().map(|page| page.number);
    blocks
        .iter()
        .zip(&document.paragraphs)
        .take(FIRST_BLOCKS)
        .filter(move |(block, paragraph)| {
            let on_first_page = last_page.is_none() || block.pages.first().map(|(_, page)| *page) == last_page;
            let kind = document.section_at(paragraph.span.start).map(|section| section.kind);
            let in_list = block.kind == ParagraphKind::Reference || kind == Some(SectionKind::References);
            let front = block.kind == ParagraphKind::FrontMatter;
            !in_list && on_first_page && (front || may_be_imprint(block.kind) && begins_imprint(&block.text))
        })
        .map(|(block, _)| block.text.as_str())
}

/// Lines of the front matter that contain only a venue and its year: `PLOS ONE 2015`. The title is skipped because it may look the same.
pub(super) fn venue_lines<'a>(blocks: &'a [Block], title: Option<&'a str>) -> impl Iterator<Item = &'a str> {
    blocks
        .iter()
        .take(FIRST_BLOCKS)
        .filter(|block| block.kind == ParagraphKind::FrontMatter)
        .flat_map(|block| block.text.lines())
        .map(str::trim)
        .filter(move |line| title.is_none_or(|title| !title.contains(line)) && is_venue_and_year(line))
}

/// Whether a line consists of a journal or conference name and a year.
fn is_venue_and_year(line: &str) -> bool {
    const LINKING: [&str; 10] = ["of", "the", "and", "on", "for", "in", "de", "la", "der", "für"];
    let Some((name, year)) = line.trim().rsplit_once(' ') else {
        return false;
    };
    let year = year.trim_start_matches('(').trim_end_matches([')', '.']);
    let name: Vec<&str> = name.trim_end_matches(',').split_whitespace().collect();
    let named = |word: &&str| {
        let letters = word
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, '&' | '-' | ':' | '\'' | '’'));
        letters && (word.chars().any(char::is_uppercase) || LINKING.contains(word) || *word == "&")
    };
    pattern!(r"^(?:19|20)\d\d$").is_match(year) && (1..=7).contains(&name.len()) && name.iter().all(named)
}

fn may_be_imprint(kind: ParagraphKind) -> bool {
    matches!(
        kind,
        ParagraphKind::Body | ParagraphKind::Footnote | ParagraphKind::Heading | ParagraphKind::ListItem
    )
}

/// Whether a line is of this form, with nothing after it: `PLDI’09, June 15–20, 2009, Dublin, Ireland.`
fn is_conference_line(text: &str) -> bool {
    pattern!(
        r"(?x)^[∗*†‡§\s]*[A-Z][A-Z+/-]{2,14}\s?['’]\d\d,\s\p{L}+\s\d{1,2}(?:\s?[-–]\s?(?:\p{L}+\s)?\d{1,2})?,\s(?:19|20)\d\d
            (?:,\s\p{Lu}[\p{L}'’.-]*(?:\s\p{Lu}[\p{L}'’.-]*){0,3}){0,3}\.?$"
    )
    .is_match(text)
}

/// Whether a line begins with publication details.
fn begins_imprint(text: &str) -> bool {
    pattern!(
        r"(?xi)^[∗*†‡§\s]*(?:
            arxiv(?:\s?eprint)?\s?:|97[89](?:-?\d){10}\b|https?://(?:dx\.)?doi\.org|doi\s*[:\s]|https?://openreview|https?://aclanthology|
            (?:first\s)?published|available\sonline|received|accepted|submitted|posted|revised|copyright|©|\(c\)|
            proceedings\sof|in\sproceedings|\d{1,2}(?:st|nd|rd|th)\s(?:[^\s.,;:]+\s){0,4}(?:conference|meeting|workshop|symposium)|
            preprint|under\sreview|published\sas|to\sappear|accepted\s(?:at|to|by)|this\swork\sis\slicensed|permission\sto\smake|
            citation\s?:|editor\s?:|acm\sreference\sformat|
            (?:january|february|march|april|may|june|july|august|september|october|november|december)\s(?:\d{1,2},\s)?\d{4}$|
            \d{1,2}\s(?:january|february|march|april|may|june|july|august|september|october|november|december)\s\d{4}$
        )"
    )
    .is_match(text)
        || text.contains(['\'', '’']) && is_conference_line(text)
        || text.len() < 300 && pattern!(r"ISBN|ISSN|\bpp?\.\s\d+[–-]\d+,\s|pages\s\d+[–-]\d+,\s").is_match(text)
}

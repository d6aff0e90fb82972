//! Texts as they are shown to a model.

use precedent_domain::{Contribution, Document, Paper, ParagraphKind, QuotableDocument, Quote, SectionKind, Span};
use precedent_llm::Fence;
use precedent_text::one_line;

/// Longest abstract that is sent, in characters.
pub(crate) const SUMMARY: usize = 1_600;
/// Longest whole text that is sent, in bytes. The paragraph that exceeds it is the last one (OpenNovelty, A, cuts there too).
pub(crate) const WHOLE: usize = 200_000;

/// Length of the beginning of the paper in requests about other papers, in bytes. With the rules, the schema and the claims, such requests then begin
/// with the same 1,100 to 1,300 tokens. `OpenAI` and Anthropic cache no prefix below 1,024 tokens, at about 4.5 bytes each.
const BEGINNING: usize = 2_400;

/// Title, abstract and the first sentences of the introduction, as requests about other papers begin.
pub(crate) fn beginning(paper: &Paper) -> String {
    let title = one_line(paper.title.as_deref().unwrap_or_default());
    let summary = one_line(paper.abstract_text().unwrap_or_default());
    let mut text = format!("{title}\n{}", cut(&summary, SUMMARY));
    let document = &paper.document;
    let in_introduction = |at: usize| {
        let section = document.section_at(at);
        section.is_some_and(|section| section.kind == SectionKind::Introduction)
    };
    let paragraphs = document
        .paragraphs
        .iter()
        .filter(|paragraph| paragraph.kind == ParagraphKind::Body && in_introduction(paragraph.span.start));
    for paragraph in paragraphs {
        let left = BEGINNING.saturating_sub(text.len() + 1);
        if left == 0 {
            break;
        }
        if let Some(words) = document.slice(paragraph.span) {
            text.push('\n');
            text.push_str(&cut(&one_line(words), left));
        }
    }
    text
}

/// The claims, fenced. The same words in every request, so that requests begin with the same text.
pub(crate) fn fenced_claims(claims: &[&Contribution], fence: &Fence) -> String {
    let fenced = claims.iter().map(|claim| {
        let mut text = format!("Claim: {}", one_line(claim.claim.text()));
        for other in &claim.also_stated {
            text.push_str(&format!("\nAlso stated: {}", one_line(other.text())));
        }
        if !claim.description.trim().is_empty() {
            text.push_str(&format!("\nDescription: {}", one_line(&claim.description)));
        }
        fence.wrap(&format!("claim {}", claim.number), &text)
    });
    fenced.collect::<Vec<_>>().join("\n")
}

/// Whether the running text of a document is longer than the part that is sent.
pub(crate) fn is_cut(document: &Document) -> bool {
    document.text.len() > WHOLE && running_text(document).len() > WHOLE
}

/// Locates words in a text: verbatim between word boundaries, however few they are, or like any other quote.
pub(crate) fn quoted(words: &str, source: &QuotableDocument) -> Option<Quote> {
    let words = words.trim();
    let text = &source.document().text;
    let whole = |at: usize| {
        let (before, after) = (text.get(..at), text.get(at + words.len()..));
        let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let first = words.chars().next().is_some_and(char::is_alphanumeric);
        let last = words.chars().next_back().is_some_and(char::is_alphanumeric);
        !(first && inside(before.and_then(|text| text.chars().next_back()))
            || last && inside(after.and_then(|text| text.chars().next())))
    };
    let mut places = text.match_indices(words).map(|(at, _)| at);
    match places.find(|at| !words.is_empty() && whole(*at)) {
        Some(at) => Quote::at(source.document(), Span::new(at, at + words.len())),
        None => Quote::cut(source.document(), &source.locate(words)),
    }
}

/// The first `most` characters, cut at a word.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let head: String = text.chars().take(most).collect();
    let end = head.rfind(char::is_whitespace).unwrap_or(head.len());
    format!("{} …", head.get(..end).unwrap_or_default())
}

/// The text of a document without its reference list, tables and listings.
pub(crate) fn running_text(document: &Document) -> String {
    if document.paragraphs.is_empty() {
        return cut(&document.text, WHOLE);
    }
    let mut text = String::new();
    for paragraph in &document.paragraphs {
        let section = document.section_at(paragraph.span.start).map(|section| section.kind);
        let left_out = matches!(section, Some(SectionKind::References | SectionKind::Acknowledgements))
            || matches!(
                paragraph.kind,
                ParagraphKind::Reference | ParagraphKind::Table | ParagraphKind::Code | ParagraphKind::DisplayMath
            )
            || paragraph.kind == ParagraphKind::FrontMatter && !text.is_empty();
        if let (false, Some(words)) = (left_out, document.slice(paragraph.span)) {
            text.push_str(&one_line(words));
            text.push('\n');
        }
        if text.len() > WHOLE {
            break;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::paper_of;

    #[test]
    fn a_text_beyond_the_limit_is_reported_as_cut() {
        let sentence = "Swell bends the kelp. ".repeat(40);
        let paragraphs = |bytes: usize| vec![sentence.as_str(); bytes / sentence.len()];
        let long = paper_of(
            "Kelp",
            None,
            &[("Method", SectionKind::Method, &paragraphs(WHOLE + 5_000))],
        );
        assert!(is_cut(&long.document));
        let sent = running_text(&long.document).len();
        assert!(sent > WHOLE && sent < WHOLE + sentence.len() + 2 && sent < long.document.text.len());
        // A long reference list is not sent, so leaving it out is no cut.
        let listed = paper_of(
            "Kelp",
            None,
            &[("References", SectionKind::References, &paragraphs(WHOLE + 5_000))],
        );
        assert!(!is_cut(&listed.document));
        assert!(!is_cut(&paper_of("Kelp", None, &[]).document));
    }
}

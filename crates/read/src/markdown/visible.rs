use std::borrow::Cow;
use std::ops::Range;

use precedent_domain::{HiddenReason, HiddenText, ReadWarning};
use precedent_text::pattern;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::markup::{between_tags, is_declaration, is_too_long, is_void, markup_length, name_of, without_quoted_words};
use crate::quality::hidden_warning;

/// The text without what its rendering as Markdown hides: comments, elements that are hidden by an attribute or style, and link definitions with a
/// title. Everything else, such as emphasis, stays as it is. `None` if nothing is hidden.
#[must_use]
pub fn without_hidden(text: &str) -> Option<String> {
    let hidden = hidden_pieces(text);
    (!hidden.is_empty()).then(|| without(text, hidden.into_iter().map(|piece| piece.range)))
}

/// The warning about what [`without_hidden`] removes.
#[must_use]
pub fn hidden_in(text: &str) -> Option<ReadWarning> {
    let words = hidden_pieces(text).into_iter().map(|piece| piece.words(text));
    let pieces = words.filter(|(_, words)| words.chars().any(char::is_alphanumeric));
    let pieces = pieces.map(|(reason, text)| HiddenText {
        text,
        reason,
        page: None,
    });
    hidden_warning(&pieces.collect::<Vec<_>>())
}

/// A text without its hidden comments and elements, and the words of all that is hidden in it. Link definitions stay, because links need them.
pub(super) fn split_hidden(text: &str) -> (Cow<'_, str>, Vec<(HiddenReason, String)>) {
    let hidden = hidden_pieces(text);
    let words = hidden.iter().map(|piece| piece.words(text)).collect();
    let mut removed = hidden
        .into_iter()
        .filter(|piece| piece.kind != HiddenKind::Definition)
        .peekable();
    match removed.peek() {
        None => (Cow::Borrowed(text), words),
        Some(_) => (Cow::Owned(without(text, removed.map(|piece| piece.range))), words),
    }
}

/// Something that a rendered text does not show.
struct HiddenPiece {
    range: Range<usize>,
    kind: HiddenKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HiddenKind {
    /// A comment, a declaration, or the content of a script or style sheet.
    Comment,
    /// A link definition that says something.
    Definition,
    /// An element.
    Element,
}

impl HiddenPiece {
    fn words(&self, text: &str) -> (HiddenReason, String) {
        let source = text.get(self.range.clone()).unwrap_or_default();
        match self.kind {
            HiddenKind::Element => (HiddenReason::HiddenByStyle, between_tags(source)),
            HiddenKind::Definition => (HiddenReason::Comment, source.to_owned()),
            HiddenKind::Comment => {
                let comment = source.strip_prefix("<!--").map(|rest| rest.trim_end_matches("-->"));
                (
                    HiddenReason::Comment,
                    comment.map_or_else(|| between_tags(source), str::to_owned),
                )
            }
        }
    }
}

/// What the rendering of a text hides, in its order and without pieces inside others.
fn hidden_pieces(text: &str) -> Vec<HiddenPiece> {
    if !text.contains('<') && !text.contains("]:") {
        return Vec::new();
    }
    // Without math, because only some programs render it, and others hide the comments in it.
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_GFM;
    let mut search = HiddenSearch::default();
    let mut block = HtmlBlock::default();
    let mut covered = 0;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match &event {
            Event::End(TagEnd::HtmlBlock) => {
                search.block(&std::mem::take(&mut block));
                continue;
            }
            Event::End(_)
            | Event::Start(Tag::BlockQuote(_) | Tag::List(_) | Tag::Item | Tag::FootnoteDefinition(_)) => continue,
            Event::Html(line) => block.push(line, range.start),
            Event::InlineHtml(tag) => search.markup(tag, range.clone(), Place::Sentence, || false),
            _ => {}
        }
        search.definitions(text, covered..range.start);
        covered = covered.max(range.end);
    }
    search.definitions(text, covered..text.len());
    search.finish(text.len())
}

/// The lines of a block of HTML, without the marks of a quotation or list around it, and where each of them starts in the text.
#[derive(Default)]
struct HtmlBlock {
    html: String,
    starts: Vec<(usize, usize)>,
}

impl HtmlBlock {
    fn push(&mut self, line: &str, start: usize) {
        self.starts.push((self.html.len(), start));
        self.html.push_str(line);
    }

    /// The place in the text of a place in the block.
    fn in_text(&self, at: usize) -> usize {
        let line = self.starts.partition_point(|(start, _)| *start <= at).checked_sub(1);
        let line = line.and_then(|line| self.starts.get(line));
        line.map_or(at, |(start, in_text)| in_text + (at - start))
    }

    /// The range in the text of a range in the block that is not empty.
    fn range(&self, range: &Range<usize>) -> Range<usize> {
        self.in_text(range.start)..self.in_text(range.end.saturating_sub(1)) + 1
    }
}

/// Where HTML is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In a block of its own.
    Block,
    /// In a sentence, where `<state hidden action>` is no element.
    Sentence,
}

/// An element that is not closed yet.
struct OpenElement {
    name: String,
    start: usize,
    /// The kind if it hides its content.
    hides: Option<HiddenKind>,
    place: Place,
}

#[derive(Default)]
struct HiddenSearch {
    hidden: Vec<HiddenPiece>,
    open: Vec<OpenElement>,
    /// Where elements inside so many others begin that the rest counts as hidden.
    too_deep: Option<usize>,
}

impl HiddenSearch {
    /// Finds link definitions in text that belongs to no block. The parser lists only the first definition of a label.
    fn definitions(&mut self, text: &str, gap: Range<usize>) {
        let outside = text.get(gap.clone()).unwrap_or_default();
        // Only those that say something which is not shown: a title, or the idiom `[//]: # (a comment)`. `[^1]:` is a footnote, which is shown.
        let definition = pattern!(
            r#"(?m)^[ ]{0,3}\[(?:\\.|[^\[\]\\^])(?:\\.|[^\[\]\\])*\]:[ \t]*\n?[ \t]*(?:#\S*|<[^<>\n]*>|\S*[:/]\S*)[ \t]*\n?[ \t]*(?:"[^"]*"|'[^']*'|\([^()]*\))[ \t]*$"#
        );
        for found in definition.find_iter(outside) {
            self.found(
                gap.start + found.start()..gap.start + found.end(),
                HiddenKind::Definition,
            );
        }
    }

    fn found(&mut self, range: Range<usize>, kind: HiddenKind) {
        self.hidden.push(HiddenPiece { range, kind });
    }

    fn block(&mut self, block: &HtmlBlock) {
        let html = block.html.as_str();
        let mut at = 0;
        while let Some(found) = html.get(at..).and_then(|rest| rest.find('<')) {
            let start = at + found;
            let rest = html.get(start..).unwrap_or_default();
            at = start + markup_length(rest);
            let markup = html.get(start..at).unwrap_or_default();
            self.markup(markup, block.range(&(start..at)), Place::Block, || is_too_long(rest));
        }
    }

    /// `is_cut` says whether the markup is the beginning of a tag whose end was not found.
    fn markup(&mut self, markup: &str, range: Range<usize>, place: Place, is_cut: impl Fn() -> bool) {
        if is_declaration(markup) {
            self.found(range, HiddenKind::Comment);
        } else if let Some(name) = markup.strip_prefix("</") {
            let name = name_of(name);
            // Browsers ignore a closing tag without an opening one.
            if let Some(at) = self.open.iter().rposition(|open| open.name == name) {
                self.close_from(at, range.end);
            }
        } else {
            let name = name_of(markup.trim_start_matches('<'));
            if name.is_empty() || is_void(&name) {
                return;
            }
            if ENDS_A_SIBLING.contains(&name.as_str()) && self.open.last().is_some_and(|last| last.name == name) {
                self.close_from(self.open.len() - 1, range.start);
            }
            let is_hidden = || is_cut() || crate::html::hides(&without_quoted_words(markup));
            let hides = match name.as_str() {
                "script" | "style" => Some(HiddenKind::Comment),
                "template" | "noscript" => Some(HiddenKind::Element),
                "font" if is_white_font(markup) => Some(HiddenKind::Element),
                _ => is_hidden().then_some(HiddenKind::Element),
            };
            if self.open.len() == DEEPEST {
                match self.open.iter().position(|open| open.hides.is_none()) {
                    Some(visible) => _ = self.open.remove(visible),
                    None => {
                        self.too_deep.get_or_insert(range.start);
                        return;
                    }
                }
            }
            self.open.push(OpenElement {
                name,
                start: range.start,
                hides,
                place,
            });
        }
    }

    /// Closes an open element, and those inside it.
    fn close_from(&mut self, at: usize, end: usize) {
        let closed = self.open.split_off(at).into_iter();
        let hidden = closed.filter_map(|open| Some((open.start, open.hides?)));
        let hidden = hidden.map(|(start, kind)| HiddenPiece {
            range: start..end,
            kind,
        });
        self.hidden.extend(hidden);
    }

    /// What is hidden. An element that is never closed hides the rest of the text.
    fn finish(mut self, end: usize) -> Vec<HiddenPiece> {
        for open in std::mem::take(&mut self.open) {
            let is_meant = open.place == Place::Block || is_common(&open.name);
            if let Some(kind) = open.hides.filter(|_| is_meant) {
                self.found(open.start..end, kind);
            }
        }
        if let Some(start) = self.too_deep {
            self.found(start..end, HiddenKind::Element);
        }
        self.hidden
            .sort_by_key(|piece| (piece.range.start, std::cmp::Reverse(piece.range.end)));
        let mut covered = 0;
        self.hidden.retain(|piece| {
            let is_outside = piece.range.end > covered;
            covered = covered.max(piece.range.end);
            is_outside
        });
        self.hidden
    }
}

/// Whether a `font` element has white letters.
fn is_white_font(tag: &str) -> bool {
    pattern!(r#"(?i)\bcolor\s*=\s*["']?\s*(?:white|#fff(?:fff)?)\b"#).is_match(tag)
}

/// Most elements in each other, chosen by hand: far more than a text has. At this depth, the outermost visible one is forgotten.
const DEEPEST: usize = 256;

/// Elements that end at the next one of the same name.
const ENDS_A_SIBLING: [&str; 8] = ["p", "li", "td", "th", "tr", "dt", "dd", "option"];

/// Elements in a sentence that hide the rest of a text if they are not closed. Chosen by hand: those that hold text.
fn is_common(name: &str) -> bool {
    let blocks = [
        "div", "p", "section", "article", "aside", "details", "table", "ul", "ol", "li", "td",
    ];
    let inline = [
        "span", "b", "i", "em", "strong", "font", "small", "sup", "sub", "u", "s", "del", "mark", "a",
    ];
    blocks.contains(&name) || inline.contains(&name)
}

/// A text without these ranges, which are in its order.
fn without(text: &str, removed: impl Iterator<Item = Range<usize>>) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for range in removed {
        push(&mut kept, text.get(at..range.start).unwrap_or_default());
        at = at.max(range.end);
    }
    push(&mut kept, text.get(at..).unwrap_or_default());
    kept
}

/// Appends a piece of text, with one space between words instead of two.
fn push(kept: &mut String, piece: &str) {
    let rest = piece.strip_prefix(' ').filter(|_| kept.ends_with(' '));
    kept.push_str(rest.unwrap_or(piece));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_text_is_removed() {
        for (text, shown) in [
            ("Kelp <!-- a > b --> grows.", "Kelp grows."),
            (
                "Kelp.\n\n<!-- one\ntwo > three\n\nfour -->\n\nIt grows.",
                "Kelp.\n\n\n\nIt grows.",
            ),
            (
                "Kelp <span style=\"display:none\">x <i>y</i> z</span> grows.",
                "Kelp grows.",
            ),
            (
                "Kelp <span style='color:transparent'>x</b> y</span> grows.",
                "Kelp grows.",
            ),
            ("Kelp <p title='a>b' hidden>x</p> grows.", "Kelp grows."),
            ("Kelp <SPAN HIDDEN>never closed", "Kelp "),
            (
                "<style>\n.x {}\n\n.y {}\n</style>\n\nKelp <template>x</template> grows.",
                "\n\nKelp grows.",
            ),
            ("<noscript>\n\nx\n\n</noscript>\n\nKelp grows.", "\n\nKelp grows."),
            // An element that is no element, or that has no content, hides nothing else.
            (
                "A <state hidden action> and <embed hidden>.\n\nKelp <span hidden>x</span> grows.",
                "A <state hidden action> and <embed hidden>.\n\nKelp grows.",
            ),
            ("Kelp.\n\n<main hidden>\nx", "Kelp.\n\n"),
            (
                "Kelp.\n\n<div title=\"x\"hidden>\nx\n</div>\n\nIt grows.",
                "Kelp.\n\n\n\nIt grows.",
            ),
            ("Kelp <font color='#FFF'>x</font> grows.", "Kelp grows."),
            // The marks of a quotation are no part of a tag.
            (
                "> Kelp <!-- one\n> two --> and <b\n> hidden>x</b> it grows.",
                "> Kelp and it grows.",
            ),
            (
                "> Kelp.\n>\n> <div\n> hidden>\n> x\n> </div>\n>\n> It grows.",
                "> Kelp.\n>\n> \n>\n> It grows.",
            ),
            ("Kelp <b style='filter: opacity(0)'>x</b> grows.", "Kelp grows."),
            ("<div hidden>\n\nOne.\n\n</div>\n\nKelp grows.", "\n\nKelp grows."),
            (
                "Kelp.\n\n[//]: # (one)\n[//]: # (two)\n\nIt grows.",
                "Kelp.\n\n\n\n\nIt grows.",
            ),
            (
                "<b purpose>Kelp</b> <!-- x -->**grows**.",
                "<b purpose>Kelp</b> **grows**.",
            ),
        ] {
            assert_eq!(without_hidden(text).as_deref(), Some(shown), "{text}");
        }
    }

    #[test]
    fn text_that_is_shown_stays_byte_for_byte() {
        for text in [
            "",
            "Kelp  grows.\r\n\r\n  It sinks if a < b and c > d.",
            "a <b and c> d <https://example.org/hidden/>",
            "<b purpose>Kelp</b> **grows** in <span style=\"color:red\">swell</span>.",
            "The comment `<!-- x -->` and\n\n```\n[//]: # (x)\n```",
            "See [1]: it grows.\n\n[^1]: A note.\n\n- [a]: not a definition",
            "An open <!-- comment",
            "We put it into <template> or <script> and then ask.",
            "[Problem]: Overfitting\n\n[1]: https://example.org/a",
            "An <abbr title=\"a hidden Markov model\">HMM</abbr> of <state hidden action> triples.",
        ] {
            assert_eq!(without_hidden(text), None, "{text}");
        }
    }

    #[test]
    fn a_tag_that_is_too_long_hides_what_is_in_it() {
        let long = "x".repeat(1_200);
        let hidden = format!("Kelp.\n\n<div title=\"> {long}\" style=\"display:none\">\nsecret\n</div>\n\nIt grows.");
        assert_eq!(without_hidden(&hidden).as_deref(), Some("Kelp.\n\n\n\nIt grows."));
        let table = format!("<table class=\"{long}\">\n<tr><td>Kelp</td></tr>\n</table>\n");
        assert_eq!(without_hidden(&table), None);
        let image = format!("Kelp.\n\n<img src=\"data:image/png;base64,{long}\">\n\nIt grows.");
        assert_eq!(without_hidden(&image), None);
        let sentence = format!("Kelp <b title=\"> {long}\" hidden>secret</b> grows.");
        assert_eq!(without_hidden(&sentence).as_deref(), Some("Kelp grows."));
    }

    #[test]
    fn many_open_elements_hide_nothing_unless_they_are_hidden() {
        let text = "<p>\n\nKelp grows.\n\n".repeat(300) + "<div>\n\n".repeat(300).as_str();
        assert_eq!(without_hidden(&text), None);
        let hidden = format!("Kelp.\n\n{}secret{}", "<b hidden>".repeat(300), "</b>".repeat(256));
        assert_eq!(without_hidden(&hidden).as_deref(), Some("Kelp.\n\n"));
    }

    #[test]
    fn only_hidden_words_are_reported() {
        for text in ["<div style=\"display:none\"></div>\n\nKelp.", "<!-- -->\n\nKelp."] {
            assert!(hidden_in(text).is_none(), "{text}");
        }
        let (shown, hidden) = split_hidden("[the survey][1] <!-- x -->\n\n[1]: https://example.org/s \"Survey\"\n");
        assert_eq!(shown, "[the survey][1] \n\n[1]: https://example.org/s \"Survey\"\n");
        assert_eq!(hidden.len(), 2);
    }

    proptest::proptest! {
        #[test]
        fn any_text_can_be_read(text in "(<!--|-->|<b hidden>|</b>|<div|>|\"|\\[a\\]: #|\n|- |> |[a-z ]{1,5}|\\PC){0,40}") {
            let shown = without_hidden(&text);
            proptest::prop_assert!(shown.is_none_or(|shown| shown.len() <= text.len()));
        }
    }
}

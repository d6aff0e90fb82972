use std::borrow::Cow;
use std::ops::Range;

use precedent_domain::{HiddenReason, HiddenText, ReadWarning};
use precedent_text::pattern;
use pulldown_cmark::{Event, Options, Parser, Tag};

use super::reader::is_void;
use crate::quality::hidden_warning;

/// The text without what its rendering as Markdown hides: comments, elements that are hidden by an attribute or style, and link definitions with a
/// title. Everything else, such as emphasis, stays as it is. `None` if nothing is hidden.
#[must_use]
pub fn without_hidden(text: &str) -> Option<String> {
    let removed = hidden_ranges(text);
    (!removed.is_empty()).then(|| without(text, removed))
}

/// A text as its rendering shows it, and the words of what [`without_hidden`] removes from it.
pub(super) fn split_hidden(text: &str) -> (Cow<'_, str>, Vec<(HiddenReason, String)>) {
    let removed = hidden_ranges(text);
    if removed.is_empty() {
        return (Cow::Borrowed(text), Vec::new());
    }
    let piece = |range: &Range<usize>| words_of(text.get(range.clone()).unwrap_or_default());
    let pieces = removed.iter().map(piece).collect();
    (Cow::Owned(without(text, removed)), pieces)
}

/// The words of a comment, a link definition or a hidden element.
fn words_of(hidden: &str) -> (HiddenReason, String) {
    if let Some(comment) = hidden.strip_prefix("<!--") {
        return (HiddenReason::Comment, comment.trim_end_matches("-->").to_owned());
    }
    if is_declaration(hidden) || hidden.starts_with('[') {
        return (HiddenReason::Comment, hidden.to_owned());
    }
    (HiddenReason::HiddenByStyle, between_tags(hidden))
}

/// The words between the tags of raw HTML.
pub(super) fn between_tags(html: &str) -> String {
    let mut words = String::with_capacity(html.len());
    let mut rest = html;
    while let Some((before, markup)) = rest.find('<').and_then(|start| rest.split_at_checked(start)) {
        words.push_str(before);
        let length = markup_length(markup);
        words.push_str(match name_of(markup.trim_start_matches('<')).as_str() {
            // A `<` that starts no markup is a word.
            _ if length == 1 => "<",
            "br" => "\n",
            _ => "",
        });
        rest = markup.get(length..).unwrap_or_default();
    }
    words.push_str(rest);
    words
}

/// The warning about what [`without_hidden`] removes.
#[must_use]
pub fn hidden_in(text: &str) -> Option<ReadWarning> {
    let (_, pieces) = split_hidden(text);
    let piece = |(reason, text)| HiddenText {
        text,
        reason,
        page: None,
    };
    hidden_warning(&pieces.into_iter().map(piece).collect::<Vec<_>>())
}

fn hidden_ranges(text: &str) -> Vec<Range<usize>> {
    if !text.contains('<') && !text.contains("]:") {
        return Vec::new();
    }
    // Without math, because only some programs render it, and others hide the comments in it.
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_GFM;
    let mut search = HiddenSearch::default();
    let mut covered = 0;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        match &event {
            Event::End(_)
            | Event::Start(Tag::BlockQuote(_) | Tag::List(_) | Tag::Item | Tag::FootnoteDefinition(_)) => continue,
            // The events of an HTML block are its lines, but a comment may span several.
            Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_) => search.html(text, range.clone()),
            _ => {}
        }
        search.definitions(text, covered..range.start);
        covered = covered.max(range.end);
    }
    search.definitions(text, covered..text.len());
    if let Some((start, around)) = search.hidden {
        // `<state hidden action>` in a sentence is no element.
        if search.open.get(around).is_none_or(|name| is_common(name)) {
            search.removed.push(start..text.len());
        }
    }
    search.removed
}

#[derive(Default)]
struct HiddenSearch {
    removed: Vec<Range<usize>>,
    /// Names of the open elements.
    open: Vec<String>,
    /// Where the hidden element starts, and how many elements are around it.
    hidden: Option<(usize, usize)>,
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
            self.removed.push(gap.start + found.start()..gap.start + found.end());
        }
    }

    fn html(&mut self, text: &str, range: Range<usize>) {
        let html = text.get(range.clone()).unwrap_or_default();
        let mut at = 0;
        while let Some(found) = html.get(at..).and_then(|rest| rest.find('<')) {
            let start = at + found;
            let rest = html.get(start..).unwrap_or_default();
            at = start + markup_length(rest);
            let markup = html.get(start..at).unwrap_or_default();
            self.markup(markup, range.start + start..range.start + at);
        }
    }

    fn markup(&mut self, markup: &str, range: Range<usize>) {
        if is_declaration(markup) {
            self.removed.push(range);
        } else if let Some(name) = markup.strip_prefix("</") {
            let name = name_of(name);
            // Browsers ignore a closing tag without an opening one.
            let Some(at) = self.open.iter().rposition(|open| *open == name) else {
                return;
            };
            self.open.truncate(at);
            if let Some((start, _)) = self.hidden.take_if(|(_, around)| *around >= at) {
                self.removed.push(start..range.end);
            }
        } else {
            let name = name_of(markup.trim_start_matches('<'));
            if name.is_empty() || name == "br" || is_void(markup) {
                return;
            }
            if self.open.len() == DEEPEST {
                self.hidden.get_or_insert((range.start, 0));
                return;
            }
            let is_hidden =
                || NEVER_SHOWN.contains(&name.as_str()) || crate::html::hides(&without_quoted_words(markup));
            if self.hidden.is_none() && is_hidden() {
                self.hidden = Some((range.start, self.open.len()));
            }
            self.open.push(name);
        }
    }
}

/// Elements whose content browsers never show.
const NEVER_SHOWN: [&str; 4] = ["script", "style", "template", "noscript"];

/// Elements that hide the rest of a text if they are not closed. Chosen by hand: those that hold text.
fn is_common(name: &str) -> bool {
    let blocks = [
        "div", "p", "section", "article", "aside", "details", "table", "ul", "ol", "li", "td", "template",
    ];
    let inline = [
        "span", "b", "i", "em", "strong", "font", "small", "sup", "sub", "u", "s", "del", "mark", "a",
    ];
    blocks.contains(&name) || inline.contains(&name)
}

/// A tag without the values of attributes other than its style, which may contain the word `hidden`.
fn without_quoted_words(tag: &str) -> String {
    let values = pattern!(r#"(?i)([a-z:-]+)\s*=\s*(?:"[^"]*"|'[^']*')"#);
    let kept = |found: &regex::Captures<'_>| match &found[1] {
        name if name.eq_ignore_ascii_case("style") || name.eq_ignore_ascii_case("hidden") => found[0].to_owned(),
        name => name.to_owned(),
    };
    values.replace_all(tag, kept).into_owned()
}

/// Whether markup is a comment, a declaration or an instruction to programs.
fn is_declaration(markup: &str) -> bool {
    markup.starts_with("<!") || markup.starts_with("<?")
}

/// The name of a tag in lower case; empty if it is no tag, such as `<https://…>` or `<`.
fn name_of(tag: &str) -> String {
    let length = tag
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '-'))
        .unwrap_or(tag.len());
    let (name, after) = tag.split_at_checked(length).unwrap_or_default();
    let ends = after.starts_with(|c: char| c.is_whitespace() || matches!(c, '/' | '>'));
    match ends && name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        true => name.to_ascii_lowercase(),
        false => String::new(),
    }
}

/// Length of the markup that a text starts with. A `<` that starts none is 1 long.
pub(super) fn markup_length(text: &str) -> usize {
    let past = |from: usize, end: &str| {
        let found = text.get(from..).and_then(|rest| rest.find(end));
        found.map_or(text.len(), |at| from + at + end.len())
    };
    if text.starts_with("<!-->") {
        5
    } else if text.starts_with("<!--->") {
        6
    } else if text.starts_with("<!--") {
        past(4, "-->")
    } else if text.starts_with("<![CDATA[") {
        past(9, "]]>")
    } else if text.starts_with("<?") {
        past(2, "?>")
    } else if text.starts_with("<!") || text.starts_with("</") {
        past(2, ">")
    } else if text.get(1..).is_some_and(|name| name_of(name).is_empty()) {
        1
    } else {
        tag_length(text).unwrap_or_else(|| past(1, ">"))
    }
}

/// Longest opening tag in characters, so that quotes without an end do not make the search quadratic.
const LONGEST_TAG: usize = 1_000;
/// Most elements in each other. Deeper ones count as hidden.
const DEEPEST: usize = 256;

/// Length of an opening tag, whose attributes may contain `>` in quotes.
fn tag_length(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices().take(LONGEST_TAG) {
        match (quote, c) {
            (None, '>') => return Some(at + 1),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

fn without(text: &str, mut removed: Vec<Range<usize>>) -> String {
    removed.sort_unstable_by_key(|range| range.start);
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
            "[Problem]: Overfitting\n\n[1]: https://example.org/a",
            "An <abbr title=\"a hidden Markov model\">HMM</abbr> of <state hidden action> triples.",
        ] {
            assert_eq!(without_hidden(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_can_be_read(text in "(<!--|-->|<b hidden>|</b>|<div|>|\"|\\[a\\]: #|\n|- |> |[a-z ]{1,5}|\\PC){0,40}") {
            let shown = without_hidden(&text);
            proptest::prop_assert!(shown.is_none_or(|shown| shown.len() <= text.len()));
        }
    }
}

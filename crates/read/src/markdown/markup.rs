//! The markup of raw HTML in Markdown: where it ends, its name, and the words around it.

use precedent_text::pattern;

/// How far the end of a tag with an open quote is searched for, in characters, so that quotes without an end do not make the search
/// quadratic. Chosen by hand: titles and addresses in attributes are shorter.
const LONGEST_TAG: usize = 1_000;

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

/// Whether markup is a comment, a declaration or an instruction to programs.
pub(super) fn is_declaration(markup: &str) -> bool {
    markup.starts_with("<!") || markup.starts_with("<?")
}

/// Whether the element `name` has no content.
pub(super) fn is_void(name: &str) -> bool {
    matches!(
        name,
        "area"
            | "base"
            | "br"
            | "col"
            | "embed"
            | "hr"
            | "img"
            | "input"
            | "link"
            | "meta"
            | "param"
            | "source"
            | "track"
            | "wbr"
    )
}

/// The name of a tag in lower case; empty if it is no tag, such as `<https://…>` or `<`.
pub(super) fn name_of(tag: &str) -> String {
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

/// A tag without the values of attributes other than its style, which may contain the word `hidden`.
pub(super) fn without_quoted_words(tag: &str) -> String {
    let values = pattern!(r#"(?i)([a-z:-]+)\s*=\s*(?:"[^"]*"|'[^']*')"#);
    let kept = |found: &regex::Captures<'_>| match &found[1] {
        name if name.eq_ignore_ascii_case("style") || name.eq_ignore_ascii_case("hidden") => found[0].to_owned(),
        name => format!("{name} "),
    };
    values.replace_all(tag, kept).into_owned()
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

/// Whether the opening tag that a text starts with is too long to tell where it ends.
pub(super) fn is_too_long(text: &str) -> bool {
    let after = text
        .find('>')
        .and_then(|first| text.get(first + 1..))
        .unwrap_or_default();
    tag_length(text).is_none() && after.chars().nth(LONGEST_TAG - 1).is_some()
}

/// Length of an opening tag, whose attributes may contain `>` in quotes. `None` if it is too long to tell.
fn tag_length(text: &str) -> Option<usize> {
    let first = text.find('>')?;
    let mut quote = None;
    let mut past = 0;
    for (at, c) in text.char_indices() {
        past += usize::from(at > first);
        match (quote, c) {
            _ if past > LONGEST_TAG => return None,
            (None, '>') => return Some(at + 1),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
    }
    None
}

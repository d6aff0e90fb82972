use roxmltree::{Document, Node, ParsingOptions};

use crate::format::{FormatError, fold_space};
use crate::latex::math::math_text;
use crate::latex::symbol;
use crate::markup::{check_attributes, check_namespaces, check_nesting};

/// Maximum nodes per document.
const NODES: u32 = 2_000_000;

/// Parses XML without its document type, whose declarations are neither needed nor safe. Character names of HTML are known; custom entities are
/// dropped.
pub(crate) fn with_document<T>(
    text: &str,
    format: &'static str,
    read: impl FnOnce(&Document<'_>) -> Result<T, FormatError>,
) -> Result<T, FormatError> {
    if text.trim().is_empty() {
        return Err(FormatError::Empty);
    }
    check_nesting(text, format)?;
    check_attributes(text, format)?;
    check_namespaces(text, format)?;
    let text = without_entities(without_doctype(text.trim_start()));
    let options = ParsingOptions {
        nodes_limit: NODES,
        ..ParsingOptions::default()
    };
    let document =
        Document::parse_with_options(&text, options).map_err(|error| FormatError::not(format, error.to_string()))?;
    read(&document)
}

fn without_doctype(text: &str) -> String {
    let Some(start) = text.find("<!DOCTYPE") else {
        return text.to_owned();
    };
    // A document type comes before the first element.
    if text.get(..start).is_some_and(|before| {
        before.matches('<').count() > before.matches("<?").count() + before.matches("<!--").count()
    }) {
        return text.to_owned();
    }
    let mut depth = 0usize;
    let mut quote = None;
    for (at, c) in text.char_indices().skip_while(|(at, _)| *at < start) {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '<') => depth += 1,
            (None, '>') if depth <= 1 => {
                let after = text.get(at + 1..).unwrap_or_default();
                return format!("{}{after}", text.get(..start).unwrap_or_default());
            }
            (None, '>') => depth -= 1,
            _ => {}
        }
    }
    text.to_owned()
}

fn without_entities(text: String) -> String {
    if !text.contains('&') {
        return text;
    }
    let mut clean = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once('&') {
        clean.push_str(before);
        let name: String = after
            .chars()
            .take(32)
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '#')
            .collect();
        let is_entity = after.get(name.len()..).is_some_and(|rest| rest.starts_with(';')) && !name.is_empty();
        if !is_entity {
            clean.push_str("&amp;");
            rest = after;
            continue;
        }
        match name.as_str() {
            "amp" | "lt" | "gt" | "quot" | "apos" => clean.push_str(&format!("&{name};")),
            _ if name.starts_with('#') => clean.push_str(&format!("&{name};")),
            _ => clean.push_str(named(&name)),
        }
        rest = after.get(name.len() + 1..).unwrap_or_default();
    }
    clean.push_str(rest);
    clean
}

/// The characters of those HTML entity names that papers use.
fn named(name: &str) -> &'static str {
    match name {
        "nbsp" | "ensp" | "emsp" | "thinsp" => " ",
        "ndash" => "–",
        "mdash" => "—",
        "lsquo" => "‘",
        "rsquo" => "’",
        "ldquo" => "“",
        "rdquo" => "”",
        "hellip" => "…",
        "eacute" => "é",
        "egrave" => "è",
        "aacute" => "á",
        "agrave" => "à",
        "iacute" => "í",
        "oacute" => "ó",
        "uacute" => "ú",
        "ntilde" => "ñ",
        "ouml" => "ö",
        "uuml" => "ü",
        "auml" => "ä",
        "ccedil" => "ç",
        "szlig" => "ß",
        "oslash" => "ø",
        "minus" => "−",
        "plusmn" => "±",
        "deg" => "°",
        "middot" => "·",
        // Greek letters and signs have the same names as in TeX.
        other if other.len() > 1 => symbol(other).unwrap_or(""),
        _ => "",
    }
}

/// The child elements with this name.
pub(crate) fn children<'a, 'i>(node: Node<'a, 'i>, name: &'static str) -> impl Iterator<Item = Node<'a, 'i>> {
    node.children()
        .filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// The first element with this name below a node.
pub(crate) fn find<'a, 'i>(node: Node<'a, 'i>, name: &str) -> Option<Node<'a, 'i>> {
    node.descendants()
        .find(|inner| inner.is_element() && inner.tag_name().name() == name)
}

/// All text below a node on one line.
pub(crate) fn text_of(node: Node<'_, '_>) -> String {
    let mut text = String::new();
    for inner in node.descendants().filter(Node::is_text) {
        text.push_str(inner.text().unwrap_or_default());
    }
    fold_space(&text)
}

/// Text below the first element with this name.
pub(crate) fn text_in(node: Node<'_, '_>, name: &str) -> Option<String> {
    find(node, name).map(text_of).filter(|text| !text.is_empty())
}

/// An attribute by its local name, in any namespace (`xml:id`).
pub(crate) fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.attributes()
        .find(|attribute| attribute.name() == name)
        .map(|attribute| attribute.value())
}

/// A formula: its TeX if present, else the characters of its MathML.
pub(crate) fn formula(node: Node<'_, '_>) -> String {
    let tex = node.descendants().find(|inner| {
        let name = inner.tag_name().name();
        name == "tex-math"
            || (name == "annotation"
                && inner
                    .attribute("encoding")
                    .is_some_and(|encoding| encoding.contains("tex")))
    });
    if let Some(tex) = tex {
        let source: String = tex
            .descendants()
            .filter(Node::is_text)
            .filter_map(|text| text.text())
            .collect();
        // Some files include whole documents here; only the text between the dollar signs counts.
        let source = source
            .rsplit_once("\\begin{document}")
            .map_or(source.as_str(), |(_, body)| body);
        let source = source.split("\\end{document}").next().unwrap_or_default();
        return math_text(source.trim().trim_matches('$'));
    }
    match find(node, "math") {
        Some(math) => mathml(math),
        None => {
            let label: Vec<String> = node
                .children()
                .filter(|child| child.tag_name().name() != "label")
                .map(text_of)
                .collect();
            fold_space(&label.join(" "))
        }
    }
}

/// MathML as text: scripts with `^` and `_`, fractions with `/`.
fn mathml(node: Node<'_, '_>) -> String {
    let mut text = String::new();
    write_mathml(node, &mut text, 0);
    fold_space(&text)
}

fn write_mathml(node: Node<'_, '_>, text: &mut String, depth: usize) {
    if depth > 100 {
        return;
    }
    if node.is_text() {
        text.push_str(node.text().unwrap_or_default().trim());
        return;
    }
    let inner: Vec<Node<'_, '_>> = node.children().filter(|child| child.is_element()).collect();
    let mark = match node.tag_name().name() {
        "msub" | "munder" => Some(["_", ""]),
        "msup" | "mover" => Some(["^", ""]),
        "msubsup" | "munderover" => Some(["_", "^"]),
        "mfrac" => Some(["/", ""]),
        "annotation" | "annotation-xml" => return,
        _ => None,
    };
    match mark {
        Some(marks) => {
            for (at, child) in inner.iter().enumerate() {
                let mut part = String::new();
                write_mathml(*child, &mut part, depth + 1);
                if at > 0 {
                    text.push_str(marks.get(at - 1).copied().unwrap_or_default());
                    if part.chars().count() > 1 {
                        part = format!("{{{part}}}");
                    }
                }
                text.push_str(&part);
            }
        }
        None => {
            for child in node.children() {
                write_mathml(child, text, depth + 1);
            }
        }
    }
}

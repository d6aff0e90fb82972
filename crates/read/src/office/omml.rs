use roxmltree::Node;

use crate::format::fold_space;
use crate::xml::{attribute, children};

/// Maximum nesting of formulas.
const DEPTH: usize = 100;

/// An Office formula (`m:oMath`) as text: scripts with `^` and `_`, fractions with `/`.
pub(super) fn formula(node: Node<'_, '_>) -> String {
    let mut text = String::new();
    write(node, &mut text, 0);
    fold_space(&text)
}

fn write(node: Node<'_, '_>, text: &mut String, depth: usize) {
    if depth > DEPTH {
        return;
    }
    let parts = |node: Node<'_, '_>| {
        let mut parts = Vec::new();
        for child in node.children().filter(|child| {
            matches!(
                child.tag_name().name(),
                "e" | "sub" | "sup" | "num" | "den" | "deg" | "lim"
            )
        }) {
            let mut part = String::new();
            write(child, &mut part, depth + 1);
            parts.push(part);
        }
        parts
    };
    let scripts: &[&str] = match node.tag_name().name() {
        "t" => {
            text.push_str(node.text().unwrap_or_default());
            return;
        }
        "sSup" => &["", "^"],
        "sSub" | "limLow" | "limUpp" => &["", "_"],
        "sSubSup" => &["", "_", "^"],
        "f" => &["", "/"],
        "rad" => {
            // The degree comes first and is mostly empty.
            let parts = parts(node);
            text.push('√');
            text.push_str(&braced(parts.last().map_or("", String::as_str)));
            return;
        }
        "nary" => {
            text.push_str(stated(node, "naryPr", "chr").unwrap_or("∫"));
            for (name, mark) in [("sub", "_"), ("sup", "^"), ("e", "")] {
                for child in children(node, name) {
                    let mut part = String::new();
                    write(child, &mut part, depth + 1);
                    if !part.is_empty() {
                        text.push_str(mark);
                        text.push_str(&if mark.is_empty() { part } else { braced(&part) });
                    }
                }
            }
            return;
        }
        "d" => {
            text.push_str(stated(node, "dPr", "begChr").unwrap_or("("));
            // The standard separates the parts by a bar unless the formula states a sign.
            text.push_str(&parts(node).join(stated(node, "dPr", "sepChr").unwrap_or("|")));
            text.push_str(stated(node, "dPr", "endChr").unwrap_or(")"));
            return;
        }
        // The letters inside are deleted text, or properties.
        "del" | "rPr" | "ctrlPr" => return,
        _ => {
            for child in node.children() {
                write(child, text, depth + 1);
            }
            return;
        }
    };
    for (mark, part) in scripts.iter().zip(parts(node)) {
        text.push_str(mark);
        text.push_str(&if mark.is_empty() { part } else { braced(&part) });
    }
}

/// A property of this formula, not of those inside.
fn stated<'a>(node: Node<'a, '_>, properties: &'static str, name: &'static str) -> Option<&'a str> {
    let property = children(node, properties).flat_map(|properties| children(properties, name));
    property.last().and_then(|property| attribute(property, "val"))
}

fn braced(part: &str) -> String {
    if part.chars().count() > 1 {
        format!("{{{part}}}")
    } else {
        part.to_owned()
    }
}

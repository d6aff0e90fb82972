//! Style sheets inside a page. A rule that can hide text counts like the style of each element that it matches.

use html5ever::{QualName, local_name, ns};
use scraper::{ElementRef, Html, Node, Selector, StrTendril};

use super::hidden::sets_visibility;

/// Maximum number of rules that are matched with every element.
const RULES: usize = 400;
/// Maximum number of matches tried. A page with more elements than rules allow keeps only its first rules.
const MATCHES: usize = 20_000_000;

/// Puts the rules of the page's style sheets that can hide text into the style of each element that they match, before what is there. Rules count in
/// the order of the page, and not by the rank of their selectors.
pub(super) fn inline_styles(page: &mut Html) {
    let rules = rules_of(page);
    let nodes = page.tree.values().len().max(1);
    let rules = rules.get(..rules.len().min(MATCHES / nodes)).unwrap_or_default();
    if rules.is_empty() {
        return;
    }
    let mut styles = Vec::new();
    for node in page.tree.root().descendants() {
        let Some(element) = ElementRef::wrap(node) else {
            continue;
        };
        let matching = rules.iter().filter(|rule| rule.selector.matches(&element));
        let mut style: String = matching.map(|rule| format!("{};", rule.declarations)).collect();
        if !style.is_empty() {
            style.push_str(element.value().attr("style").unwrap_or_default());
            styles.push((node.id(), style));
        }
    }
    let name = QualName::new(None, ns!(), local_name!("style"));
    for (id, style) in styles {
        let Some(mut node) = page.tree.get_mut(id) else {
            continue;
        };
        if let Node::Element(element) = node.value() {
            element.attrs.retain(|(other, _)| *other != name);
            // The attributes are sorted by name.
            let at = element.attrs.partition_point(|(other, _)| *other < name);
            element.attrs.insert(at, (name.clone(), StrTendril::from(style)));
        }
    }
}

struct Rule {
    selector: Selector,
    declarations: String,
}

/// The rules of all style sheets for screens that can hide or show text.
fn rules_of(page: &Html) -> Vec<Rule> {
    let mut rules = Vec::new();
    for node in page.tree.root().descendants() {
        let Some(element) = ElementRef::wrap(node) else {
            continue;
        };
        let is_for_screens = element
            .value()
            .attr("media")
            .is_none_or(|media| !media.contains("print"));
        if element.value().name() == "style" && is_for_screens {
            let text: String = element.text().collect();
            add_rules(&without_comments(&text), &mut rules);
        }
    }
    rules
}

fn add_rules(sheet: &str, rules: &mut Vec<Rule>) {
    let mut rest = sheet;
    while let Some((head, after)) = rest.split_once('{') {
        // The end of a group of rules may come before the selector.
        let head = head.rsplit(['}', ';']).next().unwrap_or_default().trim();
        if let Some(name) = head.strip_prefix('@') {
            let is_group = ["media", "supports", "layer", "container"]
                .iter()
                .any(|group| name.starts_with(group));
            rest = match is_group && !name.contains("print") {
                true => after,
                false => after_block(after),
            };
            continue;
        }
        let (body, after) = after.split_once('}').unwrap_or((after, ""));
        rest = after;
        let declarations = body.to_ascii_lowercase();
        // LaTeXML hides footnotes until the reader points at their mark.
        if !head.contains(".ltx_")
            && sets_visibility(&declarations)
            && let Ok(selector) = Selector::parse(head)
        {
            rules.push(Rule { selector, declarations });
        }
        if rules.len() >= RULES {
            return;
        }
    }
}

/// What follows a block whose opening brace was read.
fn after_block(text: &str) -> &str {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.get(at + 1..).unwrap_or_default();
        }
    }
    ""
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        out.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    out
}
